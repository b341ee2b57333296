from __future__ import annotations

import pandas as pd
import pytest

from robustrank.errors import EmptyMatrixError, FormatError, UnknownLabelError
from robustrank.evaluators.hteb.run_texts import read_texts
from tests.evaluators.hteb.run_folders import outcome, write_settings, write_texts

COLUMNS = [
    "generator",
    "dataset",
    "transformation",
    "seed",
    "ordinal",
    "original",
    "text",
    "output",
    "source",
    "target",
    "errors",
    "first_errors",
    "identified",
]


@pytest.fixture
def run(tmp_path):
    write_settings(tmp_path, "owner/name <b>")
    hard = ["A\x00b", "lone \ud800", "\x1a0041"]
    ends = [outcome("x\x00"), outcome(None, ["empty"], output=" "), outcome("z", target="French")]
    write_texts(tmp_path, "owner/data", "translation", 10, hard, ends)
    write_texts(tmp_path, "owner/data", "translation", 9, ["A"], [outcome("B", ["identical"], [])])
    write_texts(tmp_path, "owner/data", "paraphrasing", 9, ["A"], [outcome("B")])
    write_texts(tmp_path, "Any", "translation", 9, ["A"], [outcome("B")])
    write_texts(tmp_path, "none", "translation", 9, [], [])
    return tmp_path


def test_texts_come_with_where_they_are_from(run):
    table = read_texts(run)
    assert list(table.columns) == COLUMNS
    assert set(table["generator"]) == {"owner/name <b>"}
    cells = table[["dataset", "transformation", "seed", "ordinal"]].to_records(index=False).tolist()
    assert cells == [
        ("Any", "translation", 9, 0),
        ("owner/data", "paraphrasing", 9, 0),
        ("owner/data", "translation", 9, 0),
        ("owner/data", "translation", 10, 0),
        ("owner/data", "translation", 10, 1),
        ("owner/data", "translation", 10, 2),
    ]
    assert list(table["original"][3:]) == ["A\x00b", "lone \ud800", "\x1a0041"]
    assert list(table["text"][3:]) == ["x\x00", None, "z"]
    assert list(table["output"][3:]) == ["x\x00", " ", "z"]
    assert list(table["target"][3:]) == [None, None, "French"]
    assert table["errors"][2] == ("identical",)
    assert table["first_errors"][2] == ()
    assert table["errors"][4] == ("empty",)


def test_a_run_without_generator_is_called_after_its_folder(run):
    write_settings(run, None, identifier=None)
    assert set(read_texts(run)["generator"]) == {run.name}
    assert not read_texts(run)["identified"].any()
    (run / "settings.json").unlink()
    assert set(read_texts(run)["generator"]) == {run.name}
    assert read_texts(str(run))["identified"].all()


def test_what_is_no_run_is_named(tmp_path, run):
    with pytest.raises(FormatError, match="holds no folder texts"):
        read_texts(tmp_path / "elsewhere")
    (run / "settings.json").write_text('{"config": {}}')
    with pytest.raises(FormatError, match=r"settings\.json does not say which generator"):
        read_texts(run)
    (run / "settings.json").write_text("{")
    with pytest.raises(FormatError, match=r"settings\.json does not say"):
        read_texts(run)


def test_files_that_no_run_wrote_are_named(run):
    cell = run / "texts" / "Any" / "translation"
    pd.DataFrame({"original": ["A"]}).to_parquet(cell / "11.parquet")
    with pytest.raises(FormatError, match=r"11\.parquet lacks the columns ordinal, text"):
        read_texts(run)
    (cell / "11.parquet").write_bytes(b"PAR1 cut off")
    with pytest.raises(FormatError, match=r"11\.parquet cannot be read .*transform the texts"):
        read_texts(run)
    (cell / "11.parquet").rename(cell / "copy.parquet")
    with pytest.raises(FormatError, match=r"copy\.parquet is not named after its seed"):
        read_texts(run)
    (cell / "copy.parquet").unlink()
    cell.rename(cell.with_name("paraphrase"))
    with pytest.raises(UnknownLabelError, match="did you mean 'paraphrasing'"):
        read_texts(run)


def test_a_run_without_texts_is_no_empty_table(tmp_path):
    (tmp_path / "texts").mkdir()
    with pytest.raises(EmptyMatrixError, match="holds no transformed texts"):
        read_texts(tmp_path)
