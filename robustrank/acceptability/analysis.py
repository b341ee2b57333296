"""`smaa`: stochastic multicriteria acceptability analysis of a leaderboard."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from robustrank._arrange import by_content
from robustrank._groups import By, Groups, group_datasets
from robustrank._numeric import average_ranks
from robustrank.acceptability.evaluation import Evaluation, first_places
from robustrank.acceptability.noise import Noise, read_noise
from robustrank.acceptability.programs import find_first
from robustrank.acceptability.remarks import remarks
from robustrank.acceptability.restriction import read_restriction
from robustrank.acceptability.result import Acceptability, best_first, describe
from robustrank.acceptability.sampling import draw_weights
from robustrank.acceptability.tally import tally
from robustrank.errors import (
    ParameterError,
    check_count,
    check_seed,
    describe_seed,
    unknown_label,
)
from robustrank.matrix import ScoreMatrix
from robustrank.mcdm.decision import NORMALIZATIONS
from robustrank.mcdm.schemes import METHODS
from robustrank.notes import merge_notes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray
    from robustrank.acceptability.restriction import Restriction
    from robustrank.mcdm.methods import Normalization
    from robustrank.notes import Note


def smaa(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    method: str = "wsm",
    normalization: Normalization | None = None,
    by: By = "datasets",
    lower: Mapping[str, float] | pd.Series | None = None,
    upper: Mapping[str, float] | pd.Series | None = None,
    order: Sequence[str] | None = None,
    n_draws: int = 10_000,
    noise: Noise | None = None,
    seed: int | np.random.Generator = 0,
) -> Acceptability:
    """Say under which share of all weightings each model takes each rank (SMAA-2).

    Weights of the groups of datasets are drawn uniformly from all that are not negative and sum to
    1, or from those that bounds and an order of importance leave. Models are ranked under each
    draw.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Models with missing scores are set aside, with a note.
    method : {"wsm", "topsis", "vikor", "promethee2-usual", "promethee2-gaussian"}
        What ranks the models under given weights.
    normalization : {"none", "sum", "minmax", "max", "vector"}, optional
        Of the scores, for ``"wsm"``; by default ``"none"``, so that models are ranked by the
        weighted mean of their scores. ``"topsis"`` takes ``"minmax"``, its default, or
        ``"vector"``.
    by : {"datasets", "clusters", "task_type"}, mapping or Series
        What gets a weight: each dataset, each cluster of datasets that repeat each other, each task
        type, or the groups of a mapping from dataset to group. The datasets of a group share its
        weight equally.
    lower, upper : mapping of str to float, optional
        Group → least and largest weight.
    order : sequence of str, optional
        Groups from the most to the least important: the weight of each is at least that of the
        next. Groups that are not named are free.
    n_draws : int
    noise : float, mapping, Series or DataFrame, optional
        Standard errors of the scores, on 0..1: of all, per dataset, or per model and dataset.
        Scores are then drawn too, from normal distributions, independently.
    seed : int or numpy.random.Generator

    Returns
    -------
    Acceptability

    Raises
    ------
    InputError
        If a setting is out of range, a group or its task type is unknown, no weights are allowed,
        or fewer than two models have every score.

    Notes
    -----
    Under ``"wsm"`` the value of a score is a fixed function of it, and `noise` goes through that
    function: one normal draw per model and weighting, which is exact. The other methods judge a
    score by those of the other models, and are computed anew for each draw: with `noise` they take
    about as long as `n_draws` rankings of the matrix.

    References
    ----------
    Lahdelma & Salminen (2001), *SMAA-2*, Operations Research 49(3), 444-454. Tervonen & Lahdelma
    (2007), *Implementing stochastic multicriteria acceptability analysis*, European Journal of
    Operational Research 178(2), 500-513. Pairwise winning indices: Leskinen et al. (2006), Forest
    Science 52(3), 304-312.

    Examples
    --------
    >>> import robustrank as rr
    >>> board = [[0.9, 0.3], [0.6, 0.5], [0.2, 0.6]]
    >>> found = rr.smaa(board)
    >>> found.p_best.round(2).to_dict()
    {'m1': 0.6, 'm2': 0.2, 'm3': 0.2}
    >>> bool(found.can_be_first.all())
    True
    """
    matrix = ScoreMatrix.coerce(scores).resolve_missing("drop-models")
    check_count("n_draws", n_draws, 1)
    check_seed(seed)
    chosen = _check_method(method, normalization)
    # In an order of content, arrangement and names change no draw and no bit of a sum.
    work = by_content(matrix)
    named = group_datasets(matrix, by)
    groups = _arranged(named, work.scores.columns.get_indexer(matrix.scores.columns))
    restriction = read_restriction(groups, lower, upper, order)
    evaluation = Evaluation(
        scores=work.scores.to_numpy(dtype=np.float64),
        datasets=tuple(map(str, work.scores.columns)),
        groups=groups,
        method=method,
        normalization=chosen,
        noise=_arranged_noise(work, matrix, noise),
    )
    described, rng = describe_seed(seed), np.random.default_rng(seed)
    weights, drawn_how = draw_weights(rng, n_draws, restriction)
    settings = {
        "method": method,
        "normalization": chosen,
        "by": by if isinstance(by, str) else {str(name): str(group) for name, group in by.items()},
        "lower": None if lower is None else {str(name): float(x) for name, x in lower.items()},
        "upper": None if upper is None else {str(name): float(x) for name, x in upper.items()},
        "order": None if order is None else [str(name) for name in order],
        "n_draws": n_draws,
        "noise": float(noise) if isinstance(noise, Real) else None if noise is None else "given",
        "seed": described,
    }
    notes = merge_notes(matrix.notes, named.notes, remarks(evaluation), drawn_how)
    parts = _Parts(work.scores.index, named, evaluation, restriction, weights)
    return _assemble(parts, rng, notes, settings)


class _Parts(NamedTuple):
    """What is ranked and under which weights, in an order of content."""

    models: pd.Index
    named: Groups  # in the order given
    evaluation: Evaluation
    restriction: Restriction
    weights: FloatArray


def _assemble(
    parts: _Parts, rng: np.random.Generator, notes: tuple[Note, ...], settings: dict[str, Any]
) -> Acceptability:
    """Rank under every draw, find who can be first, and put the best models first."""
    models, named, evaluation, restriction, weights = parts
    counted = tally(evaluation, weights, rng)
    # The mean of uniform weights is known.
    middle = np.full(evaluation.q, 1.0 / evaluation.q) if restriction.free else weights.mean(axis=0)
    at_middle = evaluation.preferences(middle[None])[:, 0]
    firsts = np.flatnonzero(counted.acceptability[:, 0] > 0.0)
    confidence = np.full(len(models), np.nan)
    confidence[firsts] = evaluation.first_shares(firsts, counted.central[firsts], len(weights), rng)
    where: FloatArray | None = None
    if evaluation.linear:
        known = np.where(first_places(at_middle[:, None]) > 0.0, middle, counted.central)
        where = find_first(evaluation.preferences(np.eye(evaluation.q)), restriction, known)
    table = describe(
        counted.acceptability,
        n_draws=len(weights),
        rank=average_ranks(at_middle),
        confidence=confidence,
        possible=None if where is None else ~np.isnan(where[:, 0]),
        models=models,
    )
    best = best_first(table)
    names = table.index[best]

    def by_group(values: FloatArray) -> pd.DataFrame:
        """Return the rows that hold weights."""
        frame = pd.DataFrame(values[best], index=names, columns=list(evaluation.groups.names))
        return frame.dropna()[list(named.names)].rename_axis(columns=named.noun)

    return Acceptability(
        table=table.loc[names],
        rank_acceptability=pd.DataFrame(
            counted.acceptability[best],
            index=names,
            columns=pd.RangeIndex(1, len(best) + 1, name="rank"),
        ),
        pairwise=pd.DataFrame(
            counted.pairwise[np.ix_(best, best)], index=names, columns=list(names)
        ),
        central_weights=by_group(counted.central),
        first_weights=None if where is None else by_group(where),
        mean_weights=pd.Series(middle, list(evaluation.groups.names), name="weight")[
            list(named.names)
        ],
        noun=named.noun,
        notes=notes,
        settings=settings,
    )


def _check_method(method: str, normalization: Normalization | None) -> Normalization | None:
    """Return the normalisation that a method uses, None where it takes none."""
    if not isinstance(method, str) or method not in METHODS:
        raise unknown_label("method", method, METHODS)
    options = NORMALIZATIONS.get(method, ())
    if normalization is None:
        return "none" if method == "wsm" else next(iter(options), None)
    if not isinstance(normalization, str) or normalization not in options:
        known = f"takes {', '.join(map(repr, options))}" if options else "takes no normalization"
        raise ParameterError(f"{method} {known}; got {normalization!r}.")
    return normalization


def _arranged_noise(work: ScoreMatrix, matrix: ScoreMatrix, noise: Noise | None) -> FloatArray:
    """Return the standard errors of the scores where `work` has them; 0 without noise."""
    if noise is None:
        return np.zeros(work.shape)
    rows = matrix.scores.index.get_indexer(work.scores.index)
    columns = matrix.scores.columns.get_indexer(work.scores.columns)
    return read_noise(matrix, noise)[np.ix_(rows, columns)]


def _arranged(groups: Groups, places: NDArray[np.intp]) -> Groups:
    """Return the groups when each dataset goes to another place, in order of the first of each."""
    codes = np.empty_like(groups.codes)
    codes[places] = groups.codes
    arranged, order = pd.factorize(codes)
    names = tuple(groups.names[code] for code in order)
    return Groups(groups.noun, names, np.asarray(arranged, dtype=np.intp))
