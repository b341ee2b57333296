from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from statsmodels.stats.multitest import multipletests

from robustrank._numeric import content_order
from robustrank.errors import ParameterError
from robustrank.resampling import comparisons as module
from robustrank.resampling import paired_bootstrap, sign_flip_test
from robustrank.resampling.sign_flip import sign_flip_max_t
from tests.conftest import frame, note_codes, random_scores


@pytest.fixture(scope="module")
def found():
    return paired_bootstrap(random_scores(7, 12, noise=0.2), n_resamples=1500)


def pairs(found):
    return found.compare(adjustment="none", test="bootstrap").table.set_index(
        ["model_a", "model_b"]
    )


def test_families(found):
    order = found.order
    wanted = {
        "all": [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]],
        "adjacent": list(pairwise(order)),
        "leader": [(order[0], b) for b in order[1:]],
    }
    for family, expected in wanted.items():
        table = found.compare(family, test="bootstrap").table
        assert list(zip(table["model_a"], table["model_b"], strict=True)) == expected


def test_a_row_says_what_the_bootstrap_says(found):
    table = pairs(found)
    for (a, b), row in table.iterrows():
        gaps = found.samples[found.models.get_loc(a)] - found.samples[found.models.get_loc(b)]
        assert row["difference"] == pytest.approx(found.estimate[a] - found.estimate[b])
        assert [row["low"], row["high"]] == pytest.approx(list(np.quantile(gaps, [0.025, 0.975])))
        assert row["probability"] == found.pairwise.loc[a, b]
        assert row["p_value"] == row["p_adjusted"] == found.p_values.loc[a, b]
        assert row["significant"] == (row["p_value"] <= 0.05)
    assert (table["difference"] >= 0).all()


@pytest.mark.parametrize("method", ["holm", "fdr-bh"])
@pytest.mark.parametrize("test", ["bootstrap", "sign-flip"])
def test_step_procedures_equal_statsmodels(found, method, test):
    table = found.compare(adjustment=method, test=test).table
    wanted = multipletests(table["p_value"], method=method.replace("-", "_"))[1]
    np.testing.assert_allclose(table["p_adjusted"], wanted, atol=1e-12)


def max_t_by_loop(found):
    """Share of resamples whose largest studentised deviation reaches the observed difference."""
    table = pairs(found)
    rows = [[found.models.get_loc(name) for name in pair] for pair in table.index]
    gaps = [found.samples[a] - found.samples[b] for a, b in rows]
    spread = [np.std(gap, ddof=1) for gap in gaps]
    observed = table["difference"].to_numpy()
    largest = [
        max(abs(gap[r] - o) / s for gap, o, s in zip(gaps, observed, spread, strict=True))
        for r in range(found.samples.shape[1])
    ]
    hits = [np.sum(np.array(largest) >= o / s) for o, s in zip(observed, spread, strict=True)]
    return (np.array(hits) + 1) / (len(largest) + 1)


def test_max_t_equals_a_loop(found, monkeypatch):
    wanted = max_t_by_loop(found)
    np.testing.assert_allclose(found.compare(test="bootstrap").table["p_adjusted"], wanted)
    monkeypatch.setattr(module, "_BLOCK_CELLS", 6000)  # four pairs at a time
    np.testing.assert_allclose(found.compare(test="bootstrap").table["p_adjusted"], wanted)


@pytest.mark.parametrize("test", ["bootstrap", "sign-flip"])
def test_max_t_adjusts(found, test):
    """It is no smaller than what it is for the pair alone, and grows with the family."""
    everything = found.compare(test=test).table.set_index(["model_a", "model_b"])["p_adjusted"]
    for family in ("leader", "adjacent"):
        part = found.compare(family, test=test).table.set_index(["model_a", "model_b"])
        assert (everything[part.index] >= part["p_adjusted"]).all()
        assert (everything[part.index] > part["p_adjusted"]).any()
    raw = everything.index.map(pairs(found)["p_value"])
    assert (everything.to_numpy() >= np.asarray(raw) / 2 - 0.01).all()


def test_sign_flips_are_of_the_paired_scores(found):
    scores = random_scores(7, 12, noise=0.2)
    table = found.compare(test="sign-flip", adjustment="none").table
    wanted = sign_flip_test(
        scores.loc[table["model_a"]].to_numpy() - scores.loc[table["model_b"]].to_numpy()
    )
    np.testing.assert_allclose(table["p_value"], wanted, atol=1e-12)
    adjusted = found.compare(test="sign-flip", seed=4).table["p_adjusted"]
    again = found.compare(test="sign-flip", seed=np.random.default_rng(4)).table["p_adjusted"]
    pd.testing.assert_series_equal(adjusted, again)


def test_sign_flips_of_weighted_means_are_weighted():
    scores = random_scores(4, 9, noise=0.2)
    found = paired_bootstrap(
        scores, aggregate="discrimination-weighted-mean", n_resamples=200, seed=2
    )
    table = found.compare(test="sign-flip", adjustment="none").table
    gaps = found.by_dataset.differences(
        found.models.get_indexer(table["model_a"]), found.models.get_indexer(table["model_b"])
    )
    np.testing.assert_allclose(gaps.sum(axis=1), table["difference"], atol=1e-12)
    np.testing.assert_allclose(table["p_value"], sign_flip_test(gaps), atol=1e-12)


def test_copies_are_flipped_together_where_clusters_are_drawn():
    """Three copies of each of five datasets can show no more than five datasets."""
    five = random_scores(3, 5)
    five.iloc[0] = (five.iloc[1:].max() + 0.05).clip(upper=1.0)
    board = pd.concat([five.rename(columns=lambda d, c=c: f"{d}-{c}") for c in "abc"], axis=1)
    numbers = {name: int(name[1]) for name in board}
    settings = {"n_resamples": 300, "resampling": "clusters", "clusters": numbers}
    found = paired_bootstrap(board, **settings).compare(test="sign-flip", adjustment="none")
    alone = paired_bootstrap(five, n_resamples=300).compare(test="sign-flip", adjustment="none")
    assert found.floor == alone.floor == 2 / 2**5
    np.testing.assert_allclose(found.table["p_value"], alone.table["p_value"])
    assert found.table["p_value"].min() == 2 / 2**5


def test_floors_and_their_note():
    board = random_scores(8, 10, noise=0.1)
    found = paired_bootstrap(board, n_resamples=199)
    holm = found.compare(adjustment="holm", test="bootstrap")
    assert holm.floor == pytest.approx(28 * 2 / 200)
    assert note_codes(holm) == ["family-cannot-reject"]
    assert "28 comparisons" in holm.notes[0].message
    assert "more resamples" in holm.notes[0].message
    assert not holm.table["significant"].any()
    assert found.compare(adjustment="fdr-bh", test="bootstrap").floor == pytest.approx(2 / 200)
    assert found.compare(test="bootstrap").floor == 1 / 200
    assert found.compare(test="bootstrap").notes == ()
    assert found.compare(test="sign-flip", adjustment="none").floor == 2 / 2**10
    assert found.compare(test="sign-flip").floor == 1 / 200
    few = paired_bootstrap(board[["d0", "d1", "d2"]], n_resamples=199)
    flips = few.compare(test="sign-flip")
    assert flips.floor == 0.25
    assert "more datasets" in flips.notes[0].message
    assert "max-t" not in flips.notes[0].message
    assert "0 significant at 0.05; floor 0.25" in repr(flips)
    for comparisons in (
        holm,
        flips,
        found.compare(test="bootstrap"),
        few.compare(test="sign-flip"),
    ):
        assert (comparisons.table["p_adjusted"] >= comparisons.floor - 1e-12).all()


def test_a_constant_difference_neither_needs_nor_moves_the_maximum():
    board = random_scores(4, 10, noise=0.2)
    board.loc["low"] = board.loc["m0"] - 0.005
    board.loc["twin"] = board.loc["m1"]
    found = paired_bootstrap(board, n_resamples=500)
    table = found.compare(test="bootstrap").table.set_index(["model_a", "model_b"])
    assert table.loc[("m0", "low"), "p_adjusted"] == 1 / 501
    twins = sorted(["m1", "twin"], key=found.order.index)
    assert table.loc[tuple(twins), "p_adjusted"] == 1.0
    assert table.loc[tuple(twins), "difference"] == pytest.approx(0.0)
    without = (
        paired_bootstrap(board.loc[["m0", "low"]], n_resamples=500).compare(test="bootstrap").table
    )
    assert without["p_adjusted"].tolist() == [1 / 501]


def test_models_that_some_resamples_miss_are_compared_over_the_others():
    board = random_scores(6, 5, noise=0.05)
    board.iloc[2, 2:] = np.nan
    found = paired_bootstrap(board, aggregate="borda", n_resamples=800)
    place = found.models.get_loc("m2")
    assert np.isnan(found.samples[place]).any()
    table = found.compare(test="bootstrap").table
    assert table["p_adjusted"].notna().all()
    row = table[(table["model_a"] == "m2") | (table["model_b"] == "m2")].iloc[0]
    other = ({row["model_a"], row["model_b"]} - {"m2"}).pop()
    gaps = found.samples[place] - found.samples[found.models.get_loc(other)]
    spread = np.nanstd(gaps, ddof=1)
    own = np.nansum(np.abs(gaps - np.nanmean(gaps)) >= abs(row["difference"]) * (1 - 1e-9))
    assert spread > 0
    assert row["p_adjusted"] >= (own + 1) / 801 * 0.5


def test_a_pair_that_met_in_one_resample_only_is_undecided():
    board = random_scores(3, 4)
    board.iloc[0, 1:] = np.nan
    results = (
        paired_bootstrap(board, aggregate="borda", n_resamples=2, seed=seed) for seed in range(99)
    )
    found = next(b for b in results if np.isnan(b.samples[0]).sum() == 1)
    table = found.compare(test="bootstrap").table
    alone = (table["model_a"] == "m0") | (table["model_b"] == "m0")
    assert table["p_adjusted"].isna().tolist() == alone.tolist()
    assert not table["significant"][alone].any()


def null_boards(m, n, number):
    """Models that differ by nothing but the noise on each dataset."""
    rng = np.random.default_rng(1)
    for _ in range(number):
        yield frame(0.5 + rng.normal(0, 0.08, n) + rng.normal(0, 0.03, (m, n)))


def test_max_t_of_sign_flips_keeps_the_family_wise_error():
    """Of boards of equal models, about 5% show a difference: binomial 99.9% bounds."""
    rng, hits, number = np.random.default_rng(1), 0, 400
    a, b = np.triu_indices(12, k=1)
    for k in range(number):
        scores = rng.normal(size=(12, 15))
        hits += sign_flip_max_t(scores[a] - scores[b], n_resamples=400, seed=k).min() <= 0.05
    low, high = scipy.stats.binom.ppf([0.0005, 0.9995], number, 0.05)
    assert low <= hits <= high


def test_max_t_of_the_bootstrap_is_near_its_level_with_many_datasets():
    """Liberal, as the docstring of `Bootstrap.compare` says: less so with more datasets."""

    def finds_something(board):
        found = paired_bootstrap(board, n_resamples=200).compare(test="bootstrap")
        return found.table["significant"].any()

    few, many = (np.mean([finds_something(b) for b in null_boards(4, n, 20)]) for n in (6, 80))
    assert many <= 0.15 < few


def test_the_test_by_default_is_the_one_that_keeps_its_level():
    board = random_scores(5, 8)
    assert paired_bootstrap(board, n_resamples=50).compare().test == "sign-flip"
    scheme = paired_bootstrap(board, n_resamples=50, aggregate="topsis/equal")
    assert scheme.compare().test == "bootstrap"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"family": "top"}, "family must be one of 'all', 'adjacent', 'leader'; got 'top'"),
        ({"adjustment": "bonferroni"}, "adjustment must be one of 'max-t', 'holm', 'fdr-bh'"),
        ({"test": "t"}, "test must be one of 'bootstrap', 'sign-flip'; got 't'"),
        ({"test": "sign-flip", "seed": -1}, "seed must be"),
    ],
)
def test_unknown_settings(found, wrong, message):
    with pytest.raises(ParameterError, match=message):
        found.compare(**wrong)


def test_sign_flips_need_a_mean_over_datasets():
    found = paired_bootstrap(random_scores(3, 4), aggregate="topsis/equal", n_resamples=20)
    with pytest.raises(ParameterError, match=r"'topsis/equal' is none. Use test='bootstrap'"):
        found.compare(test="sign-flip", adjustment="holm")
    assert len(found.compare(test="bootstrap").table) == 3


@pytest.mark.parametrize("n", [9, 40])
def test_sums_by_model_give_what_sums_by_pair_give(n):
    """The short cut for complete boards, against the functions on differences."""
    scores = random_scores(6, n, noise=0.15)
    found = paired_bootstrap(scores, n_resamples=300)
    table = found.compare(seed=5).table
    better, worse = (scores.loc[table[side]].to_numpy() for side in ("model_a", "model_b"))
    gaps = (better - worse)[:, content_order(scores)[1]] / n
    p = sign_flip_test(gaps, n_resamples=300, seed=5)
    np.testing.assert_allclose(table["p_value"], p)
    adjusted = sign_flip_max_t(gaps, n_resamples=300, seed=5)
    np.testing.assert_allclose(table["p_adjusted"], adjusted)
