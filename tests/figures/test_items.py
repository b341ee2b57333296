from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.text import Annotation

from robustrank import figures
from robustrank.errors import EmptyMatrixError
from robustrank.figures import style
from tests.figures.layout import assert_readable


def items(n: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {"discrimination": np.exp(rng.normal(0, 0.7, n)), "difficulty": rng.normal(0, 1.5, n)},
        index=[f"SomeDatasetClassification{i}" for i in range(n)],
    )


def dots(ax) -> np.ndarray:
    drawn = [each for each in ax.collections if isinstance(each, PathCollection)]
    return np.vstack([np.asarray(each.get_offsets()).reshape(-1, 2) for each in drawn])


def named(ax) -> dict[str, tuple[float, float]]:
    """The points that names belong to."""
    return {
        text.get_text().replace("\n", ""): tuple(np.round(text.xy, 9))
        for text in ax.texts
        if isinstance(text, Annotation) and text.get_text() and text.xycoords == "data"
    }


def below(ax) -> str:
    return " ".join(text.get_text() for text in ax.texts if text.xycoords is ax.xaxis.label)


def test_up_to_25_datasets_are_dots_with_their_names():
    table = items(25)
    ax = figures.items(table)
    expected = table[["difficulty", "discrimination"]].to_numpy()
    drawn = dots(ax)
    np.testing.assert_allclose(drawn[np.lexsort(drawn.T)], expected[np.lexsort(expected.T)])
    assert named(ax) == {
        name: tuple(np.round(point, 9)) for name, point in zip(table.index, expected, strict=True)
    }
    assert below(ax) == ""
    assert_readable(ax)


def test_of_more_the_ends_are_named_and_it_is_said():
    table = items(131)
    ax = figures.items(table)
    by_a = table["discrimination"].sort_values()
    by_b = table["difficulty"].sort_values()
    wanted = {*by_a.index[:6], *by_a.index[-6:], *by_b.index[:3], *by_b.index[-3:]}
    assert set(named(ax)) == wanted
    assert "the 6 that discriminate most and least, the 3 easiest and hardest" in below(ax)
    assert_readable(ax)


def test_groups_have_colours_and_marks_of_their_own():
    table = items(40)
    groups = pd.Series([f"type {i % 10}" for i in range(40)], index=table.index)
    groups.iloc[0] = None
    ax = figures.items(table, groups=groups)
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == [*(f"type {i}" for i in range(10)), "without a group"]
    looks = {}
    for name in table.index[1:]:
        at = tuple(table.loc[name, ["difficulty", "discrimination"]])
        drawn = [
            each
            for each in ax.collections
            if isinstance(each, PathCollection) and at in map(tuple, each.get_offsets())
        ]
        assert len(drawn) == 1
        look = to_hex(drawn[0].get_facecolor()[0]), drawn[0].get_paths()[0].vertices.tobytes()
        assert looks.setdefault(groups[name], look) == look
    assert len(set(looks.values())) == 10
    assert_readable(ax)


def test_intervals_are_crosses_through_the_dots():
    table = items(5)
    ends = {
        name: pd.DataFrame({"low": table[name] - 0.1, "high": table[name] + 0.2}) for name in table
    }
    ax = figures.items(
        table,
        discrimination_interval=ends["discrimination"].iloc[::-1],
        difficulty_interval=ends["difficulty"].iloc[:4],
    )
    across, up = (
        each.get_segments() for each in ax.collections if isinstance(each, LineCollection)
    )
    for i, (a, b) in enumerate(table.to_numpy()):
        np.testing.assert_allclose(up[i], [(b, a - 0.1), (b, a + 0.2)])
        if i < 4:
            np.testing.assert_allclose(across[i], [(b - 0.1, a), (b + 0.2, a)])
    assert np.isnan(np.asarray(across[4:], dtype=float)).all()


def test_a_difficulty_far_out_is_at_the_edge_and_counted():
    table = items(12)
    table.iloc[3, 1] = -500.0
    ax = figures.items(table)
    first, third = np.quantile(table["difficulty"], [0.25, 0.75])
    edge = first - 3 * (third - first)
    assert dots(ax)[:, 0].min() == pytest.approx(edge)
    assert ax.get_xlim()[0] < edge < 0
    assert below(ax) == "1 dataset with a difficulty beyond this range at its edges"


def test_items_without_parameters_are_counted():
    table = items(9)
    table.iloc[:2] = np.nan
    ax = figures.items(table, noun="item")
    assert len(dots(ax)) == 7
    assert below(ax) == "2 items without a discrimination not shown"


def test_thousands_are_small_dots_in_a_small_file():
    with style.detached():
        ax = figures.items(items(5208), noun="item")
        assert len(dots(ax)) == 5208
        assert named(ax) == {}
        assert len(style.render(ax, "svg")) < 300_000
    assert_readable(ax)


def test_names_are_text():
    table = items(5).set_axis(["a$b$", "<b>&", "模型", "word " * 16, "x" * 80])
    ax = figures.items(table)
    assert {"a$b$", "<b>&", "模型", "x" * 80} <= set(named(ax))
    assert_readable(ax)


@pytest.mark.parametrize("n", [1, 2])
def test_few_and_equal_items(n):
    table = items(1)
    ax = figures.items(pd.concat([table] * n).set_axis([f"d{i}" for i in range(n)]))
    assert set(named(ax)) == {f"d{i}" for i in range(n)}
    assert_readable(ax)


def test_same_bytes():
    with style.detached():
        first, second = (style.render(figures.items(items(131)), "svg") for _ in range(2))
    assert first == second


def test_given_axes_are_used():
    from matplotlib.figure import Figure

    given = Figure(figsize=(12, 5), layout="constrained").subplots(1, 2)[1]
    assert figures.items(items(20), given) is given
    assert_readable(given)


def test_nothing_to_draw():
    with pytest.raises(EmptyMatrixError, match="nothing to draw"):
        figures.items(items(3).assign(difficulty=np.nan))
