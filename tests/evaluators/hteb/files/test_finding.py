from __future__ import annotations

import json

import pytest

from robustrank.errors import DuplicateError
from robustrank.evaluators.hteb.files.finding import find_pair
from robustrank.evaluators.hteb.files.pairs import metadata_path, provenance_path, write_pair
from tests.evaluators.hteb.pair_examples import GENERATOR, STS, settings

ASKED = {
    "generator_model": GENERATOR,
    "dataset": "my-sts",
    "transformation": "translation",
    "seed": 1337,
}


def write(tmp_path, time, **changes):
    return write_pair(tmp_path, **settings(STS, generation_datetime=time, **changes))


def test_nothing_is_there(tmp_path):
    assert find_pair(tmp_path / "nowhere", **ASKED) == (None, ())


def test_the_newest_is_found(tmp_path):
    write(tmp_path, "2026-09-15T11:32:54Z")
    newest = write(tmp_path, "2026-10-01T00:00:00Z")
    write(tmp_path, "2025-12-31T23:59:59Z")
    write(tmp_path, None)
    write(tmp_path, "2027-01-01T00:00:00Z", seed=1338)  # another one's
    assert find_pair(tmp_path, **ASKED) == (newest, ())


def without_time(path):
    provenance_path(path).unlink()
    metadata_path(path).rename(path.with_name("metadata.JSON"))
    return path.rename(path.with_name("data.parquet"))


def test_files_without_a_time_are_the_oldest(tmp_path):
    legacy = without_time(write(tmp_path, None))
    assert find_pair(tmp_path, **ASKED) == (legacy, ())
    newer = write(tmp_path, "1999-01-01T00:00:00Z")
    assert find_pair(tmp_path, **ASKED) == (newer, ())


def test_two_of_the_same_time_are_an_error(tmp_path):
    without_time(write(tmp_path, None))
    write(tmp_path, None)
    with pytest.raises(DuplicateError, match=r"were made at the same time, .*Delete one") as caught:
        find_pair(tmp_path, **ASKED)
    assert len(caught.value.labels) == 2


def spoil_metadata(path):
    metadata_path(path).write_text("not JSON")


def add_key(path):
    metadata = json.loads(metadata_path(path).read_text())
    metadata_path(path).write_text(json.dumps({**metadata, "temperature": 1.0}))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (spoil_metadata, "is damaged"),
        (add_key, "HTEB knows no 'temperature'"),
        (lambda path: metadata_path(path).unlink(), "cannot be read: No such file"),
        (lambda path: path.unlink(), "is damaged"),
        (lambda path: path.write_bytes(b"PAR1"), "is damaged"),
        (lambda path: path.write_bytes(path.read_bytes()[:-9]), "is damaged"),
    ],
)
def test_a_broken_pair_is_named_and_does_not_block_the_others(tmp_path, spoil, message):
    valid = write(tmp_path, "2026-09-15T11:32:54Z")
    broken = write(tmp_path, "2026-10-01T00:00:00Z")
    spoil(broken)
    path, [note] = find_pair(tmp_path, **ASKED)
    assert path == valid
    assert (note.code, note.labels) == ("skipped-pair", (str(broken),))
    assert message in note.message
    assert broken.stem.removeprefix("data") in note.message
    metadata_path(valid).unlink()
    path, notes = find_pair(tmp_path, **ASKED)
    assert path is None
    assert len(notes) == 2


def test_a_pair_in_the_wrong_folder_is_passed_over(tmp_path):
    path = write(tmp_path, "2026-09-15T11:32:54Z")
    path.parent.rename(path.parent.with_name("1338"))
    found, [note] = find_pair(tmp_path, **{**ASKED, "seed": 1338})
    assert found is None
    assert "says seed 1337, which belongs in another folder than that of 1338" in note.message


def test_what_a_kill_leaves_behind_is_no_pair(tmp_path):
    path = write(tmp_path, "2026-09-15T11:32:54Z")
    for name in (".data_x.parquet.123.tmp", ".metadata_x.JSON.123.tmp", "notes.txt"):
        (path.parent / name).write_text("half")
    assert find_pair(tmp_path, **ASKED) == (path, ())
