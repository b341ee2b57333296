"""The helper itself: it must find what it looks for."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from tests.figures.layout import assert_readable


def axes():
    return Figure().add_subplot()


def test_ordinary_axes_are_readable():
    ax = axes()
    ax.set(xlabel="x", ylabel="y", title="title")
    assert_readable(ax)


def test_turned_labels_that_only_overlap_as_upright_boxes_are_readable():
    ax = axes()
    ax.set_xticks(range(12), [f"a long name {i}" for i in range(12)], rotation=45, ha="right")
    assert_readable(ax)


def test_names_texts_that_overlap():
    ax = axes()
    ax.text(0.5, 0.5, "first")
    ax.text(0.52, 0.5, "second\nlines")
    with pytest.raises(AssertionError, match=r"first.*second"):
        assert_readable(ax)


def test_sees_axes_within_axes():
    ax = axes()
    ax.inset_axes((0, 0, 0.3, 0.3))
    with pytest.raises(AssertionError, match="overlapping"):
        assert_readable(ax)


@pytest.mark.parametrize(
    ("place", "clipped"), [((0.98, 0.5), True), ((3.0, 0.5), False)], ids=["clipped", "outside"]
)
def test_names_texts_that_are_cut_off(place, clipped):
    ax = axes()
    ax.text(*place, "half of a word", clip_on=clipped).set_in_layout(False)
    with pytest.raises(AssertionError, match="half of a word"):
        assert_readable(ax)


def test_leaves_the_figure_its_canvas():
    ax = axes()
    before = ax.figure.canvas
    assert_readable(ax)
    assert ax.figure.canvas is before
