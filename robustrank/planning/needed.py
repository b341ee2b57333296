"""`datasets_needed`: how many datasets it takes to tell models apart, and of which kind."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pandas as pd

from robustrank import presenting
from robustrank._arrange import by_content
from robustrank._groups import group_datasets
from robustrank.errors import (
    ParameterError,
    check_alpha,
    check_count,
    check_level,
    check_seed,
    describe_seed,
)
from robustrank.matrix import ScoreMatrix
from robustrank.notes import merge_notes
from robustrank.planning.curve import crossing, power_curves
from robustrank.planning.kinds import NUMBERS, compare_kinds
from robustrank.planning.pairs import Pairs, Units, named_pair, neighbours
from robustrank.planning.plans import Asked, Plan, holm_plans
from robustrank.planning.plots import NeededPlots
from robustrank.planning.wording import plan_headline, plan_notes, plan_summary
from robustrank.resampling import adjust_p_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from robustrank._groups import By, Groups


@dataclass(frozen=True, eq=False, repr=False)
class DatasetsNeeded(presenting.Answer):
    """How many datasets like those at hand a paired t-test needs to tell models apart.

    Attributes
    ----------
    table : DataFrame
        Index ``model_a`` (the one ahead) and ``model_b``, one row per pair. ``difference`` is the
        mean of a minus b and ``sd`` the standard deviation of the differences, on 0..1;
        ``effect_size`` their ratio; ``n`` the datasets (or clusters) at hand; ``p_value`` that of
        the t-test with them (of the sign-flip test where a lead is the same everywhere),
        ``p_adjusted`` after Holm over the pairs. ``level`` is where the pair
        is tested when its turn comes in Holm's procedure; ``needed`` the fewest datasets with the
        power asked for, from ``low`` to ``high`` by the interval of the effect size; missing where
        there is no such number. ``resampled`` is the fewest by resampling, which supposes no
        normal differences and lets pairs depend on each other.
    curve : DataFrame
        One row per pair and number of datasets, ``n_datasets``: ``power`` by the noncentral t
        distribution at the pair's level, and ``resampled``, the share of draws of so many datasets
        in which the test, after Holm, finds the pair. NaN with fewer than ten datasets to draw
        from.
    kinds : DataFrame
        A row per pair and kind of dataset, the kind with the largest effect in favour of model a
        first: ``ahead`` on that kind, ``difference``, ``sd``, ``effect_size``, ``n``, ``p_value``,
        ``p_adjusted`` (Holm over the kinds of a pair), ``needed``, ``low`` and ``high`` of that
        kind alone (missing where it does not favour model a), and ``gain``: by how much one more
        dataset of the kind should raise the t statistic of all datasets. Empty without kinds.
    kind : str
        What a kind is, such as ``"task type"``.
    settings : dict
    notes : tuple of Note
    """

    table: pd.DataFrame
    curve: pd.DataFrame
    kinds: pd.DataFrame
    kind: str
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """How many datasets it takes, and whether some kind does it with fewer."""
        return plan_headline(self.table, self.kinds, self.kind, self.settings)

    @property
    def plot(self) -> NeededPlots:
        """The figures, of one pair."""
        return NeededPlots(self)

    def summary(self) -> str:
        """Return the pairs, the kinds and the power, for a terminal, differences in points."""
        return plan_summary(self.headline, self.table, self.curve, self.kinds, self.kind)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the pairs, the curve and the kinds."""
        return {"datasets_needed": self.table, "power": self.curve, "kinds": self.kinds}


def datasets_needed(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    pair: Sequence[str] | None = None,
    *,
    top_k: int | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    by: Units = "datasets",
    kinds: By | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int | np.random.Generator = 0,
) -> DatasetsNeeded:
    """Say how many datasets of the kind at hand it takes to tell two models apart.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. A pair that is named is compared on the datasets that both ran; else
        models with missing scores are set aside.
    pair : sequence of two str, optional
        By default the leader and the runner-up.
    top_k : int, optional
        All neighbours in the ranking of the best `top_k` models, in place of one pair.
    alpha : float
        Level of the two-sided test; for several pairs, of Holm's procedure over them.
    power : float
        Chance of finding a pair whose difference is, in truth, the one observed.
    by : {"datasets", "clusters"}
        What counts as an observation: a dataset, or the mean over a cluster of datasets whose
        scores correlate above 0.9 (`cluster_datasets`), so that copies count once.
    kinds : {"task_type", "clusters"}, mapping or Series, optional
        Kinds of datasets to compare: task types where they are all known, by default.
    confidence_level : float
        Of the interval of the number.
    n_resamples : int
        Draws behind each point of the resampling curve.
    seed : int or numpy.random.Generator

    Returns
    -------
    DatasetsNeeded

    Raises
    ------
    InputError
        If a model or a task type is unknown, or a setting out of range.

    References
    ----------
    Cohen, *Statistical Power Analysis for the Behavioral Sciences* (1988), ch. 2; Guenther, *Sample
    size formulas for normal theory t tests*, The American Statistician 35 (1981); for the interval,
    Steiger & Fouladi, *Noncentrality interval estimation*, in *What if there were no significance
    tests?* (1997).

    Examples
    --------
    >>> import robustrank as rr
    >>> board = [[0.71, 0.64, 0.82, 0.93, 0.60], [0.70, 0.66, 0.80, 0.90, 0.61]]
    >>> int(rr.datasets_needed(board).table["needed"].iloc[0])
    96
    """
    matrix = ScoreMatrix.coerce(scores)
    asked = _checked(pair, top_k, by, Asked(alpha, power, confidence_level))
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)
    described, rng = describe_seed(seed), np.random.default_rng(seed)
    if pair is None:
        matrix = matrix.resolve_missing("drop-models")
    work = by_content(matrix)
    pairs = neighbours(work, top_k or 2, by) if pair is None else named_pair(work, pair, by)
    plans = holm_plans(pairs.units, asked)
    curves = power_curves(pairs.units, plans, asked, n_resamples, rng)
    table = _pair_table(plans, curves, pairs.names, asked)
    curve = pd.concat(dict(zip(pairs.names, curves, strict=True)), names=_MODELS).droplevel(-1)
    groups = _kinds(work, kinds)
    by_kind = pd.DataFrame() if groups is None else _by_kind(groups, pairs, plans, asked)
    return DatasetsNeeded(
        table=table,
        curve=curve,
        kinds=by_kind,
        kind="" if groups is None else groups.noun,
        settings={
            "pair": None if pair is None else [str(name) for name in pair],
            "top_k": top_k,
            "alpha": asked.alpha,
            "power": asked.power,
            "by": by,
            "kinds": kinds if kinds is None or isinstance(kinds, str) else dict(kinds),
            "confidence_level": asked.confidence_level,
            "n_resamples": n_resamples,
            "seed": described,
        },
        notes=merge_notes(
            matrix.notes,
            pairs.notes,
            () if groups is None else groups.notes,
            plan_notes(table, by),
        ),
    )


_MODELS = ["model_a", "model_b"]


def _checked(pair: Sequence[str] | None, top_k: object, by: object, asked: Asked) -> Asked:
    """Raise if a setting is out of range."""
    check_alpha(asked.alpha)
    check_level(asked.confidence_level)
    if not isinstance(asked.power, Real) or not asked.alpha < float(asked.power) < 1.0:
        raise ParameterError(
            f"power must lie between alpha, {asked.alpha:g}, and 1, such as 0.8; got "
            f"{asked.power!r}."
        )
    if by not in get_args(Units):
        raise ParameterError(f"by must be 'datasets' or 'clusters'; got {by!r}.")
    if top_k is not None:
        check_count("top_k", top_k, 2)
        if pair is not None:
            raise ParameterError("Give a pair or top_k, not both.")
    if pair is not None and (
        isinstance(pair, str | bytes)
        or not hasattr(pair, "__len__")
        or len(set(map(str, pair))) != 2
        or len(pair) != 2
    ):
        raise ParameterError(f"pair must be the names of two different models; got {pair!r}.")
    return Asked(float(asked.alpha), float(asked.power), float(asked.confidence_level))


def _pair_table(
    plans: list[Plan], curves: list[pd.DataFrame], names: list[tuple[str, str]], asked: Asked
) -> pd.DataFrame:
    index = pd.MultiIndex.from_tuples(names, names=_MODELS)
    table = pd.DataFrame([asdict(found) for found in plans], index=index)
    adjusted = adjust_p_values(table["p_value"].to_numpy(np.float64), "holm")
    table.insert(list(table.columns).index("level"), "p_adjusted", adjusted)
    table["resampled"] = [
        None
        if found.needed is None
        else crossing(curve["n_datasets"].to_numpy(), curve["resampled"].to_numpy(), asked.power)
        for found, curve in zip(plans, curves, strict=True)
    ]
    return table.astype(dict.fromkeys((*NUMBERS, "resampled"), "Int64"))


def _kinds(matrix: ScoreMatrix, kinds: By | None) -> Groups | None:
    """Return the kinds of datasets: by default task types, where all are known."""
    if kinds is not None:
        return group_datasets(matrix, kinds, "kinds")
    if matrix.datasets["task_type"].isna().any():
        return None
    return group_datasets(matrix, "task_type")


def _by_kind(groups: Groups, pairs: Pairs, plans: list[Plan], asked: Asked) -> pd.DataFrame:
    """Return the table of kinds."""
    member = groups.member[:, pairs.held]
    held = {name: own for name, own in zip(groups.names, member, strict=True) if own.any()}
    parts = {
        names: compare_kinds(
            differences, pairs.codes, held, found, replace(asked, alpha=found.level), names
        )
        for names, differences, found in zip(pairs.names, pairs.differences, plans, strict=True)
    }
    return pd.concat(parts, names=_MODELS)
