"""Correlation between datasets with their tree."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from robustrank import figures
from robustrank.errors import EmptyMatrixError
from robustrank.figures import style, trees
from robustrank.redundancy import find_redundancy
from tests.conftest import frame
from tests.figures.layout import assert_readable


def scores(datasets: int, seed: int = 0, models: int = 30) -> pd.DataFrame:
    """Return scores on datasets of which some repeat each other."""
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(models, max(datasets // 3, 1)))
    values = factors[:, np.arange(datasets) % factors.shape[1]] + rng.normal(size=(models, 1))
    return frame(values + rng.normal(scale=0.4, size=values.shape))


def draw(found, ax=None, **options):
    with style.detached():
        return figures.correlation(
            found.correlation, found.merges, found.clusters, ax, tau=found.tau, **options
        )


def rows(ax) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


@pytest.mark.parametrize("linkage", ["single", "average", "complete"])
@pytest.mark.parametrize("seed", range(4))
def test_the_tree_is_that_of_scipy(linkage, seed):
    found = find_redundancy(scores(16, seed), 0.7, linkage=linkage)
    leaves, merges = trees.tree_of(found.merges, list(found.correlation.index))
    sizes = np.ones(16)
    linked = []
    for left, right, height in merges:
        sizes = np.append(sizes, sizes[left] + sizes[right])
        linked.append([left, right, 1 - height, sizes[-1]])
    tree = np.array(linked)
    assert hierarchy.is_valid_linkage(tree)
    assert hierarchy.leaves_list(tree).tolist() == list(range(16))
    distance = 1 - found.correlation.loc[leaves, leaves].to_numpy()
    expected = hierarchy.linkage(squareform(distance, checks=False), linkage)
    np.testing.assert_allclose(hierarchy.cophenet(tree), hierarchy.cophenet(expected), atol=1e-9)


def test_brackets_join_rows_at_their_correlation():
    found = find_redundancy(scores(7), 0.7)
    ax = draw(found)
    tree = ax.child_axes[0]
    segments = tree.collections[0].get_segments()
    assert [segment[1][0] for segment in segments] == pytest.approx(
        list(found.merges["correlation"])
    )
    first = found.merges.iloc[0]
    places = sorted(rows(ax).index(name) for name in first[["dataset_a", "dataset_b"]])
    assert sorted(segments[0][[0, 3], 1]) == places
    assert segments[0][[0, 3], 0].tolist() == [1.0, 1.0]
    low, high = tree.get_xlim()
    assert low < min(found.tau, found.merges["correlation"].min())
    assert high == 1.0
    (line,) = tree.lines
    assert line.get_xdata() == [0.7, 0.7]


def test_cells_are_in_the_order_of_the_tree():
    found = find_redundancy(scores(9), 0.7)
    ax = draw(found)
    order = rows(ax)
    assert [label.get_text() for label in ax.get_xticklabels()] == order
    np.testing.assert_array_equal(
        ax.images[0].get_array(), found.correlation.loc[order, order].to_numpy()
    )


@pytest.mark.parametrize("linkage", ["single", "average", "complete"])
def test_every_cluster_is_outlined_once(linkage):
    found = find_redundancy(scores(20), 0.75, linkage=linkage)
    ax = draw(found)
    order = rows(ax)
    frames = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    outlined = set()
    for patch in frames:
        start, size = int(patch.get_x() + 0.5), int(patch.get_width())
        assert (patch.get_y(), patch.get_height()) == (patch.get_x(), size)
        outlined.add(frozenset(order[start : start + size]))
    clusters = found.clusters.groupby(found.clusters).groups.values()
    expected = {frozenset(members) for members in clusters if len(members) > 1}
    assert expected
    assert outlined == expected
    assert len(frames) == len(expected)


def test_constant_datasets_come_last_and_are_empty():
    data = scores(6)
    data["d0"] = data["d3"] = 0.5
    ax = draw(find_redundancy(data, 0.7))
    assert rows(ax)[-2:] == ["d0", "d3"]
    values = ax.images[0].get_array().filled(np.nan)
    assert np.isnan(values[-2:]).all()
    assert not np.isnan(values[:4, :4]).any()
    assert sum(text.get_text() == "–" for text in ax.texts) == 36 - 16


def test_the_first_datasets_keep_their_tree():
    found = find_redundancy(scores(20), 0.7, linkage="average")
    whole, ax = draw(found), draw(found, top=6)
    assert rows(ax) == [*rows(whole)[:6], "… and 14 more datasets"]
    merges = trees.tree_of(found.merges, list(found.correlation.index))[1]
    kept = trees.prune(merges, 20, 6)
    assert len(kept) == 5
    distance = np.zeros((20, 20))
    members = [[row] for row in range(20)]
    for left, right, height in merges:
        distance[np.ix_(members[left], members[right])] = height
        members.append(members[left] + members[right])
    for left, right, height in kept:
        assert left < 6 + len(kept)
        assert right < 6 + len(kept)
        assert height in distance[:6, :6]


def test_trees_that_no_merge_joins_stand_alone():
    merges = pd.DataFrame({"dataset_a": ["b"], "dataset_b": ["c"], "correlation": [0.8]})
    assert trees.tree_of(merges, ["a", "b", "c"]) == (["b", "c", "a"], [(0, 1, 0.8)])


@pytest.mark.parametrize("datasets", [2, 16, 40, 131])
def test_is_readable(datasets):
    assert_readable(draw(find_redundancy(scores(datasets), 0.8)))


def test_a_vector_file_of_many_datasets_is_small_and_always_the_same():
    found = find_redundancy(scores(131), 0.8)
    first = style.render(draw(found), "svg")
    assert first == style.render(draw(found), "svg")
    assert len(first) < 150_000


def test_draws_on_given_axes_and_awkward_names():
    data = scores(3).set_axis(["a$b$/<script>&", "数据集", "x" * 80], axis="columns")
    ax = Figure(figsize=(12, 9), layout="constrained").add_subplot()
    assert draw(find_redundancy(data, 0.8), ax) is ax
    assert_readable(ax)
    assert to_hex(ax.child_axes[0].lines[0].get_color()) == style.VERMILION


def test_says_where_nothing_is_correlated():
    found = find_redundancy(scores(3) * 0.0, 0.8)
    with pytest.raises(EmptyMatrixError, match="no correlation is defined"):
        draw(found)
