from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import NonNumericError
from robustrank.matrix import ScoreMatrix
from robustrank.readers.cells import clean_name, parse_number, parse_numbers


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("[USER-bge-m3](https://huggingface.co/deepvk/USER-base)", "USER-bge-m3"),
        ("[voyage-3](https://blog.voyageai.com/2024/09/18/voyage-3/)", "voyage-3"),
        ("[a](https://en.wikipedia.org/wiki/A_(letter))", "a"),
        ('<a target="_blank" href="https://x.org/m">e5 (large)</a>', "e5 (large)"),
        ("intfloat/e5-base", "intfloat/e5-base"),
        ("model [v2]", "model [v2]"),
        ("  spaced ", "spaced"),
        ("NA", "NA"),
        ("None", "None"),
        ("nan", "nan"),
    ],
)
def test_names(written, name):
    assert clean_name(written) == name


@pytest.mark.parametrize(
    ("cell", "value", "percent"),
    [
        ("0.5", 0.5, False),
        (" 72% ", 72.0, True),
        ("72%", 72.0, True),
        ("0,723", 0.723, False),
        ("-1,5", -1.5, False),
        ("−0.25", -0.25, False),
        ("1,234.5", 1234.5, False),
        ("1.234,5", 1234.5, False),
        ("1e-3", 0.001, False),
        (".5", 0.5, False),
        ("85.", 85.0, False),
    ],
)
def test_numbers(cell, value, percent):
    assert parse_number(cell) == (value, percent)


@pytest.mark.parametrize(
    "cell",
    ["", " ", "-", "–", "—", "NA", "N/A", "⚠️ NA", "⚠ NA", "nan", "NaN", "None", "null", "#N/A"],
)
def test_marks_of_missing_scores(cell):
    value, percent = parse_number(cell)
    assert math.isnan(value)
    assert not percent


@pytest.mark.parametrize(
    "cell", ["pending", "0.5*", "1_000", "0x1F", "1.2.3", "1,2,3", "5 6", "e5"]
)
def test_not_numbers(cell):
    assert parse_number(cell) is None
    assert parse_numbers(pd.Series([cell, "1"], dtype="object")).bad.tolist() == [True, False]


def test_columns_of_any_kind():
    mixed = parse_numbers(
        pd.Series([1, 2.5, "3", "4%", None, np.nan, pd.NA, True, (1,)], dtype="object")
    )
    np.testing.assert_array_equal(mixed.numbers[:4], [1, 2.5, 3, 4])
    assert np.isnan(mixed.numbers[4:]).all()
    assert mixed.percent.tolist() == [False] * 3 + [True] + [False] * 5
    assert mixed.bad.tolist() == [False] * 7 + [True, True]
    assert parse_numbers(pd.Series([True, False])).bad.all()
    nullable = parse_numbers(pd.Series([1, None], dtype="Int64"))
    np.testing.assert_array_equal(nullable.numbers, [1, np.nan])
    category = parse_numbers(pd.Series(["1", "x", "1"], dtype="category"))
    assert category.bad.tolist() == [False, True, False]


def test_a_commit_hash_is_no_number_however_much_it_looks_like_one():
    commit = "7027e9594267928589816394bdd295273ddc0739"
    assert parse_numbers(pd.Series([commit, "0.5"])).bad.tolist() == [True, False]
    with pytest.raises(NonNumericError, match=commit):
        ScoreMatrix(pd.DataFrame({"X": [0.5, commit]}, index=["a", "b"], dtype="object"))
