from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import EmptyMatrixError, ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.statistics.paired_datasets import compare_datasets
from robustrank.evaluators.hteb.statistics.reading import read_scores
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from tests.evaluators.hteb.statistics.boards import planted


def codes(found) -> list[str]:
    return [note.code for note in found.notes]


def flat(drops) -> pd.DataFrame:
    """A long table in which all transformations change a score alike, by (model, dataset)."""
    return pd.DataFrame(
        [
            {"model": m, "dataset": d, "transformation": name, "score": 0.8 + x, "original": 0.8}
            for (m, d), x in drops.items()
            for name in TRANSFORMATIONS
        ]
    )


def test_rows_are_tests_over_models():
    long = planted(models=12)
    found = compare_datasets(long, "data 1", "data 4")
    assert list(found.table.index) == [*TRANSFORMATIONS, *AXES, "total"]
    mean = long.groupby(["transformation", "dataset", "model"])["score"].mean()
    change = (mean - mean["original"]).unstack("model")
    for name in TRANSFORMATIONS:
        by_model = change.loc[(name, "data 4")] - change.loc[(name, "data 1")]
        np.testing.assert_allclose(found.by_model[name], by_model[found.by_model.index])
        test = rr.signed_rank_test(by_model)
        row = found.table.loc[name]
        assert (row["estimate"], row["low"]) == pytest.approx((test.estimate, test.low), abs=1e-9)
        assert row["p_unadjusted"] == pytest.approx(test.p_value)
    adjusted = rr.adjust_p_values(found.table["p_unadjusted"], "holm")
    np.testing.assert_allclose(found.table["p_value"], adjusted)
    assert found.table["difference"].to_numpy() == pytest.approx(found.by_model.mean().to_numpy())


def test_the_other_way_round_turns_the_difference_and_row_order_changes_nothing():
    long = planted(models=8)
    one = compare_datasets(long, "data 0", "data 2").table
    other = compare_datasets(long.sample(frac=1, random_state=0), "data 2", "data 0").table
    np.testing.assert_allclose(one["difference"], -other["difference"])
    np.testing.assert_allclose(one["estimate"], -other["estimate"], atol=1e-12)
    np.testing.assert_allclose(one["p_value"], other["p_value"])


def test_holes_elsewhere_cost_no_model_and_holes_here_are_named():
    long = planted(models=4)
    elsewhere = long.query("not (model == 'model 1' and dataset == 'data 5')")
    assert len(compare_datasets(elsewhere, "data 0", "data 1").by_model) == 4
    here = long.query("not (model == 'model 1' and dataset == 'data 1')")
    found = compare_datasets(read_scores(here, missing="keep"), "data 0", "data 1")
    assert list(found.by_model.index) == ["model 0", "model 2", "model 3"]
    note = next(note for note in found.notes if note.code == "one-dataset-only")
    assert note.labels == ("model 1",)


def test_few_models_cannot_show_a_difference():
    found = compare_datasets(planted(models=4), "data 0", "data 1")
    assert codes(found) == ["two-datasets", "no-finding-possible", "no-interval"]
    assert "4 models cannot show that anything differs from 0" in found.notes[1].message
    assert found.table["low"].isna().all()


def test_one_model_one_axis_one_run():
    long = planted(models=1, runs=1)
    long = long[long["transformation"].isin(["original", "expansion"])]
    table = compare_datasets(long, "data 0", "data 1").table
    assert list(table.index) == ["expansion", "Length", "total"]
    assert (table["n_models"] == 1).all()
    assert table["difference"].nunique() == 1


def test_files_and_odd_names(tmp_path):
    odd = {"data 0": "<script>a$b$</script>", "data 1": "日本語 & " + 80 * "x"}
    found = compare_datasets(planted().replace(odd), *odd.values())
    written = {path.name for path in found.save(tmp_path)}
    assert written == {"summary.txt", "results.json", "contrast.csv", "by_model.csv"}
    content = json.loads((tmp_path / "results.json").read_text())
    assert [content["first"], content["second"]] == list(odd.values())
    assert found.summary().startswith(f"DatasetContrast: {odd['data 1']} minus {odd['data 0']}")


def test_bad_input_is_named():
    long = planted(models=2, datasets=2)
    with pytest.raises(UnknownLabelError, match=r"Unknown dataset 'data 7'.*did you mean"):
        compare_datasets(long, "data 0", "data 7")
    with pytest.raises(ParameterError, match="two different datasets to compare; got 'data 0'"):
        compare_datasets(long, "data 0", "data 0")
    apart = flat({("m", "x"): -0.1, ("n", "y"): -0.1})
    with pytest.raises(EmptyMatrixError, match="No model has scores on both 'x' and 'y'"):
        compare_datasets(read_scores(apart, missing="keep"), "x", "y")


def test_names_may_be_numbers():
    long = planted(models=7, datasets=2)
    long["dataset"] = long["dataset"].map({"data 0": 0, "data 1": 1})
    found = compare_datasets(long, 0, 1)
    assert (found.first, found.second) == ("0", "1")
    assert len(found.by_model) == 7
    with pytest.raises(ParameterError, match="two different datasets to compare; got '1' twice"):
        compare_datasets(long, 1, "1")
