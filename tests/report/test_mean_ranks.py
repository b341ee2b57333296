from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import ParameterError
from robustrank.figures import style
from robustrank.report.mean_ranks import _sets_among
from tests.figures.layout import read


@pytest.fixture(scope="module")
def analysis():
    scores = np.random.default_rng(0).uniform(0, 0.1, (5, 8)) + np.linspace(0.8, 0.2, 5)[:, None]
    return rr.analyze(pd.DataFrame(scores, index=list("abcde")).rename(columns=str), n_refits=0)


@pytest.fixture(autouse=True)
def _detached():
    with style.detached():
        yield


def texts(ax):
    return [read(text) for text in ax.texts if text.get_text()]


def test_nemenyi_draws_mean_ranks_and_the_critical_difference(analysis):
    drawn = texts(analysis.plot.critical_difference())
    found = rr.nemenyi_test(analysis.matrix)
    assert f"a  {found.mean_rank['a']:.2f}" in drawn
    assert f"critical difference {found.critical_difference:.3g}" in drawn


def test_max_t_draws_means_best_first(analysis):
    ax = analysis.plot.critical_difference(test="max-t")
    assert ax.get_xlabel() == "mean score"
    assert f"a  {analysis.bootstrap.estimate['a']:.3f}" in texts(ax)
    assert any("sign-flip tests of 10 pairs" in text for text in texts(ax))


def test_refuses_other_tests(analysis):
    with pytest.raises(ParameterError, match="'nemenyi' or 'max-t'; got 't'"):
        analysis.plot.critical_difference(test="t")


def test_sets_go_on_to_one_model_beyond_what_is_shown():
    alike = np.eye(5, dtype=bool)
    for a, b in [(0, 1), (1, 3), (1, 4)]:
        alike[a, b] = alike[b, a] = True
    assert set(_sets_among(alike, 2)) == {(0, 1), (2,), (1, 3)}
    assert _sets_among(np.ones((3, 3), dtype=bool), 3) == [(0, 1, 2)]
