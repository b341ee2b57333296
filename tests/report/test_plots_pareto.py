from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import UnknownLabelError
from tests.conftest import analyze, random_scores
from tests.figures.layout import assert_readable


@pytest.fixture(scope="module")
def analysis():
    scores = random_scores(8, 5)
    size = [1e7, 2e7, 1e8, 3e8, 1e9, 7e9, np.nan, np.nan]
    models = pd.DataFrame({"n_parameters": size}, index=scores.index)
    return analyze(rr.ScoreMatrix(scores, models=models))


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")


def test_scores_with_intervals_over_a_column_of_the_metadata(analysis):
    ax = analysis.plot.pareto()
    table = analysis.bootstrap.to_frame().loc[[f"m{i}" for i in range(6)]]
    drawn = {
        tuple(segment[:, 1])
        for lines in ax.collections
        if hasattr(lines, "get_segments")
        for segment in lines.get_segments()
    }
    assert drawn == set(map(tuple, table[["ci_low", "ci_high"]].to_numpy()))
    assert ax.get_xlabel() == "number of parameters (less is better)"
    assert ax.get_ylabel() == "mean score, 95% interval"
    texts = [text.get_text() for text in ax.texts]
    assert "2 models not shown: number of parameters unknown" in texts
    assert_readable(ax)


def test_values_may_be_given(analysis):
    ax = analysis.plot.pareto(resource={"m0": 3.0, "m7": 1.0}, better="high")
    assert ax.get_xlabel() == "resource (more is better)"
    assert "6 models not shown: resource unknown" in [text.get_text() for text in ax.texts]


def test_an_unknown_column_is_named_with_the_closest(analysis):
    with pytest.raises(UnknownLabelError, match="'n_params': did you mean 'n_parameters'"):
        analysis.plot.pareto(resource="n_params")
