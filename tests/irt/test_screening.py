from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, spearmanr

import robustrank as rr
from robustrank.errors import DuplicateError, ParameterError, UnknownLabelError
from robustrank.irt import fit_2pl, screen_datasets
from tests.conftest import frame

FINDINGS = ["sparse", "degenerate", "chance", "saturated", "reversed", "weak", "redundant"]


def clean(models: int = 40, seed: int = 0) -> pd.DataFrame:
    """Eight datasets of one ability, with enough of their own that none repeats another."""
    rng = np.random.default_rng(seed)
    theta = np.linspace(-2, 2, models)
    own = rng.normal(0, 0.5, (models, 8))
    b = np.linspace(-1, 1, 8)
    return frame(1 / (1 + np.exp(-(theta[:, None] + own - b))))


def screen(scores, **settings):
    return screen_datasets(scores, irt=fit_2pl(scores, n_refits=20), **settings)


def found(screening) -> dict[str, str]:
    """Dataset → its findings, joined."""
    flags = screening.table[FINDINGS]
    return {name: " ".join(flags.columns[row]) for name, row in flags.iterrows() if row.any()}


def codes(screening) -> list[str]:
    return [note.code for note in screening.notes]


def test_a_clean_board_has_no_findings():
    scores = clean()
    result = screen_datasets(scores, chance=dict.fromkeys(scores, 0.01))
    assert found(result) == {}
    assert result.kept == list(scores.columns)
    assert (result.table["reason"] == "").all()
    assert len(result.redundant) == 0
    assert (result.tau, result.spearman) == (1.0, pytest.approx(1.0))
    assert result.notes == ()
    assert result.ranking["rank_before"].equals(result.ranking["rank_after"].rename("rank_before"))


def planted() -> pd.DataFrame:
    scores = clean()
    rng = np.random.default_rng(1)
    scores["flat"] = 1.0
    scores["guess"] = 0.5 + rng.uniform(-0.01, 0.01, 40)
    scores["guess"] += np.linspace(0, 0.005, 40)
    scores["easy"] = np.clip(scores["d0"] * 0.08 + 0.93, 0, 0.999)
    scores["backwards"] = 1.0 - scores["d3"]
    scores["noise"] = rng.uniform(0.49, 0.51, 40) + np.linspace(0, 0.01, 40)
    scores["z-copy"] = scores["d5"]
    scores["rare"] = np.nan
    scores.loc[["m0", "m1"], "rare"] = 0.2, 0.8
    return scores


def test_every_planted_defect_is_found_and_nothing_else():
    result = screen(planted(), chance={"guess": 0.5, "d0": 0.02})
    assert found(result) == {
        "flat": "degenerate saturated",
        "guess": "chance",
        "easy": "saturated",
        "backwards": "reversed",
        "noise": "weak",
        "z-copy": "redundant",
        "rare": "sparse",
    }
    reasons = result.table["reason"]
    assert reasons["flat"] == "all 40 models score 1; 40 of 40 models score at least 0.95"
    assert reasons["guess"].startswith("40 of 40 models score no more than 0.02 above chance (0.5)")
    assert "abler models score lower (rank correlation -0." in reasons["backwards"]
    assert ", less than 0.1 (rank correlation with ability " in reasons["noise"]
    assert reasons["z-copy"] == "ranks models like d5 (rank correlation 1.000)"
    assert reasons["rare"] == "scores of 2 models only"
    assert result.kept == [f"d{j}" for j in range(8)]
    assert "chance-not-checked" in codes(result)
    note = next(note for note in result.notes if note.code == "chance-not-checked")
    assert set(note.labels) == set(planted().columns) - {"guess", "d0"}


def test_ranking_before_and_after():
    scores = planted().drop(columns="rare")
    result = screen(scores)
    kept = scores[result.kept]
    assert "flat" not in kept
    ranking = result.ranking
    np.testing.assert_allclose(ranking["mean_before"], scores.mean(axis=1))
    np.testing.assert_allclose(ranking["mean_after"], kept.mean(axis=1))
    expected = kept.mean(axis=1).rank(ascending=False)
    assert (ranking["rank_after"] == expected).all()
    pair = ranking["rank_before"], ranking["rank_after"]
    assert result.tau == pytest.approx(kendalltau(*pair).statistic)
    assert result.spearman == pytest.approx(spearmanr(*pair).statistic)
    assert 0.5 < result.tau < 1.0


def test_of_a_redundant_pair_the_more_discriminating_one_is_kept():
    scores = clean()
    scores.insert(0, "blunt", 0.4 + scores["d4"] * 0.2)
    result = screen(scores)
    assert found(result) == {"blunt": "redundant"}
    pair = result.redundant.iloc[0]
    assert (pair["dataset"], pair["other"]) == ("d4", "blunt")
    assert pair["correlation"] == pytest.approx(1.0)
    assert found(screen(scores, max_correlation=1.0)) == {}


def test_a_repetition_of_a_dataset_cut_for_another_reason_is_kept():
    """Cutting both of a pair would lose what they measure."""
    scores = clean()
    scores["easy"] = scores["d4"] * 0.03 + 0.96
    result = screen(scores)
    assert found(result) == {"easy": "saturated"}
    assert list(result.redundant["other"]) == ["easy"]


def test_correlations_are_those_of_scipy_over_shared_models():
    scores = clean(30)
    scores.iloc[:6, 1] = np.nan
    scores.iloc[4:9, 3] = np.nan
    scores.iloc[2:5, [5, 6]] = np.nan
    result = screen(scores)
    for a in scores:
        for b in scores:
            both = scores[[a, b]].dropna() if a != b else scores[[a]].dropna().assign(b=scores[a])
            expected = spearmanr(both.iloc[:, 0], both.iloc[:, 1]).statistic
            assert result.correlation.loc[a, b] == pytest.approx(expected), (a, b)


def test_few_shared_models_are_not_compared():
    scores = clean(30)
    scores.iloc[:16, 0] = np.nan
    scores.iloc[22:, 1] = np.nan
    result = screen(scores)
    assert np.isnan(result.correlation.loc["d0", "d1"])
    assert np.isfinite(result.correlation.loc["d0", "d2"])


def test_rank_agreement_within_and_across_task_types():
    scores = clean()
    types = pd.DataFrame(
        {"task_type": ["A", "A", "A", "B", "B", "C", pd.NA, pd.NA]}, scores.columns
    )
    result = screen(rr.ScoreMatrix(scores, types))
    r = result.correlation.to_numpy()
    off = r[np.triu_indices(8, 1)]
    summary = result.rank_agreement
    assert summary["mean"] == pytest.approx(off.mean())
    assert (summary["lowest"], summary["highest"]) == (off.min(), off.max())
    assert summary["within"] == pytest.approx((r[0, 1] + r[0, 2] + r[1, 2] + r[3, 4]) / 4)
    across = [r[i, j] for i in range(3) for j in (3, 4)] + [r[i, 5] for i in range(5)]
    assert summary["across"] == pytest.approx(np.mean(across))
    assert screen(scores).rank_agreement[["within", "across"]].isna().all()


def test_a_model_with_a_hole_is_not_ranked_but_noted():
    scores = clean()
    scores.loc["m7", "d2"] = np.nan
    result = screen(scores)
    assert np.isnan(result.ranking.loc["m7", "rank_before"])
    assert result.ranking["rank_before"].max() == 39
    note = next(note for note in result.notes if note.code == "unranked-models")
    assert note.labels == ("m7",)
    assert result.tau == 1.0


def test_nothing_kept_and_nothing_fitted():
    result = screen(frame([[0.99, 0.98], [0.97, 0.99], [0.98, 1.0]]))
    assert result.kept == []
    assert {"nothing-kept", "irt-undefined"} <= set(codes(result))
    assert np.isnan(result.tau)
    assert result.ranking[["mean_after", "rank_after"]].isna().all(axis=None)


def test_arrangement_and_names_change_nothing():
    scores = planted()
    result = screen(scores)
    rng = np.random.default_rng(3)
    shuffled = scores.iloc[rng.permutation(40), rng.permutation(scores.shape[1])]
    again = screen(shuffled.rename(columns=lambda name: f"x-{name}"))
    expected = {f"x-{name}": findings for name, findings in found(result).items()}
    assert found(again) == expected
    assert (again.tau, again.spearman) == (result.tau, result.spearman)
    assert again.rank_agreement.equals(result.rank_agreement)
    back = again.ranking.loc[result.ranking.index]
    assert back.equals(result.ranking)


def test_a_fit_is_made_where_none_is_given():
    scores = planted()
    own, given = screen_datasets(scores), screen_datasets(scores, irt=fit_2pl(scores, n_refits=0))
    assert own.table.equals(given.table)
    assert own.tau == given.tau


def test_a_weak_dataset_is_found_among_few_models():
    """There the ridge keeps its discrimination well above the threshold."""
    scores = clean(12)
    scores["faint"] = 0.5 + np.random.default_rng(0).uniform(-0.005, 0.005, 12)
    fit = fit_2pl(scores, n_refits=0)
    assert fit.discrimination["faint"] > 0.1
    assert found(screen_datasets(scores, irt=fit, max_correlation=1.0)) == {"faint": "weak"}


def test_thresholds():
    scores = clean()
    share = (scores["d0"] >= 0.9).mean()
    settings = {"ceiling": 0.9, "max_correlation": 1.0}
    assert screen(scores, most=share, **settings).table.loc["d0", "saturated"]
    assert not screen(scores, most=share + 0.01, **settings).table["saturated"].any()
    low = scores["d7"].min()
    at = {"chance": {"d7": low}, "margin": 0.0, "max_correlation": 1.0}
    assert screen(scores, most=1 / 40, ceiling=1.0, **at).table.loc["d7", "chance"]
    assert not screen(scores, most=2 / 40, ceiling=1.0, **at).table["chance"].any()


@pytest.mark.parametrize("name", ["margin", "ceiling", "most", "max_correlation"])
def test_bad_shares(name):
    with pytest.raises(ParameterError, match=f"{name} must lie between 0 and 1"):
        screen_datasets(clean(), **{name: 1.5})


def test_bad_settings():
    scores = clean(12)
    with pytest.raises(ParameterError, match="min_discrimination"):
        screen_datasets(scores, min_discrimination=-1)
    with pytest.raises(UnknownLabelError, match="did you mean 'd1'"):
        screen_datasets(scores, chance={"D1": 0.5})
    with pytest.raises(ParameterError, match="chance level of 'd1'"):
        screen_datasets(scores, chance={"d1": 50})
    with pytest.raises(ParameterError, match=r"chance level of 'd0' .* got \[0\.5\]"):
        screen_datasets(scores, chance=[0.5])
    with pytest.raises(DuplicateError, match="'d1' in rows 1, 2"):
        screen_datasets(scores, chance=pd.Series([0.2, 0.5], index=["d1", "d1"]))
    with pytest.raises(ParameterError, match="fit of other datasets"):
        screen_datasets(scores, irt=fit_2pl(scores[["d0", "d1", "d2"]], n_refits=0))
    with pytest.raises(ParameterError, match="fit of other datasets"):
        screen_datasets(scores, irt=scores)


def test_one_level_of_chance_for_all_datasets():
    scores = planted()
    one = screen(scores, chance=0.5)
    each = screen(scores, chance=dict.fromkeys(scores, 0.5))
    pd.testing.assert_frame_equal(one.table, each.table)
    assert one.table["chance"]["guess"]
    assert "chance-not-checked" not in codes(one)


def test_notes_on_the_scores_are_kept():
    result = screen_datasets(clean() * 100, chance=0.01)
    assert codes(result) == ["scale"]


def test_repr():
    result = screen(planted().drop(columns="rare"), chance={"guess": 0.5})
    lines = repr(result).splitlines()
    assert lines[0] == "Screening of 14 datasets: 8 kept; 1 note"
    assert lines[1] == (
        "  Findings: degenerate 1, chance 1, saturated 2, reversed 1, weak 1, redundant 1"
    )
    assert lines[2] == (
        f"  Ranking of 40 models before and after: Kendall's τ {result.tau:.4f}, "
        f"Spearman's ρ {result.spearman:.4f}"
    )
    assert "  Findings: none\n" in repr(screen(clean()))
    assert "τ undefined" in repr(screen(frame([[0.5] * 3] * 4)))


def test_the_complete_part_of_the_board(shared):
    """A cut leaves the ranking essentially unchanged, as MTEB-PT (2026), §3, found of theirs."""
    board = rr.read(shared / "data" / "board_multilingual_v2_per_task.csv").resolve_missing()
    result = screen_datasets(board, irt=fit_2pl(board, n_refits=0))
    assert {"HagridRetrieval", "SiswatiNewsClassification"}.isdisjoint(result.kept)
    assert 100 < len(result.kept) < 125
    assert result.spearman > 0.99
    pairs = set(map(frozenset, result.redundant[["dataset", "other"]].to_numpy()))
    same_corpus = {"WikipediaRetrievalMultilingual", "WikipediaRerankingMultilingual"}
    assert frozenset(same_corpus) in pairs
