"""The fewest groups of datasets to drop: in closed form, by a program, or by search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank.flips import pairs
from robustrank.flips.search import descend, try_all
from robustrank.flips.terms import TIE
from robustrank.flips.together import fewest_together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._groups import Groups
    from robustrank._numeric import FloatArray
    from robustrank.flips.question import Question
    from robustrank.flips.terms import Sums, Terms


@dataclass(frozen=True, eq=False)
class Drop:
    """The fewest of q groups to drop.

    Attributes
    ----------
    dropped : tuple of int, or None
        The smallest set that was found.
    lower : int or None
        No smaller set does it; None if no set at all does.
    to_tie : int or None
        The size of the smallest set found that draws level, or better.
    fewest : ndarray, shape (m,)
        The fewest groups whose loss puts each model above `Question.over`. NaN where no set does
        it, or, if `tried` is a size, none of up to that size.
    tried : int or None
        None where `fewest` is complete.
    """

    dropped: tuple[int, ...] | None
    lower: int | None
    to_tie: int | None
    fewest: FloatArray
    tried: int | None = None


def fewest_drops(terms: Terms, groups: Groups, question: Question, time_limit: float) -> Drop:
    """Answer a question by dropping groups of datasets."""
    linear = terms.linear
    sums = None if linear is None else linear.sums(groups)
    if sums is not None:
        return _from_sums(terms, groups, question, sums, time_limit)
    # One dataset each: a cluster of several would be lost as a whole.
    if linear is not None and linear.types is not None and len(groups.names) == len(groups.codes):
        return _from_types(terms, groups, question, linear.contributions, linear.types)
    return _from_search(terms, groups, question)


def _from_sums(
    terms: Terms, groups: Groups, question: Question, sums: Sums, time_limit: float
) -> Drop:
    differences = sums.terms - sums.terms[question.over]
    fewest = pairs.fewest(differences, sums.mass)
    if question.answered:
        return Drop((), 0, 0, fewest)
    if question.goal == "pass":
        to_tie = _least(question, pairs.fewest(differences, sums.mass, -TIE))
        winner = question.quickest(fewest)
        if winner is None:
            return Drop(None, None, to_tie, fewest)
        size = int(fewest[winner])
        dropped = pairs.least_favourable(differences[winner] - TIE * sums.mass, size)
        return Drop(dropped, size, to_tie, fewest)
    advantages = sums.terms[question.challengers] - question.others(sums.terms)
    found = fewest_together(advantages, sums.mass, time_limit)
    best = found.dropped
    if found.lower is not None and (best is None or len(best) > found.lower):
        other = descend(terms.kernel, groups.member.astype(np.float64), question)
        if best is None or (other is not None and len(other) < len(best)):
            best = other
    return Drop(best, found.lower, _no_more(found.to_tie, best), fewest)


def _from_types(
    terms: Terms,
    groups: Groups,
    question: Question,
    contributions: FloatArray,
    types: NDArray[np.intp],
) -> Drop:
    """Drop datasets where types count the same: exact for pairs, which bound all at once."""
    differences = contributions - contributions[question.over]
    fewest, split = pairs.fewest_by_type(differences, types)
    if question.answered:
        return Drop((), 0, 0, fewest)
    if question.goal == "pass":
        to_tie = _least(question, pairs.fewest_by_type(differences, types, -TIE)[0])
        winner = question.quickest(fewest)
        if winner is None:
            return Drop(None, None, to_tie, fewest)
        dropped = pairs.least_favourable_by_type(differences[winner], types, split[winner])
        return Drop(dropped, len(dropped), to_tie, fewest)
    advantages = contributions[question.challengers] - question.others(contributions)
    alone, _ = pairs.fewest_by_type(advantages, types)
    if np.isnan(alone).any():
        tried = try_all(terms.kernel, groups.member.astype(np.float64), question)
        return Drop(None, None, tried.to_tie, fewest)
    found = _from_search(terms, groups, question)
    lower = None if found.lower is None else max(found.lower, int(alone.max()))
    return Drop(found.dropped, lower, found.to_tie, fewest)


def _from_search(terms: Terms, groups: Groups, question: Question) -> Drop:
    member = groups.member.astype(np.float64)
    tried = try_all(terms.kernel, member, question)
    up_to = None if tried.everything else tried.up_to
    dropped = () if question.answered else tried.dropped
    if dropped is not None or tried.everything:
        lower = None if dropped is None else len(dropped)
        return Drop(dropped, lower, tried.to_tie, tried.fewest, up_to)
    found = descend(terms.kernel, member, question)
    return Drop(found, tried.up_to + 1, _no_more(tried.to_tie, found), tried.fewest, up_to)


def _no_more(to_tie: int | None, dropped: tuple[int, ...] | None) -> int | None:
    """Return the fewest that draw level or better: a set that passes is one."""
    if dropped is None or (to_tie is not None and to_tie <= len(dropped)):
        return to_tie
    return len(dropped)


def _least(question: Question, sizes: FloatArray) -> int | None:
    known = sizes[question.challengers]
    return None if np.isnan(known).all() else int(np.nanmin(known))
