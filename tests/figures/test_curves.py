from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from robustrank import figures
from robustrank.errors import EmptyMatrixError, ParameterError, UnknownLabelError
from tests.figures.layout import assert_readable


def lines(n=40):
    x = np.arange(1, n + 1)
    return pd.DataFrame({"chosen": 1 - 0.5 / x, "random": 1 - 1.0 / x}, index=x)


def test_lines_bands_and_labels_are_where_the_tables_say():
    table = lines()
    band = pd.DataFrame({"low": table["random"] - 0.1, "high": table["random"] + 0.05})
    ax = figures.curves(
        table,
        bands={"random": band},
        thresholds={"τ = 0.95": 0.95},
        marks={"12 datasets": 12},
        x_label="datasets",
        y_label="Kendall's τ",
        remark="Over 5 folds.",
    )
    for line, name in zip(ax.lines, table, strict=False):
        np.testing.assert_array_equal(line.get_data(), [table.index, table[name]])
    (area,) = ax.collections
    corners = area.get_paths()[0].vertices
    np.testing.assert_allclose(
        [corners[:, 1].min(), corners[:, 1].max()], [band["low"].min(), band["high"].max()]
    )
    assert to_hex(area.get_facecolor()[0][:3]) == to_hex(ax.lines[1].get_color())
    dashed, dotted = ax.lines[2:]
    assert set(dashed.get_ydata()) == {0.95}
    assert set(dotted.get_xdata()) == {12}
    said = {text.get_text() for text in ax.texts}
    assert {"τ = 0.95", "12 datasets", "Over 5 folds."} <= said
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["chosen", "random"]
    assert_readable(ax)


def test_lines_differ_in_colour_and_in_dashes():
    first, second = figures.curves(lines(), x_label="n", y_label="τ").lines
    assert first.get_color() != second.get_color()
    assert first.get_linestyle() != second.get_linestyle()


def test_a_gap_stays_a_gap_and_single_points_are_dots():
    table = lines(3)
    table.iloc[1, 0] = np.nan
    ax = figures.curves(table[["chosen"]], x_label="n", y_label="τ")
    assert np.isnan(ax.lines[0].get_ydata()[1])
    assert ax.lines[0].get_marker() == "o"
    assert ax.get_legend() is None


@pytest.mark.parametrize("n", [1, 2, 3, 40])
def test_numbers_of_something_have_whole_ticks(n):
    ax = figures.curves(lines(n), x_label="datasets", y_label="τ")
    low, high = ax.get_xlim()
    shown = [tick for tick in ax.get_xticks() if low <= tick <= high]
    assert shown
    assert all(tick == round(tick) for tick in shown)


def test_other_quantities_have_ticks_between():
    table = lines(4).set_axis([0.0, 0.5, 1.0, 1.5])
    ax = figures.curves(table, x_label="weight", y_label="τ")
    assert any(tick != round(tick) for tick in ax.get_xticks())


@pytest.mark.parametrize("name", ["<b>&", "a$b$c", "多语言" * 8, "x\ny"])
def test_any_name_is_text(name):
    table = lines().rename(columns={"chosen": name})
    ax = figures.curves(table, x_label=name, y_label=name, thresholds={name: 0.5}, marks={name: 3})
    assert_readable(ax)


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(UnknownLabelError, match=r"Unknown line 'chose'.*'chosen'"):
        figures.curves(lines(), bands={"chose": lines()}, x_label="n", y_label="τ")
    with pytest.raises(EmptyMatrixError, match="nothing to draw"):
        figures.curves(lines() * np.nan, x_label="n", y_label="τ")
    many = pd.DataFrame(np.ones((2, 8)), columns=list("abcdefgh"))
    with pytest.raises(ParameterError, match="8 lines cannot be told apart"):
        figures.curves(many, x_label="n", y_label="τ")
