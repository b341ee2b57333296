from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from robustrank.errors import ParameterError
from robustrank.instances import InstanceScores, instance_intervals
from tests.instances.boards import board, graded, names, right_or_wrong

BOUNDS = ["ci_low", "ci_high"]


def single(values, **settings) -> pd.DataFrame:
    """The intervals on one dataset."""
    values = np.atleast_2d(values)
    instances = InstanceScores({"d": values}, models=names(len(values)), scale="unit")
    return instance_intervals(instances, **settings).table.xs("d", level="dataset")


def codes(result) -> list[str]:
    return [note.code for note in result.notes]


def test_one_row_per_model_and_dataset():
    result = instance_intervals(board())
    table = result.table
    assert list(table.index.names) == ["model", "dataset"]
    assert table.loc["m1", "n_instances"].to_dict() == {"small": 40, "large": 200}
    pd.testing.assert_frame_equal(
        table["score"].unstack("dataset")[["small", "large"]], board().scores()
    )
    assert (table["ci_low"] < table["score"]).all()
    assert (table["ci_high"] > table["score"]).all()
    assert (result.method, result.confidence_level) == ("bootstrap", 0.95)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_bootstrap_equals_that_of_scipy(level):
    values = graded(1, 60)[0]
    ours = single(values, n_resamples=40_000, confidence_level=level).loc["m0"]
    oracle = stats.bootstrap(
        (values,),
        np.mean,
        method="percentile",
        n_resamples=40_000,
        confidence_level=level,
        rng=np.random.default_rng(1),
    )
    noise = 0.02 * ours["standard_error"]  # what 40,000 resamples leave at the 2.5th percentile
    assert ours["ci_low"] == pytest.approx(oracle.confidence_interval.low, abs=2.5 * noise)
    assert ours["ci_high"] == pytest.approx(oracle.confidence_interval.high, abs=2.5 * noise)
    assert ours["standard_error"] == pytest.approx(oracle.standard_error, rel=0.02)


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_bootstrap_equals_a_naive_loop(missing):
    """Redo every resample with a loop from the same random numbers."""
    values = graded(8, 25, missing=missing)  # with eight models, no instance is without a score
    ours = single(values, n_resamples=500, seed=7)
    ordered = np.sort(values, axis=1)
    [rng] = np.random.default_rng(7).spawn(1)
    means = [np.nanmean(ordered[:, rng.integers(25, size=25)], axis=1) for _ in range(500)]
    expected = np.percentile(means, [2.5, 97.5], axis=0).T
    np.testing.assert_allclose(ours[BOUNDS], expected, rtol=1e-12)


def test_normal_equals_scipy():
    values = graded(4, 50, missing=0.2)
    ours = single(values, method="normal", confidence_level=0.9)
    for row, model in zip(values, names(4), strict=True):
        scored = row[~np.isnan(row)]
        low, high = stats.norm.interval(0.9, scored.mean(), stats.sem(scored))
        np.testing.assert_allclose(ours.loc[model, BOUNDS].astype(float), [low, high], rtol=1e-12)
    np.testing.assert_allclose(ours["standard_error"], stats.sem(values, axis=1, nan_policy="omit"))
    np.testing.assert_array_equal(ours["n_instances"], (~np.isnan(values)).sum(axis=1))


def test_within_noise_of_the_published_board():
    """MTEB-PT, §6: a standard error of 0.035 on one of 22 tasks moves their mean by 0.0016."""
    rng = np.random.default_rng(0)
    quati = rng.normal(0.0, 1.0, 50)
    quati = 0.5 + 0.035 * np.sqrt(50) * (quati - quati.mean()) / quati.std(ddof=1)
    tables = {f"d{j}": np.full((1, 50), 0.5) for j in range(21)} | {"Quati": quati[None]}
    result = instance_intervals(
        InstanceScores(tables, models=["gemini"], scale="unit"), method="normal"
    )
    assert result.table.loc[("gemini", "Quati"), "standard_error"] == pytest.approx(0.035)
    assert result.mean_standard_error()["gemini"] == pytest.approx(0.0016, abs=0.00005)


def test_error_of_the_mean_over_datasets():
    result = instance_intervals(board(), method="normal")
    error = result.table["standard_error"].unstack("dataset")
    expected = np.sqrt((error**2).sum(axis=1)) / 2
    np.testing.assert_allclose(result.mean_standard_error(), expected[board().models])


def test_error_of_the_mean_counts_the_datasets_that_a_model_has():
    tables = right_or_wrong(2, {"a": 30, "b": 30, "c": 30})
    tables["b"][0] = np.nan
    tables["c"][1, 1:] = np.nan
    result = instance_intervals(InstanceScores(tables, models=["x", "y"]), method="normal")
    errors = result.table["standard_error"]
    found = result.mean_standard_error()
    assert found["x"] == pytest.approx(np.hypot(errors["x", "a"], errors["x", "c"]) / 2)
    assert np.isnan(found["y"])  # of c, with a single instance, nothing is known


@pytest.mark.parametrize("method", ["bootstrap", "normal"])
def test_instances_given_twice_narrow_the_interval(method):
    values = graded(2, 100)
    once = single(values, method=method)
    twice = single(np.repeat(values, 2, axis=1), method=method)
    width = [table["ci_high"] - table["ci_low"] for table in (once, twice)]
    np.testing.assert_allclose(width[0] / width[1], np.sqrt(2), rtol=0.03)


@given(st.integers(0, 200), st.sampled_from([0.0, 0.3]))
def test_no_order_and_no_name_changes_a_byte(seed, missing):
    rng = np.random.default_rng(seed)
    tables = {"a": graded(4, 25, seed, missing), "b": graded(4, 40, seed + 1, missing)}
    tables["a"][2] = tables["a"][1]
    given = instance_intervals(InstanceScores(tables, models=names(4)), n_resamples=50)
    rows = rng.permutation(4)
    shuffled = {f"other {name}": rng.permutation(tables[name][rows], axis=1) for name in ("b", "a")}
    labels = [f"z{9 - row}" for row in rows]
    again = instance_intervals(InstanceScores(shuffled, models=labels), n_resamples=50).table
    for row, model in enumerate(names(4)):
        for name in tables:
            expected = given.table.loc[(model, name)]
            assert again.loc[(f"z{9 - row}", f"other {name}")].to_numpy().tobytes() == (
                expected.to_numpy().tobytes()
            )


def test_a_dataset_more_changes_no_interval():
    few = instance_intervals(board(small=40), n_resamples=100).table
    more = instance_intervals(
        InstanceScores(
            {"other": np.eye(4), "small": board(small=40).values("small")}, models=names(4)
        ),
        n_resamples=100,
    ).table
    pd.testing.assert_frame_equal(few, more.loc[few.index])


def test_seed():
    tables = [instance_intervals(board(), n_resamples=200, seed=s).table for s in (1, 1, 2)]
    assert tables[0].equals(tables[1])
    assert not tables[0][BOUNDS].equals(tables[2][BOUNDS])
    state = np.random.get_state()[1].copy()
    rng = np.random.default_rng(1)
    first, second = (instance_intervals(board(), n_resamples=200, seed=rng).table for _ in "ab")
    assert first.equals(tables[0])
    assert not first.equals(second)
    np.testing.assert_array_equal(state, np.random.get_state()[1])


@pytest.mark.parametrize("method", ["bootstrap", "normal"])
@pytest.mark.parametrize("value", [0.0, 0.1, 1 / 3, 1.0])
def test_equal_scores_give_an_interval_without_width(method, value):
    instances = InstanceScores({"d": np.full((1, 30), value)}, models=["x"])
    result = instance_intervals(instances, method=method, n_resamples=200)
    assert result.table.loc[("x", "d"), BOUNDS].tolist() == [value, value]
    assert codes(result) == ["no-variation"]
    assert result.notes[0].labels == ("d",)


@pytest.mark.parametrize("method", ["bootstrap", "normal"])
def test_a_single_instance_says_nothing(method):
    values = np.array([[0.5] + [np.nan] * 29, np.linspace(0, 1, 30), np.full(30, np.nan)])
    instances = InstanceScores({"d": values}, models=["one", "all", "none"])
    result = instance_intervals(instances, method=method, n_resamples=200)
    table = result.table.xs("d", level="dataset")
    assert table.loc["one", "score"] == 0.5
    assert table.loc["one", ["standard_error", *BOUNDS]].isna().all()
    assert table.loc["all"].notna().all()
    assert table.loc["none"].drop("n_instances").isna().all()
    assert table["n_instances"].tolist() == [1, 30, 0]
    assert codes(result) == ["single-instance"]


def test_few_instances_of_many_are_resampled_as_they_are():
    """Most resamples hold none of the two instances: the others still give the interval."""
    values = np.full((2, 400), np.nan)
    values[0] = np.linspace(0, 1, 400)
    values[1, :2] = [0.2, 0.4]
    table = single(values, n_resamples=4_000)
    np.testing.assert_allclose(table.loc["m1", BOUNDS].astype(float), [0.2, 0.4], rtol=1e-12)
    assert table.loc["m1", "standard_error"] == pytest.approx(0.1)


def test_few_instances_are_noted():
    assert "few-instances" in codes(instance_intervals(board(tiny=19), n_resamples=50))
    assert "few-instances" not in codes(instance_intervals(board(tiny=20), n_resamples=50))


@pytest.mark.parametrize(
    ("method", "n", "low", "high"),
    [("bootstrap", 200, 0.93, 0.97), ("normal", 200, 0.93, 0.97), ("bootstrap", 10, 0.85, 0.93)],
)
def test_coverage_on_planted_boards(method, n, low, high):
    """A known mean lies in 95% of the intervals; with ten instances, in clearly fewer."""
    rng = np.random.default_rng(3)
    values = rng.beta(2, 2, (1_000, n))  # a thousand models whose true score is 1/2
    table = single(values, method=method)
    inside = (table["ci_low"] <= 0.5) & (table["ci_high"] >= 0.5)
    assert low < inside.mean() < high


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "bca"}, "'bootstrap' or 'normal'; got 'bca'"),
        ({"n_resamples": 0}, "n_resamples must be a whole number of at least 1"),
        ({"confidence_level": 95}, "between 0 and 1, such as 0.95; got 95"),
        ({"confidence_level": float("nan")}, "between 0 and 1"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ParameterError, match=message):
        instance_intervals(board(), **settings)


@pytest.mark.parametrize("given", [pd.DataFrame({"model": ["a"]}), "scores.parquet", None])
def test_what_is_no_instance_scores(given):
    with pytest.raises(ParameterError, match=rf"got {type(given).__name__}.*read_instances\(…\)"):
        instance_intervals(given)
