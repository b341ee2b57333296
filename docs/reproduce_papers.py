"""Compare published numbers with what robustrank gives; prints the tables of ``inferred.md``.

python docs/reproduce_papers.py DATA_FOLDER

The folder holds the public MTEB results of 26 December 2025 as a long table, with the metadata of
tasks and models.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

import robustrank as rr
from robustrank.mcdm.weights import critic_weights, equal_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pandas as pd

# (language, task type): numbers of datasets and of clusters, as stated. The first block is from
# *Robustness* (§5.1 and Appendix D), the second from *Slavic* (Tables 3-10); n is at least 2.
STATED = {
    "fra Clustering": (4, 2),
    "eng Clustering": (9, 5),
    "fra Classification": (4, 4),
    "eng Classification": (10, 10),
    "deu Classification": (4, 4),
    "hin Classification": (4, 3),
    "spa Classification": (3, 3),
    "fra Retrieval": (3, 3),
    "eng Retrieval": (16, 13),
    "deu Retrieval": (4, 3),
    "hin Retrieval": (4, 3),
    "spa Retrieval": (3, 2),
    "eng Reranking": (2, 2),
    "fra PairClassification": (4, 4),
    "eng PairClassification": (6, 5),
    "deu PairClassification": (4, 4),
    "spa PairClassification": (2, 2),
    "fra STS": (2, 2),
    "eng STS": (10, 5),
    "deu STS": (3, 3),
    "hin STS": (2, 2),
    "spa STS": (3, 3),
    "fra BitextMining": (6, 2),
    "eng BitextMining": (10, 2),
    "deu BitextMining": (5, 2),
    "hin BitextMining": (6, 2),
    "spa BitextMining": (4, 2),
    "eng InstructionReranking": (3, 3),
    "bos Clustering": (2, 2),
    "srp Retrieval": (2, 2),
    "bul Retrieval": (2, 2),
    "slv BitextMining": (3, 1),
    "srp BitextMining": (4, 2),
    "hrv BitextMining": (4, 2),
    "bos BitextMining": (3, 1),
    "bul BitextMining": (3, 1),
    "mkd BitextMining": (3, 1),
}

# The models named as most robust: *Robustness*, Tables 3-10; for clustering, §5.1.
NEMOTRON, E5 = "llama-embed-nemotron-8b", "multilingual-e5-large-instruct"
QWEN8, QWEN4, OCTEN = "Qwen3-Embedding-8B", "Qwen3-Embedding-4B", "Octen-Embedding-8B"
KALM, BILINGUAL, JINA = (
    "KaLM-Embedding-Gemma3-12B-2511",
    "bilingual-embedding-large",
    "jina-embeddings-v3",
)
RETRIEVERS = {BILINGUAL, JINA, "bilingual-embedding-base"}
NAMED = {
    "eng Clustering": {QWEN8, QWEN4, NEMOTRON},
    "fra Clustering": {NEMOTRON, QWEN8},
    **{f"{lang} Clustering": {NEMOTRON} for lang in ("deu", "hin", "spa")},
    **{f"{lang} Classification": {QWEN8} for lang in ("eng", "fra", "deu", "hin", "spa")},
    "eng Retrieval": {BILINGUAL},
    "fra Retrieval": {JINA, BILINGUAL},
    **{f"{lang} Retrieval": RETRIEVERS for lang in ("deu", "hin", "spa")},
    **{f"{lang} Reranking": {OCTEN} for lang in ("eng", "fra")},
    **{f"{lang} Reranking": {NEMOTRON} for lang in ("deu", "hin")},
    **{
        f"{lang} PairClassification": {QWEN8, QWEN4, OCTEN}
        for lang in ("eng", "fra", "deu", "hin", "spa")
    },
    **{f"{lang} STS": {OCTEN} for lang in ("eng", "fra", "deu")},
    **{f"{lang} STS": {NEMOTRON, OCTEN, QWEN8} for lang in ("hin", "spa")},
    "eng BitextMining": {"bge-m3", NEMOTRON, E5},
    **{f"{lang} BitextMining": {"bge-m3"} for lang in ("fra", "deu", "hin", "spa")},
    **{f"{lang} MultilabelClassification": {KALM} for lang in ("eng", "fra", "deu", "spa")},
    "eng InstructionReranking": {QWEN4},
}

# *Slavic*, Tables 3-10: distinct (n, q) and the Evidence Strength Score printed for them.
ESS = {(0, 0): 0.00, (1, 1): 0.30, (2, 2): 0.60, (3, 1): 0.23, (4, 2): 0.83}

# *Slavic*, Table 11: ESS, evaluable tasks, CW and the model that leads; and, for the languages of
# Tables 3-10, (n, q) per evaluable task type. Those of Polish are from the task metadata.
TABLE_11 = {
    "slv": (0.18, 5, 0.35, E5, [(1, 1)] * 4 + [(3, 1)]),
    "srp": (0.25, 4, 0.30, NEMOTRON, [(1, 1), (2, 2), (1, 1), (4, 2)]),
    "hrv": (0.22, 4, 0.31, E5, [(1, 1)] * 3 + [(4, 2)]),
    "bul": (0.29, 7, 0.55, NEMOTRON, [(1, 1)] * 5 + [(2, 2), (3, 1)]),
    "mkd": (0.14, 4, 0.34, NEMOTRON, [(1, 1)] * 3 + [(3, 1)]),
    "pol": (0.42, 7, 0.54, QWEN4, [(4, 4), (2, 2)] + [(1, 1)] * 4 + [(4, 2)]),
}
# *Slavic*, Tables 3-10: the most consistent model of each evaluable language and task type.
CONSISTENT = {
    "slv Classification": QWEN8,
    "bul Classification": "Linq-Embed-Mistral",
    "mkd Classification": QWEN4,
    **{f"{lang} Clustering": NEMOTRON for lang in ("slv", "srp", "hrv", "bos", "bul", "mkd")},
    **{f"{lang} Retrieval": "LaBSE-ru-turbo" for lang in ("slv", "hrv", "mkd")},
    **{f"{lang} Retrieval": BILINGUAL for lang in ("srp", "bul")},
    **{f"{lang} Reranking": NEMOTRON for lang in ("srp", "bul")},
    "bul PairClassification": QWEN8,
    **{f"{lang} MultilabelClassification": KALM for lang in ("slv", "hrv", "bul")},
    **{f"{lang} BitextMining": E5 for lang in ("slv", "bos", "bul", "mkd")},
    **{f"{lang} BitextMining": "bge-m3" for lang in ("srp", "hrv")},
}
SLAVIC_TASKS = [
    "Classification",
    "Clustering",
    "Retrieval",
    "Reranking",
    "STS",
    "PairClassification",
    "MultilabelClassification",
    "BitextMining",
]
FLORES = "FloresBitextMining"


class Papers:
    """The papers' matrices, by the protocol that their figures imply."""

    def __init__(self, folder: Path) -> None:
        self.matrix = rr.read(
            folder / "mteb_multilingual_v2_dec2025.parquet",
            tasks=folder / "tasks_multilingual_v2_dec2025.csv",
            models=folder / "models_dec2025.parquet",
        )

    def eligible(self, task_type: str, *, filtered: bool = True) -> list[str]:
        """Name the models that are complete on a task type and, if asked, pass the filter."""
        models = self.matrix.models
        of_type = self.matrix.select(task_type=task_type).scores
        scores = of_type.drop(columns=FLORES, errors="ignore")
        keep = scores.notna().all(axis=1)
        if filtered:
            keep &= models["open_weights"].fillna(value=False).astype(bool)
            keep &= models[f"zs_{task_type}"].eq(100)  # percent; unknown counts as not
            keep &= models[["n_parameters", "embed_dim", "max_tokens"]].notna().all(axis=1)
        return list(keep.index[keep])

    def block(self, cell: str, *, filtered: bool = True) -> rr.ScoreMatrix | None:
        """Return the matrix of a language and task type, or None if there is no dataset."""
        language, task_type = cell.split()
        try:
            chosen = self.matrix.select(language=language, task_type=task_type)
        except rr.InputError:
            return None
        datasets = [name for name in chosen.scores if name != FLORES]
        return chosen.select(datasets=datasets, models=self.eligible(task_type, filtered=filtered))

    def has_flores(self, cell: str) -> bool:
        """Whether the missing dataset belongs to a language and task type."""
        language, task_type = cell.split()
        covered = self.matrix.datasets.loc[FLORES, "languages"]
        return task_type == "BitextMining" and language in covered


def linked(matrix: rr.ScoreMatrix, method: str, tau: float) -> int:
    """Count clusters under another linkage."""
    distance = 1.0 - rr.find_redundancy(matrix).correlation.to_numpy()
    if len(distance) == 1:
        return 1
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), method)
    return int(fcluster(tree, np.nextafter(1.0 - tau, -1.0), "distance").max())


def clusterings(papers: Papers) -> Iterator[str]:
    """Compare the stated numbers of clusters, and change one choice at a time."""
    blocks = {cell: papers.block(cell) for cell in STATED}
    everyone = {cell: papers.block(cell, filtered=False) for cell in STATED}

    def q(setting: dict, of: dict = blocks) -> dict[str, int]:
        return {cell: rr.find_redundancy(of[cell], **setting).q for cell in STATED}

    variants = {
        "as described": q({}),
        "tau = 0.85": q({"tau": 0.85}),
        "tau = 0.95": q({"tau": 0.95}),
        "Spearman": q({"correlation": "spearman"}),
        "average linkage": {c: linked(blocks[c], "average", 0.9) for c in STATED},
        "complete linkage": {c: linked(blocks[c], "complete", 0.9) for c in STATED},
        "without the model filter": q({}, everyone),
    }
    for name, found in variants.items():
        right = sum(found[cell] == STATED[cell][1] for cell in STATED)
        yield f"{name:<28}{right} of {len(STATED)}"
    yield ""
    for cell, (n, stated) in STATED.items():
        own = variants["as described"][cell]
        m, columns = blocks[cell].shape
        flores = " + Flores" if papers.has_flores(cell) else ""
        mark = "" if own == stated and columns + bool(flores) == n else "  <-- differs"
        yield f"{cell:<28}stated {n} -> {stated}, here {columns}{flores} -> {own}, {m} models{mark}"


def named_models(papers: Papers) -> Iterator[str]:
    """Count the cells in which a model that the paper names leads the mean rank."""
    hits = {}
    for cell, names in NAMED.items():
        leader = rr.analyze(papers.block(cell)).to_frame()["mean_rank"].idxmin()
        hits[cell] = leader.split("/")[-1] in names
    missed = [cell for cell, hit in hits.items() if not hit]
    yield f"{sum(hits.values())} of {len(hits)} cells {missed}"


def consistent_models(papers: Papers) -> Iterator[str]:
    """Count the cells in which the most consistent model is the printed one."""
    hits = 0
    for cell, name in CONSISTENT.items():
        consistency = rr.analyze(papers.block(cell)).consistency
        found = consistency.sort_values(ascending=False, kind="stable")
        first = [model.split("/")[-1] for model in found.index[found > found.iloc[0] - 1e-9]]
        hits += name in first
        if name != first[0] or len(first) > 1 or cell in ("srp BitextMining", "hrv BitextMining"):
            yield f"{cell}: printed {name}, here {', '.join(first)} {found.iloc[0]:.4f}"
    yield f"{hits} of {len(CONSISTENT)} cells"


def evidence() -> Iterator[str]:
    """Compare the Evidence Strength Score, and search for other formulas of the same form."""
    for (n, q), printed in ESS.items():
        yield f"n = {n}, q = {q}: {rr.evidence_level(n, q):<8}{printed:.2f} {score(n, q):.4f}"
    for language, (printed, _, _, _, cells) in TABLE_11.items():
        mean = sum(score(n, q) for n, q in cells) / 8
        yield f"{language}: printed {printed:.2f}, mean over 8 tasks {mean:.4f}"
    steps = [i / 20 for i in range(21)]
    halves = (0.25, 1 / 3, 0.5, 2 / 3, 0.75)
    settings = [
        (a, b, round(1 - a - b, 2), saturation, r)
        for a, b, saturation, r in product(steps, steps, range(2, 21), halves)
        if a + b <= 1 + 1e-9
    ]
    fits = [setting for setting in settings if all(reproduces(setting))]
    yield f"of {len(settings):,} settings (a, b, c, saturation, R at E_RS) these fit: {fits}"


def score(n: int, q: int, setting: tuple = (0.25, 0.25, 0.5, 5, 0.5)) -> float:
    a, b, c, saturation, half = setting
    if n == 0:
        return 0.0
    assessable = {"E1": 0.0, "E_SC": 0.0, "E_RS": half, "E_RS+DS": 1.0}[rr.evidence_level(n, q)]
    return a * min(n / saturation, 1) + b * q / n + c * assessable


def reproduces(setting: tuple) -> Iterable[bool]:
    """Whether each published value lies within rounding (both ways at a half)."""
    for (n, q), printed in ESS.items():
        yield abs(score(n, q, setting) - printed) <= 0.005 + 1e-9
    for printed, _, _, _, cells in TABLE_11.values():
        yield abs(sum(score(n, q, setting) for n, q in cells) / 8 - printed) <= 0.005 + 1e-9


def table_11(papers: Papers) -> Iterator[str]:
    """Compare coverage-weighted consistency under both definitions of consistency."""
    for language, (_, tasks, printed, model, _) in TABLE_11.items():
        blocks = {t: papers.block(f"{language} {t}") for t in SLAVIC_TASKS}
        blocks = {task: block for task, block in blocks.items() if block is not None}
        line = f"{language}: printed {tasks}/8, {printed:.2f} {model}; here {len(blocks)}/8"
        for kind in ("rank-weighted", "membership"):
            each = {t: rr.analyze(b, consistency=kind).consistency for t, b in blocks.items()}
            result = rr.coverage_weighted_consistency(each, n_tasks=8)
            best = result.index[result == result.iloc[0]]
            first = ", ".join(name.split("/")[-1] for name in best)
            line += f"; {kind} {result.iloc[0]:.4f} {first}"
        yield line


def weighted_sum(papers: Papers) -> Iterator[str]:
    """Show what sum normalisation does to scores around zero, and what is done instead."""
    matrix = papers.block("eng InstructionReranking")
    scores = matrix.scores
    mean = scores.mean(axis=1)
    minmax = (scores - scores.min()) / (scores.max() - scores.min())
    yield f"{matrix.shape[0]} models, column sums {scores.sum().round(3).to_dict()}"
    for name, weigh in (("equal", equal_weights), ("critic", critic_weights)):
        weights = weigh(scores.to_numpy())
        for how, values in (("sum", scores / scores.sum()), ("min-max", minmax), ("none", scores)):
            yield f"{name}, {how}: Spearman with the mean {spearman(values @ weights, mean):.3f}"
    ranks = rr.rank_schemes(matrix).preferences["all"]
    own = ", ".join(f"{s} {spearman(ranks[s], mean):.3f}" for s in ranks)
    yield f"robustrank: {own}"


def spearman(one: pd.Series, other: pd.Series) -> float:
    return float(one.rank().corr(other.rank()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the long table and its metadata")
    papers = Papers(parser.parse_args().data)
    for title, lines in (
        ("Clusterings", clusterings(papers)),
        ("Models named as most robust", named_models(papers)),
        ("Most consistent models", consistent_models(papers)),
        ("Evidence Strength Score", evidence()),
        ("Coverage-weighted consistency (Slavic, Table 11)", table_11(papers)),
        ("Weighted sum on English instruction reranking", weighted_sum(papers)),
    ):
        print(f"\n{title}\n")
        for line in lines:
            print(line)


if __name__ == "__main__":
    main()
