"""The figures of an analysis against what it found; two of its models miss a score."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex

import robustrank as rr
from robustrank.errors import EmptyMatrixError
from robustrank.figures import style
from robustrank.report.plots import AnalysisFigure, AnalysisPlots
from tests.conftest import random_scores
from tests.figures.layout import assert_readable, read

MODELS, WITHOUT = 9, 2
MORE = f"… and {WITHOUT} more models"


@pytest.fixture(scope="module")
def analysis() -> rr.Analysis:
    """Nine models on six datasets, of which d1 repeats d0; m2 and m6 miss a score."""
    scores = random_scores(MODELS, 6)
    scores["d1"] = scores["d0"] + 0.01 * scores["d2"]
    scores.loc["m2", "d3"] = scores.loc["m6", "d5"] = np.nan
    models = pd.DataFrame({"n_parameters": np.geomspace(1e7, 1e10, MODELS)}, index=scores.index)
    matrix = rr.ScoreMatrix(scores, models=models)
    return rr.analyze(matrix, missing="keep", n_resamples=300, n_refits=8, top_k=3, tau=0.99)


@style.detached()
def draw(analysis: rr.Analysis, kind: str, **options):
    return analysis.plot(kind, **options)


def rows(ax) -> list[str]:
    return [read(label) for label in ax.get_yticklabels()]


def cells(ax) -> np.ndarray:
    return np.hstack([np.ma.filled(image.get_array(), np.nan) for image in ax.images])


def dots(ax) -> np.ndarray:
    drawn = [each for each in ax.collections if isinstance(each, PathCollection)]
    return np.vstack([np.asarray(each.get_offsets()).reshape(-1, 2) for each in drawn])


def lines(ax) -> np.ndarray:
    (drawn,) = (each for each in ax.collections if isinstance(each, LineCollection))
    return np.array(drawn.get_segments())[:, :, 0]


def test_every_figure_has_a_name():
    assert AnalysisPlots.kinds() == sorted(get_args(AnalysisFigure))


@pytest.mark.parametrize("kind", get_args(AnalysisFigure))
def test_every_figure_is_readable_and_always_the_same(analysis, kind):
    assert_readable(draw(analysis, kind))
    assert style.render(draw(analysis, kind), "svg") == style.render(draw(analysis, kind), "svg")


def test_two_models_are_not_ranked(analysis):
    assert set(analysis.matrix.scores.index) - set(analysis.bootstrap.order) == {"m2", "m6"}


@pytest.mark.parametrize(
    ("kind", "estimate", "low", "high"),
    [
        ("forest", "estimate", "ci_low", "ci_high"),
        ("rank_intervals", "rank", "rank_low", "rank_high"),
    ],
)
def test_estimates_are_those_of_the_bootstrap_and_the_rest_is_counted(
    analysis, kind, estimate, low, high
):
    order = analysis.bootstrap.order
    found = analysis.bootstrap.to_frame().loc[order].astype(float)
    ax = draw(analysis, kind)
    assert rows(ax) == [*order, MORE]
    np.testing.assert_allclose(dots(ax), np.column_stack([found[estimate], range(len(order))]))
    np.testing.assert_allclose(lines(ax), found[[low, high]])
    what = {"forest": "mean score", "rank_intervals": "rank"}[kind]
    assert ax.get_xlabel() == f"{what}, 95% interval"
    assert (ax.get_xlim()[0] > ax.get_xlim()[1]) == (kind == "rank_intervals")


def test_the_first_tier_is_blue(analysis):
    order = analysis.bootstrap.order
    ax = draw(analysis, "forest")
    (drawn,) = (each for each in ax.collections if isinstance(each, PathCollection))
    blue = [to_hex(colour) == style.BLUE for colour in drawn.get_facecolor()]
    assert blue == list(analysis.bootstrap.tiers[order] == 1)


def test_abilities_come_in_the_order_of_the_ranking(analysis):
    order, irt = analysis.bootstrap.order, analysis.irt
    ax = draw(analysis, "abilities")
    assert rows(ax) == [*order, MORE]
    assert dots(ax)[:, 0].tolist() == irt.ability[order].tolist()
    np.testing.assert_array_equal(lines(ax), irt.ability_interval.loc[order, ["low", "high"]])


def test_chances_to_be_first(analysis):
    likely = analysis.bootstrap.p_best[analysis.bootstrap.order]
    last = np.flatnonzero(likely > 0)[-1] + 1
    ax = draw(analysis, "p_best")
    assert rows(ax) == [*likely.index[:last], f"… and {MODELS - last} more models"]
    assert [bar.get_width() for bar in ax.patches] == likely[:last].tolist()


def test_pairs_are_those_of_the_models_ranked(analysis):
    bootstrap = analysis.bootstrap
    order = bootstrap.order
    ax = draw(analysis, "pairwise")
    assert rows(ax) == [*(f"{name}  {i}" for i, name in enumerate(order, 1)), MORE]
    expected = bootstrap.pairwise.loc[order, order].to_numpy(copy=True)
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_array_equal(cells(ax), expected)
    outlined = [box.get_width() for box in ax.patches if not box.get_fill()]
    assert outlined == bootstrap.tiers[order].value_counts(sort=False).tolist()
    bar = ax.child_axes[0]
    assert [label.get_text() for label in bar.get_xticklabels()] == ["0.05", "0.5", "0.95"]


def test_mean_ranks_are_those_of_nemenyis_test_of_complete_models(analysis):
    scores = analysis.matrix.scores.dropna()
    found = rr.nemenyi_test(scores)
    drawn = {read(text) for text in draw(analysis, "critical_difference").texts}
    for place, (name, rank) in enumerate(found.mean_rank.sort_values().items()):
        left = place < (len(scores) + 1) // 2
        assert (f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}") in drawn
    assert f"critical difference {found.critical_difference:.3g}" in drawn
    assert any(f"{WITHOUT} models without complete scores not shown" in text for text in drawn)


def test_means_of_the_models_not_ranked_are_counted(analysis):
    order, estimate = analysis.bootstrap.order, analysis.bootstrap.estimate
    ax = draw(analysis, "critical_difference", test="max-t")
    assert rows(ax) == [*(f"{name}  {estimate[name]:.3f}" for name in order), MORE]


def test_correlations_come_in_the_order_of_the_tree(analysis):
    found = analysis.redundancy
    ax = draw(analysis, "correlation")
    assert sorted(rows(ax)) == sorted(found.correlation.index)
    assert set(rows(ax)[:2]) == {"d0", "d1"}
    np.testing.assert_array_equal(cells(ax), found.correlation.loc[rows(ax), rows(ax)])
    assert f"τ = {found.tau:g}" in [text.get_text() for text in ax.child_axes[0].texts]


def test_all_rankings_of_the_models_in_a_top(analysis):
    ranks = analysis.rankings.ranks
    inside = set(ranks.index[(ranks <= 3).any(axis=1)])
    ax = draw(analysis, "rankings")
    assert set(rows(ax)[:-1]) == inside
    assert rows(ax)[-1] == f"… and {MODELS - len(inside)} more models"
    np.testing.assert_array_equal(cells(ax), ranks.loc[rows(ax)[:-1]])
    assert len(rows(draw(analysis, "rankings", top_k=1))) < len(rows(ax))


def test_ranks_of_each_model_over_all_rankings(analysis):
    order, ranks = analysis.bootstrap.order, analysis.rankings.ranks
    ax = draw(analysis, "rank_distribution")
    assert rows(ax) == [*order, MORE]
    drawn = pd.DataFrame(dots(ax), columns=["rank", "row"]).round({"row": 0})
    for row, name in enumerate(order):
        assert set(drawn.loc[drawn["row"] == row, "rank"]) == set(ranks.loc[name])


@pytest.mark.parametrize("kind", ["scheme_variance", "composition_variance"])
def test_variances_are_those_of_the_agreement_with_dashes_for_models_not_ranked(analysis, kind):
    table = getattr(analysis.agreement, kind)
    ax = draw(analysis, kind)
    assert rows(ax)[:-WITHOUT] == analysis.bootstrap.order
    assert set(rows(ax)[-WITHOUT:]) == {"m2", "m6"}
    assert [read(label) for label in ax.get_xticklabels()] == list(table.columns)
    np.testing.assert_array_equal(cells(ax), table.loc[rows(ax)])
    assert np.isnan(cells(ax)[-WITHOUT:]).all()


def test_one_composition_has_no_variance():
    plain = rr.analyze(random_scores(6, 4), n_resamples=20, n_refits=0, tau=0.5)
    message = "The analysis has a single composition of datasets.*draw scheme_variance instead"
    with pytest.raises(EmptyMatrixError, match=message):
        draw(plain, "composition_variance")


def test_items_and_information_are_those_of_the_fit(analysis):
    table = analysis.irt.table[["difficulty", "discrimination"]]
    drawn = dots(draw(analysis, "items"))
    np.testing.assert_allclose(drawn[np.lexsort(drawn.T)], table.sort_values("discrimination"))
    ours, its = (
        plot.information().lines[0].get_data() for plot in (analysis.plot, analysis.irt.plot)
    )
    np.testing.assert_array_equal(ours, its)


def test_the_front_is_that_of_the_scores_over_size(analysis):
    size = analysis.matrix.models["n_parameters"]
    found = rr.pareto_front(analysis.bootstrap, size)
    ax = draw(analysis, "pareto")
    drawn = dots(ax)
    expected = found.table[["resource", "score"]]
    np.testing.assert_allclose(drawn[drawn[:, 0].argsort()], expected)
    assert len(expected) == MODELS - WITHOUT
    texts = [read(text) for text in ax.texts]
    assert f"{WITHOUT} models not shown: scores missing" in texts
    for number, (name, share) in enumerate(found.p_front[found.front.index].items(), 1):
        assert any(text.startswith(f"{number}  {name}  (") for text in texts), (name, share)


@pytest.mark.parametrize(
    "kind", ["forest", "rank_intervals", "abilities", "pairwise", "rank_distribution"]
)
def test_top_counts_the_same_models_in_every_figure(analysis, kind):
    assert rows(draw(analysis, kind, top=3))[-1] == f"… and {MODELS - 3} more models"
