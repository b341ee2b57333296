"""Results in a cache are links: the path that was given says whose they are."""

from __future__ import annotations

import json

import pytest

from robustrank.errors import InputError
from robustrank.readers import read


@pytest.fixture
def snapshot(tmp_path):
    """A cache as the Hugging Face hub lays it out: files are links to nameless blobs."""
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshots" / "sha" / "results"
    blobs.mkdir()
    for revision, version, score in (("r1", "1.0.0", 0.1), ("r2", "2.0.0", 0.2)):
        folder = snapshot / "org__a" / revision
        folder.mkdir(parents=True)
        entry = {"main_score": score, "hf_subset": "default"}
        result = {"task_name": "X", "mteb_version": version, "scores": {"test": [entry]}}
        meta = {"name": "org/a", "n_parameters": 7 if revision == "r2" else 1}
        for name, value in (("X.json", result), ("model_meta.json", meta)):
            blob = blobs / f"{revision}{name}".encode().hex()
            blob.write_text(json.dumps(value))
            (folder / name).symlink_to(blob)
    return snapshot


def test_links_to_files(snapshot, notes):
    matrix = read(snapshot)
    assert matrix.scores["X"].to_dict() == {"org/a": 0.2}
    assert notes(matrix, "revisions").labels == ("org/a",)
    assert matrix.models.loc["org/a", "n_parameters"] == 1  # of the first of two equal folders
    assert read(snapshot / "org__a" / "r1" / "X.json").scores["X"].to_dict() == {"org/a": 0.1}


def test_links_to_folders(snapshot, tmp_path):
    """Neither the target's name nor a loop of links counts."""
    moved = tmp_path / "store"
    (snapshot / "org__a").rename(moved)
    (moved / "r1").rename(tmp_path / "elsewhere")
    (moved / "r1").symlink_to(tmp_path / "elsewhere")
    (moved / "r2" / "loop").symlink_to(moved)
    (snapshot / "org__b").symlink_to(moved)
    for path in moved.glob("*/model_meta.json"):
        path.unlink()
    matrix = read(snapshot)
    assert matrix.scores["X"].to_dict() == {"org/b": 0.2}
    assert read(snapshot / "org__b" / "r1").scores["X"].to_dict() == {"org/b": 0.1}


def test_paths_from_within(snapshot, monkeypatch):
    monkeypatch.chdir(snapshot / "org__a" / "r2")
    assert list(read("..").scores.index) == ["org/a"]
    assert read("X.json").models.loc["org/a", "n_parameters"] == 7


def test_a_broken_link_is_named(snapshot):
    (snapshot / "org__a" / "r1" / "Z.json").symlink_to("nowhere")
    with pytest.raises(InputError, match=r"Z\.json cannot be read: No such file.*download it"):
        read(snapshot)


def test_a_folder_named_like_a_file(snapshot):
    (snapshot / "org__a" / "r1" / "d.json").mkdir()
    assert read(snapshot).shape == (1, 1)
