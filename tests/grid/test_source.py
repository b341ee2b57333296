from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import ParameterError
from tests.grid.planted import MODELS, long_table, study, task_metadata


def test_scores_of_one_language_are_means_over_its_subsets():
    found = study(level="language")
    table = long_table()
    own = found.matrix("bbb", "Retrieval").scores["wide"]
    wanted = table[(table["task"] == "wide") & (table["languages"] == "bbb-Latn")]
    np.testing.assert_allclose(own, wanted.set_index("model")["score"].loc[own.index], atol=1e-12)
    # Skill is the other way round on the second language, which the mean over both hides.
    first, second = (found.matrix(code, "STS").scores["solo"] for code in ("aaa", "bbb"))
    assert first.idxmax() != second.idxmax()
    assert found.cells.loc[("aaa", "STS"), "leader"] == first.idxmax()
    assert found.cells.loc[("bbb", "STS"), "leader"] == second.idxmax()
    means = study().matrix("bbb", "STS").scores["solo"]
    both = table[table["task"] == "solo"].groupby("model")["score"].mean()
    np.testing.assert_allclose(means, both.loc[means.index], atol=1e-12)


def test_a_model_without_the_language_is_not_ranked_on_it():
    table = long_table()
    lost = (table["model"] == "org/m11") & (table["languages"] == "bbb-Latn")
    table = table[~lost]
    by_task, by_language = study(table), study(table, level="language")
    # As a mean over what is there, one subset of two, the best model of "aaa" leads in "bbb".
    assert "org/m11" in by_task.matrix("bbb", "STS").scores.index
    assert "org/m11" not in by_language.matrix("bbb", "STS").scores.index
    assert by_language.cells.loc[("aaa", "STS"), "n_models"] == len(MODELS)


def test_partial_scores_of_a_leader_are_flagged_and_can_be_dropped():
    table = long_table()
    best = table[table["task"] == "wide"].sort_values("score").iloc[-1]
    lost = (table["model"] == best["model"]) & (table["task"] == "wide")
    lost &= table["languages"] != best["languages"]
    kept = study(table[~lost])
    row = kept.cells.loc[("bbb", "Retrieval")]
    assert row["most_consistent_model"] == best["model"]
    assert row["partial"] == "wide: 1 of 2 subsets"
    (note,) = [note for note in kept.notes if note.code == "partial-leaders"]
    assert f"bbb Retrieval: {best['model']} (wide: 1 of 2 subsets)" in note.message
    assert any(note.code == "partial-models" for note in kept.notes_of("bbb", "Retrieval"))
    dropped = study(table[~lost], partial_scores="drop")
    row = dropped.cells.loc[("bbb", "Retrieval")]
    assert row["most_consistent_model"] != best["model"]
    assert row["n_models"] == len(MODELS) - 1
    assert not any(note.code == "partial-leaders" for note in dropped.notes)


def test_partial_scores_within_a_language_are_flagged_too():
    table = long_table()
    more = table[(table["task"] == "solo") & (table["languages"] == "bbb-Latn")]
    twice = pd.concat([table, more.assign(subset="second")])
    lost = (twice["model"] == "org/m00") & (twice["subset"] == "second")
    tasks = task_metadata()
    tasks.loc[tasks["task"] == "solo", "n_subsets"] = 3
    found = study(twice[~lost], level="language", tasks=tasks)
    matrix = found.matrix("bbb", "STS")
    assert matrix.models["partial_scores"].to_dict() == {
        model: ("solo: 1 of 2 subsets in bbb",) if model == "org/m00" else () for model in MODELS
    }
    dropped = study(twice[~lost], level="language", tasks=tasks, partial_scores="drop")
    assert dropped.cells.loc[("bbb", "STS"), "n_models"] == len(MODELS) - 1


def test_a_dataset_without_scores_in_a_language_is_left_out_of_its_cells():
    tasks = task_metadata()
    tasks.loc[tasks["task"] == "twin", "languages"] = "aaa;bbb"  # nobody has a score in bbb
    found = study(tasks=tasks, level="language")
    row = found.cells.loc[("bbb", "Retrieval")]
    assert (row["n"], row["n_scored"], row["unscored"]) == (2, 1, "twin")
    assert row["n_models"] == len(MODELS)
    assert any("twin in bbb" in note.message for note in found.notes)


def test_averaged_duplicates_keep_their_languages():
    table = long_table()
    twice = pd.concat([table, table.iloc[:1].assign(score=0.5)])
    found = study(twice, level="language", on_duplicate="mean")
    expected = (table["score"].iloc[0] + 0.5) / 2
    model = table["model"].iloc[0]
    assert found.matrix("aaa", "Retrieval").scores.loc[model, "wide"] == pytest.approx(expected)
    assert len(found.baseline().correlations)


def test_percent_and_shares_say_the_same_at_both_levels():
    table = long_table()
    percent = table.assign(score=table["score"] * 100)
    for level in ("task", "language"):
        one, two = study(table, level=level), study(percent, level=level)
        pd.testing.assert_frame_equal(one.cells, two.cells)
        assert two.matrix("bbb", "STS").scores.max().max() <= 1.0


def test_a_row_without_a_language_counts_for_every_language_of_its_dataset():
    table = long_table()
    table.loc[table["task"] == "wide", "languages"] = None
    found = study(table, level="language")
    means = table[table["task"] == "wide"].groupby("model")["score"].mean()
    for language in ("aaa", "bbb"):
        own = found.matrix(language, "Retrieval").scores["wide"]
        np.testing.assert_allclose(own, means.loc[own.index], atol=1e-12)


@pytest.mark.parametrize("source", [rr.load_example(), long_table().drop(columns="languages")])
def test_scores_per_dataset_alone_have_no_level_of_languages(source):
    tasks = None if isinstance(source, rr.ScoreMatrix) else task_metadata()
    with pytest.raises(ParameterError, match="level='language' needs scores per language"):
        rr.study(source, tasks=tasks, level="language")


def test_real_matrices_come_out_of_the_long_table(shared):
    data = shared / "data"
    found = rr.study(
        data / "mteb_multilingual_v2_dec2025.parquet",
        tasks=data / "tasks_multilingual_v2_dec2025.csv",
        models=data / "models_dec2025.parquet",
        preset="papers",
    )
    assert len(found.languages) == 229
    compared = 0
    for path in sorted((data / "matrices").glob("*.csv")):
        language, task_type = path.stem.split("_")
        ready = pd.read_csv(path, index_col=0)
        own = found.matrix(language, task_type).scores
        assert set(own.index) == set(ready.index)
        assert set(own.columns) == set(ready.columns)
        assert np.abs(own.loc[ready.index, ready.columns] - ready).max().max() < 1e-9
        compared += ready.size
    assert compared == 15_203


def test_the_labse_artefact_is_flagged_and_disappears(shared):
    data = shared / "data"
    settings = {
        "tasks": data / "tasks_multilingual_v2_dec2025.csv",
        "models": data / "models_dec2025.parquet",
        "preset": "papers",
        "languages": ["slv", "hrv", "mkd"],
        "task_types": ["Retrieval"],
    }
    results = data / "mteb_multilingual_v2_dec2025.parquet"
    kept, dropped, own = (
        rr.study(results, **settings, **more)
        for more in ({}, {"partial_scores": "drop"}, {"level": "language"})
    )
    for language in settings["languages"]:
        row = kept.cells.loc[(language, "Retrieval")]
        assert row["most_consistent_model"] == "sergeyzh/LaBSE-ru-turbo"
        assert row["partial"] == "BelebeleRetrieval: 3 of 376 subsets"
        for other in (dropped, own):
            row = other.cells.loc[(language, "Retrieval")]
            assert row["most_consistent_model"] == "Lajavaness/bilingual-embedding-large"
            assert pd.isna(row["partial"])
            assert "sergeyzh/LaBSE-ru-turbo" not in other.matrix(language, "Retrieval").scores.index
    (note,) = [note for note in kept.notes if note.code == "partial-leaders"]
    assert "LaBSE-ru-turbo (BelebeleRetrieval: 3 of 376 subsets)" in note.message
