from __future__ import annotations

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib.figure import Figure

from robustrank import figures
from robustrank.errors import EmptyMatrixError, ParameterError, UnknownLabelError
from robustrank.figures import style


@style.themed
def draw(ax=None):
    ax = style.open_axes(ax, 3, 2)
    ax.set_title("a$b$")
    return ax


def test_the_style_is_local_and_independent_of_the_callers():
    with mpl.rc_context({"axes.titlesize": 30, "axes.spines.top": True}):
        before = dict(mpl.rcParams)
        ax = draw()
        assert dict(mpl.rcParams) == before
    assert ax.title.get_fontsize() == 10
    assert not ax.spines.top.get_visible()


def test_new_figures_are_pyplots_but_detached_ones():
    from matplotlib import pyplot as plt

    ax = draw()
    assert plt.gcf() is ax.figure
    with style.detached():
        assert draw().figure is not plt.gcf()
    assert len(plt.get_fignums()) == 1


def test_given_axes_open_no_figure():
    from matplotlib import pyplot as plt

    with style.detached():
        ax = draw()
    assert draw(ax) is ax
    assert plt.get_fignums() == []


def test_cut():
    assert [style.cut(5, top) for top in (None, 3, 9)] == [5, 3, 5]
    with pytest.raises(ParameterError, match="top must be a whole number"):
        style.cut(5, 0)
    with pytest.raises(EmptyMatrixError, match="no rows"):
        style.cut(0, None)


def test_rows_are_named_from_the_top_and_the_rest_is_counted():
    ax = draw()
    style.name_rows(ax, ["a\nb", "c"], 1_200, "language")
    rows = [label.get_text() for label in ax.get_yticklabels()]
    assert rows == ["a b", "c", "… and 1,200 more languages"]
    assert ax.get_ylim() == (2.5, -0.5)


def test_rows_may_have_values_beside_their_names():
    ax = draw()
    style.name_rows(ax, ["a\nb", "c"], 1, values=["1", "2"])
    rows = [label.get_text() for label in ax.get_yticklabels()]
    assert rows == ["a b\u20021", "c\u20022", "… and 1 more model"]


def test_the_first_rows_of_those_with_values():
    table = pd.Series([1.0, 2.0], index=["a", 7])
    shown = style.first_rows(table, 1, of=5)
    assert (list(shown.table), shown.names, shown.left_out, shown.n_rows) == ([1.0], ["a"], 4, 2)
    shown = style.first_rows(table, None, of=2)
    assert (list(shown.table), shown.names, shown.left_out, shown.n_rows) == (
        [1, 2],
        ["a", "7"],
        0,
        2,
    )


@pytest.mark.parametrize("text", ["D" * 80, "iiii", "group/a-model_v1.5", "WAVE"])
def test_the_width_of_text_is_that_of_what_is_drawn(text):
    figure = Figure(dpi=720)  # fine enough for pixels not to matter
    drawn = figure.text(0, 0, text, fontsize=8, fontfamily="DejaVu Sans").get_window_extent()
    assert style.text_width(text) == pytest.approx(drawn.width / 720, rel=0.05)


def test_letters_of_east_asia_are_squares_and_the_widest_name_counts():
    assert style.text_width("模型", 9) == pytest.approx(2 * 9 / 72)
    assert style.name_width(["a", "abc"]) == style.text_width("abc")
    assert style.name_width([]) == 0


def test_a_missing_column_is_named_with_the_closest():
    table = pd.DataFrame({"Estimate": [1.0], "low": [0.0]})
    style.need(table, ["low"])
    with pytest.raises(UnknownLabelError, match="column 'estimate': did you mean 'Estimate'"):
        style.need(table, ["low", "estimate"])
    with pytest.raises(UnknownLabelError, match="'low': the table has no columns"):
        style.need(pd.DataFrame(), ["low"])


TABLES = {
    "bump": ["rank_a", "rank_b"],
    "dumbbell": ["original"],
    "intervals": ["estimate", "low", "high"],
    "items": ["discrimination", "difficulty"],
    "pareto": ["resource", "score", "on_front", "p_front"],
    "shifts": ["estimate", "low", "high"],
}


@pytest.mark.parametrize(
    ("figure", "column"), [(name, column) for name, all_ in TABLES.items() for column in all_]
)
def test_figures_name_the_column_that_they_lack(figure, column):
    table = pd.DataFrame({name: [1.0, 2.0] for name in [*TABLES[figure], "other"]})
    with pytest.raises(UnknownLabelError, match=f"Unknown column '{column}'"):
        getattr(figures, figure)(table.drop(columns=column))


@pytest.mark.parametrize(
    ("figure", "given"),
    [
        (figures.intervals, pd.DataFrame({"estimate": [1.0], "low": [0.5], "high": [2.0]})),
        (figures.shares, pd.Series([0.5])),
        (figures.shifts, pd.DataFrame({"estimate": [1.0], "low": [0.5], "high": [2.0]})),
        (figures.heatmap, pd.DataFrame({"x": [1.0, 2.0]})),
        (figures.dumbbell, pd.DataFrame({"original": [1.0], "x": [2.0]})),
    ],
)
def test_labels_are_text_on_one_line(figure, given):
    with style.detached():
        svg = style.render(figure(given, label="$a$\nb\x07"), "svg").decode()
    assert ">$a$ b <" in svg


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_files_hold_the_same_bytes(tmp_path, kind):
    with style.detached():
        first, second = (style.save(draw(), tmp_path / f"{i}.{kind}") for i in range(2))
    assert first.read_bytes() == second.read_bytes()


def test_text_in_svg_is_text():
    with style.detached():
        assert b">a$b$<" in style.render(draw(), "svg")


def test_refuses_other_kinds_of_files_and_axes_of_no_figure(tmp_path):
    ax = draw()
    with pytest.raises(ParameterError, match=r"\.svg, \.png or \.pdf; 'a\.gif' ends in none"):
        style.save(ax, tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []
    ax.remove()
    with pytest.raises(ParameterError, match="no figure any more"):
        style.render(ax, "svg")
