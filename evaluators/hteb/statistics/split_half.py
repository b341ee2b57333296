"""Whether robustness profiles are of models or of the datasets chosen (*HTEB* §4.2.3, Table 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank import presenting
from robustrank._numeric import average_ranks, single_threaded, varies
from robustrank._percentiles import percentile_interval
from robustrank.errors import ParameterError, check_count, check_seed
from robustrank.evaluators.hteb.statistics.concordance import concordance_p
from robustrank.evaluators.hteb.statistics.cubes import as_cube, dataset_order
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import TOTAL, with_axes
from robustrank.notes import count
from robustrank.resampling import adjust_p_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

Value = Literal["delta", "score"]

#: Share of the splits between the bounds.
_MIDDLE = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class SplitHalf(presenting.Result):
    """How far one half of the datasets orders the models as the other half does.

    Attributes
    ----------
    table : DataFrame, part × column
        Parts: the transformations, the axes and ``"total"``. Columns:

        median
            Median over splits of Spearman's ρ over models. NaN with fewer than two models or
            datasets, and where all models tie.
        low, high
            The 2.5 and 97.5 percentiles over splits. This is no confidence interval: all splits are
            of the same datasets.
        reliability
            Spearman–Brown, 2ρ / (1 + ρ) of the median: what to expect of two benchmarks as large
            as this one, as a half has half its datasets. 0 where the median is negative.
        p_value, p_unadjusted
            Of the hypothesis that models are ordered at random on every dataset: the chance of
            datasets that agree at least as much, by Friedman's statistic, over permutations of the
            models within datasets. Adjusted after Holm over the transformations, and over the axes.
        n_models, n_datasets
            With a value.
    value : {"delta", "score"}
    n_splits, seed : int
    notes : tuple of Note
    """

    table: pd.DataFrame
    value: Value
    n_splits: int
    seed: int

    def summary(self) -> str:
        """Return the table for a terminal."""
        text = presenting.to_text(self.table, 2)
        return f"Spearman's ρ of models between halves of the datasets, by {self.value}\n{text}"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the table."""
        return {"split_half": self.table}

    def __repr__(self) -> str:
        return (
            f"SplitHalf: {count(self.n_splits, 'split')} of {count(len(self.table), 'part')}, "
            f"total ρ {self.table['median'][TOTAL]:.2f}"
        )


def split_half(
    source: Source, *, n_splits: int = 1000, seed: int = 0, value: Value = "delta"
) -> SplitHalf:
    """Correlate models' means over one half of the datasets with those over the other half.

    Halves are drawn at random within task types. The dataset left over in a type of odd size goes
    to the halves in turn, the types in random order, so that halves differ by at most one.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        As of `read_scores`. Datasets of unknown task type are taken to be of one type.
    n_splits : int
    seed : int
        Of the splits, and of the permutations of the tests.
    value : {"delta", "score"}
        What is averaged: transformed minus original, the profile; or the transformed score.

    Returns
    -------
    SplitHalf

    Raises
    ------
    InputError
        A subclass that names what is wrong and the remedy.

    References
    ----------
    W. Brown, *Some experimental results in the correlation of mental abilities*, British Journal of
    Psychology 3 (1910). C. Spearman, *Correlation calculated from faulty data*, ibid. M. Friedman,
    *The use of ranks to avoid the assumption of normality implicit in the analysis of variance*,
    Journal of the American Statistical Association 32 (1937).
    """
    check_count("n_splits", n_splits, 1)
    check_seed(seed)
    if value not in get_args(Value):
        raise ParameterError(f"value must be 'delta' or 'score'; got {value!r}.")
    scores = read_scores(source)
    table = with_axes(scores.deltas() if value == "delta" else scores.transformed, scores.axes)
    cube = as_cube(scores, table)
    order = dataset_order(cube)
    types = scores.task_types.iloc[order].fillna("").astype(str)
    strata = pd.factorize(types)[0]
    rng = np.random.default_rng(seed)
    halves = _draw_halves(rng, n_splits, strata)
    rho = np.stack([_correlate(cube[order, :, part], halves) for part in range(cube.shape[2])])
    known = ~np.isnan(rho).all(axis=1)
    median = np.full(len(rho), np.nan)
    median[known] = np.nanmedian(rho[known], axis=1)
    low, high = percentile_interval(rho, _MIDDLE)
    positive = median.clip(min=0.0)
    held = ~np.isnan(cube)
    p_values = concordance_p(cube[order], rng)
    found = pd.DataFrame(
        {
            "median": median,
            "low": low,
            "high": high,
            "reliability": 2.0 * positive / (1.0 + positive),
            "p_value": p_values,
            "p_unadjusted": p_values,
            "n_models": held.any(axis=0).sum(axis=0),
            "n_datasets": held.any(axis=1).sum(axis=0),
        },
        index=pd.Index(table.columns, name="part"),
    )
    for family in (scores.transformations, list(scores.axes)):
        found.loc[family, "p_value"] = adjust_p_values(found.loc[family, "p_unadjusted"], "holm")
    return SplitHalf(found, value, n_splits, seed, notes=scores.notes)


def _draw_halves(
    rng: np.random.Generator, n_splits: int, strata: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Draw which datasets are in the first half, split × dataset."""
    keys = rng.random((n_splits, len(strata)))
    first = np.zeros(keys.shape, dtype=bool)
    left_over = []
    for stratum in range(strata.max() + 1):
        members = np.flatnonzero(strata == stratum)
        drawn = members[np.argsort(keys[:, members], axis=1)]
        half = len(members) // 2
        np.put_along_axis(first, drawn[:, :half], values=True, axis=1)
        if len(members) % 2:
            left_over.append(drawn[:, -1])
    if left_over:
        rest = rng.permuted(np.stack(left_over, axis=1), axis=1)
        np.put_along_axis(first, rest[:, ::2], values=True, axis=1)
    return first


def _correlate(values: FloatArray, first: NDArray[np.bool_]) -> FloatArray:
    """Return Spearman's ρ over models per split, of values of datasets × models."""
    held = ~np.isnan(values)
    filled = np.where(held, values, 0.0).T
    with single_threaded():
        one, other = (
            filled @ half.T / np.where(number > 0.0, number, np.nan)
            for half in (first.astype(np.float64), (~first).astype(np.float64))
            for number in [held.T.astype(np.float64) @ half.T]
        )
    both = ~np.isnan(one) & ~np.isnan(other)  # (models, splits)
    ranks = [average_ranks(np.where(both, means, np.nan)) for means in (one, other)]
    number = both.sum(axis=0)
    x, y = (
        np.where(both, rank - np.where(both, rank, 0.0).sum(axis=0) / number.clip(min=1), 0.0)
        for rank in ranks
    )
    defined = varies(ranks[0]) & varies(ranks[1])
    size = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    rho = (x * y).sum(axis=0) / np.where(defined, size, np.nan)
    return np.asarray(rho.clip(-1.0, 1.0))
