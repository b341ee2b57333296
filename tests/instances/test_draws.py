from __future__ import annotations

import numpy as np
import pytest

from robustrank.errors import ParameterError, UnknownLabelError
from robustrank.instances import InstanceScores, parametric_means, resampled_means
from tests.instances.boards import board, graded, names


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def draw(instances, n_draws=200, seed=0):
    return resampled_means(instances, instances.datasets, instances.models, n_draws, rng(seed))


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_resampled_means_equal_a_naive_loop(missing):
    values = {"a": graded(8, 30, 0, missing), "b": graded(8, 25, 1, missing)}
    drawn = draw(InstanceScores(values, models=names(8)), 300, seed=5)
    for child, (name, table) in zip(rng(5).spawn(2), values.items(), strict=True):
        arranged = table[:, np.lexsort(table[::-1])]
        n = table.shape[1]
        picks = [child.integers(n, size=n) for _ in range(300)]
        expected = [np.nanmean(arranged[:, pick], axis=1) for pick in picks]
        np.testing.assert_allclose(drawn[name], expected, rtol=1e-12)


def test_mean_and_covariance_are_those_of_the_instances():
    """Over draws, the covariance of two means is that of their scores by instance, over n."""
    values = graded(3, 200)
    values[1] = 0.5 * values[0] + 0.5 * values[1]
    drawn = draw(InstanceScores({"d": values}, models=names(3)), 20_000)["d"]
    assert drawn.shape == (20_000, 3)
    np.testing.assert_allclose(drawn.mean(axis=0), values.mean(axis=1), atol=5e-4)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(values, bias=True) / 200, atol=1.5e-5)


def test_models_share_their_instances():
    values = graded(1, 50)
    pair = np.vstack([values, 1.0 - values, values])
    drawn = draw(InstanceScores({"d": pair}, models=names(3)))["d"]
    np.testing.assert_allclose(drawn[:, 0] + drawn[:, 1], 1.0, rtol=1e-12)
    np.testing.assert_allclose(drawn[:, 0], drawn[:, 2], rtol=1e-12)
    assert drawn[:, 0].std() > 0.01


def test_a_dataset_more_leaves_the_draws_of_the_others():
    instances = board(a=30, b=40, c=50)
    few = resampled_means(instances, ["a", "b"], names(4), 50, rng())
    more = resampled_means(instances, ["a", "b", "c"], names(4), 50, rng())
    for name in ("a", "b"):
        assert few[name].tobytes() == more[name].tobytes()
    assert abs(np.corrcoef(more["a"][:, 0], more["b"][:, 0])[0, 1]) < 0.5


def test_the_order_and_names_of_instances_change_no_draw():
    values = graded(4, 30, missing=0.2)
    shuffled = rng().permutation(values, axis=1)
    drawn = draw(InstanceScores({"d": values}, models=names(4)))["d"]
    assert drawn.tobytes() == draw(InstanceScores({"d": shuffled}, models=names(4)))["d"].tobytes()


def test_models_come_in_the_order_asked():
    instances = board(a=30)
    forward = resampled_means(instances, ["a"], ["m0", "m3"], 50, rng())["a"]
    assert forward.shape == (50, 2)
    assert forward[:, 0].mean() < forward[:, 1].mean()  # ability rises with the number


def test_seed_decides_the_draws():
    assert draw(board())["small"].tobytes() == draw(board())["small"].tobytes()
    assert draw(board())["small"].tobytes() != draw(board(), seed=1)["small"].tobytes()
    generator = rng()
    first, second = (resampled_means(board(), ["small"], ["m0"], 50, generator) for _ in "ab")
    assert not np.array_equal(first["small"], second["small"])


def test_more_draws_begin_with_the_same():
    few, many = draw(board(a=700), 100)["a"], draw(board(a=700), 1_000)["a"]
    np.testing.assert_allclose(many[:100], few, rtol=1e-12)


def test_draws_without_any_instance_of_a_model_are_missing():
    values = np.array([[0.5] + [np.nan] * 9, np.linspace(0, 1, 10), np.full(10, np.nan)])
    drawn = draw(InstanceScores({"d": values}, models=names(3)), 5_000)["d"]
    assert np.isnan(drawn[:, 0]).mean() == pytest.approx(0.9**10, abs=0.02)
    assert set(drawn[~np.isnan(drawn[:, 0]), 0]) == {0.5}
    assert not np.isnan(drawn[:, 1]).any()
    assert np.isnan(drawn[:, 2]).all()


@pytest.mark.parametrize("n", [1, 200_000])
def test_sizes_at_the_ends(n):
    values = np.linspace(0, 1, 2 * n).reshape(2, n)
    drawn = draw(InstanceScores({"d": values}, models=names(2)), 3)["d"]
    np.testing.assert_allclose(drawn, np.tile(values.mean(axis=1), (3, 1)), atol=0.005)


def test_unknown_names_and_bad_counts():
    with pytest.raises(UnknownLabelError, match="Unknown dataset 'x'"):
        resampled_means(board(), ["x"], ["m0"], 5, rng())
    with pytest.raises(UnknownLabelError, match="Unknown model 'x'"):
        resampled_means(board(), ["small"], ["x"], 5, rng())
    with pytest.raises(ParameterError, match="n_draws must be"):
        resampled_means(board(), ["small"], ["m0"], 0, rng())


def test_proportions_are_binomial():
    p = np.array([0.0, 0.1, 0.5, 1.0])
    drawn = parametric_means(p, 50, "accuracy", 20_000, rng())
    np.testing.assert_allclose(drawn.mean(axis=0), p, atol=0.002)
    np.testing.assert_allclose(drawn.std(axis=0), np.sqrt(p * (1 - p) / 50), rtol=0.02)
    assert set(drawn[:, 0]) == {0.0}
    assert set(drawn[:, 3]) == {1.0}
    assert set(np.round(drawn[:, 1] * 50, 9)) <= set(range(51))
    assert abs(np.corrcoef(drawn[:, 1], drawn[:, 2])[0, 1]) < 0.03  # models are independent


@pytest.mark.parametrize(("kind", "factor"), [("pearson", 0.0), ("cosine_spearman", 0.5)])
def test_correlations_are_normal_on_the_scale_of_fisher(kind, factor):
    r = np.array([-0.9, 0.0, 0.7])
    z = np.arctanh(parametric_means(r, 103, kind, 20_000, rng()))
    np.testing.assert_allclose(z.mean(axis=0), np.arctanh(r), atol=0.004)
    np.testing.assert_allclose(z.std(axis=0), np.sqrt((1 + factor * r**2) / 100), rtol=0.02)


@pytest.mark.parametrize("kind", ["proportion", "pearson", "spearman"])
def test_what_is_certain_or_missing_stays(kind):
    drawn = parametric_means([1.0, np.nan, 0.5], 30, kind, 40, rng())
    assert set(drawn[:, 0]) == {1.0}
    assert np.isnan(drawn[:, 1]).all()
    again = parametric_means([1.0, 0.2, 0.5], 30, kind, 40, rng())
    if kind != "proportion":  # a hole shifts the draws of nobody else
        np.testing.assert_array_equal(drawn[:, 2], again[:, 2])
    same = parametric_means([1.0, np.nan, 0.5], 30, kind, 40, rng())
    np.testing.assert_array_equal(drawn, same)


@pytest.mark.parametrize(
    ("scores", "n", "kind", "message"),
    [
        (
            [0.5],
            50,
            "ndcg_at_10",
            "kind must be one of proportion, pearson, spearman.*'ndcg_at_10'",
        ),
        ([0.5], 0, "accuracy", "n must be a whole number of at least 1"),
        ([0.5], 3, "spearman", "n must be a whole number of at least 4"),
        ([0.5, -0.1], 50, "accuracy", "model 2 is -0.1, which is no proportion: that lies in 0..1"),
        ([0.5, 1.1], 50, "pearson", "model 2 is 1.1, which is no pearson: that lies in -1..1"),
    ],
)
def test_bad_parameters(scores, n, kind, message):
    with pytest.raises(ParameterError, match=message):
        parametric_means(scores, n, kind, 5, rng())


def test_what_is_no_instance_scores():
    with pytest.raises(
        ParameterError, match=r"must be InstanceScores; got ndarray.*read_instances"
    ):
        resampled_means(graded(), ["d"], ["m0"], 5, np.random.default_rng(0))
