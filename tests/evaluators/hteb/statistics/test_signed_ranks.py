from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.evaluators.hteb.statistics.signed_ranks import signed_ranks

FULL = np.linspace(0.1, 0.9, 9)


def test_columns_are_tested_and_adjusted_together():
    table, notes = signed_ranks(pd.DataFrame({"a": FULL, "b": FULL - 0.5}), 0.95, "dataset")
    assert list(table.columns) == ["estimate", "low", "high", "p_value", "p_unadjusted", "n"]
    assert table.loc["a", "p_unadjusted"] == rr.signed_rank_test(FULL).p_value == 2 / 2**9
    assert list(table["p_value"]) == pytest.approx([4 / 2**9, 1.0])
    assert notes == []


def test_what_cannot_be_shown_is_judged_by_the_longest_column_and_intervals_by_each():
    few = np.where(FULL < 0.45, FULL, np.nan)  # four of nine
    table, notes = signed_ranks(pd.DataFrame({"a": FULL, "b": few}), 0.95, "dataset")
    assert list(table["n"]) == [9, 4]
    assert [note.code for note in notes] == ["no-interval"]
    assert notes[0].labels == ("b",)
    _, notes = signed_ranks(pd.DataFrame({"b": few, "c": few}), 0.95, "dataset")
    assert notes[0].message == (
        "4 datasets cannot show that anything differs from 0: no p-value can fall below 0.25 after "
        "Holm over 2 rows."
    )


def test_an_empty_column_is_nan():
    table, _ = signed_ranks(pd.DataFrame({"a": FULL, "b": np.nan}), 0.95, "dataset")
    assert table.loc["b"].drop("n").isna().all()
    assert table.loc["a", "p_value"] == 2 / 2**9  # no comparison, no adjustment
