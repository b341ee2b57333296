from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from robustrank import ScoreMatrix
from robustrank.errors import ParameterError, UnknownLabelError
from robustrank.instances import analytic_intervals, find_designs, instance_intervals, metric_kind
from tests.conftest import frame
from tests.instances.boards import board

BOUNDS = ["ci_low", "ci_high"]


def codes(result) -> list[str]:
    return [note.code for note in result.notes]


def one(score: float, n: int, kind: str, **settings) -> pd.Series:
    return analytic_intervals([[score]], n, kind, **settings).table.iloc[0]


# R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
# Medicine 17 (1998), Table I, method 3.
@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals_of_proportions(right, n, low, high):
    found = one(right / n, n, "proportion")
    assert found[BOUNDS].round(4).tolist() == [low, high]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
@pytest.mark.parametrize(("right", "n"), [(0, 1), (1, 1), (3, 7), (250, 1000)])
def test_proportions_as_scipy_has_them(right, n, level):
    oracle = stats.binomtest(right, n).proportion_ci(level, method="wilson")
    found = one(right / n, n, "accuracy", confidence_level=level)
    np.testing.assert_allclose(found[BOUNDS].astype(float), oracle, atol=1e-12)


def test_proportions_as_statsmodels_has_them():
    """Also for means of several experiments, which are no whole number of right answers."""
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    for p in (0.0, 0.123, 0.5, 0.987, 1.0):
        oracle = proportion.proportion_confint(p * 150, 150, method="wilson")
        np.testing.assert_allclose(
            one(p, 150, "accuracy")[BOUNDS].astype(float), oracle, atol=1e-12
        )


def test_worked_example_of_bonett():
    """ci.spear of the R package statpsych, by Bonett, prints this interval for its example."""
    y = [21, 4, 9, 12, 35, 18, 10, 22, 24, 1, 6, 8, 13, 16, 19]
    x = [67, 28, 30, 28, 52, 40, 25, 37, 44, 10, 14, 20, 28, 40, 51]
    found = one(stats.spearmanr(x, y).statistic, 15, "spearman")
    assert found["score"] == pytest.approx(0.8699639, abs=5e-8)
    assert found["standard_error"] == pytest.approx(0.08241326, abs=5e-9)
    assert found[BOUNDS].tolist() == pytest.approx([0.5840951, 0.9638297], abs=5e-8)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_pearson_as_scipy_has_it(level):
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    result = stats.pearsonr(x, x + rng.normal(size=40))
    found = one(result.statistic, 40, "pearson", confidence_level=level)
    oracle = result.confidence_interval(level)
    np.testing.assert_allclose(found[BOUNDS].astype(float), oracle, rtol=1e-12)


@pytest.mark.parametrize("rho", [0.3, 0.8])
def test_coverage_of_spearman_on_planted_data(rho):
    """A known rank correlation lies in about 95% of the intervals."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2_000, 60))
    y = rho * x + np.sqrt(1 - rho**2) * rng.normal(size=(2_000, 60))
    ranks = [np.argsort(np.argsort(values, axis=1), axis=1) - 29.5 for values in (x, y)]
    found = (ranks[0] * ranks[1]).sum(axis=1) / (ranks[0] ** 2).sum(axis=1)
    table = analytic_intervals(found[:, None], 60, "spearman").table
    truth = 6 / np.pi * np.arcsin(rho / 2)  # of a bivariate normal distribution
    inside = (table["ci_low"] <= truth) & (table["ci_high"] >= truth)
    assert 0.93 < inside.mean() < 0.97


def test_close_to_the_bootstrap_over_instances():
    instances = board(large=1_000)
    resampled = instance_intervals(instances).table
    analytic = analytic_intervals(instances.scores(), instances.n_instances, "accuracy").table
    np.testing.assert_allclose(analytic[BOUNDS], resampled[BOUNDS], atol=0.003)
    np.testing.assert_allclose(analytic["standard_error"], resampled["standard_error"], rtol=0.001)


def test_metadata_say_what_is_not_given():
    metadata = pd.DataFrame(
        {
            "metric": ["accuracy", "cosine_spearman", "ndcg_at_10", None, "accuracy", "pearson"],
            "n_instances": [100, 200, 50, 50, None, 3],
        },
        index=["acc", "sts", "ret", "unnamed", "unsized", "tiny"],
    )
    scores = pd.DataFrame(0.5, index=["x", "y"], columns=metadata.index)
    scores.loc["y", "sts"] = np.nan
    result = analytic_intervals(ScoreMatrix(scores, metadata))
    table = result.table
    assert table["n_instances"].dtype == "Int64"
    for model in ("x", "y"):
        shown = table.loc[model, "n_instances"]
        assert shown.index[shown.isna()].tolist() == ["unsized"]
        assert shown.drop("unsized").tolist() == [100, 200, 50, 50, 3]
    assert table.loc["x", "ci_low"].notna().to_dict() == {
        **dict.fromkeys(metadata.index, False),
        "acc": True,
        "sts": True,
    }
    assert table.loc[("y", "sts")].drop("n_instances").isna().all()
    assert table["score"].notna().sum() == 11
    assert {note.code: note.labels for note in result.notes} == {
        "no-metric": ("unnamed",),
        "no-analytic-interval": ("ret",),
        "no-sample-size": ("unsized",),
        "too-few-instances": ("tiny",),
    }
    assert "ret (ndcg_at_10)" in next(n for n in result.notes if n.labels == ("ret",)).message


def test_what_is_given_comes_before_the_metadata():
    metadata = pd.DataFrame({"metric": ["accuracy", "pearson"], "n_instances": [100, 80]})
    metadata.index = ["d0", "d1"]
    matrix = ScoreMatrix(frame([[0.5, 0.5]]), metadata)
    designs, _ = find_designs(matrix, {"d0": 30}, pd.Series({"d1": "spearman"}))
    assert (designs["d0"].n_instances, designs["d0"].kind) == (30, "proportion")
    assert (designs["d1"].n_instances, designs["d1"].kind) == (80, "spearman")


def test_a_number_that_was_given_is_shown_without_an_interval_too():
    table = analytic_intervals([[0.5, 0.6]], {"d1": 1000}, {"d1": "ndcg_at_10"}).table
    assert table.loc[("m1", "d1"), "n_instances"] == 1000
    assert table.loc[("m1", "d2"), "n_instances"] is pd.NA
    assert table["ci_low"].isna().all()
    with pytest.raises(ParameterError, match=r"n_instances of 'd1' must be a whole number.*2.5"):
        analytic_intervals([[0.5]], 2.5, {"d1": "ndcg_at_10"})


def test_scores_that_cannot_be_what_the_metric_says():
    matrix = ScoreMatrix(frame([[-0.1, -0.1, 1.1], [0.4, 0.4, 0.4]]), scale="unit")
    kinds = {"d0": "accuracy", "d1": "pearson", "d2": "accuracy"}
    result = analytic_intervals(matrix, 50, kinds)
    note = next(note for note in result.notes if note.code == "not-of-its-kind")
    assert note.labels == ("d0", "d2")
    assert result.table.loc["m1", "ci_low"].notna().tolist() == [False, True, False]


def test_a_reversed_correlation_has_no_interval():
    scores = frame([[0.5, 0.5], [0.2, 0.3]])
    matrix = ScoreMatrix(scores, direction={"d0": "min", "d1": "min"})
    result = analytic_intervals(matrix, 50, {"d0": "pearson", "d1": "accuracy"})
    note = next(note for note in result.notes if note.code == "no-analytic-interval")
    assert note.labels == ("d0",)
    low = result.table.loc["m0"].loc["d1"]
    assert low[BOUNDS].tolist() == pytest.approx(
        [1 - x for x in one(0.5, 50, "accuracy")[BOUNDS]][::-1]
    )


def test_certain_scores():
    assert one(1.0, 20, "spearman")[BOUNDS].tolist() == [1.0, 1.0]
    assert one(1.0, 20, "accuracy")["ci_high"] == 1.0
    assert one(1.0, 20, "accuracy")["ci_low"] < 0.9


@pytest.mark.parametrize(
    ("metric", "kind"),
    [
        ("accuracy", "proportion"),
        ("Max Accuracy", "proportion"),
        ("cosine_accuracy", "proportion"),
        ("exact_match", "proportion"),
        ("hit_rate_at_10", "proportion"),
        ("precision_at_1", "proportion"),
        ("cosine_spearman", "spearman"),
        ("cos_sim-spearman", "spearman"),
        ("spearmanr", "spearman"),
        ("pearson", "pearson"),
        ("ndcg_at_10", None),
        ("f1", None),
        ("balanced_accuracy", None),
        ("map_at_1000", None),
        ("v_measure", None),
        ("precision_at_10", None),
        ("recall_at_1", None),
        (None, None),
        (pd.NA, None),
    ],
)
def test_kinds_of_metrics(metric, kind):
    assert metric_kind(metric) == kind


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((50, "ndcg"), ParameterError, "kind must be one of proportion, pearson, spearman.*'ndcg'"),
        ((0, "accuracy"), ParameterError, "n_instances of 'd1' must be a whole number.*got 0"),
        ((2.5, "accuracy"), ParameterError, "got 2.5"),
        ((float("inf"), "accuracy"), ParameterError, "got inf"),
        ((True, "accuracy"), ParameterError, "got True"),
        (({"d2": 50}, "accuracy"), UnknownLabelError, "Unknown dataset 'd2'"),
        ((50, {"d2": "accuracy"}), UnknownLabelError, "Unknown dataset 'd2'"),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        analytic_intervals([[0.5]], *arguments)


def test_bad_level():
    with pytest.raises(ParameterError, match="confidence_level must lie between 0 and 1"):
        one(0.5, 50, "accuracy", confidence_level=0.0)
