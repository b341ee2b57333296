from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.consistency import (
    coverage_weighted_consistency,
    cross_task_consistency,
    transfer_consistency,
)
from robustrank.errors import EmptyMatrixError, FormatError, ParameterError


def table(*rows: list[float]) -> pd.DataFrame:
    columns = pd.MultiIndex.from_product(
        [["all", "pick-1"], ["x", "y"]], names=["composition", "scheme"]
    )
    return pd.DataFrame(rows, index=list("abcdef")[: len(rows)], columns=columns, dtype=float)


def test_rank_weighted():
    ranks = table([1, 1, 1, 1], [2, 2, 3, 3], [11, 12, 10, 10.5])
    result = transfer_consistency(ranks)
    assert result["a"] == 1.0
    assert result["b"] == pytest.approx((0.9 + 0.9 + 0.8 + 0.8) / 4)
    assert result["c"] == pytest.approx((0 + 0 + 0.1 + 0.05) / 4)


def test_membership():
    ranks = table([1, 2, 3, 4], [5, 5, 5, 5])
    assert transfer_consistency(ranks, 3, kind="membership").tolist() == [0.75, 0.0]


def test_a_model_without_a_rank_has_no_consistency():
    ranks = table([1, 2, 3, 4], [np.nan] * 4)
    for kind in ("rank-weighted", "membership"):
        assert transfer_consistency(ranks, kind=kind).isna().tolist() == [False, True]


def test_cross_task_equation_3():
    first = table([1, 1, 1, 2], [2, 2, 2, 1], [3, 3, 3, 3])
    second = table([3, 1, 3, 3], [1, 2, 1, 1])
    result = cross_task_consistency({"sts": first, "retrieval": second}, top_k=1)
    # scheme x: a is first in both compositions of the first task and in none of the second.
    assert result.loc["a", "x"] == 1.0
    # scheme y: half the compositions of each task.
    assert result.loc["a", "y"] == 0.5 + 0.5
    assert result.loc["b", "x"] == 1.0
    # c takes part in the first task only.
    assert result.loc["c"].tolist() == [0.0, 0.0]


def test_two_tasks_with_identical_rankings_are_pointed_out():
    ranks = table([1, 1, 1, 2], [2, 2, 2, 1], [3, 3, 3, 3])
    with pytest.warns(UserWarning, match="'japanese' and 'italian' have identical results"):
        cross_task_consistency({"japanese": ranks, "italian": ranks.copy()})


def test_coverage_weighting_divides_by_all_tasks():
    one = pd.Series({"a": 1.0, "b": 0.5})
    two = pd.Series({"a": 0.2, "c": 0.4})
    result = coverage_weighted_consistency({"sts": one, "retrieval": two}, n_tasks=8)
    assert result.to_dict() == pytest.approx({"a": 0.15, "b": 0.0625, "c": 0.05})
    assert list(result.index) == ["a", "b", "c"]


def test_an_array_of_ranks_and_a_table_without_levels():
    assert transfer_consistency(np.array([[1, 1], [2, 3]])).tolist() == pytest.approx([1.0, 0.85])
    with pytest.raises(FormatError, match="'sts' need columns"):
        cross_task_consistency({"sts": pd.DataFrame({"x": [1, 2]})})


def test_bad_parameters():
    ranks = table([1, 1, 1, 1])
    with pytest.raises(ParameterError, match="top_k"):
        transfer_consistency(ranks, 0)
    with pytest.raises(ParameterError, match="kind"):
        transfer_consistency(ranks, kind="mean")
    with pytest.raises(EmptyMatrixError, match="at least one"):
        cross_task_consistency({})
    with pytest.raises(ParameterError, match="n_tasks is 1"):
        coverage_weighted_consistency({"a": pd.Series({"m": 1.0}), "b": pd.Series({"n": 1.0})}, 1)
