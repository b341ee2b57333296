from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib.lines import Line2D

from robustrank import figures
from robustrank.errors import EmptyMatrixError, ParameterError, UnknownLabelError
from robustrank.figures import style
from robustrank.figures._group_bars import Bar, group_bars
from tests.figures.layout import assert_readable, read

INTERLEAVED = pd.Series({"a": 0.0, "b": 1.0, "d": 2.0, "c": 3.0, "e": 4.0, "f": 5.0})
TWO = [["a", "b", "c"], ["d", "e", "f"]]


@style.detached()
def draw(values, groups, **options):
    return figures.critical_difference(values, groups, **options)


def many(m):
    return pd.Series(
        np.linspace(3, m, m), index=[f"group/a model of some name {i}" for i in range(m)]
    )


def windows(values, size):
    names = list(values.index)
    return [names[i : i + size] for i in range(len(names) - size + 1)]


def lines(ax, *, dots):
    """Return (xs, ys) of the dots on members, or of bars."""
    return [
        (list(map(float, line.get_xdata())), list(map(float, line.get_ydata())))
        for line in ax.get_children()
        if isinstance(line, Line2D)
        and (line.get_marker() == "o") == dots
        and line.get_marker() != "|"
    ]


def texts(ax):
    return [read(text) for text in ax.texts if read(text)]


def test_interleaved_groups_are_two_bars_on_two_levels():
    ax = draw(INTERLEAVED, TWO)
    bars, dots = lines(ax, dots=False), lines(ax, dots=True)
    assert [(min(x), max(x)) for x, _ in bars] == [(0, 3), (2, 5)]
    levels = [set(y) for _, y in bars]
    assert [len(level) for level in levels] == [1, 1]
    assert levels[0] != levels[1]
    # Only members have a dot: the bar of a, b and c passes over d.
    assert [x for x, _ in dots] == [[0, 1, 3], [2, 4, 5]]
    assert_readable(ax)


def test_the_same_figure_for_any_hash_seed_and_order_of_groups():
    code = (
        "import pandas as pd, sys; from robustrank import figures\n"
        "from robustrank.figures import style\n"
        f"values = pd.Series({INTERLEAVED.to_dict()!r})\n"
        "groups = [set('abc'), set('def')]\n"
        "with style.detached():\n"
        "    ax = figures.critical_difference(values, groups)\n"
        "sys.stdout.buffer.write(style.render(ax, 'svg'))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    turned = [list(reversed(group)) for group in reversed(TWO)]
    assert made == {style.render(draw(INTERLEAVED, turned), "svg")}


def test_groups_of_one_have_no_bar():
    values = many(5)
    ax = draw(values, [[name] for name in values.index])
    assert lines(ax, dots=False) == lines(ax, dots=True) == []
    assert_readable(ax)


def test_better_half_is_named_at_the_left_from_the_top_and_the_other_at_the_right():
    ax = draw(INTERLEAVED, TWO)
    assert texts(ax) == ["a  0.00", "b  1.00", "d  2.00", "3.00  c", "4.00  e", "5.00  f"]
    rows = {read(text)[0]: text.xy for text in ax.texts if read(text)[:1].isalpha()}
    assert [x for x, _ in rows.values()] == [0, 0, 0]
    assert rows["a"][1] < rows["b"][1] < rows["d"][1]
    assert ax.get_ylim()[1] == 0
    low, high = ax.get_xlim()
    assert low < INTERLEAVED.min() < INTERLEAVED.max() < high


def test_input_in_any_order_is_drawn_best_first():
    ax = draw(INTERLEAVED[::-1], TWO)
    assert style.render(ax, "svg") == style.render(draw(INTERLEAVED, TWO), "svg")


def test_higher_is_better_where_told():
    ax = draw(pd.Series({"a": 0.2, "b": 0.9}), [], best="high", label="mean score")
    assert texts(ax) == ["b  0.900", "0.200  a"]
    left, right = ax.get_xlim()
    assert left > right
    assert ax.get_xlabel() == "mean score"


def test_the_critical_difference_is_a_ruler_of_its_length():
    ax = draw(INTERLEAVED, TWO, distance=1.4832, remark="It says little.")
    ruler = next(line for line in ax.get_children() if getattr(line, "get_marker", str)() == "|")
    start, end = ruler.get_xdata()
    assert end - start == pytest.approx(1.4832)
    assert {"critical difference 1.48", "It says little."} <= set(texts(ax))
    assert_readable(ax)


def test_a_ruler_longer_than_the_ranks_stays_within_the_axis():
    ax = draw(INTERLEAVED, [], distance=34.8)
    assert ax.get_xlim()[1] > 34.8


def test_beyond_some_models_each_has_a_row_and_bars_stand_beside():
    values = many(93)
    ax = draw(values, windows(values, 40), distance=39.5, top=30)
    rows = [read(label) for label in ax.get_yticklabels()]
    assert rows[0] == "group/a model of some name 0  3.00"
    assert rows[30:] == ["… and 63 more models"]
    dots = ax.collections[-1].get_offsets()
    assert dots[:, 0].tolist() == pytest.approx(values[:30].tolist())
    assert dots[:, 1].tolist() == list(range(30))
    # One bar over all that are shown, which goes on beyond them; the others lie within it.
    assert [y for _, y in lines(ax, dots=False)] == [[0, 30]]
    assert [y for _, y in lines(ax, dots=True)] == [list(range(30))]


@pytest.mark.parametrize(
    ("m", "size", "top"), [(10, 3, 30), (93, 80, None), (93, 40, 30), (300, 45, 30)]
)
def test_readable_and_the_same_bytes_twice(m, size, top):
    values = many(m)
    groups = windows(values, size)
    made = [
        draw(values, groups, distance=size - 0.5, remark="word " * 40, top=top) for _ in range(2)
    ]
    assert style.render(made[0], "svg") == style.render(made[1], "svg")
    assert_readable(made[0])


def test_names_are_text():
    names = ["a$b$", "<script>&", "模型", "line\nbreak"]
    values = pd.Series([1.0, 2.0, 3.0, 4.0], index=names)
    svg = style.render(draw(values, [names[:2]]), "svg").decode()
    assert all(part in svg for part in ("a$b$", "&lt;script&gt;&amp;", "模型", "line break"))


def test_values_that_are_missing_are_counted():
    ax = draw(pd.Series({"a": 1.0, "b": 2.0, "c": np.nan}), [["a", "b"]])
    assert ax.get_yticklabels()[-1].get_text() == "… and 1 more model"


def test_given_axes_are_drawn_on():
    ax = draw(INTERLEAVED, TWO)
    ax.clear()
    assert draw(INTERLEAVED, TWO, ax=ax) is ax


def test_refuses_what_it_cannot_draw():
    with pytest.raises(UnknownLabelError, match="'z'"):
        draw(INTERLEAVED, [["a", "z"]])
    with pytest.raises(ParameterError, match="best must be"):
        draw(INTERLEAVED, TWO, best="middle")
    with pytest.raises(ParameterError, match="top"):
        draw(INTERLEAVED, TWO, top=0)
    with pytest.raises(EmptyMatrixError):
        draw(pd.Series(dtype=float), [])


def test_bars_use_no_more_levels_than_overlap():
    places = {name: i for i, name in enumerate("abcdef")}
    bars = group_bars([["e", "f"], ["a", "c"], ["b", "d"], ["c", "d"], ["f"]], places, 6)
    assert bars == [
        Bar((0, 2), goes_on=False, level=0),
        Bar((1, 3), goes_on=False, level=1),
        Bar((2, 3), goes_on=False, level=2),
        Bar((4, 5), goes_on=False, level=0),
    ]


def test_a_group_that_goes_on_is_no_part_of_one_that_does_not():
    places = {name: i for i, name in enumerate("abcdef")}
    bars = group_bars([["a", "b", "c"], ["b", "c", "d"], ["c", "e"], ["e", "f"]], places, 3)
    assert bars == [Bar((0, 1, 2), goes_on=False, level=0), Bar((1, 2), goes_on=True, level=1)]
