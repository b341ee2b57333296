"""Instance-level item response theory: each test instance is an item, answered right or wrong.

The dichotomous two-parameter logistic model by penalised marginal maximum likelihood, as in
*MTEB-PT* (2026), §8.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._numeric import single_threaded
from robustrank.errors import EmptyMatrixError, ParameterError, check_count
from robustrank.irt._fisher import answer_information
from robustrank.irt._instance_notes import constant_items, data_notes
from robustrank.irt._mml import MarginalFit, Prior
from robustrank.irt._responses import Patterns, parse_responses, refuse_empty
from robustrank.irt._scoring import align_responses, score
from robustrank.irt._wording import describe_instances
from robustrank.irt.engine_girth import girth_items
from robustrank.irt.plots import IRTPlots
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray
    from robustrank.irt._quadrature import Posterior

InstanceEngine = Literal["numpy", "girth"]


@dataclass(frozen=True, eq=False, repr=False)
class InstanceIRT:
    """Abilities of models, and discriminations and difficulties of items.

    The probability that a model answers an item right is 1 / (1 + exp(-a (θ - b))).

    Attributes
    ----------
    ability, ability_se : Series
        Mean and standard deviation of the posterior of θ per model, given the items; the
        uncertainty about the items is not in it.
    accuracy : Series
        Share of right answers per model, among those given.
    discrimination, discrimination_se : Series
        a > 0 per item, and its standard error.
    difficulty, difficulty_se : Series
        b per item: the ability at which right and wrong are equally likely; and its standard error.
    responses : DataFrame, model × item
        What was fitted: 1 right, 0 wrong, NaN missing.
    log_likelihood : float
        Marginal log-likelihood of all responses.
    objective : tuple of float
        Log-likelihood plus log-density of the priors (up to a constant), at the start and after
        each iteration; empty with engine ``"girth"``.
    n_iterations : int or None
        None with engine ``"girth"``, which does not say.
    converged : bool or None
    n_nodes : int
        Number of abilities that integrals were taken over.
    engine : str
    notes : tuple of Note
    """

    ability: pd.Series
    ability_se: pd.Series
    accuracy: pd.Series
    discrimination: pd.Series
    discrimination_se: pd.Series
    difficulty: pd.Series
    difficulty_se: pd.Series
    responses: pd.DataFrame
    log_likelihood: float
    objective: tuple[float, ...]
    n_iterations: int | None
    converged: bool | None
    n_nodes: int
    engine: InstanceEngine
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return describe_instances(self)

    @property
    def plot(self) -> IRTPlots:
        """Figures: ``fit.plot.items()``, ``fit.plot.information()``."""
        a, b = self.discrimination.to_numpy(), self.difficulty.to_numpy()
        return IRTPlots(
            pd.concat([self.discrimination, self.difficulty], axis="columns"),
            self.ability,
            information=lambda theta: np.nansum(answer_information(a, b, theta), axis=0),
            information_label="test information Σ a² p (1 − p)",
            discrimination_interval=_interval(self.discrimination, self.discrimination_se),
            difficulty_interval=_interval(self.difficulty, self.difficulty_se),
            noun="item",
        )

    def score_new(self, responses: pd.DataFrame | pd.Series | ArrayLike) -> pd.DataFrame:
        """Return the abilities of other models, from their answers to the items of this fit.

        Parameters
        ----------
        responses : DataFrame, Series or array_like
            Models × items (a Series or one dimension: one model). A frame may lack items: they
            count as missing. Without labels, all items are needed, in the order of the fit.

        Returns
        -------
        DataFrame
            Index ``model``: ``ability`` and ``ability_se``, the mean and standard deviation of the
            posterior.

        Raises
        ------
        UnknownLabelError
            If an item was not in the fit.
        MissingScoresError
            If a model has no response.
        """
        table = align_responses(responses, self.discrimination.index)
        a, b = self.discrimination.to_numpy(), self.difficulty.to_numpy()
        found = score(table.to_numpy(), a, -a * b, self.n_nodes)
        columns = {"ability": found.mean, "ability_se": found.deviation}
        return pd.DataFrame(columns, index=table.index)


def _interval(estimate: pd.Series, standard_error: pd.Series) -> pd.DataFrame:
    """Return where about 95% of the estimates of the same quantity lie."""
    reach = 1.96 * standard_error
    return pd.DataFrame({"low": estimate - reach, "high": estimate + reach})


def check_fit(fit: object) -> None:
    """Raise unless `fit` is what `fit_2pl_instances` returned."""
    if not isinstance(fit, InstanceIRT):
        raise ParameterError(
            f"A fit of right and wrong answers is needed here; got {type(fit).__name__}. Fit the "
            "answers first: fit_2pl_instances(responses)."
        )


def fit_2pl_instances(
    responses: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    engine: InstanceEngine = "numpy",
    n_nodes: int = 201,
    max_iterations: int = 500,
    tolerance: float = 1e-6,
    log_discrimination_sd: float = 1.0,
    intercept_sd: float = 3.0,
) -> InstanceIRT:
    """Fit the two-parameter logistic model to right and wrong answers.

    Parameters
    ----------
    responses : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × items: 1 or True where the model is right, 0 or False where it is wrong; missing
        responses are left out, not counted as wrong.
    engine : {"numpy", "girth"}
        ``"girth"`` takes the items' parameters from the library of that name: at most 200 items,
        without priors or standard errors, items that all models got right (or wrong) set aside.
    n_nodes : int
        Least number of abilities to integrate over; more are taken as soon as the posterior of any
        model is narrower than the distance between them.
    max_iterations : int
    tolerance : float
        The fit has converged when no log a and no intercept d = -a b moves by more. Not for girth.
    log_discrimination_sd, intercept_sd : float
        Standard deviations of the normal priors of log a and d, with mean 0. Not for girth.

    Returns
    -------
    InstanceIRT

    Raises
    ------
    NonNumericError
        If a cell is neither 0, 1 nor missing; scores between 0 and 1 are for `fit_2pl`.
    MissingScoresError
        If a model or an item has no response.
    EmptyMatrixError
        If there are fewer than two models or items.

    Notes
    -----
    Abilities have a standard normal prior. Their integrals are sums over an equally spaced grid
    that is refined and widened as the posteriors need: with the 21 nodes of Gauss–Hermite
    quadrature, 37 models on 5,208 items would share six abilities. Models with the same responses
    get the very same ability, and neither order nor names change a bit of any result.
    """
    if engine not in get_args(InstanceEngine):
        raise ParameterError(f"engine must be 'numpy' or 'girth'; got {engine!r}.")
    check_count("n_nodes", n_nodes, 21)
    check_count("max_iterations", max_iterations, 1)
    settings = {
        "tolerance": tolerance,
        "log_discrimination_sd": log_discrimination_sd,
        "intercept_sd": intercept_sd,
    }
    for name, value in settings.items():
        if not isinstance(value, Real) or not 0.0 < value < math.inf:
            raise ParameterError(f"{name} must be a positive number; got {value!r}.")
    table = parse_responses(responses)
    refuse_empty(table, "model")
    refuse_empty(table, "item")
    m, n = table.shape
    if min(m, n) < 2:
        raise EmptyMatrixError(
            f"The table has {count(m, 'model')} and {count(n, 'item')}; a fit needs at least two "
            "of each. Rows are models, columns items."
        )
    given = responses.notes if isinstance(responses, ScoreMatrix) else ()
    notes = merge_notes(given, data_notes(table))
    if engine == "girth":
        return _by_girth(table, n_nodes, max_iterations, notes)
    prior = Prior(log_discrimination_sd, intercept_sd)
    return _by_numpy(table, prior, n_nodes, max_iterations, tolerance, notes)


def _by_numpy(
    table: pd.DataFrame,
    prior: Prior,
    n_nodes: int,
    max_iterations: int,
    tolerance: float,
    notes: tuple[Note, ...],
) -> InstanceIRT:
    patterns = Patterns.of(table)
    with single_threaded():
        fit = MarginalFit(patterns, prior, n_nodes).run(max_iterations, tolerance)
        covariance = fit.covariance()[patterns.item_of]
    alpha, d = fit.parameters[patterns.item_of].T
    a = np.exp(alpha)
    b = -d / a
    # By the delta method: b = -d exp(-α) changes by -b per α and by -1 / a per d.
    variance_b = (
        b**2 * covariance[:, 0, 0] + covariance[:, 1, 1] / a**2 + 2.0 * b / a * covariance[:, 0, 1]
    )
    notes += tuple(constant_items(table))
    if not fit.converged:
        message = (
            f"The fit has not converged after {count(fit.n_iterations, 'iteration')}; "
            "raise max_iterations."
        )
        notes += (Note("not-converged", message),)
    se = np.column_stack([a * np.sqrt(covariance[:, 0, 0]), np.sqrt(variance_b)])
    return InstanceIRT(
        **_labelled(table, fit.posterior, patterns.model_of, np.column_stack([a, b]), se),
        log_likelihood=fit.log_likelihood,
        objective=tuple(fit.objective),
        n_iterations=fit.n_iterations,
        converged=fit.converged,
        engine="numpy",
        notes=notes,
    )


def _by_girth(
    table: pd.DataFrame, n_nodes: int, max_iterations: int, notes: tuple[Note, ...]
) -> InstanceIRT:
    items, girth_notes = girth_items(table, max_iterations)
    a, b = items.T
    found = score(table.to_numpy(), a, -a * b, n_nodes)
    return InstanceIRT(
        **_labelled(table, found, np.arange(len(table)), items, np.full_like(items, np.nan)),
        log_likelihood=float(found.evidence.sum()),
        objective=(),
        n_iterations=None,
        converged=None,
        engine="girth",
        notes=merge_notes(notes, girth_notes),
    )


def _labelled(
    table: pd.DataFrame,
    found: Posterior,
    models: NDArray[np.intp],
    items: FloatArray,
    standard_errors: FloatArray,
) -> dict[str, Any]:
    """Return the fields that both engines fill alike; `models` are the rows of the posterior."""
    names = ["discrimination", "difficulty"]
    by_item = pd.DataFrame(items, index=table.columns, columns=names)
    errors = pd.DataFrame(standard_errors, index=table.columns, columns=names).add_suffix("_se")
    by_model = pd.DataFrame(
        {"ability": found.mean[models], "ability_se": found.deviation[models]}, index=table.index
    )
    columns = [*by_item.items(), *errors.items(), *by_model.items()]
    return {
        **{str(name): column for name, column in columns},
        "accuracy": table.mean(axis=1).rename("accuracy"),
        "responses": table,
        "n_nodes": len(found.grid.nodes),
    }
