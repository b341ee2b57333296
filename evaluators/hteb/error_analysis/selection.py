"""`Selection`: the generators with the fewest errors, and how sure it is that it is these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._percentiles import percentile_interval
from robustrank._text import percent, printable
from robustrank.errors import ParameterError, check_count
from robustrank.evaluators.hteb.error_analysis.resampling import probability_lower
from robustrank.notes import count, name_some

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray

#: One that is among the lowest in this share of the resamples might have been chosen.
_RIVAL = 0.05


@dataclass(frozen=True, eq=False)
class Selection:
    """The generators with the lowest totals, against the next one.

    Attributes
    ----------
    generators : list of str
        Best first.
    runner_up : str or None
        The first that is left out; None if all are taken, and the numbers about it are NaN then.
    difference, low, high : float
        Total of the runner-up minus that of the last one taken, 0..1, with its percentile interval
        over resampled texts.
    probability : float
        Share of the resamples in which the last one taken has the lower total; ties count half.
    among : Series
        For every generator, the share of resamples in which it is among so many with the lowest
        totals.
    """

    generators: list[str]
    runner_up: str | None
    difference: float
    low: float
    high: float
    probability: float
    among: pd.Series

    @property
    def is_certain(self) -> bool:
        """Whether the interval of the difference lies above 0."""
        return self.low > 0.0

    def __str__(self) -> str:
        names = [printable(name) for name in self.generators]
        lowest = f"Fewest errors: {name_some(names, len(names))}."
        if self.runner_up is None or np.isnan(self.probability):
            return lowest
        word = "is" if self.is_certain else "may not be"
        rivals = [
            f"{printable(str(name))} ({percent(share)})"
            for name, share in self.among.drop(self.generators).items()
            if share >= _RIVAL
        ]
        others = f" Also among so many: {name_some(rivals, len(rivals))}." if rivals else ""
        return (
            f"{lowest} {names[-1]} {word} better than the next, {printable(self.runner_up)}: "
            f"{100 * self.difference:.1f} points [{100 * self.low:.1f}, {100 * self.high:.1f}], "
            f"lower in {percent(self.probability)} of resamples of the texts.{others}"
        )

    def __repr__(self) -> str:
        return f"Selection({count(len(self.generators), 'generator')}: {self})"


def select(
    totals: pd.Series, draws: pd.DataFrame, number: int, confidence_level: float
) -> Selection:
    """Take the `number` generators with the lowest totals.

    Parameters
    ----------
    totals : Series
        Lowest first.
    draws : DataFrame, generator × resample
    number : int
    confidence_level : float
    """
    check_count("n", number, 1)
    if number > len(totals):
        raise ParameterError(
            f"There are {count(len(totals), 'generator')}, of which {number} cannot be chosen. "
            f"Choose at most {len(totals)}."
        )
    names = list(totals.index)
    among = pd.Series(_share_among(draws.loc[names].to_numpy(), number), index=totals.index)
    chosen = names[:number]
    if number == len(names):
        return Selection(chosen, None, np.nan, np.nan, np.nan, np.nan, among)
    last, following = chosen[-1], names[number]
    gaps = (draws.loc[following] - draws.loc[last]).to_numpy()
    low, high = percentile_interval(gaps[None], confidence_level)[:, 0]
    return Selection(
        generators=chosen,
        runner_up=following,
        difference=float(totals[following] - totals[last]),
        low=float(low),
        high=float(high),
        probability=probability_lower(draws, last, following),
        among=among,
    )


def _share_among(draws: FloatArray, number: int) -> FloatArray:
    """Return how often each row is among the lowest; rows that tie share the places left."""
    complete = draws[:, ~np.isnan(draws).any(axis=0)]
    if not complete.shape[1]:
        return np.full(len(draws), np.nan)
    ordered = np.sort(complete, axis=0)
    limit = ordered[number - 1]
    below, level = (ordered < limit).sum(axis=0), (ordered == limit).sum(axis=0)
    share = np.where(complete < limit, 1.0, (complete == limit) * (number - below) / level)
    return np.asarray(share.mean(axis=1))
