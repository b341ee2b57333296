from __future__ import annotations

import re
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kruskal

import robustrank as rr
from robustrank.comparison import cohort_rank_shift, compare
from robustrank.comparison.cohorts import _jonckheere, _kruskal
from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    ParameterError,
    UnknownLabelError,
)
from tests.conftest import frame, note_codes


def exposed(gains: dict[str, float], each: int = 12, seed: int = 0):
    """Boards A and B of models whose scores on B grow by their cohort's gain, and the cohorts."""
    rng = np.random.default_rng(seed)
    names = [cohort for cohort in gains for _ in range(each)]
    ability = rng.uniform(0.3, 0.6, len(names))
    a = frame(ability[:, None] + rng.normal(0, 0.01, (len(names), 4)))
    lift = np.array([gains[name] for name in names])
    b = frame((ability + lift)[:, None] + rng.normal(0, 0.01, (len(names), 3))).add_prefix("b")
    return compare(a, b, n_resamples=10), pd.Series(names, index=a.index)


GAINS = {"neither": 0.0, "English": 0.04, "translated": 0.1}


def test_means_are_those_of_the_rank_gains():
    """The definition of Appendix 18: ranks gained on the suspect board, averaged by cohort."""
    comparison, cohorts = exposed(GAINS)
    found = cohort_rank_shift(comparison, cohorts, n_resamples=100)
    gained = comparison.table["rank_a"] - comparison.table["rank_b"]
    expected = gained.groupby(cohorts.reindex(gained.index)).mean()
    assert list(found.table.index) == ["translated", "English", "neither"]
    np.testing.assert_allclose(found.table["shift"], expected[found.table.index])
    assert found.table["n"].tolist() == [12] * 3
    # Ranks are relative: over all models the shifts cancel.
    assert (found.table["shift"] * found.table["n"]).sum() == pytest.approx(0)
    pd.testing.assert_series_equal(
        found.shifts["shift"].sort_index(), gained.sort_index(), check_names=False
    )


def test_a_worked_example():
    a = frame([[0.9], [0.8], [0.7], [0.6], [0.5]])
    b = frame([[0.5], [0.6], [0.9], [0.7], [0.8]]).add_prefix("b")
    cohorts = {"m0": "seen", "m1": "unseen", "m2": "seen", "m3": "unseen", "m4": "seen"}
    found = cohort_rank_shift(compare(a, b, n_resamples=5), cohorts, n_resamples=50)
    # Shifts by hand: m0 1 - 5, m1 2 - 4, m2 3 - 1, m3 4 - 3, m4 5 - 2.
    assert found.table.loc["seen", ["n", "shift", "median"]].tolist() == [
        3,
        pytest.approx(1 / 3),
        2,
    ]
    assert found.table.loc["unseen", ["n", "shift"]].tolist() == [2, -0.5]


def test_a_planted_exposure_is_found_and_none_is_not():
    comparison, cohorts = exposed(GAINS)
    found = cohort_rank_shift(comparison, cohorts)
    assert found.test == "kruskal-wallis"
    assert found.p_value == pytest.approx(1 / 10_001)
    assert found.table.loc["translated", "low"] > 0 > found.table.loc["neither", "high"]
    comparison, cohorts = exposed(dict.fromkeys(GAINS, 0.0))
    assert cohort_rank_shift(comparison, cohorts).p_value > 0.05


def test_the_test_keeps_its_level_without_exposure():
    p = []
    for seed in range(30):
        comparison, cohorts = exposed(dict.fromkeys("ab", 0.0), each=8, seed=seed)
        p.append(cohort_rank_shift(comparison, cohorts, n_resamples=200).p_value)
    assert 0.03 <= np.mean(np.array(p) <= 0.2) <= 0.4


def test_intervals_equal_a_naive_loop():
    comparison, cohorts = exposed(GAINS, each=7)
    found = cohort_rank_shift(
        comparison, cohorts, n_resamples=300, confidence_level=0.8, seed=2
    ).table
    for name in GAINS:
        members = np.sort(comparison.table["shift"][cohorts[comparison.table.index] == name])
        rng = np.random.default_rng(2)
        means = [members[rng.integers(7, size=7)].mean() for _ in range(300)]
        expected = np.quantile(means, [0.1, 0.9])
        np.testing.assert_allclose(found.loc[name, ["low", "high"]].astype(float), expected)


def test_kruskal_equals_scipy():
    rng = np.random.default_rng(0)
    shifts = rng.integers(-4, 5, 15).astype(float)  # with ties
    labels = np.repeat([0, 1, 2], [4, 5, 6])
    drawn = np.array([labels, rng.permutation(labels)])
    expected = [kruskal(*[shifts[row == k] for k in range(3)]).statistic for row in drawn]
    np.testing.assert_allclose(_kruskal(shifts, drawn, 3), expected)


def naive_jonckheere(groups) -> float:
    return sum(
        (x < y) + 0.5 * (x == y)
        for i, earlier in enumerate(groups)
        for later in groups[i + 1 :]
        for x in earlier
        for y in later
    )


def test_jonckheere_equals_counting_pairs():
    rng = np.random.default_rng(0)
    shifts = rng.integers(-4, 5, 15).astype(float)
    labels = np.repeat([0, 1, 2], [4, 5, 6])
    drawn = np.array([labels, rng.permutation(labels)])
    expected = [naive_jonckheere([shifts[row == k] for k in range(3)]) for row in drawn]
    np.testing.assert_allclose(_jonckheere(shifts, drawn, 3), expected)


@pytest.mark.parametrize("ordered", [False, True])
def test_the_p_value_approaches_that_of_all_permutations(ordered):
    a = frame(np.linspace(0.9, 0.3, 7).reshape(-1, 1))
    b = frame(np.array([[0.5, 0.9, 0.8, 0.4, 0.7, 0.3, 0.6]]).T).add_prefix("b")
    comparison = compare(a, b, n_resamples=5)
    cohorts = dict(zip(a.index, "xxyyyzz", strict=True))
    order = ["x", "y", "z"] if ordered else None
    found = cohort_rank_shift(comparison, cohorts, order=order, n_resamples=20_000)
    shifts = comparison.table["shift"].to_numpy()
    statistic = _jonckheere if ordered else _kruskal
    every = np.array(list(permutations([0, 0, 1, 1, 1, 2, 2])))
    values = statistic(shifts, every, 3)
    own = np.array([["xyz".index(cohorts[m]) for m in comparison.table.index]])
    observed = statistic(shifts, own, 3)[0]
    assert found.statistic == pytest.approx(observed)
    assert found.p_value == pytest.approx((values >= observed - 1e-9).mean(), abs=0.012)


def test_an_order_tests_the_trend():
    comparison, cohorts = exposed(GAINS)
    up = cohort_rank_shift(comparison, cohorts, order=list(GAINS), n_resamples=500)
    down = cohort_rank_shift(comparison, cohorts, order=list(GAINS)[::-1], n_resamples=500)
    assert up.test == down.test == "jonckheere"
    assert list(up.table.index) == list(GAINS)
    assert up.p_value == pytest.approx(1 / 501)
    assert down.p_value == 1.0


def test_arrangement_and_names_change_no_number():
    comparison, cohorts = exposed(GAINS, each=5)
    found = cohort_rank_shift(comparison, cohorts, n_resamples=200)
    renamed = cohorts.replace({"neither": "Z", "English": "Y", "translated": "X"})
    again = cohort_rank_shift(comparison, renamed.iloc[::-1], n_resamples=200)
    np.testing.assert_array_equal(found.table.to_numpy(), again.table.to_numpy())
    assert (found.statistic, found.p_value) == (again.statistic, again.p_value)


def test_blocks_change_nothing(monkeypatch):
    comparison, cohorts = exposed(GAINS, each=5)
    found = cohort_rank_shift(comparison, cohorts, n_resamples=200)
    monkeypatch.setattr("robustrank.comparison.cohorts._BLOCK", 15 * 7)
    again = cohort_rank_shift(comparison, cohorts, n_resamples=200)
    pd.testing.assert_frame_equal(found.table, again.table)
    assert found.p_value == again.p_value


def test_models_without_a_cohort_count_in_the_ranks_and_are_named():
    comparison, cohorts = exposed(GAINS, each=4)
    some = cohorts.drop(["m0", "m5"])
    some["stranger"] = "neither"
    some["m7"] = None
    found = cohort_rank_shift(comparison, some, n_resamples=50)
    notes = {note.code: note.labels for note in found.notes}
    assert set(notes["no-cohort"]) == {"m0", "m5", "m7"}
    assert notes["unused-cohorts"] == ("stranger",)
    assert len(found.shifts) == 9
    expected = comparison.table.loc[[f"m{i}" for i in range(8, 12)], "shift"].mean()
    assert found.table.loc["translated", "shift"] == pytest.approx(expected)


def test_names_of_board_b_serve_too():
    a = frame([[0.9], [0.8], [0.7]])
    b = frame([[0.5], [0.6], [0.9]]).set_axis(["org/m0", "org/m1", "org/m2"]).add_prefix("b")
    comparison = compare(a, b, n_resamples=5)
    by_b = cohort_rank_shift(comparison, {"org/m0": 1, "org/m1": 1, "m2": 2}, n_resamples=10)
    assert by_b.shifts["cohort"].to_dict() == {"m0": "1", "m1": "1", "m2": "2"}
    assert "no-cohort" not in note_codes(by_b)


def test_single_models_and_a_single_cohort():
    comparison, cohorts = exposed({"seen": 0.1, "unseen": 0.0}, each=3)
    one = cohort_rank_shift(comparison, cohorts.where(cohorts.index == "m0", "rest"))
    assert one.table.loc["seen", ["low", "high"]].isna().all()
    assert "single-model-cohorts" in note_codes(one)
    whole = cohort_rank_shift(comparison, cohorts * 0 + "all")
    assert np.isnan(whole.p_value)
    assert "one-cohort" in note_codes(whole)


def test_equal_shifts_give_no_evidence():
    a = frame(np.linspace(0.9, 0.3, 6).reshape(-1, 1))
    comparison = compare(a, a.add_prefix("b"), n_resamples=5)
    cohorts = dict(zip(a.index, "xxxyyy", strict=True))
    for order in (None, ["x", "y"]):
        assert cohort_rank_shift(comparison, cohorts, order=order).p_value == 1.0


@pytest.mark.parametrize(
    ("cohorts", "wrong", "error", "message"),
    [
        (["x"] * 6, {}, ParameterError, "mapping or Series of model to cohort; got list"),
        ({}, {}, EmptyMatrixError, "cohorts is empty: it gives no model a cohort"),
        ({"m0": None}, {}, EmptyMatrixError, "cohorts is empty"),
        ({"m0": 1, "m1": "1"}, {}, DuplicateError, "Cohorts 1 and '1' would both be called '1'"),
        ({"gpt": "x"}, {}, EmptyMatrixError, "cohorts names gpt; the boards, m"),
        (None, {"order": ["seen", "unseeen"]}, UnknownLabelError, "did you mean 'unseen'"),
        (None, {"order": ["seen"]}, ParameterError, "each of two or more cohorts once"),
        (None, {"order": ["seen", "unseen", "seen"]}, ParameterError, "once: seen, unseen; got"),
        (None, {"n_resamples": 0}, ParameterError, "n_resamples"),
        (None, {"confidence_level": 1.0}, ParameterError, "confidence_level"),
    ],
)
def test_bad_input(cohorts, wrong, error, message):
    comparison, own = exposed({"seen": 0.1, "unseen": 0.0}, each=3)
    with pytest.raises(error, match=message):
        cohort_rank_shift(comparison, own if cohorts is None else cohorts, **wrong)


def test_models_trained_on_part_of_the_real_board_gain_there(shared):
    """Declared training on a retrieval dataset should not lose ranks where that dataset counts."""
    models = pd.read_parquet(shared / "data" / "models_aug2026.parquet").set_index("name")
    declared = models["training_datasets"].dropna()
    example = rr.load_example().select(task_type="Retrieval").resolve_missing()
    trained = declared.map(lambda text: bool(re.search(r"MIRACL", str(text))))
    names = list(example.scores.columns)
    probe = [name for name in names if "MIRACL" in name]
    rest = [name for name in names if name not in probe]
    comparison = compare(
        example.select(datasets=rest), example.select(datasets=probe), n_resamples=50
    )
    cohorts = trained[trained.index.isin(comparison.table.index)].map({True: "seen", False: "not"})
    found = cohort_rank_shift(comparison, cohorts, order=["not", "seen"], n_resamples=500)
    gained = comparison.table["shift"].groupby(cohorts.reindex(comparison.table.index)).mean()
    np.testing.assert_allclose(found.table["shift"], gained[found.table.index])
    assert found.table["n"].min() >= 5
    assert found.table.loc["seen", "shift"] > found.table.loc["not", "shift"]


def test_a_model_in_two_rows():
    comparison, own = exposed({"seen": 0.1, "unseen": 0.0}, each=3)
    with pytest.raises(DuplicateError, match="'m0' in rows 1, 7"):
        cohort_rank_shift(comparison, pd.concat([own, own.iloc[:1]]))


def test_what_is_no_comparison():
    with pytest.raises(ParameterError, match=r"got DataFrame\. .*compare\(a, b\)"):
        cohort_rank_shift(frame([[0.1, 0.2]]), {"m0": "x"})


def test_equal_labels_of_unlike_types_are_one_cohort():
    comparison, _ = exposed({"seen": 0.1, "unseen": 0.0}, each=3)
    labels = dict(zip(comparison.table.index, [1, np.int64(1), 1, 2, 2, 2], strict=True))
    found = cohort_rank_shift(comparison, labels, n_resamples=10)
    assert sorted(found.table.index) == ["1", "2"]


def test_repr():
    comparison, cohorts = exposed(GAINS, each=4)
    found = cohort_rank_shift(comparison, cohorts, n_resamples=50)
    lines = repr(found).splitlines()
    assert lines[0].startswith("CohortShift of 12 models in 3 cohorts: kruskal-wallis, p = 0.0")
    row = found.table.loc["translated"]
    assert lines[1] == (
        f"  translated: {row['shift']:+.1f} ranks [{row['low']:+.1f}, {row['high']:+.1f}] "
        "(4 models)"
    )
    assert len(lines) == 4
    many = cohort_rank_shift(
        comparison, dict(zip(comparison.table.index, "abcdeffffghi", strict=True)), n_resamples=10
    )
    assert len(repr(many).splitlines()) == 4
    assert repr(many).endswith("; 6 more cohorts")
    whole = cohort_rank_shift(comparison, cohorts * 0 + "all", n_resamples=10)
    assert "in 1 cohort: kruskal-wallis, no test" in repr(whole)
