"""From a name or a path to a dataset that can be scored."""

from __future__ import annotations

import json
import sys

import datasets as hf
import pandas as pd
import pytest

from robustrank.errors import InputError, NonNumericError, UnknownLabelError
from robustrank.evaluators.hteb.datasets import load_dataset


@pytest.fixture
def described(tmp_path):
    """A YAML beside a CSV of 40 pairs, half of them in German."""
    frame = pd.DataFrame(
        {
            "sentence1": [f"left {i}" for i in range(40)],
            "sentence2": [f"right {i}" for i in range(40)],
            "score": [i % 5 for i in range(40)],
            "language": ["deu", "eng"] * 20,
        }
    )
    frame.to_csv(tmp_path / "pairs.csv", index=False)
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\ntask_type: sts\nfiles: {test: pairs.csv}\n", encoding="utf-8")
    return path


def test_a_file_whole_by_language_and_in_part(described):
    whole = load_dataset(described)
    assert (len(whole.records), whole.notes) == (40, ())
    assert whole.filtering["counts_after"] == {"records": 40}
    part = load_dataset(str(described), languages=["de"], limit=5, seed=1)
    assert len(part.records) == 5
    assert {row["language"] for row in part.records} == {"deu"}
    assert [note.code for note in part.notes] == ["languages", "sample"]
    assert part.notes[1].message.startswith("mine: 5 of 20 pairs, drawn with seed 1")
    again = load_dataset(described, languages=["de"], limit=5, seed=1)
    assert again.records == part.records
    other = load_dataset(described, languages=["de"], limit=5, seed=2)
    assert other.records != part.records


def test_what_cannot_be_scored_is_said_on_loading(described):
    (described.parent / "pairs.csv").write_text(
        "sentence1,sentence2,score\na,b,1\nc,d,high\n", encoding="utf-8"
    )
    with pytest.raises(NonNumericError, match=r"'mine', row 2: column 'score' .*'high'"):
        load_dataset(described)


def test_an_unknown_name_is_refused_with_close_ones():
    with pytest.raises(UnknownLabelError, match=r"dataset 'bankin77': did you mean 'banking77'"):
        load_dataset("bankin77")


def test_a_definition_is_loaded_by_name_or_from_its_file(tmp_path, monkeypatch):
    row = {"sentence1": "a", "sentence2": "b", "score": 1.0}
    asked = []

    def load(path, name=None, *, split, revision):
        asked.append((path, name, split, revision))
        return hf.Dataset.from_list([row])

    monkeypatch.setattr(hf, "load_dataset", load)
    assert load_dataset("biosses-sts").name == "biosses-sts"
    metadata = {
        "hf_dataset_name": "me/mine",
        "revision": "b" * 40,
        "languages": ["eng"],
        "eval_split": "dev",
    }
    document = {"schema_version": 3, "dataset": "mine", "task_type": "sts"}
    path = tmp_path / "mine.JSON"
    path.write_text(json.dumps(document | {"dataset_metadata": metadata}), encoding="utf-8")
    assert load_dataset(path).name == "mine"
    assert asked == [
        ("mteb/biosses-sts", "default", "test", "f4f1265a7a4b0c99e6da09859b887bdb1f36d8ed"),
        ("me/mine", None, "dev", "b" * 40),
    ]


def test_tasks_of_mteb_need_its_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "mteb", None)  # as where it is not installed
    with pytest.raises(InputError, match=r"pip install 'robustrank\[mteb\]'"):
        load_dataset("mteb:STS17")


def test_the_hub_needs_its_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError, match=r"'datasets': pip install 'robustrank\[hteb\]'"):
        load_dataset("banking77")
