from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import DuplicateError, EmptyMatrixError, FormatError, UnknownLabelError
from robustrank.evaluators.hteb.statistics.reading import read_scores
from robustrank.evaluators.hteb.statistics.scores import over_datasets
from robustrank.evaluators.hteb.statistics.shifts import shifts
from robustrank.evaluators.hteb.statistics.zero_shot import zero_shot
from tests.evaluators.hteb.statistics.boards import planted

LONG = planted(models=3, datasets=4)
PAIRS = [(f"model {i}", f"data {j}") for i in range(3) for j in range(4)]


def marks(values) -> pd.DataFrame:
    table = pd.DataFrame(PAIRS[: len(values)], columns=["model", "dataset"])
    return table.assign(zero_shot=values)


def messages(scores) -> dict[str, str]:
    return {note.code: note.message for note in scores.notes}


def test_marked_pairs_are_kept_and_means_are_over_them():
    table = marks([True, False, True, True, *[True] * 4, *[False] * 3, True])
    kept = zero_shot(LONG, table)
    cells = [pair for pair, mark in zip(PAIRS, table["zero_shot"], strict=True) if mark]
    assert list(kept.transformed.index) == cells
    assert "Kept 8 of 12 pairs of model and dataset" in messages(kept)["zero-shot"]
    means = over_datasets(kept.deltas())
    whole = read_scores(LONG).deltas()
    expected = whole.loc[[("model 0", f"data {j}") for j in (0, 2, 3)]].mean()
    np.testing.assert_allclose(means.loc["model 0"], expected)
    np.testing.assert_allclose(means.loc["model 2"], whole.loc[("model 2", "data 3")])
    assert set(kept.runs["model"] + kept.runs["dataset"]) == {m + d for m, d in cells}


def test_statistics_take_the_kept_pairs_as_they_are():
    kept = zero_shot(LONG, marks([True, *[False] * 3, *[True] * 8]))
    assert shifts(kept, observations="pairs").table["n"].unique() == [9]


@pytest.mark.parametrize(
    ("yes", "no"),
    [("true", "false"), (" TRUE", "False "), ("yes", "no"), (1, 0), ("1.0", "0.0"), ("T", "f")],
)
def test_usual_spellings(yes, no):
    assert len(zero_shot(LONG, marks([yes, no] * 6)).transformed) == 6


def test_unknown_and_unused_marks_are_counted():
    table = marks([True, None, "", "unknown", *[True] * 7])  # one pair is not there at all
    more = pd.DataFrame({"model": ["<b>"], "dataset": ["data 0"], "zero_shot": [True]})
    kept = zero_shot(LONG, pd.concat([table, more]))
    assert len(kept.transformed) == 8
    said = messages(kept)
    assert said["zero-shot-unknown"] == (
        "Left out, as it is not known whether they are zero-shot: model 0 on data 1, model 0 on "
        "data 2, model 0 on data 3, model 2 on data 3."
    )
    assert said["zero-shot-unused"] == "Marks of pairs without scores are not used: <b> on data 0."


def test_a_file_and_scores_that_were_read_do_as_well(tmp_path):
    table = marks([True, False] * 6)
    table.to_csv(tmp_path / "marks.csv", index=False)
    from_file = zero_shot(read_scores(LONG), tmp_path / "marks.csv")
    pd.testing.assert_frame_equal(from_file.transformed, zero_shot(LONG, table).transformed)


def test_a_pair_without_scores_costs_no_model():
    lacking = LONG.query("not (model == 'model 1' and dataset == 'data 2')")
    kept = zero_shot(lacking, marks([True] * 12))
    assert len(kept.transformed) == 11
    assert kept.models == ["model 0", "model 1", "model 2"]


def test_the_same_mark_twice_is_one_and_two_marks_contradict():
    table = marks([True] * 12)
    assert len(zero_shot(LONG, pd.concat([table, table])).transformed) == 12
    with pytest.raises(DuplicateError, match="model 0 on data 0 has marks that contradict"):
        zero_shot(LONG, pd.concat([table, marks([False])]))


def test_bad_input_is_named():
    with pytest.raises(FormatError, match=r"zero_shot in row 2 is 'maybe'.*Write true or false"):
        zero_shot(LONG, marks([True, "maybe"]))
    with pytest.raises(UnknownLabelError, match="model, dataset, zero_shot; it has: model, data"):
        zero_shot(LONG, marks([True]).drop(columns="zero_shot"))
    with pytest.raises(EmptyMatrixError, match="2 are marked as not, 10 are not known, such as"):
        zero_shot(LONG, marks([False, False]))
