"""`correct_winner`: the leader's mean, corrected for the leader's having been chosen by it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, get_args

import numpy as np
import pandas as pd

from robustrank._arrange import by_content
from robustrank._groups import By, group_datasets
from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import ParameterError, check_count, check_level, check_seed, describe_seed
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.presenting import level
from robustrank.winners.estimates import SHARE, Interval, Method, breaks_down, correct, uncorrected
from robustrank.winners.questions import QUANTITIES, ask, draw
from robustrank.winners.selection import sample_means
from robustrank.winners.winner import Winner

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from robustrank._groups import Groups
    from robustrank._numeric import FloatArray

_NAN = Interval(np.nan, np.nan, np.nan)
#: With fewer units no interval that allows for the choice holds.
_LEAST_UNITS = 6
#: With fewer units than this the limits of the conditional distribution are guesses.
_FEW_UNITS = 10


def correct_winner(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    confidence_level: float = 0.95,
    by: By = "datasets",
    method: Method = "hybrid",
    n_resamples: int = 10_000,
    seed: int | np.random.Generator = 0,
) -> Winner:
    """Say how good the model that leads is, given that it was chosen for its scores.

    The largest of many means is, more often than not, a mean that chance has raised: the winner's
    curse. What is estimated is the mean, over the population of datasets that these are a sample
    of, of the model that happens to lead here, and its leads over the average model and over the
    runner-up.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Models with missing scores are set aside, with a note.
    confidence_level : float
    by : {"datasets", "clusters", "task_type"}, mapping or Series
        What is sampled: datasets; clusters of those that repeat each other (`cluster_datasets`), so
        that copies do not pass for evidence; or dataset → group, such as its corpus.
    method : {"hybrid", "conditional", "projection", "bootstrap"}
        For the answer; all are in `Winner.by_method`. Conditional: given that this model leads, a
        normal distribution cut off where another would lead; its median is as often too low as too
        high. Projection: simultaneous over all models. Hybrid: conditional, within a projection
        interval that takes a tenth of the error rate; of the lead over the runner-up, the upper end
        is no lower than the projection's. Bootstrap: the mean error of the winners of
        resamples, subtracted; its intervals are too short where datasets are few.
    n_resamples : int
        Draws behind projection, hybrid and bootstrap; at least 10 / (1 - `confidence_level`).
    seed : int or numpy.random.Generator

    Returns
    -------
    Winner

    Raises
    ------
    EmptyMatrixError
        If fewer than two models have all scores.
    ParameterError
        If a setting is out of its range.

    Notes
    -----
    Where the hybrid estimate lies outside the projection interval, the leader is so near to the
    point at which another model would lead that conditioning says nothing; with fewer than 10 units
    this point is itself hardly known. The answer is then the projection interval, around the
    bootstrap's estimate. With fewer than 6 units nothing is corrected: intervals would miss more
    often than they state.

    References
    ----------
    I. Andrews, T. Kitagawa and A. McCloskey, *Inference on Winners*, Quarterly Journal of Economics
    139 (2024). J. D. Lee, D. L. Sun, Y. Sun and J. E. Taylor, *Exact post-selection inference*,
    Annals of Statistics 44 (2016), for the lead over the runner-up.

    Examples
    --------
    >>> import robustrank as rr
    >>> found = rr.correct_winner(rr.load_example().select(task_type="STS"))
    >>> found.leader
    'Octen/Octen-Embedding-8B'
    """
    if method not in get_args(Method):
        options = ", ".join(map(repr, get_args(Method)))
        raise ParameterError(f"method must be one of {options}; got {method!r}.")
    check_level(confidence_level)
    check_count("n_resamples", n_resamples, 1)
    least = int(np.ceil(1.0 / (SHARE * (1.0 - confidence_level))))
    if n_resamples < least:
        raise ParameterError(
            f"n_resamples must be at least {least:,} for intervals of {level(confidence_level)}; "
            f"got {n_resamples}."
        )
    check_seed(seed)
    matrix = ScoreMatrix.coerce(scores).resolve_missing("drop-models")
    described, rng = describe_seed(seed), np.random.default_rng(seed)
    work = by_content(matrix)
    groups = group_datasets(work, by)
    values = work.scores.to_numpy(dtype=np.float64)
    leader, second, found = find_winner(
        values, groups.codes, confidence_level=confidence_level, n_resamples=n_resamples, rng=rng
    )
    names = [str(name) for name in work.scores.index]
    n_units = len(groups.names)
    table, remarks = answer(found, method, n_units)
    settings = {
        "method": method,
        "confidence_level": confidence_level,
        "by": by if isinstance(by, str) else groups.noun,
        "unit": groups.noun,
        "n_models": len(names),
        "n_datasets": values.shape[1],
        "n_units": n_units,
        "n_resamples": n_resamples,
        "seed": described,
    }
    return Winner(
        leader=names[leader],
        runner_up=names[second],
        table=table,
        by_method=_by_method(found),
        settings=settings,
        notes=merge_notes(matrix.notes, groups.notes, _few(groups), _tied(values, names), remarks),
    )


def find_winner(
    values: FloatArray,
    codes: NDArray[np.intp],
    *,
    confidence_level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> tuple[int, int, dict[str, dict[str, Interval]]]:
    """Return the rows of the two best models, and estimates by quantity and method.

    Parameters
    ----------
    values : ndarray, shape (m, n)
    codes : ndarray of int, shape (n,)
        Unit of each dataset.
    confidence_level : float
    n_resamples : int
    rng : numpy.random.Generator
    """
    sample = sample_means(values, codes)
    # Of equal means, to as many decimals as count, the first.
    leader, second = np.argsort(-sample.means.round(TIE_DECIMALS), kind="stable")[:2].tolist()
    questions, df = ask(sample, leader, second), sample.n_units - 1
    if sample.n_units < _LEAST_UNITS:
        unknown = dict.fromkeys(get_args(Method), _NAN)
        measured = (uncorrected(chosen, df, confidence_level) for chosen in questions)
        nothing = {
            name: {"naive": naive, **unknown}
            for name, naive in zip(QUANTITIES, measured, strict=True)
        }
        return leader, second, nothing
    drawn = draw(sample, values, codes, n_resamples, rng)
    found = {
        name: correct(chosen, largest, errors, df, confidence_level)
        for name, chosen, largest, errors in zip(
            QUANTITIES, questions, drawn.largest, drawn.errors, strict=True
        )
    }
    return leader, second, found


def answer(
    found: dict[str, dict[str, Interval]], method: Method, n_units: int
) -> tuple[pd.DataFrame, list[Note]]:
    """Return what the method says of each quantity, and where it had to be replaced."""
    rows, broken = {}, []
    for name, intervals in found.items():
        chosen, used, wide = intervals[method], str(method), intervals["projection"]
        contradicts = n_units >= _FEW_UNITS and breaks_down(intervals)
        tied = name == "over_runner_up" and round(intervals["naive"].estimate, TIE_DECIMALS) == 0.0
        if method == "hybrid" and (n_units < _FEW_UNITS or contradicts or tied):
            used = "projection"
            middle = wide if tied else intervals["bootstrap"]  # which of two equals leads is chance
            chosen = Interval(middle.estimate, wide.low, wide.high)
            broken += [name] * (contradicts and not tied)
        elif method == "hybrid" and name == "over_runner_up":
            # Differences are skewed: its own upper end is too low in 8% of real boards.
            chosen = Interval(chosen.estimate, chosen.low, max(chosen.high, wide.high))
        rows[name] = {
            "measured": intervals["naive"].estimate,
            "corrected": chosen.estimate,
            "low": chosen.low,
            "high": chosen.high,
            "method": None if n_units < _LEAST_UNITS else used,
        }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("quantity")
    if not broken:
        return table, []
    message = (
        "Another model is so close that conditioning on who leads says nothing of "
        f"{name_some(broken)}: the interval is the simultaneous one (projection), around the "
        "bootstrap's estimate."
    )
    return table, [Note("near-tie", message, tuple(broken))]


def _by_method(found: dict[str, dict[str, Interval]]) -> pd.DataFrame:
    rows = {
        (quantity, method): asdict(interval)
        for quantity, intervals in found.items()
        for method, interval in intervals.items()
    }
    table = pd.DataFrame(list(rows.values()))
    table.index = pd.MultiIndex.from_tuples(rows, names=["quantity", "method"])
    return table


def _few(groups: Groups) -> list[Note]:
    units = len(groups.names)
    if units >= _FEW_UNITS:
        return []
    message = f"The scores come from {count(units, groups.noun)}: "
    if units == 1:
        return [Note("one-unit", f"{message}nothing says how they vary, so nothing is corrected.")]
    if units < _LEAST_UNITS:
        message += (
            f"with fewer than {_LEAST_UNITS} no interval that allows for the choice of the leader "
            "holds what it states, so nothing is corrected."
        )
        return [Note("too-few-units", message)]
    return [
        Note(
            "few-units",
            f"{message}too few to say where another model would lead. In place of the hybrid "
            "stands the simultaneous interval (projection), around the bootstrap's estimate.",
        )
    ]


def _tied(values: FloatArray, names: list[str]) -> list[Note]:
    rounded = values.mean(axis=1).round(TIE_DECIMALS)
    tied = tuple(sorted(names[i] for i in np.flatnonzero(rounded == rounded.max())))
    if len(tied) == 1:
        return []
    message = f"{len(tied)} models share the largest mean: {name_some(tied)}. One of them is taken."
    return [Note("tied-leaders", message, tied)]
