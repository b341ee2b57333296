"""Split halves: the halves themselves, ρ against scipy's, and planted properties of models."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import robustrank as rr
from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.statistics import read_scores, split_half
from robustrank.evaluators.hteb.statistics.scores import with_axes
from robustrank.evaluators.hteb.statistics.split_half import _correlate, _draw_halves
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from tests.evaluators.hteb.statistics.boards import planted

PARTS = [*TRANSFORMATIONS, *AXES, "total"]
COLUMNS = [
    "median",
    "low",
    "high",
    "reliability",
    "p_value",
    "p_unadjusted",
    "n_models",
    "n_datasets",
]


def draw(sizes, n_splits=4000, seed=0):
    strata = np.repeat(np.arange(len(sizes)), sizes)
    return strata, _draw_halves(np.random.default_rng(seed), n_splits, strata)


@pytest.fixture(scope="module")
def board():
    return planted(7, 9)


@pytest.fixture(scope="module")
def found(board):
    return split_half(board).table


@pytest.mark.parametrize("sizes", [[4], [5], [1, 1, 1], [3, 2, 1, 5], [1], [7, 7, 3]])
def test_halves_are_balanced_within_types_and_in_all(sizes):
    strata, first = draw(sizes)
    for stratum, size in enumerate(sizes):
        inside = first[:, strata == stratum].sum(axis=1)
        assert set(inside) <= {size // 2, (size + 1) // 2}
    assert set(first.sum(axis=1)) <= {sum(sizes) // 2, (sum(sizes) + 1) // 2}


def test_all_splits_of_a_type_are_as_likely():
    _, first = draw([4], n_splits=6000)
    kinds, number = np.unique(first, axis=0, return_counts=True)
    assert len(kinds) == 6  # 4 over 2
    assert stats.chisquare(number).pvalue > 0.001


def test_what_is_left_over_goes_to_either_half():
    """Of types with one dataset each: every pair of three is as likely to be together."""
    _, first = draw([1, 1, 1], n_splits=6000)
    together = [(first[:, a] == first[:, b]).mean() for a, b in combinations(range(3), 2)]
    np.testing.assert_allclose(together, 1 / 3, atol=0.03)


def test_left_over_of_large_types_are_as_likely_as_of_small_ones():
    strata, first = draw([1, 7, 1], n_splits=6000)
    extra = first[:, strata == 1].sum(axis=1) == 4
    one, other = first[:, 0], first[:, -1]
    together = [(one == other).mean(), (one == extra).mean(), (other == extra).mean()]
    np.testing.assert_allclose(together, 1 / 3, atol=0.03)


def test_rho_is_that_of_scipy():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(9, 6)).round(1)
    _, first = draw([4, 5], n_splits=50)
    rho = _correlate(values, first)
    for found, half in zip(rho, first, strict=True):
        one, other = (np.round(values[side].mean(axis=0), 10) for side in (half, ~half))
        assert found == pytest.approx(stats.spearmanr(one, other).statistic)


def test_rho_is_over_the_models_that_both_halves_have():
    values = np.random.default_rng(0).normal(size=(8, 6))
    values[:4, 2] = np.nan
    first = np.zeros((2, 8), dtype=bool)
    first[0, :4] = True  # model 2 is in the second half alone
    first[1, ::2] = True
    rho = _correlate(values, first)
    others = np.delete(values, 2, axis=1)
    expected = stats.spearmanr(others[:4].mean(axis=0), others[4:].mean(axis=0)).statistic
    assert rho[0] == pytest.approx(expected)
    one, other = np.nanmean(values[::2], axis=0), np.nanmean(values[1::2], axis=0)
    assert rho[1] == pytest.approx(stats.spearmanr(one, other).statistic)


def test_two_datasets_of_a_type_have_one_split(board):
    two = board[board["dataset"].isin(["data 0", "data 4"])]
    found = split_half(two, n_splits=20).table
    scores = read_scores(two)
    deltas = with_axes(scores.deltas(), scores.axes)
    one, other = (deltas.xs(name, level="dataset") for name in scores.datasets)
    for part in PARTS:
        expected = stats.spearmanr(one[part], other[part]).statistic
        np.testing.assert_allclose(found.loc[part, ["median", "low", "high"]], expected)


def test_four_datasets_of_a_type_have_three_splits(board):
    four = board[board["dataset"].isin([f"data {j}" for j in range(4)])].drop(columns="task_type")
    found = split_half(four, n_splits=3000).table
    scores = read_scores(four)
    table = with_axes(scores.deltas(), scores.axes)["Length"].unstack("dataset")
    rhos = sorted(
        stats.spearmanr(
            table[list(half)].mean(axis=1), table.drop(columns=list(half)).mean(axis=1)
        )[0]
        for half in (["data 0", other] for other in ("data 1", "data 2", "data 3"))
    )
    np.testing.assert_allclose(found.loc["Length", ["low", "median", "high"]], rhos)


def test_shape_and_spearman_brown(found):
    assert list(found.index) == PARTS
    assert list(found.columns) == COLUMNS
    median = found["median"]
    assert (median > 0).all()
    np.testing.assert_allclose(found["reliability"], 2 * median / (1 + median))
    assert (found["low"] <= median).all()
    assert (median <= found["high"]).all()
    assert (found["n_models"] == 7).all()
    assert (found["n_datasets"] == 9).all()


def test_a_property_of_models_is_found_and_noise_is_not():
    """Drops of each model's own are stable; drops at random have ρ around 0."""
    strong = split_half(planted(20, 12, noise=0.001), n_splits=200).table
    assert (strong["median"] > 0.7).all()
    noise = planted(20, 12)
    noise["score"] = np.random.default_rng(5).uniform(0.2, 0.8, len(noise))
    weak = split_half(noise, n_splits=200).table
    assert weak["median"].abs().mean() < 0.35
    assert (weak["median"] < strong["median"]).all()


def test_opposite_halves_are_not_reliable():
    """Two datasets whose drops are each other's reverse."""
    table = planted(5, 2, runs=1).drop(columns="task_type")
    place = table["model"].str[-1].astype(float) / 100
    sign = np.where(table["dataset"] == "data 0", 1.0, -1.0)
    original = table["transformation"] == "original"
    board = table.assign(score=0.5 + (place * sign).where(~original, 0.0))
    found = split_half(board, n_splits=5).table
    np.testing.assert_allclose(found["median"], -1.0)
    np.testing.assert_array_equal(found["reliability"], 0.0)


def test_of_scores_instead(board, found):
    scores = split_half(board, value="score", n_splits=50).table
    assert list(scores.index) == PARTS
    # Levels of models differ, so that scores rank them alike whatever their profiles.
    level = board["model"].str[-1].astype(float)
    lifted = board.assign(score=board["score"] / 2 + level / 20)
    assert (split_half(lifted, value="score", n_splits=50).table["median"] == 1.0).all()
    with pytest.raises(ParameterError, match="value must be 'delta' or 'score'; got 'total'"):
        split_half(board, value="total")


@pytest.mark.parametrize(("models", "datasets"), [(1, 6), (5, 1), (1, 1)])
def test_too_few_of_either(models, datasets):
    found = split_half(planted(models, datasets), n_splits=20).table
    assert found[["median", "low", "high", "reliability"]].isna().to_numpy().all()
    assert (found["n_models"] == models).all()
    assert (found["n_datasets"] == datasets).all()


def test_models_that_all_tie(board):
    found = split_half(board.assign(score=0.5), n_splits=20).table
    assert found["median"].isna().all()


def test_missing_scores_that_were_kept(board):
    gone = (board["dataset"] == "data 1") & (board["model"] == "model 5")
    gone &= board["transformation"] == "expansion"
    found = split_half(read_scores(board[~gone], missing="keep"), n_splits=100).table
    assert found["median"].notna().all()
    assert (found["n_models"] == 7).all()


def test_draws_are_those_of_the_seed(board, found):
    pd.testing.assert_frame_equal(split_half(board).table, found, check_exact=True)
    few = [split_half(board, n_splits=15, seed=seed).table for seed in (0, 1)]
    assert not few[0].equals(few[1])


def test_order_names_and_scale_do_not_matter(board, found):
    mixed = split_half(board.sample(frac=1.0, random_state=3)).table
    pd.testing.assert_frame_equal(mixed, found, check_exact=True)
    models = {f"model {i}": f"<{9 - i}>" for i in range(7)}
    datasets = {f"data {j}": f"${9 - j}$" for j in range(9)}
    types = {"classification": "z", "sts": "a"}
    changed = board.replace({"model": models, "dataset": datasets, "task_type": types})
    pd.testing.assert_frame_equal(split_half(changed).table, found, check_exact=True)
    points = split_half(board.assign(score=board["score"] * 100)).table
    pd.testing.assert_frame_equal(points, found)


@pytest.mark.parametrize("options", [{"n_splits": 0}, {"seed": -1}, {"n_splits": "many"}])
def test_settings_out_of_range(board, options):
    (name,) = options
    with pytest.raises(ParameterError, match=rf"{name} must be a whole number of at least"):
        split_half(board, **options)


def test_p_values_are_adjusted_within_transformations_and_within_axes(found):
    for family in (TRANSFORMATIONS, list(AXES)):
        rows = found.loc[list(family)]
        expected = rr.adjust_p_values(rows["p_unadjusted"], "holm")
        np.testing.assert_array_equal(rows["p_value"], expected)
    assert found.loc["total", "p_value"] == found.loc["total", "p_unadjusted"]


def test_the_result_says_how_it_was_made(board, tmp_path):
    one = split_half(board, n_splits=9, seed=2, value="score")
    assert (one.value, one.n_splits, one.seed, one.notes) == ("score", 9, 2, ())
    assert repr(one).startswith("SplitHalf: 9 splits of 12 parts, total ρ ")
    assert {path.name for path in one.save(tmp_path)} >= {"split_half.csv", "results.json"}
    assert "by score" in one.summary()
