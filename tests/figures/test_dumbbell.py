from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from robustrank import figures
from robustrank.errors import EmptyMatrixError, ParameterError, UnknownLabelError
from robustrank.figures import style
from tests.figures.layout import assert_readable

AXES = ["Lexical/Stylistic", "Length", "Language"]


def scores(models: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    original = np.sort(rng.uniform(0.4, 0.8, models))[::-1]
    columns = {name: original - rng.uniform(-0.02, 0.2, models) for name in AXES}
    names = [f"organisation-{i % 7}/embedding-model-{i}-instruct" for i in range(models)]
    return pd.DataFrame({"original": original, **columns}, index=names)


def dots(ax) -> dict[str, np.ndarray]:
    """Places of the marks, by what the legend calls them."""
    return {
        drawn.get_label(): np.asarray(drawn.get_offsets())
        for drawn in ax.collections
        if not drawn.get_label().startswith("_")
    }


def rows(ax) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def column(ax, place: int) -> list[str]:
    """One of the two columns of numbers, from its heading down."""
    texts = sorted(ax.texts, key=lambda text: (text.xyann[0], text.xy[1]))
    half = len(texts) // 2
    return [text.get_text() for text in texts[half * place : half * (place + 1)]]


def test_marks_are_the_scores_and_numbers_their_means():
    table = scores(4)
    ax = figures.dumbbell(table, total_label="HTEB")
    drawn = dots(ax)
    assert rows(ax) == [*table.index, "ø"]
    for name in table.columns:
        expected = [*table[name], table[name].mean()]
        np.testing.assert_allclose(drawn[name], np.column_stack([expected, range(5)]))
    total = table[AXES].mean(axis=1)
    assert column(ax, 0) == [
        "original",
        *(f"{x:.3f}" for x in [*table["original"], table["original"].mean()]),
    ]
    assert column(ax, 1) == ["HTEB", *(f"{x:.3f}" for x in [*total, total.mean()])]


def test_lines_span_the_scores_of_a_row():
    table = scores(3)
    segments = figures.dumbbell(table).collections[0].get_segments()
    for i, row in enumerate(table.to_numpy()):
        np.testing.assert_allclose(segments[i], [(row.min(), i), (row.max(), i)])


def test_axes_are_told_apart_by_colour_and_mark():
    ax = figures.dumbbell(scores(3))
    drawn = [each for each in ax.collections if not each.get_label().startswith("_")]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["original", *AXES]
    assert len({to_hex(each.get_facecolor()[0]) for each in drawn}) == 4
    assert len({each.get_paths()[0].vertices.tobytes() for each in drawn}) == 4


def test_percent_has_one_decimal():
    assert column(figures.dumbbell(100 * scores(2)), 0)[1] == f"{100 * scores(2).iloc[0, 0]:.1f}"


def test_a_missing_score_has_no_dot_and_no_total():
    table = scores(4)
    table.loc[table.index[1], "Length"] = np.nan
    ax = figures.dumbbell(table)
    assert column(ax, 1)[2] == "–"
    assert column(ax, 0)[2] == f"{table.iloc[1, 0]:.3f}"
    assert rows(ax)[-1] == "ø of 3 models with all scores"
    full = table.dropna()
    assert column(ax, 0)[-1] == f"{full['original'].mean():.3f}"
    assert column(ax, 1)[-1] == f"{full[AXES].mean(axis=1).mean():.3f}"


def test_what_is_left_out_is_counted_but_in_the_mean():
    table = scores(40)
    ax = figures.dumbbell(table, top=3)
    assert rows(ax) == [*table.index[:3], "ø of all 40 models", "… and 37 more models"]
    assert column(ax, 0)[-1] == f"{table['original'].mean():.3f}"


@pytest.mark.parametrize(("models", "top"), [(10, 30), (93, None), (300, 30)])
def test_readable(models, top):
    assert_readable(figures.dumbbell(scores(models), top=top))


def test_many_and_long_names_of_axes_are_readable():
    table = scores(5)
    for i in range(9):
        table[f"an axis of transformations with a long name {i}"] = table["original"] - i / 50
    assert_readable(figures.dumbbell(table))


def test_names_are_text():
    table = scores(4).set_axis(["a$b$", "<script>&", "模型", "x" * 80])
    table = table.rename(columns={"Length": "$L$\nength"})
    ax = figures.dumbbell(table)
    assert rows(ax)[:2] == ["a$b$", "<script>&"]
    assert "$L$ ength" in dots(ax)
    assert_readable(ax)


def test_same_bytes():
    with style.detached():
        first, second = (style.render(figures.dumbbell(scores(9)), "svg") for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("table", "options", "error", "message"),
    [
        (scores(2).rename(columns={"original": "Original"}), {}, UnknownLabelError, "original"),
        (scores(2)[["original"]], {}, EmptyMatrixError, "give one per axis"),
        (scores(2).head(0), {}, EmptyMatrixError, "nothing to draw"),
        (scores(2), {"top": 0}, ParameterError, "top must be"),
    ],
)
def test_bad_input(table, options, error, message):
    with pytest.raises(error, match=message):
        figures.dumbbell(table, **options)
