from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from robustrank import figures
from robustrank.errors import EmptyMatrixError, UnknownLabelError
from robustrank.figures import style
from tests.figures.layout import assert_readable

THETA = np.linspace(-3, 3, 201)


def table(a=1.0, b=0.0) -> pd.DataFrame:
    """The information of an item of discrimination a and difficulty b."""
    p = 1 / (1 + np.exp(-a * (THETA - b)))
    return pd.DataFrame({"ability": THETA, "information": a**2 * p * (1 - p)})


def error(ax):
    return ax.figure.axes[1].lines[0]


def bars(ax) -> list[Rectangle]:
    return [patch for patch in ax.patches if isinstance(patch, Rectangle)]


def test_the_curve_is_the_table_and_its_error_the_inverse_root():
    given = table(2.0, 0.75)
    ax = figures.information(given, label="information of 1 item")
    theta, told = ax.lines[0].get_data()
    np.testing.assert_array_equal(theta, THETA)
    np.testing.assert_array_equal(told, given["information"])
    np.testing.assert_allclose(error(ax).get_data(), [THETA, given["information"] ** -0.5])
    assert ax.get_xlim() == (-3, 3)
    assert ax.get_ylabel() == "information of 1 item"


def test_text_is_in_ink_and_lines_are_told_apart_by_a_legend():
    ax = figures.information(table())
    labels = [each.yaxis.label.get_color() for each in ax.figure.axes]
    assert labels == [style.INK, style.INK]
    legend = ax.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["information", "standard error"]
    drawn = [ax.lines[0], error(ax)]
    keys = [to_hex(line.get_color()) for line in legend.get_lines()]
    assert keys == [to_hex(line.get_color()) for line in drawn]
    assert len(set(keys)) == 2


def test_models_hang_below():
    abilities = pd.Series([-2.5, -1.0, -1.01, 0.5, np.nan])
    ax = figures.information(table(), abilities=abilities)
    heights = np.array([bar.get_height() for bar in bars(ax)])
    lefts = np.array([bar.get_x() for bar in bars(ax)])
    assert (heights <= 0).all()
    np.testing.assert_allclose(heights.sum() / heights.min(), 2)  # 1 + 1/2 + 1/2
    assert lefts[heights.argmin()] <= -1.01 < -1.0 <= lefts[heights.argmin()] + 6 / 40
    assert [text.get_text() for text in ax.texts] == ["4 models"]
    assert ax.get_ylim()[0] < heights.min()


def test_without_models_nothing_hangs_below():
    ax = figures.information(table())
    assert bars(ax) == []
    assert ax.get_ylim()[0] == 0


def test_a_remark_is_written_below():
    ax = figures.information(table(), remark="1 item without parameters\nleft out")
    assert [text.get_text() for text in ax.texts] == ["1 item without parameters left out"]


@pytest.mark.parametrize("models", [10, 93, 300])
def test_readable(models):
    abilities = pd.Series(np.random.default_rng(models).normal(0, 0.8, models))
    assert_readable(figures.information(table(), abilities=abilities))


def test_no_information_at_some_abilities_is_an_endless_error_which_is_not_drawn():
    ax = figures.information(
        table().assign(information=lambda t: t["information"].where(THETA > 0, 0))
    )
    assert np.isfinite(ax.figure.axes[1].get_ylim()).all()
    assert_readable(ax)


def test_same_bytes():
    with style.detached():
        first, second = (
            style.render(figures.information(table(), abilities=pd.Series([0.0])), "svg")
            for _ in range(2)
        )
    assert first == second


def test_nothing_to_draw_and_a_missing_column():
    for information in (np.nan, 0.0):
        with pytest.raises(EmptyMatrixError, match="nothing to draw"):
            figures.information(table().assign(information=information))
    with pytest.raises(UnknownLabelError, match="column 'ability': known: information, theta"):
        figures.information(table().rename(columns={"ability": "theta"}))
