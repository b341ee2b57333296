from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from robustrank import figures
from robustrank.errors import EmptyMatrixError, FormatError, ParameterError
from robustrank.figures import style
from tests.figures.layout import assert_readable, read


def chances(m, name="group/model"):
    strength = np.linspace(2, -2, m)
    table = 1 / (1 + np.exp(-(strength[:, None] - strength[None, :])))
    names = [f"{name} {i}" for i in range(m)]
    return pd.DataFrame(table, index=names, columns=names)


@style.detached()
def draw(table, **options):
    return figures.pairwise(table, **options)


def outlines(ax):
    return [
        (box.get_x() + 0.5, box.get_y() + 0.5, box.get_width(), box.get_height())
        for box in ax.patches
        if not box.get_fill()
    ]


def test_cells_hold_the_chances_with_an_empty_diagonal():
    table = chances(4)
    ax = draw(table)
    shown = np.ma.filled(ax.images[0].get_array(), np.nan)
    off = ~np.eye(4, dtype=bool)
    assert (shown[off] == table.to_numpy()[off]).all()
    assert np.isnan(np.diag(shown)).all()
    assert not np.isnan(np.diag(table)).any(), "the input was written to"
    assert ax.images[0].get_clim() == (0.0, 1.0)


def test_rows_have_names_and_the_numbers_of_the_columns():
    ax = draw(chances(3))
    rows = [read(label) for label in ax.get_yticklabels()]
    assert rows == ["group/model 0  1", "group/model 1  2", "group/model 2  3"]
    assert [read(label) for label in ax.get_xticklabels()] == ["1", "2", "3"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_a_half_is_the_middle_colour_and_a_pair_without_a_value_is_grey():
    table = chances(3)
    table.iloc[0, 1] = 0.5
    table.iloc[0, 2] = np.nan
    ax = draw(table)
    image = ax.images[0]
    red, green, blue = image.cmap(image.norm(0.5))[:3]
    assert max(red, green, blue) - min(red, green, blue) < 0.02
    assert image.cmap(image.norm(np.ma.masked_invalid([np.nan])))[0][3] == 0
    below = next(box for box in ax.patches if box.get_fill())
    assert to_hex(below.get_facecolor()) == style.FAINT
    assert below.get_zorder() < image.get_zorder() + 1


def test_names_without_any_value_are_counted():
    table = chances(4)
    table.iloc[1, :] = table.iloc[:, 1] = np.nan
    ax = draw(table)
    rows = [read(label) for label in ax.get_yticklabels()]
    assert rows == [
        "group/model 0  1",
        "group/model 2  2",
        "group/model 3  3",
        "… and 1 more model",
    ]
    shown = np.ma.filled(ax.images[0].get_array(), np.nan)
    assert shown[0, 1] == table.iloc[0, 2]
    assert shown.shape == (3, 3)


def test_outlines_are_not_of_the_pages_colours():
    table = chances(2)
    ax = draw(table, tiers=pd.Series(1, index=table.index))
    (outline,) = (box for box in ax.patches if not box.get_fill())
    assert to_hex(outline.get_edgecolor()) not in (style.INK, style.MUTED, style.FAINT, style.BAND)


def test_neighbours_of_a_tier_are_outlined():
    table = chances(6)
    tiers = pd.Series([1, 1, 2, 3, 3, None], index=table.index, dtype="Int64")
    assert outlines(draw(table, tiers=tiers)) == [(0, 0, 2, 2), (2, 2, 1, 1), (3, 3, 2, 2)]
    assert outlines(draw(table, tiers=tiers, top=4))[-1] == (3, 3, 1, 1)
    assert outlines(draw(table)) == []


def test_the_colour_bar_names_what_it_shows_and_the_threshold():
    bar = draw(chances(4), threshold=0.9).child_axes[0]
    assert [float(read(label)) for label in bar.get_xticklabels()] == [0.1, 0.5, 0.9]
    assert [read(text) for text in bar.texts] == ["P(row above column)"]


@pytest.mark.parametrize("m", [2, 10, 93])
@pytest.mark.parametrize("top", [30, None])
def test_readable(m, top):
    ax = draw(chances(m), tiers=pd.Series(1, index=chances(m).index), top=top)
    assert_readable(ax)
    last = ax.get_yticklabels()[-1].get_text()
    assert (last == "… and 63 more models") == (m == 93 and top == 30)


def test_300_models_all_shown_stay_small_and_every_tenth_column_is_numbered():
    ax = draw(chances(300, "m"), top=None)
    labels = [read(label) for label in ax.get_xticklabels()]
    assert labels[:3] + labels[-1:] == ["1", "10", "20", "300"]
    assert len(style.render(ax, "svg")) < 300_000


def test_same_bytes_twice_and_names_are_text():
    table = chances(3)
    table.index = table.columns = ["a$b$", "<script>&", "模型"]
    first, second = (style.render(draw(table), "svg") for _ in range(2))
    assert first == second
    assert b"a$b$" in first
    assert b"&lt;script&gt;&amp;" in first
    assert "模型" in first.decode()


def test_refuses_other_columns_than_rows():
    with pytest.raises(FormatError, match="same names"):
        draw(chances(3).iloc[:, ::-1])


def test_refuses_nothing_and_no_rows():
    with pytest.raises(EmptyMatrixError):
        draw(pd.DataFrame())
    with pytest.raises(ParameterError, match="top"):
        draw(chances(3), top=0)
