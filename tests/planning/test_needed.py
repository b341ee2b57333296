from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import robustrank as rr
from robustrank.errors import InputError, ParameterError, UnknownLabelError
from robustrank.planning.curve import resampled_power
from robustrank.planning.power import t_test_power
from tests.conftest import frame, note_codes, random_scores


def two_models(differences) -> pd.DataFrame:
    return frame([0.5 + np.asarray(differences), np.full(len(differences), 0.5)])


def with_effect(effect: float, n: int, seed: int = 0, sd: float = 0.01) -> np.ndarray:
    """Differences that have exactly this mean over standard deviation."""
    drawn = np.random.default_rng(seed).normal(size=n)
    return sd * ((drawn - drawn.mean()) / drawn.std(ddof=1) + effect)


def typed(scores: pd.DataFrame, types) -> rr.ScoreMatrix:
    return rr.ScoreMatrix(scores, pd.DataFrame({"task_type": types}, index=scores.columns))


def test_one_pair_is_what_scipy_says_of_it():
    differences = with_effect(0.5, 40)
    found = rr.datasets_needed(two_models(differences))
    row = found.table.loc[("m0", "m1")]
    assert row["n"] == 40
    assert row["needed"] == 34  # G*Power, R's pwr
    assert row["difference"] == pytest.approx(0.005)
    assert row["sd"] == pytest.approx(0.01)
    assert row["p_value"] == pytest.approx(stats.ttest_1samp(differences, 0.0).pvalue)
    assert row["low"] < 34 < row["high"]
    assert "takes 34 such datasets (" in found.headline
    assert "m0 is 0.50 points ahead of m1 over 40 datasets (paired t-test, p = 0.003)." in (
        found.headline
    )


def test_fresh_boards_of_that_many_datasets_have_the_power_asked_for():
    needed = rr.datasets_needed(two_models(with_effect(0.4, 60)), power=0.9).table["needed"].iloc[0]
    drawn = np.random.default_rng(1).normal(0.4, 1.0, (20_000, int(needed)))
    power = (stats.ttest_1samp(drawn, 0.0, axis=1).pvalue <= 0.05).mean()
    assert power == pytest.approx(0.9, abs=0.01)


def test_resampling_agrees_with_the_formula_for_normal_differences():
    found = rr.datasets_needed(two_models(with_effect(0.3, 200)), n_resamples=1000)
    curve = found.curve[found.curve["n_datasets"] > 20]
    np.testing.assert_allclose(curve["resampled"], curve["power"], atol=0.06)
    row = found.table.iloc[0]
    assert row["resampled"] == pytest.approx(row["needed"], rel=0.1)


def test_draws_are_those_of_a_loop():
    """The same multinomial draws, expanded, tested by scipy, with Holm by hand."""
    rng = np.random.default_rng(3)
    differences = rng.normal([[0.5], [0.2]], 1.0, (2, 12))
    found = resampled_power(
        differences, [9], alpha=0.05, n_resamples=100, rng=np.random.default_rng(7)
    )
    stretched = differences.mean(axis=1, keepdims=True) + np.sqrt(12 / 11) * (
        differences - differences.mean(axis=1, keepdims=True)
    )
    counts = np.random.default_rng(7).multinomial(9, np.full(12, 1 / 12), size=100)
    hits = np.zeros(2)
    for row in counts:
        drawn = np.repeat(stretched, row, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            p = stats.ttest_1samp(drawn, 0.0, axis=1).pvalue
        hits += rr.adjust_p_values(p, "holm") <= 0.05
    np.testing.assert_allclose(found[0], hits / 100)


def test_neighbours_are_tested_in_the_order_of_holm():
    scores = random_scores(6, 30, seed=4)
    table = rr.datasets_needed(scores, top_k=4).table
    order = scores.mean(axis=1).sort_values(ascending=False).index
    assert list(table.index) == list(pairwise(order[:4]))
    by_effect = table.sort_values("effect_size", ascending=False)
    np.testing.assert_allclose(by_effect["level"], [0.05 / 3, 0.05 / 2, 0.05])
    assert by_effect["needed"].is_monotonic_increasing
    for row in by_effect.itertuples():
        assert t_test_power(row.effect_size, row.needed, row.level) >= 0.8
    alone = rr.datasets_needed(scores, (order[0], order[1])).table.iloc[0]
    assert alone["p_value"] == pytest.approx(table["p_value"].iloc[0])
    expected = rr.adjust_p_values(table["p_value"], "holm")
    np.testing.assert_allclose(table["p_adjusted"], expected)


def test_tied_models_have_no_number():
    apart = [0.01, -0.01, 0.02, -0.02, 0.03, -0.03]
    for differences in (apart, np.zeros(6)):
        found = rr.datasets_needed(two_models(differences))
        assert found.table["needed"].isna().all()
        assert "no number of such datasets would separate them" in found.headline
        assert "tied-models" in note_codes(found)
        assert found.table["p_value"].iloc[0] == 1.0
    assert found.table["low"].isna().all()  # identical: no lower limit either
    assert rr.datasets_needed(two_models(apart)).table["low"].iloc[0] >= 6


def test_a_constant_lead_takes_what_a_test_without_a_distribution_takes():
    found = rr.datasets_needed(frame([[0.2, 0.3, 0.4, 0.5], [0.15, 0.25, 0.35, 0.45]]))
    row = found.table.iloc[0]
    assert (row["needed"], row["low"], row["high"]) == (6, 6, 6)
    assert row["p_value"] == 2.0**-3  # of the sign-flip test: all eight flips of four, two-sided
    assert "by the same 5.00 points on each of 4 datasets" in found.headline
    assert "fewest-datasets" in note_codes(found)


def test_a_pair_has_no_fewer_than_those_before_it_in_holms_order():
    """Two constant leads tie in effect: both wait for the stricter level, 7 datasets at 0.025."""
    spread = np.array([0.0, 0.1, 0.2, 0.05, 0.3, 0.12, 0.2])
    table = rr.datasets_needed(frame([spread + start for start in (0.5, 0.4, 0.3)]), top_k=3).table
    assert table[["needed", "low", "high"]].eq(7).all(axis=None)
    assert (table["p_adjusted"] == 2.0**-5).all()
    close = with_effect(0.009, 12)  # at 0.05 within 100,000, at 0.025 beyond
    scores = frame([0.5 + close, np.full(12, 0.5), 0.5 - close[::-1]])
    assert rr.datasets_needed(scores, ("m0", "m1")).table["needed"].notna().all()
    found = rr.datasets_needed(scores, top_k=3)
    assert found.table["needed"].isna().all()
    assert "Left: 2 pairs so close that it takes more than 100,000." in found.headline


def test_the_headline_names_the_kind_that_is_against_the_lead():
    parts = [with_effect(2.0, 12, 1), with_effect(-2.0, 6, 2), with_effect(1.0, 2, 3)]
    board = typed(
        two_models(np.concatenate(parts)), ["STS"] * 12 + ["Retrieval"] * 6 + ["Clustering"] * 2
    )
    said = rr.datasets_needed(board).headline
    assert "STS shows it alone (6 datasets needed, 12 there); on Retrieval m1 is ahead." in said


def test_a_hair_of_a_lead_is_said_to_be_too_close():
    found = rr.datasets_needed(two_models(with_effect(1e-4, 20)))
    assert found.table["needed"].isna().all()
    assert "0.05 takes more than 100,000 such datasets." in found.headline
    assert "m0 is under 0.01 points ahead" in found.headline
    assert "too-close" in note_codes(found)


@pytest.mark.parametrize("n", [1, 0])
def test_what_too_few_datasets_leave_open(n):
    scores = frame([[0.9, np.nan], [0.8, 0.5]] if n else [[0.9, np.nan], [np.nan, 0.5]])
    found = rr.datasets_needed(scores, ("m0", "m1"))
    assert found.table["n"].iloc[0] == n
    assert found.table["needed"].isna().all()
    assert "takes two at least" in found.headline
    assert {"too-few-datasets", "shared-datasets"} <= set(note_codes(found))
    with pytest.raises(InputError, match="the power is not known"):
        found.plot.power()
    json.dumps(found.to_dict(), allow_nan=False)


def test_nothing_is_drawn_from_a_handful_of_datasets():
    found = rr.datasets_needed(two_models(with_effect(0.5, 9)))
    assert found.curve["resampled"].isna().all()
    assert found.table["resampled"].isna().all()
    assert "by resampling" not in found.headline


def test_a_named_pair_is_compared_where_both_ran():
    scores = random_scores(5, 20, seed=2)
    scores.iloc[1, :4] = np.nan
    found = rr.datasets_needed(scores, ["m1", "m3"])
    assert found.table["n"].iloc[0] == 16
    assert found.table.equals(rr.datasets_needed(scores, ["m3", "m1"]).table)
    only = rr.datasets_needed(scores.iloc[[1, 3], 4:])
    assert found.table["needed"].equals(only.table["needed"])


def test_copies_of_a_dataset_count_once_by_clusters():
    scores = random_scores(12, 15, seed=5, noise=0.15)
    copied = pd.concat([scores, scores.add_suffix("-copy"), scores.add_suffix("-again")], axis=1)
    pair = ("m0", "m1")
    once = rr.datasets_needed(scores, pair).table.iloc[0]
    clusters = rr.datasets_needed(copied, pair, by="clusters").table.iloc[0]
    datasets = rr.datasets_needed(copied, pair).table.iloc[0]
    assert clusters["n"] == 15
    assert datasets["n"] == 45
    assert clusters["needed"] == once["needed"]
    assert clusters["p_value"] == pytest.approx(once["p_value"])
    assert datasets["p_value"] < once["p_value"]


def test_clusters_can_have_another_leader():
    rng = np.random.default_rng(0)
    ability = rng.uniform(0.3, 0.7, 12)
    copy = ability + 0.01
    unlike = rng.uniform(0.2, 0.8, (12, 3))
    scores = frame(np.column_stack([copy] * 9 + [unlike]))
    scores.loc["m0"] = [0.95] * 9 + [0.3] * 3
    scores.loc["m1"] = [0.85] * 9 + [0.9] * 3
    scores.loc["m1", "d0":"d8"] = 0.7
    found = rr.datasets_needed(scores, by="clusters")
    assert scores.mean(axis=1).idxmax() == "m0"
    assert found.table.index[0][0] == "m1"
    assert "leader-by-clusters" in note_codes(found)


def test_kinds_are_planned_alone_and_the_decisive_one_comes_first():
    good, bad, noise = with_effect(2.0, 12, 1), with_effect(-0.5, 12, 2), with_effect(0.3, 12, 3)
    scores = two_models(np.concatenate([noise, good, bad]))
    board = typed(scores, ["STS"] * 12 + ["Retrieval"] * 12 + ["Clustering"] * 12)
    found = rr.datasets_needed(board)
    kinds = found.kinds.loc[("m0", "m1")]
    assert list(kinds.index) == ["Retrieval", "STS", "Clustering"]
    assert list(kinds["ahead"]) == ["m0", "m0", "m1"]
    assert pd.isna(kinds.loc["Clustering", "needed"])
    alone = rr.datasets_needed(board.select(task_type="Retrieval")).table.iloc[0]
    assert kinds.loc["Retrieval", "needed"] == alone["needed"]
    assert kinds.loc["Retrieval", "high"] == alone["high"]
    assert kinds.loc["Retrieval", "gain"] > 0.0 > kinds.loc["Clustering", "gain"]
    expected = rr.adjust_p_values(kinds["p_value"].to_numpy(), "holm")
    np.testing.assert_allclose(kinds["p_adjusted"], expected)
    assert "Of the task types, Retrieval shows it alone" in found.headline
    assert "each alone" in found.summary()


def test_gain_is_the_expected_change_of_t():
    """One more dataset of a kind, drawn many times from its mean and standard deviation."""
    parts = [with_effect(1.5, 10, 1), with_effect(0.2, 30, 2)]
    board = typed(two_models(np.concatenate(parts)), ["STS"] * 10 + ["Retrieval"] * 30)
    kinds = rr.datasets_needed(board).kinds.loc[("m0", "m1")]
    whole = np.concatenate(parts)
    now = whole.mean() / whole.std(ddof=1) * np.sqrt(40)
    drawn = np.random.default_rng(0).normal(parts[0].mean(), parts[0].std(ddof=1), 20_000)
    longer = np.column_stack([np.broadcast_to(whole, (len(drawn), 40)), drawn])
    t = longer.mean(axis=1) / longer.std(axis=1, ddof=1) * np.sqrt(41)
    assert kinds.loc["STS", "gain"] == pytest.approx(t.mean() - now, abs=0.02)


def test_without_task_types_there_are_no_kinds_unless_some_are_given():
    scores = random_scores(4, 12)
    assert rr.datasets_needed(scores).kinds.empty
    given = {name: "x" if j < 6 else "y" for j, name in enumerate(scores.columns)}
    found = rr.datasets_needed(scores, kinds=given)
    assert set(found.kinds.index.get_level_values("kind")) == {"x", "y"}
    assert found.settings["kinds"] == given
    with pytest.raises(InputError, match="task"):
        rr.datasets_needed(scores, kinds="task_type")


def test_neither_order_nor_names_nor_percent_change_a_number():
    scores = random_scores(7, 25, seed=8)
    settings = {"top_k": 5, "n_resamples": 100}
    base = rr.datasets_needed(scores, **settings)
    rng = np.random.default_rng(0)
    turned = scores.iloc[rng.permutation(7), rng.permutation(25)]
    renamed = turned.rename(index=lambda name: f"<b>{name}$_$"[::-1], columns=lambda d: f"x{d}")
    for other in (turned, renamed):
        found = rr.datasets_needed(other, **settings)
        assert found.table.to_numpy().tolist() == base.table.to_numpy().tolist()
        assert found.curve.to_numpy().tolist() == base.curve.to_numpy().tolist()
    percent = rr.datasets_needed(100.0 * scores, **settings)
    assert percent.table["needed"].equals(base.table["needed"])


def test_the_same_seed_gives_the_same_draws():
    scores = random_scores(4, 30)
    first, same, other = (rr.datasets_needed(scores, seed=seed).curve for seed in (1, 1, 2))
    assert first.equals(same)
    assert not first["resampled"].equals(other["resampled"])
    assert first["power"].equals(other["power"])


@pytest.mark.parametrize(
    ("settings", "culprit"),
    [
        ({"alpha": 0.0}, "alpha"),
        ({"power": 0.04}, "power"),
        ({"power": 1.0}, "power"),
        ({"power": "much"}, "power"),
        ({"by": "task_type"}, "by must be"),
        ({"kinds": "sizes"}, "sizes"),
        ({"top_k": 1}, "top_k"),
        ({"pair": ("m0", "m1"), "top_k": 3}, "pair or top_k"),
        ({"pair": ("m0", "m0")}, "two different models"),
        ({"pair": "m0"}, "two different models"),
        ({"pair": 5}, "two different models"),
        ({"pair": ("m0", "m1", "m2")}, "two different models"),
        ({"n_resamples": 0}, "n_resamples"),
        ({"seed": -1}, "seed"),
        ({"confidence_level": 2.0}, "confidence_level"),
    ],
)
def test_bad_settings_are_named(settings, culprit):
    with pytest.raises(ParameterError, match=culprit):
        rr.datasets_needed(random_scores(3, 8), **settings)


def test_unknown_models_and_lone_models():
    with pytest.raises(UnknownLabelError, match="did you mean 'm1'"):
        rr.datasets_needed(random_scores(3, 8), ("m0", "M1"))
    with pytest.raises(InputError, match="two models"):
        rr.datasets_needed(random_scores(1, 8))


def test_results_are_written_and_drawn(tmp_path):
    board = typed(random_scores(4, 24), ["STS", "Retrieval"] * 12)
    found = rr.datasets_needed(board, n_resamples=100)
    found.save(tmp_path)
    written = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert {"datasets_needed.csv", "power.csv", "kinds.csv", "summary.txt"} <= written
    assert {"power.svg", "by_kind.svg"} <= written
    content = json.loads((tmp_path / "results.json").read_text())
    assert content["figures_left_out"] == {}
    assert content["table"][0]["needed"] == found.table["needed"].iloc[0]
    with pytest.raises(InputError, match="of one pair"):
        rr.datasets_needed(board, top_k=3).plot.power()
    with pytest.raises(InputError, match="Pass kinds="):
        rr.datasets_needed(random_scores(3, 12)).plot.by_kind()


def test_on_the_bundled_board():
    found = rr.datasets_needed(rr.load_example(), n_resamples=200)
    assert found.table["needed"].iloc[0] == 42
    assert found.kinds.loc[found.table.index[0]].index[0] == "BitextMining"
    assert "Classification" in found.headline
