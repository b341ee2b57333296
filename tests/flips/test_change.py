"""What does not change an answer, what is said of it, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robustrank as rr
from robustrank.errors import (
    EmptyMatrixError,
    InputError,
    MissingScoresError,
    ParameterError,
    UnknownLabelError,
)
from tests.conftest import frame, note_codes, random_scores, score_frames


@settings(max_examples=6)
@given(score_frames(min_models=3, min_datasets=2), st.data())
def test_order_names_and_scale_change_nothing(scores, data):
    rows = data.draw(st.permutations(range(len(scores))))
    columns = data.draw(st.permutations(range(scores.shape[1])))
    names = {name: f"x{i}" for i, name in enumerate(reversed(scores.index))}
    other = (100.0 * scores.iloc[list(rows), list(columns)]).rename(index=names)
    for aggregate in ("mean", "borda"):
        found = rr.smallest_change(scores, aggregate=aggregate)
        moved = rr.smallest_change(other, aggregate=aggregate)
        numbers = ["units", "size", "share", "to_tie", "exact", "lower_bound", "gap"]
        pd.testing.assert_frame_equal(found.table[numbers], moved.table[numbers])
        back = moved.margins.rename(index={new: old for old, new in names.items()})
        if found.margins.index.is_unique and not scores.duplicated().any():
            pd.testing.assert_frame_equal(
                found.margins.sort_index(), back.sort_index(), check_exact=False
            )


def test_the_same_bytes_twice():
    scores = random_scores(12, 10, seed=2)
    texts = [json.dumps(rr.smallest_change(scores).to_dict()) for _ in range(2)]
    assert texts[0] == texts[1]


def test_a_board_twice_takes_twice_as_many_datasets_or_fewer():
    scores = random_scores(8, 9, seed=6)
    twice = pd.concat([scores, scores.add_suffix("-copy", axis=1)], axis=1)
    one = rr.smallest_change(scores, change=["datasets", "weights"]).table["size"]
    two = rr.smallest_change(twice, change=["datasets", "weights"]).table["size"]
    assert 2 * one["datasets"] - 1 <= two["datasets"] <= 2 * one["datasets"]
    assert two["weights"] == pytest.approx(one["weights"])


def test_identical_models_never_pass_each_other():
    scores = frame([[0.5, 0.6, 0.7], [0.5, 0.6, 0.7], [0.1, 0.2, 0.3]])
    found = rr.smallest_change(scores, model="m1", over="m0", change=["datasets", "weights"])
    assert found.table["size"].isna().all()
    assert found.table["to_tie"].tolist() == [0, 0]
    assert found.lead == 0.0
    first = rr.smallest_change(scores, model="m1", goal="first", change=["datasets", "weights"])
    assert first.table["to_tie"].tolist() == [0, 0]
    assert first.table["size"].isna().all()


def test_a_model_that_cannot_lead_may_draw_level():
    """m1 is below on one dataset and level on the other."""
    scores = frame([[0.9, 0.5], [0.8, 0.5], [0.1, 0.1]])
    for options in ({"over": "m0"}, {"goal": "first"}):
        found = rr.smallest_change(scores, model="m1", change=["datasets", "weights"], **options)
        assert found.table["size"].isna().all()
        assert found.table["to_tie"].tolist() == [1, pytest.approx(0.5)]


def test_a_copy_of_the_leader_is_not_the_one_that_passes():
    scores = random_scores(5, 8, seed=1, noise=0.2)
    leader = scores.mean(axis=1).idxmax()
    scores.loc["copy"] = scores.loc[leader]
    found = rr.smallest_change(scores, change=["datasets", "weights"])
    assert "copy" not in set(found.table["passes"])
    assert found.weights["difference"].max() > 0


@pytest.mark.parametrize("aggregate", ["mean", "task-type-mean"])
def test_a_headline_is_short_and_names_few(aggregate):
    found = rr.smallest_change(rr.load_example(), aggregate=aggregate)
    assert len(found.headline) <= 350
    assert found.headline.count(". ") <= 2


def test_a_tie_at_the_top_is_broken_by_one_dataset():
    scores = frame([[0.9, 0.5, 0.4], [0.4, 0.5, 0.9], [0.1, 0.1, 0.1]])
    found = rr.smallest_change(scores, change=["datasets", "weights"])
    assert found.table["size"].tolist() == [1, 0]
    assert " shares the first place by mean; " in found.headline
    assert found.table.loc["datasets", "to_tie"] == 0


def test_lower_is_better_is_reversed_already():
    scores = frame([[0.5, 0.2], [0.6, 0.9]])
    turned = rr.ScoreMatrix(scores, direction={"d1": "min"})
    found = rr.smallest_change(turned, change="datasets")
    assert found.over == "m0"
    assert found.dropped.loc["datasets"].index.tolist() == ["d1"]


def test_one_dataset_cannot_be_dropped():
    found = rr.smallest_change(frame([[0.5], [0.4]]))
    assert found.table["size"].isna().all()
    assert found.table["exact"].all()


def test_what_is_so_already_takes_nothing():
    scores = frame([[0.9, 0.8], [0.5, 0.6], [0.1, 0.2]])
    above = rr.smallest_change(scores, model="m0", over="m1")
    assert above.headline == "m0 is above m1 by mean already."
    assert (above.table["size"] == 0).all()
    first = rr.smallest_change(scores, model="m0", goal="first", aggregate="topsis/equal")
    assert first.headline == "m0 is first by topsis/equal already."
    assert (first.table["size"] == 0).all()
    assert first.over == "m1"
    assert "0 of 2" in first.summary()


def test_over_defaults_to_the_leader_of_the_others():
    scores = random_scores(5, 6, seed=1)
    order = scores.mean(axis=1).sort_values(ascending=False).index
    assert rr.smallest_change(scores, model=order[0]).over == order[1]
    assert rr.smallest_change(scores, model=order[3]).over == order[0]
    below = rr.smallest_change(scores, over=order[2])
    assert set(below.margins.index) == set(order[3:])
    assert not below.headline.startswith(f"{order[2]} leads")


def test_kinds_that_do_not_apply_are_left_out_with_a_note():
    few = rr.smallest_change(random_scores(4, 6))
    assert few.table.index.tolist() == ["datasets", "weights"]
    assert {"no-clusters", "no-task-types"} <= set(note_codes(few))
    scheme = rr.smallest_change(random_scores(4, 6), aggregate="vikor/equal")
    assert scheme.table.index.tolist() == ["datasets"]
    assert "no-weights" in note_codes(scheme)
    weights = rr.smallest_change(random_scores(4, 6), change="weights")
    assert weights.dropped.empty
    assert "Dropped" not in weights.summary()


def test_incomplete_models_are_set_aside_and_cannot_be_asked_for():
    scores = random_scores(5, 6)
    scores.loc["m2", "d1"] = np.nan
    found = rr.smallest_change(scores)
    assert "m2" not in found.margins.index
    assert "dropped-models" in note_codes(found)
    with pytest.raises(MissingScoresError, match=r"'m2' has no score on 1 of 6.*drop-datasets"):
        rr.smallest_change(scores, model="m2")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model": "M1"}, UnknownLabelError, "did you mean 'm1'"),
        ({"over": "zzz"}, UnknownLabelError, "Unknown model 'zzz'"),
        ({"model": "m1", "over": "m1"}, ParameterError, "both 'm1'"),
        ({"goal": "first"}, ParameterError, "name model"),
        ({"goal": "first", "model": "m1", "over": "m0"}, ParameterError, "and not over"),
        ({"goal": "best"}, ParameterError, "'pass' or 'first'"),
        ({"change": "topics"}, ParameterError, "'task_type'.*got 'topics'"),
        ({"change": []}, ParameterError, "one or more of"),
        ({"change": True}, ParameterError, "one or more of.*got True"),
        ({"model": ["m1"]}, UnknownLabelError, "Unknown model"),
        ({"change": "task_type"}, InputError, "task type of 4 of 4 datasets is unknown"),
        ({"change": "weights", "aggregate": "topsis/equal"}, ParameterError, "no weights to move"),
        ({"aggregate": "median"}, UnknownLabelError, "median"),
        ({"time_limit": 0}, ParameterError, "time_limit"),
        ({"time_limit": "long"}, ParameterError, "time_limit"),
    ],
)
def test_bad_settings_name_culprit_and_remedy(options, error, message):
    with pytest.raises(error, match=message):
        rr.smallest_change(random_scores(4, 4), **options)


def test_a_model_that_all_others_are_above_has_no_challenger():
    scores = frame([[0.9, 0.8], [0.5, 0.6]])
    with pytest.raises(ParameterError, match="above 'm1' already"):
        rr.smallest_change(scores, over="m1")
    with pytest.raises(EmptyMatrixError):
        rr.smallest_change(scores.head(1))


@pytest.mark.parametrize("name", ["<script>a$b$ x & y", "two\nlines", "名" * 30 + "n" * 80])
def test_names_are_text(name, tmp_path):
    values = np.tile([[0.50], [0.51], [0.40]], (1, 12))
    values[0, 6] = 0.90
    scores = frame(values).rename(index={"m0": name}, columns={"d6": f"{name}!"})
    found = rr.smallest_change(scores)
    assert found.over == name
    assert found.dropped.loc["datasets"].index.tolist() == [f"{name}!"]
    assert name.replace("\n", " ") in found.headline
    assert "\n" not in found.headline
    found.save(tmp_path)
    saved = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert saved["over"] == name
    assert saved["figures_left_out"] == {}


def test_a_reason_breaks_no_line():
    scores = frame([[0.9, 0.8], [0.5, 0.6]]).rename(index={"m0": "two\nlines"})
    headline = rr.smallest_change(scores).headline
    assert headline.endswith("two lines scored at least as high as m1 on every dataset.")


def test_what_is_saved(tmp_path):
    found = rr.smallest_change(rr.load_example().select(task_type=["STS", "Clustering"]))
    found.save(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names >= {"changes.csv", "dropped.csv", "weights.csv", "margins.csv", "summary.txt"}
    assert (tmp_path / "figures" / "reach.svg").exists()
    written = pd.read_csv(tmp_path / "margins.csv", index_col=0)
    np.testing.assert_allclose(written["datasets"], found.margins["datasets"])
    again = {key: found.settings[key] for key in ("model", "over", "goal", "change", "aggregate")}
    same = rr.smallest_change(rr.load_example().select(task_type=["STS", "Clustering"]), **again)
    assert same.to_dict() == found.to_dict()


def test_the_figure_counts_who_is_within_reach():
    found = rr.smallest_change(random_scores(8, 10, seed=3), change=["datasets", "weights"])
    lines = {line.get_label(): line for line in found.plot.reach().get_lines()}
    for kind, name, units in (("datasets", "datasets", 10), ("weights", "weight", 1)):
        sizes, heights = found.margins[kind], lines[name].get_ydata()
        assert heights[0] == 0
        assert heights[-1] == sizes.notna().sum()
        x = lines[name].get_xdata()
        assert x[heights >= 1][0] == pytest.approx(100 * sizes.min() / units)


def test_a_line_ends_where_the_search_did(monkeypatch):
    monkeypatch.setattr("robustrank.flips.search._CELLS", 0)
    found = rr.smallest_change(random_scores(6, 10, seed=2), aggregate="topsis/equal")
    assert found.table.loc["datasets", "margins_to"] == 1
    (line,) = found.plot.reach().get_lines()
    assert np.nanmax(line.get_xdata()[~np.isnan(line.get_ydata())]) == pytest.approx(10)


@pytest.mark.parametrize("snapshot", ["", "_dec2025"])
def test_real_boards(shared, snapshot):
    data = shared / "data"
    tasks = data / "tasks_multilingual_v2_aug2026.csv"
    matrix = rr.read(data / f"board_multilingual_v2_per_task{snapshot}.csv", tasks=tasks)
    found = rr.smallest_change(matrix.select(task_type="STS"))
    assert found.table["exact"].all()
    gone = found.dropped.loc["datasets"].index
    scores = matrix.select(task_type="STS").resolve_missing().scores.drop(columns=gone)
    means = scores.mean(axis=1)
    assert means.idxmax() == found.table.loc["datasets", "leader_after"]
    assert means[found.over] < means.max()
