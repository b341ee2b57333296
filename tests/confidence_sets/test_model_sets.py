"""Sets of best models, against plain loops and the numbers of the `arch` package."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.confidence_sets.best import best_p_values
from robustrank.confidence_sets.draws import flip_signs
from tests.conftest import frame, note_codes, random_scores

PROCEDURES = ["mcb", "mcs-max", "mcs-range"]


def studentised(gaps: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Observed statistics of differences, and those under all signs."""
    size = np.sqrt((gaps**2).sum(axis=1))
    return gaps.sum(axis=1) / size, signs @ gaps.T / size


def naive(values: np.ndarray, procedure: str) -> np.ndarray:
    """The p-values by their definition: sets of models, one after the other."""
    m, n = values.shape
    signs = np.array(list(product((1.0, -1.0), repeat=n)))
    p = np.ones(m)
    if procedure == "mcb":
        for j in range(m):
            observed, drawn = studentised(np.delete(values, j, axis=0) - values[j], signs)
            p[j] = (np.maximum(drawn.max(axis=1), 0) >= max(observed.max(), 0) - 1e-8).mean()
        return p
    left, worst = list(range(m)), 0.0
    while len(left) > 1:
        kept = values[left]
        if procedure == "mcs-max":
            observed, drawn = studentised(kept.mean(axis=0) - kept, signs)
        else:
            ahead = [(j, i) for i in range(len(left)) for j in range(len(left)) if i != j]
            gaps = np.array([kept[j] - kept[i] for j, i in ahead])
            of_pairs, drawn = studentised(gaps, signs)
            behind = np.array([i for _, i in ahead])
            observed = np.array([of_pairs[behind == i].max() for i in range(len(left))])
        worst = max(worst, (drawn.max(axis=1) >= observed.max() - 1e-8).mean())
        p[left.pop(int(observed.argmax()))] = worst
    return p


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("seed", range(4))
def test_p_values_are_those_of_the_definition(procedure, seed):
    board = random_scores(6, 8, seed=seed, noise=0.2)
    found = rr.model_confidence_set(board, procedure=procedure)
    expected = naive(board.to_numpy(), procedure)
    np.testing.assert_allclose(found.table["p_value"].reindex(board.index), expected)
    assert found.members == tuple(found.table.index[found.table["p_value"] > 0.05])


@pytest.mark.parametrize(
    ("procedure", "expected"),
    [
        ("mcs-max", [0.7432, 1.0, 0.9728, 0.0018, 0.0, 0.0]),
        ("mcs-range", [0.8422, 1.0, 0.9728, 0.0181, 0.0, 0.0]),
    ],
)
@pytest.mark.parametrize("test", ["sign-flip", "bootstrap-t"])
def test_with_many_datasets_the_numbers_are_those_of_arch(procedure, expected, test):
    """From arch 8.0.0, MCS(-scores.T, 0.05, reps=20_000, block_size=1, bootstrap="circular").

    It resamples where this flips signs, which makes no difference with 400 datasets.
    """
    rng = np.random.default_rng(7)
    level = np.array([0.60, 0.597, 0.594, 0.588, 0.58, 0.55])[:, None]
    scores = np.round(level + rng.normal(0, 0.1, 400) + rng.normal(0, 0.05, (6, 400)), 4)
    found = rr.model_confidence_set(scores, procedure=procedure, test=test, n_resamples=5_000)
    p = found.table["p_value"].sort_index()
    np.testing.assert_allclose(p, expected, atol=0.02)


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_a_planted_group_of_best_models(procedure):
    rng = np.random.default_rng(3)
    level = np.repeat([0.8, 0.5], [3, 5])[:, None]
    board = frame(level + rng.normal(0, 0.05, 20) + rng.normal(0, 0.04, (8, 20)))
    found = rr.model_confidence_set(board, procedure=procedure)
    assert set(found.members) == {"m0", "m1", "m2"}
    assert "the best of 8 models is one of 3" in found.headline
    one = rr.model_confidence_set(board.drop(index=["m1", "m2"]), procedure=procedure)
    assert one.headline == "With 95% confidence, m0 is the best of 6 models."


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("test", ["sign-flip", "bootstrap-t"])
def test_identical_models_share_their_fate(procedure, test):
    base = random_scores(2, 14, noise=0.05).to_numpy()
    alike = frame(np.repeat(base[:1], 3, axis=0))
    found = rr.model_confidence_set(alike, procedure=procedure, test=test)
    assert found.table["p_value"].tolist() == [1.0, 1.0, 1.0]
    assert "no model can be ruled out" in found.headline
    assert found.headline.endswith("m0, m1, m2 lead.")
    low = frame([base[0], base[1], base[0] - 0.3, base[0] - 0.3])
    found = rr.model_confidence_set(low, procedure=procedure, test=test)
    assert not {"m2", "m3"} & set(found.members)
    assert found.table.loc["m2", "p_value"] == found.table.loc["m3", "p_value"]


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_order_and_unit_have_no_say(procedure):
    board = random_scores(9, 16, noise=0.15)
    found = rr.model_confidence_set(board, procedure=procedure, n_resamples=400)
    again = rr.model_confidence_set(
        board.iloc[::-1, ::-1] * 100.0, procedure=procedure, n_resamples=400
    )
    pd.testing.assert_series_equal(found.table["p_value"], again.table["p_value"])


def test_the_set_lies_within_the_models_that_may_be_first():
    board = random_scores(14, 18, noise=0.15)
    best = rr.model_confidence_set(board).members
    assert set(best) <= set(rr.rank_confidence_sets(board, stepwise=False).best(1))


def test_few_datasets_rule_nothing_out():
    found = rr.model_confidence_set(random_scores(3, 4, noise=0.01))
    assert len(found.members) == 3
    assert "no-separation-possible" in note_codes(found)
    near = np.array([0.9, 0.88, 0.86, 0.1])[:, None]
    board = near + np.random.default_rng(0).normal(0.0, 0.02, (4, 5))
    for procedure in PROCEDURES:  # one-sided, 1 / 2⁵ is below 0.05; a range is two-sided
        five = rr.model_confidence_set(board, procedure=procedure)
        assert (len(five.members) < 4) == (procedure != "mcs-range")
        assert ("no-separation-possible" in note_codes(five)) == (procedure == "mcs-range")
    two = rr.model_confidence_set(random_scores(2, 5, noise=0.001), procedure="mcs-max")
    assert "no-separation-possible" in note_codes(two)


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_the_best_of_two_equal_models_stays(procedure):
    """The best model is lost on at most one of twenty boards (200 boards)."""
    rng = np.random.default_rng(8)
    level = np.array([0.6, 0.6, 0.58, 0.5, 0.4])[:, None]
    lost = 0
    for _ in range(200):
        board = level + rng.normal(0, 0.1, 9) + rng.normal(0, 0.03, (5, 9))
        lost += bool(best_p_values(flip_signs(board, 512, rng), procedure)[0] <= 0.05)
    assert lost <= 21  # 10 expected at most; the bound is 3.6 standard deviations on


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alpha": 0.0}, "alpha must lie between 0 and 1"),
        ({"procedure": "mcs"}, "procedure must be one of 'mcb', 'mcs-max', 'mcs-range'"),
        ({"test": "z"}, "test must be"),
        ({"n_resamples": 1.5}, "n_resamples must be"),
        ({"seed": "a"}, "seed must be"),
    ],
)
def test_wrong_settings_are_named(given, message):
    with pytest.raises(rr.errors.ParameterError, match=message):
        rr.model_confidence_set(random_scores(3, 4), **given)


def test_the_result_as_text_values_and_files(tmp_path):
    board = random_scores(6, 12, noise=0.2).rename(index={"m0": "a$b$", "m1": "<i>\n"})
    found = rr.model_confidence_set(board)
    assert found.summary(top=2).count("\n") >= 4
    assert "4 models more" in found.summary(top=2)
    content = found.to_dict()
    assert content["table"][0]["in_set"] is True
    written = {path.name for path in found.save(tmp_path)}
    assert {"confidence_set.csv", "confidence_set.svg", "summary.txt"} <= written
