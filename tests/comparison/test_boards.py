from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr

import robustrank as rr
from robustrank.comparison import compare
from robustrank.errors import (
    EmptyMatrixError,
    InputError,
    MissingScoresError,
    ParameterError,
    UnknownLabelError,
)
from tests.conftest import frame, note_codes, random_scores, score_frames
from tests.figures.layout import read


def note(result, code):
    return next(note for note in result.notes if note.code == code)


def boards(models: int = 30, seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two boards of the same models, of unlike datasets, that agree moderately."""
    rng = np.random.default_rng(seed)
    ability = rng.uniform(0.3, 0.7, models)
    a = frame(np.clip(ability[:, None] + rng.normal(0, 0.1, (models, 5)), 0.01, 0.99))
    b = frame(np.clip(ability[:, None] + rng.normal(0, 0.1, (models, 3)), 0.01, 0.99))
    return a, b.add_prefix("other ")


def typed(scores: pd.DataFrame, types: list[str]) -> rr.ScoreMatrix:
    return rr.ScoreMatrix(
        scores, pd.DataFrame({"task_type": types}, index=scores.columns), scale="unit"
    )


def test_correlations_and_ranks_are_those_of_the_means():
    a, b = boards()
    found = compare(a, b, n_resamples=100)
    x, y = a.mean(axis=1), b.mean(axis=1)
    assert found.spearman.estimate == pytest.approx(spearmanr(x, y).statistic)
    assert found.pearson.estimate == pytest.approx(pearsonr(x, y).statistic)
    assert found.kendall.estimate == pytest.approx(kendalltau(x, y).statistic)
    table = found.table
    expected = pd.DataFrame(
        {
            "name_b": a.index,
            "score_a": x,
            "score_b": y,
            "rank_a": x.rank(ascending=False),
            "rank_b": y.rank(ascending=False),
        }
    )
    expected["shift"] = expected["rank_a"] - expected["rank_b"]
    pd.testing.assert_frame_equal(table, expected.loc[table.index], check_names=False)
    assert table["rank_a"].is_monotonic_increasing
    assert found.notes == ()


def test_identical_boards_agree_fully():
    a, _ = boards()
    found = compare(a, a.add_prefix("again "), n_resamples=200)
    for coefficient in (found.spearman, found.pearson, found.kendall):
        assert (coefficient.estimate, coefficient.low, coefficient.high) == pytest.approx((1,) * 3)
    assert (found.table["shift"] == 0).all()
    assert "No model has another rank" in found.summary()
    assert repr(found).splitlines()[-1] == "  No model has another rank on B than on A"


def test_a_reversed_board_disagrees_fully():
    a, _ = boards()
    found = compare(a, (1 - a).add_prefix("not "), n_resamples=200)
    for coefficient in (found.spearman, found.pearson, found.kendall):
        assert (coefficient.estimate, coefficient.low, coefficient.high) == pytest.approx((-1,) * 3)


@pytest.mark.parametrize("places", [3, 17])
def test_a_planted_shift_is_the_largest(places):
    scores = frame(np.linspace(0.9, 0.1, 20).reshape(-1, 1))
    moved = scores.copy()
    moved.loc["m2"] = scores.loc[f"m{2 + places}"] - 0.001  # just behind that model
    found = compare(scores, moved, n_resamples=50)
    shifts = found.largest_shifts(3)
    assert shifts.index[0] == "m2"
    assert shifts.iloc[0][["rank_a", "rank_b", "shift"]].tolist() == [3, 3 + places, -places]
    assert shifts["shift"].iloc[1:].tolist() == [1, 1]
    assert len(found.largest_shifts(100)) == 20


def test_unmatched_models_are_listed_and_do_not_count():
    a, b = boards()
    with_more = pd.concat([b, frame([[0.99] * 3], prefix="only-b").set_axis(b.columns, axis=1)])
    found = compare(pd.concat([a, frame([[0.98] * 5], prefix="only-a")]), with_more)
    assert found.unmatched_a == ("only-a0",)
    assert found.unmatched_b == ("only-b0",)
    alone = compare(a, b)
    assert found.spearman == alone.spearman
    pd.testing.assert_frame_equal(found.table, alone.table)


def test_spelling_and_matches_by_hand():
    a, b = boards(6)
    renamed = b.set_axis(["org/M0", "M1", "org2/m2", "m_3", "m4", "five"], axis="index")
    assert (
        compare(a.add_prefix("x"), renamed.iloc[[4, 1, 0]], n_resamples=10).unmatched_a[0] == "m2"
    )
    found = compare(a, renamed, models={"m5": "five"}, n_resamples=10)
    # "m3" is not "m_3": a separator is not nothing.
    assert found.unmatched_a == ("m3",)
    assert found.table.loc["m5", "name_b"] == "five"
    assert found.table.loc["m0", "name_b"] == "org/M0"


def test_too_few_models_in_common():
    a, b = boards(4)
    other = b.set_axis(["m0", "m1", "m-2", "zebra"], axis="index")
    with pytest.raises(EmptyMatrixError, match=r"share 2 models.*at least 3.*'m-2' for 'm2'"):
        compare(a, other)
    with pytest.raises(EmptyMatrixError, match=r"share 0 models.*A has m0, m1, m2 and 1 more"):
        compare(a, other.set_axis(["ibis", "yak", "wolf", "zebra"], axis="index"))


def test_arrangement_and_names_change_no_number():
    a, b = boards(15)
    found = compare(a, b, n_resamples=300, seed=4)
    new = {name: f"z{99 - int(name[1:])}" for name in a.index}
    a2 = a.rename(index=new).iloc[::-1, ::-1].add_prefix("q")
    b2 = b.rename(index=new).sample(frac=1, random_state=0)
    again = compare(a2, b2, n_resamples=300, seed=4)
    assert (again.spearman, again.pearson, again.kendall) == (
        found.spearman,
        found.pearson,
        found.kendall,
    )
    back = again.table.drop(columns="name_b")
    expected = found.table.drop(columns="name_b").rename(index=new).loc[back.index]
    pd.testing.assert_frame_equal(back, expected, check_exact=True)


@settings(max_examples=15)  # each compares twice
@given(score_frames(min_models=3, min_datasets=2), st.integers(1, 5))
def test_swapping_the_boards_turns_the_shifts(scores, cut):
    a = scores.iloc[:, : min(cut, scores.shape[1] - 1)]
    b = scores.iloc[:, min(cut, scores.shape[1] - 1) :]
    one = compare(rr.ScoreMatrix(a, scale="unit"), rr.ScoreMatrix(b, scale="unit"), n_resamples=40)
    two = compare(rr.ScoreMatrix(b, scale="unit"), rr.ScoreMatrix(a, scale="unit"), n_resamples=40)
    for name in ("spearman", "pearson", "kendall"):
        np.testing.assert_allclose(
            *[[c.estimate, c.low, c.high] for c in (getattr(one, name), getattr(two, name))],
            atol=1e-12,
        )
    pd.testing.assert_series_equal(
        one.table["shift"], -two.table["shift"].loc[one.table.index], check_names=False
    )


def test_percent_and_unit_boards_compare_alike():
    a, b = boards()
    found, scaled = compare(a, b, n_resamples=50), compare(a, b * 100, n_resamples=50)
    assert scaled.spearman == found.spearman
    assert note(scaled, "scale").message.startswith("Board B: ")


def test_seed():
    a, b = boards()
    one, two, three = (compare(a, b, n_resamples=200, seed=seed).spearman for seed in (1, 1, 2))
    assert one == two
    assert (one.low, one.high) != (three.low, three.high)
    generators = [np.random.default_rng(3) for _ in range(2)]
    assert compare(a, b, seed=generators[0]).spearman == compare(a, b, seed=generators[1]).spearman
    state = np.random.get_state()[1].copy()
    compare(a, b, n_resamples=20)
    np.testing.assert_array_equal(state, np.random.get_state()[1])


def holes() -> tuple[pd.DataFrame, pd.DataFrame]:
    a, b = boards(20)
    a.iloc[:3, 0] = np.nan
    b.iloc[18:, 1] = np.nan
    return a, b


def test_models_with_missing_scores_are_left_out_and_named():
    a, b = holes()
    found = compare(a, b, n_resamples=50)
    assert len(found.table) == 15
    assert note(found, "lost-models").labels == ("m0", "m1", "m2", "m18", "m19")
    dropped = [n for n in found.notes if n.code == "dropped-models"]
    assert [n.message[:9] for n in dropped] == ["Board A: ", "Board B: "]
    rows = [f"m{i}" for i in range(3, 18)]
    alone = compare(a.loc[rows], b.loc[rows], n_resamples=50)
    assert alone.spearman == found.spearman
    assert found.unmatched_a == found.unmatched_b == ()


def test_missing_scores_can_be_kept_dropped_by_dataset_or_refused():
    a, b = holes()
    kept = compare(a, b, missing="keep", n_resamples=50)
    np.testing.assert_allclose(kept.table["score_a"], a.mean(axis=1).loc[kept.table.index])
    assert note_codes(kept).count("uneven-scores") == 2
    by_dataset = compare(a, b, missing="drop-datasets", n_resamples=50)
    expected = a.iloc[:, 1:].mean(axis=1).loc[by_dataset.table.index]
    np.testing.assert_allclose(by_dataset.table["score_a"], expected)
    with pytest.raises(MissingScoresError, match="Board A: 3 scores missing"):
        compare(a, b, missing="error")


def test_a_policy_that_leaves_too_few_says_which_datasets_cost_them():
    a, b = boards(6)
    a.iloc[:3, 0] = np.nan
    b.iloc[3:, 1] = np.nan
    with pytest.raises(
        EmptyMatrixError,
        match=r"3 have the scores on A, 3 on B, and 0 on both.*d0.*--without .*--missing",
    ):
        compare(a, b)
    a.iloc[:, 0] = [0.5, *[np.nan] * 5]
    with pytest.raises(EmptyMatrixError, match="Board A: "):
        compare(a, b)


def test_a_dataset_that_costs_most_models_is_named():
    a, b = boards(20)
    a.iloc[4:, 2] = np.nan
    assert note(compare(a, b, n_resamples=20), "costly-datasets").labels[0] == "d2"


def test_by_task_type():
    a, b = boards()
    types_a = ["STS", "STS", "Retrieval", "Clustering", "Retrieval"]
    found = compare(typed(a, types_a), typed(b, ["sts", "Retrieval", "Reranking"]), n_resamples=60)
    table = found.by_task_type
    assert list(table.index) == ["Retrieval", "STS"]
    assert table["n_datasets_a"].tolist() == [2, 2]
    assert table["n_datasets_b"].tolist() == [1, 1]
    x, y = a[["d0", "d1"]].mean(axis=1), b["other d0"]
    assert table.loc["STS", "spearman"] == pytest.approx(spearmanr(x, y).statistic)
    assert table.loc["STS", "pearson"] == pytest.approx(pearsonr(x, y).statistic)
    assert table.loc["STS", "kendall"] == pytest.approx(kendalltau(x, y).statistic)
    alone = compare(a[["d0", "d1"]], b[["other d0"]], n_resamples=60)
    assert table.loc["STS", "spearman_low"] == pytest.approx(alone.spearman.low)
    assert set(note(found, "unmatched-task-types").labels) == {"Clustering on A", "Reranking on B"}


def test_by_task_type_needs_types_on_both_boards():
    a, b = boards()
    found = compare(typed(a, ["STS"] * 5), b, n_resamples=20)
    assert found.by_task_type.empty
    assert "board B has no task types" in note(found, "no-task-types").message
    assert compare(a, b, n_resamples=20).by_task_type.empty


def test_a_task_type_with_too_few_scores_is_left_undefined():
    a, b = boards(12)
    a.iloc[2:, 4] = np.nan
    types = ["STS"] * 4 + ["Retrieval"]
    found = compare(
        typed(a, types), typed(b, ["STS", "Retrieval", "STS"]), missing="keep", n_resamples=20
    )
    assert found.by_task_type.loc["Retrieval", "n_models"] == 2
    assert np.isnan(found.by_task_type.loc["Retrieval", "spearman"])
    assert found.to_dict()["by_task_type"][0]["spearman"] is None
    undefined = note(found, "undefined-task-type")
    assert undefined.labels == ("Retrieval",)
    assert "2 models have scores on both boards, and a correlation needs 3" in undefined.message
    line = next(line for line in found.summary().splitlines() if line.startswith("Retrieval"))
    assert line.split() == ["Retrieval", "undefined", "1", "/", "1"]


def holed_by_type() -> tuple[rr.ScoreMatrix, rr.ScoreMatrix]:
    """Boards on which some models have no score at all of a type, STS or Retrieval."""
    a, b = boards(12)
    a.iloc[:3, 3:] = np.nan
    b.iloc[10:, 0] = np.nan
    types = ["STS"] * 3 + ["Retrieval"] * 2
    return typed(a, types), typed(b, ["STS", "Retrieval", "Retrieval"])


@pytest.mark.parametrize("aggregate", ["borda", "bradley-terry", lambda s: s.median(axis=1)])
def test_models_without_scores_of_a_type_are_left_out_of_that_type(aggregate):
    a, b = holed_by_type()
    found = compare(a, b, aggregate=aggregate, missing="keep", n_resamples=20)
    assert len(found.table) == 12
    assert found.by_task_type["n_models"].to_dict() == {"Retrieval": 9, "STS": 10}
    alone = compare(
        a.scores.iloc[3:, 3:], b.scores.iloc[3:, 1:], aggregate=aggregate, n_resamples=20
    )
    assert found.by_task_type.loc["Retrieval", "spearman"] == alone.spearman.estimate
    assert "undefined-task-type" not in note_codes(found)


def test_an_aggregate_that_fails_on_a_type_costs_that_type_only():
    a, b = boards(12)

    def picky(scores):
        return scores[next(name for name in ("d0", "other d0") if name in scores)]

    sides = typed(a, ["STS"] * 4 + ["Retrieval"]), typed(b, ["STS", "STS", "Retrieval"])
    found = compare(*sides, aggregate=picky, n_resamples=20)
    assert np.isfinite(found.by_task_type.loc["STS", "spearman"])
    assert np.isnan(found.by_task_type.loc["Retrieval", "spearman"])
    assert note(found, "undefined-task-type").labels == ("Retrieval",)
    assert "Retrieval: the aggregate fails on its datasets: StopIteration()" in (
        note(found, "undefined-task-type").message
    )
    with pytest.raises(KeyError, match="d9"):
        compare(*sides, aggregate=lambda scores: scores["d9"])


def test_a_type_that_a_board_ties_and_one_that_the_aggregate_cannot_score_are_named():
    a, b = boards(12)
    b["other d0"] = 0.5
    sides = typed(a, ["STS"] * 4 + ["Retrieval"]), typed(b, ["STS", "Retrieval", "Retrieval"])

    def some(scores):
        return scores.mean(axis=1) / (scores.shape[1] - 1)

    with np.errstate(divide="ignore"):
        found = compare(*sides, aggregate=some, n_resamples=20)
    assert "STS: 0 models have a finite aggregate" in note(found, "undefined-task-type").message
    tied = compare(*sides, n_resamples=20)
    assert note(tied, "undefined-task-type").labels == ("STS",)
    assert "one of the boards ties all 12 models" in note(tied, "undefined-task-type").message


def test_an_error_of_an_aggregate_names_board_and_datasets_in_the_board_s_order():
    a, b = boards(12)
    turned = a[["d3", "d0", "d4", "d1", "d2"]]
    with pytest.raises(InputError, match=r"^Board A: The task type of 5 of 5.*d3, d0, d4") as error:
        compare(turned, b, aggregate="task-type-mean")
    assert error.value.labels == ("d3", "d0", "d4", "d1", "d2")


def test_both_boards_may_say_the_same_of_the_same_models():
    a, b = boards(12)
    a.iloc[3, 0] = b.iloc[3, 0] = np.nan
    found = compare(a, b, n_resamples=20)
    dropped = [n.message for n in found.notes if n.code == "dropped-models"]
    assert [message[:8] for message in dropped] == ["Board A:", "Board B:"]


def test_datasets_on_both_boards_are_named():
    a, b = boards()
    overlapping = b.assign(D0=a["d0"])
    found = compare(a, overlapping, n_resamples=20)
    shared = note(found, "shared-datasets")
    assert shared.labels == ("d0",)
    assert "1 dataset (20% of A's 5, 25% of B's 4)" in shared.message


def test_another_aggregate():
    a, b = boards()
    found = compare(a, b, aggregate=lambda scores: rr.borda(scores)["points"], n_resamples=20)
    points = [rr.borda(x)["points"].reindex(a.index).round(10) for x in (a, b)]
    expected = spearmanr(*points).statistic
    assert found.spearman.estimate == pytest.approx(expected)
    named = compare(a, b, aggregate="borda", n_resamples=20)
    assert named.spearman.estimate == pytest.approx(expected)
    assert named.table["score_a"].max() <= 1.0  # shares of opponents beaten
    medians = compare(a, b, aggregate=lambda scores: scores.median(axis=1), n_resamples=20)
    np.testing.assert_allclose(medians.table["score_b"], b.median(axis=1).loc[medians.table.index])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_resamples": 0}, ParameterError, "n_resamples must be a whole number of at least 1"),
        ({"confidence_level": 95}, ParameterError, "confidence_level must lie between 0 and 1"),
        ({"seed": -1}, ParameterError, "seed must be"),
        ({"aggregate": "median"}, UnknownLabelError, "Unknown aggregate 'median'"),
        ({"aggregate": lambda s: s.to_numpy()}, ParameterError, "must return a Series"),
        ({"aggregate": lambda s: s.mean()}, ParameterError, "one number for each model"),
        ({"aggregate": lambda s: s["d0"] / 0}, MissingScoresError, "no finite number for m0, m1"),
        ({"models": ["m1"]}, ParameterError, "models must be a mapping of name on A .*got list"),
        ({"models": []}, ParameterError, "models must be a mapping"),
        ({"models": {"gpt": "m1"}}, UnknownLabelError, "model of board A 'gpt'"),
        ({"missing": "zero"}, ParameterError, "missing must be one of"),
    ],
)
def test_bad_settings(wrong, error, message):
    a, _ = boards(8)
    with pytest.raises(error, match=message):
        compare(a, a, **wrong)


def test_few_models_and_ties_are_noted():
    a, b = boards(4)
    assert {"few-models", "undefined-resamples"} <= set(note_codes(compare(a, b, n_resamples=2000)))
    flat = b * 0 + 0.5
    found = compare(a, flat, n_resamples=20)
    assert "all-tied" in note_codes(found)
    assert found.table["rank_b"].eq(2.5).all()
    assert "undefined" in repr(found)


def test_renderings():
    a, b = boards(12)
    types = ["STS"] * 5
    found = compare(typed(a, types), typed(b, types[:3]), n_resamples=50, confidence_level=0.9)
    text = found.summary(4)
    assert text.splitlines()[0] == "12 models compared; on A only: 0, on B only: 0"
    assert "90% interval" in text
    assert "Largest shifts (4)" in text
    assert f"{found.spearman.estimate:.3f} [{found.spearman.low:.3f}" in repr(found)
    largest = found.largest_shifts(1)
    assert f"Largest shift  {largest.index[0]}: " in repr(found)
    content = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert content["spearman"]["low"] == found.spearman.low
    assert content["models"][0]["model"] == found.table.index[0]
    assert content["by_task_type"][0]["task_type"] == "STS"


def test_paths_are_read(tmp_path):
    a, b = boards(10)
    for name, board in (("a", a), ("b", b)):
        board.rename_axis("model").to_csv(tmp_path / f"{name}.csv")
    found = compare(tmp_path / "a.csv", str(tmp_path / "b.csv"), n_resamples=30)
    assert found.spearman == compare(a, b, n_resamples=30).spearman


def test_real_boards_of_two_dates(shared):
    """A board and its later self: models with all scores then and now barely move."""
    tasks = shared / "data" / "tasks_multilingual_v2_aug2026.csv"
    boards = []
    for name in ("board_multilingual_v2_per_task_dec2025", "board_multilingual_v2_per_task"):
        board = rr.read(shared / "data" / f"{name}.csv", tasks=tasks)
        columns = [d for d in board.scores.columns if d != "FloresBitextMining"]
        boards.append(board.select(datasets=columns))
    found = compare(*boards, n_resamples=500)
    then, now = (board.scores.dropna().mean(axis=1) for board in boards)
    both = then.index.intersection(now.index)
    assert len(found.table) == len(both) > 50
    assert found.spearman.estimate == pytest.approx(spearmanr(then[both], now[both]).statistic)
    assert found.spearman.low > 0.99
    assert len(found.unmatched_a) == len(set(boards[0].scores.index) - set(boards[1].scores.index))
    assert len(found.by_task_type) == 9
    assert len(note(found, "shared-datasets").labels) == 130


def test_the_example_is_found_on_the_board_by_short_names(shared):
    board = rr.read(shared / "data" / "board_multilingual_v2_per_task.csv", scale="percent")
    found = compare(
        rr.load_example(), board.select(datasets=list(rr.load_example().scores.columns))
    )
    assert found.unmatched_a == ()
    assert (found.table.index.str.rsplit("/").str[-1] == found.table["name_b"]).mean() > 0.95
    np.testing.assert_allclose(found.table["score_a"], found.table["score_b"], atol=1e-6)


def test_a_random_board_is_no_proxy():
    a, _ = boards(60)
    found = compare(a, random_scores(60, 5, seed=9).add_prefix("r"), n_resamples=500)
    assert found.spearman.low < 0 < found.spearman.high


def test_plot_draws_the_ranks_of_the_table():
    a, b = boards(12)
    found = compare(a, b.rename(index=str.upper), n_resamples=20)
    ax = found.plot(names=("old", "new"), top=5)
    rows = [read(label) for label in ax.get_yticklabels()]
    top = found.table.head(5)
    expected = [f"{name}  {rank:g}" for name, rank in top["rank_a"].items()]
    assert rows == [*expected, "… and 7 more models"]
    right = sorted(ax.texts, key=lambda text: text.xy[1])
    order = top.sort_values("rank_b", kind="stable")
    for text, (_, row) in zip(right, order.iterrows(), strict=True):
        assert read(text).startswith(f"{row['rank_b']:g}  {row['name_b']}")
    assert [label.get_text() for label in ax.get_xticklabels()] == ["old", "new"]
