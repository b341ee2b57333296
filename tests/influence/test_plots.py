from __future__ import annotations

import numpy as np
import pytest

import robustrank as rr
from robustrank.errors import EmptyMatrixError, UnknownLabelError
from tests.conftest import frame, random_scores
from tests.figures.layout import assert_readable


@pytest.fixture(scope="module")
def found():
    scores = random_scores(8, 18, noise=0.2).rename(index={"m1": "a$b$", "m2": "<b>\n&"})
    return rr.dataset_influence(scores, top_k=3)


def dots(ax):
    return ax.collections[-1].get_offsets().data


def test_margins_are_those_of_the_table_the_smallest_on_top(found):
    ax = found.plot.margins()
    np.testing.assert_allclose(dots(ax)[:, 0], found.table["margin"].sort_values().head(15))
    assert ax.get_xlabel() == f"lead of {found.leaders[0]} without the dataset"
    assert_readable(ax)


def test_ranks_have_their_range(found):
    ax = found.plot.ranks()
    np.testing.assert_array_equal(dots(ax)[:, 0], found.models["rank"])
    ends = np.array([line[:, 0] for line in ax.collections[0].get_segments()])
    np.testing.assert_array_equal(ends, found.models[["rank_low", "rank_high"]])
    assert_readable(ax)


def test_rank_changes_show_what_moves_the_top_most_first(found):
    ax = found.plot.rank_changes()
    shown = np.array([float(text.get_text().replace("−", "-")) for text in ax.texts])
    top = found.rank_changes.iloc[:, :3]
    moved = top.abs().sum(axis=1).sort_values(ascending=False, kind="stable")
    assert moved.iloc[0] > moved.iloc[-1]
    np.testing.assert_array_equal(shown.reshape(-1, 3), top.loc[moved.index])
    assert_readable(ax)


def test_half_a_place_is_not_rounded_away():
    """Two models tie for the second place; without the first dataset, one of them has it."""
    found = rr.dataset_influence(frame([[0.9, 0.9, 0.9], [0.5, 0.6, 0.7], [0.7, 0.6, 0.5]]))
    said = {text.get_text() for text in found.plot.rank_changes().texts}
    assert {"0.5", "−0.5", "0.0"} <= said


def test_what_cannot_be_drawn_is_refused(found):
    single = rr.dataset_influence(frame([[0.5], [0.6]]))
    for kind in found.plot.kinds():
        with pytest.raises(EmptyMatrixError, match="a single dataset cannot be left out"):
            single.plot(kind)
    with pytest.raises(UnknownLabelError, match="margins"):
        found.plot("margin")
