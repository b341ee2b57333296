"""`Bootstrap`: what resampling the datasets says about scores, ranks and pairs of models."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank.errors import ParameterError, check_count
from robustrank.notes import count
from robustrank.resampling.comparisons import Comparisons, compare_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.notes import Note
    from robustrank.resampling.comparisons import Family, Test
    from robustrank.resampling.multiplicity import Adjustment
    from robustrank.resampling.pairs import ByDataset
    from robustrank.resampling.places import Places


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap:
    """Uncertainty of a ranking when its datasets are resampled, the same for all models.

    Attributes
    ----------
    estimate : Series
        The aggregate that ranks the models, over the datasets as they are.
    mean : Series
        Mean score over the datasets that the model ran.
    standard_error : Series
        Standard deviation of the aggregate over the resamples.
    interval : DataFrame
        ``low`` and ``high``: percentile interval of the aggregate.
    rank : Series
        By `estimate`: 1 is best, ties share their average rank. NaN where the aggregate does not
        rank a model: under most, one with missing scores.
    rank_interval : DataFrame
        ``low`` and ``high``: percentile interval of the rank, widened to hold `rank`.
    p_best : Series
        Share of the resamples in which the model is first; tied ones split it. Sums to 1.
    p_top : Series
        Share of the resamples in which it is among the best `top_k`. Sums to `top_k`.
    pairwise : DataFrame, shape (m, m)
        P(row > column), ties counted half; models with missing scores are compared over the
        datasets that both ran.
    p_values : DataFrame, shape (m, m)
        Two-sided, of row and column being equal; not adjusted for their number.
    n_shared : DataFrame, shape (m, m)
        How many datasets each pair shares.
    tiers : Series of Int64
        1 is the top; a new tier begins at the first model that the leader of the current one beats
        with a probability above the threshold.
    resolved, resolved_adjacent : float
        Share of all pairs, and of pairs of neighbours in rank, of which one model beats the other
        with a probability above the threshold.
    order : list of str
        The ranked models, best first; of tied ones the first is more often the best.
    samples : ndarray, shape (m, B)
        The aggregate in each resample.
    settings : dict
        ``aggregate``, ``resampling``, ``n_units`` (what was drawn: datasets or clusters),
        ``n_resamples``, ``confidence_level``, ``tier_threshold``, ``top_k``, ``two_level``,
        ``seed``.
    notes : tuple of Note
    places : Places
        The place of each model in each resample.
    by_dataset : ByDataset or None
        What each dataset says of each model, if the aggregate is a mean over datasets.
    """

    estimate: pd.Series
    mean: pd.Series
    standard_error: pd.Series
    interval: pd.DataFrame
    rank: pd.Series
    rank_interval: pd.DataFrame
    p_best: pd.Series
    p_top: pd.Series
    pairwise: pd.DataFrame
    p_values: pd.DataFrame
    n_shared: pd.DataFrame
    tiers: pd.Series
    resolved: float
    resolved_adjacent: float
    order: list[str]
    samples: FloatArray
    settings: dict[str, Any]
    notes: tuple[Note, ...] = ()
    places: Places = field(kw_only=True)
    by_dataset: ByDataset | None = field(kw_only=True)

    @property
    def models(self) -> pd.Index:
        """The models, in the order of `samples`."""
        return self.estimate.index

    @property
    def _chance(self) -> FloatArray:
        """P(row > column) of the ranked models, best first."""
        positions = self.models.get_indexer(pd.Index(self.order, dtype=object))
        return self.pairwise.to_numpy()[np.ix_(positions, positions)]

    @property
    def leads(self) -> list[str]:
        """The models that the leader beats with a probability above the threshold."""
        beaten = self._chance[:1] > self.settings["tier_threshold"]
        return [name for name, lost in zip(self.order, *beaten.tolist(), strict=True) if lost]

    def tiers_at(self, threshold: float) -> pd.Series:
        """Return the tiers at another threshold, 0.5 ≤ threshold < 1."""
        numbers = tier_numbers(self._chance, check_threshold(threshold))
        return pd.Series(
            numbers, index=self.order[: len(numbers)], name="tier", dtype="Int64"
        ).reindex(self.models)

    def resolved_at(self, threshold: float) -> tuple[float, float]:
        """Return `resolved` and `resolved_adjacent` at another threshold."""
        return share_resolved(self._chance, check_threshold(threshold))

    def p_top_at(self, k: int) -> pd.Series:
        """Return the share of resamples in which each model is among the best k."""
        check_count("k", k, 1)
        share = self.places.share_within(k)
        return pd.Series(share, index=self.models, name="p_top").where(self.p_best.notna())

    def compare(
        self,
        family: Family = "all",
        *,
        adjustment: Adjustment = "max-t",
        test: Test | None = None,
        seed: int | np.random.Generator = 0,
    ) -> Comparisons:
        """Compare pairs of models, adjusted for their number.

        Parameters
        ----------
        family : {"all", "adjacent", "leader"}
            Every pair of ranked models, neighbours in rank, or the leader against each other one.
        adjustment : {"max-t", "holm", "fdr-bh", "none"}
            ``"max-t"`` compares each studentised difference with the largest one in each resample,
            centred at what was observed, and so uses how the pairs depend on each other. With
            ``test="sign-flip"`` the resamples are draws of signs.
        test : {"sign-flip", "bootstrap"}, optional
            What the p-values come from. The sign-flip test, exact up to 26 datasets, needs an
            aggregate that is a mean over datasets, and is the default there. It keeps its level
            where the bootstrap, with few datasets, does not: of boards of 30 equal models and 22
            datasets, max-t over all pairs finds a difference at .05 in 38% by the bootstrap and
            in 5% by sign flips. It needs no second level: what is observed on a
            dataset has the noise within it already.
        seed : int or numpy.random.Generator
            Drives the signs that the sign-flip test draws when there are more datasets.

        Returns
        -------
        Comparisons

        Raises
        ------
        ParameterError
            If a setting does not exist, or the test does not fit the aggregate.
        """
        return compare_pairs(self, family, adjustment, test, seed)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per model, best first; models without a rank come last."""
        frame = pd.DataFrame(
            {
                "estimate": self.estimate,
                "ci_low": self.interval["low"],
                "ci_high": self.interval["high"],
                "rank": self.rank,
                "rank_low": self.rank_interval["low"],
                "rank_high": self.rank_interval["high"],
                "tier": self.tiers,
                "p_best": self.p_best,
                "p_top": self.p_top,
            }
        )
        order = self.order
        return frame.loc[[*order, *frame.index.difference(order, sort=False)]]

    def __repr__(self) -> str:
        settings = self.settings
        order = self.order
        kind = "cluster" if settings["resampling"] == "clusters" else "dataset"
        head = (
            f"Bootstrap of {settings['aggregate']} over {count(settings['n_units'], kind)}: "
            f"{count(settings['n_resamples'], 'resample')}, {count(len(order), 'ranked model')}"
        )
        if not order or np.isnan(self.resolved):
            return head
        return (
            f"{head}\n  {order[0]} is best in {self.p_best[order[0]]:.0%} of them; "
            f"{count(int(self.tiers.max()), 'tier')}; {self.resolved:.1%} of pairs resolved, "
            f"{self.resolved_adjacent:.1%} of neighbours"
        )


def check_threshold(threshold: object, name: str = "threshold") -> float:
    """Return a probability above which one model counts as better; raise if it cannot be one."""
    if isinstance(threshold, bool) or not isinstance(threshold, Real):
        raise ParameterError(f"{name} must be a probability; got {threshold!r}.")
    if not 0.5 <= float(threshold) < 1.0:
        raise ParameterError(
            f"{name} must be a probability of at least 0.5 and below 1; got {threshold!r}."
        )
    return float(threshold)


def best_first(rank: FloatArray, p_best: FloatArray) -> NDArray[np.intp]:
    """Return the positions of the ranked models, best first; of tied ones the likelier best."""
    order = np.lexsort((-p_best, rank))
    return order[: int((~np.isnan(rank)).sum())]  # NaN sorts last


def tier_numbers(chance: FloatArray, threshold: float) -> list[int]:
    """Form tiers greedily from the top (*MTEB-PT*, App. 16).

    Parameters
    ----------
    chance : ndarray, shape (k, k)
        P(row > column) of models in order of rank.
    threshold : float

    Returns
    -------
    list of int
        Tier of each model; empty if no pair has a probability.
    """
    if np.isnan(chance).all():
        return []
    leader, tiers = 0, [1]
    for position in range(1, len(chance)):
        new = chance[leader, position] > threshold
        leader = position if new else leader
        tiers.append(tiers[-1] + int(new))
    return tiers


def share_resolved(chance: FloatArray, threshold: float) -> tuple[float, float]:
    """Return the share of pairs, and of neighbours in rank, that the threshold separates."""
    separated = np.maximum(chance, chance.T) > threshold
    known = ~np.isnan(chance)
    k = len(chance)
    pairs, neighbours = np.triu_indices(k, k=1), (np.arange(k - 1), np.arange(1, k))
    shares = [
        float(separated[which].sum() / known[which].sum()) if known[which].any() else float("nan")
        for which in (pairs, neighbours)
    ]
    return shares[0], shares[1]
