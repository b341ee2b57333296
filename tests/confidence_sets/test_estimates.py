"""Rank sets of published estimates, against the published example and the studentised range."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, studentized_range

import robustrank as rr
from tests.conftest import note_codes


@pytest.fixture(scope="module")
def pisa() -> pd.DataFrame:
    """PISA 2018, mathematics: score and error of 37 OECD countries (OECD; R package csranks)."""
    return pd.read_csv(Path(__file__).parent / "pisa2018.csv", index_col="country")


def test_pisa_may_be_among_the_five_best(pisa):
    """As the vignette of the R package csranks prints, at 95% and at 90%."""
    expected = {
        *("Belgium", "Canada", "Denmark", "Estonia", "Finland", "Japan", "Korea"),
        *("Netherlands", "Poland", "Slovenia", "Sweden", "Switzerland"),
    }
    found = rr.rank_sets_from_estimates(pisa["score"], pisa["error"])
    assert set(found.best(5)) == expected
    ninety = rr.rank_sets_from_estimates(pisa["score"], pisa["error"], confidence_level=0.9)
    assert set(ninety.best(5)) == expected - {"Sweden"}


def test_pisa_ranks(pisa):
    """The vignette: United Kingdom 8 to 23, marginal; Chile, Mexico and Colombia apart."""
    alone = rr.rank_sets_from_estimates(
        pisa["score"], pisa["error"], models="United Kingdom", simultaneous=False
    )
    assert alone.table.loc["United Kingdom", ["rank", "rank_low", "rank_high"]].tolist() == [
        *(13, 8, 23)
    ]
    found = rr.rank_sets_from_estimates(pisa["score"], pisa["error"]).table
    last = found.loc[["Chile", "Mexico", "Colombia"]]
    assert last["rank_low"].min() > found.drop(index=last.index)["rank_high"].max()
    # At 95% Germany and Korea share rank 7; at 75% their sets are apart.
    assert found.loc["Korea", "rank_high"] == found.loc["Germany", "rank_low"] == 7
    looser = rr.rank_sets_from_estimates(pisa["score"], pisa["error"], confidence_level=0.75).table
    assert looser.loc["Korea", "rank_high"] < looser.loc["Germany", "rank_low"]


def test_single_step_p_values_are_those_of_the_studentised_range():
    estimates = np.array([0.0, 1.0, 2.5, 3.2, 4.0])
    found = rr.rank_sets_from_estimates(
        estimates, np.full(5, 0.8), stepwise=False, n_resamples=40_000
    )
    for i in range(5):
        for j in range(i):
            gap = abs(estimates[i] - estimates[j]) / 0.8
            expected = studentized_range.sf(gap, 5, np.inf)
            p = found.p_values.loc[f"m{i + 1}", f"m{j + 1}"]
            assert p == pytest.approx(expected, abs=0.01)


def test_one_pair_is_a_z_test_and_a_covariance_counts():
    two = rr.rank_sets_from_estimates([1.0, 0.0], [0.5, 0.6], n_resamples=40_000)
    expected = 2 * norm.sf(1.0 / np.hypot(0.5, 0.6))
    assert two.p_values.loc["m1", "m2"] == pytest.approx(expected, abs=0.01)
    covariance = np.array([[0.25, 0.2], [0.2, 0.36]])
    paired = rr.rank_sets_from_estimates([1.0, 0.0], covariance=covariance, n_resamples=40_000)
    expected = 2 * norm.sf(1.0 / np.sqrt(0.25 + 0.36 - 0.4))
    assert paired.p_values.loc["m1", "m2"] == pytest.approx(expected, abs=0.01)
    diagonal = rr.rank_sets_from_estimates([1.0, 0.0], covariance=np.diag([0.25, 0.36]))
    again = rr.rank_sets_from_estimates([1.0, 0.0], [0.5, 0.6])
    pd.testing.assert_frame_equal(diagonal.p_values, again.p_values)


def test_a_certain_difference_and_one_that_is_none():
    found = rr.rank_sets_from_estimates({"a": 2.0, "b": 1.0, "c": 1.0}, [0.0, 0.0, 0.0])
    assert found.table["rank_low"].to_dict() == {"a": 1, "b": 2, "c": 2}
    assert found.table["rank_high"].to_dict() == {"a": 1, "b": 3, "c": 3}
    shared = rr.rank_sets_from_estimates([2.0, 1.0], covariance=np.ones((2, 2)))
    assert shared.table["rank_high"].tolist() == [1, 2]


def test_names_are_matched_and_order_has_no_say(pisa):
    found = rr.rank_sets_from_estimates(pisa["score"], pisa["error"], n_resamples=500)
    mixed = pisa.sample(frac=1.0, random_state=1)
    again = rr.rank_sets_from_estimates(mixed["score"], pisa["error"], n_resamples=500)
    pd.testing.assert_frame_equal(found.table, again.table)
    covariance = pd.DataFrame(np.diag(pisa["error"] ** 2), index=pisa.index, columns=pisa.index)
    flipped = covariance.iloc[::-1, ::-1]
    whole = rr.rank_sets_from_estimates(pisa["score"], covariance=flipped, n_resamples=500)
    pd.testing.assert_frame_equal(found.table, whole.table)
    assert whole.settings["independent"] is False


def test_what_is_unknown_is_left_out_with_a_note():
    found = rr.rank_sets_from_estimates(
        {"a": 1.0, "b": float("nan"), "c": 0.0, "d": 3.0}, [0.1, 0.1, 0.1, float("nan")]
    )
    assert list(found.table.index) == ["a", "c"]
    assert found.notes[0].labels == ("b", "d")
    assert note_codes(found) == ["dropped-models"]


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        (([1.0, 2.0],), {}, "either standard_errors or covariance"),
        (([1.0, 2.0], [1.0, 1.0]), {"covariance": np.eye(2)}, "either standard_errors"),
        (([1.0, 2.0], [1.0]), {}, "one per estimate"),
        (([1.0, 2.0], [1.0, -1.0]), {}, "negative: m2"),
        (({"a": 1.0, "b": 2.0}, {"a": 1.0}), {}, "Not in standard_errors: b"),
        ((["x", 2.0], [1.0, 1.0]), {}, "estimates must be numbers"),
        (([[1.0, 2.0]], [1.0, 1.0]), {}, "estimates must be a row"),
        (([1.0, float("nan")], [1.0, 1.0]), {}, "a ranking needs two"),
        (([1.0, 2.0],), {"covariance": np.eye(3)}, "a row and a column per estimate"),
        (([1.0, 2.0],), {"covariance": [[1.0, 0.5], [0.2, 1.0]]}, "symmetric"),
        (([1.0, 2.0],), {"covariance": [[1.0, 2.0], [2.0, 1.0]]}, "negative variance"),
        (([1.0, 2.0], [1.0, 1.0]), {"confidence_level": 95}, "confidence_level"),
        ((pd.Series([1.0, 2.0], index=["a", "a"]), [1.0, 1.0]), {}, "more than once: a"),
    ],
)
def test_wrong_input_is_named(arguments, settings, message):
    with pytest.raises(rr.errors.InputError, match=message):
        rr.rank_sets_from_estimates(*arguments, **settings)
