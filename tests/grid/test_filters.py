from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import EmptyMatrixError, ParameterError
from tests.grid.planted import MODELS, long_table, model_metadata, study


def eligible(task_type: str, table=None, **conditions) -> list[int]:
    """Numbers of the models that meet the conditions."""
    found = study(table, filters=rr.ModelFilter(**conditions))
    chosen = found.eligibility.models[task_type]
    return [MODELS.index(name) for name in chosen.index[chosen]]


ALL = list(range(12))


@pytest.mark.parametrize(
    ("conditions", "dropped"),
    [
        ({}, []),
        ({"open_weights": True}, [1]),
        ({"zero_shot": True}, [10, 11]),
        ({"zero_shot": True, "unknown_training_data": "keep"}, [10]),
        ({"known": "n_parameters"}, [2]),
        ({"known": ["n_parameters", "release_date"]}, [2, 11]),
        ({"max_parameters": 3e8}, [2, *range(3, 12)]),
        ({"min_parameters": 3e8}, [0, 1, 2]),
        ({"released_from": "2025-01-01"}, [0, 1, 2, 3, 4, 5, 11]),
        ({"released_until": "2025-06-29"}, [6, 7, 8, 9, 10, 11]),
        ({"open_weights": True, "max_parameters": 5e8}, [1, 2, *range(5, 12)]),
    ],
)
def test_every_condition_drops_the_models_it_should(conditions, dropped):
    assert eligible("Retrieval", **conditions) == [i for i in ALL if i not in dropped]


def test_zero_shot_is_judged_per_task_type():
    assert eligible("STS", zero_shot=True) == ALL[:-1]
    assert eligible("STS", zero_shot=False, unknown_training_data="keep") == [11]


def test_without_fields_per_task_type_zero_shot_is_that_of_the_benchmark():
    models = model_metadata().drop(columns=["zs_Retrieval", "zs_STS"])
    models["zero_shot"] = [1.0] * 11 + [0.5]
    found = study(models=models, filters=rr.ModelFilter(zero_shot=True))
    assert found.eligibility.models.sum().to_dict() == {"Retrieval": 11, "STS": 11}


def test_complete_on_the_task_type_asks_for_every_dataset_in_whatever_language():
    table = long_table()
    hole = (table["model"] == "org/m03") & (table["task"] == "other")
    assert eligible("Retrieval", table[~hole], complete="task-type") == [i for i in ALL if i != 3]
    by_cell = study(table[~hole], filters=rr.ModelFilter(complete="cell"))
    assert by_cell.cells.loc[("aaa", "Retrieval"), "n_models"] == 11
    assert by_cell.cells.loc[("bbb", "Retrieval"), "n_models"] == 12
    by_type = study(table[~hole], filters=rr.ModelFilter(complete="task-type"))
    assert by_type.cells.loc[("bbb", "Retrieval"), "n_models"] == 11


def test_the_report_counts_passed_failed_and_unknown_and_what_is_left():
    chosen = rr.ModelFilter(open_weights=True, zero_shot=True, known=["n_parameters"])
    report = study(filters=chosen).eligibility.report.loc["Retrieval"]
    assert report.to_dict("index") == {
        "open_weights": {"passed": 11, "failed": 1, "unknown": 0, "left": 11},
        "zero_shot": {"passed": 10, "failed": 1, "unknown": 1, "left": 9},
        "known n_parameters": {"passed": 11, "failed": 1, "unknown": 0, "left": 8},
    }


def test_values_of_numpy_and_dates_are_plain_and_json_safe():
    chosen = rr.ModelFilter(
        open_weights=np.bool_(True),
        max_parameters=np.float64(1e9),
        released_from=pd.Timestamp("2025-01-01", tz="UTC"),
        released_until="2025-12-31T23:00:00Z",
    )
    assert json.loads(json.dumps(chosen.to_dict())) == {
        "open_weights": True,
        "released_from": "2025-01-01",
        "released_until": "2025-12-31",
        "max_parameters": 1e9,
    }
    with pytest.raises(ParameterError, match="must be a date"):
        rr.ModelFilter(released_from=2025)  # not that many nanoseconds after 1970


def test_release_dates_are_read_each_by_its_own_notation():
    models = model_metadata()
    dates = ["2025-01-01", "2025-06-01T10:00:00+02:00", "Jan 5, 2025", "2025", "2024-12-31", "soon"]
    models["release_date"] = [*dates, *[None] * 6]
    found = study(models=models, filters=rr.ModelFilter(released_from="2025-01-01"))
    released = found.eligibility.conditions.loc["STS", "released"]
    assert released.iloc[:5].tolist() == [True, True, True, True, False]
    assert released.iloc[5:].isna().all()


@pytest.mark.parametrize("unknown", ["drop", "keep"])
def test_what_is_left_in_the_end_is_eligible(unknown):
    chosen = rr.ModelFilter(
        zero_shot=True, unknown_training_data=unknown, known="n_parameters", complete="task-type"
    )
    found = study(filters=chosen).eligibility
    left = found.report["left"].groupby(level=0).last()
    assert left.to_dict() == found.models.sum().to_dict()


def test_every_model_is_accounted_for():
    found = study(filters=rr.ModelFilter(open_weights=True, zero_shot=True))
    table = found.eligibility.conditions
    assert len(table) == 2 * len(MODELS)
    met = table.drop(columns="eligible").fillna(value=False).all(axis=1)
    assert met.tolist() == table["eligible"].tolist()
    (note,) = [note for note in found.notes if note.code == "filtered-models"]
    assert "Retrieval 9 (zero_shot unknown for 1)" in note.message


def test_filters_combine():
    one = rr.ModelFilter(open_weights=True, known="n_parameters")
    two = rr.ModelFilter(known=["max_tokens"], max_parameters=1e9)
    both = one & two
    assert both.known == ("n_parameters", "max_tokens")
    assert both.to_dict() == {
        "open_weights": True,
        "known": ["n_parameters", "max_tokens"],
        "max_parameters": 1e9,
    }
    assert eligible("STS", **both.to_dict()) == [
        i for i in eligible("STS", **one.to_dict()) if i in eligible("STS", **two.to_dict())
    ]
    with pytest.raises(ParameterError, match="disagree on open_weights"):
        one & rr.ModelFilter(open_weights=False)


def test_a_filter_comes_on_top_of_the_preset():
    plain, small = (
        study(preset="papers", filters=chosen)
        for chosen in (None, rr.ModelFilter(max_parameters=6e8))
    )
    assert plain.eligibility.models["Retrieval"].sum() == 8  # 1, 2, 10 and 11 do not meet it
    assert small.eligibility.models["Retrieval"].sum() == 4
    assert list(plain.languages.index) == ["aaa", "bbb"]  # two datasets or more


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: rr.ModelFilter(complete="type"), "complete must be 'cell' or 'task-type'"),
        (lambda: rr.ModelFilter(unknown_training_data="no"), "'drop' or 'keep'"),
        (lambda: rr.ModelFilter(released_from="soon"), "must be a date"),
        (lambda: rr.ModelFilter(open_weights="yes"), "open_weights must be True or False"),
        (lambda: rr.ModelFilter(max_parameters="1e9"), "max_parameters must be a number"),
        (lambda: study(filters=rr.ModelFilter(unknown_training_data="keep")), "set zero_shot"),
        (lambda: study(filters={"open_weights": True}), "must be a ModelFilter"),
        (lambda: study(filters=rr.ModelFilter(known="colour")), "known 'colour'"),
        (
            lambda: study(models=None, filters=rr.ModelFilter(open_weights=True)),
            "unknown for every",
        ),
        (
            lambda: study(
                models=model_metadata().drop(columns="release_date"),
                filters=rr.ModelFilter(released_from="2024-01-01"),
            ),
            "released, which is unknown for every model",
        ),
    ],
)
def test_wrong_filters_are_named_with_the_remedy(make, part):
    with pytest.raises(ParameterError, match=part):
        make()


def test_a_filter_that_leaves_no_cell_to_rank_says_so():
    with pytest.raises(EmptyMatrixError, match="min_parameters=1000000000000"):
        study(filters=rr.ModelFilter(min_parameters=1e12, known="n_parameters"))


def test_the_order_of_models_does_not_matter():
    table = long_table().sample(frac=1.0, random_state=1)
    chosen = rr.ModelFilter(zero_shot=True)
    one, two = study(filters=chosen), study(table, filters=chosen)
    pd.testing.assert_frame_equal(one.cells, two.cells)
    assert np.array_equal(
        one.eligibility.models, two.eligibility.models.loc[one.eligibility.models.index]
    )
