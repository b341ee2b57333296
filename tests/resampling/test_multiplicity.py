from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from robustrank.errors import ParameterError
from robustrank.resampling import adjust_p_values
from robustrank.resampling.multiplicity import family_floor

p_lists = st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=1, max_size=12)
METHODS = {"holm": "holm", "fdr-bh": "fdr_bh"}


@given(p_lists, st.sampled_from(sorted(METHODS)))
def test_adjusted_equal_statsmodels(p_values, method):
    wanted = multipletests(p_values, method=METHODS[method])[1]
    np.testing.assert_allclose(adjust_p_values(p_values, method), wanted, atol=1e-15)


@pytest.mark.parametrize("method", METHODS)
def test_nan_is_no_comparison(method):
    found = adjust_p_values([0.01, np.nan, 0.02], method)
    np.testing.assert_array_equal(found[[0, 2]], adjust_p_values([0.01, 0.02], method))
    assert np.isnan(found[1])
    assert adjust_p_values([], method).shape == (0,)


def test_holm_by_hand():
    np.testing.assert_allclose(adjust_p_values([0.03, 0.01, 0.04], "holm"), [0.06, 0.03, 0.06])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [1, 7, 4278])
def test_floor_is_what_a_family_of_smallest_p_values_gets(method, size):
    adjusted = adjust_p_values(np.full(size, 2e-4), method)
    assert family_floor(2e-4, size, method) == pytest.approx(adjusted.min())


def test_holm_over_the_pairs_of_93_models_cannot_reject():
    assert family_floor(2 / 10_001, 4278, "holm") == pytest.approx(0.8555, abs=1e-4)
    assert family_floor(1 / 10_001, 4278, "max-t") == 1 / 10_001
    assert family_floor(0.3, 10, "holm") == 1.0


@pytest.mark.parametrize("bad", [[[0.1, 0.2]], 0.1, [1.2], [-0.1]])
def test_what_is_no_row_of_p_values(bad):
    with pytest.raises(ParameterError, match="between 0 and 1"):
        adjust_p_values(bad, "holm")


def test_unknown_method():
    with pytest.raises(ParameterError, match="'holm' or 'fdr-bh'; got 'bonferroni'"):
        adjust_p_values([0.1], "bonferroni")
    with pytest.raises(ParameterError, match="'max-t', 'holm', 'fdr-bh', 'none'; got 'sidak'"):
        family_floor(0.1, 2, "sidak")


def test_holm_s_procedure_on_four_classifiers():
    """J. Demšar, JMLR 7 (2006), §3.2.2: of three against C4.5, two are rejected at 0.05."""
    printed = [0.016, 0.019, 0.607]
    adjusted = adjust_p_values(printed, "holm")
    np.testing.assert_allclose(adjusted, [0.048, 0.048, 0.607])
    assert list(adjusted <= 0.05) == [True, True, False]
