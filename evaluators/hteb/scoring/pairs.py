"""Pairs of texts: whether the similarity of their embeddings says what people said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank.evaluators.hteb.scoring.base import Part, combine, split_subsets, undefined
from robustrank.evaluators.hteb.scoring.checks import paired_similarity
from robustrank.evaluators.hteb.scoring.ranking import average_precision

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from robustrank.evaluators.hteb.scoring.base import Encoder, Score
    from robustrank.evaluators.hteb.vectors import Vectors
    from robustrank.evaluators.hteb.views import Pairs

#: ``"own"`` is the model's own function.
Similarity = Literal["cosine", "own", "manhattan", "euclidean", "dot"]


def score_relatedness(pairs: Pairs, encoder: Encoder, *, pool: bool) -> Score:
    """Correlate the cosine of pairs with their gold scores (Spearman)."""

    def part(rows: NDArray[np.intp], cosines: NDArray[np.float64], gold: NDArray[Any]) -> Part:
        for name, values in (("gold scores", gold), ("cosines", cosines)):
            if len(values) < 2 or np.ptp(values) == 0:
                return undefined(len(rows), _constant("Spearman's correlation", name, len(values)))
        instances = _table(pairs, rows, cosines, gold)
        return Part(spearman(cosines, gold), len(rows), instances)

    parts = {
        name: part(rows, predicted["cosine"], pairs.gold[rows])
        for name, rows, predicted in _predict(pairs, encoder, ("cosine",), pool=pool)
    }
    return combine("cosine_spearman", parts, mean_metric="mean_cosine_spearman")


def score_pair_classification(
    pairs: Pairs, encoder: Encoder, *, similarities: Sequence[Similarity], pool: bool
) -> Score:
    """Rank pairs by similarity and compute the average precision of those labelled 1.

    Where there are several similarities, the best score counts.
    """
    parts: dict[str, Part] = {}
    gold = pairs.gold == 1
    for name, rows, predicted in _predict(pairs, encoder, similarities, pool=pool):
        usable = {key: values for key, values in predicted.items() if len(rows) and np.ptp(values)}
        if not 0 < gold[rows].sum() < len(rows):
            why = f"all of the {len(rows)} pairs have the same label"
            parts[name] = undefined(len(rows), f"Average precision is undefined: {why}.")
        elif not usable:
            parts[name] = undefined(
                len(rows), _constant("Average precision", "similarities", len(rows))
            )
        else:
            precision = {
                key: average_precision(values, gold[rows]) for key, values in usable.items()
            }
            best = max(precision, key=precision.__getitem__)
            instances = _table(pairs, rows, usable[best], gold[rows].astype(np.float64))
            parts[name] = Part(precision[best], len(rows), instances)
    return combine("average_precision" if len(similarities) == 1 else "max_ap", parts)


def spearman(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return the rank correlation of two arrays, neither of which is constant."""
    from scipy.stats import spearmanr  # noqa: PLC0415 - scipy.stats is slow to import

    return float(spearmanr(a, b).statistic)


def _predict(
    pairs: Pairs, encoder: Encoder, similarities: Sequence[Similarity], *, pool: bool
) -> list[tuple[str, NDArray[np.intp], dict[Similarity, NDArray[np.float64]]]]:
    """Return the rows of each subset and their similarities."""
    a = encoder.encode(pairs.left, role="text")
    b = encoder.encode(pairs.right, role="text")
    values = {
        name: (
            paired_similarity(encoder, a, b)
            if name == "own"
            else _FUNCTIONS[name](a, b)
            if len(a)
            else np.empty(0)
        ).astype(np.float64)
        for name in similarities
    }
    return [
        (name, rows, {key: column[rows] for key, column in values.items()})
        for name, rows in split_subsets(pairs.subsets, pool=pool).items()
    ]


def _cosine(a: Vectors, b: Vectors) -> NDArray[Any]:
    from sklearn.metrics.pairwise import paired_cosine_distances  # noqa: PLC0415 - slow to import

    # The same arithmetic as the MTEB package: a tie broken otherwise changes a rank correlation.
    zero = ~a.any(axis=1) | ~b.any(axis=1)
    result: NDArray[Any] = np.where(zero, 0.0, 1.0 - paired_cosine_distances(a, b))
    return result


def _dot(a: Vectors, b: Vectors) -> NDArray[Any]:
    return np.array([np.dot(left, right) for left, right in zip(a, b, strict=True)])


_FUNCTIONS: dict[str, Callable[[Vectors, Vectors], NDArray[Any]]] = {
    "cosine": _cosine,
    "manhattan": lambda a, b: -np.abs(a - b).sum(axis=1),
    "euclidean": lambda a, b: -np.linalg.norm(a - b, axis=1),
    "dot": _dot,
}


def _table(
    pairs: Pairs, rows: NDArray[np.intp], predicted: NDArray[Any], gold: NDArray[Any]
) -> pd.DataFrame:
    ids = [pairs.ids[row] for row in rows]
    return pd.DataFrame({"instance": ids, "predicted": predicted, "gold": gold})


def _constant(metric: str, what: str, n: int) -> str:
    return f"{metric} is undefined: the {what} of the {n} pairs are all the same."
