"""Comparisons of pairs of models, adjusted for how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._percentiles import deviations, percentile_interval
from robustrank.errors import ParameterError, check_seed
from robustrank.notes import Note, count
from robustrank.resampling.multiplicity import Adjustment, adjust_p_values, family_floor
from robustrank.resampling.sign_flip import (
    EXACT_UP_TO,
    drawn_p_values,
    sign_flip_floor,
    sign_flip_max_t,
    sign_flip_test,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.resampling.bootstrap import Bootstrap

Family = Literal["all", "adjacent", "leader"]
Test = Literal["bootstrap", "sign-flip"]

#: Differences are worked on in blocks of about this many numbers.
_BLOCK_CELLS = 250_000


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Pairs of models with adjusted p-values.

    Attributes
    ----------
    table : DataFrame
        One row per pair, in order of rank: ``model_a`` (the better ranked), ``model_b``,
        ``difference`` of the aggregate, its percentile interval ``low`` to ``high``,
        ``probability`` P(a > b), ``p_value``, ``p_adjusted`` and whether it is ``significant``
        at 1 - confidence level.
    floor : float
        The smallest adjusted p-value that the best pair of this family could have.
    family, adjustment, test : str
    alpha : float
        1 - confidence level.
    notes : tuple of Note
    """

    table: pd.DataFrame
    floor: float
    family: Family
    adjustment: Adjustment
    test: Test
    alpha: float
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        found = int(self.table["significant"].sum())
        return (
            f"Comparisons of {count(len(self.table), 'pair')} ({self.family}, {self.test}, "
            f"{self.adjustment}): {found:,} significant at {self.alpha:g}; floor {self.floor:.2g}"
        )


def compare_pairs(
    bootstrap: Bootstrap,
    family: Family,
    adjustment: Adjustment,
    test: Test | None,
    seed: int | np.random.Generator,
) -> Comparisons:
    """Do what `Bootstrap.compare` documents."""
    if test is None:
        test = "bootstrap" if bootstrap.by_dataset is None else "sign-flip"
    _check(bootstrap, family, adjustment, test)
    check_seed(seed)
    settings = bootstrap.settings
    alpha = 1.0 - settings["confidence_level"]
    order = bootstrap.models.get_indexer(pd.Index(bootstrap.order))
    a, b = _pairs(order, family)
    if bootstrap.pairwise.isna().to_numpy().all():
        a, b = a[:0], b[:0]  # nothing was resampled: no pair can be told apart
    n_resamples = settings["n_resamples"]
    by_resamples = adjustment == "max-t" and test == "bootstrap"
    observed, bounds, adjusted = _resampled_differences(bootstrap, a, b, by_resamples)
    p, floor = bootstrap.p_values.to_numpy()[a, b], 2.0 / (n_resamples + 1)
    if test == "sign-flip" and bootstrap.by_dataset is not None:
        gaps = bootstrap.by_dataset.differences(a, b)
        models = bootstrap.by_dataset.paired(a, b)
        if gaps.shape[1] <= EXACT_UP_TO:
            p = sign_flip_test(gaps)
        else:
            p = drawn_p_values(gaps, n_resamples, np.random.default_rng(seed), models)
        floor = sign_flip_floor(gaps.shape[1], n_resamples)
        if adjustment == "max-t":
            adjusted = sign_flip_max_t(gaps, n_resamples=n_resamples, seed=seed, models=models)
    if adjustment == "max-t":
        one = 1.0 / (n_resamples + 1)
        lowest = max(floor, one) if test == "sign-flip" else one
    else:
        adjusted = p if adjustment == "none" else adjust_p_values(p, adjustment)
        lowest = family_floor(floor, len(a), adjustment)
    table = pd.DataFrame(
        {
            "model_a": bootstrap.models[a],
            "model_b": bootstrap.models[b],
            "difference": observed,
            "low": bounds[0],
            "high": bounds[1],
            "probability": bootstrap.pairwise.to_numpy()[a, b],
            "p_value": p,
            "p_adjusted": adjusted,
            "significant": adjusted <= alpha + 1e-12,
        }
    )
    notes = []
    if len(a) and lowest > alpha:
        message = (
            f"No pair of this family can be significant at {alpha:g}: the smallest adjusted "
            f"p-value that {count(len(a), 'comparison')} allow is {lowest:.2g}. Use "
            f"{'' if adjustment == 'max-t' else 'max-t, '}a smaller family ('leader' or "
            f"'adjacent'), or more {'datasets' if test == 'sign-flip' else 'resamples'}."
        )
        notes.append(Note("family-cannot-reject", message))
    lowest = lowest if len(a) else float("nan")
    return Comparisons(table, lowest, family, adjustment, test, alpha, tuple(notes))


def _check(bootstrap: Bootstrap, family: str, adjustment: str, test: str) -> None:
    for name, value, known in (
        ("family", family, get_args(Family)),
        ("adjustment", adjustment, get_args(Adjustment)),
        ("test", test, get_args(Test)),
    ):
        if value not in known:
            options = ", ".join(map(repr, known))
            raise ParameterError(f"{name} must be one of {options}; got {value!r}.")
    if test == "sign-flip" and bootstrap.by_dataset is None:
        raise ParameterError(
            f"The sign-flip test needs an aggregate that is a mean over datasets; "
            f"{bootstrap.settings['aggregate']!r} is none. Use test='bootstrap'."
        )


def _pairs(order: NDArray[np.intp], family: Family) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the better and the worse model of each pair, best pairs first."""
    if family == "adjacent":
        return order[:-1], order[1:]
    if family == "leader":
        return order[:1].repeat(max(len(order) - 1, 0)), order[1:]
    first, second = np.triu_indices(len(order), k=1)
    return order[first], order[second]


def _resampled_differences(
    bootstrap: Bootstrap, a: NDArray[np.intp], b: NDArray[np.intp], max_t: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return observed differences, their intervals (2, k), and max-t p-values if asked."""
    samples, estimate = bootstrap.samples, bootstrap.estimate.to_numpy()
    n_resamples = samples.shape[1]
    level = bootstrap.settings["confidence_level"]
    observed = estimate[a] - estimate[b]
    bounds = np.empty((2, len(a)))
    studentised = np.full(len(a), np.nan)
    largest = np.zeros(n_resamples)
    size = max(1, _BLOCK_CELLS // n_resamples)
    for start in range(0, len(a), size):
        block = slice(start, start + size)
        gaps = samples[a[block]] - samples[b[block]]
        bounds[:, block] = percentile_interval(gaps, level)
        if not max_t:
            continue
        spread = deviations(gaps)
        # A difference that no resample changes is certain: it neither needs nor moves the maximum.
        certain = spread < 1e-12
        scale = np.where(certain, 1.0, spread)
        far = np.where(np.abs(observed[block]) < 1e-10, 0.0, np.inf)
        studentised[block] = np.where(certain, far, np.abs(observed[block]) / scale)
        if not certain.all():
            moving = np.abs(gaps - observed[block, None])[~certain] / scale[~certain, None]
            np.fmax(largest, np.fmax.reduce(moving, axis=0), out=largest)
    ordered = np.sort(largest)
    beyond = n_resamples - ordered.searchsorted(studentised * (1.0 - 1e-12))
    p = (beyond + 1.0) / (n_resamples + 1.0)
    p[np.isnan(studentised)] = np.nan
    return observed, bounds, p
