from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from robustrank.aggregation import AGGREGATES, Aggregate, resolve_aggregate, task_type_codes
from robustrank.aggregation.kernels import LinearKernel, SchemeKernel, z_scores
from robustrank.errors import InputError, UnknownLabelError
from robustrank.irt import fit_2pl
from robustrank.matrix import ScoreMatrix
from robustrank.mcdm import SCHEMES, rank_schemes
from robustrank.voting import borda
from tests.conftest import frame, random_scores, score_frames

LINEAR = [
    "mean",
    "task-type-mean",
    "z-score-mean",
    "discrimination-weighted-mean",
    "borda",
    "borda-mteb",
]


def board_with_holes():
    scores = random_scores(6, 7, seed=1, noise=0.2).round(2)
    scores.iloc[1, [0, 3]] = np.nan
    scores.iloc[4, 1:] = np.nan
    return scores


def typed(scores, types="aabbbcc"):
    return ScoreMatrix(scores, pd.DataFrame({"task_type": list(types)}, index=scores.columns))


def multisets(n, number, seed=0):
    return np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), number).astype(float)


def repeated(scores, counts):
    """The board with each dataset as often as drawn."""
    columns = np.repeat(np.arange(scores.shape[1]), counts.astype(int))
    return frame(scores.to_numpy()[:, columns]).set_axis(scores.index)


def weighted_mean(line, weights):
    held = ~np.isnan(line) & (weights > 0)
    return np.average(line[held], weights=weights[held]) if held.any() else np.nan


@pytest.mark.parametrize("scores", [random_scores(6, 7, noise=0.2), board_with_holes()])
def test_linear_aggregates_equal_a_loop(scores):
    matrix, types = typed(scores), np.array(list("aabbbcc"))
    values = scores.to_numpy()
    discrimination = fit_2pl(matrix, n_refits=0).discrimination.to_numpy()
    counts = multisets(7, 15)
    found = {name: AGGREGATES[name].prepare(matrix)(counts) for name in LINEAR}
    standard = scipy.stats.zscore(values, nan_policy="omit")
    for b, row in enumerate(counts):
        drawn = types[row > 0]
        by_type = np.array(
            [row[j] / row[types == types[j]].sum() if row[j] else 0 for j in range(7)]
        )
        assert by_type.sum() == pytest.approx(len(set(drawn)))
        wanted = {
            "mean": [weighted_mean(line, row) for line in values],
            "task-type-mean": [weighted_mean(line, by_type) for line in values],
            "z-score-mean": [weighted_mean(line, row) for line in standard],
            "discrimination-weighted-mean": [
                weighted_mean(line, row * discrimination) for line in values
            ],
            "borda": borda(repeated(scores, row))["points"][scores.index],
            "borda-mteb": borda(repeated(scores, row), "mteb")["points"][scores.index] / 7,
        }
        for name in LINEAR:
            np.testing.assert_allclose(found[name][:, b], wanted[name], atol=1e-12, err_msg=name)


def test_models_that_each_aggregate_ranks():
    scores = board_with_holes()
    scores.iloc[5] = np.nan
    matrix = typed(scores)
    complete = scores.notna().all(axis=1).tolist()
    some = scores.notna().any(axis=1).tolist()
    for name, aggregate in AGGREGATES.items():
        ranked = aggregate.prepare(matrix).ranked.tolist()
        wanted = {"borda": some, "bradley-terry": some, "borda-mteb": [True] * 6}
        assert ranked == wanted.get(name, complete), name


def test_one_run_of_a_dataset_is_no_vote():
    scores = frame([[0.5, np.nan], [0.4, np.nan], [np.nan, 0.9]])
    kernel = AGGREGATES["borda"].prepare(ScoreMatrix(scores))
    assert kernel.ranked.tolist() == [True, True, False]
    assert np.isnan(kernel(np.array([[0.0, 2.0]]))).all()


def test_weights_sum_to_one():
    counts = np.vstack([multisets(7, 20), np.zeros((1, 7))])
    for name in LINEAR:
        weights = AGGREGATES[name].prepare(typed(random_scores(6, 7))).weights(counts)
        np.testing.assert_allclose(weights[:-1].sum(axis=1), 1.0, err_msg=name)
        assert not weights[-1].any()


@pytest.mark.parametrize("name", LINEAR)
def test_slope_is_how_a_contribution_follows_its_score(name):
    """The spread of a z-score, and a discrimination, stay as they are within the resamples."""
    matrix = typed(random_scores(6, 7, noise=0.2))
    kernel = AGGREGATES[name].prepare(matrix)
    if kernel.slope is None:
        assert name.startswith("borda")
        return
    # Contributions are linear in the scores of a column: their ratio over models is the slope.
    values = matrix.scores.to_numpy()
    gaps = (kernel.contributions[0] - kernel.contributions[1]) / (values[0] - values[1])
    np.testing.assert_allclose(kernel.slope, gaps)


def test_z_scores_equal_scipy():
    values = np.array(board_with_holes())
    values[:, 2] = 0.5
    scaled, slope = z_scores(values)
    varying = [0, 1, 3, 4, 5, 6]
    wanted = scipy.stats.zscore(values[:, varying], nan_policy="omit")
    np.testing.assert_allclose(scaled[:, varying], wanted, atol=1e-12)
    np.testing.assert_allclose(slope[varying], 1 / np.nanstd(values[:, varying], axis=0))
    assert slope[2] == 0.0
    assert (scaled[~np.isnan(values[:, 2]), 2] == 0.0).all()


def test_datasets_without_discrimination_do_not_count():
    scores = random_scores(6, 7, noise=0.1)
    scores["d3"] = 0.5
    kernel = AGGREGATES["discrimination-weighted-mean"].prepare(ScoreMatrix(scores))
    assert kernel.weights(np.ones((1, 7)))[0, 3] == 0.0
    alone = AGGREGATES["discrimination-weighted-mean"].prepare(ScoreMatrix(scores.iloc[:2, :2]))
    np.testing.assert_allclose(alone.weights(np.ones((1, 2))), 0.5)  # too small to be fitted


@settings(max_examples=12)
@given(score_frames(max_datasets=5), st.integers(0, 99), st.sampled_from(sorted(SCHEMES)))
def test_schemes_equal_those_of_the_board_with_copied_datasets(scores, seed, name):
    n = scores.shape[1]
    for row in [*multisets(n, 2, seed), n * np.eye(n)[seed % n]]:
        found = AGGREGATES[name].prepare(ScoreMatrix(scores))(row[None])[:, 0]
        board = ScoreMatrix(repeated(scores, row), scale="unit")
        wanted = rank_schemes(board, schemes=name).preferences["all", name]
        np.testing.assert_allclose(found, wanted, atol=1e-9)


def test_schemes_leave_out_incomplete_models():
    scores = board_with_holes()
    kernel = SchemeKernel.of(scores.to_numpy(), SCHEMES["topsis/critic"])
    complete = scores.dropna()
    counts = multisets(7, 5)
    other = SchemeKernel.of(complete.to_numpy(), SCHEMES["topsis/critic"])
    np.testing.assert_array_equal(kernel(counts)[kernel.ranked], other(counts))
    assert np.isnan(kernel(counts)[~kernel.ranked]).all()
    nobody = SchemeKernel.of(np.full((3, 4), np.nan), SCHEMES["vikor/merec"])
    assert np.isnan(nobody(multisets(4, 5))).all()


@pytest.mark.parametrize("name", sorted(AGGREGATES))
def test_every_aggregate_says_what_it_is_and_puts_the_dominating_model_first(name):
    aggregate = AGGREGATES[name]
    assert str(aggregate) == aggregate.name == name
    assert aggregate.description
    assert aggregate.source
    scores = random_scores(6, 7, noise=0.1)
    scores.iloc[3] = scores.max() + 0.005
    scores.iloc[0] = scores.min() - 0.005
    kernel = aggregate.prepare(typed(scores))
    values = kernel(np.vstack([np.ones(7), multisets(7, 30)]))
    assert (values.argmax(axis=0) == 3).all()
    assert (values.argmin(axis=0) == 0).all()


def test_resolve_aggregate():
    own = Aggregate("own", "the first dataset", "here", lambda m: LinearKernel(m.scores, ()))
    assert resolve_aggregate(own) is own
    assert resolve_aggregate("mean") is AGGREGATES["mean"]
    with pytest.raises(UnknownLabelError, match="Unknown aggregate 'topsis': did you mean"):
        resolve_aggregate("topsis")
    with pytest.raises(UnknownLabelError, match="Unknown aggregate '7'"):
        resolve_aggregate(7)


def test_task_type_codes():
    scores = random_scores(3, 4)
    assert task_type_codes(typed(scores, "baba")).tolist() == [1, 0, 1, 0]
    with pytest.raises(InputError, match=r"task type of 4 of 4 datasets .*tasks=.*'task_type'"):
        task_type_codes(ScoreMatrix(scores))
    with pytest.raises(InputError, match="1 of 4 datasets is unknown: d2") as error:
        task_type_codes(typed(scores, ["a", "b", None, "a"]))
    assert error.value.labels == ("d2",)
