"""`cohort_rank_shift`: whether models of one cohort gain ranks from one board to another.

After *MTEB-PT* (2026), Appendix 18: models are sorted into cohorts by the training data that they
declare, and the ranks gained on the suspect board are averaged by cohort. Tests: W. H. Kruskal and
W. A. Wallis, *Use of ranks in one-criterion variance analysis*, JASA 47 (1952); A. R. Jonckheere,
*A distribution-free k-sample test against ordered alternatives*, Biometrika 41 (1954).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import average_ranks, single_threaded
from robustrank._percentiles import percentile_interval
from robustrank.comparison.boards import Comparison, entropy
from robustrank.comparison.membership import assign_cohorts
from robustrank.comparison.wording import short_cohorts
from robustrank.errors import ParameterError, check_count, check_level, unknown_label
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Models × permutations held at once.
_BLOCK = 1_000_000


@dataclass(frozen=True, eq=False, repr=False)
class CohortShift:
    """Ranks gained from board A to board B, by cohort.

    Attributes
    ----------
    table : DataFrame
        Index ``cohort``, in the order tested or else by largest gain: ``n`` models, ``shift`` (mean
        of rank_a - rank_b, the places gained on B), its percentile interval ``low``, ``high``
        (NaN with one model), and the ``median`` shift.
    shifts : DataFrame
        Index ``model``: ``cohort`` and ``shift``.
    test : {"kruskal-wallis", "jonckheere"}
        Which statistic: whether cohorts differ, or whether shifts grow along a given order.
    statistic, p_value : float
        The statistic and its permutation p-value (Jonckheere's is one-sided); NaN with one cohort.
    notes : tuple of Note
    """

    table: pd.DataFrame
    shifts: pd.DataFrame
    test: str
    statistic: float
    p_value: float
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return short_cohorts(self)


def cohort_rank_shift(
    comparison: Comparison,
    cohorts: Mapping[str, object] | pd.Series,
    *,
    order: Sequence[object] | None = None,
    n_resamples: int = 10_000,
    confidence_level: float = 0.95,
    seed: int | np.random.Generator = 0,
) -> CohortShift:
    """Average the ranks that models gain from A to B within cohorts.

    Ranks are those among all models compared, a model without a cohort included.

    Parameters
    ----------
    comparison : Comparison
        Of the reference board A with the suspect board B, from `compare`.
    cohorts : mapping or Series
        Model (its name on A, or else on B) → cohort, whose label is taken as text.
    order : sequence, optional
        The cohorts in the order in which shifts are expected to grow, fixed before the data were
        seen: Jonckheere's test of that trend instead of Kruskal and Wallis's of any difference.
    n_resamples : int
        Resamples of the models of each cohort behind the intervals, and permutations of the
        cohorts over models behind the p-value.
    confidence_level : float
    seed : int or numpy.random.Generator

    Returns
    -------
    CohortShift

    Raises
    ------
    EmptyMatrixError
        If no model compared has a cohort.
    DuplicateError
        If a model is given twice, or two cohorts that differ, such as 1 and ``"1"``, are one text.
    UnknownLabelError, ParameterError
        If `order` names a cohort that no model has, or does not name each exactly once.
    """
    check_count("n_resamples", n_resamples, 1)
    check_level(confidence_level)
    number = entropy(seed)
    if not isinstance(comparison, Comparison):
        raise ParameterError(
            "The ranks gained are those of a comparison; got "
            f"{type(comparison).__name__}. Compare the boards first: compare(a, b)."
        )
    assigned, notes = assign_cohorts(comparison.table, cohorts)
    shifts = pd.DataFrame({"cohort": assigned, "shift": comparison.table["shift"]}).dropna()
    groups = {
        str(name): np.sort(members.to_numpy())
        for name, members in shifts.groupby("cohort", sort=False)["shift"]
    }
    means = {name: float(members.mean()) for name, members in groups.items()}
    if order is None:
        names = sorted(groups, key=lambda name: (-means[name], name))
    else:
        names = _checked_order(order, list(groups))
    rows = []
    for name in names:
        members = groups[name]
        low, high = _interval(members, n_resamples, confidence_level, number)
        rows.append((len(members), means[name], low, high, float(np.median(members))))
    statistic, p_value = _permutation_test(
        [groups[name] for name in names], order is not None, n_resamples, number
    )
    return CohortShift(
        table=pd.DataFrame(
            rows,
            columns=["n", "shift", "low", "high", "median"],
            index=pd.Index(names, name="cohort"),
        ),
        shifts=shifts.astype({"cohort": "object"}),
        test="kruskal-wallis" if order is None else "jonckheere",
        statistic=statistic,
        p_value=p_value,
        notes=(*notes, *_caveats(groups), *comparison.notes),
    )


def _checked_order(order: Sequence[object], known: list[str]) -> list[str]:
    names = [str(name) for name in order]
    for name in names:
        if name not in known:
            raise unknown_label("cohort", name, known)
    if sorted(names) != sorted(known) or len(known) < 2:
        raise ParameterError(
            f"order must name each of two or more cohorts once: {', '.join(sorted(known))}; got "
            f"{', '.join(names)}.",
            names,
        )
    return names


def _interval(
    members: FloatArray, n_resamples: int, confidence_level: float, number: int
) -> tuple[float, float]:
    """Percentile interval of the mean over resampled members; a single member has none.

    Each cohort has draws of its own from the seed, so that its interval depends on no other.
    """
    n = len(members)
    if n == 1:
        return float("nan"), float("nan")
    rng = np.random.default_rng(number)
    means = [
        members[rng.integers(n, size=(rows, n))].mean(axis=1) for rows in _blocks(n_resamples, n)
    ]
    low, high = percentile_interval(np.concatenate(means)[None, :], confidence_level)[:, 0]
    return float(low), float(high)


def _permutation_test(
    groups: list[FloatArray], ordered: bool, n_permutations: int, number: int
) -> tuple[float, float]:
    """Return the statistic and the share of permutations that reach it, itself counted as one."""
    if len(groups) < 2:
        return float("nan"), float("nan")
    shifts = np.concatenate(groups)
    sizes = [len(members) for members in groups]
    # Sorted, a permutation does not depend on which models came first.
    places = np.argsort(shifts, kind="stable")
    labels = np.repeat(np.arange(len(groups)), sizes)[places]
    statistic = _jonckheere if ordered else _kruskal
    observed = float(statistic(shifts[places], labels[None, :], len(groups))[0])
    rng = np.random.default_rng(number)
    start = np.repeat(np.arange(len(groups)), sizes)
    reached = 0
    for rows in _blocks(n_permutations, len(shifts)):
        drawn = rng.permuted(np.broadcast_to(start, (rows, len(start))), axis=1)
        values = statistic(shifts[places], drawn, len(groups))
        reached += int((values >= observed - 1e-9 * max(1.0, abs(observed))).sum())
    return observed, (reached + 1) / (n_permutations + 1)


def _kruskal(shifts: FloatArray, labels: NDArray[np.intp], k: int) -> FloatArray:
    """Return Kruskal and Wallis's H, corrected for ties; 0 where all shifts tie."""
    n = len(shifts)
    centred = average_ranks(shifts) - (n + 1) / 2.0
    spread = (centred**2).sum()
    between = np.zeros(len(labels))
    for group in range(k):
        member = (labels == group).astype(np.float64)
        between += (member @ centred) ** 2 / member.sum(axis=1)
    return (n - 1) * between / spread if spread > 0 else between


def _jonckheere(shifts: FloatArray, labels: NDArray[np.intp], k: int) -> FloatArray:
    """Return Jonckheere's J: pairs of cohorts in order in which the later shift is larger."""
    below = shifts[:, None] < shifts[None, :]
    larger = below + 0.5 * (shifts[:, None] == shifts[None, :])  # [i, j]: of j over i
    total = np.zeros(len(labels))
    with single_threaded():
        for group in range(1, k):
            earlier = (labels < group).astype(np.float64)
            total += ((earlier @ larger) * (labels == group)).sum(axis=1)
    return total


def _blocks(total: int, width: int) -> Iterator[int]:
    """Cut a number of rows into blocks of bounded size."""
    size = max(1, _BLOCK // width)
    for start in range(0, total, size):
        yield min(size, total - start)


def _caveats(groups: dict[str, FloatArray]) -> list[Note]:
    notes = [
        Note(
            "observed-cohorts",
            "Cohorts are declared, not assigned, and models of one family move together: an "
            "undisclosed exposure narrows the gap, and intervals and p-value are optimistic. Ranks "
            "are relative, so a gain of one cohort is a loss of the others.",
        )
    ]
    single = tuple(name for name, members in groups.items() if len(members) == 1)
    if single:
        message = f"One model only, and so no interval, in cohort {name_some(single)}."
        notes.append(Note("single-model-cohorts", message, single))
    if len(groups) == 1:
        message = f"All models are in cohort {next(iter(groups))}: there is nothing to test."
        notes.append(Note("one-cohort", message))
    return notes
