from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from scipy.stats import kendalltau

import robustrank as rr
from robustrank.errors import InputError, ParameterError
from robustrank.short_suites import short_suite
from tests.conftest import note_codes, random_scores

QUICK = {"repeats": 1, "n_random": 20}
BOARD = random_scores(20, 8, noise=0.15)
LATER = random_scores(26, 8, seed=5, noise=0.15)  # m0 to m19 are on both


@cache
def suite():
    return short_suite(BOARD, tau=0.8, **QUICK)


def test_tau_there_is_that_of_the_same_datasets():
    found = suite().evaluate(LATER)
    full, part = LATER.mean(axis=1), LATER[list(suite().datasets)].mean(axis=1)
    assert found.tau == pytest.approx(kendalltau(full, part).statistic)
    new = [f"m{i}" for i in range(20, 26)]
    assert found.tau_new == pytest.approx(kendalltau(full[new], part[new]).statistic)
    assert (found.n_models, found.n_new) == (26, 6)
    assert list(found.ranks.index[found.ranks["new"]]) == list(full[new].sort_values()[::-1].index)
    assert found.random_low <= found.random <= found.random_high
    assert "among the 6 new." in found.headline
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.summary().startswith("On the other board the suite")


def test_on_its_own_board_it_is_the_tau_in_sample_and_nothing_is_new():
    one = suite()
    found = one.evaluate(BOARD)
    assert found.tau == pytest.approx(one.curve.loc[one.size, "tau"])
    assert np.isnan(found.tau_new)
    assert "the 0 new" not in found.headline


def test_arrangement_changes_no_number():
    one, other = (suite().evaluate(board) for board in (LATER, LATER.iloc[::-1, ::-1]))
    assert (one.tau, one.tau_new, one.random, one.random_low) == (
        other.tau,
        other.tau_new,
        other.random,
        other.random_low,
    )


def test_datasets_that_the_board_lacks_are_named():
    gone = suite().datasets[0]
    found = suite().evaluate(LATER.drop(columns=gone))
    assert note_codes(found) == ["missing-datasets"]
    assert found.notes[0].labels == (gone,)
    with pytest.raises(InputError, match="no dataset of the suite"):
        suite().evaluate(LATER.drop(columns=list(suite().datasets)))


def test_a_board_that_ties_has_no_tau():
    flat = suite().evaluate(LATER * 0.0)
    assert np.isnan(flat.tau)
    assert "has no τ" in flat.headline


def test_a_board_of_the_suite_alone_says_nothing_new():
    found = suite().evaluate(LATER[list(suite().datasets)])
    assert (found.tau, note_codes(found)) == (1.0, ["no-other-datasets"])


def test_everything_is_saved(tmp_path):
    names = sorted(path.name for path in suite().evaluate(LATER).save(tmp_path))
    assert names == ["ranks.csv", "results.json", "summary.txt"]


def test_without_a_suite_there_is_nothing_to_try():
    none = short_suite(BOARD, tau=1.0, max_size=1, **QUICK)
    with pytest.raises(ParameterError, match="Lower tau"):
        none.evaluate(LATER)


def test_real_snapshots_share_their_datasets(shared):
    boards = [
        rr.read(shared / "data" / f"board_multilingual_v2_per_task{name}.csv", tasks=tasks).select(
            task_type="STS"
        )
        for name, tasks in (
            ("_dec2025", shared / "data" / "tasks_multilingual_v2_dec2025.csv"),
            ("", shared / "data" / "tasks_multilingual_v2_aug2026.csv"),
        )
    ]
    found = short_suite(boards[0], tau=0.9, **QUICK).evaluate(boards[1])
    assert found.n_new > 0
    assert found.tau > 0.8
