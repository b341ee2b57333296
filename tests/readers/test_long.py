from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from robustrank._columns import INSTANCE
from robustrank.errors import (
    DuplicateError,
    FormatError,
    InputError,
    NonNumericError,
    ParameterError,
)
from robustrank.readers import read

ROWS = [("org/a", "X", 0.5), ("org/a", "Y", 0.6), ("b", "X", 0.7)]


def table(rows, columns=("model", "dataset", "score")):
    return pd.DataFrame(rows, columns=list(columns))


def values(matrix):
    scores = matrix.scores
    return {
        (model, dataset): scores.loc[model, dataset]
        for model in scores.index
        for dataset in scores.columns
        if not np.isnan(scores.loc[model, dataset])
    }


@pytest.mark.parametrize(
    "columns",
    [
        ("model", "dataset", "score"),
        ("model_name", "task_name", "score"),
        ("Model", "Task", "Main Score"),
        ("system", "benchmark", "value"),
        ("name", "dataset_name", "result"),
        ("model", "task", "ndcg_at_10"),
    ],
)
def test_names_of_columns(columns):
    matrix = read(table(ROWS, columns))
    assert values(matrix) == {(m, d): s for m, d, s in ROWS}
    assert matrix.shape == (2, 2)
    assert matrix.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "model;dataset;score\norg/a;X;0,5\norg/a;Y;60%\nb;X;0,7\nb;Y;—\n",
        ",model,dataset,score\n0,org/a,X,0.5\n1,org/a,Y,0.6\n2,b,X,.7\n",
        json.dumps([dict(zip(("model", "dataset", "score"), row, strict=True)) for row in ROWS]),
    ],
)
def test_files(file, text):
    matrix = read(file(text))
    assert values(matrix) == {(m, d): s for m, d, s in ROWS}
    assert matrix.shape == (2, 2)


def test_as_mteb_writes_it():
    columns = ("model_name", "model_revision", "task_name", "is_public", "score")
    rows = [("a", "r1", "X", True, 0.5), ("b", "r1", "X", True, 0.7)]
    assert values(read(table(rows, columns))) == {("a", "X"): 0.5, ("b", "X"): 0.7}


def test_a_series_with_two_levels():
    series = table(ROWS).set_index(["model", "dataset"])
    assert values(read(series)) == {(m, d): s for m, d, s in ROWS}


def test_parquet_keeps_an_index(tmp_path):
    path = tmp_path / "scores"
    table(ROWS).set_index(["model", "dataset"]).to_parquet(path)
    assert values(read(path)) == {(m, d): s for m, d, s in ROWS}


def test_splits_and_subsets_are_averaged_flat():
    rows = [
        ("a", "X", "test", "en", 0.1),
        ("a", "X", "test", "de", 0.2),
        ("a", "X", "dev", "en", 0.9),
        ("b", "X", "test", "en", 0.5),
        ("b", "X", "test", "de", 0.5),
        ("b", "X", "dev", "en", 0.5),
    ]
    matrix = read(table(rows, ("model", "task", "split", "subset", "main_score")))
    assert matrix.scores.loc["a", "X"] == pytest.approx(0.4)  # not (0.15 + 0.9) / 2
    assert matrix.notes == ()


def test_languages_serve_as_subsets():
    rows = [("a", "X", "eng-Latn", 0.2), ("a", "X", "deu-Latn", 0.4), ("b", "X", "eng-Latn", 0.5)]
    matrix = read(table(rows, ("model", "task", "language", "score")))
    assert matrix.scores.loc["a", "X"] == pytest.approx(0.3)
    assert matrix.datasets.loc["X", "languages"] == ("eng", "deu")
    assert matrix.models["partial_scores"].tolist() == [(), ("X: 1 of 2 subsets",)]


def test_order_of_rows_changes_no_number():
    rng = np.random.default_rng(1)
    rows = [
        (f"m{i}", f"d{j}", subset, rng.uniform())
        for i in range(6)
        for j in range(5)
        for subset in "xyz"
    ]
    frame = table(rows, ("model", "dataset", "subset", "score"))
    once = read(frame).scores.sort_index().sort_index(axis=1)
    again = read(frame.sample(frac=1, random_state=2)).scores.sort_index().sort_index(axis=1)
    pd.testing.assert_frame_equal(once, again, rtol=1e-14)


def test_models_with_no_score_stay_in_the_table():
    matrix = read(table([*ROWS, ("c", "X", None)]))
    assert list(matrix.scores.index) == ["org/a", "b", "c"]
    assert matrix.scores.loc["c"].isna().all()


def test_models_named_like_missing_values(file):
    matrix = read(file("model,dataset,score\nNA,X,0.5\nNone,X,0.6\nnan,X,NA\n"))
    assert list(matrix.scores.index) == ["NA", "None", "nan"]
    assert np.isnan(matrix.scores.loc["nan", "X"])


@pytest.mark.parametrize("policy", ["error", "latest", "mean"])
def test_no_policy_loses_a_model_without_scores(policy):
    rows = [*ROWS, ("c", "Z", None)] + [("b", "X", 0.7)] * (policy != "error")
    assert read(table(rows), on_duplicate=policy).shape == (3, 3)


def test_percent_signs_are_settled_as_in_wide_tables(file, notes):
    matrix = read(file("model,task,score\na,X,72%\nb,X,0.5\n"))
    assert matrix.scores["X"].tolist() == [0.72, 0.5]
    assert notes(matrix, "percent-cells")


def test_links_and_lists():
    rows = [
        ("[a](https://x.org)", "X", ["eng-Latn", "fra-Latn"], 0.5),
        ("b", "X", ["eng-Latn", "fra-Latn"], 0.6),
    ]
    matrix = read(table(rows, ("model", "task", "languages", "score")))
    assert list(matrix.scores.index) == ["a", "b"]
    assert matrix.datasets.loc["X", "languages"] == ("eng", "fra")


def test_duplicates_are_refused_by_name():
    rows = [*ROWS, ("org/a", "X", 0.9)]
    with pytest.raises(DuplicateError) as error:
        read(table(rows))
    assert error.value.labels == ("org/a", "X")
    for part in ("'org/a' on 'X'", "rows 1, 4", "0.5, 0.9", "on_duplicate='latest' or 'mean'"):
        assert part in str(error.value)


def test_duplicates_by_choice(notes):
    rows = [*ROWS, ("org/a", "X", 0.9)]
    latest = read(table(rows), on_duplicate="latest")
    assert latest.scores.loc["org/a", "X"] == 0.9
    assert notes(latest, "duplicates").labels == ("org/a",)
    mean = read(table(rows), on_duplicate="mean")
    assert mean.scores.loc["org/a", "X"] == pytest.approx(0.7)
    assert notes(mean, "duplicates").labels == ("org/a",)
    assert values(mean)["b", "X"] == 0.7


PER_INSTANCE = pd.DataFrame(
    [
        (model, dataset, query, score)
        for model, best in (("a", 1.0), ("b", 0.5))
        for dataset in ("X", "Y")
        for query, score in enumerate((best, 0.25, 0.0))
    ],
    columns=["model", "dataset", "query", "score"],
)


@pytest.mark.parametrize("name", INSTANCE)
@pytest.mark.parametrize("policy", ["error", "latest"])
def test_scores_per_instance_are_no_copies(name, policy):
    rows = PER_INSTANCE.rename(columns={"query": name})
    with pytest.raises(DuplicateError) as error:
        read(rows, on_duplicate=policy)
    for part in (
        f"4 (model, dataset) pairs of the table, given per instance (column '{name}')",
        "'a' on 'X' in rows 1, 2, 3.",
        "on_duplicate='mean' (--on-duplicate mean)",
        "robustrank.read_instances(…) (--instances)",
    ):
        assert part in str(error.value)
    assert "revision" not in str(error.value)
    assert ("'latest' would score" in str(error.value)) == (policy == "latest")


def test_scores_per_instance_averaged(notes):
    matrix = read(PER_INSTANCE, on_duplicate="mean")
    assert matrix.scores.loc["a"].tolist() == pytest.approx([1.25 / 3] * 2)
    assert "given per instance (column 'query'): averaged" in notes(matrix, "duplicates").message


def test_scores_per_instance_and_seed_are_no_copies_either():
    rows = pd.concat([PER_INSTANCE.assign(seed=seed) for seed in (0, 1)], ignore_index=True)
    with pytest.raises(DuplicateError, match="per instance"):
        read(rows, on_duplicate="latest")


def test_copies_within_instances_are_copies():
    """Where each dataset has one instance, rows do not differ in it."""
    rows = pd.DataFrame(ROWS + ROWS[:1], columns=["model", "dataset", "score"])
    for instance in (rows.assign(query="q"), rows.assign(id=range(len(rows)))):
        with pytest.raises(DuplicateError, match="add a revision column"):
            read(instance)
        read(instance, on_duplicate="latest")


def test_objects_as_instances():
    rows = PER_INSTANCE.assign(query=[{"text": str(query)} for query in PER_INSTANCE["query"]])
    with pytest.raises(DuplicateError, match="per instance"):
        read(rows)
    assert read(rows.iloc[::3]).shape == (2, 2)


def test_numbered_instances_are_not_the_score():
    rows = PER_INSTANCE.rename(columns={"score": "ndcg_at_10"})
    assert read(rows, on_duplicate="mean").scores.loc["a", "X"] == pytest.approx(1.25 / 3)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (
            PER_INSTANCE.assign(right=PER_INSTANCE["score"] > 0.5).drop(columns="score"),
            "unclear.*Scores per instance are for robustrank.read_instances",
        ),
        (PER_INSTANCE.drop(columns="dataset"), "column 'query'.*add a column 'dataset'"),
        (
            PER_INSTANCE.drop(columns="dataset").astype({"query": str}),
            "column 'query'.*robustrank.read_instances",
        ),
    ],
)
def test_other_tables_of_scores_per_instance(rows, says):
    with pytest.raises(FormatError, match=says):
        read(rows)


def test_the_latest_is_the_newest_version_before_the_last_row():
    columns = ("model", "dataset", "revision", "mteb_version", "score")
    rows = [
        ("a", "X", "r", "2.10.0", 0.5),
        ("a", "X", "r", "2.9.1", 0.6),
        ("b", "X", "r", "1.0.0", 0.1),
    ]
    with pytest.raises(DuplicateError):
        read(table(rows, columns))
    assert read(table(rows, columns), on_duplicate="latest").scores.loc["a", "X"] == 0.5


def test_a_duplicated_subset_weighs_no_more():
    rows = [("a", "X", "en", 0.2), ("a", "X", "en", 0.4), ("a", "X", "de", 0.9)]
    frame = table(rows, ("model", "dataset", "subset", "score"))
    assert read(frame, on_duplicate="mean").scores.loc["a", "X"] == pytest.approx(0.6)
    with pytest.raises(DuplicateError, match="rows 1, 2"):
        read(frame)


def test_a_missing_copy_is_no_duplicate():
    matrix = read(table([*ROWS, ("org/a", "X", np.nan)]))
    assert matrix.scores.loc["org/a", "X"] == 0.5


@pytest.mark.parametrize(
    ("rows", "columns", "error", "says"),
    [
        (
            [("a", "X", "0.5"), ("b", "X", "soon")],
            ("model", "task", "score"),
            NonNumericError,
            ["'soon'", "'b' on 'X'", "row 2", "'score'", "leave it empty"],
        ),
        (
            [("a", "X", 0.5), (None, "X", 0.6)],
            ("model", "task", "score"),
            InputError,
            ["model in row 2", "drop the row"],
        ),
        (
            [("a", "X", 0.5), ("b", " ", 0.6)],
            ("model", "task", "score"),
            InputError,
            ["dataset in row 2", "'task'"],
        ),
        (
            [("a", "X", 0.5, 0.6)],
            ("model", "task", "map", "mrr"),
            FormatError,
            ["map, mrr", "Name it 'score'"],
        ),
        ([("a", "X", "red")], ("model", "task", "team"), FormatError, ["none", "Name it 'score'"]),
    ],
)
def test_bad_rows(rows, columns, error, says):
    with pytest.raises(error) as caught:
        read(table(rows, columns))
    for part in says:
        assert part in str(caught.value)


def test_hteb_scores(file, notes):
    def record(model, seed, **axes):
        keys = {"model": model, "dataset": "X", "seed_transform": seed, "seed_evaluation": seed}
        return keys | {"original": 90.0, "axes": axes, "transformations": {}, "data_filtering": {}}

    records = [
        record("a", 1, lexical=40.0, length=60.0),
        record("a", 2, lexical=50.0, length=70.0),
        record("b", 1, lexical=40.0),
    ]
    matrix = read(file(json.dumps(records)))
    assert matrix.scores.loc["a", "X"] == pytest.approx(0.55)
    assert np.isnan(matrix.scores.loc["b", "X"])  # one axis is not the total
    assert notes(matrix, "hteb-totals").labels == ("lexical", "length")


def test_bad_choices():
    with pytest.raises(ParameterError, match="on_duplicate must be one of error, latest, mean"):
        read(table(ROWS), on_duplicate="first")
    with pytest.raises(ParameterError, match="partial must be one of keep, drop"):
        read(table(ROWS), partial="no")
