from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from robustrank.aggregation import AGGREGATES
from robustrank.aggregation.kernels import LinearKernel
from robustrank.errors import InputError, ParameterError, UnknownLabelError
from robustrank.matrix import ScoreMatrix
from robustrank.resampling import paired_bootstrap
from robustrank.resampling.bootstrap import share_resolved
from tests.conftest import frame, random_scores, score_frames
from tests.resampling import oracle

BY_MODEL = ["estimate", "mean", "standard_error", "rank", "p_best", "p_top", "tiers"]
SQUARE = ["pairwise", "p_values", "n_shared"]


def typed(scores, types):
    return ScoreMatrix(scores, pd.DataFrame({"task_type": list(types)}, index=scores.columns))


def rectangular(found):
    """Everything that a bootstrap says of models, in one table."""
    return pd.concat(
        [
            pd.DataFrame({name: getattr(found, name).astype(float) for name in BY_MODEL}),
            found.interval.add_prefix("ci_"),
            found.rank_interval.add_prefix("rank_"),
        ],
        axis=1,
    )


def board_with_holes():
    scores = random_scores(7, 9, seed=3, noise=0.2).round(2)
    scores.iloc[1, 2:] = np.nan
    scores.iloc[4, [3, 5]] = np.nan
    scores.iloc[6] = scores.iloc[2]
    return scores


# -- against a loop over the same resamples ---------------------------------------------------


@pytest.mark.parametrize("scores", [random_scores(6, 8, noise=0.2), board_with_holes()])
def test_equals_a_loop_over_the_same_resamples(scores):
    values = scores.to_numpy()
    found = paired_bootstrap(scores, n_resamples=400, seed=5, top_k=3, confidence_level=0.9)
    counts = oracle.redraw(scores, 400, seed=5)
    means = oracle.resampled_means(values, counts)
    np.testing.assert_allclose(found.samples, means, atol=1e-12)
    np.testing.assert_allclose(found.estimate, np.nanmean(values, axis=1))
    np.testing.assert_allclose(found.mean, np.nanmean(values, axis=1))
    np.testing.assert_allclose(found.standard_error, np.nanstd(means, axis=1, ddof=1))
    bounds = np.nanquantile(means, [0.05, 0.95], axis=1)
    np.testing.assert_allclose(found.interval.to_numpy().T, bounds, atol=1e-12)
    complete = ~np.isnan(values).any(axis=1)
    ranked = means[complete]
    rank = scipy.stats.rankdata(-values[complete].mean(axis=1).round(10))
    np.testing.assert_array_equal(found.rank[complete], rank)
    ranks = oracle.ranks(ranked)
    low, high = np.quantile(ranks, [0.05, 0.95 - 1e-9], axis=1, method="inverted_cdf")
    np.testing.assert_array_equal(found.rank_interval["low"][complete], np.minimum(low, rank))
    np.testing.assert_array_equal(found.rank_interval["high"][complete], np.maximum(high, rank))
    for name, k in (("p_best", 1), ("p_top", 3)):
        shares = oracle.chance_of_places(ranked, k)
        np.testing.assert_allclose(getattr(found, name)[complete], shares, atol=1e-12)
    without_rank = rectangular(found)[~complete].drop(columns=["estimate", "mean"])
    assert without_rank[["rank", "p_best", "p_top", "tiers", "rank_low"]].isna().all(axis=None)
    for a in range(len(values)):
        for b in range(len(values)):
            gaps = oracle.resampled_means((values[a] - values[b])[None], counts)[0]
            wanted = oracle.outcome(gaps)
            pair = found.pairwise.iloc[a, b], found.p_values.iloc[a, b]
            np.testing.assert_allclose(pair, wanted, atol=1e-12)
    held = (~np.isnan(values)).astype(int)
    np.testing.assert_array_equal(found.n_shared, held @ held.T)


def tiers_by_hand(chance, threshold):
    """*MTEB-PT*, App. 16: a new tier begins at the first model the tier's leader beats."""
    tiers, leader = [1], 0
    for i in range(1, len(chance)):
        if chance[leader, i] > threshold:
            leader = i
            tiers.append(tiers[-1] + 1)
        else:
            tiers.append(tiers[-1])
    return tiers


@pytest.mark.parametrize("threshold", [0.5, 0.8, 0.95, 0.999])
def test_tiers_and_resolution(threshold):
    found = paired_bootstrap(random_scores(15, 8, noise=0.15), n_resamples=500)
    chance = found.pairwise.loc[found.order, found.order].to_numpy()
    tiers = found.tiers_at(threshold)
    assert tiers[found.order].tolist() == tiers_by_hand(chance, threshold)
    pairs = [max(chance[i, j], chance[j, i]) for i in range(15) for j in range(i)]
    neighbours = [max(chance[i, i + 1], chance[i + 1, i]) for i in range(14)]
    wanted = [np.mean(np.array(p) > threshold) for p in (pairs, neighbours)]
    assert found.resolved_at(threshold) == pytest.approx(tuple(wanted))
    if threshold == 0.95:
        pd.testing.assert_series_equal(tiers, found.tiers)
        assert (found.resolved, found.resolved_adjacent) == found.resolved_at(0.95)
        assert found.leads == [m for m, p in zip(found.order, chance[0], strict=True) if p > 0.95]
        assert 0 < len(found.leads) < 14


def test_the_rank_interval_is_widened_to_hold_the_rank():
    """Of 30 equal models the lucky ones are not in front in most resamples."""
    scores = frame(np.random.default_rng(0).uniform(0.4, 0.6, (30, 8)))
    found = paired_bootstrap(scores, n_resamples=300, confidence_level=0.2)
    ranks = oracle.ranks(oracle.resampled_means(scores.to_numpy(), oracle.redraw(scores, 300)))
    low, high = np.quantile(ranks, [0.4, 0.6 - 1e-9], axis=1, method="inverted_cdf")
    assert (low > found.rank).any()
    assert (high < found.rank).any()
    np.testing.assert_array_equal(found.rank_interval["low"], np.minimum(low, found.rank))
    np.testing.assert_array_equal(found.rank_interval["high"], np.maximum(high, found.rank))


def test_a_pair_is_resolved_whichever_model_wins():
    """The mean of a model may lead where it mostly loses: one dataset of six decides."""
    chance = np.array([[0.5, 0.02, 0.9], [0.98, 0.5, np.nan], [0.1, np.nan, 0.5]])
    assert share_resolved(chance, 0.95) == (0.5, 1.0)
    assert share_resolved(chance, 0.85) == (1.0, 1.0)
    assert np.isnan(share_resolved(chance[:1, :1], 0.95)).all()


def test_intervals_agree_with_scipy():
    scores = random_scores(4, 20, noise=0.15)
    found = paired_bootstrap(scores, n_resamples=20_000)
    oracle_interval = scipy.stats.bootstrap(
        (scores.to_numpy(),),
        np.mean,
        n_resamples=20_000,
        axis=1,
        method="percentile",
        rng=np.random.default_rng(8),
    )
    error = 0.03 * oracle_interval.standard_error.max()
    np.testing.assert_allclose(
        found.interval.to_numpy().T, oracle_interval.confidence_interval, atol=4 * error
    )
    np.testing.assert_allclose(found.standard_error, oracle_interval.standard_error, rtol=0.03)


def test_task_types_keep_their_number():
    scores = random_scores(5, 7)
    types = "aabbbac"
    strata = np.array([ord(t) for t in types])
    found = paired_bootstrap(typed(scores, types), resampling="balanced", n_resamples=200)
    counts = oracle.redraw(scores, 200, strata=strata)
    for kind in set(types):
        assert (counts[:, strata == ord(kind)].sum(axis=1) == types.count(kind)).all()
    means = oracle.resampled_means(scores.to_numpy(), counts)
    np.testing.assert_allclose(found.samples, means, atol=1e-12)


def test_means_by_task_type_in_resamples():
    scores, types = random_scores(5, 6), np.array(list("aaabbc"))
    found = paired_bootstrap(typed(scores, types), aggregate="task-type-mean", n_resamples=100)
    for b, row in enumerate(oracle.redraw(scores, 100)):
        drawn = oracle.copies(row)
        groups = [drawn[types[drawn] == t] for t in dict.fromkeys(types[drawn])]
        means = np.mean([scores.to_numpy()[:, g].mean(axis=1) for g in groups], axis=0)
        np.testing.assert_allclose(found.samples[:, b], means, atol=1e-12)


@pytest.mark.parametrize("first", [0, 1])
def test_given_clusters_are_drawn_whole_whatever_their_numbers(first):
    scores = random_scores(5, 6)
    clusters = np.array([0, 1, 0, 2, 1, 3])
    given = dict(zip(scores, (clusters + first).tolist(), strict=True))
    found = paired_bootstrap(scores, resampling="clusters", clusters=given, n_resamples=100)
    assert found.settings["n_units"] == 4
    counts = oracle.redraw(scores, 100, clusters=clusters)
    means = oracle.resampled_means(scores.to_numpy(), counts)
    np.testing.assert_allclose(found.samples, means, atol=1e-12)


def test_datasets_without_variance_stand_alone():
    """`cluster_datasets` gives all of them 0."""
    scores = random_scores(12, 6, noise=0.3)
    scores["d2"], scores["d4"] = 0.5, 1.0
    found = paired_bootstrap(scores, resampling="clusters", n_resamples=50)
    assert found.settings["n_units"] == 6
    given = {d: 0 if d in ("d2", "d4") else i for i, d in enumerate(scores)}
    found = paired_bootstrap(scores, resampling="clusters", clusters=given, n_resamples=50)
    assert found.settings["n_units"] == 6


# -- properties -------------------------------------------------------------------------------


def assert_same(first, second):
    for name in (*BY_MODEL, *SQUARE, "interval", "rank_interval"):
        a, b = getattr(first, name), getattr(second, name)
        b = b.loc[a.index, a.index] if name in SQUARE else b.loc[a.index]
        assert a.equals(b), name
    rows = second.models.get_indexer(first.models)
    np.testing.assert_array_equal(first.samples, second.samples[rows])
    assert (first.resolved, first.resolved_adjacent) == (
        pytest.approx(second.resolved, abs=0, nan_ok=True),
        pytest.approx(second.resolved_adjacent, abs=0, nan_ok=True),
    )


def told_apart(scores):
    """Whether no two lines hold the same values: where some do, names decide their order."""
    table = scores.to_numpy()
    return all(len(np.unique(np.sort(t, axis=1), axis=0)) == len(t) for t in (table, table.T))


aggregates = st.sampled_from(["mean", "borda", "z-score-mean", "topsis/critic", "bradley-terry"])


@settings(max_examples=12)
@given(score_frames(min_datasets=2), aggregates, st.randoms())
def test_arrangement_changes_no_bit(scores, aggregate, random):
    rows, columns = list(scores.index), list(scores)
    random.shuffle(rows)
    random.shuffle(columns)
    first, second = (
        paired_bootstrap(table, aggregate=aggregate, n_resamples=60)
        for table in (scores, scores.loc[rows, columns])
    )
    assert_same(first, second)
    assert first.order == second.order
    pd.testing.assert_series_equal(
        first.tiers_at(0.8), second.tiers_at(0.8).loc[scores.index], check_names=False
    )


@settings(max_examples=12)
@given(score_frames(min_models=3, min_datasets=2), aggregates)
def test_names_change_no_bit(scores, aggregate):
    assume(told_apart(scores))
    first = paired_bootstrap(scores, aggregate=aggregate, n_resamples=60)
    renamed = scores.rename(
        index={m: f"x{len(scores) - i}" for i, m in enumerate(scores.index)},
        columns={d: f"y{scores.shape[1] - j}" for j, d in enumerate(scores)},
    )
    second = paired_bootstrap(renamed, aggregate=aggregate, n_resamples=60)
    back = dict(zip(renamed.index, scores.index, strict=True))
    for name in BY_MODEL:
        assert getattr(first, name).equals(getattr(second, name).rename(back)), name
    for name in SQUARE:
        pd.testing.assert_frame_equal(
            getattr(first, name), getattr(second, name).rename(index=back, columns=back)
        )
    assert first.order == [back[m] for m in second.order]


def test_arrangement_of_a_board_with_holes_changes_no_bit():
    scores = board_with_holes()
    shuffled = scores.sample(frac=1, random_state=1).sample(frac=1, axis=1, random_state=2)
    for aggregate in ("mean", "borda", "borda-mteb", "bradley-terry", "wsm/equal"):
        assert_same(
            *(paired_bootstrap(s, aggregate=aggregate, n_resamples=100) for s in (scores, shuffled))
        )


@settings(max_examples=12)
@given(score_frames(min_datasets=2), st.sampled_from(["mean", "borda", "task-type-mean"]))
def test_what_holds_of_every_board(scores, aggregate):
    m, n = scores.shape
    k = min(3, m)
    types = ["a"] + ["b"] * (n - 1)
    found = paired_bootstrap(
        typed(scores, types), aggregate=aggregate, n_resamples=80, top_k=k, seed=1
    )
    assert found.p_best.sum() == pytest.approx(1.0)
    assert found.p_top.sum() == pytest.approx(k)
    for other in (1, m, m + 3):
        assert found.p_top_at(other).sum() == pytest.approx(min(other, m))
    pd.testing.assert_series_equal(found.p_top_at(k), found.p_top)
    chance, p = found.pairwise.to_numpy(), found.p_values.to_numpy()
    np.testing.assert_allclose(chance + chance.T, 1.0, atol=1e-12)
    np.testing.assert_array_equal(p, p.T)
    assert (p.diagonal() == 1.0).all()
    assert (p >= 2 / 81).all()
    # A p-value is twice the chance of the less likely side, which holds half of the ties.
    assert (p >= np.minimum(1.0, 2 * np.minimum(chance, chance.T)) - 1e-9).all()
    assert (found.rank_interval["low"] <= found.rank).all()
    assert (found.rank_interval["high"] >= found.rank).all()
    assert (found.interval["low"] <= found.interval["high"]).all()
    assert found.tiers[found.order].is_monotonic_increasing
    assert found.tiers.min() == 1
    assert sorted(found.tiers.unique()) == list(range(1, found.tiers.max() + 1))
    assert found.rank[found.order].is_monotonic_increasing
    assert sorted(found.order) == sorted(scores.index)


@settings(max_examples=12)
@given(score_frames(min_datasets=2))
def test_percent_and_unit_scores_are_one_board(scores):
    first, second = (paired_bootstrap(table, n_resamples=60) for table in (scores, 100 * scores))
    pd.testing.assert_frame_equal(rectangular(first), rectangular(second), atol=1e-12)
    np.testing.assert_array_equal(first.pairwise, second.pairwise)


def test_lower_is_better():
    scores = random_scores(5, 6)
    costs = scores.copy()
    costs["d3"] = 1 - costs["d3"]
    first = paired_bootstrap(scores, n_resamples=100)
    second = paired_bootstrap(ScoreMatrix(costs, direction={"d3": "min"}), n_resamples=100)
    pd.testing.assert_frame_equal(rectangular(first), rectangular(second), atol=1e-12)


def test_seed():
    scores = random_scores(6, 12, noise=0.2)
    state = np.random.get_state()[1].copy()
    first, again, generator, other = (
        paired_bootstrap(scores, n_resamples=4000, seed=seed)
        for seed in (7, 7, np.random.default_rng(7), 8)
    )
    np.testing.assert_array_equal(state, np.random.get_state()[1])
    assert first.samples.tobytes() == again.samples.tobytes() == generator.samples.tobytes()
    pd.testing.assert_frame_equal(rectangular(first), rectangular(again))
    assert not np.array_equal(first.samples, other.samples)
    for share in ("p_best", "p_top"):
        close = 5 * np.sqrt(0.25 / 4000)
        np.testing.assert_allclose(getattr(first, share), getattr(other, share), atol=close)
    np.testing.assert_allclose(first.pairwise, other.pairwise, atol=5 * np.sqrt(0.25 / 4000))
    np.testing.assert_allclose(first.interval, other.interval, atol=0.01)


@pytest.mark.parametrize("aggregate", ["mean", "borda", "vikor/merec"])
def test_estimate_and_rank_depend_on_neither_seed_nor_resamples(aggregate):
    scores = random_scores(6, 5, noise=0.2)
    results = [
        paired_bootstrap(scores, aggregate=aggregate, n_resamples=b, seed=seed)
        for seed, b in ((0, 2), (1, 50), (2, 300))
    ]
    for other in results[1:]:
        pd.testing.assert_series_equal(results[0].estimate, other.estimate)
        pd.testing.assert_series_equal(results[0].rank, other.rank)


@pytest.mark.parametrize("aggregate", sorted(set(AGGREGATES) - {"task-type-mean"}))
def test_every_aggregate_ranks_its_own_resamples(aggregate):
    """The board with copied columns gives what the resample gives."""
    scores = random_scores(5, 6, noise=0.2)
    found = paired_bootstrap(scores, aggregate=aggregate, n_resamples=60)
    kernel = AGGREGATES[aggregate].prepare(ScoreMatrix(scores))
    counts = oracle.redraw(scores, 60)
    np.testing.assert_allclose(found.samples, kernel(counts), atol=1e-9)
    np.testing.assert_allclose(found.estimate, kernel(np.ones((1, 6)))[:, 0], atol=1e-9)
    assert (found.by_dataset is not None) == isinstance(kernel, LinearKernel)
    assert found.settings["aggregate"] == aggregate
    assert found.p_best.sum() == pytest.approx(1.0)


def test_what_is_printed():
    found = paired_bootstrap(random_scores(4, 9), n_resamples=1000)
    assert repr(found).startswith(
        "Bootstrap of mean over 9 datasets: 1,000 resamples, 4 ranked models\n"
    )
    assert f"{found.order[0]} is best in {found.p_best.max():.0%} of them" in repr(found)
    clusters = dict.fromkeys([f"d{j}" for j in range(9)], 1)
    assert repr(
        paired_bootstrap(
            random_scores(4, 9), n_resamples=10, resampling="clusters", clusters=clusters
        )
    ) == ("Bootstrap of mean over 1 cluster: 10 resamples, 4 ranked models")


def test_to_frame_has_the_best_first_and_the_unranked_last():
    scores = board_with_holes()
    table = paired_bootstrap(scores, n_resamples=100).to_frame()
    assert table["rank"].iloc[:5].is_monotonic_increasing
    assert list(table.index[5:]) == ["m1", "m4"]
    assert list(table.columns) == (
        [
            "estimate",
            "ci_low",
            "ci_high",
            "rank",
            "rank_low",
            "rank_high",
            "tier",
            "p_best",
            "p_top",
        ]
    )


# -- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_settings", "message"),
    [
        ({"n_resamples": 0}, "n_resamples must be a whole number of at least 1; got 0"),
        ({"n_resamples": 10.0}, "n_resamples must be a whole number"),
        ({"n_resamples": True}, "n_resamples must be a whole number"),
        ({"top_k": 0}, "top_k must be a whole number of at least 1; got 0"),
        ({"seed": -1}, "seed must be a whole number of at least 0; got -1"),
        ({"seed": None}, "seed must be a whole number"),
        ({"confidence_level": 95}, "confidence_level must lie between 0 and 1, such as 0.95"),
        ({"confidence_level": 0.0}, "confidence_level must lie between 0 and 1"),
        ({"confidence_level": float("nan")}, "confidence_level must lie between 0 and 1"),
        ({"resampling": "tasks"}, "must be one of 'datasets', 'balanced', 'clusters'; got 'tasks'"),
        (
            {"tier_threshold": 0.4},
            "tier_threshold must be a probability of at least 0.5 and below 1; got",
        ),
        (
            {"tier_threshold": 1.0},
            "tier_threshold must be a probability of at least 0.5 and below 1; got",
        ),
        ({"tier_threshold": float("nan")}, "tier_threshold must be a probability of at least 0.5"),
        ({"tier_threshold": "high"}, "tier_threshold must be a probability; got 'high'"),
        ({"tier_threshold": True}, "tier_threshold must be a probability; got True"),
        ({"clusters": [1, 2, 3]}, "clusters must be a Series or a mapping .* got list"),
        ({"instances": {"d0": [[1]]}}, "instances must be InstanceScores; got dict"),
    ],
)
def test_settings_out_of_range(given_settings, message):
    with pytest.raises(ParameterError, match=message):
        paired_bootstrap(random_scores(3, 3), **{"n_resamples": 10, **given_settings})


def test_thresholds_of_numpy_are_numbers():
    found = paired_bootstrap(random_scores(3, 8), n_resamples=10, tier_threshold=np.float32(0.9))
    pd.testing.assert_series_equal(found.tiers, found.tiers_at(float(np.float32(0.9))))


@pytest.mark.parametrize("clusters", [{}, {"d0": 1}, {"d0": 1, "d1": np.nan, "d2": None}])
def test_datasets_without_a_cluster(clusters):
    with pytest.raises(InputError, match=r"clusters has no cluster for .*d2.*leave clusters out"):
        paired_bootstrap(random_scores(3, 3), n_resamples=10, clusters=clusters)


def test_unknown_aggregate():
    with pytest.raises(UnknownLabelError, match="Unknown aggregate 'boda': did you mean 'borda'"):
        paired_bootstrap(random_scores(3, 3), aggregate="boda")


@pytest.mark.parametrize(
    "needs_types", [{"resampling": "balanced"}, {"aggregate": "task-type-mean"}], ids=str
)
def test_unknown_task_types(needs_types):
    scores = random_scores(3, 3)
    with pytest.raises(InputError, match="task type of 3 of 3 datasets is unknown") as error:
        paired_bootstrap(scores, n_resamples=10, **needs_types)
    assert sorted(error.value.labels) == ["d0", "d1", "d2"]
    with pytest.raises(InputError, match=r"of 1 of 3 datasets is unknown: d1.*task_type"):
        paired_bootstrap(typed(scores, ["a", None, "a"]), n_resamples=10, **needs_types)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b: b.tiers_at(0.3), "at least 0.5"),
        (lambda b: b.resolved_at(1.0), "below 1"),
        (lambda b: b.p_top_at(0), "k must be a whole number of at least 1"),
    ],
)
def test_questions_out_of_range(call, message):
    found = paired_bootstrap(frame([[0.5, 0.6], [0.4, 0.7]]), n_resamples=10)
    with pytest.raises(ParameterError, match=message):
        call(found)
