from __future__ import annotations

import sys

import pytest

from robustrank.errors import FormatError, ParameterError
from robustrank.evaluators.hteb.yaml_files import read_mapping


@pytest.fixture
def path(tmp_path):
    return tmp_path / "my.yaml"


def test_keys_with_values_are_read(path):
    path.write_text("a: [1, ö]\nb: {c: null}\n", "utf-8")
    assert read_mapping(path, "a: 1") == {"a": [1, "ö"], "b": {"c": None}}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a: [", r"my\.yaml is not YAML: .*line 1.*such as 'a: 1'"),
        ("a: Höhe".encode("latin-1"), r"my\.yaml is not YAML: .*in UTF-8"),
        (b"- a", r"my\.yaml holds list, not keys with values, such as 'a: 1'"),
        (b"", "holds NoneType"),
    ],
)
def test_another_file_is_refused_in_one_line(path, content, problem):
    path.write_bytes(content)
    with pytest.raises(FormatError, match=problem) as raised:
        read_mapping(path, "a: 1")
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there_is_named(path):
    with pytest.raises(FormatError, match=r"my\.yaml cannot be read: No such file.*path"):
        read_mapping(path, "a: 1")


def test_what_is_not_installed_is_named(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ParameterError, match=r"PyYAML, which is not installed.*pip install"):
        read_mapping(path, "a: 1")
