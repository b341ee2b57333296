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

from published import ROBUSTNESS, SLAVIC, SLAVIC_TASKS, TABLE_11

import robustrank as rr
from robustrank.mcdm.weights import critic_weights, equal_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pandas as pd

# Datasets and clusters of every cell with at least two datasets, as stated.
STATED = {cell: (row.n, row.q) for cell, row in {**ROBUSTNESS, **SLAVIC}.items() if row.n >= 2}
# Distinct (n, q) of *Slavic*, Tables 3-10, and the Evidence Strength Score printed for them.
ESS = dict(sorted({(row.n, row.q): row.ess for row in SLAVIC.values()}.items()))
# (n, q) per task type with datasets, in the languages of Table 11. Those of Polish, which Tables
# 3-10 leave out, are from the task metadata and from our clusters.
EVALUABLE = {
    language: [(row.n, row.q) for (code, _), row in SLAVIC.items() if code == language and row.n]
    for language in TABLE_11
} | {"pol": [(4, 4), (2, 2), (1, 1), (1, 1), (1, 1), (1, 1), (4, 2)]}
FLORES = "FloresBitextMining"
Cell = tuple[str, str]  # language, task type


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

    def block(self, cell: Cell, *, filtered: bool = True) -> rr.ScoreMatrix | None:
        """Return the matrix of a language and task type, or None if there is no dataset."""
        language, task_type = cell
        try:
            chosen = self.matrix.select(language=language, task_type=task_type)
        except rr.InputError:
            return None
        datasets = [name for name in chosen.scores if name != FLORES]
        return chosen.select(datasets=datasets, models=self.eligible(task_type, filtered=filtered))

    def has_flores(self, cell: Cell) -> bool:
        """Whether the missing dataset belongs to a language and task type."""
        language, task_type = cell
        covered = self.matrix.datasets.loc[FLORES, "languages"]
        return task_type == "BitextMining" and language in covered


def clusterings(papers: Papers) -> Iterator[str]:
    """Compare the stated numbers of clusters, and change one choice at a time."""
    blocks = {cell: papers.block(cell) for cell in STATED}
    everyone = {cell: papers.block(cell, filtered=False) for cell in STATED}

    def q(setting: dict, of: dict = blocks) -> dict[Cell, int]:
        return {cell: rr.find_redundancy(of[cell], **setting).q for cell in STATED}

    variants = {
        "as described": q({}),
        "tau = 0.85": q({"tau": 0.85}),
        "tau = 0.95": q({"tau": 0.95}),
        "Spearman": q({"correlation": "spearman"}),
        "average linkage": q({"linkage": "average"}),
        "complete linkage": q({"linkage": "complete"}),
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
        here = f"{columns}{flores} -> {own}, {m} models{mark}"
        yield f"{' '.join(cell):<28}stated {n} -> {stated}, here {here}"


def named_models(papers: Papers) -> Iterator[str]:
    """Count the cells in which a model that the paper names leads the mean rank."""
    hits = {}
    for cell, row in ROBUSTNESS.items():
        if not row.models:
            continue
        leader = rr.analyze(papers.block(cell)).to_frame()["mean_rank"].idxmin()
        hits[cell] = leader.split("/")[-1] in row.models
    missed = [cell for cell, hit in hits.items() if not hit]
    yield f"{sum(hits.values())} of {len(hits)} cells {missed}"


def consistent_models(papers: Papers) -> Iterator[str]:
    """Count the cells in which the most consistent model is the printed one."""
    printed = {cell: row.model for cell, row in SLAVIC.items() if row.model}
    hits = 0
    for cell, name in printed.items():
        consistency = rr.analyze(papers.block(cell)).consistency
        found = consistency.sort_values(ascending=False, kind="stable")
        first = [model.split("/")[-1] for model in found.index[found > found.iloc[0] - 1e-9]]
        hits += name in first
        if name != first[0] or len(first) > 1:
            yield f"{' '.join(cell)}: printed {name}, here {', '.join(first)} {found.iloc[0]:.4f}"
    yield f"{hits} of {len(printed)} cells"


def evidence() -> Iterator[str]:
    """Compare the Evidence Strength Score, and search for other formulas of the same form."""
    for (n, q), printed in ESS.items():
        yield f"n = {n}, q = {q}: {rr.evidence_level(n, q):<8}{printed:.2f} {score(n, q):.4f}"
    for language, row in TABLE_11.items():
        mean = sum(score(n, q) for n, q in EVALUABLE[language]) / 8
        yield f"{language}: printed {row.ess:.2f}, mean over 8 tasks {mean:.4f}"
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
    for language, row in TABLE_11.items():
        mean = sum(score(n, q, setting) for n, q in EVALUABLE[language]) / 8
        yield abs(mean - row.ess) <= 0.005 + 1e-9


def table_11(papers: Papers) -> Iterator[str]:
    """Compare coverage-weighted consistency under both definitions of consistency."""
    for language, row in TABLE_11.items():
        blocks = {t: papers.block((language, t)) for t in SLAVIC_TASKS}
        blocks = {task: block for task, block in blocks.items() if block is not None}
        printed = f"{row.evaluable_tasks}/8, {row.coverage_weighted:.2f} {row.model}"
        line = f"{language}: printed {printed}; here {len(blocks)}/8"
        for kind in ("rank-weighted", "membership"):
            each = {t: rr.analyze(b, consistency=kind).consistency for t, b in blocks.items()}
            result = rr.coverage_weighted_consistency(each, n_tasks=8)
            best = result.index[result == result.iloc[0]]
            first = ", ".join(name.split("/")[-1] for name in best)
            line += f"; {kind} {result.iloc[0]:.4f} {first}"
        yield line


def weighted_sum(papers: Papers) -> Iterator[str]:
    """Show what sum normalisation does to scores around zero, and what is done instead."""
    matrix = papers.block(("eng", "InstructionReranking"))
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
