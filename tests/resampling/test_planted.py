"""Boards with a planted structure, and what resampling must say of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.matrix import ScoreMatrix
from robustrank.resampling import paired_bootstrap
from tests.conftest import frame, note_codes, random_scores
from tests.resampling import oracle

B = 800
FLOOR = 2 / (B + 1)


def bootstrap(scores, **settings):
    return paired_bootstrap(scores, n_resamples=B, **settings)


@pytest.mark.parametrize("aggregate", ["mean", "borda", "vikor/critic", "bradley-terry"])
def test_identical_models(aggregate):
    row = [0.5, 0.6, 0.7, 0.8, 0.55, 0.65]
    scores = frame([row, row, np.array(row) - 0.1])
    found = bootstrap(scores, aggregate=aggregate, top_k=1)
    assert found.p_values.loc["m0", "m1"] == 1.0
    assert found.pairwise.loc["m0", "m1"] == found.pairwise.loc["m1", "m0"] == 0.5
    assert found.p_best.tolist() == found.p_top.tolist() == [0.5, 0.5, 0.0]
    assert found.rank.tolist() == [1.5, 1.5, 3.0]
    assert found.tiers.tolist() == [1, 1, 2]
    assert found.rank_interval.loc["m0"].tolist() == [1.5, 1.5]
    table = found.compare(test="bootstrap").table
    assert table["p_adjusted"].iloc[0] == 1.0
    assert table["difference"].iloc[0] == pytest.approx(0.0, abs=1e-12)


def test_copies_of_models_with_scores_on_a_rounding_boundary():
    """Means of 32 scores with six decimals end in a 5 at the eleventh: the sums must agree."""
    rng = np.random.default_rng(0)
    values = rng.uniform(0.2, 0.9, (40, 32)).round(6)
    found = bootstrap(frame(np.vstack([values, values])))
    for i in range(40):
        assert found.pairwise.iloc[i, 40 + i] == 0.5
        assert found.rank.iloc[i] == found.rank.iloc[40 + i]


@pytest.mark.parametrize(
    "leader",
    [np.random.default_rng(0).uniform(0.3, 0.9, 20), np.array([2, 3, 4, 5]), np.full(6, 0.7)],
    ids=["twenty", "integers", "constant"],
)
def test_constant_lead(leader):
    lead = 1 if leader.max() > 1 else 0.05
    found = bootstrap(frame([leader, leader - lead]))
    assert found.pairwise.loc["m0", "m1"] == 1.0
    assert found.p_values.loc["m0", "m1"] == FLOOR
    assert found.tiers.tolist() == [1, 2]
    assert found.p_best.tolist() == [1.0, 0.0]
    assert found.resolved == found.resolved_adjacent == 1.0
    assert found.compare(test="bootstrap").table["p_adjusted"].tolist() == [1 / (B + 1)]
    flips = found.compare(test="sign-flip", adjustment="none").table["p_value"]
    assert flips.tolist() == [2 / 2 ** len(leader)]


def test_missing_cell_in_a_pair():
    row = [0.5, 0.6, 0.7, 0.8, 0.55]
    found = bootstrap(frame([[np.nan, *row[1:]], row]))
    assert found.n_shared.loc["m0", "m1"] == 4
    assert found.n_shared.loc["m1", "m1"] == 5
    assert found.p_values.loc["m0", "m1"] == found.p_values.loc["m1", "m0"] == 1.0
    assert found.pairwise.loc["m0", "m1"] == 0.5
    assert np.isnan(found.rank["m0"])
    assert note_codes(found) == ["few-datasets", "incomplete-models"]
    assert found.notes[1].labels == ("m0",)


def test_a_model_with_a_single_score_is_compared_with_nobody():
    """Its one dataset is in every resample that it is in: nothing varies."""
    scores = random_scores(5, 8)
    scores.iloc[2, 1:] = np.nan
    found = bootstrap(scores)
    others = ["m0", "m1", "m3", "m4"]
    assert found.n_shared.loc["m2", others].tolist() == [1] * 4
    assert found.pairwise.loc["m2", others].isna().all()
    assert found.p_values.loc["m2", others].isna().all()
    assert found.interval.loc["m2"].isna().all()
    assert np.isnan(found.standard_error["m2"])
    assert found.estimate["m2"] == scores.iloc[2, 0]
    assert found.interval.loc[others].notna().all(axis=None)


@pytest.mark.parametrize("aggregate", ["mean", "borda", "bradley-terry", "wsm/equal"])
def test_a_model_without_a_score(aggregate):
    scores = random_scores(5, 8)
    scores.iloc[2] = np.nan
    found = bootstrap(scores, aggregate=aggregate)
    everything = found.to_frame().loc["m2"].drop("tier")
    assert everything.isna().all()
    assert found.tiers.isna().tolist() == [False, False, True, False, False]
    assert found.p_best.sum() == pytest.approx(1.0)
    alone = bootstrap(scores.drop(index="m2"), aggregate=aggregate)
    pd.testing.assert_series_equal(found.rank.drop("m2"), alone.rank)
    assert found.order == alone.order
    assert note_codes(found) == ["unscored-models"]


def test_a_model_without_a_score_has_no_points_at_mteb():
    scores = random_scores(4, 8)
    scores.iloc[0] = np.nan
    found = bootstrap(scores, aggregate="borda-mteb")
    assert found.estimate["m0"] == 0.0
    assert found.rank["m0"] == 4.0
    assert note_codes(found) == ["unscored-models", "partly-ranked-models"]


def test_nobody_has_every_score():
    scores = random_scores(4, 8)
    for i in range(4):
        scores.iloc[i, i] = np.nan
    found = bootstrap(scores)
    assert found.order == found.leads == []
    assert found.rank.isna().all()
    assert np.isnan(found.resolved)
    assert found.tiers.isna().all()
    assert len(found.compare(test="bootstrap").table) == 0
    assert np.isnan(found.compare(adjustment="holm", test="bootstrap").floor)
    assert found.pairwise.notna().all(axis=None)  # over the six that both ran
    assert "0 ranked models" in repr(found)


@pytest.mark.parametrize("aggregate", ["mean", "borda", "topsis/merec", "bradley-terry"])
def test_single_dataset(aggregate):
    found = bootstrap(random_scores(4, 1), aggregate=aggregate)
    assert note_codes(found) == ["nothing-to-resample"]
    assert "(1 dataset)" in found.notes[0].message
    assert found.rank.notna().all()
    table = found.to_frame()
    assert (
        table[["ci_low", "ci_high", "rank_low", "rank_high", "p_best", "p_top"]]
        .isna()
        .all(axis=None)
    )
    assert found.tiers.isna().all()
    assert found.pairwise.isna().all(axis=None)
    assert found.p_values.isna().all(axis=None)
    assert found.standard_error.isna().all()
    assert np.isnan([found.resolved, found.resolved_adjacent]).all()
    assert len(found.compare(test="bootstrap").table) == 0
    assert found.tiers_at(0.9).isna().all()
    assert found.p_top_at(2).isna().all()
    assert "tier" not in repr(found)


def test_one_cluster_is_as_one_dataset():
    found = bootstrap(
        random_scores(4, 5), resampling="clusters", clusters=dict.fromkeys(random_scores(4, 5), "a")
    )
    assert note_codes(found) == ["nothing-to-resample"]
    assert "(1 cluster)" in found.notes[0].message
    assert found.pairwise.isna().all(axis=None)


@pytest.mark.parametrize("aggregate", ["borda", "bradley-terry", "mean"])
def test_a_single_dataset_makes_no_leader(aggregate):
    """Two models ran one dataset alone, which resampling cannot vary."""
    nan = float("nan")
    scores = frame(
        [
            [0.9, nan, nan, nan],
            [0.8, nan, nan, nan],
            [0.7, 0.7, 0.5, 0.5],
            [0.6, 0.6, 0.6, 0.61],
            [0.5, 0.5, 0.7, 0.72],
        ]
    )
    found = bootstrap(scores, aggregate=aggregate)
    assert set(found.order) == {"m2", "m3", "m4"}
    assert np.isnan(found.pairwise.loc["m0", "m1"])
    for table in (found.interval, found.rank_interval, found.p_best, found.standard_error):
        assert table.loc[["m0", "m1"]].isna().all(axis=None)
    note = next(n for n in found.notes if n.code == "incomplete-models")
    assert note.labels == ("m0", "m1")
    assert ("a single dataset" in note.message) == (aggregate != "mean")


def test_two_datasets():
    found = bootstrap(frame([[0.9, 0.5], [0.7, 0.6], [0.1, 0.2]]))
    assert note_codes(found) == ["few-datasets"]
    # Means .7 and .65; of four draws, the two copies of the second dataset turn the order.
    assert found.pairwise.loc["m0", "m1"] == pytest.approx(0.75, abs=0.05)
    assert found.tiers.tolist() == [1, 1, 2]
    # .9 with a quarter of the draws, .5 with another one.
    assert found.interval.loc["m0"].tolist() == [0.5, 0.9]


@pytest.mark.parametrize("n", [2, 5, 6, 40])
def test_few_datasets_are_noted(n):
    found = bootstrap(random_scores(3, n))
    assert note_codes(found) == (["few-datasets"] if n < 6 else [])
    strict = bootstrap(random_scores(3, 6), confidence_level=0.99)
    assert note_codes(strict) == ["few-datasets"]  # 2 / 2⁶ is .031


@pytest.mark.parametrize("column", [0.5, 0.0, 1.0], ids=["constant", "zero", "saturated"])
def test_a_dataset_on_which_all_tie_changes_no_outcome(column):
    scores = random_scores(5, 6, noise=0.2)
    found = bootstrap(scores.assign(flat=column))
    assert found.rank.equals(bootstrap(scores).rank)
    counts = oracle.redraw(scores.assign(flat=column), B)[:, :6]
    drawn = counts.sum(axis=1) > 0
    sums = scores.to_numpy() @ counts[drawn].T
    chance = [[np.mean(a > b) + np.mean(a == b) / 2 for b in sums] for a in sums]
    np.testing.assert_allclose(found.pairwise, chance, atol=0.01)
    assert found.to_frame().notna().all(axis=None)


def test_a_reversed_dataset_widens_the_ranks():
    base = np.linspace(0.3, 0.7, 5)[:, None] + np.random.default_rng(0).normal(0, 0.005, (5, 8))
    turned = base.copy()
    turned[:, 0] = 1 - 2 * (turned[:, 0] - 0.25)
    plain, found = (bootstrap(frame(values)) for values in (base, turned))
    width, wider = (
        (f.rank_interval["high"] - f.rank_interval["low"]).sum() for f in (plain, found)
    )
    assert plain.tiers.max() == 5
    assert width == 0 < wider
    assert found.tiers.max() < 5
    assert found.pairwise.loc["m4", "m0"] < plain.pairwise.loc["m4", "m0"] == 1.0


@pytest.mark.parametrize("aggregate", ["mean", "borda", "bradley-terry"])
def test_a_cycle_is_one_tier(aggregate):
    """Each beats the next on two datasets of three."""
    cycle = np.array([[0.6, 0.4, 0.5], [0.5, 0.6, 0.4], [0.4, 0.5, 0.6]])
    found = bootstrap(frame(np.tile(cycle, 3)), aggregate=aggregate)
    assert found.rank.tolist() == [2.0, 2.0, 2.0]
    assert found.tiers.tolist() == [1, 1, 1]
    assert found.resolved == 0.0
    np.testing.assert_allclose(found.p_best, 1 / 3, atol=0.08)
    np.testing.assert_allclose(found.pairwise, 0.5, atol=0.08)


def test_tiers_are_not_transitive():
    """C is in the tier of A, which does not beat it, though B does."""
    rng = np.random.default_rng(0)
    shared = rng.normal(0, 0.04, 30)
    b = 0.6 + shared
    c = b - 0.006 - rng.uniform(0, 0.004, 30)
    a = 0.603 + rng.normal(0, 0.06, 30)
    a += 0.603 - a.mean()
    b += 0.6 - b.mean()
    c += 0.59 - c.mean()
    found = bootstrap(frame([a, b, c]))
    assert found.order == ["m0", "m1", "m2"]
    assert found.pairwise.loc["m1", "m2"] == 1.0
    assert found.pairwise.loc["m0", "m2"] < 0.95
    assert found.tiers.tolist() == [1, 1, 1]
    assert found.resolved == pytest.approx(1 / 3)


def test_ties_at_the_top_are_split():
    """On every dataset two of three share the first place."""
    scores = frame(np.tile([[1, 1, 0], [1, 0, 1], [0, 1, 1]], 3))
    found = bootstrap(scores, aggregate="borda", top_k=2)
    means = oracle.resampled_means(scores.to_numpy(), oracle.redraw(scores, B))
    np.testing.assert_allclose(found.p_best, oracle.chance_of_places(means, 1))
    np.testing.assert_allclose(found.p_top, oracle.chance_of_places(means, 2))
    tied = np.mean([np.sum(column == column.max()) > 1 for column in means.round(10).T])
    assert tied > 0.1
    assert found.p_best.sum() == pytest.approx(1.0)


def test_of_tied_models_the_likelier_best_comes_first():
    """Equal means: one swings about the runner-up, the other one stays put."""
    swing = np.array([0.3, -0.3, 0.25, -0.25, 0.2, -0.2])
    found = bootstrap(frame([np.full(6, 0.5), 0.5 + swing, np.full(6, 0.55)]))
    assert found.rank.tolist() == [2.5, 2.5, 1.0]
    assert found.p_best["m1"] > found.p_best["m0"] == 0.0
    assert found.order == ["m2", "m1", "m0"]


def copied_board():
    """Eight datasets; four are there three times, one twice."""
    eight = random_scores(15, 8, seed=2, noise=0.3)
    copies = [eight[d].rename(f"{d}-{k}") for d in list(eight)[:6] for k in range(2)][:9]
    return eight, pd.concat([eight, *copies], axis=1)


def test_copied_datasets():
    _, copied = copied_board()
    wide = bootstrap(copied, resampling="clusters")
    narrow = bootstrap(copied)
    assert note_codes(narrow) == ["repeated-datasets"]
    assert len(narrow.notes[0].labels) == 14
    assert "(17 datasets, 8 clusters)" in narrow.notes[0].message
    assert "resampling='clusters'" in narrow.notes[0].message
    assert note_codes(wide) == []
    assert wide.settings["n_units"] == 8
    assert (wide.standard_error > 1.2 * narrow.standard_error).all()
    assert wide.resolved < narrow.resolved


def test_clusters_of_copies_are_weighted_datasets():
    eight, copied = copied_board()
    wide = bootstrap(copied, resampling="clusters")
    number = np.array([int(name[1]) for name in copied])
    counts = oracle.redraw(copied, B, clusters=number)[:, :8]
    size = np.array([3] * 4 + [2] + [1] * 3)
    weights = counts * size / (counts * size).sum(axis=1, keepdims=True)
    means = eight.to_numpy() @ weights.T
    np.testing.assert_allclose(wide.samples, means, atol=1e-12)
    np.testing.assert_allclose(wide.interval["low"], np.quantile(means, 0.025, axis=1))
    np.testing.assert_allclose(wide.interval["high"], np.quantile(means, 0.975, axis=1))


def test_copies_over_a_handful_of_models_are_not_noted():
    """Any two datasets may correlate there."""
    assert note_codes(bootstrap(copied_board()[1].iloc[:5])) == []


def test_copied_datasets_of_balanced_resamples_are_noted():
    _, copied = copied_board()
    types = pd.DataFrame({"task_type": list("ab" * 8 + "a")}, index=copied.columns)
    found = bootstrap(ScoreMatrix(copied, types), resampling="balanced")
    assert note_codes(found) == ["repeated-datasets"]


def test_lone_task_types():
    scores = random_scores(4, 8)
    types = pd.DataFrame({"task_type": list("aaaabbbc")}, index=scores.columns)
    found = bootstrap(ScoreMatrix(scores, types), resampling="balanced")
    assert note_codes(found) == ["lone-task-types"]
    assert found.notes[0].labels == ("d7",)
    assert note_codes(bootstrap(ScoreMatrix(scores, types))) == []
    every = pd.DataFrame({"task_type": list("abcdefgh")}, index=scores.columns)
    codes = note_codes(bootstrap(ScoreMatrix(scores, every), resampling="balanced"))
    assert codes == ["nothing-to-resample", "lone-task-types"]


@pytest.mark.parametrize("resampling", ["datasets", "balanced", "clusters"])
def test_a_clean_board_has_no_note(resampling):
    scores = random_scores(20, 12, noise=0.3)
    types = pd.DataFrame({"task_type": ["a", "b", "c"] * 4}, index=scores.columns)
    assert bootstrap(ScoreMatrix(scores, types), resampling=resampling).notes == ()


def test_schemes_rank_the_models_with_every_score():
    scores = random_scores(5, 8)
    scores.iloc[3, 2] = np.nan
    found = bootstrap(scores, aggregate="promethee2-usual/critic")
    assert np.isnan(found.rank["m3"])
    assert found.pairwise.loc["m3"].isna().all()
    assert note_codes(found) == ["incomplete-models"]
    complete = bootstrap(scores.drop(index="m3"), aggregate="promethee2-usual/critic")
    assert found.rank.drop("m3").equals(complete.rank)


def test_votes_rank_models_with_holes():
    scores = random_scores(5, 8)
    scores.iloc[3, 2] = np.nan
    for aggregate in ("borda", "borda-mteb", "bradley-terry"):
        found = bootstrap(scores, aggregate=aggregate)
        assert found.rank.notna().all()
        assert note_codes(found) == ["partly-ranked-models"]
        assert found.notes[0].labels == ("m3",)


def test_one_resample_says_nothing():
    found = paired_bootstrap(random_scores(3, 8), n_resamples=1)
    assert note_codes(found) == ["nothing-to-resample"]
    assert found.interval.isna().all(axis=None)
