"""`rank_sets_from_estimates`: rank sets of a published table of estimates and standard errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.confidence_sets.building import build, check_settings
from robustrank.confidence_sets.draws import draw_normal
from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    InputError,
    ParameterError,
    as_floats,
    describe_seed,
    unknown_label,
)
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray
    from robustrank.confidence_sets.rank_sets import RankSets

#: By how much a covariance may differ from one that is symmetric and has no negative variance,
#: relative to its largest entry.
_ROUNDING = 1e-8


def rank_sets_from_estimates(
    estimates: pd.Series | Mapping[str, float] | ArrayLike,
    standard_errors: pd.Series | Mapping[str, float] | ArrayLike | None = None,
    *,
    covariance: pd.DataFrame | ArrayLike | None = None,
    confidence_level: float = 0.95,
    simultaneous: bool = True,
    stepwise: bool = True,
    models: str | Iterable[str] | None = None,
    n_resamples: int = 10_000,
    seed: int | np.random.Generator = 0,
) -> RankSets:
    """Find the ranks that each model may have, from estimates and how exact they are.

    For tables that give a number per model with its standard error, and not the scores behind it.
    The errors of the estimates are taken as normal, with the standard errors known.

    Parameters
    ----------
    estimates : Series, mapping or array_like, shape (m,)
        Higher is better. Without names, models are called m1, m2, …
    standard_errors : Series, mapping or array_like, shape (m,), optional
        Of estimates that are independent of each other.
    covariance : DataFrame or array_like, shape (m, m), optional
        Of the errors of the estimates; give this or `standard_errors`.
    confidence_level, simultaneous, stepwise, models
        As in `rank_confidence_sets`.
    n_resamples : int
        Draws of the errors.
    seed : int or numpy.random.Generator

    Returns
    -------
    RankSets

    Raises
    ------
    InputError
        If estimates and errors do not match, an error is negative, a covariance is none, or a
        setting is out of range.

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm (2024), Review of Economic Studies 91(1), 476-518.

    Examples
    --------
    >>> import robustrank as rr
    >>> found = rr.rank_sets_from_estimates({"A": 71.2, "B": 70.8, "C": 64.0}, [0.9, 1.1, 1.0])
    >>> found.table[["rank_low", "rank_high"]].T.to_dict("list")
    {'A': [1, 2], 'B': [1, 2], 'C': [3, 3]}
    """
    check_settings(confidence_level, n_resamples, seed)
    values = _named(estimates)
    errors = _covariance(values.index, standard_errors, covariance)
    known = np.isfinite(values.to_numpy()) & np.isfinite(np.diag(errors))
    notes = _incomplete(values.index[~known])
    if known.sum() < 2:
        raise EmptyMatrixError(
            f"{count(int(known.sum()), 'model')} with an estimate and its error; a ranking needs "
            "two."
        )
    names = values.index[known]
    point, errors = values.to_numpy()[known], errors[np.ix_(known, known)]
    _check_covariance(errors)
    # In an order of content, arrangement and names change no draw.
    order = np.lexsort((names.to_numpy(dtype=str), np.diag(errors), point))
    described = describe_seed(seed)
    rng = np.random.default_rng(seed)
    draws = draw_normal(point[order], errors[np.ix_(order, order)], n_resamples, rng)
    return build(
        draws,
        names=[str(names[i]) for i in order],
        given=list(map(str, names)),
        estimates=point[order],
        models=models,
        settings={
            "confidence_level": confidence_level,
            "simultaneous": simultaneous,
            "stepwise": stepwise,
            "models": models,
            "test": "normal",
            "independent": covariance is None,
            "n_resamples": n_resamples,
            "seed": described,
        },
        notes=notes,
    )


def _named(estimates: pd.Series | Mapping[str, float] | ArrayLike) -> pd.Series:
    """Return the estimates by name."""
    if hasattr(estimates, "items"):
        given = dict(estimates.items())
        if len(given) < len(list(estimates.items())):
            names = pd.Index([str(name) for name, _ in estimates.items()])
            repeated = names[names.duplicated()].unique()
            raise DuplicateError(
                f"Estimates occur more than once: {name_some(repeated)}. Keep one of each.",
                repeated,
            )
        values = as_floats("estimates", list(given.values()))
        return pd.Series(values, index=pd.Index([str(name) for name in given], dtype=object))
    values = as_floats("estimates", estimates)
    if values.ndim != 1:
        raise ParameterError(f"estimates must be a row of numbers; got shape {values.shape}.")
    names = pd.Index([f"m{i + 1}" for i in range(len(values))], dtype=object)
    return pd.Series(values, index=names)


def _covariance(
    names: pd.Index,
    standard_errors: pd.Series | Mapping[str, float] | ArrayLike | None,
    covariance: pd.DataFrame | ArrayLike | None,
) -> FloatArray:
    """Return the covariance of the errors, in the order of the names."""
    if (standard_errors is None) == (covariance is None):
        raise ParameterError("Give either standard_errors or covariance.")
    if covariance is None:
        if standard_errors is not None and hasattr(standard_errors, "items"):
            by_name = {str(name): value for name, value in standard_errors.items()}
            _need(names, by_name, "standard_errors")
            standard_errors = [by_name[name] for name in names]
        errors = as_floats("standard_errors", standard_errors)
        if errors.shape != (len(names),):
            raise ParameterError(
                f"standard_errors must be {len(names)} numbers, one per estimate; got shape "
                f"{errors.shape}."
            )
        negative = names[errors < 0.0]
        if len(negative):
            raise ParameterError(
                f"Standard errors are negative: {name_some(negative)}. Correct them.", negative
            )
        return np.diag(errors**2)
    if isinstance(covariance, pd.DataFrame):
        labelled = covariance.rename(index=str, columns=str)
        _need(names, labelled.index, "the rows of covariance")
        _need(names, labelled.columns, "the columns of covariance")
        covariance = labelled.loc[list(names), list(names)]
    found: FloatArray = as_floats("covariance", covariance)
    if found.shape != (len(names), len(names)):
        raise ParameterError(
            f"covariance must have a row and a column per estimate, {len(names)}; got shape "
            f"{found.shape}."
        )
    return found


def _need(names: pd.Index, known: Iterable[object], where: str) -> None:
    held = set(known)
    lacking = [name for name in names if name not in held]
    if lacking:
        error = unknown_label("model", lacking[0], held)
        raise InputError(f"Not in {where}: {name_some(lacking)}. {error}", lacking)


def _check_covariance(covariance: FloatArray) -> None:
    least = _ROUNDING * np.abs(covariance).max(initial=0.0)
    if np.isnan(covariance).any() or np.abs(covariance - covariance.T).max() > least:
        raise ParameterError("covariance must be symmetric, without missing entries.")
    if np.linalg.eigvalsh(covariance).min() < -least:
        raise ParameterError(
            "covariance is none: some difference would have a negative variance. Was it rounded, "
            "or is it a matrix of something else?"
        )


def _incomplete(names: pd.Index) -> list[Note]:
    if not len(names):
        return []
    message = f"{count(len(names), 'model')} without an estimate or its error: {name_some(names)}."
    return [Note("dropped-models", message, tuple(map(str, names)))]
