from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import InputError, ParameterError
from robustrank.evaluators.hteb.statistics import (
    disruption,
    profiles,
    ranking_stability,
    read_scores,
    robustness,
    scale_effect,
    shifts,
    split_half,
    zero_shot,
)
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from tests.evaluators.hteb.statistics.boards import planted

FAMILIES = pd.DataFrame(
    {"model": ["model 0", "model 1"], "family": "f", "n_parameters": ["1B", "4B"]}
)


#: Rewriting reorders its models by more than runs differ.
BOARD = planted(models=8, datasets=9, noise=0.001)


def few(source, **settings):
    """The statistics with as few draws as make sense."""
    return robustness(source, n_splits=20, n_resamples=20, **settings)


def said(found) -> str:
    """The summary in one line, whatever the breaks."""
    return " ".join(found.summary().split())


@pytest.fixture(scope="module")
def found():
    return few(BOARD, families=FAMILIES)


def test_every_part_is_what_its_function_says():
    board = planted(models=3, datasets=7)
    found = robustness(
        board,
        observations="pairs",
        n_splits=30,
        n_resamples=40,
        confidence_level=0.9,
        seed=3,
        families=FAMILIES,
    )
    pd.testing.assert_frame_equal(found.profiles.table, profiles(board, confidence_level=0.9).table)
    pd.testing.assert_frame_equal(
        found.shifts.table, shifts(board, observations="pairs", confidence_level=0.9).table
    )
    pd.testing.assert_frame_equal(
        found.disruption.table, disruption(board, n_resamples=40, seed=3).table
    )
    pd.testing.assert_frame_equal(
        found.stability.table, ranking_stability(board, confidence_level=0.9).table
    )
    pd.testing.assert_frame_equal(
        found.split_half.table, split_half(board, n_splits=30, seed=3).table
    )
    expected = scale_effect(board, FAMILIES, confidence_level=0.9)
    pd.testing.assert_frame_equal(found.scale.slopes, expected.slopes)
    assert {"dependent-observations", "models-without-family"} <= {n.code for n in found.notes}


def test_the_summary_says_what_was_planted(found):
    text = said(found)
    total = found.profiles.table.xs("total", level="part")
    drop = 100 * (total["original"].mean() - total["score"].mean())
    assert f"The 8 models lose {drop:.1f} points on transformed texts" in text
    assert (
        "In the mean over these models, all 8 transformations lower scores by more than chance"
        in text
    )
    assert "Shifts cross_translation -" in text
    assert "Language 8 of 8 models; with P > 0.95 for 8" in text
    assert "A drop along Language is a change of the language of use." in text
    assert "so that rewriting reorders models by more than its randomness." in text
    assert "Which models drop more repeats from dataset to dataset along every axis" in text
    assert "Scale a doubling of parameters changes total minus original by f " in text


def test_the_tables_of_the_summary_hold_the_numbers(found):
    lines = found.summary().splitlines()
    total = found.profiles.table.xs("total", level="part")
    best = total.index[0]
    [row] = [line for line in lines if line.startswith(best) and "Language" in line]
    for value in (total.loc[best, "original"], total.loc[best, "score"], total.loc[best, "delta"]):
        assert f"{100 * value:.1f}" in row
    [row] = [line for line in lines if line.startswith("translation ")]
    shift = found.shifts.table.loc["translation"]
    assert f"{100 * shift['low']:+.1f} to {100 * shift['high']:+.1f}" in row
    assert f"{found.stability.table.loc['translation', 'mean']:.2f}" in row
    assert f"{found.split_half.table.loc['translation', 'median']:.2f}" in row


def test_models_are_listed_from_the_highest_total_down(found):
    text = found.summary(top=2)
    assert "Best 2 of 8 models by total, in points" in text
    order = list(found.profiles.table.index.unique("model"))
    totals = found.profiles.table.xs("total", level="part")["score"]
    assert list(totals.sort_values(ascending=False).index) == order
    listed = text.split("Best 2 of 8")[1].split("Transformations and axes")[0]
    assert order[1] in listed
    assert order[2] not in listed


def test_few_datasets_come_first():
    text = said(few(planted(models=3, datasets=4)))
    assert text.startswith("Little can be concluded from 4 datasets: too few for a test")
    assert "3 models can be ordered in 6 ways" in text


def test_no_effect_is_not_found():
    text = said(few(planted(models=5, datasets=9, factor=0.0)))
    assert "No transformation of 8 is shown to change scores in general." in text


def test_gains_and_drops_are_told_apart():
    board = planted(models=5, datasets=9)
    up = board["transformation"] == "expansion"
    board.loc[up, "score"] += 0.3
    text = said(few(board))
    assert "of 8 transformations, 7 lower scores and 1 raises scores by more than chance" in text


def test_rankings_of_noise_are_not_called_reordered():
    text = said(few(planted(models=5, datasets=9, noise=0.06, factor=0.0)))
    assert "does not show that rewriting does more to the order than its randomness." in text


def test_pairs_are_said_to_be_dependent():
    text = said(few(planted(models=3, datasets=9), observations="pairs"))
    assert "more than chance over pairs explains" in text
    assert "- Tests take pairs of model and dataset for independent, which they are not" in text


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (planted(models=1, datasets=7), "model 0 loses"),
        (planted(models=1, datasets=7), "One model has no order to keep."),
        (planted(models=3, datasets=1), "Little can be concluded from 1 dataset"),
        (planted(models=1, datasets=1, runs=1), "1 model × 1 dataset"),
        (planted(models=3, datasets=7, runs=1), "There is one run"),
        (
            planted(models=3, datasets=7).assign(score=0.5),
            "The 3 models keep their score on transformed texts",
        ),
        (
            planted(models=3, datasets=7)[
                lambda t: t["transformation"].isin(["original", "expansion"])
            ],
            "of 1 transformation, 1 lowers scores",
        ),
    ],
)
def test_the_least_that_there_can_be(board, expected):
    found = few(board)
    assert expected in said(found)
    assert "nan" not in found.summary()
    json.dumps(found.to_dict(), allow_nan=False)


def test_files_of_one_model_on_one_dataset_say_what_cannot_be_drawn(tmp_path):
    earlier = [tmp_path / name for name in ("scale.csv", "slopes.csv", "figures/scale.svg")]
    (tmp_path / "figures").mkdir()
    for path in earlier:
        path.write_text("")
    few(planted(models=1, datasets=1, runs=1)).save(tmp_path)
    content = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert set(content["figures_left_out"]) == {"scale", "stability", "taus"}
    assert not any(path.exists() for path in earlier)


def test_missing_scores_are_named_and_their_models_kept_on_request():
    board = planted(models=3, datasets=7)
    hole = (
        board["model"].eq("model 1")
        & board["dataset"].eq("data 2")
        & board["transformation"].eq("expansion")
    )
    dropped = few(board[~hole])
    assert "- Models left out, for which a score is missing: model 1." in said(dropped)
    kept = few(read_scores(board[~hole], missing="keep"))
    assert list(kept.profiles.table.index.unique("model").sort_values()) == [
        "model 0",
        "model 1",
        "model 2",
    ]
    assert kept.profiles.table.loc[("model 1", "expansion"), "n_datasets"] == 6
    assert "- 1 pair of model and dataset lacks a score: model 1 on data 2." in said(kept)


def test_order_of_rows_and_units_change_nothing(found):
    shuffled = BOARD.sample(frac=1.0, random_state=2)
    shuffled["score"] *= 100.0
    other = few(shuffled, families=FAMILIES)
    keys = found.profiles.table.index
    np.testing.assert_allclose(
        other.profiles.table.loc[keys], found.profiles.table, rtol=1e-9, atol=1e-12
    )
    np.testing.assert_allclose(other.split_half.table, found.split_half.table)
    assert other.summary() == found.summary()


def test_everything_is_in_the_files(found, tmp_path):
    paths = found.save(tmp_path)
    names = {str(path.relative_to(tmp_path)) for path in paths}
    tables = [
        "profiles",
        "shifts",
        "disruption",
        "stability",
        "taus",
        "taus_of_runs",
        "split_half",
        "scale",
        "slopes",
    ]
    assert names == {
        "summary.txt",
        "results.json",
        *(f"{name}.csv" for name in tables),
        *(f"figures/{kind}.svg" for kind in found.plot.kinds()),
    }
    for part in ("profiles", "shifts", "disruption", "stability", "split_half", "scale"):
        alone = getattr(found, part)
        files = [f"{name}.csv" for name in alone.tables()]
        assert names >= {*files, *(f"figures/{name}.svg" for name in alone.figures())}
    content = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert content["settings"]["n_splits"] == 20
    assert content["axes"] == {axis: list(names) for axis, names in AXES.items()}
    assert len(content["shifts"]["table"]) == len(TRANSFORMATIONS)
    read = pd.read_csv(tmp_path / "profiles.csv", index_col=["model", "part"])
    np.testing.assert_allclose(read, found.profiles.table)


def test_methods_name_what_was_done(found):
    assert "20 resamples" in found.methods
    assert "8 models × 9 datasets × 8 transformations, 2 runs" in found.methods
    pairs = few(planted(models=3, datasets=7), observations="pairs").methods
    assert "over the differences of pairs of model and dataset" in pairs


def test_the_repr_is_short(found):
    first, second = repr(found).splitlines()
    assert first.startswith("Robustness of 8 models × 9 datasets × 8 transformations, 2 runs")
    assert second.startswith("  The 8 models lose")


def test_names_are_text():
    names = {"model 0": "<script>", "model 1": "a$b$ & c\n", "model 2": "模型" * 40}
    board = planted(models=3, datasets=7).replace({"model": names, "dataset": {"data 0": "a$b"}})
    found = few(board)
    assert "<script>" in found.summary()
    assert all(line.isprintable() for line in found.summary().split("\n"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"observations": "models"}, "observations must be 'datasets' or 'pairs'; got 'models'"),
        ({"n_splits": 0}, "n_splits must be a whole number of at least 1; got 0"),
        ({"n_resamples": -1}, "n_resamples must be a whole number of at least 1; got -1"),
        (
            {"confidence_level": 95},
            "confidence_level must lie between 0 and 1, such as 0.95; got 95",
        ),
        ({"seed": -1}, "seed must be a whole number of at least 0; got -1"),
    ],
)
def test_settings_out_of_range_are_named(settings, message):
    with pytest.raises(ParameterError, match=message):
        robustness(planted(models=2, datasets=3), **settings)


def test_a_folder_that_is_no_run_is_named(tmp_path):
    with pytest.raises(InputError, match=r"scores\.csv"):
        robustness(tmp_path)


def test_the_settings_say_what_counted(found):
    board = planted(models=3, datasets=4)
    hole = (board["model"] == "model 1") & (board["dataset"] == "data 2")
    settings = few(read_scores(board[~hole], missing="keep")).to_dict()["settings"]
    assert settings["models"] == ["model 0", "model 1", "model 2"]
    assert settings["incomplete_pairs"] == [["model 1", "data 2"]]
    assert settings["axes"] == {axis: list(names) for axis, names in AXES.items()}
    assert settings["families"] is None
    assert found.settings["incomplete_pairs"] == []
    assert [row["n_parameters"] for row in found.settings["families"]] == [1e9, 4e9]


def test_methods_say_what_was_selected(found):
    assert "Lexical/Stylistic: paraphrasing" in found.methods
    assert "the models of a family (f)" in found.methods
    board = planted(models=3, datasets=3, runs=1)
    marks = board[["model", "dataset"]].drop_duplicates().assign(zero_shot=True)
    marks.iloc[0, 2] = False
    assert "marked as zero-shot were kept." in few(zero_shot(board, marks)).methods
    hole = (board["model"] == "model 1") & (board["dataset"] == "data 2")
    assert "Models for which a score was missing were left out." in few(board[~hole]).methods
    kept = few(read_scores(board[~hole], missing="keep")).methods
    assert "means are over the datasets that a model has." in kept
