"""`planned_comparison`: is this model better than that one, as planned before looking."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from typing import TYPE_CHECKING, get_args

import numpy as np
import pandas as pd

from robustrank._arrange import by_content
from robustrank._groups import By, group_datasets
from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import (
    MissingScoresError,
    ParameterError,
    check_alpha,
    check_count,
    check_seed,
    describe_seed,
    unknown_label,
)
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, merge_notes, name_some
from robustrank.resampling import adjust_p_values
from robustrank.winners.comparison import PlannedComparison
from robustrank.winners.differences import (
    Alternative,
    Differences,
    Test,
    detectable,
    limits,
    p_values,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def planned_comparison(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    model: str,
    against: str | Iterable[str],
    *,
    alternative: Alternative = "greater",
    alpha: float = 0.05,
    by: By = "datasets",
    test: Test = "sign-flip",
    power: float = 0.8,
    n_resamples: int = 10_000,
    seed: int | np.random.Generator = 0,
) -> PlannedComparison:
    """Test whether a model is better than others that were named before the scores were seen.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Two models are compared on the datasets that both ran.
    model : str
        The model that something is claimed of.
    against : str or iterable of str
        The model, or each of the models, that it is compared with.
    alternative : {"greater", "two-sided", "less"}
        What is claimed: that `model` is better, different, or worse.
    alpha : float
        Largest chance of any false claim, all of `against` together.
    by : {"datasets", "clusters", "task_type"}, mapping or Series
        What is sampled: datasets; clusters of those that repeat each other; or dataset → group.
    test : {"sign-flip", "t", "signed-rank"}
        Fisher's, of the mean difference, exact up to 26 units (`sign_flip_test`); Student's paired
        t; Wilcoxon's, of the shift of the units' means (`signed_rank_test`), which is not the
        difference of the means where differences are skewed.
    power : float
        Of `PlannedComparison.table`'s ``detectable``.
    n_resamples : int
        Draws of signs where there are more than 26 units, and of subsets behind the intervals of
        the sign-flip test where there are more than 13.
    seed : int or numpy.random.Generator

    Returns
    -------
    PlannedComparison

    Raises
    ------
    UnknownLabelError
        If a model is unknown.
    MissingScoresError
        If two models share no dataset.
    ParameterError
        If a setting is out of its range, or a model is compared with itself.

    Notes
    -----
    p-values are adjusted by Holm's method, intervals by Bonferroni's, so that a claim can hold
    although its interval reaches 0. The smallest detectable difference is that of a t test at
    Holm's first step, on normal differences.

    References
    ----------
    R. A. Fisher, *The Design of Experiments* (1935), §21; J. A. Hartigan, *Using subsample values
    as typical values*, JASA 64 (1969), for the interval of the sign-flip test; S. Holm, *A simple
    sequentially rejective multiple test procedure*, Scand. J. Statist. 6 (1979).

    Examples
    --------
    >>> import robustrank as rr
    >>> board = rr.load_example()
    >>> found = rr.planned_comparison(board, "Qwen/Qwen3-Embedding-8B", "Qwen/Qwen3-Embedding-4B")
    >>> bool(found.table["significant"].iloc[0])
    True
    """
    for name, value, options in (
        ("alternative", alternative, get_args(Alternative)),
        ("test", test, get_args(Test)),
    ):
        if value not in options:
            listed = ", ".join(map(repr, options))
            raise ParameterError(f"{name} must be one of {listed}; got {value!r}.")
    check_alpha(alpha)
    if isinstance(power, bool) or not isinstance(power, Real) or not alpha < float(power) < 1.0:
        raise ParameterError(f"power must lie between alpha and 1, such as 0.8; got {power!r}.")
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)
    matrix = ScoreMatrix.coerce(scores)
    rivals = _rivals(matrix, model, against)
    described, rng = describe_seed(seed), np.random.default_rng(seed)
    work = by_content(matrix)
    rivals = [str(name) for name in work.scores.index if str(name) in set(rivals)]
    groups = group_datasets(work, by)
    values = work.scores.to_numpy(dtype=np.float64)
    rows = work.scores.index.get_indexer([model, *rivals])
    gaps = values[rows[0]] - values[rows[1:]]
    held = ~np.isnan(gaps)
    if not held.any(axis=1).all():
        apart = rivals[int(np.argmin(held.any(axis=1)))]
        raise MissingScoresError(
            f"{model} and {apart} have no dataset in common, so they cannot be compared. Leave "
            f"{apart} out.",
            [apart],
        )
    member = groups.member.astype(np.float64)
    found = Differences(np.where(held, gaps, 0.0) @ member.T, held @ member.T)
    sides = 2.0 if alternative == "two-sided" else 1.0
    tail = alpha / len(rivals) / sides
    p = p_values(found, test, alternative, n_resamples, rng)
    estimate, low, high = limits(found, test, tail, n_resamples, rng)
    adjusted = adjust_p_values(p, "holm")
    table = pd.DataFrame(
        {
            "difference": estimate,
            "low": -np.inf if alternative == "less" else low,
            "high": np.inf if alternative == "greater" else high,
            "p_value": p,
            "p_adjusted": adjusted,
            "significant": adjusted <= alpha,
            "above": (gaps.round(TIE_DECIMALS) > 0).sum(axis=1),
            "below": (gaps.round(TIE_DECIMALS) < 0).sum(axis=1),
            "n_datasets": held.sum(axis=1),
            "n_units": found.n_units,
            "detectable": detectable(found, test, tail, power, n_resamples),
        },
        index=pd.Index(rivals, name="against"),
    ).sort_values("difference", kind="stable")
    settings = {
        "model": model,
        "alternative": alternative,
        "alpha": alpha,
        "by": by if isinstance(by, str) else groups.noun,
        "unit": groups.noun,
        "test": test,
        "power": power,
        "n_resamples": n_resamples,
        "seed": described,
    }
    return PlannedComparison(
        model=model,
        against=tuple(table.index),
        table=table,
        settings=settings,
        notes=merge_notes(
            matrix.notes, groups.notes, _remarks(work, model, rivals, held, alternative, test)
        ),
    )


def _rivals(matrix: ScoreMatrix, model: object, against: object) -> list[str]:
    """Return whom the model is compared with, each once; raise if that is nobody or itself."""
    if not isinstance(against, str) and not isinstance(against, Iterable):
        raise ParameterError(f"against must be a model or several; got {against!r}.")
    rivals = [against] if isinstance(against, str) else list(against)
    known = set(matrix.scores.index)
    for name in [model, *rivals]:
        if not isinstance(name, str) or name not in known:
            raise unknown_label("model", name, known)
    rivals = list(dict.fromkeys(rivals))
    if not rivals:
        raise ParameterError("against names no model; name at least one.")
    if model in rivals:
        raise ParameterError(f"{model} is compared with itself; leave it out of against.", [model])
    return rivals


def _remarks(
    work: ScoreMatrix,
    model: str,
    rivals: list[str],
    held: NDArray[np.bool_],
    alternative: Alternative,
    test: Test,
) -> list[Note]:
    """Say what the error rate does not cover."""
    notes = []
    gaps = [rivals[row] for row in np.flatnonzero((~held).any(axis=1))]
    if gaps:
        message = f"Compared on the datasets that both ran, not on all: {name_some(gaps)}."
        notes.append(Note("common-datasets", message, tuple(gaps)))
    means = work.scores.mean(axis=1, skipna=False).dropna().round(TIE_DECIMALS)
    leaders = {str(name) for name in means.index[means == means.max()]} if len(means) else set()
    if model in leaders and alternative != "less":
        message = (
            f"{model} leads by these very scores. If it was chosen for that, false claims are more "
            "frequent than stated: see correct_winner, or Bootstrap.compare('all')."
        )
        notes.append(Note("chosen-model", message, (model,)))
    first = sorted(leaders & set(rivals))
    if first and alternative == "greater":
        message = (
            f"{name_some(first)} leads by these very scores. If it was chosen for that, its mean "
            "is more likely raised by chance than not: a claim to be better than it stays safe, "
            "but is harder to show."
        )
        notes.append(Note("chosen-rival", message, tuple(first)))
    if test == "signed-rank":
        message = (
            "The signed-rank test is about the shift of symmetric differences. Where they are "
            "skewed, it finds one between models of equal means more often than stated."
        )
        notes.append(Note("shift", message))
    message = (
        "The error rate holds for models, datasets and a test that were fixed before the scores "
        "were seen, and for datasets of the kind of these."
    )
    return [*notes, Note("planned", message)]
