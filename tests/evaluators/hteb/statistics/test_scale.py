"""Effects of scale: planted slopes, least squares by hand, and what leaves them undefined."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import robustrank as rr
from robustrank.errors import InputError, ParameterError
from robustrank.evaluators.hteb.statistics import profiles, read_scores, scale_effect
from robustrank.evaluators.hteb.texts.transformations import AXES
from robustrank.figures import style
from tests.evaluators.hteb.statistics.boards import AXIS_OF, planted
from tests.figures.layout import assert_readable

VALUES = ["original", "total", "gap", *(f"delta of {axis}" for axis in AXES)]
SIZES = {"model 0": 1e9, "model 1": 2e9, "model 2": 4e9, "model 3": 8e9, "model 4": 3e8}
FAMILIES = pd.DataFrame(
    {
        "model": list(SIZES),
        "family": ["A"] * 3 + ["B"] * 2,
        "n_parameters": list(SIZES.values()),
    }
)


@pytest.fixture(scope="module")
def board():
    return planted(5, 8, noise=0.03)


@pytest.fixture(scope="module")
def found(board):
    return scale_effect(board, FAMILIES)


def grown(board, original=0.0, **by_axis):
    """Let scores of originals, and deltas of axes, grow with doublings of the parameters."""
    doublings = board["model"].map(SIZES).map(np.log2) - 30
    axis = board["transformation"].map(AXIS_OF)
    slope = original + axis.map(by_axis).fillna(0.0)
    return board.assign(score=0.4 + slope * doublings)


def test_planted_slopes_are_found(board):
    table = grown(board, 0.03, Language=0.02, Length=-0.01)
    slopes = scale_effect(table, FAMILIES).slopes["estimate"].unstack("value")[VALUES]
    expected = [0.03, 0.03 + 0.01 / 3, 0.01 / 3, 0.0, -0.01, 0.02]
    np.testing.assert_allclose(slopes, [expected, expected], atol=1e-12)


def test_slopes_are_least_squares_per_dataset(board, found):
    members = FAMILIES[FAMILIES["family"] == "A"].set_index("model")["n_parameters"]
    rows = board[board["model"].isin(members.index)]
    x = np.log2(members.to_numpy())
    by_dataset = []
    for _, some in rows.groupby("dataset"):
        means = some.groupby(["model", "transformation"])["score"].mean().unstack()
        delta = means[list(AXES["Length"])].mean(axis=1) - means["original"]
        by_dataset.append(np.polyfit(x, delta[members.index], 1)[0])
    row = found.slopes.loc[("A", "delta of Length")]
    assert row["estimate"] == pytest.approx(np.mean(by_dataset))
    interval = stats.t.interval(0.95, 7, np.mean(by_dataset), stats.sem(by_dataset))
    assert (row["low"], row["high"]) == pytest.approx(interval)
    assert row["p_unadjusted"] == pytest.approx(stats.wilcoxon(by_dataset).pvalue)
    assert (row["n_models"], row["n_datasets"]) == (3, 8)


def test_p_values_are_adjusted_within_a_family(found):
    for _, rows in found.slopes.groupby(level="family"):
        np.testing.assert_allclose(
            rows["p_value"], rr.adjust_p_values(rows["p_unadjusted"], "holm")
        )


def test_the_table_is_that_of_profiles(board, found):
    by_part = profiles(board).table
    for model, row in found.table.iterrows():
        total = by_part.loc[(model, "total")]
        assert row["original"] == pytest.approx(total["original"])
        assert row["total"] == pytest.approx(total["score"])
        assert row["gap"] == pytest.approx(total["delta"])
        for axis in AXES:
            assert row[f"delta of {axis}"] == pytest.approx(by_part.loc[(model, axis), "delta"])
    assert list(found.table.index) == ["model 0", "model 1", "model 2", "model 4", "model 3"]
    assert list(found.table.columns) == ["family", "n_parameters", *VALUES]
    assert list(found.slopes.loc["A"].index) == VALUES


def test_units_of_size_do_not_matter(board, found):
    thousands = FAMILIES.assign(n_parameters=FAMILIES["n_parameters"] / 1000)
    pd.testing.assert_frame_equal(scale_effect(board, thousands).slopes, found.slopes)
    text = FAMILIES.assign(n_parameters=["1B", "2B", "4B", "8B", "300M"])
    pd.testing.assert_frame_equal(scale_effect(board, text).slopes, found.slopes)


def test_one_size_has_no_slope(board):
    alike = FAMILIES.assign(n_parameters=[1e9, 2e9, 4e9, 8e9, 8e9])
    found = scale_effect(board, alike)
    assert [(note.code, note.labels) for note in found.notes] == [("one-size", ("B",))]
    assert found.slopes.loc["B", ["estimate", "low", "high", "p_value"]].isna().to_numpy().all()
    assert found.slopes.loc["A", "estimate"].notna().all()


def test_one_dataset_has_no_interval():
    slopes = scale_effect(planted(5, 1), FAMILIES).slopes
    assert slopes["estimate"].notna().all()
    assert slopes[["low", "high"]].isna().to_numpy().all()
    assert (slopes["p_value"] == 1.0).all()


def test_missing_scores_that_were_kept(board):
    gone = (board["model"] == "model 1") & (board["dataset"] == "data 2")
    found = scale_effect(read_scores(board[~gone], missing="keep"), FAMILIES)
    assert (found.slopes.loc["A", "n_datasets"] == 8).all()
    gone = board["model"].isin(["model 1", "model 2"]) & (board["dataset"] == "data 2")
    fewer = scale_effect(read_scores(board[~gone], missing="keep"), FAMILIES).slopes.loc["A"]
    expected = scale_effect(board[board["dataset"] != "data 2"], FAMILIES).slopes.loc["A"]
    pd.testing.assert_frame_equal(fewer, expected)


def test_models_left_out_are_noted(board):
    found = scale_effect(board, FAMILIES[FAMILIES["family"] == "A"])
    (note,) = found.notes
    assert (note.code, note.labels) == ("models-without-family", ("model 3", "model 4"))
    assert list(found.table.index) == ["model 0", "model 1", "model 2"]


def test_settings(board, found):
    wider = scale_effect(board, FAMILIES, confidence_level=0.99)
    width, narrow = (each.slopes["high"] - each.slopes["low"] for each in (wider, found))
    assert (width.drop("original", level="value") > narrow.drop("original", level="value")).all()
    with pytest.raises(ParameterError, match="confidence_level must lie between"):
        scale_effect(board, FAMILIES, confidence_level=2)
    with pytest.raises(InputError, match="There is no file or folder"):
        scale_effect(board, "nowhere.csv")


def test_order_names_and_scale_do_not_matter(board, found):
    mixed = scale_effect(board.sample(frac=1.0, random_state=3), FAMILIES)
    pd.testing.assert_frame_equal(mixed.slopes, found.slopes)
    points = scale_effect(board.assign(score=board["score"] * 100), FAMILIES)
    pd.testing.assert_frame_equal(points.slopes, found.slopes)
    names = {name: f"<{9 - place}>\n$" for place, name in enumerate(SIZES)}
    renamed = scale_effect(board.replace({"model": names}), FAMILIES.replace({"model": names}))
    pd.testing.assert_frame_equal(renamed.slopes, found.slopes, check_exact=True)


def test_text_values_and_files(found, tmp_path):
    text = found.summary()
    assert "Change per doubling of parameters, in points" in text
    assert f"{100 * found.slopes.loc[('A', 'gap'), 'estimate']:.1f}" in text
    assert repr(found) == "ScaleEffect: 5 models of A, B"
    content = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert content["slopes"][0]["family"] == "A"
    assert content["slopes"][0]["value"] == "original"
    written = found.save(tmp_path)
    assert {path.name for path in written} == {
        "summary.txt",
        "results.json",
        "scale.csv",
        "slopes.csv",
        "scale.svg",
    }
    assert all(path.is_file() for path in written)


def test_the_figure_is_in_points(found):
    ax = found.plot("slopes")
    assert_readable(ax)
    np.testing.assert_allclose(
        ax.collections[1].get_offsets()[:, 0], 100 * found.slopes["estimate"]
    )
    assert style.render(ax.figure, "png")


def test_names_are_text_and_no_slope_is_no_figure(board, tmp_path):
    one = FAMILIES.iloc[[0]].assign(family="<b>a$b$&\nc" + "名" * 60)
    found = scale_effect(board, one)
    assert "<b>a$b$& c" in found.summary()
    assert not [path for path in found.save(tmp_path) if path.suffix == ".svg"]
    two = FAMILIES.iloc[:2].assign(family="<b>a$b$&\nc" + "名" * 60)
    assert style.render(scale_effect(board, two).plot.slopes().figure, "svg")
