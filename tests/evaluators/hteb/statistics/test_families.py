"""Tables of families: sizes as people write them, and what each refusal says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    NonNumericError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.statistics.families import read_families

MODELS = ["a", "b", "c"]


def table(*sizes, models=MODELS, family="f"):
    return pd.DataFrame(
        {"model": models[: len(sizes)], "family": family, "n_parameters": list(sizes)}
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("4B", 4e9),
        ("0.6b", 6e8),
        ("22.7 M", 22.7e6),
        ("600,000,000", 6e8),
        ("1.5T", 1.5e12),
        ("8k", 8e3),
        (4_000_000_000, 4e9),
        (4e9, 4e9),
        ("4e9", 4e9),
        (np.int64(7), 7.0),
    ],
)
def test_sizes(written, expected):
    found, notes = read_families(table(written), ["a"])
    assert found["n_parameters"].item() == pytest.approx(expected)
    assert notes == []


@pytest.mark.parametrize("size", ["large", "", None, np.nan, 0, -4, "4X", "50%", np.inf, True])
def test_what_is_no_size(size):
    with pytest.raises(NonNumericError) as caught:
        read_families(table(1e9, size).astype({"n_parameters": object}), MODELS)
    assert "The n_parameters of 'b' is" in str(caught.value)
    assert "such as 600000000, 600M or 4B" in str(caught.value)
    assert caught.value.labels == ("b",)


def test_a_file(tmp_path):
    path = tmp_path / "families.csv"
    path.write_text("model,family,n_parameters\nb,F,4B\na,F,0.6B\n")
    found, notes = read_families(path, MODELS)
    assert list(found.index) == ["a", "b"]
    assert list(found["n_parameters"]) == [6e8, 4e9]
    (note,) = notes
    assert (note.code, note.labels) == ("models-without-family", ("c",))


def test_families_in_their_order_and_sizes_ascending():
    given = pd.DataFrame(
        {
            "model": ["z2", "a2", "z1", "a1"],
            "family": ["z", "a", "z", "a"],
            "n_parameters": [20, 4, 10, 2],
        }
    )
    found, _ = read_families(given, ["a1", "a2", "z1", "z2"])
    assert list(found.index) == ["z1", "z2", "a1", "a2"]


def test_models_without_scores_are_noted():
    found, notes = read_families(table(1, 2, 3), ["b"])
    assert list(found.index) == ["b"]
    assert [(note.code, note.labels) for note in notes] == [("models-without-scores", ("a", "c"))]


def test_none_has_scores():
    with pytest.raises(UnknownLabelError) as caught:
        read_families(table(1, 2), ["other/a"])
    assert "None of the models in the table of families has scores: a, b." in str(caught.value)
    assert "Write their names as in the scores: other/a." in str(caught.value)


def test_a_model_is_there_twice():
    with pytest.raises(DuplicateError, match="'a' is in the table of families twice; keep one"):
        read_families(table(1, 2, models=["a", "a"]), MODELS)


def test_a_column_is_missing():
    with pytest.raises(
        UnknownLabelError, match=r"no column 'n_parameters'.* needs the columns model"
    ):
        read_families(table(1).drop(columns="n_parameters"), MODELS)


def test_no_row():
    with pytest.raises(EmptyMatrixError, match="there is not one row"):
        read_families(table(1).iloc[:0], MODELS)
