"""Where each model comes over all rankings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex

from robustrank import figures
from robustrank.errors import EmptyMatrixError
from robustrank.figures import style
from tests.figures.layout import assert_readable
from tests.figures.test_rankings import RANKINGS, ranks


def draw(data: pd.DataFrame, **options):
    with style.detached():
        return figures.rank_distribution(data, **options)


def rows(ax) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def dots(ax) -> list[tuple[str, int, float, float]]:
    """Colour, row, rank and area of every dot."""
    found = []
    for collection in ax.collections:
        if isinstance(collection, PathCollection):
            colour = to_hex(collection.get_facecolor()[0])
            (size,) = collection.get_sizes()
            found += [(colour, round(y), x, size) for x, y in collection.get_offsets()]
    return found


def test_dots_are_the_ranks_by_composition_larger_where_schemes_agree():
    values = [[1, 1, 2, 1, 3, 4.5], [2, 2, 2, 5, 5, 5]]
    ax = draw(pd.DataFrame(values, index=["a", "b"], columns=RANKINGS))
    colours = dict(zip(["all", "pick-1"], style.CYCLE, strict=False))
    expected = {
        (colours["all"], 0, 1.0): 2,
        (colours["all"], 0, 2.0): 1,
        (colours["all"], 1, 2.0): 3,
        (colours["pick-1"], 0, 1.0): 1,
        (colours["pick-1"], 0, 3.0): 1,
        (colours["pick-1"], 0, 4.5): 1,
        (colours["pick-1"], 1, 5.0): 3,
    }
    found = {(colour, row, rank): size for colour, row, rank, size in dots(ax)}
    assert found.keys() == expected.keys()
    unit = found[colours["all"], 0, 2.0]
    for key, count in expected.items():
        assert found[key] == pytest.approx(unit * count)
    legend = ax.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["all", "pick-1"]
    assert [to_hex(line.get_color()) for line in legend.get_lines()] == list(colours.values())


def test_boxes_are_quartiles_with_median_and_range():
    data = ranks(8)
    ax = draw(data)
    values = data.to_numpy()
    low, lower, middle, upper, high = np.quantile(values, [0, 0.25, 0.5, 0.75, 1], axis=1)
    boxes = ax.patches
    assert [box.get_x() for box in boxes] == pytest.approx(list(lower))
    assert [box.get_width() for box in boxes] == pytest.approx(list(upper - lower))
    ranges, medians = ax.collections[:2]
    ends = np.array([segment[:, 0] for segment in ranges.get_segments()])
    np.testing.assert_allclose(ends, np.c_[low, high])
    at = [segment[0, 0] for segment in medians.get_segments()]
    assert at == pytest.approx(list(middle))


def test_models_keep_their_order_and_the_others_are_counted():
    data = ranks(30)
    data.iloc[1, 0] = np.nan
    ax = draw(data, top=3)
    assert rows(ax) == [*data.index[[0, 2, 3]], "… and 27 more models"]


def test_the_best_rank_is_at_the_right_and_ticks_are_whole():
    ax = draw(ranks(93), top=None)
    left, right = ax.get_xlim()
    assert left > 93
    assert right == 0.5
    ticks = ax.get_xticks()
    assert ticks[0] == 1
    assert (ticks == ticks.round()).all()
    assert draw(ranks(1)).get_xticks().tolist() == [1.0]


@pytest.mark.parametrize("models", [10, 93, 300])
def test_is_readable(models):
    assert_readable(draw(ranks(models)))


def test_many_compositions_awkward_names_and_the_same_bytes():
    columns = pd.MultiIndex.from_product([[f"pick-{i}" for i in range(12)], ["a", "b"]])
    names = ["a$b$/<script>&", "模型/向量", "line\nbreak", "x" * 80]
    data = pd.concat([ranks(4, seed) for seed in range(4)], axis="columns")
    data = data.set_axis(columns, axis="columns").set_axis(names)
    assert_readable(draw(data))
    assert style.render(draw(data), "svg") == style.render(draw(data), "svg")


def test_says_where_no_model_has_all_ranks():
    with pytest.raises(EmptyMatrixError, match="nothing to draw"):
        draw(ranks(3) * np.nan)
