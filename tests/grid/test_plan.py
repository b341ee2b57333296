from __future__ import annotations

import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import EmptyMatrixError, ParameterError, UnknownLabelError
from tests.grid.planted import long_table, study, task_metadata


def test_cells_are_the_datasets_of_a_task_type_that_include_a_language():
    found = study()
    cells = {(c.language, c.task_type): (c.datasets, c.scored) for c in found.plan.cells}
    assert cells == {
        ("aaa", "Retrieval"): (("other", "twin", "wide"), ("other", "twin", "wide")),
        ("aaa", "STS"): (("ghost", "solo"), ("solo",)),
        ("bbb", "Retrieval"): (("wide",), ("wide",)),
        ("bbb", "STS"): (("solo",), ("solo",)),
        ("ccc", "Retrieval"): ((), ()),
        ("ccc", "STS"): (("ghost",), ()),
    }
    assert list(found.cells.index) == list(cells)
    assert list(found.cells["n"]) == [3, 2, 1, 1, 0, 1]
    assert list(found.cells["n_scored"]) == [3, 1, 1, 1, 0, 0]


def test_a_dataset_without_results_counts_and_is_named():
    found = study()
    row = found.cells.loc[("aaa", "STS")]
    # Level and R by the one dataset with results; the first two terms by both.
    assert (row["level"], row["unscored"]) == ("E1", "ghost")
    assert row["ess"] == pytest.approx(0.25 * 2 / 5 + 0.25 * 1 / 2)
    assert found.cells.loc[("ccc", "STS"), ["level", "ess"]].tolist() == ["E0", 0.0]
    (note,) = [note for note in found.notes if note.code == "unscored-datasets"]
    assert note.labels == ("ghost",)
    assert "ghost (0 models)" in note.message


def test_a_dataset_that_few_models_ran_is_without_results():
    table = long_table()
    few = table[(table["task"] == "solo") & (table["model"] == "org/m00")].assign(task="ghost")
    found = study(pd.concat([table, few]))
    assert found.cells.loc[("aaa", "STS"), "n_scored"] == 1  # 1 of 12 is below 0.1
    assert any("ghost (1 model)" in note.message for note in found.notes)
    taken = study(pd.concat([table, few]), min_coverage=0.05)
    assert taken.cells.loc[("aaa", "STS"), ["n_scored", "n_models"]].tolist() == [2, 0]
    assert any(note.code == "unranked-cells" for note in taken.notes)


def test_datasets_whose_place_is_unknown_are_named():
    tasks = task_metadata()
    tasks.loc[tasks["task"] == "ghost", "languages"] = None
    found = study(tasks=tasks)
    (note,) = [note for note in found.notes if note.code == "unknown-field"]
    assert note.message == "1 dataset without a known language, so in no cell: ghost."


def test_what_the_metadata_leave_out_is_taken_from_the_results():
    tasks = task_metadata()
    tasks.loc[tasks["task"] == "solo", "languages"] = None
    found = study(tasks=tasks[tasks["task"] != "wide"])
    assert found.cells["n"].tolist() == study().cells["n"].tolist()


def test_the_most_exact_name_of_a_column_is_the_task_type():
    tasks = task_metadata()
    tasks.insert(0, "category", ["s2p", "s2p", "s2p", "s2s", "s2s"])
    pd.testing.assert_frame_equal(study(tasks=tasks).cells, study().cells)
    other = study(tasks=tasks, by=("language", "category"))
    assert list(other.tasks.index) == ["s2p", "s2s"]


def test_languages_may_be_written_in_capitals():
    table = long_table()
    table["languages"] = table["languages"].str.upper()
    tasks = task_metadata()
    tasks["languages"] = tasks["languages"].str.upper()
    assert list(study(table, tasks=tasks, languages="aaa").languages.index) == ["AAA"]


def test_languages_with_few_datasets_are_left_out_unless_named():
    found = study(min_datasets=2)
    assert list(found.languages.index) == ["aaa", "bbb"]
    (note,) = [note for note in found.notes if note.code == "left-out-languages"]
    assert note.message == "1 of 3 languages with fewer than 2 datasets, left out."
    named = study(min_datasets=2, languages=["CCC-Latn", "bbb"])
    assert named.languages["n_datasets"].to_dict() == {"ccc": 1, "bbb": 2}


def test_any_two_fields_of_the_metadata_lay_out_the_grid():
    tasks = task_metadata().assign(domain=["web", "web", "books", "books", "web"])
    found = study(tasks=tasks, by=("domain", "task_type"))
    assert found.cells.index.names == ["domain", "task_type"]
    assert found.cells["n"].to_dict() == {
        ("books", "Retrieval"): 1,
        ("books", "STS"): 1,
        ("web", "Retrieval"): 2,
        ("web", "STS"): 1,
    }
    turned = study(by=("task_type", "language"))
    straight = study()
    swapped = turned.cells.reorder_levels(["language", "task_type"]).loc[straight.cells.index]
    pd.testing.assert_frame_equal(swapped, straight.cells)


@pytest.mark.parametrize(
    ("settings", "error", "part"),
    [
        ({"languages": "aab"}, UnknownLabelError, "did you mean 'aaa'"),
        ({"task_types": ["retrieval"]}, UnknownLabelError, "did you mean 'Retrieval'"),
        ({"task_types": []}, ParameterError, "No task_type was named"),
        ({"by": ("language", "domain")}, UnknownLabelError, "field of the dataset metadata"),
        ({"by": "language"}, ParameterError, "two fields"),
        ({"by": ("language", "language")}, ParameterError, "two fields"),
        ({"min_datasets": 9}, EmptyMatrixError, "lower min_datasets"),
        ({"languages": "ccc"}, EmptyMatrixError, "No dataset of these cells has results"),
        ({"min_datasets": -1}, ParameterError, "min_datasets"),
        ({"min_coverage": 2}, ParameterError, "min_coverage is a share"),
        ({"level": "subset"}, ParameterError, "level must be 'task' or 'language'"),
        ({"preset": "paper"}, ParameterError, "known: 'papers'"),
        ({"seed": None}, ParameterError, "seed"),
        ({"tau": 2}, ParameterError, "tau"),
        ({"n_jobs": 0}, ParameterError, "-1 for all cores"),
        ({"by": None}, ParameterError, "two fields"),
        ({"min_coverage": "a"}, ParameterError, "min_coverage is a share"),
        ({"partial_scores": "x"}, ParameterError, "partial_scores"),
        ({"consistency": "x"}, ParameterError, "consistency"),
        ({"engine": "x"}, ParameterError, "engine"),
        ({"linkage": "x"}, ParameterError, "linkage"),
        ({"level": "language", "by": ("task_type", "language")}, ParameterError, "first field"),
        ({"n_jobs": "all"}, ParameterError, "-1 for all cores"),
        ({"schemes": "wsm/none"}, UnknownLabelError, "wsm/none"),
    ],
)
def test_wrong_settings_are_named_with_the_remedy(settings, error, part):
    with pytest.raises(error, match=part):
        study(**settings)


def test_a_source_without_metadata_says_what_to_pass():
    with pytest.raises(ParameterError, match="tasks= "):
        rr.study(pd.DataFrame({"d": [0.1, 0.2], "e": [0.3, 0.1]}, index=["a", "b"]))
