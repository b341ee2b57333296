from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.stats import mannwhitneyu, ttest_1samp, ttest_ind

import robustrank as rr
from robustrank.contrasts import contrast_groups
from robustrank.errors import EmptyMatrixError, FormatError, ParameterError, UnknownLabelError
from tests.conftest import frame, note_codes, random_scores, score_frames

A, B = [f"m{i}" for i in range(5)], [f"m{i}" for i in range(5, 14)]


@pytest.fixture
def scores() -> pd.DataFrame:
    return random_scores(16, 4)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_tests_equal_scipy_on_the_means(scores, level):
    found = contrast_groups(scores, A, B, confidence_level=level)
    a, b = scores.loc[A].mean(axis=1), scores.loc[B].mean(axis=1)
    welch = ttest_ind(a, b, equal_var=False)
    interval = welch.confidence_interval(level)
    assert (found.t, found.df, found.p_welch) == pytest.approx(
        (welch.statistic, welch.df, welch.pvalue)
    )
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    exact = mannwhitneyu(a, b, method="exact")
    assert (found.u, found.p_mann_whitney) == pytest.approx((exact.statistic, exact.pvalue))
    assert (found.mean_a, found.mean_b) == pytest.approx((a.mean(), b.mean()))
    assert found.difference == pytest.approx(a.mean() - b.mean())
    assert (found.n_a, found.n_b) == (5, 9)
    pd.testing.assert_series_equal(found.models["score"], pd.concat([a, b]), check_names=False)


def test_effect_sizes(scores):
    found = contrast_groups(scores, A, B)
    a, b = scores.loc[A].mean(axis=1).to_numpy(), scores.loc[B].mean(axis=1).to_numpy()
    pooled = np.sqrt((4 * a.var(ddof=1) + 8 * b.var(ddof=1)) / 12)
    # Hedges's exact factor is close to 1 - 3 / (4 df - 1).
    assert found.hedges_g == pytest.approx((a.mean() - b.mean()) / pooled * (1 - 3 / 47), rel=1e-3)
    wins = [(x > y) + 0.5 * (x == y) for x in a for y in b]
    assert found.superiority == pytest.approx(np.mean(wins))


@pytest.mark.parametrize(("n", "factor"), [(2, 1 / np.sqrt(np.pi)), (3, np.sqrt(2 / np.pi))])
def test_the_correction_of_hedges_in_closed_form(n, factor):
    """Γ(df/2) / (√(df/2) Γ((df - 1)/2)) is 1/√π at df = 2 and √(2/π) at df = 4."""
    values = np.random.default_rng(n).uniform(0.2, 0.8, (2, n))
    table = frame(values.reshape(-1, 1))
    found = contrast_groups(table, list(table.index[:n]), list(table.index[n:]))
    d = np.subtract(*values.mean(axis=1)) / np.sqrt(values.var(axis=1, ddof=1).mean())
    assert found.hedges_g / d == pytest.approx(factor)


@settings(max_examples=25)
@given(score_frames(min_models=4))
def test_swapping_the_groups_turns_the_signs(scores):
    matrix = rr.ScoreMatrix(scores, scale="unit")
    a, b = list(scores.index[:2]), list(scores.index[2:])
    one, two = contrast_groups(matrix, a, b), contrast_groups(matrix, b, a)
    for name in ("difference", "t", "hedges_g"):
        np.testing.assert_allclose(getattr(one, name), -getattr(two, name), atol=1e-12)
    np.testing.assert_allclose([one.low, one.high], [-two.high, -two.low], atol=1e-12)
    np.testing.assert_allclose(
        [one.p_welch, one.p_mann_whitney, one.superiority],
        [two.p_welch, two.p_mann_whitney, 1 - two.superiority],
        atol=1e-12,
    )


def test_arrangement_and_names_change_no_number(scores):
    found = contrast_groups(scores, A, B)
    renamed = scores.add_prefix("x").rename(index=lambda m: f"z{99 - int(m[1:])}").iloc[::-1, ::-1]
    again = contrast_groups(
        renamed, [f"z{99 - i}" for i in range(4, -1, -1)], [f"z{99 - i}" for i in range(5, 14)]
    )
    for name in ("t", "df", "p_welch", "low", "high", "u", "p_mann_whitney", "hedges_g"):
        assert getattr(found, name) == getattr(again, name)


def test_datasets_are_a_choice(scores):
    found = contrast_groups(scores, A, B, datasets=["d1", "d3"])
    assert found.datasets == ("d1", "d3")
    assert found.mean_a == pytest.approx(scores.loc[A, ["d1", "d3"]].mean(axis=1).mean())
    assert contrast_groups(scores, A, B, datasets="d[13]").t == found.t


def test_groups_are_names_patterns_masks_or_metadata(scores):
    names = scores.rename(index=lambda m: f"{'serafim' if m in A else 'e5'}-{m}")
    by_pattern = contrast_groups(names, "serafim-*", "e5-*")
    mask = names.index.str.startswith("serafim")
    by_mask = contrast_groups(names, mask, ~mask)
    series = pd.Series(mask, index=names.index)
    by_series = contrast_groups(names, series.iloc[::-1], ~series)
    assert by_pattern.t == by_mask.t == by_series.t
    matrix = rr.load_example().resolve_missing()
    open_weights = matrix.models["open_weights"]
    contrast = contrast_groups(matrix, open_weights, ~open_weights)
    expected = matrix.scores.mean(axis=1)[open_weights.astype(bool)]
    assert contrast.mean_a == pytest.approx(expected.mean())
    assert contrast.n_a == len(expected)


def test_what_a_mask_does_not_know_is_in_neither_group(scores):
    mask = pd.Series([True] * 4 + [False] * 10 + [None] * 2, index=scores.index, dtype="boolean")
    found = contrast_groups(scores, mask, ~mask)
    assert (found.n_a, found.n_b) == (4, 10)
    notes = [note for note in found.notes if note.code == "unknown-group"]
    assert [note.labels for note in notes] == [("m14", "m15")] * 2


def test_models_without_all_scores_are_left_out_and_named(scores):
    scores.loc["m1", "d2"] = np.nan
    found = contrast_groups(scores, A, B)
    assert found.n_a == 4
    note = next(note for note in found.notes if note.code == "dropped-models")
    assert note.labels == ("m1",)
    assert "group A" in note.message
    assert contrast_groups(scores, A, B, datasets=["d0", "d1"]).n_a == 5


def test_caveats(scores):
    equal = contrast_groups(scores, A, B)
    assert equal.p_welch > 0.05
    assert note_codes(equal) == ["convenience-sample", "no-equivalence"]
    scores.loc[A] = scores.loc[A] / 4
    apart = contrast_groups(scores, A, B)
    assert apart.p_welch < 0.001
    assert note_codes(apart) == ["convenience-sample"]


def test_a_group_without_variance_has_no_welch_test():
    flat = frame([[0.5]] * 3 + [[0.7]] * 3)
    found = contrast_groups(flat, ["m0", "m1", "m2"], ["m3", "m4", "m5"])
    assert np.isnan([found.t, found.df, found.p_welch, found.low, found.hedges_g]).all()
    assert "no-variance" in note_codes(found)
    assert found.difference == pytest.approx(-0.2)
    assert found.superiority == 0.0
    tied = contrast_groups(flat * 0 + 0.5, ["m0", "m1", "m2"], ["m3", "m4", "m5"])
    assert (tied.p_mann_whitney, tied.superiority) == (1.0, 0.5)


def test_one_group_may_be_constant():
    table = frame([[0.5], [0.5], [0.5], [0.7], [0.75], [0.9]])
    found = contrast_groups(table, ["m0", "m1", "m2"], ["m3", "m4", "m5"])
    # Then the other group alone decides: a one-sample test against the constant.
    expected = ttest_1samp(table["d0"].iloc[3:], 0.5)
    assert (found.t, found.p_welch) == pytest.approx((-expected.statistic, expected.pvalue))


def test_welch_keeps_its_level_where_variances_differ():
    rng = np.random.default_rng(0)
    rejected = 0
    for _ in range(120):
        table = frame(np.r_[rng.normal(0.5, 0.01, 4), rng.normal(0.5, 0.1, 12)].reshape(-1, 1))
        rejected += contrast_groups(table, A[:4], [f"m{i}" for i in range(4, 16)]).p_welch < 0.05
    assert 0.01 <= rejected / 120 <= 0.1


@pytest.mark.parametrize(
    ("a", "b", "wrong", "error", "message"),
    [
        (A, ["m4", "m7"], {}, ParameterError, "1 model in both groups: m4"),
        (["m0"], B, {}, EmptyMatrixError, "Group A has 1 model: m0; a contrast needs at least two"),
        (A, ["gpt"], {}, UnknownLabelError, "model of group B 'gpt'"),
        (A, "x*", {}, UnknownLabelError, "group B 'x\\*'"),
        (A, B, {"datasets": "STS"}, UnknownLabelError, "dataset 'STS'"),
        (A, B, {"datasets": []}, EmptyMatrixError, "datasets is empty; name at least one"),
        (A, B, {"confidence_level": 95}, ParameterError, "between 0 and 1"),
        (np.array([True, False]), B, {}, FormatError, r"shape \(2,\).*16 models"),
        (pd.Series(A), B, {}, FormatError, "Group A is a Series of"),
        (np.zeros(16, dtype=bool), B, {}, EmptyMatrixError, "Group A has 0 models"),
    ],
)
def test_bad_input(scores, a, b, wrong, error, message):
    with pytest.raises(error, match=message):
        contrast_groups(scores, a, b, **wrong)


def test_a_group_lost_to_missing_scores_says_so(scores):
    scores.loc[["m1", "m2", "m3", "m4"], "d0"] = np.nan
    with pytest.raises(EmptyMatrixError, match=r"1 model: m0 \(m1, m2, m3, m4 left out"):
        contrast_groups(scores, A, B)


def test_str(scores):
    found = contrast_groups(scores, A, B)
    text = str(found)
    assert text.startswith(f"A (5 models) {found.mean_a:.4f}, B (9 models)")
    assert f"p = {found.p_welch:.3g}" in text


def test_repr(scores):
    found = contrast_groups(scores, A, B)
    first, second = repr(found).splitlines()
    assert first.startswith(f"GroupContrast: A (5 models) {found.mean_a:.4f}, B (9 models)")
    assert second.endswith("; 2 notes")
    assert first.removeprefix("GroupContrast: ") + ": " + second.strip() == f"{found}; 2 notes"
