from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection

import robustrank as rr
from robustrank.errors import EmptyMatrixError, UnknownLabelError
from robustrank.irt import fisher_information, fit_2pl, fit_2pl_instances
from tests.conftest import random_scores
from tests.figures.layout import assert_readable
from tests.irt.simulation import simulate


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")


@pytest.fixture(scope="module")
def tasks():
    scores = random_scores(30, 12)
    types = ["Retrieval", "STS", "Clustering"] * 4
    datasets = pd.DataFrame({"task_type": types}, index=scores.columns)
    return fit_2pl(rr.ScoreMatrix(scores, datasets), n_refits=20)


@pytest.fixture(scope="module")
def instances():
    return fit_2pl_instances(simulate(30, 60).answers)


def dots(ax) -> np.ndarray:
    drawn = [each for each in ax.collections if isinstance(each, PathCollection)]
    places = np.vstack([np.asarray(each.get_offsets()).reshape(-1, 2) for each in drawn])
    return places[np.lexsort(places.T)]


def ends(ax) -> list[np.ndarray]:
    """Low and high of the intervals, of difficulty, then of discrimination."""
    across, up = (
        np.array(each.get_segments()) for each in ax.collections if isinstance(each, LineCollection)
    )
    return [across[:, :, 0], up[:, :, 1]]


def test_datasets_by_task_type_with_their_intervals(tasks):
    ax = tasks.plot.items()
    expected = tasks.table[["difficulty", "discrimination"]].to_numpy()
    np.testing.assert_allclose(dots(ax), expected[np.lexsort(expected.T)])
    found = [tasks.difficulty_interval, tasks.discrimination_interval]
    for drawn, interval in zip(ends(ax), found, strict=True):
        np.testing.assert_allclose(drawn, interval.to_numpy())
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["Clustering", "Retrieval", "STS"]
    assert set(tasks.table.index) <= {text.get_text() for text in ax.texts}
    assert_readable(ax)


def test_the_error_of_datasets_is_that_of_a_new_model(tasks):
    ax = tasks.plot.information()
    right = ax.figure.axes[1].lines[0]
    new = tasks.score_new(random_scores(30, 12))
    drawn = np.interp(new["ability"], *right.get_data())
    np.testing.assert_allclose(drawn, new["standard_error"], rtol=0.02)
    assert "30 models" in [text.get_text() for text in ax.texts]
    assert_readable(ax)


def test_the_information_of_instances_is_the_sum_of_fisher_information(instances):
    ax = instances.plot.information()
    theta, told = ax.lines[0].get_data()
    np.testing.assert_allclose(told, fisher_information(instances, theta).sum())
    assert "Σ a² p (1 − p) of 60 items" in ax.get_ylabel()
    assert_readable(ax)


def test_intervals_of_instances_are_from_standard_errors(instances):
    difficulty, discrimination = ends(instances.plot.items())
    reach = 1.96 * instances.difficulty_se
    np.testing.assert_allclose(difficulty[:, 0], instances.difficulty - reach)
    np.testing.assert_allclose(difficulty[:, 1], instances.difficulty + reach)
    reach = 1.96 * instances.discrimination_se
    np.testing.assert_allclose(discrimination[:, 1], instances.discrimination + reach)


def test_by_name_or_as_a_method(tasks):
    assert tasks.plot.kinds() == ["information", "items"]
    np.testing.assert_array_equal(dots(tasks.plot("items")), dots(tasks.plot.items()))
    with pytest.raises(UnknownLabelError, match="'item': did you mean 'items'"):
        tasks.plot("item")


def test_an_undefined_fit_has_nothing_to_draw():
    fit = fit_2pl(random_scores(2, 2), n_refits=0)
    for kind in fit.plot.kinds():
        with pytest.raises(EmptyMatrixError, match="nothing to draw"):
            fit.plot(kind)
