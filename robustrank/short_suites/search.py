"""The fewest datasets whose ranking agrees with that of all of them."""

from __future__ import annotations

from itertools import islice
from numbers import Real
from typing import TYPE_CHECKING, get_args

import numpy as np

from robustrank._arrange import by_content
from robustrank.aggregation import Aggregate, resolve_aggregate
from robustrank.errors import ParameterError, check_count, check_seed, describe_seed
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes
from robustrank.short_suites._agreement import Reference, smallest
from robustrank.short_suites._costs import Cost, dataset_costs
from robustrank.short_suites._orders import (
    Method,
    dataset_information,
    first_suites,
    order_datasets,
)
from robustrank.short_suites._tables import compare_suites, suite_curve, suite_ranks
from robustrank.short_suites._trials import RandomSuites, held_out_tau, spare
from robustrank.short_suites.suite import ShortSuite

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray

#: Folds hold at least so many models: smaller ones have few pairs to compare.
_SMALLEST_FOLD = 4
_FEWEST_TO_SPLIT = 2 * _SMALLEST_FOLD
#: With fewer models than this, suites often keep less than τ on new ones (benchmarks).
_FEW = 40


def short_suite(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    tau: float = 0.95,
    method: Method = "greedy",
    aggregate: str | Aggregate = "mean",
    cost: Cost = None,
    max_size: int | None = None,
    folds: int = 5,
    repeats: int = 10,
    n_random: int = 200,
    seed: int | np.random.Generator = 0,
) -> ShortSuite:
    """Find the fewest datasets whose ranking agrees with that of all datasets.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Models with missing scores are set aside.
    tau : float
        Kendall's τ-b that the suite's ranking must have with the full one, above 0 and at most 1.
    method : {"greedy", "information", "backward"}
        How datasets are chosen: add the one by which τ gains most; add the one that tells most
        about abilities under the two-parameter logistic model (`fit_2pl`); or start from all and
        drop the one whose loss costs τ least. With `cost`, most or least for its cost.
    aggregate : str or Aggregate
        What ranks the models, of `AGGREGATES`.
    cost : str, mapping or Series, optional
        Dataset → cost above 0, or a column of ``ScoreMatrix.datasets``, such as
        ``"n_instances"``. By default all cost 1.
    max_size : int, optional
        Look at no larger suites.
    folds : int
        The models are dealt into as many folds, of 4 or more. Each in turn is held out while the
        others choose.
    repeats : int
        How many times they are dealt anew.
    n_random : int
        Random orders of the datasets to compare with.
    seed : int or numpy.random.Generator

    Returns
    -------
    ShortSuite
        The suite is chosen by all models. Its size is the smallest at which both τ on these and τ
        on held-out models, less its standard error, are at least `tau`.

    Raises
    ------
    UnknownLabelError
        If there is no such aggregate, or no such column of costs.
    ParameterError
        If a setting is out of its range, or ``"information"`` cannot be had: under three models or
        three datasets that tell models apart.
    EmptyMatrixError
        If fewer than two models have all scores.

    Notes
    -----
    For each fold the datasets are chosen anew without its models; τ is taken over the pairs of
    models within it and pooled over folds, and its standard error is the jackknife's over models.
    By the models that chose them, suites look better than they are; and the first size at which a
    noisy τ is high enough is too small in half of all cases, hence the standard error to spare.

    References
    ----------
    Forward selection and backward elimination: A. Miller, *Subset Selection in Regression* (2nd
    ed., 2002), ch. 3. τ-b: M. G. Kendall, *Rank Correlation Methods* (1948). Held-out folds: M.
    Stone, *Cross-validatory choice and assessment of statistical predictions*, J. R. Stat. Soc. B
    36 (1974). Jackknife: J. N. Arvesen, *Jackknifing U-statistics*, Ann. Math. Stat. 40 (1969).

    Examples
    --------
    >>> import robustrank as rr
    >>> board = rr.load_example().select(task_type="Clustering")
    >>> rr.short_suite(board, tau=0.8).size
    2
    """
    _check_settings(tau, method, max_size, folds, repeats, n_random, seed)
    drawn_from = describe_seed(seed)  # as it is before anything is drawn
    entry = resolve_aggregate(aggregate)
    matrix = ScoreMatrix.coerce(scores).resolve_missing("drop-models")
    work = by_content(matrix)
    prices = dataset_costs(matrix, cost)
    costs = prices[work.scores.columns].to_numpy()
    if method == "information" and not dataset_information(work).any():
        raise ParameterError(
            "method='information' needs three models and three datasets that tell models apart. "
            "Choose 'greedy' or 'backward'."
        )
    m, n = work.shape
    rng = np.random.default_rng(seed)
    size = min(max_size or n, n)
    order = np.fromiter(islice(order_datasets(work, entry, method, costs), size), dtype=np.intp)
    kernel = entry.prepare(work)
    full, values = kernel(np.ones((1, n)))[:, 0], kernel(first_suites(order, n))
    in_sample = Reference.of(full).tau(values)
    parts = min(folds, m // _SMALLEST_FOLD)
    held_out, error = np.full((2, size), np.nan)
    if m >= _FEWEST_TO_SPLIT:
        held_out, error = held_out_tau(
            work, entry, method, costs, in_sample, tau, folds=parts, repeats=repeats, rng=rng
        )
    randoms = RandomSuites.draw(kernel, full, costs, n_random, rng)
    curve = suite_curve(work, order, costs, full, values, in_sample, held_out, error, randoms)
    judged = spare(in_sample, held_out, error) if m >= _FEWEST_TO_SPLIT else in_sample
    chosen = smallest(judged[: n - 1], float(tau))
    suite = np.full(m, np.nan) if chosen is None else values[:, chosen - 1]
    return ShortSuite(
        size=chosen,
        cost=None if chosen is None else float(curve["cost"].iloc[chosen - 1]),
        n_datasets=n,
        datasets=tuple(curve["dataset"].iloc[: chosen or 0]),
        curve=curve,
        comparison=compare_suites(curve, chosen, float(tau), randoms),
        ranks=suite_ranks(matrix, work, full, suite),
        settings={
            "tau": float(tau),
            "method": method,
            "aggregate": entry.name,
            "cost": cost if cost is None or isinstance(cost, str) else prices.to_dict(),
            "max_size": max_size,
            "folds": folds,
            "repeats": repeats,
            "n_random": n_random,
            "seed": drawn_from,
        },
        notes=merge_notes(matrix.notes, _notes(full, m, folds)),
    )


def _notes(full: FloatArray, m: int, folds: int) -> list[Note]:
    notes = []
    if Reference.of(full).untied == 0:
        message = "All models tie on the full suite: there is no ranking to keep."
        notes.append(Note("no-ranking", message))
    if m < _FEWEST_TO_SPLIT:
        message = (
            f"{count(m, 'model')} are too few to hold some out, so suites are judged by the models "
            "that they were chosen by, which flatters them."
        )
        notes.append(Note("no-holdout", message))
    elif m // _SMALLEST_FOLD < folds:
        made = m // _SMALLEST_FOLD
        message = f"{m} models make {made} folds of {_SMALLEST_FOLD} and more, not {folds}."
        notes.append(Note("fewer-folds", message))
    if _FEWEST_TO_SPLIT <= m < _FEW:
        message = (
            f"τ of {count(m, 'model')} rests on {m * (m - 1) // 2} pairs: on new models it falls "
            "short of what is asked about as often as not."
        )
        notes.append(Note("few-models", message))
    return notes


def _check_settings(
    tau: object,
    method: object,
    max_size: object,
    folds: object,
    repeats: object,
    n_random: object,
    seed: object,
) -> None:
    if not isinstance(tau, Real) or isinstance(tau, bool) or not 0.0 < float(tau) <= 1.0:
        raise ParameterError(f"tau must lie above 0 and be at most 1, such as 0.95; got {tau!r}.")
    if method not in get_args(Method):
        options = ", ".join(map(repr, get_args(Method)))
        raise ParameterError(f"method must be one of {options}; got {method!r}.")
    if max_size is not None:
        check_count("max_size", max_size, 1)
    check_count("folds", folds, 2)
    check_count("repeats", repeats, 1)
    check_count("n_random", n_random, 1)
    check_seed(seed)
