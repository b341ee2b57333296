"""`decision_support`: every question about what would change a ranking, asked of one matrix."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from robustrank._groups import group_datasets
from robustrank.acceptability import smaa
from robustrank.confidence_sets import model_confidence_set, rank_confidence_sets
from robustrank.decision.support import DecisionSupport
from robustrank.errors import (
    InputError,
    ParameterError,
    check_count,
    check_level,
    check_seed,
    describe_seed,
)
from robustrank.flips import smallest_change
from robustrank.influence import dataset_influence
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, merge_notes
from robustrank.planning import datasets_needed
from robustrank.redundancy import FEW_MODELS
from robustrank.short_suites import short_suite
from robustrank.winners import correct_winner

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import pandas as pd
    from numpy.typing import ArrayLike

    from robustrank.presenting import Answer

Units = Literal["datasets", "clusters"]
Found = TypeVar("Found", bound="Answer")


def decision_support(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    by: Units = "datasets",
    tau: float = 0.95,
    top_k: int = 10,
    confidence_level: float = 0.95,
    power: float = 0.8,
    n_draws: int = 10_000,
    seed: int | np.random.Generator = 0,
    progress: Callable[[str], None] | None = None,
) -> DecisionSupport:
    """Ask what would change a ranking by mean score: every question, with its default settings.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Models with missing scores are set aside, with a note.
    by : {"datasets", "clusters"}
        What counts as one observation: each dataset, or each cluster of datasets that repeat each
        other.
    tau : float
        Kendall's τ with the whole ranking that a short suite has to reach.
    top_k : int
        What counts as the top for `dataset_influence`.
    confidence_level : float
        Of sets and intervals.
    power : float
        With which a test is to tell the leader from the runner-up.
    n_draws : int
        Weightings for `smaa`: over task types if they are known and there are several, else over
        clusters of datasets, or over datasets where models are too few to find clusters, or all
        datasets are one.
    seed : int or numpy.random.Generator
    progress : callable, optional
        Called with a sentence before each step.

    Returns
    -------
    DecisionSupport
        A question that the matrix cannot answer at these settings is left out with the reason.

    Raises
    ------
    InputError
        If a setting is out of range, or fewer than two models have every score.

    Examples
    --------
    >>> import robustrank as rr
    >>> retrieval = rr.load_example().select(task_type="Retrieval")
    >>> found = rr.decision_support(retrieval)
    >>> found.winner.leader
    'microsoft/harrier-oss-v1-27b'
    """
    if by not in get_args(Units):
        raise ParameterError(f"by must be 'datasets' or 'clusters'; got {by!r}.")
    level = check_level(confidence_level)
    alpha = round(1.0 - level, 12)  # 0.05, and not the 0.050000000000000044 of the difference
    _check_numbers(tau, power)
    check_count("top_k", top_k, 1)
    check_count("n_draws", n_draws, 1)
    check_seed(seed)
    described = describe_seed(seed)
    matrix = ScoreMatrix.coerce(scores).resolve_missing("drop-models")
    weighed = _weighed(matrix)
    questions = _Questions(progress or _say_nothing)
    found = DecisionSupport(
        acceptability=questions.ask(
            "acceptability",
            "Weighing the datasets",
            lambda: smaa(matrix, by=weighed, n_draws=n_draws, seed=seed),
        ),
        change=questions.ask(
            "change", "Looking for the smallest change", lambda: smallest_change(matrix)
        ),
        influence=questions.ask(
            "influence",
            "Leaving out datasets",
            lambda: dataset_influence(matrix, by=by, top_k=top_k),
        ),
        ranks=questions.ask(
            "ranks",
            "Confidence sets of ranks",
            lambda: rank_confidence_sets(matrix, confidence_level=level, by=by, seed=seed),
        ),
        best=questions.ask(
            "best",
            "Models that may be the best",
            lambda: model_confidence_set(matrix, alpha=alpha, by=by, seed=seed),
        ),
        needed=questions.ask(
            "needed",
            "Counting the datasets that it takes",
            lambda: datasets_needed(
                matrix, alpha=alpha, power=power, confidence_level=level, by=by, seed=seed
            ),
        ),
        suite=questions.ask(
            "suite", "Looking for a short suite", lambda: short_suite(matrix, tau=tau, seed=seed)
        ),
        winner=questions.ask(
            "winner",
            "Correcting the leader's mean",
            lambda: correct_winner(matrix, confidence_level=level, by=by, seed=seed),
        ),
        left_out=questions.left_out,
        settings={
            "by": by,
            "weights": weighed,
            "tau": tau,
            "top_k": top_k,
            "confidence_level": confidence_level,
            "power": power,
            "n_draws": n_draws,
            "seed": described,
        },
    )
    own = [Note("unanswered", f"{name}: {why}") for name, why in found.left_out.items()]
    heard = [answer.notes for _, answer in found.answers()]
    return replace(found, notes=merge_notes(matrix.notes, own, *heard))


class _Questions:
    """Asks one question after the other, and remembers which the data do not answer."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self.left_out: dict[str, str] = {}

    def ask(self, name: str, step: str, question: Callable[[], Found]) -> Found | None:
        self._tell(step)
        try:
            return question()
        except InputError as error:  # of the data, or of a default that this level does not suit
            self.left_out[name] = str(error)
            return None


def _weighed(matrix: ScoreMatrix) -> Literal["task_type", "clusters", "datasets"]:
    """Return what is weighed: task types where there are several, else clusters if they show."""
    types = matrix.datasets["task_type"]
    if types.notna().all() and len(set(types)) > 1:
        return "task_type"
    if len(matrix.scores) < FEW_MODELS:
        return "datasets"
    # A single cluster has one weighting, which asks nothing.
    return "clusters" if len(group_datasets(matrix, "clusters").names) > 1 else "datasets"


def _check_numbers(tau: object, power: object) -> None:
    """Raise, before the questions that come first, for a number that a later one would refuse."""
    if not isinstance(tau, Real) or isinstance(tau, bool) or not 0.0 < float(tau) <= 1.0:
        raise ParameterError(f"tau must lie above 0 and be at most 1, such as 0.95; got {tau!r}.")
    if not isinstance(power, Real) or not 0.0 < float(power) < 1.0:
        raise ParameterError(f"power must lie between 0 and 1, such as 0.8; got {power!r}.")


def _say_nothing(_: str) -> None:
    pass
