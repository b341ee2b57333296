"""Aggregates that do not add up: all small sets of groups tried, and a greedy descent beyond."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from robustrank.flips.terms import TIE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.aggregation import Kernel
    from robustrank.flips.question import Question

#: All sets of a size are tried as long as they take this many numbers, models × datasets × sets:
#: all pairs of 131 datasets on a board of 300 models, all triples of 40 on one of 100.
_CELLS = 500_000_000
#: How many of several challengers are also tried one by one.
_NEAREST = 5
#: Numbers in a block of aggregates, models × sets.
_BLOCK = 1_000_000


@dataclass(frozen=True, eq=False)
class Tried:
    """What all sets up to some size do.

    Attributes
    ----------
    up_to : int
        The size.
    everything : bool
        Whether there is no larger set.
    dropped : tuple of int, or None
        A smallest set that answers the question: of several, the one with the largest lead.
    to_tie : int or None
        Size of the smallest set that draws level, or better.
    fewest : ndarray, shape (m,)
        Size of the smallest set that puts each model above `Question.over`; NaN if none was found.
    """

    up_to: int
    everything: bool
    dropped: tuple[int, ...] | None
    to_tie: int | None
    fewest: FloatArray


def try_all(kernel: Kernel, member: FloatArray, question: Question) -> Tried:
    """Drop every set of groups of the sizes that can be afforded, and every single group.

    Parameters
    ----------
    kernel : Kernel
    member : ndarray, shape (q, n)
        1 where a dataset is in a group.
    question : Question
    """
    m, (q, n) = len(question.aggregates), member.shape
    fewest = np.where(question.aggregates - question.aggregates[question.over] > TIE, 0.0, np.nan)
    dropped: tuple[int, ...] | None = None
    to_tie = 0 if question.level else None
    size, spent = 0, 0
    while size < q - 1 and (size == 0 or spent + comb(q, size + 1) * m * n <= _CELLS):
        size += 1
        spent += comb(q, size) * m * n
        best_lead = TIE
        for sets, values in _blocks(kernel, member, size, m):
            lead = question.lead(values)
            place = int(lead.argmax())
            if lead[place] > best_lead and (dropped is None or len(dropped) == size):
                best_lead, dropped = lead[place], tuple(map(int, sets[place]))
            if to_tie is None and lead[place] >= -TIE:
                to_tie = size
            passes = (values - values[question.over] > TIE).any(axis=1)
            fewest[passes & np.isnan(fewest)] = size
    return Tried(size, size >= q - 1, dropped, to_tie, fewest)


def _blocks(
    kernel: Kernel, member: FloatArray, size: int, m: int
) -> Iterator[tuple[NDArray[np.intp], FloatArray]]:
    """Yield sets of groups, shape (b, size), and the aggregates without them, shape (m, b)."""
    q = len(member)
    sets = np.array(list(combinations(range(q), size)), dtype=np.intp)
    length = max(1, _BLOCK // max(m, member.shape[1]))
    for start in range(0, len(sets), length):
        block = sets[start : start + length]
        yield block, kernel(1.0 - member[block].sum(axis=1))


def descend(kernel: Kernel, member: FloatArray, question: Question) -> tuple[int, ...] | None:
    """Drop groups one by one, each time the one that helps most, and then put back what can be.

    Once for all challengers together, and once for each of the nearest.

    Returns
    -------
    tuple of int, or None
        The smallest set found that answers the question; no part of it that lacks one group does.
        None if no descent ended in a set.
    """
    nearest = np.argsort(-question.aggregates[question.challengers], kind="stable")[:_NEAREST]
    alone = [replace(question, challengers=question.challengers[[place]]) for place in nearest]
    best: tuple[int, ...] | None = None
    for asked in [question, *alone] if len(question.challengers) > 1 else [question]:
        most = len(member) - 1 if best is None else len(best) - 1
        dropped = _one_by_one(kernel, member, asked, most)
        if dropped is not None:
            best = _without_spare(kernel, member, asked, dropped)
    return best


def _one_by_one(
    kernel: Kernel, member: FloatArray, question: Question, most: int
) -> tuple[int, ...] | None:
    """Drop at most so many groups; None if they are not enough."""
    dropped: list[int] = []
    kept = list(range(len(member)))
    while len(dropped) < most:
        counts = member[kept].sum(axis=0) - member[kept]
        lead = question.lead(kernel(counts))
        place = int(lead.argmax())
        dropped.append(kept.pop(place))
        if lead[place] > TIE:
            return tuple(dropped)
    return None


def _without_spare(
    kernel: Kernel, member: FloatArray, question: Question, dropped: tuple[int, ...]
) -> tuple[int, ...]:
    """Put groups back, the first dropped first, without which the question is answered too."""
    for group in dropped:
        fewer = tuple(other for other in dropped if other != group)
        counts = 1.0 - member[list(fewer)].sum(axis=0, keepdims=True)
        if question.lead(kernel(counts))[0] > TIE:
            dropped = fewer
    return dropped
