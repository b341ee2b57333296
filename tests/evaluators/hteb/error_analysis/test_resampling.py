"""Differences and selections, against all resamples of few texts."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.error_analysis import error_rates
from tests.evaluators.hteb.error_analysis.test_rates import codes, stored

WRONG = ("empty",)


def flags(*rows: str) -> pd.DataFrame:
    """Generators A, B, …; a text for each character, which has an error at ``x``."""
    texts = {
        name: [WRONG if mark == "x" else () for mark in row]
        for name, row in zip("ABCDEFG", rows, strict=False)
    }
    return stored(texts)


def every_resample(*rows: str) -> np.ndarray:
    """Totals of the generators in all n to the n equally likely resamples."""
    wrong = np.array([[mark == "x" for mark in row] for row in rows], dtype=float)
    n = wrong.shape[1]
    return np.array([wrong[:, drawn].mean(axis=1) for drawn in product(range(n), repeat=n)]).T


def test_draws_have_the_distribution_of_all_resamples():
    rows = ("x....", ".xx..", "xx..x")
    found = error_rates(flags(*rows), n_resamples=40_000)
    exact = every_resample(*rows)
    assert list(found.rates.index) == list("ABC")
    for name, own in zip("ABC", exact, strict=True):
        drawn = found.draws.loc[name]
        for share in np.arange(6) / 5:
            assert (drawn <= share + 1e-9).mean() == pytest.approx(
                (own <= share + 1e-9).mean(), abs=0.012
            )
    lower = (exact[0] < exact[1]).mean() + 0.5 * (exact[0] == exact[1]).mean()
    assert found.totals.loc["A", "probability"] == pytest.approx(lower, abs=0.012)
    gaps = found.draws.loc["C"] - found.draws.loc["B"]
    assert gaps.var() == pytest.approx((exact[2] - exact[1]).var(), rel=0.04)
    # Membership: ties share the places left.
    member = np.mean([_lowest_two(column) for column in exact.T], axis=0)
    np.testing.assert_allclose(found.best(2).among, member, atol=0.012)


def _lowest_two(totals: np.ndarray) -> list[float]:
    """Return the chance of each to be among the lowest two if ties are broken at random."""
    chances = []
    for own in totals:
        lower, level = (totals < own - 1e-9).sum(), (abs(totals - own) < 1e-9).sum()
        chances.append(min(max((2 - lower) / level, 0.0), 1.0))
    return chances


def test_errors_that_all_share_do_not_blur_a_difference():
    shared, apart = "xxxxx.........x.....", "xxxxx........xxxx..xx"
    table = flags(shared, apart[:20])
    found = error_rates(table)
    alone = found.totals["high"] - found.totals["low"]
    both = found.totals.loc["A"]
    assert both["difference_high"] - both["difference_low"] < alone.min()


def test_a_second_run_with_the_same_outputs_adds_no_certainty():
    table = flags("x..x.xx...", ".x......x.")
    once = error_rates(table)
    twice = error_rates(pd.concat([table, table]))
    pd.testing.assert_frame_equal(once.draws, twice.draws)
    pd.testing.assert_frame_equal(
        once.totals.drop(columns="n_outputs"), twice.totals.drop(columns="n_outputs")
    )


def test_neither_order_nor_names_change_a_number():
    table = flags("x..x.xx...", ".x......x.", "xx........")
    found = error_rates(table)
    shuffled = error_rates(table.sample(frac=1, random_state=1))
    pd.testing.assert_frame_equal(found.totals.sort_index(), shuffled.totals.sort_index())
    renamed = error_rates(table.replace({"generator": {"A": "Z", "B": "Y", "C": "X"}}))
    np.testing.assert_array_equal(found.totals.to_numpy(), renamed.totals.to_numpy())
    np.testing.assert_array_equal(found.draws.to_numpy(), renamed.draws.to_numpy())


def test_a_selection_says_whether_the_next_is_worse():
    close = error_rates(flags("." * 40, "x" + "." * 39, "xx" + "." * 38))
    chosen = close.best(2)
    assert chosen.generators == ["A", "B"]
    assert chosen.runner_up == "C"
    assert chosen.difference == pytest.approx(1 / 40)
    assert not chosen.is_certain
    assert "B may not be better than the next, C: 2.5 points" in str(chosen)
    assert "Also among so many: C (" in str(chosen)
    clear = error_rates(flags("." * 40, "x" * 30 + "." * 10))
    assert clear.best(1).is_certain
    assert "A is better than the next, B" in clear.summary()
    assert clear.best(1).among.tolist() == [1.0, 0.0]


def test_a_selection_of_all_has_no_next():
    found = error_rates(flags("..", "x."))
    chosen = found.best(2)
    assert chosen.runner_up is None
    assert np.isnan(chosen.probability)
    assert str(chosen) == "Fewest errors: A, B."
    assert chosen.among.tolist() == [1.0, 1.0]
    with pytest.raises(ParameterError, match="2 generators, of which 3 cannot be chosen"):
        found.best(3)
    with pytest.raises(ParameterError, match="n must be a whole number of at least 1"):
        found.best(0)


def test_one_text_tells_nothing_and_says_so():
    found = error_rates(flags("x", "."))
    assert codes(found) == ["one-text"]
    assert found.totals[["low", "high", "probability"]].isna().all(axis=None)
    assert "B, A" in str(found.best(2))
    assert "Fewest errors: B." in found.summary()


def test_a_generator_with_few_texts_of_its_own_is_compared_all_the_same():
    many, few = stored({"A": [WRONG, ()] * 10}), stored({"B": [()] * 2})
    few["original"] = ["other 1", "other 2"]
    found = error_rates(pd.concat([many, few]))
    assert codes(found) == ["different-texts"]
    # Some resamples hold none of the two texts, and say nothing.
    assert 0 < found.draws.loc["B"].isna().mean() < 0.3
    assert found.totals["n_texts"].to_dict() == {"B": 2, "A": 20}
    assert found.totals.loc["B", "probability"] == pytest.approx(1.0, abs=0.01)
