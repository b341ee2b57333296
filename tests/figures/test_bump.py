from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from robustrank import figures
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.figures import style
from tests.figures.layout import assert_readable, read


def table(rank_a, rank_b, names=None) -> pd.DataFrame:
    index = names or [f"m{i}" for i in range(len(rank_a))]
    return pd.DataFrame({"rank_a": rank_a, "rank_b": rank_b}, index=index, dtype=float)


def shuffled(models: int) -> pd.DataFrame:
    order = np.random.default_rng(0).permutation(models) + 1
    names = [f"organisation-{i % 7}/embedding-model-{i}-instruct" for i in range(models)]
    return table(range(1, models + 1), order, names)


def lines(ax) -> dict[tuple[float, float], tuple[str, float]]:
    """Colour and width of the lines, by the rows that they join."""
    drawn = ax.collections[0]
    ends = [(path.vertices[0][1], path.vertices[-1][1]) for path in drawn.get_paths()]
    colours = [to_hex(colour) for colour in drawn.get_edgecolor()]
    return dict(zip(ends, zip(colours, drawn.get_linewidths(), strict=True), strict=True))


def left(ax) -> list[str]:
    return [read(label) for label in ax.get_yticklabels()]


def right(ax) -> list[str]:
    """The names at the right, from the top down."""
    return [read(text) for text in sorted(ax.texts, key=lambda text: text.xy[1])]


def test_lines_join_rows_and_tell_direction_and_size():
    ax = figures.bump(table([1, 2, 3, 4, 5], [1, 3, 5, 4, 2]))
    assert left(ax) == ["m0  1", "m1  2", "m2  3", "m3  4", "m4  5"]
    assert right(ax) == ["1  m0", "2  m4  ▲ 3", "3  m1  ▼ 1", "4  m3", "5  m2  ▼ 2"]
    drawn = lines(ax)
    assert {ends: colour for ends, (colour, _) in drawn.items()} == {
        (0, 0): style.MUTED,
        (1, 2): style.VERMILION,
        (2, 4): style.VERMILION,
        (3, 3): style.MUTED,
        (4, 1): style.BLUE,
    }
    widths = {ends: width for ends, (_, width) in drawn.items()}
    assert widths[4, 1] > widths[2, 4] > widths[1, 2] > widths[0, 0] == widths[3, 3]
    assert ax.yaxis_inverted()


def test_the_name_on_b_stands_at_the_right():
    given = table([1, 2, 3], [2, 1, 3]).assign(name_b=["x", "y", "z"])
    assert right(figures.bump(given)) == ["1  y  ▲ 1", "2  x  ▼ 1", "3  z"]


def test_ties_have_rows_of_their_own():
    ax = figures.bump(table([1.5, 1.5, 3, 4], [2.5, 2.5, 2.5, 1]))
    assert left(ax) == ["m0  1.5", "m1  1.5", "m2  3", "m3  4"]
    assert right(ax) == ["1  m3  ▲ 3", "2.5  m0  ▼ 1", "2.5  m1  ▼ 1", "2.5  m2  ▲ 0.5"]
    assert sorted(text.xy[1] for text in ax.texts) == [0, 1, 2, 3]
    assert_readable(ax)


def test_top_is_by_rank_on_a_and_the_rest_is_counted():
    ax = figures.bump(table([3, 1, 2, 4, np.nan], [1, 2, 4, 3, 5]), top=2)
    assert left(ax) == ["m1  1", "m2  2", "… and 3 more models"]
    assert right(ax) == ["2  m1  ▼ 1", "4  m2  ▼ 2"]
    assert ax.get_legend().get_title().get_text() == "ranks among 4 models"


def test_boards_are_named():
    ax = figures.bump(table([1, 2], [2, 1]), names=("2025", "a$b$"))
    assert [read(label) for label in ax.get_xticklabels()] == ["2025", "a$b$"]
    assert [read(text) for text in ax.get_legend().get_texts()] == [
        "higher on a$b$",
        "lower on a$b$",
        "same rank",
    ]


@pytest.mark.parametrize(("models", "top"), [(10, 30), (93, None), (300, 30)])
def test_readable(models, top):
    assert_readable(figures.bump(shuffled(models), names=("December", "August"), top=top))


def test_names_are_text():
    names = ["a$b$", "<script>&", "模型模型", "two\nlines", "x" * 80]
    ax = figures.bump(table(range(1, 6), [5, 4, 3, 2, 1], names))
    assert left(ax)[0] == "a$b$  1"
    assert "two lines  4" in left(ax)
    assert_readable(ax)
    assert b"&lt;script&gt;&amp;" in style.render(ax, "svg")


def test_same_bytes():
    with style.detached():
        first, second = (style.render(figures.bump(shuffled(12)), "svg") for _ in range(2))
    assert first == second


def test_bad_input():
    with pytest.raises(EmptyMatrixError, match="nothing to draw"):
        figures.bump(table([1, 2], [np.nan, np.nan]))
    with pytest.raises(ParameterError, match="top must be a whole number of at least 1"):
        figures.bump(table([1, 2], [2, 1]), top=0)
