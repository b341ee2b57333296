from __future__ import annotations

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
        ({"n_compositions": -1}, "whole number of at least 0"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ParameterError, match=message):
        find_redundancy(random_scores(4, 2), **settings)
