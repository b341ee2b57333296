from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from robustrank.figures.labels import name_points, say_below
from tests.figures.layout import assert_readable


def axes(xlim=(0, 1), ylim=(0, 1), size=(8, 6)):
    ax = Figure(figsize=size, layout="constrained").add_subplot()
    ax.set(xlim=xlim, ylim=ylim)
    return ax


def boxes(ax) -> dict[str, object]:
    ax.figure.draw_without_rendering()
    return {text.get_text(): text.get_window_extent() for text in ax.texts if text.get_text()}


@pytest.mark.parametrize("seed", range(3))
def test_names_neither_overlap_nor_leave_the_axes(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(0.5, 0.12, (2, 30)).clip(0.01, 0.99)
    names = [f"a name of a dataset {i}" for i in range(30)]
    ax = axes()
    assert name_points(ax, x, y, names) == []
    assert set(boxes(ax)) == set(names)
    assert_readable(ax)
    frame = ax.get_window_extent()
    for box in boxes(ax).values():
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1


def test_a_lonely_name_is_near_its_point_in_the_direction_wanted():
    for towards, (right, above) in {45: (1, 1), 135: (-1, 1), 225: (-1, -1), 315: (1, -1)}.items():
        ax = axes()
        name_points(ax, [0.5], [0.5], ["name"], towards=towards)
        box = boxes(ax)["name"]
        x, y = ax.transData.transform((0.5, 0.5))
        assert np.sign((box.x0 + box.x1) / 2 - x) == right
        assert np.sign((box.y0 + box.y1) / 2 - y) == above
        assert not box.contains(x, y)
        assert np.hypot(max(box.x0 - x, x - box.x1, 0), max(box.y0 - y, y - box.y1, 0)) < 15


def test_names_do_not_cover_points_while_there_is_room():
    ax = axes()
    crowd = np.column_stack([np.full(40, 0.55), np.linspace(0.4, 0.6, 40)])
    name_points(ax, [0.5], [0.5], ["a name"], avoid=crowd, towards=0)
    box = boxes(ax)["a name"]
    assert not any(box.contains(*point) for point in ax.transData.transform(crowd))


def test_names_without_room_are_returned():
    ax = axes(size=(1.6, 1.2))
    names = [f"name {i}" for i in range(40)]
    left = name_points(ax, [0.5] * 40, [0.5] * 40, names)
    assert left
    assert set(left) | set(boxes(ax)) == set(names)
    assert not set(left) & set(boxes(ax))


def test_no_names():
    ax = axes()
    assert name_points(ax, [], [], []) == []
    assert list(ax.texts) == []


def test_a_remark_is_below_the_label():
    ax = axes()
    ax.set_xlabel("label")
    say_below(ax, "a remark\nof one line")
    ax.figure.draw_without_rendering()
    assert ax.texts[0].get_text() == "a remark of one line"
    assert ax.texts[0].get_window_extent().y1 < ax.xaxis.label.get_window_extent().y0
    assert_readable(ax)


def test_no_remark():
    ax = axes()
    say_below(ax, "")
    assert list(ax.texts) == []
