from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.statistics.reading import read_scores
from robustrank.evaluators.hteb.statistics.shifts import shifts
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from robustrank.notes import Note
from tests.evaluators.hteb.statistics.boards import DROPS, planted
from tests.figures.layout import assert_readable

COLUMNS = [
    "estimate",
    "low",
    "high",
    "p_value",
    "p_unadjusted",
    "median_difference",
    "mean",
    "n",
]


def codes(result) -> list[str]:
    return [note.code for note in result.notes]


def cells(long: pd.DataFrame, name: str) -> pd.DataFrame:
    """Mean over runs of transformed minus original, model × dataset, by other means."""
    mean = long.groupby(["transformation", "model", "dataset"])["score"].mean()
    return (mean[name] - mean["original"]).unstack("dataset")


def test_rows_are_tests_of_the_means_of_datasets():
    long = planted()
    found = shifts(long)
    assert list(found.table.columns) == COLUMNS
    assert list(found.table.index) == list(TRANSFORMATIONS)
    for name, row in found.table.iterrows():
        by_dataset = cells(long, name).mean(axis="index")
        test = rr.signed_rank_test(by_dataset)
        assert row["estimate"] == pytest.approx(test.estimate, abs=1e-9)
        assert (row["low"], row["high"]) == pytest.approx((test.low, test.high), abs=1e-9)
        assert row["p_unadjusted"] == pytest.approx(test.p_value)
        assert row["mean"] == pytest.approx(by_dataset.mean())
        assert row["median_difference"] == pytest.approx(by_dataset.abs().median())
        assert row["n"] == 9
    adjusted = rr.adjust_p_values(found.table["p_unadjusted"], "holm")
    np.testing.assert_allclose(found.table["p_value"], adjusted)


def test_pairs_are_the_paper_s_observations_and_said_to_depend():
    long = planted()
    found = shifts(long, observations="pairs")
    test = rr.signed_rank_test(cells(long, "expansion").to_numpy().ravel())
    row = found.table.loc["expansion"]
    assert (row["estimate"], row["n"]) == (pytest.approx(test.estimate, abs=1e-9), 45)
    assert row["p_unadjusted"] == pytest.approx(test.p_value)
    assert codes(found) == ["dependent-observations"]
    width = (found.table["high"] - found.table["low"]).mean()
    of_datasets = shifts(long).table
    assert width < (of_datasets["high"] - of_datasets["low"]).mean()


def test_planted_drops_are_recovered():
    found = shifts(planted(models=8, datasets=30, runs=1)).table
    np.testing.assert_allclose(
        100 * found["estimate"], list(DROPS.values()) * np.array(-1), rtol=0.2
    )
    assert (found["p_value"] < 0.001).all()
    assert (found["high"] < 0).all()


def test_axes_are_means_of_their_transformations():
    long = planted()
    found = shifts(long, by="axis")
    assert list(found.table.index) == list(AXES)
    language = np.mean([cells(long, name).mean() for name in AXES["Language"]], axis=0)
    row = found.table.loc["Language"]
    assert row["estimate"] == pytest.approx(rr.signed_rank_test(language).estimate, abs=1e-9)
    assert "3 axes differ from 0" in repr(found)


def test_order_of_rows_names_and_scale_change_nothing():
    long = planted()
    expected = shifts(long).table
    shuffled = long.sample(frac=1, random_state=1)
    percent = long.assign(score=100 * long["score"])
    renamed = long.assign(model="<b>" + long["model"], dataset="データ $x$ " + long["dataset"])
    for changed in (shuffled, percent, renamed):
        pd.testing.assert_frame_equal(
            shifts(changed).table.loc[expected.index], expected, atol=1e-9, rtol=1e-9
        )


def test_a_copied_model_changes_nothing_where_datasets_are_the_units():
    long = planted(models=1)
    copies = [long.assign(model=f"copy {i}") for i in range(6)]
    expected = shifts(long).table
    pd.testing.assert_frame_equal(shifts(pd.concat(copies)).table, expected, atol=1e-9)
    paper = shifts(pd.concat(copies), observations="pairs").table
    assert (paper["p_unadjusted"] < expected["p_unadjusted"] / 100).all()


def test_six_datasets_cannot_show_a_shift_of_eight_and_five_give_no_interval():
    found = shifts(planted(datasets=6))
    assert codes(found) == ["no-finding-possible"]
    assert "6 datasets cannot show" in found.notes[0].message
    assert "below 0.25 after Holm over 8 rows" in found.notes[0].message
    assert found.table["p_value"].min() >= 0.25
    few = shifts(planted(datasets=5))
    assert codes(few) == ["no-finding-possible", "no-interval"]
    assert few.table[["low", "high"]].isna().all(axis=None)
    assert "5 datasets cannot give an interval at 0.95; 8 rows without one." in few.notes[1].message


@pytest.mark.parametrize("observations", ["datasets", "pairs"])
def test_one_model_dataset_axis_and_run_give_a_result_and_a_reason(observations):
    long = planted(models=1, datasets=1, runs=1)
    long = long[long["transformation"].isin(["original", "translation"])]
    found = shifts(long, observations=observations, by="axis")
    assert list(found.table.index) == ["Language"]
    assert found.table.loc["Language", "p_value"] == 1.0
    assert "no-interval" in codes(found)
    assert "–" in found.summary()


def test_a_part_without_scores_is_nan():
    scores = read_scores(planted())
    scores.transformed["translation"] = np.nan
    found = shifts(scores)
    row = found.table.loc["translation"]
    assert row["n"] == 0
    assert row.drop("n").isna().all()
    assert found.table["p_value"].drop("translation").notna().all()
    assert_readable(found.plot.forest())


def test_notes_of_reading_are_carried():
    scores = read_scores(planted())
    noted = scores.keep(scores.transformed.index, [Note("odd", "An odd thing.")])
    assert codes(shifts(noted)) == ["odd"]


def test_the_figure_is_in_points_and_text_and_files_hold_the_table(tmp_path):
    found = shifts(planted())
    ax = found.plot("forest")
    drawn = ax.collections[1].get_offsets()[:, 0]
    np.testing.assert_allclose(drawn, 100 * found.table["estimate"])
    assert_readable(ax)
    written = {path.name for path in found.save(tmp_path)}
    assert written == {"summary.txt", "results.json", "shifts.csv", "shifts.svg"}
    content = json.loads((tmp_path / "results.json").read_text())
    assert content["table"][0]["part"] == "paraphrasing"
    assert content["observations"] == "datasets"
    assert found.summary().startswith("Shifts over datasets: 8 of 8 transformations differ from 0")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"observations": "models"}, "'datasets' or 'pairs'; got 'models'"),
        ({"by": "part"}, "'transformation' or 'axis'; got 'part'"),
        ({"confidence_level": 2}, "confidence_level must lie between 0 and 1"),
    ],
)
def test_bad_settings_are_named(given, words):
    with pytest.raises(ParameterError, match=words):
        shifts(planted(models=1, datasets=1), **given)
