from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.influence.jackknife import jackknife_standard_errors
from tests.conftest import frame, random_scores


def test_law_schools_of_efron():
    """The correlation .776 of 15 law schools has the jackknife standard error .1425.

    Efron (1982), *The Jackknife, the Bootstrap and Other Resampling Plans*, ch. 3; the data are
    those of Efron & Tibshirani (1993), Table 3.1.
    """
    lsat = [576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594]
    gpa = [3.39, 3.30, 2.81, 3.03, 3.44, 3.07, 3.00, 3.43, 3.36, 3.13, 3.12, 2.74, 2.76, 2.88, 2.96]
    left_out = [
        np.corrcoef(np.delete(lsat, school), np.delete(gpa, school))[0, 1] for school in range(15)
    ]
    assert jackknife_standard_errors(np.array([left_out]))[0] == pytest.approx(0.1425, abs=5e-5)


def test_mice_of_efron_and_tibshirani_and_the_mean():
    """Efron & Tibshirani (1993), Table 2.1: a mean of 86.86 days with standard error 25.24."""
    days = np.array([94, 197, 16, 38, 99, 141, 23])
    found = rr.dataset_influence(frame(np.vstack([days, days - 20]) / 1000.0))
    first = found.models.iloc[0]
    assert 1000.0 * first["aggregate"] == pytest.approx(86.86, abs=0.005)
    assert 1000.0 * first["jackknife_standard_error"] == pytest.approx(25.24, abs=0.005)


def test_of_the_mean_it_is_the_standard_error_of_the_mean():
    scores = random_scores(6, 9)
    found = rr.dataset_influence(scores)
    expected = scores.std(axis=1, ddof=1) / 3.0
    errors = found.models["jackknife_standard_error"]
    np.testing.assert_allclose(errors, expected.loc[errors.index], rtol=1e-12)
    lead = scores.loc[found.leaders[0]] - scores.loc[found.runner_up]
    assert found.margin == pytest.approx(lead.mean())
    assert found.margin_standard_error == pytest.approx(lead.std(ddof=1) / 3.0)


def test_of_a_mean_over_clusters_it_is_that_of_a_ratio_of_equal_clusters():
    """Copies of every dataset, left out together, leave the standard error as it was."""
    scores = random_scores(5, 6)
    twice = scores.join(scores.add_suffix("-copy"))
    pairs = {name: name.removesuffix("-copy") for name in twice.columns}
    alone = rr.dataset_influence(scores).models
    together = rr.dataset_influence(twice, by=pairs).models
    np.testing.assert_allclose(together, alone, rtol=1e-12)


def test_of_a_mean_over_task_types_it_is_too_large_where_types_are_small():
    """By a factor of about √(n / (n - 1)) with n datasets per type, as the documentation says."""
    scores = random_scores(4, 9)
    types = pd.DataFrame({"task_type": list("aaabbbccc")}, index=scores.columns)
    found = rr.dataset_influence(rr.ScoreMatrix(scores, types), aggregate="task-type-mean").models
    by_type = scores.T.groupby(types["task_type"])
    right = np.sqrt((by_type.var() / 3).sum() / 3**2)
    factor = found["jackknife_standard_error"] / right[found.index]
    np.testing.assert_allclose(factor, np.sqrt(3 / 2 * 8 / 9), rtol=1e-9)


def test_changes_are_smaller_than_the_error_by_the_root_of_the_number_of_datasets():
    """What the documentation says: their root mean square is the error over √(n - 1)."""
    scores = random_scores(5, 12)
    found = rr.dataset_influence(scores)
    best = scores.loc[found.leaders[0]].to_numpy()
    changes = np.array([np.delete(best, j).mean() for j in range(12)]) - best.mean()
    error = found.models["jackknife_standard_error"].iloc[0]
    assert np.sqrt((changes**2).mean()) == pytest.approx(error / np.sqrt(11), rel=1e-9)


def test_one_group_or_a_missing_value_has_none():
    assert np.isnan(jackknife_standard_errors(np.ones((2, 1)))).all()
    assert np.isnan(jackknife_standard_errors(np.array([[1.0, np.nan, 2.0]]))).all()
    assert jackknife_standard_errors(np.full((1, 4), 0.5))[0] == 0.0
