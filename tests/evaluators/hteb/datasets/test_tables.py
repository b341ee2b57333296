"""Rows of files."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from robustrank.errors import FormatError
from robustrank.evaluators.hteb.datasets.tables import read_rows

ROWS = [{"a": "x\u2028y", "b": "1"}, {"a": '"quoted", قطة 🙂', "b": ""}, {"a": "", "b": "NA"}]


def test_all_formats_hold_the_same_rows(tmp_path):
    frame = pd.DataFrame(ROWS)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t", encoding="utf-8-sig")
    frame.to_parquet(tmp_path / "t.PARQUET")
    lines = [json.dumps(row, ensure_ascii=False) for row in ROWS]
    (tmp_path / "t.jsonl").write_text("\ufeff" + "\n\n".join(lines) + "\n", encoding="utf-8")
    for name in ("t.csv", "t.tsv", "t.PARQUET", "t.jsonl"):
        assert read_rows(tmp_path / name) == ROWS


def test_long_texts_and_lists(tmp_path):
    rows = [{"texts": ["long " * 40_000, "\x00"], "n": 3, "missing": None}]
    (tmp_path / "t.jsonl").write_text(json.dumps(rows[0]), encoding="utf-8")
    pd.DataFrame(rows).to_parquet(tmp_path / "t.parquet")
    assert read_rows(tmp_path / "t.jsonl") == rows
    assert read_rows(tmp_path / "t.parquet") == rows
    pd.DataFrame([{"text": "long " * 40_000}]).to_csv(tmp_path / "t.csv", index=False)
    assert len(read_rows(tmp_path / "t.csv")[0]["text"]) == 200_000


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.json", b"[]", r"t\.json: files must end in \.jsonl, .*got '\.json'"),
        ("t.jsonl", b'{"a": 1}\n\n{"a": }', r"t\.jsonl, line 3: not JSON: .*column 7"),
        ("t.jsonl", b"[1]", r"t\.jsonl, line 1: every line must be a JSON object; got list"),
        ("t.jsonl", b'{"a": "\xff"}', r"t\.jsonl is not UTF-8"),
        ("t.csv", b"a,b\n1,2\n1,2,3\n", r"t\.csv cannot be read: .*line 3"),
        ("t.csv", b"", r"t\.csv cannot be read: No columns"),
        ("t.csv", b"a\n\xff\n", r"t\.csv is not UTF-8"),
        ("t.parquet", b"PAR", r"t\.parquet cannot be read"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_rows(tmp_path / name)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"gone\.csv does not exist\. .*relative to the YAML"):
        read_rows(tmp_path / "gone.csv")
