"""Sources of outputs: folders, files, tables, names, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import (
    DuplicateError,
    FormatError,
    InputError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.error_analysis import error_rates
from tests.evaluators.hteb.error_analysis.test_rates import codes, stored
from tests.evaluators.hteb.run_folders import outcome, write_settings, write_texts


@pytest.fixture
def run(tmp_path):
    write_settings(tmp_path, "Gemma")
    ends = [outcome("a b", (), ("truncated",)), outcome("c", ("identical",), ("identical",))]
    write_texts(tmp_path, "one", "paraphrasing", 7, ["A", "C"], ends)
    return tmp_path


def test_sources_may_be_folders_tables_and_files(run, tmp_path):
    path = tmp_path / "table.csv"
    rows = [("paraphrasing", "007 agents", ""), ("paraphrasing", "12", "007")]
    pd.DataFrame(rows, columns=["transformation", "original", "output"]).to_csv(path, index=False)
    found = error_rates({"run": run, "file": path}, identifier=None)
    assert set(found.rates.index) == {"run", "file"}
    assert found.rates.loc["file", "empty"] == 0.5
    assert "different-texts" in codes(found)
    alone = error_rates([run])
    assert list(alone.rates.index) == ["Gemma"]
    pd.testing.assert_frame_equal(alone.totals, error_rates(str(run)).totals)


def test_a_name_is_for_one_generator():
    table = stored({"A": [()], "B": [("empty",)], "C": [()]})
    for named, generator in (({"a": table}, None), (table, "a"), ([table], "a")):
        with pytest.raises(ParameterError, match=r"'a' is to name one generator.*3: A, B, C"):
            error_rates(named, generator=generator)
    one = error_rates({"a": stored({"A": [()]})})
    assert list(one.rates.index) == ["a"]


def test_rows_are_a_table():
    table = stored({"A": [(), ("empty",)]})
    rows = error_rates(table.to_dict("records"))
    pd.testing.assert_frame_equal(rows.totals, error_rates(table).totals)


def test_wrong_input_is_named_with_its_remedy(run):
    table = stored({"A": [()]})
    with pytest.raises(UnknownLabelError, match="has no column 'generator'"):
        error_rates(table.drop(columns="generator"))
    with pytest.raises(UnknownLabelError, match=r"has no column 'output'.*it has: generator"):
        error_rates(table.drop(columns="output"))
    with pytest.raises(UnknownLabelError, match="did you mean 'paraphrasing'"):
        error_rates(table.assign(transformation="paraphrase"))
    with pytest.raises(DuplicateError, match=r"'Gemma'.*mapping.*NAME=DIR"):
        error_rates([run, run])
    with pytest.raises(ParameterError, match=r"there are 2.*mapping"):
        error_rates([run, run], generator="G")
    with pytest.raises(ParameterError, match=r"generator='G' is one too many\. Leave it out"):
        error_rates({"A": run}, generator="G")
    for nothing in ([], {}):
        with pytest.raises(FormatError, match="nothing to read"):
            error_rates(nothing)
    for source in (None, 5):
        with pytest.raises(FormatError, match=f"Pass a run's folder.*{type(source).__name__}"):
            error_rates(source)
    with pytest.raises(FormatError, match="got int"):
        error_rates([5])
    for blank in (None, np.nan, " "):
        gap = pd.concat([table, table.assign(original=blank)])
        with pytest.raises(FormatError, match=r"original in row 2 is empty.*drop the row"):
            error_rates(gap)
    for setting in ({"attempts": "all"}, {"reading": "mine"}, {"words": "bytes"}):
        with pytest.raises(UnknownLabelError, match="known: "):
            error_rates(table, **setting)
    with pytest.raises(ParameterError, match="n_resamples"):
        error_rates(table, n_resamples=0)
    with pytest.raises(ParameterError, match="confidence_level"):
        error_rates(table, confidence_level=95)
    with pytest.raises(InputError, match="no file or folder"):
        error_rates(run / "elsewhere")
    with pytest.raises(FormatError, match="No text got an answer"):
        error_rates(table.assign(output=""))


def test_a_text_of_a_number_is_a_text():
    table = pd.DataFrame({"transformation": "expansion", "original": [12], "output": [12]})
    assert error_rates(table, generator="G", identifier=None).rates["identical"].tolist() == [1.0]
