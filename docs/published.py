"""What the two papers state, as data: *Robustness* and *Slavic* (see ``inferred.md``).

Keys are (language, task type). Models go by the part of their name after the slash, as in the
papers. Where a text and a table disagree, the table counts, and a comment says so.
"""

from __future__ import annotations

from typing import NamedTuple

#: The task types of *Slavic*; *Robustness* has instruction reranking on top.
SLAVIC_TASKS = (
    "Classification",
    "Clustering",
    "Retrieval",
    "Reranking",
    "STS",
    "PairClassification",
    "MultilabelClassification",
    "BitextMining",
)
ROBUSTNESS_TASKS = (*SLAVIC_TASKS, "InstructionReranking")
ROBUSTNESS_LANGUAGES = ("fra", "eng", "deu", "hin", "spa")
SLAVIC_LANGUAGES = ("slv", "srp", "hrv", "bos", "bul", "mkd")  # those of Tables 3-10


class Robust(NamedTuple):
    """A language and task type of *Robustness*: its datasets and the models named."""

    n: int
    q: int
    ds: bool
    rs: bool
    models: frozenset[str]


class Row(NamedTuple):
    """A row of *Slavic*, Tables 3-10."""

    level: str
    ess: float
    n: int
    q: int
    n_unique: int
    n_rankings: int
    consistency: float | None
    model: str | None


class CrossTask(NamedTuple):
    """A row of *Slavic*, Table 11."""

    category: str
    ess: float
    evaluable_tasks: int
    coverage_weighted: float
    model: str


class Spearman(NamedTuple):
    """Stated correlations with MTEB's ranking; a single value has both bounds alike."""

    low: float
    high: float

    def __str__(self) -> str:
        low, high = f"{self.low:.2f}", f"{self.high:.2f}"
        return high if low == high else f"{low}–{high}" if self.low > -1 else f"≤ {high}"

    def holds(self, other: Spearman, slack: float = 0.0) -> bool:
        """Whether another range lies within, with some slack on either side."""
        return self.low - slack <= other.low and other.high <= self.high + slack

    def meets(self, other: Spearman, slack: float = 0.0) -> bool:
        """Whether another range overlaps, with some slack on either side."""
        return self.low - slack <= other.high and other.low <= self.high + slack


#: Heads of the columns of Tables 3-10 and of Table 11, and the fields that hold them here.
ROW_FIELDS = {
    "level": "level",
    "ESS": "ess",
    "n": "n",
    "q": "q",
    "U": "n_unique",
    "rankings": "n_rankings",
    "TC": "consistency",
}
LANGUAGE_FIELDS = {
    "evidence": "category",
    "ESS": "ess",
    "tasks": "evaluable_tasks",
    "CW": "coverage_weighted",
}

_MODELS = {
    "nemotron": "llama-embed-nemotron-8b",
    "qwen-8b": "Qwen3-Embedding-8B",
    "qwen-4b": "Qwen3-Embedding-4B",
    "octen": "Octen-Embedding-8B",
    "kalm": "KaLM-Embedding-Gemma3-12B-2511",
    "bilingual-large": "bilingual-embedding-large",
    "bilingual-base": "bilingual-embedding-base",
    "jina-v3": "jina-embeddings-v3",
    "e5-instruct": "multilingual-e5-large-instruct",
    "labse-turbo": "LaBSE-ru-turbo",
    "linq": "Linq-Embed-Mistral",
    "bge-m3": "bge-m3",
}

# *Robustness*: task type, language, n, q, ticks for dataset composition (DS) and ranking scheme
# (RS), models. n and q are from the text (§5.1, Appendix D); where it says that there is a single
# dataset, q = 1. Ticks and models are from Tables 3-10. Table 2 (clustering) is not in the text
# that we have: its models are those that §5.1 calls best or strong, its ticks follow from §5.1's
# account of which tasks are fully robust (see FULLY_ROBUST).
#
# English clustering: the text says four clusters and lists five. English retrieval: the text has
# 13 clusters, two of them of two datasets and the others of one: that would make 15, not 16.
# Hindi classification: the text also names llama-embed-nemotron-8b, Table 3 does not.
_ROBUSTNESS = """
Clustering               fra  4  2 DS RS nemotron qwen-8b
Clustering               eng  9  5 DS RS qwen-8b qwen-4b nemotron
Clustering               deu  1  1 -- RS nemotron
Clustering               hin  1  1 -- RS nemotron
Clustering               spa  1  1 -- RS nemotron
Classification           fra  4  4 -- RS qwen-8b
Classification           eng 10 10 -- RS qwen-8b
Classification           deu  4  4 -- RS qwen-8b
Classification           hin  4  3 DS RS qwen-8b
Classification           spa  3  3 -- RS qwen-8b
Retrieval                fra  3  3 -- RS jina-v3 bilingual-large
Retrieval                eng 16 13 DS RS bilingual-large
Retrieval                deu  4  3 DS RS jina-v3 bilingual-large bilingual-base
Retrieval                hin  4  3 DS RS jina-v3 bilingual-large bilingual-base
Retrieval                spa  3  2 DS RS bilingual-large jina-v3 bilingual-base
Reranking                fra  1  1 -- RS octen
Reranking                eng  2  2 -- RS octen
Reranking                deu  1  1 -- RS nemotron
Reranking                hin  1  1 -- RS nemotron
Reranking                spa  0  0 -- --
PairClassification       fra  4  4 -- RS qwen-8b qwen-4b octen
PairClassification       eng  6  5 DS RS qwen-8b qwen-4b octen
PairClassification       deu  4  4 -- RS qwen-8b qwen-4b octen
PairClassification       hin  1  1 -- RS qwen-8b qwen-4b octen
PairClassification       spa  2  2 -- RS qwen-8b qwen-4b octen
STS                      fra  2  2 -- RS octen
STS                      eng 10  5 DS RS octen
STS                      deu  3  3 -- RS octen
STS                      hin  2  2 -- RS nemotron octen qwen-8b
STS                      spa  3  3 -- RS octen nemotron qwen-8b
BitextMining             fra  6  2 DS RS bge-m3
BitextMining             eng 10  2 DS RS bge-m3 nemotron e5-instruct
BitextMining             deu  5  2 DS RS bge-m3
BitextMining             hin  6  2 DS RS bge-m3
BitextMining             spa  4  2 DS RS bge-m3
MultilabelClassification fra  1  1 -- RS kalm
MultilabelClassification eng  1  1 -- RS kalm
MultilabelClassification deu  1  1 -- RS kalm
MultilabelClassification hin  0  0 -- --
MultilabelClassification spa  1  1 -- RS kalm
InstructionReranking     fra  0  0 -- --
InstructionReranking     eng  3  3 -- RS qwen-4b
InstructionReranking     deu  0  0 -- --
InstructionReranking     hin  0  0 -- --
InstructionReranking     spa  0  0 -- --
"""

# *Slavic*, Tables 3-10: task type, language, level, ESS, n, q, U, number of rankings, TC, model.
_SLAVIC = """
Classification           slv E1      0.30 1 1 1  1 1.00 qwen-8b
Classification           srp E0      0.00 0 0 0  0    - -
Classification           hrv E0      0.00 0 0 0  0    - -
Classification           bos E0      0.00 0 0 0  0    - -
Classification           bul E1      0.30 1 1 1  1 1.00 linq
Classification           mkd E1      0.30 1 1 1  1 1.00 qwen-4b
Clustering               slv E1      0.30 1 1 1  1 1.00 nemotron
Clustering               srp E1      0.30 1 1 1  1 1.00 nemotron
Clustering               hrv E1      0.30 1 1 1  1 1.00 nemotron
Clustering               bos E_RS    0.60 2 2 1 15 1.00 nemotron
Clustering               bul E1      0.30 1 1 1  1 1.00 nemotron
Clustering               mkd E1      0.30 1 1 1  1 1.00 nemotron
Retrieval                slv E1      0.30 1 1 1  1 1.00 labse-turbo
Retrieval                srp E_RS    0.60 2 2 1 15 1.00 bilingual-large
Retrieval                hrv E1      0.30 1 1 1  1 1.00 labse-turbo
Retrieval                bos E0      0.00 0 0 0  0    - -
Retrieval                bul E_RS    0.60 2 2 1 15 1.00 bilingual-large
Retrieval                mkd E1      0.30 1 1 1  1 1.00 labse-turbo
Reranking                slv E0      0.00 0 0 0  0    - -
Reranking                srp E1      0.30 1 1 1  1 1.00 nemotron
Reranking                hrv E0      0.00 0 0 0  0    - -
Reranking                bos E0      0.00 0 0 0  0    - -
Reranking                bul E1      0.30 1 1 1  1 1.00 nemotron
Reranking                mkd E0      0.00 0 0 0  0    - -
STS                      slv E0      0.00 0 0 0  0    - -
STS                      srp E0      0.00 0 0 0  0    - -
STS                      hrv E0      0.00 0 0 0  0    - -
STS                      bos E0      0.00 0 0 0  0    - -
STS                      bul E0      0.00 0 0 0  0    - -
STS                      mkd E0      0.00 0 0 0  0    - -
PairClassification       slv E0      0.00 0 0 0  0    - -
PairClassification       srp E0      0.00 0 0 0  0    - -
PairClassification       hrv E0      0.00 0 0 0  0    - -
PairClassification       bos E0      0.00 0 0 0  0    - -
PairClassification       bul E1      0.30 1 1 1  1 1.00 qwen-8b
PairClassification       mkd E0      0.00 0 0 0  0    - -
MultilabelClassification slv E1      0.30 1 1 1  1 1.00 kalm
MultilabelClassification srp E0      0.00 0 0 0  0    - -
MultilabelClassification hrv E1      0.30 1 1 1  1 1.00 kalm
MultilabelClassification bos E0      0.00 0 0 0  0    - -
MultilabelClassification bul E1      0.30 1 1 1  1 1.00 kalm
MultilabelClassification mkd E0      0.00 0 0 0  0    - -
BitextMining             slv E_SC    0.23 3 1 1 15 1.00 e5-instruct
BitextMining             srp E_RS+DS 0.83 4 2 3 45 0.85 bge-m3
BitextMining             hrv E_RS+DS 0.83 4 2 3 45 0.85 bge-m3
BitextMining             bos E_SC    0.23 3 1 1 15 1.00 e5-instruct
BitextMining             bul E_SC    0.23 3 1 1 15 1.00 e5-instruct
BitextMining             mkd E_SC    0.23 3 1 1 15 1.00 e5-instruct
"""

# *Robustness*, Appendix K.1 (means per dataset composition) and K.2 (per ranking scheme): Spearman
# correlation with the leaderboard's ranking. Words without a number ("high") are left out. The two
# disagree where there is one dataset or composition, and so should be the same: French and German
# reranking, Hindi clustering; and English pair classification is 0.57 in K.1, 0.65-0.77 in K.2.
_BY_COMPOSITION = """
Classification           eng 0.78-0.79 fra 0.95-0.97 spa 0.95-0.97 deu 0.92-0.93 hin 0.88-0.97
Clustering               eng 0.60-0.65 fra 0.85-0.90 hin 0.80
Retrieval                deu 0.90-0.95 spa 0.90-0.95 fra 0.83-0.88 hin 0.83-0.88 eng 0.55-0.58
STS                      eng 0.50-0.60 fra -0.85 deu 0.85-0.90 hin 0.85-0.90 spa 0.85-0.90
BitextMining             eng 0.90-0.97 fra 0.90-0.97 deu 0.90-0.97 hin 0.90-0.97 spa 0.90-0.97
Reranking                deu 0.88-0.92 fra 0.88-0.92 eng 0.76
PairClassification       deu 0.91 fra 0.88 eng 0.57 spa 0.75 hin 0.89
MultilabelClassification deu 0.93 fra 0.88 spa 0.88 eng 0.57
InstructionReranking     eng 0.96
"""
_BY_SCHEME = """
Classification           fra 0.93-0.97 deu 0.93-0.97 spa 0.93-0.97 eng 0.76-0.82 hin 0.80-0.98
Clustering               eng 0.45-0.72 fra 0.82-0.90 deu 0.97 spa 0.94 hin 0.83
Retrieval                eng 0.50-0.60 fra 0.72-0.92 deu 0.85-0.97 hin 0.85-0.97 spa 0.85-0.97
STS                      eng 0.50-0.80 fra 0.80-0.90 deu 0.85-0.95 hin 0.73-0.97 spa 0.73-0.97
BitextMining             eng 0.85-0.98 fra 0.85-0.98 deu 0.85-0.98 hin 0.85-0.98 spa 0.85-0.98
Reranking                eng 0.60-0.88 fra 0.93-1.00 deu 0.93-1.00 hin 0.93-1.00
PairClassification       eng 0.65-0.77 spa 0.70-0.80 fra 0.88-0.95 deu 0.88-0.95 hin 0.90
MultilabelClassification deu 0.93 fra 0.88 spa 0.88 eng 0.57
InstructionReranking     eng 0.97-1.00
"""


def _lines(block: str) -> list[list[str]]:
    return [line.split() for line in block.strip().splitlines()]


def _spearman(block: str) -> dict[tuple[str, str], Spearman]:
    found = {}
    for task_type, *pairs in _lines(block):
        for language, stated in zip(pairs[::2], pairs[1::2], strict=True):
            low, _, high = stated.rpartition("-")
            bound = low or ("-1" if stated.startswith("-") else high)  # "up to" has no lower one
            found[(language, task_type)] = Spearman(float(bound), float(high))
    return found


#: *Robustness*, 45 cells.
ROBUSTNESS = {
    (language, task_type): Robust(
        int(n), int(q), ds == "DS", rs == "RS", frozenset(_MODELS[name] for name in models)
    )
    for task_type, language, n, q, ds, rs, *models in _lines(_ROBUSTNESS)
}
#: *Slavic*, Tables 3-10, 48 cells.
SLAVIC = {
    (language, task_type): Row(
        level,
        float(ess),
        *map(int, counts),
        consistency=None if consistency == "-" else float(consistency),
        model=_MODELS.get(model),
    )
    for task_type, language, level, ess, *counts, consistency, model in _lines(_SLAVIC)
}
#: *Slavic*, Table 11. "Strong" is what Table 12 calls comparatively strong.
TABLE_11 = {
    "slv": CrossTask("weak", 0.18, 5, 0.35, _MODELS["e5-instruct"]),
    "srp": CrossTask("moderate", 0.25, 4, 0.30, _MODELS["nemotron"]),
    "hrv": CrossTask("weak", 0.22, 4, 0.31, _MODELS["e5-instruct"]),
    "bul": CrossTask("moderate", 0.29, 7, 0.55, _MODELS["nemotron"]),
    "mkd": CrossTask("weak", 0.14, 4, 0.34, _MODELS["nemotron"]),
    "pol": CrossTask("comparatively strong", 0.42, 7, 0.54, _MODELS["qwen-4b"]),
}
#: *Slavic*, Table 12: lower bound of the ESS, category.
TABLE_12 = {
    0.0: "extremely weak",
    0.1: "weak",
    0.25: "moderate",
    0.4: "comparatively strong",
    0.6: "very strong",
}
#: *Robustness*, §5.1: task types in which both kinds of robustness are assessed.
FULLY_ROBUST = {"eng": 5, "hin": 3, "fra": 2, "deu": 2, "spa": 2}
#: *Robustness*, §5.2 (Figure 4): the models that are robust over all task types.
TASK_AGNOSTIC = {
    "eng": {_MODELS["nemotron"], _MODELS["qwen-4b"]},
    "fra": {_MODELS["nemotron"], _MODELS["qwen-4b"]},
    "deu": {_MODELS["nemotron"]},
    "hin": {_MODELS["nemotron"], _MODELS["qwen-8b"], _MODELS["octen"]},
    "spa": {_MODELS["nemotron"], _MODELS["qwen-4b"]},
}
BY_COMPOSITION = _spearman(_BY_COMPOSITION)
#: Instruction reranking: for most schemes; for the weighted sum, see WEIGHTED_SUM.
BY_SCHEME = _spearman(_BY_SCHEME)
WEIGHTED_SUM = Spearman(0.78, 0.80)
