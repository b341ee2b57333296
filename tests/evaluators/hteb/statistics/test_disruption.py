"""The most disruptive axis, and the chance that it is."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.statistics import disruption, profiles, read_scores
from robustrank.evaluators.hteb.texts.transformations import AXES
from tests.evaluators.hteb.statistics.boards import planted

ONE_EACH = {"Lexical/Stylistic": "paraphrasing", "Length": "expansion", "Language": "translation"}


def board_of(deltas, original=0.5):
    """A board of one model per row of lists: per dataset, the delta of each axis."""
    rows = []
    for model, datasets in deltas.items():
        for place, by_axis in enumerate(datasets):
            for axis, delta in by_axis.items():
                rows.append(
                    {
                        "model": model,
                        "dataset": f"d{place}",
                        "transformation": ONE_EACH[axis],
                        "score": original + delta,
                        "original": original,
                    }
                )
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def board():
    table = planted(5, 8, noise=0.2)
    return table.assign(score=table["score"].clip(0.0, 1.0))


@pytest.fixture(scope="module")
def found(board):
    return disruption(board).table


def test_chances_are_those_of_all_resamples():
    """Of two datasets: both, first twice or second twice, with chances 1/2, 1/4 and 1/4."""
    two = [{"Length": -0.3, "Language": -0.1}, {"Length": -0.1, "Language": -0.2}]
    table = disruption(board_of({"m": two}), n_resamples=20_000).table
    row = table.loc["m"]
    assert (row["axis"], row["runner_up"]) == ("Length", "Language")
    assert row["delta"] == pytest.approx(-0.2)
    assert row["probability"] == pytest.approx(0.75, abs=0.01)


def test_a_gain_disrupts_too():
    two = [{"Length": 0.3, "Language": -0.1}, {"Length": 0.3, "Language": -0.2}]
    row = disruption(board_of({"m": two})).table.loc["m"]
    assert row["axis"] == "Length"
    assert row["delta"] == pytest.approx(0.3)
    assert row["probability"] == 1.0


def test_of_axes_that_tie_none_is_named():
    alike = [{"Length": -0.1, "Language": -0.1}, {"Length": 0.3, "Language": 0.3}]
    three = [{"Length": -0.3, "Language": -0.1, "Lexical/Stylistic": 0.1}] * 2
    row = disruption(board_of({"m": alike})).table.loc["m"]
    assert row[["axis", "delta", "runner_up", "probability"]].isna().all()
    assert row["delta of Length"] == pytest.approx(0.1)
    row = disruption(board_of({"m": three})).table.loc["m"]
    assert (row["axis"], row["probability"]) == ("Length", 1.0)
    assert row["runner_up"] is None


def test_axes_that_tie_in_a_resample_share_it():
    """Of both datasets Length leads, of the first twice too, of the second twice both do."""
    two = [{"Length": 0.3, "Language": 0.1}, {"Length": 0.2, "Language": 0.2}]
    row = disruption(board_of({"m": two}), n_resamples=20_000).table.loc["m"]
    assert row["axis"] == "Length"
    assert row["probability"] == pytest.approx(0.875, abs=0.01)


def test_settings_notes_and_files_are_those_of_the_call(board, tmp_path):
    gone = board["model"].eq("model 0") & board["dataset"].eq("data 2")
    found = disruption(board[~gone], n_resamples=7, seed=5)
    assert [note.code for note in found.notes] == ["dropped-models"]
    content = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (content["n_resamples"], content["seed"]) == (7, 5)
    assert content["notes"][0]["labels"] == ["model 0"]
    assert {path.name for path in found.save(tmp_path)} == {
        "summary.txt",
        "results.json",
        "disruption.csv",
    }
    assert repr(found) == "Most disruptive axis: Language 4 of 4 models"
    assert "model 0" not in found.summary()


def test_deltas_are_those_of_profiles(board, found):
    by_part = profiles(board).table["delta"].unstack().loc[found.index]
    for axis in AXES:
        np.testing.assert_allclose(found[f"delta of {axis}"], by_part[axis])
    sizes = by_part[list(AXES)].abs()
    assert list(found["axis"]) == list(sizes.idxmax(axis="columns"))
    second = [sizes.loc[model].nlargest(2).index[1] for model in found.index]
    assert list(found["runner_up"]) == second


def test_a_clear_case_is_certain_and_a_close_one_is_not():
    rng = np.random.default_rng(0)
    clear = [{"Length": -0.05 + e, "Language": -0.3} for e in rng.normal(0, 0.02, 9)]
    close = [{"Length": -0.1 + e, "Language": -0.1 - e} for e in 0.01 + np.linspace(-0.05, 0.05, 9)]
    table = disruption(board_of({"clear": clear, "close": close})).table
    assert table.loc["clear", "probability"] == 1.0
    assert table.loc["close", "axis"] == "Language"
    assert 0.6 < table.loc["close", "probability"] < 0.98


def test_counts_of_axes():
    boards = {f"m{i}": [{"Length": -0.1, "Language": -0.2 if i else 0.0}] * 3 for i in range(4)}
    assert disruption(board_of(boards)).table["axis"].value_counts().to_dict() == {
        "Language": 3,
        "Length": 1,
    }


def test_the_axis_named_is_one_of_the_likely_ones(board):
    """Chances of all axes sum to 1: with two, that of the runner-up is the rest."""
    two = read_scores(board).without("Lexical/Stylistic")
    assert (disruption(two).table["probability"] > 0.5).all()


def test_one_dataset_says_nothing_of_chances():
    table = disruption(planted(3, 1)).table
    assert table["axis"].notna().all()
    assert table["probability"].isna().all()


def test_one_axis_has_no_runner_up(board):
    table = disruption(read_scores(board).without("Length", "Language")).table
    assert set(table["axis"]) == {"Lexical/Stylistic"}
    assert table["runner_up"].isna().all()
    assert table["probability"].isna().all()


def test_missing_scores_that_were_kept():
    two = [{"Length": -0.3, "Language": -0.1}, {"Length": -0.1, "Language": -0.2}]
    board = board_of({"whole": two, "part": two})
    board.loc[(board["model"] == "part") & (board["dataset"] == "d1"), "score"] = np.nan
    table = disruption(read_scores(board, missing="keep")).table
    assert table.loc["part", "delta"] == pytest.approx(-0.3)
    assert np.isnan(table.loc["part", "probability"])
    alone = disruption(board_of({"whole": two})).table
    assert table.loc["whole", "probability"] == alone.loc["whole", "probability"]


def test_a_model_without_any_score():
    two = [{"Length": -0.3, "Language": -0.1}] * 2
    board = board_of({"whole": two, "none": two})
    board.loc[board["model"] == "none", "score"] = np.nan
    row = disruption(read_scores(board, missing="keep")).table.loc["none"]
    assert row.isna().all()


def test_draws_are_those_of_the_seed(board, found):
    pd.testing.assert_frame_equal(disruption(board).table, found, check_exact=True)
    assert not disruption(board, seed=1).table["probability"].equals(found["probability"])


def test_order_names_and_scale_do_not_matter(board, found):
    mixed = disruption(board.sample(frac=1.0, random_state=3)).table.loc[found.index]
    pd.testing.assert_frame_equal(mixed, found, check_exact=True)
    models = {f"model {i}": f"<{9 - i}>" for i in range(5)}
    datasets = {f"data {j}": f"${9 - j}$" for j in range(8)}
    renamed = disruption(board.replace({"model": models, "dataset": datasets})).table
    back = {new: old for old, new in models.items()}
    pd.testing.assert_frame_equal(renamed.rename(index=back), found, check_exact=True)
    points = disruption(board.assign(score=board["score"] * 100)).table
    pd.testing.assert_frame_equal(points, found)


@pytest.mark.parametrize("options", [{"n_resamples": 0}, {"seed": -1}, {"n_resamples": 2.5}])
def test_settings_out_of_range(board, options):
    (name,) = options
    with pytest.raises(ParameterError, match=rf"{name} must be a whole number of at least"):
        disruption(board, **options)
