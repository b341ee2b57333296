from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex

from robustrank import figures
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.figures import style
from tests.figures.layout import assert_readable, read

#: MTEB-PT §9: prices per 1M tokens and means; the last is dominated.
ENDPOINTS = pd.DataFrame(
    {
        "resource": [0.02, 0.06, 0.12, 0.15, 0.13],
        "score": [0.620, 0.643, 0.668, 0.682, 0.645],
        "on_front": [True, True, True, True, False],
        "p_front": [1.0, 0.8, 0.7, 0.95, 0.25],
    },
    index=[
        "voyage-3.5-lite",
        "voyage-4",
        "voyage-context-4",
        "gemini-embedding-001",
        "text-embedding-3-large",
    ],
)


def board(models: int) -> pd.DataFrame:
    rng = np.random.default_rng(models)
    size = np.sort(10 ** rng.uniform(7, 10.5, models))
    score = 0.1 * np.log10(size) - 0.4 + rng.normal(0, 0.06, models)
    on_front = score > np.r_[-1, np.maximum.accumulate(score)[:-1]]
    chance = np.where(on_front, rng.uniform(0.3, 1, models), rng.beta(0.2, 4, models))
    table = {"resource": size, "score": score, "on_front": on_front, "p_front": chance}
    names = [f"organisation-{i % 7}/embedding-model-{i}-instruct" for i in range(models)]
    return pd.DataFrame(table, index=names)


def dots(ax) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Places and areas of the dots, by colour."""
    return {
        to_hex(drawn.get_facecolor()[0]): (np.asarray(drawn.get_offsets()), drawn.get_sizes())
        for drawn in ax.collections
        if isinstance(drawn, PathCollection)
    }


def key(ax) -> list[str]:
    return [read(text) for text in ax.texts if text.xycoords == "axes fraction"]


def numbers(ax) -> dict[str, tuple[float, float]]:
    return {
        text.get_text(): text.xy for text in ax.texts if text.get_text() and text.xycoords == "data"
    }


def test_the_published_front():
    ax = figures.pareto(ENDPOINTS, label="price")
    drawn = dots(ax)
    np.testing.assert_allclose(drawn[style.BLUE][0], ENDPOINTS.iloc[:4, :2])
    np.testing.assert_allclose(drawn[style.MUTED][0], ENDPOINTS.iloc[4:, :2])
    assert key(ax) == [
        "on the front",
        "1  voyage-3.5-lite  (100%)",
        "2  voyage-4  (80%)",
        "3  voyage-context-4  (70%)",
        "4  gemini-embedding-001  (95%)",
        "off it, but on it in 20% of resamples or more",
        "5  text-embedding-3-large  (25%)",
    ]
    at = {str(i): tuple(row) for i, row in enumerate(ENDPOINTS.iloc[:, :2].to_numpy(), 1)}
    assert numbers(ax) == at
    assert ax.get_xscale() == "linear"
    assert ax.get_xlabel() == "price (less is better)"
    assert_readable(ax)


def test_dots_grow_with_the_chance():
    sizes = dots(figures.pareto(ENDPOINTS))[style.BLUE][1]
    chance = ENDPOINTS["p_front"].iloc[:4]
    assert (np.argsort(sizes) == np.argsort(chance)).all()
    assert len(set(sizes)) == 4


def test_stairs_rise_at_each_model_of_the_front():
    ax = figures.pareto(ENDPOINTS)
    x, y = ax.lines[0].get_data()
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) >= 0).all()
    right, bottom = ax.get_xlim()[1], ax.get_ylim()[0]
    assert (x[0], y[0]) == (0.02, bottom)
    assert (x[-1], y[-1]) == (right, 0.682)
    corners = set(zip(x, y, strict=True))
    assert {(0.02, 0.62), (0.06, 0.62), (0.06, 0.643), (0.12, 0.643)} <= corners
    # Nobody is above the stairs.
    for cost, score in ENDPOINTS.iloc[:, :2].to_numpy():
        assert score <= y[x <= cost].max()


def test_where_more_is_better_the_stairs_run_the_other_way():
    table = ENDPOINTS.assign(resource=-ENDPOINTS["resource"] + 1)
    ax = figures.pareto(table, better="high")
    x, y = ax.lines[0].get_data()
    assert (np.diff(x) <= 0).all()
    assert x[-1] == ax.get_xlim()[0]
    assert y[-1] == 0.682
    assert "more is better" in ax.get_xlabel()


@pytest.mark.parametrize(
    ("resource", "scale"),
    [
        ([1, 2, 3, 4, 29], "linear"),
        ([1, 2, 3, 4, 31], "log"),
        ([0, 1e6, 2e6, 3e6, 1e9], "symlog"),
        ([0, 1e6, 2e6, 3e6, 4e6], "linear"),
        ([-5, 1, 2, 3, 1e9], "linear"),
        ([7, 7, 7, 7, 7], "linear"),
        ([0, 0, 0, 0, 0], "linear"),
    ],
)
def test_scale_of_the_resource(resource, scale):
    ax = figures.pareto(ENDPOINTS.assign(resource=np.array(resource, dtype=float)))
    assert ax.get_xscale() == scale
    low, high = ax.get_xlim()
    assert low < min(resource) <= max(resource) < high
    assert_readable(ax)


def test_ticks_are_short():
    table = board(30).assign(resource=lambda t: np.geomspace(2e7, 3e10, len(t)))
    ax = figures.pareto(table, label="n_parameters")
    ax.figure.canvas.draw()
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels == ["30M", "100M", "300M", "1B", "3B", "10B", "30B"]


def test_intervals_are_drawn_where_known():
    table = ENDPOINTS.assign(low=ENDPOINTS["score"] - 0.01, high=ENDPOINTS["score"] + 0.02)
    table.loc["voyage-4", "low"] = np.nan
    ax = figures.pareto(table)
    segments = {
        tuple(np.round(segment.ravel(), 6))
        for drawn in ax.collections
        if isinstance(drawn, LineCollection)
        for segment in drawn.get_segments()
    }
    assert segments == {
        (x, round(y - 0.01, 6), x, round(y + 0.02, 6))
        for x, y in table.drop("voyage-4")[["resource", "score"]].to_numpy()
    }
    colours = {
        to_hex(drawn.get_edgecolor()[0])
        for drawn in ax.collections
        if isinstance(drawn, LineCollection)
    }
    assert colours == {style.BLUE, style.MUTED}
    low, high = ax.get_ylim()
    assert low < 0.61
    assert high > 0.702


def test_an_unknown_chance_is_not_written():
    ax = figures.pareto(ENDPOINTS.assign(p_front=np.nan))
    assert key(ax)[:2] == ["on the front", "1  voyage-3.5-lite"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "on the front",
        "dominated",
    ]


def test_a_remark_is_written():
    ax = figures.pareto(ENDPOINTS, remark="3 models without a price not shown")
    assert "3 models without a price not shown" in [text.get_text() for text in ax.texts]


def test_a_long_front_is_cut_and_counted():
    table = ENDPOINTS.iloc[:1]
    table = pd.concat([table] * 50).set_axis([f"m{i}" for i in range(50)])
    table["resource"] = np.arange(50.0)
    table["score"] = np.arange(50) / 50
    ax = figures.pareto(table)
    assert key(ax)[-2:] == ["40  m39  (100%)", "10 more are not named"]
    assert len(dots(ax)[style.BLUE][0]) == 50


@pytest.mark.parametrize("models", [1, 10, 93, 300])
def test_readable(models):
    table = board(models)
    ax = figures.pareto(table.assign(low=table["score"] - 0.03, high=table["score"] + 0.03))
    assert_readable(ax)
    front = table.index[table["on_front"]]
    assert all(any(name in row for row in key(ax)) for name in front)


def test_names_are_text():
    ax = figures.pareto(ENDPOINTS.set_axis(["a$b$", "<b>&", "模型", "x" * 80, "two\nlines"]))
    assert key(ax)[1:3] == ["1  a$b$  (100%)", "2  <b>&  (80%)"]
    assert_readable(ax)


def test_same_bytes():
    with style.detached():
        first, second = (style.render(figures.pareto(board(40)), "svg") for _ in range(2))
    assert first == second


def test_refuses_another_end_of_the_resource():
    with pytest.raises(ParameterError, match="better must be 'low' or 'high'; got 'lo'"):
        figures.pareto(ENDPOINTS, better="lo")


def test_nothing_to_draw():
    with pytest.raises(EmptyMatrixError, match="nothing to draw"):
        figures.pareto(ENDPOINTS.head(0))
