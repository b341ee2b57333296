"""Trees beside the rows of a heatmap: what merges, and at which height."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.collections import LineCollection
from matplotlib.transforms import blended_transform_factory

from robustrank.figures import style
from robustrank.figures.colorbar import inches_from

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd
    from matplotlib.axes import Axes

    from robustrank._dendrogram import Dendrogram

    #: Two sides and the height at which they merge.
    Merge = tuple[int, int, float]

#: Width of a tree, unless it needs another, in inches.
WIDTH: Final = 1.2

_SPACE = 0.06


def draw_tree(
    ax: Axes,
    merges: Iterable[Merge],
    leaves: int,
    *,
    leaf: float = 0.0,
    width: float = WIDTH,
) -> Axes:
    """Draw a tree at the left of axes whose rows are its leaves.

    Parameters
    ----------
    ax : Axes
        With limits that are final.
    merges : iterable of (int, int, float)
        As `scipy.cluster.hierarchy.linkage` has them: two sides and a height. A number below
        `leaves` is a row, `leaves` + i is what merge i makes.
    leaves : int
        How many rows there are.
    leaf : float
        The height of the leaves, which are at the right.
    width : float
        With the space beside the tree, in inches.

    Returns
    -------
    Axes
        Of the tree: heights run across, rows down.
    """
    tree = ax.inset_axes(
        (-width, 0, width - _SPACE, 1),
        transform=blended_transform_factory(inches_from(ax, 0, 0), ax.transAxes),
    )
    ends = [(leaf, float(row)) for row in range(leaves)]
    brackets = []
    for left, right, height in merges:
        (near, above), (far, below) = ends[left], ends[right]
        brackets.append([(near, above), (height, above), (height, below), (far, below)])
        ends.append((height, (above + below) / 2))
    tree.add_collection(LineCollection(brackets, colors=style.MUTED, linewidths=0.9))
    root = max((height for height, _ in ends), key=lambda height: abs(height - leaf))
    margin = 0.03 * (root - leaf) or 1.0
    tree.set_xlim(root + margin, leaf)
    tree.set_ylim(ax.get_ylim())
    tree.set_yticks([])
    tree.set_xticks([])
    for spine in tree.spines.values():
        spine.set_visible(False)
    return tree


def merges_of(tree: Dendrogram) -> list[Merge]:
    """Return the merges of a tree of models."""
    sides = tree.merges[["left", "right", "height"]].itertuples(index=False)
    return [(int(left), int(right), float(height)) for left, right, height in sides]


def tree_of(merges: pd.DataFrame, names: list[str]) -> tuple[list[str], list[Merge]]:
    """Arrange datasets as the leaves of the tree that their merges make.

    Parameters
    ----------
    merges : DataFrame
        Strongest first: ``dataset_a`` and ``dataset_b``, one of each of the two sides, and
        ``correlation``.
    names : list of str
        All datasets. Where merges stop before all are one, there are several trees.

    Returns
    -------
    (list of str, list of (int, int, float))
        The leaves, and the merges of their places. Of two sides, and of several trees, the larger
        comes first, then that whose first dataset does in `names`.
    """
    home = list(range(len(names)))
    members = {i: [i] for i in home}
    place = {name: i for i, name in enumerate(names)}
    joined: list[Merge] = []
    columns = merges[["dataset_a", "dataset_b", "correlation"]]
    for a, b, height in columns.itertuples(index=False):
        sides = [home[place[a]], home[place[b]]]
        left, right = sorted(sides, key=lambda side: (-len(members[side]), min(members[side])))
        made = len(names) + len(joined)
        members[made] = members.pop(left) + members.pop(right)
        for leaf in members[made]:
            home[leaf] = made
        joined.append((left, right, float(height)))
    trees = sorted(members.values(), key=lambda tree: (-len(tree), min(tree)))
    leaves = [leaf for tree in trees for leaf in tree]
    number = {leaf: row for row, leaf in enumerate(leaves)}
    rows = [(number.get(a, a), number.get(b, b), height) for a, b, height in joined]
    return [names[leaf] for leaf in leaves], rows


def prune(merges: list[Merge], leaves: int, kept: int) -> list[Merge]:
    """Return the tree of the first `kept` leaves."""
    now: list[int | None] = [row if row < kept else None for row in range(leaves)]
    left_over: list[Merge] = []
    for a, b, height in merges:
        left, right = now[a], now[b]
        if left is None or right is None:
            now.append(right if left is None else left)
            continue
        now.append(kept + len(left_over))
        left_over.append((left, right, height))
    return left_over
