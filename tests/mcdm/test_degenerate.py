"""Inputs on which libraries raise or answer NaN, each with its defined outcome."""

from __future__ import annotations

import numpy as np
import pytest

from robustrank.errors import MissingScoresError, NonNumericError
from robustrank.mcdm import SCHEMES, rank, rank_schemes
from robustrank.mcdm.weights import critic_weights, equal_weights, merec_weights
from tests.conftest import frame

BASE = np.array([[0.7, 0.5, 0.3], [0.6, 0.9, 0.2], [0.8, 0.4, 0.9], [0.5, 0.6, 0.4]])


def replaced(row, column, value):
    x = BASE.copy()
    x[row, column] = value
    return x


BATTERY = {
    "one dataset": (BASE[:, :1], {"weights-undefined"}),
    "one model": (BASE[:1], {"constant-datasets"}),
    "one model, one dataset": (BASE[:1, :1], {"constant-datasets"}),
    "two models": (BASE[:2], set()),
    "two models, one dominates": (np.array([[0.9, 0.8], [0.5, 0.4]]), {"weights-undefined"}),
    "constant column": (np.c_[BASE, np.full(4, 0.5)], {"constant-datasets"}),
    "constant to rounding": (
        np.c_[BASE, 0.5 + np.array([0, 1e-12, 0, -1e-12])],
        {"constant-datasets"},
    ),
    "all-zero column": (np.c_[BASE, np.zeros(4)], {"constant-datasets"}),
    "zero cell": (replaced(0, 1, 0.0), {"wsm-minmax", "merec-shift"}),
    "negative cell": (replaced(0, 1, -0.2), {"wsm-minmax", "merec-shift"}),
    "negative column": (np.c_[BASE[:, :2], -BASE[:, 2]], {"wsm-minmax", "merec-shift"}),
    "column around zero": (
        np.c_[BASE, [-0.3, 0.1, 0.2, 0.0]],
        {"wsm-minmax", "merec-shift"},
    ),
    "score of -1": (replaced(0, 1, -1.0), {"wsm-minmax", "merec-shift", "weights-undefined"}),
    "all columns constant": (np.full((4, 3), 0.5), {"constant-datasets"}),
    "identical rows": (np.tile(BASE[0], (4, 1)), {"constant-datasets"}),
    "duplicate rows": (BASE[[0, 0, 1, 2]], set()),
    "two collinear columns": (np.c_[BASE, BASE[:, 0] / 2], set()),
    "all columns collinear": (np.outer(BASE[:, 0], [1, 0.5, 0.3]), {"weights-undefined"}),
    "opposite columns": (np.c_[BASE[:, 0], 1 - BASE[:, 0]], set()),
    "equal R": (np.array([[0.9, 0.1, 0.5], [0.1, 0.9, 0.6], [0.3, 0.8, 0.1]]), set()),
    "tiny differences": (0.5 + 1e-9 * BASE, set()),
}


@pytest.mark.parametrize("engine", ["numpy", "pymcdm"])
@pytest.mark.parametrize("name", BATTERY)
def test_battery(name, engine):
    x, codes = BATTERY[name]
    result = rank_schemes(x, engine=engine)
    m = x.shape[0]
    assert np.isfinite(result.preferences.to_numpy()).all()
    np.testing.assert_allclose(result.ranks.sum(), m * (m + 1) / 2)
    weights = result.weights.to_numpy()
    assert (weights >= 0).all()
    varying = np.ptp(np.round(x, 10), axis=0) > 0
    np.testing.assert_allclose(weights.sum(axis=0), float(varying.any()))
    assert (weights[~varying] == 0).all()
    found = [note.code for note in result.notes if note.code != "engine-fallback"]
    assert len(found) == len(set(found))
    assert set(found) == codes
    ours = rank_schemes(x)
    # Scores that agree to 9 digits leave 7 for their differences.
    atol = 1e-6 if name == "tiny differences" else 1e-12
    np.testing.assert_allclose(result.preferences, ours.preferences, atol=atol)
    assert result.ranks.equals(ours.ranks)


@pytest.mark.parametrize("name", ["all columns constant", "identical rows", "one model"])
def test_nothing_to_rank_by_ties_everyone(name):
    x, _ = BATTERY[name]
    result = rank_schemes(x)
    assert (result.ranks == (len(x) + 1) / 2).all(axis=None)
    assert (result.preferences.nunique() == 1).all()
    assert result.preferences["all", "topsis/equal"].iloc[0] == 0.5
    assert result.preferences["all", "wsm/equal"].iloc[0] == 0
    assert result.preferences["all", "promethee2-usual/equal"].iloc[0] == 0


def test_duplicate_rows_share_their_rank():
    result = rank_schemes(BATTERY["duplicate rows"][0])
    assert (result.preferences.iloc[0] == result.preferences.iloc[1]).all()
    assert (result.ranks.iloc[0] == result.ranks.iloc[1]).all()


def test_constant_column_gets_no_weight_and_is_named():
    table = frame(np.c_[BASE, np.full(4, 0.5)]).rename(columns={"d3": "Flat"})
    result = rank_schemes(table)
    assert (result.weights.loc["Flat"] == 0).all()
    (note,) = result.notes
    assert note.labels == ("Flat",)
    assert "Flat" in note.message
    without = rank_schemes(table.drop(columns="Flat"))
    np.testing.assert_array_equal(result.preferences, without.preferences)


def test_vikor_with_equal_r_ranks_by_s():
    x, _ = BATTERY["equal R"]  # each model is the worst on one dataset
    s = ((x.max(axis=0) - x) / np.ptp(x, axis=0)).mean(axis=1)
    expected = 1 - 0.5 * (s - s.min()) / np.ptp(s)
    np.testing.assert_allclose(
        rank_schemes(x).preferences["all", "vikor/equal"], expected, atol=1e-12
    )


def test_opposite_columns_tie_where_sums_cancel():
    ranks = rank_schemes(BATTERY["opposite columns"][0]).ranks["all"]
    for method in ("promethee2-usual", "promethee2-gaussian"):
        assert (ranks[f"{method}/equal"] == 2.5).all()
    # S is the same for all, so VIKOR is left with R: the most even models first.
    assert ranks["vikor/equal"].tolist() == [1.5, 1.5, 3.5, 3.5]


def test_usual_flows_tie_exactly_where_sums_of_ranks_are_equal():
    rng = np.random.default_rng(0)
    for m, n in ((93, 22), (200, 3), (200, 20), (54, 16), (129, 48)):
        x = np.array([rng.permutation(m) for _ in range(n)]).T / m
        sums = x.sum(axis=1).round(8)
        ranks = rank_schemes(x, schemes="promethee2-usual/equal").ranks.to_numpy()[:, 0]
        for value in np.unique(sums):
            assert np.unique(ranks[sums == value]).size == 1
        assert np.unique(ranks).size == np.unique(sums).size


@pytest.mark.parametrize("engine", ["numpy", "pymcdm"])
def test_scores_equal_to_ten_decimals_are_no_win(engine):
    noisy = BASE.copy()
    noisy[3, 0] = noisy[0, 0] + 1e-13
    exact = BASE.copy()
    exact[3, 0] = exact[0, 0]
    found, expected = (
        rank_schemes(x, schemes="promethee2-usual/equal", engine=engine) for x in (noisy, exact)
    )
    np.testing.assert_array_equal(found.preferences, expected.preferences)


def test_column_with_a_score_of_zero_does_not_take_over_wsm():
    rng = np.random.default_rng(3)
    ability = rng.uniform(0.3, 0.8, 60)
    x = ability[:, None] + rng.normal(0, 0.03, (60, 8))
    x[:, 0] = rng.uniform(0.2, 0.9, 60)  # unrelated to ability
    x[0, 0] = 0.0
    table = frame(x)
    mixed = rank_schemes(table, schemes="wsm/equal").preferences.iloc[:, 0]
    assert mixed.corr(table.mean(axis=1)) > 0.95
    assert mixed.corr(table["d0"]) < 0.6


def test_wsm_note_only_for_sum_normalisation():
    x = replaced(0, 1, -0.2)
    assert [n["code"] for n in rank(x, "wsm/equal").attrs["notes"]] == ["wsm-minmax"]
    for normalization in ("minmax", "vector", "none"):
        table = rank(x, "wsm/equal", normalization=normalization)
        assert table.attrs["notes"] == []
    assert [n["code"] for n in rank(x, "topsis/merec").attrs["notes"]] == ["merec-shift"]
    assert rank(x, "topsis/equal").attrs["notes"] == []


def test_merec_maps_a_column_in_every_composition_alike():
    table = frame(replaced(0, 1, -0.2))
    shifted = table.assign(d1=(table["d1"] + 1) / 2)
    result = rank_schemes(table).weights["all", "merec"]
    np.testing.assert_allclose(result, rank_schemes(shifted).weights["all", "merec"], atol=1e-12)


def test_merec_undefined_only_where_its_column_is():
    table = frame(replaced(0, 1, -1.0))
    compositions = frame([[1, 1, 1], [1, 0, 1]], prefix="c").astype(bool)
    result = rank_schemes(table, compositions)
    np.testing.assert_allclose(result.weights["c0", "merec"], 1 / 3)
    assert abs(result.weights["c1", "merec"]["d0"] - 0.5) > 0.01
    (note,) = [note for note in result.notes if note.code == "weights-undefined"]
    assert "MEREC" in note.message
    assert "c0" in note.message
    assert "c1" not in note.message


def test_pure_weightings_are_nan_where_undefined():
    assert np.isnan(merec_weights(replaced(0, 1, 0.0))).all()
    assert np.isnan(merec_weights(np.full((3, 2), 0.5))).all()
    assert np.isnan(critic_weights(BASE[:, :1])).all()
    assert np.isnan(critic_weights(BATTERY["all columns collinear"][0])).all()
    assert equal_weights(BASE).tolist() == [1 / 3] * 3


@pytest.mark.parametrize("hole", [np.nan, None])
def test_missing_scores_are_refused(hole):
    table = frame(BASE).astype(object)
    table.loc["m2", "d1"] = hole
    for call in (lambda: rank(table, "wsm/equal"), lambda: rank_schemes(table)):
        with pytest.raises(MissingScoresError, match=r"'m2' on 'd1'.*resolve_missing") as error:
            call()
        assert error.value.labels == ("m2",)


def test_infinite_scores_are_refused():
    with pytest.raises(NonNumericError, match="infinite"):
        rank_schemes(replaced(0, 0, np.inf))


@pytest.mark.parametrize("n", [2, 10, 24])
def test_few_models_many_datasets_never_nan(n):
    rng = np.random.default_rng(n)
    for m in range(2, 12):
        x = rng.uniform(size=(m, n)).round(1)
        result = rank_schemes(x)
        assert np.isfinite(result.preferences.to_numpy()).all()
        assert result.ranks.shape == (m, len(SCHEMES))
