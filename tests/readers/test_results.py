from __future__ import annotations

import json

import numpy as np
import pytest

from robustrank.errors import FormatError
from robustrank.readers import read
from tests.readers.conftest import write


def entry(score, subset="default", languages=("eng-Latn",)):
    return {"main_score": score, "hf_subset": subset, "languages": list(languages)}


def result(task, *entries, version="2.0.0", split="test"):
    return {"task_name": task, "mteb_version": version, "scores": {split: list(entries)}}


@pytest.fixture
def put(tmp_path):
    """Write a JSON file under the folder `results`."""

    def write_json(path, value):
        return write(tmp_path / "results" / path, json.dumps(value))

    return write_json


def test_one_revision_for_each_task(put, tmp_path, notes):
    put("org__a/r1/X.json", result("X", entry(0.1), version="1.0.0"))
    put("org__a/r1/Y.json", result("Y", entry(0.2), version="1.0.0"))
    put("org__a/r2/X.json", result("X", entry(0.3)))
    put("org__a/external/X.json", result("X", entry(0.9), version=None))
    put("org__b/no_revision_available/X.json", result("X", entry(0.4), version=None))
    matrix = read(tmp_path / "results")
    assert matrix.scores.loc["org/a"].tolist() == [0.3, 0.2]
    assert matrix.scores.loc["org/b", "X"] == 0.4
    assert notes(matrix, "revisions").labels == ("org/a",)


def test_the_name_in_the_metadata_file_counts(put, tmp_path):
    put("odd__folder__name/r1/X.json", result("X", entry(0.1)))
    put("odd__folder__name/r1/model_meta.json", {"name": "org/true__name", "n_parameters": 7})
    put("org__with__more/r1/X.json", result("X", entry(0.2)))
    matrix = read(tmp_path / "results")
    assert list(matrix.scores.index) == ["org/true__name", "org/with__more"]
    assert matrix.models.loc["org/true__name", "n_parameters"] == 7


def test_metadata_come_from_the_revision_with_most_results(put, tmp_path):
    for revision, n_tasks, size in (("r1", 2, 100), ("r2", 0, 200), ("r3", 1, 300)):
        put(f"org__a/{revision}/model_meta.json", {"name": "org/a", "n_parameters": size})
        for task in ["X", "Y"][:n_tasks]:
            put(f"org__a/{revision}/{task}.json", result(task, entry(0.1)))
    assert read(tmp_path / "results").models.loc["org/a", "n_parameters"] == 100


def test_zero_shot_is_the_share_of_tasks_not_trained_on(put, tmp_path):
    meta = {"name": "org/a", "open_weights": True, "training_datasets": ["X", "elsewhere"]}
    put("org__a/r1/model_meta.json", meta)
    for task in "XYZW":
        put(f"org__a/r1/{task}.json", result(task, entry(0.1)))
    models = read(tmp_path / "results").models
    assert models.loc["org/a", "zero_shot"] == 0.75
    assert models.loc["org/a", "open_weights"]


def test_scores_above_one_are_not_taken_for_percent(put, tmp_path, notes):
    """Result files are on 0..1; one file in error must not divide all others by 100."""
    put("org__a/r1/X.json", result("X", entry(0.5)))
    put("org__a/r1/Y.json", result("Y", entry(55.0)))
    matrix = read(tmp_path / "results")
    assert matrix.scores.loc["org/a", "X"] == 0.5
    assert notes(matrix, "out-of-range").labels == ("Y",)


def test_subsets_are_averaged_and_languages_collected(put, tmp_path):
    put(
        "org__a/r1/X.json",
        result("X", entry(0.1, "en"), entry(0.3, "de-fr", ["deu-Latn", "fra-Latn"])),
    )
    put("org__b/r1/X.json", result("X", entry(0.1, "en"), entry(float("nan"), "de-fr")))
    matrix = read(tmp_path / "results")
    assert matrix.scores["X"].tolist() == [0.2, 0.1]
    assert matrix.datasets.loc["X", "languages"] == ("eng", "deu", "fra")
    assert matrix.models.loc["org/b", "partial_scores"] == ("X: 1 of 2 subsets",)


def test_files_of_old_versions(put, tmp_path):
    old = {
        "Retrieval": {"ndcg_at_10": 0.1, "map_at_10": 0.9, "evaluation_time": 3.0},
        "Reranking": {"map": 0.2, "mrr": 0.9},
        "STS": {"cos_sim": {"pearson": 0.9, "spearman": 0.3}},
        "Pairs": {"cos_sim": {"ap": 0.9}, "max": {"ap": 0.4, "f1": 0.9}},
        "Clustering": {"v_measure": 0.5, "v_measure_std": 0.9},
        "Languages": {"en": {"main_score": 0.5, "f1": 0.9}, "de": {"main_score": 0.7}},
    }
    for task, scores in old.items():
        put(
            f"org__a/r1/{task}.json",
            {"mteb_dataset_name": task, "mteb_version": "1.0.0", "test": scores},
        )
    found = read(tmp_path / "results").scores.loc["org/a"]
    expected = {"Retrieval": 0.1, "Reranking": 0.2, "STS": 0.3, "Pairs": 0.4, "Clustering": 0.5}
    assert found.to_dict() == pytest.approx(expected | {"Languages": 0.6})


def test_what_benchmark_results_save(file):
    saved = {
        "model_results": [
            {
                "model_name": "org/a",
                "model_revision": "r1",
                "task_results": [result("X", entry(0.1))],
            },
            {
                "model_name": "org/b",
                "model_revision": None,
                "task_results": [result("X", entry(0.2))],
            },
        ]
    }
    assert read(file(json.dumps(saved))).scores["X"].to_dict() == {"org/a": 0.1, "org/b": 0.2}


def test_other_json_files_are_named(put, tmp_path, notes):
    put("org__a/r1/X.json", result("X", entry(0.1)))
    put("org__a/r1/config.json", {"seed": 1})
    put(".cache/broken/Y.json", "not looked at")
    assert notes(read(tmp_path / "results"), "skipped-files").labels == ("org__a/r1/config.json",)


def test_progress(put, tmp_path):
    put("org__a/r1/X.json", result("X", entry(0.1)))
    told = []
    read(tmp_path / "results", progress=told.append)
    assert told == ["Reading 1 result file in results", "Averaging 1 rows"]


def test_bad_folders(put, tmp_path):
    with pytest.raises(FormatError, match="no MTEB results under") as error:
        read(tmp_path)
    assert "<org>__<model>/<revision>/<task>.json" in str(error.value)
    write(tmp_path / "scores.csv", "model,X\na,1\n")
    with pytest.raises(FormatError, match=r"It holds scores\.csv: pass such a file"):
        read(tmp_path)

    path = put("org__a/r1/X.json", result("X", entry(0.1)))
    path.write_text(path.read_text()[:40])
    with pytest.raises(FormatError, match="not valid JSON") as error:
        read(tmp_path)
    assert str(path) in str(error.value)
    assert error.value.labels == (str(path),)


@pytest.mark.parametrize(
    "scores", [{"test": {"main_score": 0.5}}, {"test": [{"hf_subset": "en"}]}, {"test": [0.5]}]
)
def test_results_of_another_shape(put, tmp_path, scores):
    path = put("org__a/r1/X.json", {"task_name": "X", "scores": scores})
    with pytest.raises(
        FormatError, match="split 'test' is not a list of entries with a main_score"
    ) as error:
        read(tmp_path)
    assert str(path) in str(error.value)


def test_a_result_of_nobody(file):
    with pytest.raises(FormatError, match=r"Whose result .* no model_meta\.json"):
        read(file(json.dumps(result("X", entry(0.1)))))


def test_one_file_where_there_is_no_score(put):
    path = put("org__a/r1/X.json", {"task_name": "X", "scores": {}})
    with pytest.raises(FormatError, match="holds no scores"):
        read(path)


def test_a_missing_score_is_missing(put, tmp_path):
    put("org__a/r1/X.json", result("X", entry(None)))
    put("org__a/r1/Y.json", result("Y", entry(0.5)))
    assert np.isnan(read(tmp_path / "results").scores.loc["org/a", "X"])
