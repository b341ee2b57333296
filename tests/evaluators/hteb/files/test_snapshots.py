from __future__ import annotations

import json

import pytest

from robustrank.errors import FormatError, InputError
from robustrank.evaluators.hteb.files.snapshots import read_snapshot, write_snapshot
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.records import Dataset
from tests.evaluators.hteb.pair_examples import ALL, STS


@pytest.mark.parametrize("dataset", ALL, ids=[dataset.task_type for dataset in ALL])
def test_snapshots_are_named_after_what_they_hold(tmp_path, dataset):
    path = write_snapshot(tmp_path, dataset)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert path == tmp_path / "raw_sources" / f"originals_{digest(content)}.JSON"
    assert content == read_snapshot(path)
    assert content["records"] == dataset.records
    assert content["dataset"] == dataset.name


def test_one_content_is_one_file(tmp_path):
    path = write_snapshot(tmp_path, STS)
    written = path.stat().st_mtime_ns
    assert write_snapshot(tmp_path, STS) == path
    assert path.stat().st_mtime_ns == written
    assert write_snapshot(tmp_path, Dataset(**{**vars(STS), "name": "other"})) != path


@pytest.mark.parametrize("text", ["half \ud83d", "\ud83d\ude00", "\x00", "\u2028 ü 😀", '"\\"'])
def test_any_text(tmp_path, text):
    path = write_snapshot(tmp_path, Dataset("d", "sts", [{"sentence1": text}]))
    read = read_snapshot(path)["records"][0]["sentence1"]
    assert read.encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")


def test_a_changed_snapshot_is_refused(tmp_path):
    path = write_snapshot(tmp_path, STS)
    path.write_text(path.read_text().replace("2.5", "2.6"))
    with pytest.raises(FormatError, match=r"was changed or renamed: .* Delete it, and load"):
        read_snapshot(path)
    path.write_text("[")
    with pytest.raises(FormatError, match=r"is no JSON: .* Make it again"):
        read_snapshot(path)
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        read_snapshot(tmp_path / "none.JSON")


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}])
def test_rows_that_are_no_json(tmp_path, value):
    with pytest.raises(FormatError, match=r"The rows of d cannot be written as JSON: .* Convert"):
        write_snapshot(tmp_path, Dataset("d", "sts", [{"score": value}]))
