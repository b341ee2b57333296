from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from robustrank.errors import DuplicateError, EmptyMatrixError, ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.ratings import (
    drift_and_quality,
    make_survey,
    measure_drift,
    read_ratings,
)

from .conftest import fill


class Letters:
    """Embeds a text as how often it has each letter."""

    def encode(self, texts):
        return np.array(
            [[text.lower().count(letter) for letter in "abcdefxy"] for text in texts], float
        )


def test_drift_is_one_less_the_cosine():
    table = pd.DataFrame(
        {
            "transformation": "x",
            "original": ["ab", "AB ", "aab", "a", "zzz"],
            "text": ["ab", "ab", "abb", "b", "a"],
        }
    )
    found = measure_drift(table, Letters())
    assert found["drift"].tolist()[:4] == pytest.approx([0, 0, 1 - 4 / 5, 1], abs=1e-7)
    assert np.isnan(found["drift"][4])
    assert found["identical"].tolist() == [True, True, False, False, False]
    with pytest.raises(EmptyMatrixError, match="no transformed text"):
        measure_drift(table.assign(text=None), Letters())


@pytest.fixture
def rated(run_folder, tmp_path):
    folder = tmp_path / "s"
    survey = make_survey(run_folder, folder, per_transformation=12)
    drift = measure_drift(folder / "items.csv", Letters())
    place = drift.set_index("item")["drift"].rank(pct=True)
    fill(survey, folder, ["a", "b"], lambda item, criterion, rater: 5 - int(place[item] * 3.99))
    return folder, drift


def test_worse_ratings_go_with_more_drift(rated):
    folder, drift = rated
    read = read_ratings(folder)
    found = drift_and_quality(drift, read, n_resamples=200)
    rating = read.matrix("quality").mean(axis=1)
    own = drift.set_index("item").join(rating.rename("rating"))
    assert found.table["rho"].iloc[-1] == pytest.approx(
        spearmanr(own["drift"].round(10), own["rating"])[0]
    )
    assert found.table["high"].iloc[-1] < -0.8
    assert found.table["n"].to_dict()["(cross-)translation"] == 24
    assert list(found.table.index)[-1] == "overall"
    varied = 0
    for name, part in own.groupby("transformation"):
        if name in found.table.index and min(part["drift"].nunique(), part["rating"].nunique()) > 1:
            varied += 1
            expected = spearmanr(part["drift"].round(10), part["rating"])[0]
            assert found.table.loc[name, "rho"] == pytest.approx(expected)
    assert varied >= 2
    again = drift_and_quality(drift.sample(frac=1, random_state=0), read, n_resamples=200)
    pd.testing.assert_frame_equal(found.table, again.table.loc[found.table.index])


def test_items_of_a_run_are_those_of_its_survey(rated, run_folder):
    _, drift = rated
    whole = measure_drift(run_folder, Letters()).set_index("item")["drift"]
    assert len(whole) == 8 * 26
    assert whole[drift["item"]].tolist() == drift["drift"].tolist()


def test_results_are_saved_with_their_figure(rated, tmp_path):
    folder, drift = rated
    found = drift_and_quality(drift, folder, criterion="fluency", n_resamples=50)
    names = {path.name for path in found.save(tmp_path / "out")}
    assert names == {
        "summary.txt",
        "results.json",
        "correlations.csv",
        "items.csv",
        "correlations.svg",
    }
    assert found.summary().startswith("Drift and fluency over 96 texts: Spearman's ρ -0.")
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_cannot_be_correlated_is_said(rated):
    folder, drift = rated
    read = read_ratings(folder)
    flat = drift_and_quality(drift.assign(drift=0.5), read, n_resamples=20)
    assert flat.table["rho"].isna().all()
    assert "no-correlation" in {note.code for note in flat.notes}
    assert "no correlation" in flat.summary()
    some = drift_and_quality(drift.iloc[:60], read, n_resamples=20)
    assert [note.message for note in some.notes if note.code == "no-drift"] == [
        "36 rated items without a drift are left out."
    ]
    with pytest.raises(EmptyMatrixError, match="No item has both a drift and a rating"):
        drift_and_quality(drift.assign(item="other " + drift["item"]), read)
    with pytest.raises(UnknownLabelError, match="criterion 'clarity'"):
        drift_and_quality(drift, read, criterion="clarity")


def two_columns(drifts, ratings, **more):
    items = [f"i{i}" for i in range(len(drifts))]
    drift = pd.DataFrame({"item": items, "transformation": "expansion", "drift": drifts, **more})
    table = pd.DataFrame({"item": items, "rater": "r", "quality": ratings})
    return drift, table.assign(transformation="expansion")


def test_few_items_have_a_note_and_very_few_no_interval():
    found = drift_and_quality(*two_columns([0.1, 0.2], [4, 3]), n_resamples=20)
    assert found.table.loc["overall", ["low", "high"]].isna().all()
    assert [note.code for note in found.notes] == ["few-items"]
    assert "ρ -1.00. The order" in found.summary()
    many = two_columns(np.arange(20) / 20, [1 + i * 7 % 5 for i in range(20)])
    assert drift_and_quality(*many, n_resamples=20).notes == ()


def test_a_table_of_drift_that_was_saved_is_read_again(tmp_path):
    drift, table = two_columns([0.1, 0.3, 0.2], [4, 3, 2], identical=[True, False, False])
    drift.to_csv(tmp_path / "drift.csv", index=False)
    found, again = (
        drift_and_quality(source, table, n_resamples=20)
        for source in (drift, tmp_path / "drift.csv")
    )
    pd.testing.assert_frame_equal(found.table, again.table)
    assert again.table.loc["overall", "identical"] == pytest.approx(1 / 3)


def test_names_and_drifts_that_clash_are_refused():
    drift, ratings = two_columns([0.1, 0.2, 0.3], [4, 3, 2])
    with pytest.raises(DuplicateError, match=r"item i0 has two different drifts.*one model"):
        drift_and_quality(pd.concat([drift, drift.assign(drift=0.9)]), ratings)
    again = pd.concat([drift, drift.assign(drift=drift["drift"] + 1e-9)])
    assert drift_and_quality(again, ratings, n_resamples=20).table.loc["overall", "n"] == 3
    with pytest.raises(DuplicateError, match=r"called 'overall'.*Rename it in the key"):
        drift_and_quality(drift.assign(transformation="overall"), ratings)
    with pytest.raises(ParameterError, match="n_resamples must be a whole number of at least 1"):
        drift_and_quality(drift, ratings, n_resamples=0)


def test_items_of_the_key_are_those_of_the_run_whatever_texts_hold(tmp_path):
    texts = ["half a pair \ud83d", "null \0", "lone \r return"]
    table = pd.DataFrame(
        {"transformation": "x", "original": pd.Series(texts, dtype=object), "text": "abc"}
    )
    survey = make_survey(table, tmp_path / "s")
    key = measure_drift(tmp_path / "s" / "items.csv", Letters())
    assert set(key["item"]) == set(survey.items["item"])
    assert set(measure_drift(table, Letters())["item"]) == set(survey.items["item"])


def test_settings_are_among_the_results():
    found = drift_and_quality(*two_columns([0.1, 0.2], [4, 3]), n_resamples=7, seed=3).to_dict()
    assert (found["n_resamples"], found["seed"]) == (7, 3)
