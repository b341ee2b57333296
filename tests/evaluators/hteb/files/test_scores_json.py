from __future__ import annotations

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import (
    DuplicateError,
    FormatError,
    MissingScoresError,
    ScaleError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.files.scores_json import write_scores
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS

MODELS = ["owner/one", "owner/two", "three"]
DATASETS = ["banking77", "biosses-sts"]
SEEDS = [(1337, 1), (1338, 2)]


def make(transformations=(*TRANSFORMATIONS, "original"), *, seed=7) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        {
            "model": model,
            "dataset": dataset,
            "task_type": "sts",
            "transformation": name,
            "seed_transform": seeds[0],
            "seed_evaluation": seeds[1],
            "score": rng.uniform(0.2, 0.9),
            "languages": ["Turkish", "Arabic"] if "translation" in name else None,
        }
        for model, dataset, seeds, name in product(MODELS, DATASETS, SEEDS, transformations)
    ]
    return pd.DataFrame(rows)


def test_a_record_by_hand(tmp_path):
    rows = [
        ("original", 0.9, None),
        ("paraphrasing", 0.8, None),
        ("style_change", 0.6, None),
        ("translation", 0.5, ["Turkish"]),
        ("backtranslation", 0.4, ["Turkish"]),
        ("cross_translation", 0.25, ["Arabic", "Turkish"]),
    ]
    table = pd.DataFrame(rows, columns=["transformation", "score", "languages"]).assign(
        model="owner/one", dataset="banking77", seed_transform=1337, seed_evaluation=1
    )
    report = {"version": 2}
    path = tmp_path / "results" / "scores.JSON"
    assert write_scores(path, table, filtering={"banking77": report, "other": {}}) == ()
    [record] = json.loads(path.read_text())
    assert list(record) == [
        "model",
        "dataset",
        "seed_transform",
        "seed_evaluation",
        "original",
        "axes",
        "data_filtering",
        "transformations",
    ]
    names = [record["model"], record["dataset"]]
    assert names == ["one", "banking77"]
    assert (record["seed_transform"], record["seed_evaluation"]) == (1337, 1)
    assert record["original"] == pytest.approx(90.0)
    assert record["axes"] == pytest.approx({"Lexical/Stylistic": 60.0, "Language": 37.5})
    assert record["transformations"] == {
        "paraphrasing": 80.0,
        "backtranslation": 40.0,
        "style_change": 60.0,
        "translation": {"score": 50.0, "languages": ["Turkish"]},
        "cross_translation": {"score": 25.0, "languages": ["Arabic", "Turkish"]},
    }
    assert record["data_filtering"] == dict.fromkeys(record["transformations"], report)


def test_robustrank_reads_the_same_totals(tmp_path):
    table = make()
    write_scores(tmp_path / "scores.JSON", table)
    matrix = rr.read(tmp_path / "scores.JSON")
    # By hand: the mean of a transformation over seeds, of an axis, and of all axes.
    means = table.groupby(["model", "dataset", "transformation"])["score"].mean()
    for model, dataset in product(MODELS, DATASETS):
        axes = [
            np.mean([means[model, dataset, name] for name in members]) for members in AXES.values()
        ]
        read = matrix.scores.loc[model.rsplit("/", 1)[-1], dataset]
        assert read == pytest.approx(np.mean(axes), abs=1e-12)


def test_the_order_of_rows_changes_no_record(tmp_path):
    table = make()
    write_scores(tmp_path / "a", table)
    write_scores(tmp_path / "b", table.sample(frac=1, random_state=3))

    def records(name):
        return sorted(json.dumps(each) for each in json.loads((tmp_path / name).read_text()))

    assert records("a") == records("b")


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_the_original_may_have_no_seed_of_a_transformation(tmp_path, missing):
    table = make()
    once = table[(table["transformation"] == "original") & (table["seed_transform"] == 1337)].copy()
    other = once.assign(seed_evaluation=2, score=once["score"] / 2)
    once["seed_transform"] = other["seed_transform"] = missing
    rest = table[table["transformation"] != "original"]
    both = pd.concat([rest.astype({"seed_transform": object}), once, other])
    write_scores(tmp_path / "scores.JSON", both)
    first, second = json.loads((tmp_path / "scores.JSON").read_text())[:2]
    assert (first["seed_evaluation"], second["seed_evaluation"]) == (1, 2)
    assert first["original"] == pytest.approx(once["score"].iloc[0] * 100)
    assert second["original"] == pytest.approx(once["score"].iloc[0] * 50)


def test_an_axis_without_all_its_transformations_is_left_out(tmp_path):
    table = make()
    lacking = (table["model"] == "three") & (table["transformation"] == "expansion")
    [note] = write_scores(tmp_path / "scores.JSON", table[~lacking])
    assert note.code == "incomplete-axes"
    assert note.labels == tuple(
        f"three on {dataset}, seed {seed}" for dataset in DATASETS for seed, _ in SEEDS
    )
    records = json.loads((tmp_path / "scores.JSON").read_text())
    assert {len(each["axes"]) for each in records if each["model"] != "three"} == {3}
    assert all("Length" not in each["axes"] for each in records if each["model"] == "three")
    assert rr.read(tmp_path / "scores.JSON").scores.loc["three"].isna().all()


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        (lambda table: table.drop(columns="score"), FormatError, "has no column score"),
        (lambda table: table.replace("expansion", "expansoin"), UnknownLabelError, "'expansion'"),
        (
            lambda table: table[table["transformation"] == "original"],
            MissingScoresError,
            "only scores on original texts",
        ),
        (
            lambda table: table[table["transformation"] != "original"],
            MissingScoresError,
            "owner/one has no score on the original texts of banking77 for seed_evaluation 1",
        ),
        (
            lambda table: pd.concat([table, table.head(1)]),
            DuplicateError,
            r"owner/one on banking77, paraphrasing, seeds \[1337, 1\] is there twice",
        ),
        (
            lambda table: table.assign(score=table["score"] * 100),
            ScaleError,
            r"is beyond -1\.\.1; divide percentages by 100",
        ),
        (
            lambda table: table.assign(score=table["score"].where(table.index != 1)),
            MissingScoresError,
            "owner/one on banking77, backtranslation, .* has no score; drop",
        ),
        (lambda table: table.assign(seed_transform=None), MissingScoresError, "no seed_transform"),
        (
            lambda table: table.assign(seed_evaluation=None),
            MissingScoresError,
            "no seed_evaluation",
        ),
        (
            lambda table: table.replace("three", "other/one"),
            DuplicateError,
            "owner/one, other/one are all 'one' in HTEB's file",
        ),
    ],
)
def test_tables_that_are_refused(tmp_path, spoil, error, message):
    with pytest.raises(error, match=message):
        write_scores(tmp_path / "scores.JSON", spoil(make()))
    assert not (tmp_path / "scores.JSON").exists()
