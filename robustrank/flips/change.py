"""`smallest_change`: the fewest datasets to drop, the least weight to move, for another order."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._arrange import by_content
from robustrank._groups import group_datasets
from robustrank._numeric import single_threaded
from robustrank.aggregation import Aggregate, resolve_aggregate
from robustrank.errors import ParameterError
from robustrank.flips.board import Board
from robustrank.flips.drops import fewest_drops
from robustrank.flips.question import Goal, ask
from robustrank.flips.result import SmallestChange
from robustrank.flips.terms import prepare_terms
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes
from robustrank.redundancy import FEW_MODELS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._groups import Groups
    from robustrank.flips.drops import Drop
    from robustrank.flips.terms import Terms

#: What can be changed: groups of datasets dropped, or weights moved.
Change = Literal["datasets", "clusters", "task_type", "weights"]


def smallest_change(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    model: str | None = None,
    over: str | None = None,
    goal: Goal = "pass",
    change: Change | Iterable[str] | None = None,
    aggregate: str | Aggregate = "mean",
    time_limit: float = 10.0,
) -> SmallestChange:
    """Find the smallest change of a benchmark after which models stand in another order.

    How many datasets, clusters of datasets that repeat each other, or task types have to be
    dropped, at least; and how much of the weight has to move from some datasets to others. By
    default, for any model to pass the leader.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Models with missing scores are set aside, with a note.
    model : str, optional
        The model that is to pass; by default any that is not above `over`.
    over : str, optional
        The model to be passed; by default the leader, or the leader of the others if it is `model`.
    goal : {"pass", "first"}
        ``"first"``: `model` is to stand above every other one at once.
    change : {"datasets", "clusters", "task_type", "weights"} or iterable of them, optional
        By default all that apply: task types must be known, and the aggregate must be a weighted
        mean for its weights to be moved.
    aggregate : str
        What ranks the models: a name in `AGGREGATES`.
    time_limit : float
        Seconds for each of the integer programs of ``"first"``. What is found until then is
        reported with what is proven.

    Returns
    -------
    SmallestChange

    Raises
    ------
    InputError
        If a model or an aggregate is unknown, a model that is named has missing scores, task types
        are asked for and not known, or a setting is out of range.

    Notes
    -----
    To pass is to stand strictly above; aggregates equal to 10 decimals are tied.

    For sums over datasets (means, Borda counts, Bradley-Terry strengths, WSM and PROMETHEE II with
    equal weights) and one pair, dropping the groups with the largest differences is optimal. Where
    task types count the same, dynamic programming over types is. One model above all others at once
    is an integer program. For the other aggregates all small sets are tried, and a greedy descent
    gives an upper bound.

    References
    ----------
    T. Broderick, R. Giordano & R. Meager (2020), *An Automatic Finite-Sample Robustness Metric:
    When Can Dropping a Little Data Make a Big Difference?*, arXiv:2011.14999; on leaderboards,
    J. Y. Huang, Y. Shen, D. Wei & T. Broderick (2025), *Dropping Just a Handful of Preferences Can
    Change Top Large Language Model Rankings*, arXiv:2508.11847; for weights, E. Triantaphyllou &
    A. Sánchez (1997), *A Sensitivity Analysis Approach for Some Deterministic Multi-Criteria
    Decision-Making Methods*, Decision Sciences 28(1), 151-194.

    Examples
    --------
    >>> import robustrank as rr
    >>> board = [[0.7, 0.6, 0.9, 0.9], [0.8, 0.7, 0.8, 0.7], [0.2, 0.3, 0.1, 0.4]]
    >>> found = rr.smallest_change(board, change="datasets")
    >>> found
    SmallestChange: m1 leads by mean; m2 passes it once 1 of 4 datasets is dropped (d4).
    >>> rr.smallest_change(board, model="m3", change="datasets").headline
    'No choice of datasets can put m3 above m1: m1 scored at least as high as m3 on every dataset.'
    """
    given = ScoreMatrix.coerce(scores)
    chosen = resolve_aggregate(aggregate)
    if isinstance(time_limit, bool) or not isinstance(time_limit, Real) or not time_limit > 0:
        raise ParameterError(f"time_limit must be a number of seconds above 0; got {time_limit!r}.")
    complete = given.resolve_missing("drop-models")
    # In an order of content, arrangement and names change no number and no choice between ties.
    work = by_content(complete)
    terms, notes = prepare_terms(work, chosen)
    values = terms.kernel(np.ones((1, work.shape[1])))[:, 0]
    question = ask(given, work, values, model, over, goal)
    kinds, left_out = _kinds(work, terms, change, chosen)
    board = Board(work, terms, question)
    rows: dict[str, dict[str, Any]] = {}
    dropped = {}
    margins, weights = board.margins(), None
    with single_threaded():
        for kind in kinds:
            if kind == "weights" and terms.linear is not None:
                rows[kind], weights, margins[kind] = board.moved(terms.linear)
                continue
            groups = group_datasets(work, kind)
            found = fewest_drops(terms, groups, question, float(time_limit))
            rows[kind], dropped[kind] = board.dropped(groups, found)
            margins[kind] = found.fewest
            notes += [*groups.notes, *_doubts(groups, found)]
    return SmallestChange(
        table=pd.DataFrame.from_dict(rows, orient="index").rename_axis("change"),
        dropped=_stacked(dropped),
        weights=None if weights is None else weights.loc[complete.scores.columns],
        margins=margins.iloc[board.rivals()],
        goal=goal,
        model=None if model is None else str(model),
        over=str(work.scores.index[question.over]),
        lead=question.lead_now,
        notes=merge_notes(complete.notes, left_out, notes),
        settings={
            "model": model,
            "over": over,
            "goal": goal,
            "change": list(kinds),
            "aggregate": chosen.name,
            "time_limit": float(time_limit),
            "n_models": work.shape[0],
            "n_datasets": work.shape[1],
        },
    )


def _kinds(
    work: ScoreMatrix, terms: Terms, change: Change | Iterable[str] | None, aggregate: Aggregate
) -> tuple[list[Change], list[Note]]:
    """Return the kinds of change, and notes on those that do not apply."""
    if change is not None:
        asked = (
            [change]
            if isinstance(change, str) or not isinstance(change, Iterable)
            else list(change)
        )
        unknown = [kind for kind in asked if kind not in get_args(Change)]
        if unknown or not asked:
            options = ", ".join(map(repr, get_args(Change)))
            raise ParameterError(f"change must be one or more of {options}; got {change!r}.")
        if "weights" in asked and terms.linear is None:
            raise ParameterError(
                f"{aggregate.name!r} is no weighted mean, so that there are no weights to move. "
                "Leave 'weights' out of change, or rank by another aggregate."
            )
        return [kind for kind in get_args(Change) if kind in asked], []
    notes, kinds = [], list(get_args(Change))
    if len(work.scores) < FEW_MODELS:
        kinds.remove("clusters")
        message = (
            f"Clusters left out: {count(len(work.scores), 'model')} cannot show which datasets "
            "repeat each other."
        )
        notes.append(Note("no-clusters", message))
    types = work.datasets["task_type"]
    if types.isna().any() or len(set(types)) == 1:
        kinds.remove("task_type")
        why = "not all datasets have one" if types.isna().any() else "there is one only"
        notes.append(Note("no-task-types", f"Task types left out: {why}."))
    if terms.linear is None:
        kinds.remove("weights")
        message = f"Weights left out: {aggregate.name} is no weighted mean of what datasets say."
        notes.append(Note("no-weights", message))
    return kinds, notes


def _doubts(groups: Groups, found: Drop) -> list[Note]:
    """Return notes on what is not proven."""
    size = None if found.dropped is None else len(found.dropped)
    notes = []
    if size != found.lower:
        done = "none was found" if size is None else f"the set of {size} that is given does it"
        message = (
            f"The fewest {groups.noun}s to drop are not proven: it takes {found.lower} at least, "
            f"and {done}."
        )
        notes.append(Note("not-proven", message))
    if found.tried is not None and np.isnan(found.fewest).sum() > 1:
        message = (
            f"Models without a number of {groups.noun}s in margins need more than {found.tried}, "
            "if any set does it: larger ones were not tried for each."
        )
        notes.append(Note("margins-in-part", message))
    return notes


def _stacked(dropped: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the tables of all kinds below each other; an empty one if there are none."""
    tables = dropped or {"": pd.DataFrame(columns=["n_datasets", "difference", "lead_after"])}
    return pd.concat(tables.values(), keys=tables.keys(), names=["change", "group"])
