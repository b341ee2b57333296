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


def test_differences_of_zero_show_nothing():
    """Twelve datasets of which three change give no p-value below that of three."""
    flat = np.r_[np.zeros(9), 0.1, 0.2, 0.3]
    table, notes = signed_ranks(pd.DataFrame({"a": flat, "b": 0.0}), 0.95, "dataset")
    assert list(table["p_unadjusted"]) == [2 / 2**3, 1.0]
    assert notes[0].code == "no-finding-possible"
    assert notes[0].message == (
        "12 datasets, of which at most 3 changed, cannot show that anything differs from 0: no "
        "p-value can fall below 0.5 after Holm over 2 rows."
    )
    _, notes = signed_ranks(pd.DataFrame({"b": np.zeros(12)}), 0.95, "dataset")
    assert "12 datasets, of which none changed, cannot" in notes[0].message
