from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from robustrank import figures
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.figures import style
from tests.figures.layout import assert_readable

NAMES = ["paraphrasing", "expansion", "translation", "style_change"]


def shifts() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "estimate": [-0.05, 0.01, -0.2, 0.0],
            "low": [-0.07, -0.01, -0.3, -0.02],
            "high": [-0.03, 0.02, -0.1, 0.03],
            "p_value": [0.0002, 0.05, 0.0123, np.nan],
            "median_difference": [0.0512, 0.004, 0.21, np.nan],
        },
        index=NAMES,
    )


def texts(ax) -> list[list[str]]:
    """The columns at the right, from the left and the top."""
    columns: dict[float, list] = {}
    for text in sorted(ax.texts, key=lambda text: text.xy[1]):
        columns.setdefault(text.xyann[0], []).append(text.get_text())
    return [columns[place] for place in sorted(columns)]


def test_places_intervals_and_colours():
    table = shifts()
    ax = figures.shifts(table)
    lines, dots = ax.collections
    np.testing.assert_allclose(
        np.asarray(dots.get_offsets()), np.column_stack([table["estimate"], range(4)])
    )
    for i, segment in enumerate(lines.get_segments()):
        np.testing.assert_allclose(segment, [(table["low"].iloc[i], i), (table["high"].iloc[i], i)])
    # A p of alpha is not below it; an undefined one is none.
    expected = [style.BLUE, style.MUTED, style.BLUE, style.MUTED]
    assert [to_hex(colour) for colour in dots.get_facecolor()] == expected
    assert [to_hex(colour) for colour in lines.get_color()] == expected
    ticks = ax.get_yticklabels()
    assert [tick.get_text() for tick in ticks] == NAMES
    assert [tick.get_color() for tick in ticks] == [style.INK, style.MUTED] * 2


def test_alpha_moves_the_line():
    dots = figures.shifts(shifts(), alpha=0.001).collections[1]
    colours = [to_hex(colour) for colour in dots.get_facecolor()]
    assert colours == [style.BLUE, style.MUTED, style.MUTED, style.MUTED]


def test_columns_are_those_given():
    both = [
        ["median |Δ|", "0.0512", "0.004", "0.21", "–"],
        ["p", "< 0.001", "0.050", "0.012", "–"],
    ]
    assert texts(figures.shifts(shifts())) == both
    assert texts(figures.shifts(shifts().drop(columns="p_value"))) == both[:1]
    assert texts(figures.shifts(shifts().drop(columns="median_difference"))) == both[1:]
    bare = figures.shifts(shifts()[["estimate", "low", "high"]])
    assert texts(bare) == []
    assert {to_hex(colour) for colour in bare.collections[1].get_facecolor()} == {style.BLUE}


def test_rows_without_an_estimate_are_counted():
    table = shifts()
    table.loc["expansion", "estimate"] = np.nan
    ax = figures.shifts(table, top=2)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["paraphrasing", "translation", "… and 2 more transformations"]


def test_two_side_by_side_are_readable():
    from matplotlib.figure import Figure

    left, right = Figure(figsize=(14, 3), layout="constrained").subplots(1, 2)
    figures.shifts(shifts(), left, label="English")
    figures.shifts(shifts(), right, label="multilingual")
    assert_readable(left)


def test_names_are_text():
    ax = figures.shifts(shifts().set_axis(["a$b$", "<b>&", "模型", "x" * 80]))
    assert [label.get_text() for label in ax.get_yticklabels()][:2] == ["a$b$", "<b>&"]
    assert_readable(ax)


@pytest.mark.parametrize("rows", [10, 93])
def test_readable(rows):
    table = pd.concat([shifts()] * 30, ignore_index=True).head(rows)
    assert_readable(figures.shifts(table.set_axis([f"transformation {i}" for i in range(rows)])))


def test_same_bytes():
    with style.detached():
        first, second = (style.render(figures.shifts(shifts()), "svg") for _ in range(2))
    assert first == second


def test_bad_input():
    with pytest.raises(ParameterError, match="alpha must lie between 0 and 1"):
        figures.shifts(shifts(), alpha=5)
    with pytest.raises(EmptyMatrixError, match="nothing to draw"):
        figures.shifts(shifts().assign(estimate=np.nan))
