"""Which bars join the members of groups, and how few levels hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Bar(NamedTuple):
    """A group as it is drawn: positions of its members, of which there are two at least."""

    members: tuple[int, ...]
    #: Whether it has members beyond what is drawn.
    goes_on: bool
    #: 0 is next to the axis.
    level: int

    @property
    def ends(self) -> tuple[int, int]:
        """Its first and last position."""
        return self.members[0], self.members[-1]


def group_bars(groups: Iterable[Iterable[str]], places: Mapping[str, int], shown: int) -> list[Bar]:
    """Return the bars of the groups among the first `shown` names, on as few levels as needed.

    Parameters
    ----------
    groups : iterable of iterable of str
    places : mapping of str to int
        Position of each name, from 0 without gaps.
    shown : int
        Bars that only go over the same names as another one are left out.

    Returns
    -------
    list of Bar
        From the first to the last.
    """
    whole = [sorted(places[name] for name in group) for group in groups]
    cut = {
        (tuple(i for i in members if i < shown), members[-1] >= shown)
        for members in whole
        if len(members) > 1 and members[0] < shown
    }
    largest: list[tuple[set[int], bool]] = []
    for members, goes_on in sorted(cut, key=lambda bar: (-len(bar[0]), not bar[1], bar[0])):
        if not any(kept.issuperset(members) and on >= goes_on for kept, on in largest):
            largest.append((set(members), goes_on))
    bars: list[Bar] = []
    free: list[int] = []  # the first free position of each level
    # Taking intervals by their start and the lowest free level needs the fewest levels.
    for members, goes_on in sorted((tuple(sorted(kept)), on) for kept, on in largest):
        start, end = members[0], shown if goes_on else members[-1]
        level = next((i for i, place in enumerate(free) if place <= start), len(free))
        free[level : level + 1] = [end + 1]
        bars.append(Bar(members, goes_on, level))
    return bars
