from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from robustrank import figures
from robustrank.errors import EmptyMatrixError, InputError, ParameterError
from robustrank.presenting import level, p_value, records, save, to_text

TABLE = pd.DataFrame(
    {"drop": [-1.25, 3.0, np.nan], "n": [1200, 3, 4], "axis": ["Length", None, "Language"]},
    index=pd.Index(["a", "b\nc", "long name"], name="model"),
)


def test_text_aligns_numbers_to_the_right_and_text_to_the_left():
    assert to_text(TABLE, {"drop": 2}, signed=["drop"]) == (
        "model       drop      n  axis\n"
        "a          -1.25  1,200  Length\n"
        "b c        +3.00      3  –\n"
        "long name      –      4  Language"
    )


def test_text_has_a_column_per_level_of_the_index_and_joins_those_of_columns():
    table = pd.DataFrame(
        [[1.0, True]],
        index=pd.MultiIndex.from_tuples([("m", 2)], names=["model", None]),
        columns=pd.MultiIndex.from_tuples([("Length", "expansion"), ("x", "y")]),
    )
    assert (
        to_text(table, 0)
        == "model     Length · expansion  x · y\nm      2                   1    yes"
    )


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (-0.04, "0.0"),
        (np.int64(3), "3"),
        (np.float32(0.25), "0.2"),
        (1234.5, "1,234.5"),
        (pd.NA, "–"),
        (None, "–"),
        (np.inf, "inf"),
        (np.bool_(False), "no"),
        ("\x1b[31mred", " [31mred"),
    ],
)
def test_text_of_a_cell(value, written):
    table = pd.DataFrame({"x": pd.Series([value], index=["r"], dtype=object)})
    assert to_text(table).splitlines()[1].removeprefix("r  ") == written


def test_a_table_without_rows_has_its_headings():
    assert to_text(TABLE.iloc[:0]) == "model  drop  n  axis"


def test_records_hold_the_index_and_no_nan():
    assert records(TABLE.iloc[[2]]) == [
        {"model": "long name", "drop": None, "n": 4, "axis": "Language"}
    ]


def draw():
    return figures.intervals(pd.DataFrame({"estimate": [1.0], "low": [0.0], "high": [2.0]}))


def refuse():
    raise EmptyMatrixError("There is nothing to draw.")


def test_files_are_written_and_a_figure_that_cannot_be_is_named(tmp_path):
    given = {
        "text": "what was found",
        "content": {"p": np.float64(0.5), "none": np.nan},
        "tables": {"drops": TABLE},
    }
    save(tmp_path / "out", **given, plots={"fine": draw, "other": draw})
    paths = save(tmp_path / "out", **given, plots={"fine": draw, "other": refuse})
    names = ["summary.txt", "results.json", "drops.csv", "figures/fine.svg"]
    assert paths == [tmp_path / "out" / name for name in names]
    assert all(path.is_file() for path in paths)
    assert not (tmp_path / "out/figures/other.svg").exists()
    assert json.loads(paths[1].read_text("utf-8")) == {
        "p": 0.5,
        "none": None,
        "figures_left_out": {"other": "There is nothing to draw."},
    }
    read = pd.read_csv(paths[2], index_col="model")
    assert list(read["n"]) == [1200, 3, 4]
    bytes_before = [path.read_bytes() for path in paths]
    save(tmp_path / "out", **given, plots={"fine": draw, "other": refuse})
    assert [path.read_bytes() for path in paths] == bytes_before


def test_a_folder_is_a_path():
    with pytest.raises(ParameterError, match=r"folder must be the path of a folder; got None\."):
        save(None, text="", content={}, tables={}, plots={})


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    place = tmp_path / "taken"
    place.write_text("")
    with pytest.raises(InputError, match=r"taken is a file. Name a folder"):
        save(place, text="", content={}, tables={}, plots={})


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.0, "< 0.001"), (0.0009, "< 0.001"), (0.001, "0.001"), (0.0496, "0.050"), (np.nan, "–")],
)
def test_no_p_value_is_written_as_0(value, written):
    assert p_value(value) == written
    table = pd.DataFrame({"p_value": [value], "n": [3]}, index=pd.Index(["r"], name="part"))
    assert to_text(table).splitlines()[1].split() == ["r", *written.split(), "3"]


@pytest.mark.parametrize(
    ("share", "written"),
    [(0.95, "95%"), (0.975, "97.5%"), (0.9999999, "99.99999%"), (0.57, "57%")],
)
def test_a_level_keeps_its_digits(share, written):
    assert level(share) == written


def test_a_table_that_this_result_lacks_is_removed(tmp_path):
    given = {"text": "", "content": {}, "plots": {}}
    save(tmp_path, **given, tables={"drops": TABLE, "slopes": TABLE})
    paths = save(tmp_path, **given, tables={"drops": TABLE, "slopes": None})
    assert [path.name for path in paths] == ["summary.txt", "results.json", "drops.csv"]
    assert not (tmp_path / "slopes.csv").exists()
