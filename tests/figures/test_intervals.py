from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from robustrank import figures
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.figures import style
from tests.figures.layout import assert_readable


def table(m):
    middle = np.linspace(0.9, 0.1, m)
    names = [f"group/model {i}" for i in range(m)]
    return pd.DataFrame(
        {"estimate": middle, "low": middle - 0.05, "high": middle + 0.05}, index=names
    )


@style.detached()
def draw(given, **options):
    return figures.intervals(given, **options)


def test_rows_hold_the_estimates_and_intervals_in_order():
    given = table(4)
    ax = draw(given)
    bars, dots = ax.collections
    ends = np.array([segment[:, 0] for segment in bars.get_segments()])
    assert ends == pytest.approx(given[["low", "high"]].to_numpy())
    assert dots.get_offsets()[:, 0].tolist() == given["estimate"].tolist()
    assert [label.get_text() for label in ax.get_yticklabels()] == list(given.index)
    assert ax.get_ylim() == (3.5, -0.5)


def test_the_first_tier_is_blue_and_each_is_named():
    given = table(3)
    ax = draw(given, tiers=pd.Series([1, 1, 2], index=given.index, dtype="Int64"))
    colours = [to_hex(colour) for colour in ax.collections[1].get_facecolor()]
    assert colours == [style.BLUE, style.BLUE, style.INK]
    assert [text.get_text() for text in ax.texts] == ["tier 1", "tier 2"]
    assert_readable(ax)


def test_ranks_have_the_best_at_the_right():
    given = pd.DataFrame({"estimate": [1.0, 2.0], "low": [1.0, 1.0], "high": [2.0, 12.0]})
    ax = draw(given, ranks=True)
    assert ax.get_xlim() == (12.5, 0.5)
    assert list(ax.get_xticks()) == [1, 2, 4, 6, 8, 10, 12]  # there is no rank 0


@pytest.mark.parametrize("m", [10, 93, 300])
def test_readable_with_what_is_left_out_counted(m):
    ax = draw(table(m))
    assert_readable(ax)
    last = ax.get_yticklabels()[-1].get_text()
    assert last == ("group/model 9" if m == 10 else f"… and {m - 30} more models")


def test_rows_without_an_estimate_are_counted():
    given = table(3)
    given.loc["group/model 2"] = np.nan
    assert draw(given).get_yticklabels()[-1].get_text() == "… and 1 more model"


def test_refuses_nothing_and_no_rows():
    with pytest.raises(EmptyMatrixError):
        draw(table(2) * np.nan)
    with pytest.raises(ParameterError, match="top"):
        draw(table(2), top=0)
