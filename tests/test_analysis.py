from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robustrank as rr
from robustrank.errors import EmptyMatrixError, InputError, MissingScoresError, ParameterError
from tests.conftest import frame, random_scores, score_frames
from tests.test_agreement import naive_w
from tests.test_redundancy import PUBLISHED, chained

NUMBERS = ["mean", "rank", "borda_rank", "mean_rank", "scheme_variance", "consistency"]


def codes(analysis: rr.Analysis) -> list[str]:
    return [note.code for note in analysis.notes]


def same_bytes(one: rr.Analysis, other: rr.Analysis) -> bool:
    """Compare everything down to the last bit, but for row and column order."""
    first, second = (json.dumps(a.to_dict(), sort_keys=True) for a in (one, other))
    return first == second


# --- real matrices against a naive oracle ------------------------------------------------------


def naive(analysis: rr.Analysis) -> tuple[dict, dict, pd.DataFrame, pd.DataFrame, pd.Series]:
    """W over schemes and picks, ST, SN and consistency, with loops, from the ranks."""
    ranks = analysis.rankings.ranks
    compositions = list(analysis.redundancy.compositions.index)
    picks = compositions[1:] or ["all"]
    schemes = list(rr.SCHEMES)
    w_schemes = {c: naive_w(ranks[c].to_numpy()) for c in compositions}
    w_compositions = {
        s: naive_w(np.column_stack([ranks[(c, s)] for c in picks])) if len(picks) > 1 else np.nan
        for s in schemes
    }
    st_, sn, tc = {}, {}, {}
    for model in ranks.index:
        row = ranks.loc[model]
        st_[model] = {c: np.var([row[(c, s)] for s in schemes]) for c in compositions}
        sn[model] = {s: np.var([row[(c, s)] for c in compositions]) for s in schemes}
        tc[model] = np.mean([max(0, 11 - row[(c, s)]) / 10 for c in picks for s in schemes])
    return w_schemes, w_compositions, pd.DataFrame(st_).T, pd.DataFrame(sn).T, pd.Series(tc)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_pairs_agree_with_a_naive_oracle(shared, name):
    analysis = rr.analyze(shared / "data" / "matrices" / f"{name}.csv")
    w_schemes, w_compositions, st_, sn, tc = naive(analysis)
    approx = pytest.approx
    assert analysis.agreement.w_schemes.to_dict() == approx(w_schemes, abs=1e-12)
    assert analysis.agreement.w_compositions.to_dict() == approx(w_compositions, abs=1e-12)
    pd.testing.assert_frame_equal(
        analysis.agreement.scheme_variance, st_, check_names=False, atol=1e-9
    )
    pd.testing.assert_frame_equal(
        analysis.agreement.composition_variance, sn, check_names=False, atol=1e-9
    )
    pd.testing.assert_series_equal(analysis.consistency, tc, check_names=False, atol=1e-12)


# The models named as most robust in Tables 2-10 of "On the Robustness of Multilingual Text
# Embedding Rankings" (2026), by language and task type: one of them leads the mean rank.
NAMED = {
    "fra_Clustering": {"llama-embed-nemotron-8b", "Qwen3-Embedding-8B"},
    "eng_Clustering": {"Qwen3-Embedding-8B", "Qwen3-Embedding-4B", "llama-embed-nemotron-8b"},
    "eng_STS": {"Octen-Embedding-8B"},
    "eng_PairClassification": {"Qwen3-Embedding-8B", "Qwen3-Embedding-4B", "Octen-Embedding-8B"},
    "fra_BitextMining": {"bge-m3"},
    "eng_Retrieval": {"bilingual-embedding-large"},
}


@pytest.mark.parametrize("name", NAMED)
def test_a_model_that_the_paper_names_leads(shared, name):
    analysis = rr.analyze(shared / "data" / "matrices" / f"{name}.csv")
    leader = analysis.to_frame()["mean_rank"].idxmin()
    assert leader.split("/")[1] in NAMED[name]


# Table 11 of "Dataset Scarcity Limits Robust Evaluation of Multilingual Embedding Models" (2026):
# the most transfer-consistent model over eight task types, and its coverage-weighted consistency.
SLAVIC = {
    "slv": ("multilingual-e5-large-instruct", 0.35),
    "srp": ("llama-embed-nemotron-8b", 0.30),
    "bul": ("llama-embed-nemotron-8b", 0.55),
    "pol": ("Qwen3-Embedding-4B", 0.54),
}


@pytest.mark.parametrize("language", SLAVIC)
def test_published_cross_task_consistency(shared, language):
    tasks = {
        path.stem: rr.analyze(path).consistency
        for path in sorted((shared / "data" / "matrices").glob(f"{language}_*.csv"))
    }
    result = rr.coverage_weighted_consistency(tasks, n_tasks=8)
    model, published = SLAVIC[language]
    assert result.index[0].split("/")[1] == model
    assert round(result.iloc[0], 2) == published


# --- every matrix, whatever its shape ----------------------------------------------------------


def test_every_published_matrix_is_analysed(shared):
    paths = sorted((shared / "data" / "matrices").glob("*.csv"))
    assert len(paths) > 50
    for path in paths:
        analysis = rr.analyze(path)
        table = analysis.to_frame()
        assert table[NUMBERS].notna().all(axis=None), path.name
        assert table["rank"].is_monotonic_increasing
        assert json.dumps(analysis.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("board", "models"),
    [
        ("board_multilingual_v2_per_task.csv", 447),
        ("board_multilingual_v2_per_task_dec2025.csv", 361),
    ],
)
def test_boards_name_what_they_drop(shared, board, models):
    matrix = rr.read(shared / "data" / board)
    assert matrix.shape == (models, 131)
    analysis = rr.analyze(matrix)
    dropped = next(note for note in analysis.notes if note.code == "dropped-models")
    assert len(dropped.labels) + len(analysis.matrix.scores) == models
    empty = [n.labels for n in analysis.notes if n.code == "empty-datasets"]
    assert empty == ([("FloresBitextMining",)] if models == 447 else [])
    kept = rr.analyze(matrix, missing="keep")
    assert kept.matrix.shape == (models, 131 - len(empty))
    pd.testing.assert_frame_equal(
        kept.to_frame().dropna()[["mean", "rank"]], analysis.to_frame()[["mean", "rank"]]
    )


@given(score_frames(min_datasets=1))
@settings(max_examples=80)
def test_any_small_matrix(scores):
    analysis = rr.analyze(scores)
    table = analysis.to_frame()
    assert sorted(table.index) == sorted(scores.index)
    assert table[NUMBERS].notna().all(axis=None)
    assert table["rank"].is_monotonic_increasing
    assert table["rank"].sum() == len(scores) * (len(scores) + 1) / 2
    assert analysis.winners.sum() == pytest.approx(1.0)
    constant = set(scores.columns[scores.nunique() == 1])
    assert constant == set(analysis.redundancy.clusters.index[analysis.redundancy.clusters == 0])
    assert ("constant-datasets" in codes(analysis)) == bool(constant)
    assert json.dumps(analysis.to_dict(), allow_nan=False)


@given(score_frames(min_datasets=2), st.randoms())
@settings(max_examples=40)
def test_order_changes_no_bit(scores, random):
    rows, columns = list(scores.index), list(scores.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    one, other = rr.analyze(scores), rr.analyze(scores.loc[rows, columns])
    # Models that tie stay in the order given, so compare the tables by name.
    pd.testing.assert_frame_equal(
        one.to_frame().sort_index(), other.to_frame().sort_index(), check_exact=True
    )
    assert one.redundancy.clusters.to_dict() == other.redundancy.clusters.to_dict()
    assert one.agreement.w_schemes.to_dict() == pytest.approx(
        other.agreement.w_schemes.to_dict(), rel=0, abs=0, nan_ok=True
    )


@given(score_frames(min_datasets=2))
@settings(max_examples=40)
def test_names_change_no_number(scores):
    models = {name: f"x{len(scores) - i}" for i, name in enumerate(scores.index)}
    datasets = {name: f"y{i * 7 % 13}" for i, name in enumerate(scores.columns)}
    one, other = rr.analyze(scores), rr.analyze(scores.rename(index=models, columns=datasets))
    pd.testing.assert_frame_equal(
        one.to_frame().rename(index=models).sort_index(),
        other.to_frame().sort_index(),
        atol=1e-12,
        rtol=0,
    )


@given(score_frames(min_datasets=2))
@settings(max_examples=40)
def test_percent_changes_no_result(scores):
    one, other = rr.analyze(scores), rr.analyze(scores * 100)
    pd.testing.assert_frame_equal(one.to_frame(), other.to_frame(), atol=1e-12, rtol=0)


@given(score_frames(min_models=3, min_datasets=2))
@settings(max_examples=40)
def test_a_copy_of_a_dataset_joins_its_cluster(scores):
    one = rr.find_redundancy(scores)
    copied = rr.find_redundancy(scores.assign(copy=scores["d0"]))
    grown = int(one.clusters["d0"] > 0)
    assert (copied.n, copied.q) == (one.n + grown, one.q)
    assert copied.clusters["copy"] == copied.clusters["d0"]
    assert "identical-datasets" in codes(rr.analyze(scores.assign(copy=scores["d0"])))


@given(score_frames(min_datasets=2))
@settings(max_examples=40)
def test_a_copy_of_a_model_ties_with_it_everywhere(scores):
    twin = pd.concat([scores, scores.iloc[[0]].rename(index={"m0": "twin"})])
    analysis = rr.analyze(twin)
    ranks = analysis.rankings.ranks
    np.testing.assert_array_equal(ranks.loc["m0"], ranks.loc["twin"])
    table = analysis.to_frame()
    assert table.loc["m0"].equals(table.loc["twin"])
    assert "identical-models" in codes(analysis)


def test_a_constant_dataset_changes_no_ranking():
    scores = random_scores(12, 4)
    one = rr.analyze(scores, n_compositions=0)
    other = rr.analyze(scores.assign(flat=0.5), n_compositions=0)
    pd.testing.assert_frame_equal(one.rankings.ranks, other.rankings.ranks)
    assert (other.rankings.weights.loc["flat"] == 0).all()
    note = next(note for note in other.notes if note.code == "constant-datasets")
    assert note.labels == ("flat",)


# --- seed --------------------------------------------------------------------------------------


def test_same_seed_same_bytes():
    one, other = rr.analyze(chained(), seed=3), rr.analyze(chained(), seed=3)
    assert same_bytes(one, other)


def test_the_seed_moves_the_picks_and_nothing_that_does_not_rest_on_them():
    one, other = rr.analyze(chained(), seed=1), rr.analyze(chained(), seed=2)
    assert not one.redundancy.compositions.equals(other.redundancy.compositions)
    stable = ["mean", "rank", "borda_rank"]
    pd.testing.assert_frame_equal(one.to_frame()[stable], other.to_frame()[stable], check_like=True)
    pd.testing.assert_frame_equal(one.rankings.ranks["all"], other.rankings.ranks["all"])


def test_a_generator_is_recorded_so_that_the_draw_can_be_repeated():
    first = rr.analyze(chained(), seed=np.random.default_rng(8))
    again = np.random.default_rng()
    again.bit_generator.state = first.settings["seed"]
    second = rr.analyze(chained(), seed=again)
    pd.testing.assert_frame_equal(first.redundancy.compositions, second.redundancy.compositions)
    assert json.dumps(
        rr.analyze(chained(), seed=np.random.Generator(np.random.MT19937(1))).to_dict()
    )


# --- missing scores ----------------------------------------------------------------------------


@pytest.fixture
def holed() -> pd.DataFrame:
    scores = random_scores(15, 5)
    scores.iloc[2, 0] = np.nan
    return scores


def test_a_mean_with_a_hole_is_missing_and_not_first():
    scores = frame([[0.9, 0.9, 0.9], [0.95, np.nan, np.nan], [0.8, 0.8, 0.8]])
    table = rr.analyze(scores, missing="keep").to_frame()
    assert list(table.index) == ["m0", "m2", "m1"]
    assert table.loc["m1", ["mean", "rank", "mean_rank", "consistency"]].isna().all()
    assert table.loc["m1", "borda_rank"] == 1.0


def test_dropping_models_is_the_default_and_is_noted(holed):
    analysis = rr.analyze(holed)
    assert "m2" not in analysis.to_frame().index
    assert next(n for n in analysis.notes if n.code == "dropped-models").labels == ("m2",)
    assert analysis.to_dict()["n_models"] == 14


def test_other_policies(holed):
    assert rr.analyze(holed, missing="drop-datasets").matrix.shape == (15, 4)
    with pytest.raises(MissingScoresError, match="'m2' on 'd0'"):
        rr.analyze(holed, missing="error")
    kept = rr.analyze(holed, missing="keep")
    complete = rr.analyze(holed)
    pd.testing.assert_frame_equal(kept.rankings.ranks.drop(index="m2"), complete.rankings.ranks)
    assert next(n for n in kept.notes if n.code == "unranked-models").labels == ("m2",)


def test_keeping_when_no_model_is_complete_says_why_there_is_no_ranking():
    scores = random_scores(12, 3)
    for i in range(12):
        scores.iloc[i, i % 3] = np.nan
    analysis = rr.analyze(scores, missing="keep")
    assert analysis.rankings.ranks.isna().all(axis=None)
    assert "no-complete-models" in codes(analysis)
    assert analysis.to_frame()["borda_rank"].notna().all()
    assert "undefined" in analysis.summary()
    assert json.dumps(analysis.to_dict(), allow_nan=False)
    assert repr(analysis)
    with pytest.raises(EmptyMatrixError, match="0 models and 3 datasets are left"):
        rr.analyze(scores)


# --- other settings ----------------------------------------------------------------------------


def test_lower_is_better_everywhere():
    scores = random_scores(12, 3)
    turned = scores.assign(d1=1 - scores["d1"])
    one, other = rr.analyze(scores), rr.analyze(turned, direction={"d1": "min"})
    pd.testing.assert_frame_equal(one.to_frame(), other.to_frame(), atol=1e-12)
    assert list(rr.analyze(turned, direction={"d1": None}).matrix.scores) == ["d0", "d2"]
    again = rr.analyze(rr.ScoreMatrix(turned), direction={"d1": "min"})
    pd.testing.assert_frame_equal(other.to_frame(), again.to_frame())


def test_engines_agree_and_only_the_gaussian_schemes_differ_in_origin():
    scores = random_scores(20, 6)
    numpy, pymcdm = rr.analyze(scores), rr.analyze(scores, engine="pymcdm")
    pd.testing.assert_frame_equal(
        numpy.rankings.preferences, pymcdm.rankings.preferences, atol=1e-12
    )
    pd.testing.assert_frame_equal(numpy.rankings.ranks, pymcdm.rankings.ranks)
    assert pymcdm.settings["engine"] == "pymcdm"


def test_some_schemes():
    analysis = rr.analyze(random_scores(12, 3), schemes=["topsis/*", "wsm/equal"])
    schemes = list(analysis.rankings.ranks["all"])
    assert schemes == ["wsm/equal", "topsis/equal", "topsis/merec", "topsis/critic"]
    one = rr.analyze(random_scores(12, 3), schemes="wsm/equal")
    assert np.isnan(one.agreement.w_schemes["all"])


def test_single_dataset():
    analysis = rr.analyze(random_scores(12, 1))
    assert analysis.evidence.level == "E1"
    assert analysis.n_rankings == 1
    assert "single-dataset" in codes(analysis)
    assert (analysis.rankings.ranks.nunique(axis=1) == 1).all()


def test_all_tied():
    analysis = rr.analyze(frame([[0.5, 0.7], [0.5, 0.7]]))
    assert analysis.evidence.level == "E0"
    assert (analysis.rankings.ranks == 1.5).all(axis=None)
    assert analysis.to_frame()["rank"].tolist() == [1.5, 1.5]
    assert np.isnan(analysis.agreement.w_schemes["all"])


def test_membership_consistency_and_the_top():
    analysis = rr.analyze(random_scores(30, 4), consistency="membership", top_k=3)
    counted = analysis.counted_ranks
    expected = (counted <= 3).mean(axis=1)
    pd.testing.assert_series_equal(analysis.consistency, expected, check_names=False)
    assert "top-k" in codes(rr.analyze(random_scores(5, 4)))


def test_settings_hold_every_parameter():
    import inspect

    parameters = set(inspect.signature(rr.analyze).parameters) - {"matrix", "progress"}
    analysis = rr.analyze(random_scores(12, 3), tau=0.8)
    assert parameters <= set(analysis.settings)
    assert analysis.settings["tau"] == 0.8
    assert analysis.settings["versions"]["numpy"] == np.__version__


def test_progress_hears_every_step():
    steps = []
    rr.analyze(random_scores(12, 3), progress=steps.append)
    assert len(steps) >= 3


@pytest.mark.parametrize(
    "settings",
    [
        {"tau": -0.1},
        {"correlation": "kendall"},
        {"schemes": "saw/equal"},
        {"engine": "pandas"},
        {"borda": "count"},
        {"consistency": "mean"},
        {"top_k": 0},
        {"missing": "drop"},
        {"scale": "log"},
        {"n_compositions": -1},
    ],
)
def test_bad_settings_are_input_errors_that_name_the_choices(settings):
    (value,) = settings.values()
    with pytest.raises(InputError, match=str(value)):
        rr.analyze(random_scores(12, 3), **settings)


# --- renderings --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def analysis() -> rr.Analysis:
    scores = chained().rename(index={"m0": "a|b_c", "m1": "<script>"})
    return rr.analyze(scores)


def test_best_model_comes_first_in_every_table(analysis):
    best = analysis.to_frame()["mean"].idxmax()
    assert analysis.to_frame().index[0] == best
    assert analysis.to_markdown().splitlines()[2].startswith(f"| {best} |")
    assert analysis.to_dict()["models"][0]["model"] == best


def test_repr_is_short_and_says_what_matters(analysis):
    text = repr(analysis)
    assert len(text.splitlines()) <= 9
    assert "E_RS+DS, ESS 0.88" in text
    assert "6 datasets in 3 clusters" in text


def test_summary_lists_clusters_and_models(analysis):
    text = analysis.summary(top=4)
    assert "1: d0, d2, d4" in text
    assert "Best 4 of 30 models" in text


def test_markdown_escapes_pipes_and_holds_every_model(analysis):
    lines = analysis.to_markdown().splitlines()
    assert len(lines) == 2 + 30
    assert any("a\\|b_c" in line for line in lines)
    widths = {line.replace("\\|", "").count("|") for line in lines}
    assert widths == {len(analysis.to_frame().columns) + 2}


def test_latex_escapes(analysis):
    text = analysis.to_latex()
    assert "a|b\\_c" in text
    assert text.startswith("\\begin{tabular}{lrrr")


def test_html_escapes(analysis):
    text = analysis._repr_html_()
    assert "<script>" not in text
    assert "Notes (" in text


def test_dict_is_json_and_complete(analysis):
    content = json.loads(json.dumps(analysis.to_dict(), allow_nan=False))
    assert content["redundancy"]["clusters"]["d0"] == 1
    assert content["evidence"]["level"] == "E_RS+DS"
    assert set(content["ranks"]) == {"all", "pick-1", "pick-2", "pick-3"}
    assert set(content["ranks"]["all"]) == set(rr.SCHEMES)
    assert content["weights"]["pick-1"]["equal"]["d1"] in (None, pytest.approx(1 / 3))
    assert {note["code"] for note in content["notes"]} == set(codes(analysis))


def test_methods_names_the_choices(analysis):
    text = analysis.methods
    for part in ("30 models", "Pearson", "0.9", "3 distinct compositions", "15 schemes", "seed 0"):
        assert part in text


def test_an_analysis_cannot_be_changed(analysis):
    with pytest.raises(AttributeError):
        analysis.notes = ()


def test_parameter_errors_are_value_errors():
    assert issubclass(ParameterError, ValueError)
