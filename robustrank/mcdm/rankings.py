"""`rank` and `rank_schemes`: models ranked by one scheme, or by many on several compositions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._checks import describe_cells
from robustrank._numeric import average_ranks
from robustrank.errors import MissingScoresError, ParameterError, unknown_label
from robustrank.matrix import ScoreMatrix
from robustrank.mcdm._notes import decision_notes
from robustrank.mcdm.decision import NORMALIZATIONS, Decision
from robustrank.mcdm.schemes import SCHEMES, Scheme, resolve_schemes
from robustrank.notes import Note, count, merge_notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray
    from robustrank.mcdm.methods import Normalization

Engine = Literal["numpy", "pymcdm"]


@dataclass(frozen=True, eq=False)
class Rankings:
    """Rankings of the same models by several schemes on several compositions of the datasets.

    Attributes
    ----------
    preferences : DataFrame
        Index ``model``, columns (``composition``, ``scheme``): what the scheme computes, higher is
        better. VIKOR's is 1 - Q.
    ranks : DataFrame
        The same shape: 1 is best, ties share their average rank. Models stay in the order of the
        scores.
    weights : DataFrame
        Index ``dataset``, columns (``composition``, ``weighting``). NaN: not in the composition;
        0: in it, but set aside because it tells no two models apart.
    notes : tuple of Note
    """

    preferences: pd.DataFrame
    ranks: pd.DataFrame
    weights: pd.DataFrame
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        m, k = self.ranks.shape
        return f"Rankings({count(m, 'model')}, {count(k, 'ranking')})"


def rank(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    scheme: str | Scheme,
    *,
    normalization: Normalization | None = None,
    engine: Engine = "numpy",
) -> pd.DataFrame:
    """Rank models by one scheme.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Rows are models, columns datasets; complete.
    scheme : str
        Such as ``"topsis/critic"``; `SCHEMES` lists them all.
    normalization : {"sum", "minmax", "max", "vector", "none"}, optional
        Instead of the default of WSM (``"sum"``) or TOPSIS (``"minmax"``; ``"vector"`` is the
        other choice). The other methods normalise nothing.
    engine : {"numpy", "pymcdm"}
        What computes weights and preferences.

    Returns
    -------
    DataFrame
        Index ``model``, best first; columns ``preference`` (higher is better) and ``rank`` (1 is
        best, ties share their average rank). Models that tie stay in the order given. Notes, as
        dictionaries, are in ``.attrs["notes"]``.

    Raises
    ------
    MissingScoresError
        If a score is missing.
    UnknownLabelError
        If there is no such scheme.
    ParameterError
        If the scheme does not take the normalisation, or the engine not the scheme.

    Examples
    --------
    >>> import robustrank as rr
    >>> rr.rank([[0.7, 0.5], [0.9, 0.6], [0.8, 0.4]], "wsm/equal")["rank"].to_dict()
    {'m2': 1.0, 'm1': 2.0, 'm3': 3.0}
    """
    chosen = resolve_schemes(scheme)
    if len(chosen) != 1:
        raise ParameterError(
            f"rank takes one scheme; {str(scheme)!r} names {len(chosen)}. Use rank_schemes."
        )
    rankings = _rank_schemes(scores, None, chosen, engine, normalization)
    table = pd.DataFrame(
        {"preference": rankings.preferences.iloc[:, 0], "rank": rankings.ranks.iloc[:, 0]}
    ).sort_values("rank", kind="stable")
    table.attrs["notes"] = [note.to_dict() for note in rankings.notes]
    return table


def rank_schemes(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    compositions: pd.DataFrame | None = None,
    schemes: str | Scheme | Iterable[str | Scheme] = tuple(SCHEMES),
    *,
    engine: Engine = "numpy",
) -> Rankings:
    """Rank models by several schemes on several compositions of the datasets.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Rows are models, columns datasets; complete.
    compositions : DataFrame of bool, composition × dataset, optional
        Which datasets each composition holds; a dataset without a column is in none. By default
        one composition, ``"all"``.
    schemes : str or iterable of str
        Ids or patterns such as ``"topsis/*"``. By default all of `SCHEMES`.
    engine : {"numpy", "pymcdm"}
        What computes weights and preferences. What pymcdm does not define (the Gaussian
        preference function; VIKOR where no model differs in S or R) comes from the numpy engine,
        which a note says; asking pymcdm for nothing but such schemes is an error.

    Returns
    -------
    Rankings

    Raises
    ------
    MissingScoresError
        If a score is missing.
    UnknownLabelError
        If a scheme or a dataset of a composition does not exist.
    ParameterError
        If a composition is empty, or the engine has none of the schemes.
    """
    return _rank_schemes(scores, compositions, resolve_schemes(schemes), engine, None)


def _rank_schemes(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    compositions: pd.DataFrame | None,
    schemes: tuple[Scheme, ...],
    engine: Engine,
    normalization: Normalization | None,
) -> Rankings:
    matrix = ScoreMatrix.coerce(scores)
    table = matrix.scores
    _check_complete(table)
    members = _members(compositions, table.columns)
    decision = _decision_class(engine, schemes)(
        table.to_numpy(), list(table.columns), _checked_normalization(normalization, schemes)
    )
    names, within = list(members.index), members.to_numpy()
    weightings = list(dict.fromkeys(scheme.weighting for scheme in schemes))
    # One column of weights per (composition, weighting): each method sees all of them at once.
    weights = np.empty((table.shape[1], len(names), len(weightings)))
    undefined: dict[str, list[str]] = {}
    for c, name in enumerate(names):
        for w, weighting in enumerate(weightings):
            weights[:, c, w], defined = decision.weights(weighting, within[c])
            if not defined:
                undefined.setdefault(weighting, []).append(name)
    preferences = _preferences(decision, schemes, weightings, weights)
    columns = _product(composition=names, scheme=[scheme.id for scheme in schemes])
    shown = np.where(within.T[:, :, None], weights, np.nan)
    return Rankings(
        pd.DataFrame(preferences, index=table.index, columns=columns),
        pd.DataFrame(average_ranks(preferences), index=table.index, columns=columns),
        pd.DataFrame(
            shown.reshape(table.shape[1], -1),
            index=table.columns,
            columns=_product(composition=names, weighting=weightings),
        ),
        merge_notes(matrix.notes, decision_notes(decision, members, schemes, undefined)),
    )


def _product(**levels: list[str]) -> pd.MultiIndex:
    """Return the product of two levels of unique labels.

    `MultiIndex.from_product` looks for repeated labels first, which takes longer than a ranking.
    """
    first, second = (len(labels) for labels in levels.values())
    codes = [[i for i in range(first) for _ in range(second)], list(range(second)) * first]
    return pd.MultiIndex(list(levels.values()), codes, names=list(levels), verify_integrity=False)


def _preferences(
    decision: Decision, schemes: tuple[Scheme, ...], weightings: list[str], weights: FloatArray
) -> FloatArray:
    """Return preferences, shape (m, compositions × schemes)."""
    n, n_compositions, _ = weights.shape
    result = np.empty((decision.x.shape[0], n_compositions, len(schemes)))
    for method in dict.fromkeys(scheme.method for scheme in schemes):
        places = [s for s, scheme in enumerate(schemes) if scheme.method == method]
        chosen = [weightings.index(schemes[s].weighting) for s in places]
        found = decision.preferences(method, weights[:, :, chosen].reshape(n, -1))
        result[:, :, places] = found.reshape(-1, n_compositions, len(places))
    return result.reshape(result.shape[0], -1)


def _decision_class(engine: Engine, schemes: tuple[Scheme, ...]) -> type[Decision]:
    if engine not in get_args(Engine):
        raise ParameterError(
            f"engine must be one of {', '.join(get_args(Engine))}; got {engine!r}."
        )
    if engine == "numpy":
        return Decision
    from robustrank.mcdm.engine_pymcdm import (  # noqa: PLC0415 - only for those who ask for it
        WITHOUT_PYMCDM,
        PymcdmDecision,
    )

    if all(scheme.method in WITHOUT_PYMCDM for scheme in schemes):
        ids = [scheme.id for scheme in schemes]
        raise ParameterError(
            f"pymcdm has no Gaussian preference function, so it cannot compute {', '.join(ids)}. "
            "Use engine='numpy'.",
            ids,
        )
    return PymcdmDecision


def _checked_normalization(
    normalization: Normalization | None, schemes: tuple[Scheme, ...]
) -> Normalization | None:
    if normalization is None:
        return None
    method = schemes[0].method
    known = NORMALIZATIONS.get(method, ())
    if normalization in known:
        return normalization
    remedy = (
        f"it takes {', '.join(known)}" if known else "it normalises nothing; leave the setting out"
    )
    raise ParameterError(
        f"normalization={normalization!r} does not apply to {schemes[0].id}: {remedy}.",
        [normalization],
    )


def _check_complete(table: pd.DataFrame) -> None:
    holes: NDArray[np.bool_] = table.isna().to_numpy()
    if holes.any():
        incomplete = np.flatnonzero(holes.any(axis=1))
        raise MissingScoresError(
            f"{count(int(holes.sum()), 'score')} missing: {describe_cells(table, holes)}. A "
            "ranking needs every score: fill them in, or drop models or datasets first with "
            "ScoreMatrix(scores).resolve_missing('drop-models') or 'drop-datasets'.",
            table.index[incomplete],
        )


def _members(compositions: pd.DataFrame | None, datasets: pd.Index) -> pd.DataFrame:
    """Return the compositions as a bool table with one column per dataset."""
    if compositions is None:
        return pd.DataFrame(True, index=["all"], columns=datasets)
    for name in compositions.columns.difference(datasets, sort=False):
        raise unknown_label("dataset", name, datasets)
    if compositions.empty or not all(pd.api.types.is_bool_dtype(t) for t in compositions.dtypes):
        raise ParameterError("compositions must be a table of True and False, one row for each.")
    twice = compositions.index[compositions.index.duplicated()]
    if len(twice):
        raise ParameterError(f"Composition {twice[0]!r} occurs twice; name each once.", twice)
    members = compositions.reindex(columns=datasets, fill_value=False).astype(bool)
    empty = members.index[~members.any(axis=1).to_numpy()]
    if len(empty):
        raise ParameterError(f"Composition {empty[0]!r} holds no dataset; drop it.", empty)
    return members
