from __future__ import annotations

import subprocess
import sys
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from robustrank.errors import ParameterError
from robustrank.redundancy import cluster_datasets, effective_number, find_redundancy
from tests.conftest import frame, random_scores, score_frames

# Clusterings stated in "On the Robustness of Multilingual Text Embedding Rankings" (2026): number
# of datasets, of clusters, and the clusters with more than one dataset.
FIVE_IN_ONE = (
    "ArXivHierarchicalClusteringP2P ArXivHierarchicalClusteringS2S "
    "BiorxivClusteringP2P.v2 MedrxivClusteringP2P.v2 WikiCitiesClustering"
)
PUBLISHED = {
    "fra_Clustering": (
        4,
        2,
        ["AlloProfClusteringS2S.v2 HALClusteringS2S.v2 MasakhaNEWSClusteringS2S"],
    ),
    "eng_Clustering": (
        9,
        5,
        [FIVE_IN_ONE],
    ),
    "hin_Classification": (4, 3, ["MassiveIntentClassification SentimentAnalysisHindi"]),
    "eng_STS": (10, 5, ["SICK-R STS12 STS13 STS14 STS15 STSBenchmark"]),
    "eng_Retrieval": (
        16,
        13,
        [
            "HagridRetrieval LegalBenchCorporateLobbying",
            "MIRACLRetrievalHardNegatives MLQARetrieval",
            "SCIDOCS TRECCOVID",
        ],
    ),
    "deu_Retrieval": (4, 3, ["MIRACLRetrievalHardNegatives MLQARetrieval"]),
    "spa_Retrieval": (3, 2, ["MIRACLRetrievalHardNegatives MLQARetrieval"]),
    "eng_PairClassification": (6, 5, ["SprintDuplicateQuestions TwitterURLCorpus"]),
    "fra_BitextMining": (5, 2, ["BUCC.v2 DiaBlaBitextMining NTREXBitextMining Tatoeba"]),
}


def partition(clusters: pd.Series) -> set[frozenset[str]]:
    return {frozenset(group.index) for number, group in clusters.groupby(clusters) if number}


@pytest.mark.parametrize(("name", "published"), PUBLISHED.items(), ids=PUBLISHED.keys())
def test_published_clusters(shared, name, published):
    scores = pd.read_csv(shared / "data" / "matrices" / f"{name}.csv", index_col="model")
    result = find_redundancy(scores)
    n, q, groups = published
    assert (result.n, result.q) == (n, q)
    shared_clusters = {group for group in partition(result.clusters) if len(group) > 1}
    assert shared_clusters == {frozenset(group.split()) for group in groups}


@given(score_frames(min_models=3), st.sampled_from([0.0, 0.5, 0.8, 0.9, 1.0]))
def test_equals_single_linkage_of_scipy(scores, tau):
    varied = scores.loc[:, scores.nunique() > 1]
    result = find_redundancy(varied, tau)
    if varied.shape[1] < 2:
        assert result.q == varied.shape[1]
        return
    distance = 1 - result.correlation.to_numpy()
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "single")
    # scipy joins at a distance up to t, we above tau: step just below.
    labels = fcluster(tree, np.nextafter(1 - tau, -1), "distance")
    assert partition(result.clusters) == partition(pd.Series(labels, index=varied.columns))
    np.testing.assert_allclose(
        np.sort(1 - result.merges["correlation"]), np.sort(tree[:, 2]), atol=1e-12
    )


STRICTER = pytest.mark.parametrize("kind", ["average", "complete"])
LINKAGES = pytest.mark.parametrize("kind", ["single", "average", "complete"])


def by_scipy(correlation: pd.DataFrame, kind: str, tau: float) -> set[frozenset[str]]:
    """Clusters that scipy joins at a distance just below 1 - tau, where we join above tau."""
    distance = 1 - correlation.to_numpy()
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), kind)
    labels = fcluster(tree, np.nextafter(1 - tau, -1), "distance")
    return partition(pd.Series(labels, index=correlation.columns))


@LINKAGES
def test_every_linkage_equals_that_of_scipy(kind):
    found = set()
    for seed, tau in product(range(8), (0.0, 0.6, 0.8, 0.85, 0.9)):
        result = find_redundancy(random_scores(25, 14, seed), tau, linkage=kind)
        assert partition(result.clusters) == by_scipy(result.correlation, kind, tau)
        found.add(result.q)
    assert len(found) > 5  # not only one cluster, or none that repeats


@LINKAGES
@pytest.mark.parametrize("name", ["eng_Retrieval", "eng_STS", "fra_Clustering"])
def test_every_linkage_equals_that_of_scipy_on_real_scores(shared, name, kind):
    scores = pd.read_csv(shared / "data" / "matrices" / f"{name}.csv", index_col="model")
    for tau in (0.5, 0.8, 0.9, 0.95):
        result = find_redundancy(scores, tau, linkage=kind)
        assert result.linkage == kind
        assert partition(result.clusters) == by_scipy(result.correlation, kind, tau)


def holed_scores(seed: int) -> pd.DataFrame:
    """Scores of which a quarter is missing, so that some pairs of datasets share too few models."""
    scores = random_scores(18, 9, seed)
    return scores.mask(np.random.default_rng(seed).random(scores.shape) < 0.25)


def merged_by_hand(correlation: pd.DataFrame, kind: str, tau: float) -> set[frozenset[str]]:
    """Merge the two clusters with the highest mean or minimum until none has one above tau."""
    clusters = [[name] for name in correlation]
    while True:
        heights = {
            (i, j): getattr(correlation.loc[clusters[i], clusters[j]].to_numpy(), kind)()
            for i in range(len(clusters))
            for j in range(i + 1, len(clusters))
        }
        above = {pair: height for pair, height in heights.items() if height > tau}  # NaN is not
        if not above:
            return {frozenset(cluster) for cluster in clusters}
        i, j = max(above, key=above.get)
        clusters[i] += clusters.pop(j)


@pytest.mark.parametrize(("kind", "method"), [("average", "mean"), ("complete", "min")])
def test_undefined_correlations_never_link(kind, method):
    undefined = 0
    for seed in range(6):
        scores = holed_scores(seed)
        result = find_redundancy(scores, 0.6, linkage=kind)
        assert partition(result.clusters) == merged_by_hand(result.correlation, method, 0.6)
        for members in partition(result.clusters):
            assert result.correlation.loc[list(members), list(members)].notna().all(axis=None)
        undefined += result.correlation.isna().to_numpy().sum()
        assert result.merges["correlation"].notna().all()
    assert undefined > 0


@STRICTER
def test_one_undefined_pair_among_many_strong_ones_keeps_clusters_apart(kind):
    """Its distance is not just large: it outweighs any number of small ones."""
    ability = np.linspace(0.1, 0.9, 40)
    noise = np.random.default_rng(0).normal(0, 0.001, (40, 30))
    scores = frame(ability[:, None] + noise)
    scores.iloc[:18, 0] = np.nan
    scores.iloc[20:, 29] = np.nan  # shares two models with d0
    other = ability[np.random.default_rng(1).permutation(40)]
    scores["x"], scores["y"] = other, other + 200 * noise[:, 0]  # a weaker pair, to merge last
    assert find_redundancy(scores, 0.5).q == 2
    result = find_redundancy(scores, 0.5, linkage=kind)
    assert result.clusters["d0"] != result.clusters["d29"]
    assert result.clusters["x"] == result.clusters["y"]
    assert result.q == 3


@given(score_frames(min_models=3), st.sampled_from([0.0, 0.5, 0.8, 0.9, 1.0]))
def test_stricter_linkages_split_the_clusters_of_single_linkage(scores, tau):
    single = partition(cluster_datasets(scores, tau))
    for kind in ("average", "complete"):
        result = find_redundancy(scores, tau, linkage=kind)
        for members in partition(result.clusters):
            assert any(members <= larger for larger in single)
            if kind == "complete" and len(members) > 1:
                pairs = result.correlation.loc[list(members), list(members)]
                assert (pairs > tau).all(axis=None) or tau == 1.0
        assert result.merges["correlation"].is_monotonic_decreasing


@STRICTER
def test_the_order_of_rows_and_columns_changes_nothing_where_correlations_tie(kind):
    """Equal correlations come out of sums in another order with other last digits."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        scores = frame(rng.integers(1, 4, (5, 7)) / 10)
        turned = scores.iloc[rng.permutation(5), rng.permutation(7)]
        for tau in (0.35, 0.55):
            one, other = (find_redundancy(s, tau, linkage=kind) for s in (scores, turned))
            assert one.clusters.to_dict() == other.clusters.to_dict()
            pd.testing.assert_frame_equal(one.merges, other.merges)
            assert one.merges["correlation"].is_monotonic_decreasing


@STRICTER
def test_names_change_no_cluster(kind):
    scores = random_scores(12, 8)
    names = dict(zip(scores, "hfgeacbd", strict=True))
    one = find_redundancy(scores, 0.9, linkage=kind)
    other = find_redundancy(scores.rename(columns=names), 0.9, linkage=kind)
    assert 1 < one.q < 8
    assert one.clusters.rename(names).to_dict() == other.clusters.to_dict()
    assert one.merges.replace(names).equals(other.merges)


def test_merges_name_a_pair_with_the_correlation_of_the_merge():
    scores = random_scores(25, 10, 3)
    for kind in ("single", "average", "complete"):
        result = find_redundancy(scores, linkage=kind)
        groups = {name: {name} for name in scores}
        for a, b, height, fragile in result.merges.itertuples(index=False):
            assert fragile == (abs(height - 0.9) <= 0.02)
            across = result.correlation.loc[sorted(groups[a]), sorted(groups[b])]
            pair = result.correlation.loc[a, b]
            if kind == "average":
                assert height == pytest.approx(across.mean(axis=None), abs=1e-14)
                assert abs(pair - height) == pytest.approx((across - height).abs().min(axis=None))
            else:
                extreme = across.max if kind == "single" else across.min
                assert height == pair == extreme(axis=None)
            union = groups[a] | groups[b]
            groups.update(dict.fromkeys(union, union))
        assert len(result.merges) == 9


@STRICTER
def test_a_merge_at_the_threshold_itself_does_not_happen(kind):
    scores = random_scores(25, 10, 3)
    for position, height in enumerate(find_redundancy(scores, linkage=kind).merges["correlation"]):
        assert find_redundancy(scores, height, linkage=kind).q == 10 - position
        assert find_redundancy(scores, np.nextafter(height, 0), linkage=kind).q == 9 - position


@LINKAGES
def test_one_dataset_and_a_dataset_on_which_all_tie(kind):
    one = find_redundancy(random_scores(12, 1), linkage=kind)
    assert (one.q, len(one.merges)) == (1, 0)
    flat = find_redundancy(chained().assign(flat=0.5), linkage=kind)
    wanted = cluster_datasets(chained()).to_dict() | {"flat": 0}
    assert flat.clusters.to_dict() == wanted


def test_scipy_cluster_is_imported_only_where_it_is_needed_and_scipy_stats_never():
    code = (
        "import sys, robustrank as rr; scores = rr.load_example().select(task_type='STS')\n"
        "for linkage in ('single', 'average'):\n"
        "    rr.cluster_datasets(scores, linkage=linkage)\n"
        "    print([m in sys.modules for m in ('scipy.cluster', 'scipy.stats')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[False, False]", "[True, False]"]


def chained() -> pd.DataFrame:
    """Three copies of one dataset, two of another, and one on its own."""
    rng = np.random.default_rng(0)
    a, b, c = rng.uniform(0.2, 0.8, (3, 30))
    noise = rng.normal(0, 0.01, (30, 6))
    return frame(np.column_stack([a, b, a, c, a, b]) + noise)


def test_clusters_are_numbered_from_the_largest():
    clusters = cluster_datasets(chained())
    assert clusters.to_dict() == {"d0": 1, "d2": 1, "d4": 1, "d1": 2, "d5": 2, "d3": 3}


def test_picks_hold_one_dataset_of_each_cluster_and_differ():
    result = find_redundancy(chained(), n_compositions=4)
    assert list(result.compositions.index) == ["all", "pick-1", "pick-2", "pick-3", "pick-4"]
    assert result.compositions.loc["all"].all()
    for name in result.picks:
        members = result.clusters[result.compositions.loc[name]]
        assert sorted(members) == [1, 2, 3]
    assert not result.compositions.duplicated().any()
    assert result.n_unique == 4


def test_all_picks_are_taken_when_there_are_few():
    assert find_redundancy(chained(), n_compositions=100).n_unique == 6


@pytest.mark.parametrize("tau", [0.0, 1.0])
def test_no_picks_when_all_is_one_cluster_or_none_repeats(tau):
    scores = random_scores(20, 4) if tau == 0.0 else chained()
    result = find_redundancy(scores, tau)
    assert result.q == (1 if tau == 0.0 else 6)
    assert result.picks == ["all"]
    assert result.n_unique == 1


def test_seed():
    draws = [find_redundancy(chained(), seed=seed).compositions for seed in (1, 1, 2)]
    pd.testing.assert_frame_equal(draws[0], draws[1])
    assert not draws[0].equals(draws[2])
    state = np.random.get_state()[1].copy()
    find_redundancy(chained(), seed=np.random.default_rng(1))
    np.testing.assert_array_equal(state, np.random.get_state()[1])


def test_draws_depend_on_neither_order_nor_names():
    scores = chained()
    result = find_redundancy(scores, seed=5)
    renamed = scores.rename(
        columns=dict(zip(scores, "uvwxyz", strict=True)), index=lambda m: f"x{m}"
    )
    again = find_redundancy(renamed.iloc[::-1, [3, 1, 5, 0, 2, 4]], seed=5)
    back = again.compositions.rename(columns=dict(zip("uvwxyz", scores, strict=True)))[
        scores.columns
    ]
    pd.testing.assert_frame_equal(result.compositions, back, check_names=False)


def test_copies_of_a_dataset_add_no_effective_dataset():
    one = random_scores(30, 1)
    copies = pd.concat([one["d0"].rename(f"c{i}") for i in range(5)], axis=1)
    assert find_redundancy(copies).n_effective == pytest.approx(1.0)
    assert effective_number(np.eye(4)) == 4.0


@given(score_frames(min_models=3, min_datasets=2))
def test_effective_number_from_eigenvalues(scores):
    result = find_redundancy(scores)
    defined = result.clusters > 0
    eigenvalues = np.linalg.eigvalsh(result.correlation.loc[defined, defined])
    if defined.any():
        expected = eigenvalues.sum() ** 2 / (eigenvalues**2).sum()
        assert result.n_effective == pytest.approx(expected)
    else:
        assert result.n_effective == 0.0


def test_a_dataset_on_which_all_tie_belongs_to_no_cluster():
    scores = chained()
    scores["flat"] = 0.5
    result = find_redundancy(scores)
    assert result.clusters["flat"] == 0
    assert (result.n, result.q) == (6, 3)
    assert not result.compositions.loc["pick-1", "flat"]


def test_merges_near_the_threshold_are_reported():
    merged = find_redundancy(chained(), 0.9)
    assert "fragile-clusters" not in [note.code for note in merged.notes]
    height = merged.merges["correlation"].iloc[2]
    fragile = find_redundancy(chained(), height - 0.01)
    note = next(note for note in fragile.notes if note.code == "fragile-clusters")
    assert f"{height:.3f}" in note.message
    assert set(note.labels) >= set(merged.merges.iloc[2][["dataset_a", "dataset_b"]])


def test_a_dataset_without_any_score_belongs_to_no_cluster():
    scores = random_scores(15, 3).assign(empty=np.nan)
    assert cluster_datasets(scores)["empty"] == 0


def test_few_models_and_few_shared_models_are_noted():
    assert [n.code for n in find_redundancy(random_scores(5, 2)).notes].count("few-models") == 1
    scores = random_scores(20, 3)
    scores.iloc[:12, 0] = np.nan
    scores.iloc[14:, 1] = np.nan
    result = find_redundancy(scores, 0.0)
    assert "unlinked-pairs" in [note.code for note in result.notes]
    assert result.clusters["d0"] != result.clusters["d1"]


def test_spearman_follows_the_ranks():
    scores = frame(np.column_stack([np.linspace(0.1, 0.9, 15), np.linspace(0.1, 0.9, 15) ** 9]))
    assert find_redundancy(scores, 0.95).q == 2
    assert find_redundancy(scores, 0.95, correlation="spearman").q == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tau": 1.5}, "between 0 and 1"),
        ({"tau": float("nan")}, "between 0 and 1"),
        ({"correlation": "kendall"}, "'pearson' or 'spearman'"),
        ({"linkage": "ward"}, "'single', 'average' or 'complete'; got 'ward'"),
        ({"n_compositions": -1}, "whole number of at least 0"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ParameterError, match=message):
        find_redundancy(random_scores(4, 2), **settings)
