"""Two groups of models on a set of datasets: how far apart, and how sure of it.

After *MTEB-PT* (2026), §6: Welch's t-test and a Mann-Whitney test of the models' means. Sources:
B. L. Welch, *The generalization of "Student's" problem when several different population variances
are involved*, Biometrika 34 (1947); H. B. Mann and D. R. Whitney, *On a test of whether one of two
random variables is stochastically larger than the other*, Ann. Math. Statist. 18 (1947); effect
size: L. V. Hedges, *Distribution theory for Glass's estimator of effect size and related
estimators*, J. Educ. Statist. 6 (1981).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.special import gammaln, stdtr, stdtrit

from robustrank._numeric import TIE_DECIMALS, row_means
from robustrank._select import matching
from robustrank.errors import EmptyMatrixError, FormatError, ParameterError, check_level
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray

    Group = str | Iterable[str] | pd.Series | NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class GroupContrast:
    """The difference between two groups of models.

    Attributes
    ----------
    models : DataFrame
        Index ``model``: ``group`` (``"A"`` or ``"B"``) and ``score``, its mean over `datasets`.
    datasets : tuple of str
        What the models were scored on.
    n_a, n_b : int
        Numbers of models.
    mean_a, mean_b, difference : float
        Means over the models of each group, and A's minus B's.
    low, high : float
        Welch's interval of the difference.
    confidence_level : float
    t, df, p_welch : float
        Welch's t, its degrees of freedom and two-sided p-value; NaN where neither group varies.
    u, p_mann_whitney : float
        Mann and Whitney's U of group A and its two-sided p-value.
    hedges_g : float
        Difference in pooled standard deviations, corrected for few models; NaN where none vary.
    superiority : float
        Chance that a model of A scores above one of B, ties half: U / (n_a · n_b).
    notes : tuple of Note
    """

    models: pd.DataFrame
    datasets: tuple[str, ...]
    n_a: int
    n_b: int
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    confidence_level: float
    t: float
    df: float
    p_welch: float
    u: float
    p_mann_whitney: float
    hedges_g: float
    superiority: float
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        return f"{self._groups}: {self._finding}"

    def __repr__(self) -> str:
        notes = f"; {count(len(self.notes), 'note')}" if self.notes else ""
        return f"GroupContrast: {self._groups}\n  {self._finding}{notes}"

    @property
    def _groups(self) -> str:
        return (
            f"A ({count(self.n_a, 'model')}) {self.mean_a:.4f}, B ({count(self.n_b, 'model')}) "
            f"{self.mean_b:.4f} on {count(len(self.datasets), 'dataset')}"
        )

    @property
    def _finding(self) -> str:
        return (
            f"difference {self.difference:+.4f} [{self.low:+.4f}, {self.high:+.4f}], "
            f"Welch t = {self.t:.2f}, df = {self.df:.1f}, p = {self.p_welch:.3g}; "
            f"Mann-Whitney p = {self.p_mann_whitney:.3g}; g = {self.hedges_g:.2f}"
        )


def contrast_groups(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    group_a: Group,
    group_b: Group,
    *,
    datasets: str | Iterable[str] | None = None,
    confidence_level: float = 0.95,
) -> GroupContrast:
    """Compare the mean scores of two groups of models.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Models of the groups that lack a score on `datasets` are left out.
    group_a, group_b : str, iterable of str, or boolean Series or array
        Names or patterns (``*``, ``?``), or which rows belong: a Series by model, such as
        ``matrix.models["open_weights"]``, where NA is in neither; an array by position.
    datasets : str or iterable of str, optional
        Names or patterns; all by default.
    confidence_level : float
        Of the interval of the difference.

    Returns
    -------
    GroupContrast

    Raises
    ------
    ParameterError
        If a model is in both groups.
    EmptyMatrixError
        If `datasets` is empty, or a group has fewer than two models with all scores.
    UnknownLabelError
        If a name or pattern matches nothing.
    """
    check_level(confidence_level)
    matrix = ScoreMatrix.coerce(scores)
    columns = matching(matrix.scores.columns, datasets, "dataset")
    if not columns:
        raise EmptyMatrixError(
            "datasets is empty; name at least one, or leave it out for all of them."
        )
    members, notes = {}, []
    for label, group in (("A", group_a), ("B", group_b)):
        members[label], more = _members(matrix, group, label)
        notes += more
    both = [name for name in members["A"] if name in set(members["B"])]
    if both:
        raise ParameterError(
            f"{count(len(both), 'model')} in both groups: {name_some(both)}. Groups must not "
            "overlap; take them out of one.",
            both,
        )
    values: dict[str, pd.Series] = {}
    for label, names in members.items():
        values[label], more = _means(matrix.scores.loc[names, columns], label)
        notes += more
    a, b = (np.sort(values[label].to_numpy()) for label in "AB")
    welch = _welch(a, b, confidence_level)
    u, p_mann_whitney = _mann_whitney(a, b)
    table = pd.concat(
        [pd.DataFrame({"group": label, "score": values[label]}) for label in "AB"]
    ).rename_axis("model")
    return GroupContrast(
        models=table,
        datasets=tuple(columns),
        n_a=len(a),
        n_b=len(b),
        mean_a=float(a.mean()),
        mean_b=float(b.mean()),
        difference=float(a.mean() - b.mean()),
        confidence_level=confidence_level,
        **welch,
        u=u,
        p_mann_whitney=p_mann_whitney,
        superiority=u / (len(a) * len(b)),
        notes=(*matrix.notes, *notes, *_caveats(welch["p_welch"], confidence_level)),
    )


def _members(matrix: ScoreMatrix, group: Group, label: str) -> tuple[list[str], list[Note]]:
    """Return the names of a group's models, and a note on those a mask says nothing about."""
    known = [str(name) for name in matrix.scores.index]
    if isinstance(group, pd.Series):
        if not pd.api.types.is_bool_dtype(group.dropna().infer_objects().dtype):
            raise FormatError(
                f"Group {label} is a Series of {group.dtype}, not of True and False; for a list of "
                "names pass list(…)."
            )
        mask = group.set_axis(group.index.map(str)).reindex(known)
        unknown = tuple(name for name in known if pd.isna(mask[name]))
        names = [name for name in known if name not in set(unknown) and mask[name]]
        if not unknown:
            return names, []
        message = (
            f"{count(len(unknown), 'model')} not in group {label}, which says neither True nor "
            f"False of them: {name_some(unknown)}."
        )
        return names, [Note("unknown-group", message, unknown)]
    if isinstance(group, np.ndarray) and group.dtype == np.bool_:
        if group.shape != (len(known),):
            raise FormatError(
                f"Group {label} is a mask of shape {group.shape}; it needs one value for each of "
                f"the {count(len(known), 'model')}."
            )
        return [name for name, inside in zip(known, group, strict=True) if inside], []
    return matching(known, group, f"model of group {label}"), []


def _means(table: pd.DataFrame, label: str) -> tuple[pd.Series, list[Note]]:
    """Return the mean of each model with all scores; raise if fewer than two are left."""
    kept = table.dropna()
    dropped = tuple(str(name) for name in table.index if name not in set(kept.index))
    if len(kept) < 2:
        lost = f" ({name_some(dropped)} left out for missing scores)" if dropped else ""
        raise EmptyMatrixError(
            f"Group {label} has {count(len(kept), 'model')}"
            f"{f': {kept.index[0]}' if len(kept) else ''}{lost}; a contrast needs at least two in "
            "each group. Widen the group, or choose datasets that its models have.",
            table.index,
        )
    notes = []
    if dropped:
        message = (
            f"{len(dropped)} of {count(len(table), 'model')} of group {label} left out for missing "
            f"scores: {name_some(dropped)}."
        )
        notes.append(Note("dropped-models", message, dropped))
    return pd.Series(row_means(kept.to_numpy()), index=kept.index), notes


def _welch(a: FloatArray, b: FloatArray, confidence_level: float) -> dict[str, float]:
    """Return Welch's t, df, p-value and interval, and Hedges's g; NaN where no group varies."""
    n, m = len(a), len(b)
    names = ("t", "df", "p_welch", "low", "high", "hedges_g")
    if not any(np.ptp(np.round(group, TIE_DECIMALS)) > 0 for group in (a, b)):
        return dict.fromkeys(names, float("nan"))
    gap = float(a.mean() - b.mean())
    va, vb = float(a.var(ddof=1)), float(b.var(ddof=1))
    error = va / n + vb / m
    t = gap / math.sqrt(error)
    df = error**2 / ((va / n) ** 2 / (n - 1) + (vb / m) ** 2 / (m - 1))
    half = float(stdtrit(df, (1.0 + confidence_level) / 2.0)) * math.sqrt(error)
    pooled = n + m - 2
    # The exact correction of Hedges for the bias of d in small samples.
    shrink = math.exp(gammaln(pooled / 2) - gammaln((pooled - 1) / 2)) / math.sqrt(pooled / 2)
    g = shrink * gap / math.sqrt(((n - 1) * va + (m - 1) * vb) / pooled)
    p = 2.0 * float(stdtr(df, -abs(t)))
    return dict(zip(names, (t, df, p, gap - half, gap + half, g), strict=True))


def _mann_whitney(a: FloatArray, b: FloatArray) -> tuple[float, float]:
    """Return U of the first group and its two-sided p-value.

    Exact where scipy computes it so: without ties, if a group has at most eight models. Where all
    scores tie there is nothing to order, and p is 1.
    """
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 - takes long to import

    a, b = np.round(a, TIE_DECIMALS), np.round(b, TIE_DECIMALS)
    if np.ptp(np.concatenate([a, b])) == 0:
        return len(a) * len(b) / 2.0, 1.0
    found = mannwhitneyu(a, b, alternative="two-sided")
    return float(found.statistic), float(found.pvalue)


def _caveats(p_welch: float, confidence_level: float) -> list[Note]:
    notes = [
        Note(
            "convenience-sample",
            "Models are not a random sample, and those of one family are alike: the groups have "
            "fewer independent models than members, p-values are optimistic, and the contrast "
            "describes these models only.",
        )
    ]
    if math.isnan(p_welch):
        message = "All models of a group score alike in both groups: Welch's test is undefined."
        notes.append(Note("no-variance", message))
    elif p_welch >= 1.0 - confidence_level:
        message = (
            "No difference was shown, which is not to say that the groups are equal: the interval "
            "gives the differences that these models are compatible with."
        )
        notes.append(Note("no-equivalence", message))
    return notes
