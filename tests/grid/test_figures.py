"""Figures as tidy tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

import robustrank as rr
from robustrank._dendrogram import cluster_models
from robustrank.errors import ParameterError, UnknownLabelError
from robustrank.grid.figures import figure_table
from tests.conftest import frame, random_scores

CELL = {"language": "pol", "task_type": "BitextMining"}
RANKING = ["composition", "scheme"]
KINDS = {
    "consistency": {"language": "pol"},
    "coverage": {},
    "dendrogram": CELL,
    "ess": {},
    "evidence": {},
    "merges": CELL,
    "n": {},
    "ranks": CELL,
    "variance": CELL,
}


@pytest.fixture(scope="module")
def example() -> rr.Study:
    return rr.study(rr.load_example(), languages=["slv", "pol"])


def small_study(scores: pd.DataFrame, **settings) -> rr.Study:
    """Two languages, two task types; d0 and d1 repeat each other."""
    names = ["d0", "d1", "d2", "d3", "d4"]
    tasks = pd.DataFrame(
        {
            "task_type": ["STS", "STS", "STS", "Retrieval", "Retrieval"],
            "languages": ["aaa", "aaa", "aaa;bbb", "aaa", "bbb"],
        },
        index=names,
    )
    scores = scores.assign(d1=scores["d0"] + 0.01 * scores["d2"])
    return rr.study(rr.ScoreMatrix(scores, tasks), top_k=4, **settings)


@pytest.fixture(scope="module")
def rearranged() -> tuple[rr.Study, rr.Study]:
    """A study whose two best models tie, and the same with rows and columns in another order."""
    scores = random_scores(14, 5)
    scores.loc[["m0", "m9"]] = scores.to_numpy().max(axis=0)
    shuffled = scores.iloc[::-1][["d3", "d1", "d4", "d0", "d2"]]
    return small_study(scores), small_study(shuffled)


def wide(table: pd.DataFrame, value: str) -> pd.DataFrame:
    return table.pivot(index="model", columns=RANKING, values=value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_is_one_observation(example, kind):
    table = figure_table(example, kind, **KINDS[kind])
    assert isinstance(table.index, pd.RangeIndex)
    assert table.columns.nlevels == 1
    keys = [name for name in table if not pd.api.types.is_float_dtype(table[name])]
    assert len(table) > 1
    assert not table.duplicated(keys).any()
    pd.testing.assert_frame_equal(table, figure_table(example, kind, **KINDS[kind]))


@pytest.mark.parametrize(("kind", "column"), [("ess", "ess"), ("n", "n"), ("evidence", "level")])
def test_tables_of_cells_have_every_cell(example, kind, column):
    table = figure_table(example, kind)
    assert list(zip(table["language"], table["task_type"], strict=True)) == list(
        example.cells.index
    )
    assert table[column].tolist() == example.cells[column].tolist()


def test_levels_are_numbered_by_strength(example):
    table = figure_table(example, "evidence")
    found = dict(zip(table["level"], table["level_order"], strict=True))
    assert found == {"E0": 0, "E1": 1, "E_SC": 2, "E_RS": 3, "E_RS+DS": 4}


def test_fields_of_other_names_name_the_columns():
    found = small_study(random_scores(6, 5), by=("task_type", "language"))
    assert list(figure_table(found, "n")) == ["task_type", "language", "n"]


def test_ranks_hold_every_rank_of_the_first_models(example):
    table = figure_table(example, "ranks", **CELL, top=7)
    ranks = example.ranks("pol", "BitextMining")
    order = list(table["model"].unique())
    assert len(order) == 7
    assert ranks.mean(axis=1)[order].is_monotonic_increasing
    assert ranks.mean(axis=1).drop(order).min() >= ranks.mean(axis=1)[order[-1]]
    pd.testing.assert_frame_equal(
        wide(table, "rank").loc[order, ranks.columns], ranks.loc[order], check_names=False
    )
    assert figure_table(example, "ranks", **CELL)["model"].nunique() == 6


def test_the_dendrogram_holds_whoever_is_anywhere_in_the_top(example):
    ranks = example.ranks("pol", "BitextMining")
    for top_k in (1, 5, None):
        table = figure_table(example, "dendrogram", **CELL, top_k=top_k)
        depth = top_k or example.settings["top_k"]
        members = ranks.index[(ranks <= depth).any(axis=1)]
        assert set(table["model"]) == set(members)
        place = table.drop_duplicates("model")["order"]
        assert place.tolist() == list(range(len(members)))
        pd.testing.assert_frame_equal(
            wide(table, "rank").loc[members, ranks.columns], ranks.loc[members], check_names=False
        )


def oriented(values: np.ndarray) -> list[int]:
    """Leaves of scipy's tree, of two sides that with the lower mean first."""
    root = hierarchy.to_tree(hierarchy.linkage(values, "average"))

    def leaves(node: hierarchy.ClusterNode) -> list[int]:
        if node.is_leaf():
            return [node.id]
        left, right = leaves(node.left), leaves(node.right)
        turned = values[right].mean().round(10) < values[left].mean().round(10)
        return right + left if turned else left + right

    return leaves(root)


@pytest.mark.parametrize("seed", range(5))
def test_the_tree_is_that_of_scipy(seed):
    table = random_scores(12, 6, seed)
    found = cluster_models(table)
    assert found.order == [table.index[leaf] for leaf in oriented(table.to_numpy())]
    tree = found.merges[["left", "right", "height", "size"]].to_numpy(dtype=float)
    # Numbers are places in the order, so that the leaves are drawn from 0 to m - 1.
    assert hierarchy.is_valid_linkage(tree)
    assert hierarchy.leaves_list(tree).tolist() == list(range(12))
    expected = hierarchy.cophenet(hierarchy.linkage(table.loc[found.order], "average"))
    np.testing.assert_allclose(hierarchy.cophenet(tree), expected, atol=1e-9)


def test_merges_name_models_and_number_clusters(example):
    table = figure_table(example, "merges", **CELL)
    order = figure_table(example, "dendrogram", **CELL)["model"].unique()
    m = len(order)
    assert table["cluster"].tolist() == list(range(m, 2 * m - 1))
    assert table["size"].iloc[-1] == m
    assert table["height"].is_monotonic_increasing
    used = [*table["left"], *table["right"]]
    assert sorted(used) == list(range(2 * m - 2))
    for side in ("left", "right"):
        for number, model in zip(table[side], table[f"{side}_model"], strict=True):
            assert (model == order[number]) if number < m else pd.isna(model)


def test_heights_are_mean_distances_between_the_sides():
    values = np.array([[1.0, 1.0], [1.0, 2.0], [4.0, 5.0]])
    merges = cluster_models(frame(values)).merges
    assert merges["height"].tolist() == pytest.approx([1.0, (5.0 + np.sqrt(18.0)) / 2.0])
    assert merges[["left", "right"]].to_numpy().tolist() == [[0, 1], [3, 2]]
    distances = squareform(hierarchy.cophenet(merges[["left", "right", "height", "size"]]))
    assert distances[0, 1] == pytest.approx(1.0)


def test_a_single_model_needs_no_merge():
    found = cluster_models(frame([[1.0, 2.0]]))
    assert found.order == ["m0"]
    assert found.merges.empty
    assert list(found.merges)[:3] == ["cluster", "left", "right"]


def test_variances_are_those_of_the_ranks(example):
    ranks = example.ranks("pol", "BitextMining")
    table = figure_table(example, "variance", **CELL)
    assert set(table["model"]) == set(ranks.index)
    for kind, level in (("ST", "composition"), ("SN", "scheme")):
        found = table[table["kind"] == kind].pivot(index="model", columns="name", values="value")
        expected = ranks.T.groupby(level=level).var(ddof=0).T
        pd.testing.assert_frame_equal(
            found.loc[ranks.index, expected.columns], expected, check_names=False
        )


def test_variance_over_one_composition_is_undefined(example):
    table = figure_table(example, "variance", language="pol", task_type="Classification")
    values = table.groupby("kind")["value"]
    assert values.count()["SN"] == 0
    assert values.count()["ST"] == values.size()["ST"] > 0


def test_consistency_counts_task_types(example):
    table = figure_table(example, "consistency", language="pol", top_k=3)
    expected = example.cross_task("pol", 3, by_composition=True)
    found = wide(table, "consistency")
    pd.testing.assert_frame_equal(
        found.loc[expected.index, expected.columns], expected, check_names=False
    )
    leaves = oriented(-expected.to_numpy())
    assert set(table["order"]) == set(range(len(leaves)))
    first = table.loc[table["order"] == 0, "model"].iloc[0]
    assert first in {expected.index[leaf] for leaf in leaves[: len(leaves) // 2]}


def test_coverage_says_who_leads_where(example):
    for top in (1, 3):
        table = figure_table(example, "coverage", top=top)
        expected = example.coverage(top)
        found = table.pivot(index="model", columns="language", values="leads")
        assert (found.loc[expected.index, expected.columns] == expected).all(axis=None)
        shares = table.groupby("model", sort=False)["share"].unique()
        assert [share.item() for share in shares] == expected.mean(axis=1).tolist()
    assert list(table) == ["model", "language", "leads", "share"]


@pytest.mark.parametrize(
    ("kind", "which"),
    [
        ("consistency", {"language": "aaa"}),
        ("dendrogram", {"language": "aaa", "task_type": "STS"}),
        ("merges", {"language": "aaa", "task_type": "STS"}),
        ("variance", {"language": "aaa", "task_type": "STS"}),
        ("ranks", {"language": "aaa", "task_type": "STS", "top": 5}),
    ],
)
def test_the_order_of_rows_and_columns_changes_nothing(rearranged, kind, which):
    one, other = (figure_table(found, kind, **which) for found in rearranged)
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_names_do_not_change_the_tree():
    table = random_scores(10, 6)
    renamed = table.rename(index=lambda name: f"z{9 - int(name[1:])}")
    one, other = cluster_models(table), cluster_models(renamed)
    assert other.order == [f"z{9 - int(name[1:])}" for name in one.order]
    numbers = ["left", "right", "height", "size"]
    pd.testing.assert_frame_equal(one.merges[numbers], other.merges[numbers], check_exact=True)


@pytest.mark.parametrize(
    ("kind", "which", "message"),
    [
        ("heatmap", {}, "Unknown kind of figure 'heatmap'; known: consistency, coverage"),
        ("ess", {"top": 1}, "'ess' does not take top; it takes no arguments"),
        ("ranks", {"language": "pol"}, r"needs task_type; it takes language, task_type, top \(opt"),
        (
            "dendrogram",
            {**CELL, "top": 3},
            "does not take top; it takes language, task_type, top_k",
        ),
        ("ranks", {**CELL, "top": 0}, "top must be a whole number of at least 1; got 0"),
        ("dendrogram", {**CELL, "top_k": 2.5}, "top_k must be a whole number of at least 1; got 2"),
        ("coverage", {"top": 0}, "top must be a whole number of at least 1; got 0"),
        ("consistency", {"language": "pol", "top_k": 0}, "top_k must be a whole number"),
    ],
)
def test_what_a_figure_cannot_be_made_from_is_refused(example, kind, which, message):
    with pytest.raises(ParameterError, match=message):
        figure_table(example, kind, **which)


@pytest.mark.parametrize("kind", ["dendrogram", "merges", "ranks", "variance"])
def test_unknown_cells_are_refused(example, kind):
    with pytest.raises(UnknownLabelError, match="did you mean 'pol'"):
        figure_table(example, kind, language="pool", task_type="STS")
    with pytest.raises(UnknownLabelError, match="Unknown task_type 'Sums'"):
        figure_table(example, kind, language="pol", task_type="Sums")


#: Clusters of models that *Robustness* reads off its French dendrograms (§5.1, Appendix D.1).
FRENCH = {
    "Clustering": [
        {"llama-embed-nemotron-8b", "Qwen3-Embedding-8B"},
        {"Octen-Embedding-8B", "multilingual-e5-large-instruct"},
        {"Qwen3-Embedding-4B", "GritLM-8x7B"},
        {"SFR-Embedding-Mistral", "e5-mistral-7b-instruct", "Linq-Embed-Mistral", "GritLM-7B"},
    ],
    "Classification": [
        {
            "Qwen3-Embedding-8B",
            "Qwen3-Embedding-4B",
            "Octen-Embedding-8B",
            "llama-embed-nemotron-8b",
        },
        {"GritLM-7B", "GritLM-8x7B", "Linq-Embed-Mistral"},
        {"SFR-Embedding-2_R", "SFR-Embedding-Mistral", "e5-mistral-7b-instruct"},
    ],
}


def test_clusters_that_robustness_describes_come_out(shared):
    data = shared / "data"
    found = rr.study(
        data / "mteb_multilingual_v2_dec2025.parquet",
        tasks=data / "tasks_multilingual_v2_dec2025.csv",
        models=data / "models_dec2025.parquet",
        preset="papers",
        languages="fra",
        task_types=list(FRENCH),
    )
    for task_type, stated in FRENCH.items():
        clusters = clusters_of(found, task_type)
        for cluster in stated:
            assert frozenset(cluster) in clusters, (task_type, cluster)


def clusters_of(found: rr.Study, task_type: str) -> set[frozenset[str]]:
    """All clusters of a tree, as sets of the part of the models' names after the slash."""
    cell = {"language": "fra", "task_type": task_type}
    models = figure_table(found, "dendrogram", **cell)["model"].unique()
    members = [frozenset([name.split("/")[-1]]) for name in models]
    for left, right in figure_table(found, "merges", **cell)[["left", "right"]].to_numpy():
        members.append(members[left] | members[right])
    return set(members)
