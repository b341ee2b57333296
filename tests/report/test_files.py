from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from robustrank.report.files import file_tables
from tests.conftest import analyze
from tests.test_planted import clean


@pytest.fixture(scope="module")
def gaps():
    scores = clean()
    scores.loc["m4", "d3"] = np.nan
    return analyze(scores, missing="keep")


def test_the_ranking_is_that_of_the_analysis(gaps):
    table = file_tables(gaps)["ranking"]
    pd.testing.assert_frame_equal(table.set_index("model"), gaps.to_frame())


def test_each_pair_of_ranked_models_is_there_once_the_better_first(gaps):
    table, bootstrap = file_tables(gaps)["pairwise"], gaps.bootstrap
    assert len(table) == 23 * 22 // 2
    assert "m4" not in set(table["model_a"]) | set(table["model_b"])
    pairs = set(map(frozenset, zip(table["model_a"], table["model_b"], strict=True)))
    assert len(pairs) == len(table)
    assert table["model_a"].drop_duplicates().tolist() == bootstrap.order[:-1]
    for row in table.sample(20, random_state=0).itertuples():
        assert bootstrap.rank[row.model_a] <= bootstrap.rank[row.model_b]
        assert row.probability == bootstrap.pairwise.loc[row.model_a, row.model_b]
        assert row.p_value == bootstrap.p_values.loc[row.model_a, row.model_b]
        assert row.n_shared == 12


def test_tiers_hold_the_ranked_models(gaps):
    table = file_tables(gaps)["tiers"]
    assert table["model"].tolist() == gaps.bootstrap.order
    assert all(a <= b for a, b in pairwise(table["tier"]))
    assert table["tier"].tolist() == gaps.bootstrap.tiers[gaps.bootstrap.order].tolist()


def test_without_resampling_there_is_no_tier():
    tables = file_tables(analyze(clean()[["d0"]]))
    assert tables["tiers"].empty
    assert list(tables["tiers"]) == ["tier", "model", "rank"]
    assert tables["pairwise"]["probability"].isna().all()


def test_csv_has_all_digits(gaps):
    for table in file_tables(gaps).values():
        text = table.to_csv(index=False, lineterminator="\n")
        back = pd.read_csv(io.StringIO(text), dtype=str)
        for name in table.select_dtypes("float"):
            assert np.array_equal(back[name].map(float), table[name], equal_nan=True)
