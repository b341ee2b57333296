"""`read_scores`: every shape, every policy on missing scores, every refusal."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import (
    EmptyMatrixError,
    FormatError,
    InputError,
    MissingScoresError,
    NonNumericError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.evaluators.base import Evaluation
from robustrank.evaluators.hteb.statistics import read_scores
from robustrank.evaluators.hteb.texts.transformations import AXES
from tests.evaluators.hteb.statistics.boards import planted, row, small

NAMES = ["paraphrasing", "expansion", "translation"]


def without(table, *cells):
    """Drop the row of each (model, dataset, transformation)."""
    keys = pd.MultiIndex.from_frame(table[["model", "dataset", "transformation"]])
    return table[~keys.isin(list(cells))]


def codes(scores):
    return [note.code for note in scores.notes]


def same(one, other):
    np.testing.assert_allclose(one.transformed, other.transformed, atol=1e-12)
    np.testing.assert_allclose(one.baseline, other.baseline, atol=1e-12)
    assert one.transformed.index.equals(other.transformed.index)
    assert one.axes == other.axes
    assert len(one.runs) == len(other.runs)


def test_what_is_read():
    scores = read_scores(small())
    assert scores.models == ["a", "b"]
    assert scores.datasets == ["x", "y"]
    assert scores.axes == dict(zip(AXES, ((name,) for name in NAMES), strict=True))
    np.testing.assert_allclose(scores.transformed.loc[("b", "x")], [0.5, 0.4, 0.3])
    np.testing.assert_allclose(scores.baseline, 0.6)
    assert scores.task_types.isna().all()
    assert scores.notes == ()
    assert list(scores.runs.columns) == [
        "model",
        "dataset",
        "transformation",
        "run",
        "score",
        "baseline",
    ]


def test_every_shape_gives_the_same_scores(tmp_path):
    table = planted(3, 4)
    scores = read_scores(table)
    folder = tmp_path / "results"
    folder.mkdir()
    table.to_csv(folder / "scores.csv", index=False)
    table.to_parquet(tmp_path / "scores.parquet")
    evaluation = Evaluation(matrix=SimpleNamespace(), table=table)
    for source in (
        folder,
        str(folder),
        folder / "scores.csv",
        tmp_path / "scores.parquet",
        evaluation,
        table.set_index("model"),
        scores,
    ):
        same(read_scores(source), scores)
    assert read_scores(scores) is scores


def released(table):
    """Write a table as the released tool does, in points."""
    records = []
    for (model, dataset, run), rows in table.groupby(["model", "dataset", "run"], sort=False):
        found = rows.set_index("transformation")["score"] * 100
        transformations = {name: found[name] for name in found.index if name != "original"}
        transformations["translation"] = {"score": found["translation"], "languages": ["French"]}
        records.append(
            {
                "model": model,
                "dataset": dataset,
                "seed_transform": int(run),
                "seed_evaluation": int(run),
                "original": found["original"],
                "axes": {"Language": 1.0},
                "data_filtering": {},
                "transformations": transformations,
            }
        )
    return records


@pytest.mark.parametrize("as_folder", [True, False])
def test_scores_json_of_the_released_tool(tmp_path, as_folder):
    table = planted(3, 4)
    (tmp_path / "scores.JSON").write_text(json.dumps(released(table)))
    found = read_scores(tmp_path if as_folder else tmp_path / "scores.JSON")
    assert codes(found) == ["scale"]
    same(found, read_scores(table))


def test_the_table_of_a_folder_comes_before_the_released_tools_file(tmp_path):
    planted(2, 2).to_csv(tmp_path / "scores.csv", index=False)
    (tmp_path / "scores.JSON").write_text(json.dumps(released(planted(3, 4))))
    assert len(read_scores(tmp_path).models) == 2


def test_originals_may_be_a_column():
    long = small()
    wide = long[long["transformation"] != "original"].assign(original=0.6)
    same(read_scores(wide), read_scores(long))


def test_the_original_of_a_row_comes_before_that_of_the_dataset():
    """Of the same items: where items whose texts failed are left out, their originals are too."""
    table = small().assign(original=np.nan)
    failed = (table["model"] == "a") & (table["transformation"] == "expansion")
    table.loc[failed, "original"] = 0.55
    baseline = read_scores(table).baseline
    np.testing.assert_allclose(baseline.loc[("a", "x")], [0.6, 0.55, 0.6])
    np.testing.assert_allclose(baseline.loc[("b", "x")], 0.6)


def test_a_run_is_paired_with_the_original_of_that_run():
    table = pd.DataFrame(
        [
            row("a", "x", name, score, run=run)
            for run, original in enumerate((0.6, 0.8))
            for name, score in (("original", original), ("expansion", original - 0.1))
        ]
    )
    scores = read_scores(table)
    np.testing.assert_allclose(scores.runs["baseline"], [0.6, 0.8])
    np.testing.assert_allclose(scores.runs["score"] - scores.runs["baseline"], -0.1)
    assert scores.baseline.to_numpy().item() == pytest.approx(0.7)


def test_originals_without_a_run_serve_all_runs():
    table = pd.DataFrame(
        [
            row("a", "x", "original", 0.6, run=None),
            row("a", "x", "expansion", 0.5, run=1),
            row("a", "x", "expansion", 0.4, run=2),
        ]
    )
    scores = read_scores(table)
    np.testing.assert_allclose(scores.runs["baseline"], 0.6)
    assert scores.transformed.to_numpy().item() == pytest.approx(0.45)


def test_runs_are_told_apart_by_any_seed():
    table = small().assign(seed_transform=1, seed_evaluation=1)
    both = pd.concat([table, table.assign(seed_evaluation=2, score=table["score"] + 0.1)])
    scores = read_scores(both)
    assert scores.runs["run"].nunique() == 2
    np.testing.assert_allclose(scores.transformed, read_scores(small()).transformed + 0.05)


def test_a_missing_run_is_noted():
    table = planted(2, 3)
    last = table.index[-1]
    scores = read_scores(table.drop(index=last))
    (note,) = scores.notes
    assert note.code == "unequal-runs"
    assert note.labels == ("model 1 on data 2 (cross_translation)",)
    assert "means over 1 to 2 runs" in note.message


def test_a_run_without_a_score_leaves_no_mean():
    table = planted(2, 3)
    table.loc[table.index[-1], "score"] = np.nan
    scores = read_scores(table, missing="keep")
    assert scores.transformed.isna().to_numpy().sum() == 1


def test_models_and_datasets_are_chosen_before_what_is_missing():
    table = without(small(), ("a", "y", "expansion"))
    scores = read_scores(table, datasets=["x"], models=["b", "a"])
    assert scores.models == ["b", "a"]
    assert scores.notes == ()


# Axes


# Missing scores

HOLE = ("a", "y", "expansion")


@pytest.mark.parametrize(
    ("missing", "models", "datasets", "code", "labels"),
    [
        (None, ["b"], ["x", "y"], "dropped-models", ("a",)),
        ("drop-models", ["b"], ["x", "y"], "dropped-models", ("a",)),
        ("drop-datasets", ["a", "b"], ["x"], "dropped-datasets", ("y",)),
        ("keep", ["a", "b"], ["x", "y"], "missing-scores", ("a on y",)),
    ],
)
def test_policies(missing, models, datasets, code, labels):
    scores = read_scores(without(small(), HOLE), missing=missing)
    assert (scores.models, scores.datasets) == (models, datasets)
    (note,) = scores.notes
    assert (note.code, note.labels) == (code, labels)
    assert note.message.endswith(".")


def test_policy_error():
    with pytest.raises(MissingScoresError) as caught:
        read_scores(without(small(), HOLE), missing="error")
    assert "1 pair of model and dataset lacks a score: a on y." in str(caught.value)
    assert "choose missing='drop-models', 'drop-datasets' or 'keep'" in str(caught.value)
    assert caught.value.labels == ("a on y",)


def test_unknown_policy():
    with pytest.raises(ParameterError, match=r"missing must be one of drop-models, .*; got 'drop'"):
        read_scores(small(), missing="drop")


@pytest.mark.parametrize("missing", ["drop-models", "drop-datasets"])
def test_a_dataset_without_scores_costs_no_model(missing):
    table = small()
    table.loc[(table["dataset"] == "y") & (table["transformation"] == "expansion"), "score"] = None
    scores = read_scores(table, missing=missing)
    assert (scores.models, scores.datasets) == (["a", "b"], ["x"])
    assert [(note.code, note.labels) for note in scores.notes] == [("empty-datasets", ("y",))]


def test_a_model_with_originals_alone_is_noted():
    table = small()
    table = table[(table["model"] == "b") | (table["transformation"] == "original")]
    scores = read_scores(table, missing="drop-datasets")
    assert scores.models == ["b"]
    assert [(note.code, note.labels) for note in scores.notes] == [("empty-models", ("a",))]


def test_a_missing_original_is_a_missing_score():
    scores = read_scores(without(small(), ("a", "x", "original")))
    assert codes(scores) == ["dropped-models"]


def test_scores_that_were_kept_stay():
    kept = read_scores(without(small(), HOLE), missing="keep")
    assert read_scores(kept) is kept
    assert read_scores(kept, missing="drop-datasets").datasets == ["x"]


def test_nothing_is_left():
    table = without(small(), ("a", "x", "expansion"), ("b", "y", "expansion"))
    with pytest.raises(EmptyMatrixError) as caught:
        read_scores(table)
    assert "2 pairs of model and dataset lack a score: a on x, b on y" in str(caught.value)
    assert "or missing='keep'" in str(caught.value)
    assert read_scores(table, missing="keep").deltas().isna().to_numpy().sum() == 2


# Refusals


def test_a_folder_without_scores(tmp_path):
    with pytest.raises(
        FormatError, match=r"holds no scores\.csv\. Name the folder that a run left"
    ):
        read_scores(tmp_path)


def test_a_path_to_nothing(tmp_path):
    with pytest.raises(InputError, match="There is no file or folder"):
        read_scores(tmp_path / "gone")


@pytest.mark.parametrize("source", [3, None, [], {"model": "a"}])
def test_other_types(source):
    with pytest.raises(FormatError, match=rf"cannot be read from {type(source).__name__}\. Pass"):
        read_scores(source)


def test_a_column_is_missing():
    with pytest.raises(UnknownLabelError, match="has no column 'transformation'"):
        read_scores(small().rename(columns={"transformation": "how"}))


@pytest.mark.parametrize("column", ["score", "original"])
def test_a_score_is_no_number(column):
    table = small().assign(original=0.6).astype({column: object})
    table.loc[2, column] = "good"
    with pytest.raises(NonNumericError, match=rf"The {column} in row 3 of the table is 'good'"):
        read_scores(table)


def test_no_originals_at_all():
    table = small()[lambda rows: rows["transformation"] != "original"]
    with pytest.raises(MissingScoresError, match=r"no score of original texts.* Add rows whose"):
        read_scores(table)


def test_originals_alone():
    table = small()[lambda rows: rows["transformation"] == "original"]
    with pytest.raises(EmptyMatrixError, match="the table has only originals"):
        read_scores(table)


# Properties


def test_the_order_of_rows_changes_no_score():
    table = planted(3, 4, runs=3)
    scores = read_scores(table)
    mixed = read_scores(table.sample(frac=1.0, random_state=1))
    mixed = mixed.select(models=scores.models, datasets=scores.datasets)
    pd.testing.assert_frame_equal(mixed.transformed, scores.transformed, check_exact=True)
    pd.testing.assert_frame_equal(mixed.baseline, scores.baseline, check_exact=True)


NASTY = ["<script>alert(1)</script>", "a$b$&", "two\nlines", "模型" * 40]


def test_names_are_text(tmp_path):
    table = small(models=NASTY, datasets=NASTY)
    assert read_scores(table).models == NASTY
    table.to_parquet(tmp_path / "names.parquet")
    assert read_scores(tmp_path / "names.parquet").datasets == NASTY
