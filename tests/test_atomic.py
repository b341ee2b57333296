from __future__ import annotations

import pytest

from robustrank._atomic import replacing
from robustrank.errors import InputError


def test_the_file_takes_its_name_at_the_end(tmp_path):
    path = tmp_path / "new" / "file.txt"
    with replacing(path) as file:
        file.write(b"text")
        assert not path.exists()
    assert path.read_bytes() == b"text"
    assert list(path.parent.iterdir()) == [path]


def fail_halfway(path):
    with replacing(path) as file:
        file.write(b"new")
        raise KeyError


def test_an_error_leaves_what_was_there(tmp_path):
    path = tmp_path / "file.txt"
    path.write_bytes(b"old")
    with pytest.raises(KeyError):
        fail_halfway(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(InputError, match=r"cannot be written: .* Check the permissions"),
        replacing(tmp_path / "file" / "inside"),
    ):
        pass
    (tmp_path / "folder").mkdir()
    with (
        pytest.raises(InputError, match="folder cannot be written"),
        replacing(tmp_path / "folder"),
    ):
        pass
