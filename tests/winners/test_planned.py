from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank.cli import app
from robustrank.errors import MissingScoresError, ParameterError, UnknownLabelError
from tests.conftest import note_codes, random_scores

QUICK = {"n_resamples": 400}


@pytest.fixture
def scores():
    """m0 leads m1 by 0.05 and a little noise; m2 is m1."""
    table = random_scores(5, 20, noise=0.03)
    table.loc["m1"] = (table.loc["m0"] - 0.05 + np.linspace(-0.04, 0.04, 20)).clip(0.0, 1.0)
    table.loc["m2"] = table.loc["m1"]
    return table


def test_a_difference_is_found_and_named(scores):
    found = rr.planned_comparison(scores, "m0", "m1", **QUICK)
    row = found.table.loc["m1"]
    assert row["significant"]
    assert row["difference"] == pytest.approx((scores.loc["m0"] - scores.loc["m1"]).mean())
    assert 0.0 < row["low"] < row["difference"]
    assert row["high"] == np.inf
    assert found.headline.startswith("m0 is better than m1 on datasets like these: +0.05")
    assert "planned" in note_codes(found)


def test_a_copy_is_not_beaten_and_the_power_is_said(scores):
    found = rr.planned_comparison(scores, "m2", "m1", **QUICK)
    assert list(found.table[["difference", "p_value"]].iloc[0]) == [0.0, 1.0]
    assert found.headline == "m2 has the same scores as m1 on 20 datasets."
    lost = rr.planned_comparison(scores, "m1", "m0", **QUICK)
    assert f"{lost.table['detectable'].iloc[0]:.4f} would have been found" in lost.headline


def test_several_are_adjusted_by_holm_and_listed_strongest_first(scores):
    found = rr.planned_comparison(scores, "m0", ["m1", "m3", "m4"], test="t")
    assert list(found.table["difference"]) == sorted(found.table["difference"])
    assert tuple(found.table.index) == found.against
    expected = rr.adjust_p_values(found.table["p_value"], "holm")
    assert list(found.table["p_adjusted"]) == pytest.approx(list(expected))
    one = rr.planned_comparison(scores, "m0", "m1", test="t").table.loc["m1"]
    assert found.table.loc["m1", "low"] < one["low"]
    assert found.table.loc["m1", "detectable"] > one["detectable"]


def test_sides_mirror_each_other(scores):
    up = rr.planned_comparison(scores, "m0", "m1", test="t").table.loc["m1"]
    down = rr.planned_comparison(scores, "m1", "m0", test="t", alternative="less").table.loc["m0"]
    assert up["p_value"] == pytest.approx(down["p_value"])
    assert up["low"] == pytest.approx(-down["high"])
    both = rr.planned_comparison(scores, "m0", "m1", alternative="two-sided", test="t")
    assert np.isfinite(both.table[["low", "high"]]).all(axis=None)
    assert both.headline.startswith("m0 is different from m1")


def test_what_was_chosen_by_the_same_scores_is_noted(scores):
    lead, *rest = scores.mean(axis=1).sort_values(ascending=False).index
    assert "chosen-model" in note_codes(rr.planned_comparison(scores, lead, rest[0], **QUICK))
    assert "chosen-rival" in note_codes(rr.planned_comparison(scores, rest[0], lead, **QUICK))
    neither = note_codes(rr.planned_comparison(scores, rest[0], rest[2], **QUICK))
    assert {"chosen-model", "chosen-rival"}.isdisjoint(neither)


def test_pairs_are_compared_on_what_both_ran(scores):
    scores.loc["m1", "d0"] = np.nan
    found = rr.planned_comparison(scores, "m0", ["m1", "m3"], **QUICK)
    assert list(found.table.loc[["m1", "m3"], "n_datasets"]) == [19, 20]
    assert "common-datasets" in note_codes(found)
    alone = rr.planned_comparison(scores.drop(columns="d0"), "m0", "m1", test="t").table
    whole = rr.planned_comparison(scores, "m0", "m1", test="t").table
    columns = ["difference", "low", "p_value", "detectable"]
    assert list(alone.loc["m1", columns]) == pytest.approx(list(whole.loc["m1", columns]))


def test_arrangement_and_scale_change_no_number(scores):
    found = rr.planned_comparison(scores, "m0", ["m1", "m3", "m4"], **QUICK)
    shuffled = scores.sample(frac=1.0, random_state=1).sample(frac=1.0, axis=1, random_state=2)
    other = rr.planned_comparison(shuffled, "m0", ["m4", "m1", "m3"], **QUICK)
    pd.testing.assert_frame_equal(other.table, found.table, check_exact=True)
    percent = rr.planned_comparison(100.0 * scores, "m0", ["m1", "m3", "m4"], **QUICK)
    pd.testing.assert_frame_equal(percent.table, found.table)


def test_headlines_name_at_most_two_of_those_beaten_and_leave_copies_out_of_the_power(scores):
    many = pd.DataFrame(
        np.linspace(0.0, 0.4, 6)[::-1, None] + random_scores(6, 20, noise=0.01).to_numpy() / 9,
        index=[f"m{i}" for i in range(6)],
    )
    many.loc["copy"] = many.loc["m1"]
    found = rr.planned_comparison(many, "m1", ["m0", "m2", "m3", "m4", "copy"], **QUICK)
    assert "better than 3 of 5 models: m2, m3 and 1 more (" in found.headline
    detectable = found.table.loc["m0", "detectable"]
    assert f"A difference of {detectable:.4f} would" in found.headline
    assert found.table.loc["copy", "detectable"] == 0.0


def test_the_signed_rank_test_is_said_to_be_about_a_shift(scores):
    found = rr.planned_comparison(scores, "m0", "m1", test="signed-rank")
    assert "a shift of +0.0" in found.headline
    assert "shift" in note_codes(found)
    assert "shift" not in note_codes(rr.planned_comparison(scores, "m0", "m1", test="t"))


@pytest.mark.parametrize(
    ("arguments", "settings", "words", "error"),
    [
        (("m9", "m1"), {}, "Unknown model 'm9'", UnknownLabelError),
        (("m0", ["m1", "n1"]), {}, "Unknown model 'n1'", UnknownLabelError),
        ((["m0"], "m1"), {}, "Unknown model", UnknownLabelError),
        (("m0", [["m1"]]), {}, "Unknown model", UnknownLabelError),
        (("m0", ["m0", "m1"]), {}, "m0 is compared with itself", ParameterError),
        (("m0", []), {}, "names no model", ParameterError),
        (("m0", 3), {}, "a model or several", ParameterError),
        (("m0", "m1"), {"alternative": "better"}, "alternative must be one of", ParameterError),
        (("m0", "m1"), {"test": "z"}, "test must be one of", ParameterError),
        (("m0", "m1"), {"alpha": 5}, "alpha must lie", ParameterError),
        (("m0", "m1"), {"power": 0.01}, "power must lie between alpha and 1", ParameterError),
    ],
)
def test_bad_input_is_named(scores, arguments, settings, words, error):
    with pytest.raises(error, match=words):
        rr.planned_comparison(scores, *arguments, **settings)


def test_models_without_a_common_dataset_are_named(scores):
    scores.loc["m1", [f"d{j}" for j in range(10)]] = np.nan
    scores.loc["m0", [f"d{j}" for j in range(10, 20)]] = np.nan
    with pytest.raises(MissingScoresError, match="m0 and m1 have no dataset in common"):
        rr.planned_comparison(scores, "m0", "m1")


def test_few_datasets_cannot_show_anything_and_it_is_said():
    found = rr.planned_comparison([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]], "m1", "m2")
    assert not found.table["significant"].any()
    assert "No scores on so few datasets could have shown it." in found.headline
    assert "–" in found.summary()


def test_everything_is_saved(scores, tmp_path):
    scores = scores.rename(index={"m0": "a$b$ & <script>\n"})
    found = rr.planned_comparison(scores, "a$b$ & <script>\n", ["m1", "m3"], **QUICK)
    names = {path.name for path in found.save(tmp_path)}
    assert {"comparisons.csv", "differences.svg", "results.json"} <= names


runner = CliRunner()


def test_the_verbs_print_what_the_functions_find(scores, tmp_path):
    path = tmp_path / "board.csv"
    scores.rename_axis("model").to_csv(path)
    settings = ["--n-resamples", "400", "-q"]
    winner = runner.invoke(app, ["winner", str(path), *settings])
    assert winner.exit_code == 0
    assert winner.stdout == rr.correct_winner(rr.read(path), **QUICK).summary() + "\n"
    names = ["--model", "m0", "--against", "m1", "--against", "m3"]
    beats = runner.invoke(app, ["beats", str(path), *names, *settings, "--csv"])
    expected = rr.planned_comparison(rr.read(path), "m0", ["m1", "m3"], **QUICK).table
    read_back = pd.read_csv(io.StringIO(beats.stdout), index_col="against")
    pd.testing.assert_frame_equal(read_back, expected, check_index_type=False)
    as_json = runner.invoke(app, ["winner", str(path), *settings, "--json", "--by", "clusters"])
    assert json.loads(as_json.stdout)["settings"]["by"] == "clusters"


def test_wrong_input_and_usage_of_the_verbs(scores, tmp_path):
    path = tmp_path / "board.csv"
    scores.rename_axis("model").to_csv(path)
    unknown = runner.invoke(app, ["beats", str(path), "--model", "m0", "--against", "x", "-q"])
    assert unknown.exit_code == 1
    assert unknown.stderr.startswith("error: Unknown model 'x'")
    assert runner.invoke(app, ["beats", str(path), "--model", "m0"]).exit_code == 2
    assert runner.invoke(app, ["winner", str(path), "--json", "--csv"]).exit_code == 2
