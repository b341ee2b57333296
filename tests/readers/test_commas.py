from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from robustrank.errors import NonNumericError
from robustrank.readers import read


def table(first, second):
    return pd.DataFrame({"model": ["a", "b"], "X": first, "Y": second})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["1,234", "0.7"], ["5", "6"]),  # a point in the column
        (["1,234", "2,345"], ["0.5", "6"]),  # a point elsewhere
        (["1,234", "2,345"], [0.5, 0.6]),
        (["1,234", "1,234.5"], ["5", "6"]),
        (["1,234", "987"], ["5", "6"]),  # a number that is no score
        (["1,234", "5,678"], ["987", "6"]),
        (["1,234%", "5"], ["0.5", "6"]),
    ],
)
def test_thousands_or_decimals(first, second):
    with pytest.raises(NonNumericError) as error:
        read(table(first, second))
    for part in ("1,234", "row 1 (model 'a')", "column 'X'", "1234 or 1.234", "Write the one"):
        assert part in str(error.value)
    assert error.value.labels == ("a", "X")


def test_thousands_or_decimals_in_a_long_table(file):
    with pytest.raises(NonNumericError, match=r"'a' on 'X' in row 1 .*1234 or 1\.234"):
        read(file('model,task,score\na,X,"1,234"\nb,X,0.5\n'))


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        (["1,234", "0,5"], ["0.5", "0.6"], 1.234),  # its own column says decimals
        (["1,234", "2,345"], ["12,5", "987"], 1.234),  # the file does
        (["72,123", "65,456"], ["80", "7"], 72.123),  # nothing speaks against it
        (["0,123", "0,456"], ["12.5", "7"], 0.123),
        (["1.234,5", "2,345"], ["5", "987"], 1234.5),
    ],
)
def test_decimals(first, second, value):
    assert read(table(first, second), scale="unit").scores.loc["a", "X"] == value


def test_commas_in_metadata_decide_nothing():
    frame = table(["72,123", "65,456"], ["80", "7"]).assign(**{"Max Tokens": ["32,768", "512.0"]})
    assert read(frame).models["max_tokens"].tolist() == [32768, 512]


@pytest.mark.parametrize("kind", [Decimal, Fraction])
def test_exact_numbers(kind):
    cells = [kind("0.5"), None]
    assert read(table(cells, [kind("0.25"), 0.5])).scores.loc["a"].tolist() == [0.5, 0.25]
    alone = read(pd.DataFrame({"X": [kind("0.5"), kind("0.25")]}))
    assert list(alone.scores.index) == ["0", "1"]


def test_decimals_of_parquet(tmp_path):
    column = pa.array([Decimal("0.50"), Decimal("0.25")], pa.decimal128(5, 2))
    parquet.write_table(pa.table({"model": ["a", "b"], "X": column}), tmp_path / "scores")
    assert read(tmp_path / "scores").scores["X"].tolist() == [0.5, 0.25]


@pytest.mark.parametrize("cell", [10**400, 10**5000], ids=["float", "text"])
def test_numbers_beyond_floats(cell):
    with pytest.raises(NonNumericError, match="'a' on 'X' is infinite"):
        read(table(pd.Series([cell, 1], dtype="object"), [1, 2]))


def test_a_signalling_nan():
    with pytest.raises(NonNumericError, match="sNaN"):
        read(table([Decimal("sNaN"), Decimal("0.5")], [1, 2]))


@pytest.mark.parametrize("text", ["model,X\na,0.9%\nb,0.5%\n", "model,task,score\na,X,0.9%\n"])
def test_small_percentages_are_percentages(file, notes, text):
    matrix = read(file(text))
    assert matrix.scores.loc["a", "X"] == pytest.approx(0.009)
    assert "to be on 0..1" in notes(matrix, "percent-cells").message
