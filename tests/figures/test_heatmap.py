"""Numbers as colours."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from robustrank import figures
from robustrank._dendrogram import cluster_models
from robustrank.errors import (
    EmptyMatrixError,
    MissingScoresError,
    NonNumericError,
    ParameterError,
)
from robustrank.figures import cells, style
from tests.figures.layout import assert_readable

AWKWARD = ["a$b$/<script>&", "模型/向量-大", "line\nbreak", "x" * 80]


def table(rows: int, columns: int, seed: int = 0) -> pd.DataFrame:
    values = np.random.default_rng(seed).normal(size=(rows, columns))
    return pd.DataFrame(
        values,
        index=[f"organisation/model-{i}" for i in range(rows)],
        columns=[f"column-{j}" for j in range(columns)],
    )


def grouped(rows: int = 12, seed: int = 0) -> pd.DataFrame:
    columns = pd.MultiIndex.from_product([["all", "pick-1"], ["wsm/equal", "topsis/critic", "x"]])
    return table(rows, 6, seed).set_axis(columns, axis="columns")


def draw(data: pd.DataFrame, **options):
    with style.detached():
        return figures.heatmap(data, label="number", **options)


def names(axis) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def drawn(ax) -> np.ndarray:
    return np.hstack([image.get_array().filled(np.nan) for image in ax.images])


def written(ax) -> dict[tuple[float, float], str]:
    return {text.get_position()[::-1]: text.get_text() for text in ax.texts}


def test_cells_hold_the_table_in_its_order():
    data = table(4, 3)
    data.iloc[1, 2] = np.nan
    data.iloc[0, 0] = -0.001
    ax = draw(data)
    np.testing.assert_array_equal(drawn(ax), data.to_numpy())
    assert names(ax.yaxis) == list(data.index)
    assert names(ax.xaxis) == list(data.columns)
    texts = written(ax)
    assert texts[1, 2] == "–"
    assert texts[0, 0] == "0.00"
    assert texts[3, 1] == f"{data.iloc[3, 1]:.2f}".replace("-", "−")
    assert len(texts) == 12


def test_columns_of_two_levels_stand_apart_by_group():
    data = grouped()
    ax = draw(data)
    assert names(ax.xaxis) == [name for _, name in data.columns]
    steps = np.diff(ax.get_xticks())
    assert steps[[0, 1, 3, 4]] == pytest.approx(1.0)
    assert steps[2] > 1
    np.testing.assert_array_equal(drawn(ax), data.to_numpy())
    for image, places in zip(ax.images, np.split(ax.get_xticks(), 2), strict=True):
        assert image.get_extent() == pytest.approx([places[0] - 0.5, places[-1] + 0.5, 11.5, -0.5])
    groups = {
        text.get_text(): text.xy[0] for text in ax.texts if text.get_text() in ("all", "pick-1")
    }
    assert groups == pytest.approx({"all": 1.0, "pick-1": ax.get_xticks()[4]})


def test_colours_run_over_the_data_or_equally_far_from_a_center():
    data = pd.DataFrame({"a": [-0.1, 0.4]}, index=["x", "y"])
    norm = draw(data).images[0].norm
    assert (norm.vmin, norm.vmax) == (-0.1, 0.4)
    image = draw(data, center=0.0).images[0]
    assert (image.norm.vmin, image.norm.vmax) == (-0.4, 0.4)
    assert image.cmap.name == style.DIVERGING
    norm = draw(data, limits=(0.0, 1.0)).images[0].norm
    assert (norm.vmin, norm.vmax) == (0.0, 1.0)
    flat = draw(data * 0).images[0].norm
    assert flat.vmin < flat.vmax


def test_text_contrasts_with_its_cell():
    ax = draw(pd.DataFrame([[0.0, 1.0, np.nan]], index=["x"]))
    dark, light, empty = (to_hex(text.get_color()) for text in ax.texts)
    assert (dark, light, empty) == (cells.LIGHT, cells.DARK, style.MUTED)
    assert style.INK not in (cells.LIGHT, cells.DARK)


@pytest.mark.parametrize("level", np.linspace(0, 1, 9))
@pytest.mark.parametrize("cmap", [style.SEQUENTIAL, style.DIVERGING])
def test_the_contrast_is_enough_to_read(cmap, level):
    face = np.array(mpl.colormaps[cmap](level))

    def luminance(rgb):
        rgb = np.asarray(rgb)
        return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ [
            0.2126,
            0.7152,
            0.0722,
        ]

    text = luminance(mpl.colors.to_rgb(cells.contrasting(face)))
    low, high = sorted([float(text), float(luminance(face[:3]))])
    assert (high + 0.05) / (low + 0.05) > 4.2


def test_rows_alike_come_together_with_their_tree():
    data = table(9, 4)
    ax = draw(data, order_by_likeness=True)
    tree = cluster_models(-data)
    assert names(ax.yaxis) == tree.order
    np.testing.assert_array_equal(drawn(ax), data.loc[tree.order].to_numpy())
    bracket = ax.child_axes[0].collections[0].get_segments()
    assert [segment[1][0] for segment in bracket] == pytest.approx(list(tree.merges["height"]))
    assert ax.child_axes[0].get_ylim() == ax.get_ylim()


def test_only_the_first_rows_are_drawn_and_the_others_counted():
    ax = draw(table(93, 3), top=5, noun="language")
    assert names(ax.yaxis) == [*table(5, 3).index, "… and 88 more languages"]
    assert drawn(ax).shape == (5, 3)
    tree = draw(table(93, 3), top=5, order_by_likeness=True)
    assert set(names(tree.yaxis)[:5]) == set(table(5, 3).index)


def test_numbers_are_written_where_they_fit():
    assert not written(draw(table(30, 60)))
    assert len(written(draw(table(30, 60), annotate=True))) == 1800
    assert not written(draw(table(3, 3), annotate=False))
    with style.detached():
        small = Figure(figsize=(2, 2)).add_subplot()
        figures.heatmap(table(3, 20), small, label="x")
    assert not written(small)


@pytest.mark.parametrize("rows", [10, 93, 300])
@pytest.mark.parametrize("options", [{}, {"order_by_likeness": True}], ids=["fixed", "tree"])
def test_is_readable(rows, options):
    assert_readable(draw(table(rows, 9), **options))
    assert_readable(draw(grouped(rows), **options))


def test_awkward_names_are_drawn_as_they_are():
    data = table(4, 4).set_axis(AWKWARD).set_axis(AWKWARD, axis="columns")
    ax = draw(data)
    assert names(ax.yaxis) == [*AWKWARD[:2], "line break", AWKWARD[3]]
    assert_readable(ax)
    assert b"&lt;script&gt;" in style.render(ax, "svg")


def test_the_shape_of_hteb_is_readable():
    deltas = table(14, 9).set_axis([f"transformation {j}" for j in range(9)], axis="columns")
    assert_readable(draw(deltas, center=0.0))


def test_the_same_table_gives_the_same_bytes_and_a_small_file():
    first, again = (style.render(draw(table(131, 131), top=None), "svg") for _ in range(2))
    assert first == again
    assert len(first) < 150_000


@pytest.mark.parametrize(
    ("data", "options", "error", "message"),
    [
        (table(3, 2), {"top": 0}, ParameterError, "top must be a whole number"),
        (table(0, 2), {}, EmptyMatrixError, "no rows"),
        (table(3, 2) * np.nan, {}, EmptyMatrixError, "no cell of the table has a number"),
        (table(3, 2).astype(str) + "a", {}, NonNumericError, "must be numbers"),
        (table(3, 2), {"limits": (1.0, 1.0)}, ParameterError, "limits are a low and a higher"),
        (
            table(3, 2).mask(np.arange(3)[:, None] == np.ones(2)),
            {"order_by_likeness": True},
            MissingScoresError,
            "organisation/model-1.*Leave them out",
        ),
    ],
)
def test_says_what_is_wrong(data, options, error, message):
    with pytest.raises(error, match=message):
        draw(data, **options)


def test_columns_of_three_levels_are_refused():
    columns = pd.MultiIndex.from_tuples([("a", "b", "c")])
    with pytest.raises(ParameterError, match="one or two levels of labels; got 3"):
        draw(table(2, 1).set_axis(columns, axis="columns"))
