"""Stability of rankings against scipy's τ, and what leaves it undefined."""

from __future__ import annotations

import json
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.statistics import ranking_stability, read_scores
from robustrank.evaluators.hteb.statistics.scores import with_axes
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from robustrank.figures import style
from tests.evaluators.hteb.statistics.boards import planted
from tests.figures.layout import assert_readable

PARTS = [*TRANSFORMATIONS, *AXES, "total"]


def tau(x, y):
    return stats.kendalltau(np.round(x, 10), np.round(y, 10)).statistic


def codes(found):
    return [note.code for note in found.notes]


@pytest.fixture(scope="module")
def board():
    """Scores to two decimals, so that models tie."""
    table = planted(8, 5, runs=3, noise=0.02)
    return table.assign(score=table["score"].round(2))


@pytest.fixture(scope="module")
def found(board):
    return ranking_stability(board)


def test_each_tau_is_that_of_scipy(board, found):
    scores = read_scores(board)
    transformed = with_axes(scores.transformed, scores.axes)
    baseline = with_axes(scores.baseline, scores.axes)
    assert list(found.by_dataset.index) == scores.datasets
    assert list(found.by_dataset.columns) == PARTS
    for dataset in scores.datasets:
        one, other = (table.xs(dataset, level="dataset") for table in (baseline, transformed))
        for part in PARTS:
            assert found.by_dataset.loc[dataset, part] == pytest.approx(tau(one[part], other[part]))


def test_within_is_the_mean_over_pairs_of_runs(board, found):
    for dataset in ("data 0", "data 3"):
        rows = board[board["dataset"] == dataset]
        for part, names in (("expansion", ["expansion"]), ("Language", AXES["Language"])):
            some = rows[rows["transformation"].isin(names)]
            runs = some.groupby(["model", "run"])["score"].mean().unstack()
            expected = np.mean([tau(runs[a], runs[b]) for a, b in combinations(range(3), 2)])
            assert found.within.loc[dataset, part] == pytest.approx(expected)


def test_the_table_is_over_datasets(found):
    taus, table = found.by_dataset["Length"], found.table.loc["Length"]
    assert table["mean"] == pytest.approx(taus.mean())
    assert table["sd"] == pytest.approx(taus.std(ddof=1))
    low, high = stats.t.interval(0.95, 4, taus.mean(), stats.sem(taus))
    assert (table["low"], table["high"]) == pytest.approx((max(low, -1), min(high, 1)))
    assert table["within"] == pytest.approx(found.within["Length"].mean())
    assert table["within_sd"] == pytest.approx(found.within["Length"].std(ddof=1))
    assert (found.table["n_datasets"] == 5).all()
    assert found.table[["low", "high"]].abs().max().max() <= 1.0


def test_the_tau_of_an_axis_is_of_its_scores(found):
    by_name = found.by_dataset
    means = by_name[list(AXES["Length"])].mean(axis="columns")
    assert not np.allclose(means, by_name["Length"])


@pytest.mark.parametrize(("sign", "expected"), [(1.0, 1.0), (-1.0, -1.0)])
def test_the_same_order_and_its_reverse(sign, expected):
    table = planted(6, 3, runs=1)
    quality = table["model"].str.removeprefix("model ").astype(float) / 100
    original = table["transformation"] == "original"
    found = ranking_stability(table.assign(score=0.5 + quality.where(original, sign * quality)))
    np.testing.assert_allclose(found.table["mean"], expected)
    np.testing.assert_allclose(found.table["sd"], 0.0, atol=1e-12)


def test_noise_of_runs_lowers_within(board):
    """Within is 1 where runs are copies of each other, and near 0 where they are noise."""
    one = board[board["run"] == 0]
    copies = pd.concat([one.assign(run=run) for run in range(3)])
    np.testing.assert_allclose(ranking_stability(copies).within, 1.0)
    noise = copies.assign(score=np.random.default_rng(0).uniform(size=len(copies)))
    assert abs(ranking_stability(noise).table["within"].mean()) < 0.15


def test_one_model_has_no_ranking():
    found = ranking_stability(planted(1, 3))
    assert codes(found) == ["one-model"]
    assert found.by_dataset.isna().to_numpy().all()
    assert found.table["mean"].isna().all()
    assert (found.table["n_datasets"] == 0).all()


def test_one_dataset_has_no_interval():
    found = ranking_stability(planted(4, 1))
    assert codes(found) == ["one-dataset"]
    assert found.table["mean"].notna().all()
    assert found.table[["sd", "low", "high"]].isna().to_numpy().all()


def test_one_run_says_nothing_of_runs():
    found = ranking_stability(planted(4, 3, runs=1))
    assert codes(found) == ["one-run"]
    assert found.within.isna().to_numpy().all()
    assert found.table["within"].isna().all()


def test_models_that_all_tie(board):
    table = board.copy()
    table.loc[table["dataset"] == "data 2", "score"] = 0.5
    found = ranking_stability(table)
    (note,) = found.notes
    assert (note.code, note.labels) == ("undefined-tau", ("data 2",))
    assert found.by_dataset.loc["data 2"].isna().all()
    assert (found.table["n_datasets"] == 4).all()


def test_missing_scores_that_were_kept(board):
    gone = (board["dataset"] == "data 1") & (board["model"] == "model 5")
    found = ranking_stability(read_scores(board[~gone], missing="keep"))
    fewer = ranking_stability(board[board["model"] != "model 5"])
    full = ranking_stability(board)
    for name in ("by_dataset", "within"):
        rows = getattr(found, name)
        pd.testing.assert_series_equal(rows.loc["data 1"], getattr(fewer, name).loc["data 1"])
        pd.testing.assert_series_equal(rows.loc["data 0"], getattr(full, name).loc["data 0"])
    assert codes(found) == ["missing-scores"]


def test_runs_of_other_labels_are_compared_in_their_order(board, found):
    """Seeds of a model's own, or of a transformation's, name runs and change none."""
    of_model = board["run"] + 10 * (board["model"] == "model 0")
    one = ranking_stability(board.assign(run=of_model))
    pd.testing.assert_frame_equal(one.within, found.within)
    assert codes(one) == ["unlike-runs"]
    assert one.notes[0].labels == tuple(one.by_dataset.index)
    every = ranking_stability(board.assign(run=board["model"] + board["run"].astype(str)))
    pd.testing.assert_frame_equal(every.within, found.within)
    assert codes(every) == ["unlike-runs"]
    original = board[board["transformation"] == "original"]
    seeds = board["transformation"] + board["run"].astype(str)
    of_text = ranking_stability(
        pd.concat([original[original["run"] == 0], board.assign(run=seeds).drop(original.index)])
    )
    pd.testing.assert_frame_equal(of_text.within, found.within)
    assert of_text.within["total"].notna().all()
    assert codes(of_text) == []


def test_a_run_that_a_model_lacks_leaves_the_others_paired(board):
    """The ranking of the other models' runs stays what it is, and no run is taken for another."""
    gone = (board["model"] == "model 0") & (board["run"] == 1)
    gone &= board["transformation"] == "expansion"
    found = ranking_stability(board[~gone])
    assert codes(found) == ["unequal-runs"]
    rows = board[(board["dataset"] == "data 2") & (board["transformation"] == "expansion") & ~gone]
    runs = rows.pivot(index="model", columns="run", values="score")
    taus = [tau(*runs[[a, b]].dropna().to_numpy().T) for a, b in combinations(range(3), 2)]
    assert found.within.loc["data 2", "expansion"] == pytest.approx(np.mean(taus))


def test_datasets_of_one_run_are_named(board):
    few = board[(board["dataset"] != "data 1") | (board["run"] == 0)]
    found = ranking_stability(few)
    assert codes(found) == ["unequal-runs", "undefined-within"]
    assert found.notes[1].labels == ("data 1",)
    assert found.within.loc["data 1"].isna().all()
    own = board[board["run"] == 0].assign(run=board["model"])
    assert codes(ranking_stability(own)) == ["one-run"]


def test_a_level(board, found):
    wider = ranking_stability(board, confidence_level=0.99)
    assert wider.confidence_level == 0.99
    assert (wider.table["low"] <= found.table["low"]).all()
    with pytest.raises(ParameterError, match="confidence_level must lie between"):
        ranking_stability(board, confidence_level=1.5)


def test_order_names_and_scale_do_not_matter(board, found):
    mixed = ranking_stability(board.sample(frac=1.0, random_state=3))
    pd.testing.assert_frame_equal(mixed.table, found.table)
    pd.testing.assert_frame_equal(mixed.by_dataset.loc[found.by_dataset.index], found.by_dataset)
    names = {f"model {i}": f"<{9 - i}>\n$" for i in range(8)}
    renamed = ranking_stability(board.replace({"model": names}))
    pd.testing.assert_frame_equal(renamed.table, found.table, check_exact=True)
    points = ranking_stability(board.assign(score=board["score"] * 100))
    pd.testing.assert_frame_equal(points.table, found.table)


def test_copies_of_all_datasets_leave_the_means(board, found):
    twice = ranking_stability(pd.concat([board, board.assign(dataset=board["dataset"] + "'")]))
    for column in ("mean", "within"):
        pd.testing.assert_series_equal(twice.table[column], found.table[column])


def test_text_values_and_files(found, tmp_path):
    text = found.summary()
    assert f"{found.table.loc['Length', 'mean']:.2f}" in text
    assert repr(found) == "RankingStability(5 datasets × 12 parts)"
    content = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert content["table"][0]["part"] == "paraphrasing"
    assert content["table"][0]["mean"] == pytest.approx(found.table["mean"].iloc[0])
    written = found.save(tmp_path)
    assert all(path.is_file() for path in written)
    assert {path.name for path in written} >= {"summary.txt", "stability.csv", "taus.svg"}


def test_figures(board, found):
    before = dict(mpl.rcParams)
    for kind in found.plot.kinds():
        ax = found.plot(kind)
        assert_readable(ax)
        assert style.render(ax.figure, "png")
    assert dict(mpl.rcParams) == before
    (image,) = found.plot.datasets().images
    np.testing.assert_allclose(np.asarray(image.get_array()), found.by_dataset)


def test_nothing_to_draw_is_saved_without_figures(tmp_path):
    written = ranking_stability(planted(1, 2)).save(tmp_path)
    assert not [path for path in written if path.suffix == ".svg"]
    assert "one-model" in (tmp_path / "results.json").read_text()


def test_names_in_figures(board):
    names = {"data 1": "<script>", "data 2": "a$b$", "data 3": "two\nlines", "data 4": "名" * 80}
    found = ranking_stability(board.replace({"dataset": names}))
    assert style.render(found.plot.datasets().figure, "svg")
