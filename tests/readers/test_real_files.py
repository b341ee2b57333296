"""Every real file, against figures that were made independently of these readers."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import SummaryExportError
from robustrank.readers import read

#: Names such as NA are names.
AS_WRITTEN = {"keep_default_na": False, "na_values": [""]}


def plain(path):
    """A matrix file as written, missing cells and all, without this package."""
    return pd.read_csv(path, index_col=0, **AS_WRITTEN)


def test_every_ready_matrix_comes_out_of_the_long_table(shared, dec2025):
    files = sorted((shared / "data" / "matrices").glob("*.csv"))
    assert len(files) == 62
    for path in files:
        expected = plain(path)
        found = dec2025.scores.loc[expected.index, expected.columns]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9, err_msg=path.name)


def test_a_ready_matrix_is_read_as_it_is(shared):
    path = shared / "data" / "matrices" / "eng_InstructionReranking.csv"
    matrix = read(path)
    np.testing.assert_allclose(matrix.scores, plain(path), rtol=0, atol=1e-15)
    assert (matrix.scores.to_numpy() < 0).any()
    assert matrix.notes == ()


def test_the_board_of_today_comes_out_of_the_long_table(shared, aug2026):
    board = read(shared / "data" / "board_multilingual_v2_per_task.csv")
    assert board.shape == (447, 131)
    long = aug2026.scores.rename(index=lambda name: name.rsplit("/", 1)[-1])
    found = long.loc[board.scores.index, board.scores.columns]
    np.testing.assert_allclose(found, board.scores, rtol=0, atol=1e-9)  # NaN where NaN
    assert board.scores.isna().to_numpy().mean() > 0.5


def test_the_board_as_exported(shared):
    path = shared / "data" / "board_multilingual_v2_per_task.csv"
    expected = pd.read_csv(path, **AS_WRITTEN)
    matrix = read(path)
    assert list(matrix.scores.columns) == list(expected.columns[2:])
    assert list(matrix.scores.index) == list(expected["Model"])
    values = expected.iloc[:, 2:].to_numpy() / 100
    np.testing.assert_allclose(matrix.scores, values, rtol=0, atol=1e-15)
    assert [note.code for note in matrix.notes] == ["scale"]


def test_the_dec2025_board(shared, dec2025):
    """14 cells of that board were not averaged over what the result files hold."""
    board = read(shared / "data" / "board_multilingual_v2_per_task_dec2025.csv")
    assert board.shape == (361, 131)
    long = dec2025.scores.rename(index=lambda name: name.rsplit("/", 1)[-1])
    found = long.loc[board.scores.index, board.scores.columns]
    assert (found.isna() == board.scores.isna()).all(axis=None)
    assert ((found - board.scores).abs() > 1e-9).to_numpy().sum() == 14


def test_the_languages_board(shared, notes):
    matrix = read(shared / "data" / "board_multilingual_v2_per_language.csv")
    assert matrix.shape == (430, 31)
    assert "gemini-embedding-2-preview" in matrix.scores.index
    assert matrix.datasets.loc["zho-Hans", "languages"] == ("zho",)
    assert list(matrix.select(language="srp").scores.columns) == ["srp-Cyrl"]
    assert notes(matrix, "language-means").labels == tuple(matrix.scores.columns)


def test_the_summary_is_refused(shared):
    path = shared / "data" / "board_multilingual_v2_summary.csv"
    with pytest.raises(SummaryExportError, match="Performance per task") as error:
        read(path)
    assert path.name in str(error.value)
    assert "summary='task-types'" in str(error.value)
    assert "Bitext Mining" in error.value.labels
    assert "Mean (Task)" not in error.value.labels


def test_the_summary_on_purpose(shared, notes):
    matrix = read(shared / "data" / "board_multilingual_v2_summary.csv", summary="task-types")
    assert matrix.shape == (447, 9)
    assert list(matrix.scores.columns[:2]) == ["Bitext Mining", "Classification"]
    assert matrix.scores.loc["harrier-oss-v1-27b", "STS"] == pytest.approx(0.7999)
    assert notes(matrix, "task-type-means").labels == tuple(matrix.scores.columns)
    harrier = matrix.models.loc["harrier-oss-v1-27b"]
    assert harrier["n_parameters"] == pytest.approx(27.009e9)
    assert harrier["n_active_parameters"] == pytest.approx(25.599e9)
    assert harrier["zero_shot"] == pytest.approx(0.78)
    assert (harrier["embed_dim"], harrier["max_tokens"]) == (5376, 131072)
    assert matrix.models["zero_shot"].isna().any()  # written as "⚠️ NA"
    assert not {"Rank (Borda)", "Mean (Task)"} & set(matrix.models.columns)


def test_metadata_reach_the_board_by_short_names(shared):
    data = shared / "data"
    matrix = read(
        data / "board_multilingual_v2_per_task.csv",
        tasks=data / "tasks_multilingual_v2_aug2026.csv",
        models=data / "models_aug2026.parquet",
    )
    model = matrix.models.loc["Qwen3-Embedding-8B"]
    assert model["open_weights"]
    assert model["zero_shot"] == pytest.approx(0.99)
    assert model["n_parameters"] == pytest.approx(7.567e9, rel=1e-3)
    assert matrix.datasets.loc["STS12", "task_type"] == "STS"
    assert matrix.datasets["task_type"].notna().all()
    assert len(matrix.datasets.loc["BibleNLPBitextMining", "languages"]) > 800


def test_the_summary_gives_the_board_its_metadata(shared):
    data = shared / "data"
    matrix = read(
        data / "board_multilingual_v2_per_task.csv",
        models=data / "board_multilingual_v2_summary.csv",
    )
    assert matrix.models.loc["llama-embed-nemotron-8b", "zero_shot"] == pytest.approx(0.99)
    assert not {"Retrieval", "Mean (Task)"} & set(matrix.models.columns)


def test_long_table_metadata(dec2025):
    row = dec2025.models.loc["BAAI/bge-m3"]
    assert row["n_parameters"] == pytest.approx(5.68e8, rel=1e-2)
    assert row["open_weights"]
    assert "zs_Retrieval" in dec2025.models.columns
    assert dec2025.datasets.loc["BUCC.v2", "languages"] == ("cmn", "deu", "eng", "fra", "rus")


def test_long_table_says_task_type_and_languages_itself(shared):
    table = pd.read_parquet(shared / "data" / "mteb_multilingual_v2_dec2025.parquet")
    part = table[table["task"].isin(["BUCC.v2", "STS12"])]
    matrix = read(part)
    assert matrix.datasets.loc["STS12", "task_type"] == "STS"
    assert set(matrix.datasets.loc["BUCC.v2", "languages"]) == {"cmn", "deu", "eng", "fra", "rus"}


def test_the_labse_artefact_is_named(shared, notes):
    """The paper's best model in Slovenian retrieval has 3 of 376 subsets, none in Slovenian."""
    data = shared / "data"
    models = plain(data / "matrices" / "slv_Retrieval.csv").index
    table = pd.read_parquet(data / "mteb_multilingual_v2_dec2025.parquet")
    part = table[table["model"].isin(models) & (table["task"] == "BelebeleRetrieval")]
    matrix = read(part, tasks=data / "tasks_multilingual_v2_dec2025.csv")
    assert matrix.scores["BelebeleRetrieval"].idxmax() == "sergeyzh/LaBSE-ru-turbo"
    assert "sergeyzh/LaBSE-ru-turbo" in notes(matrix, "partial-scores").labels
    message = notes(matrix, "partial-leads").message
    assert "BelebeleRetrieval (sergeyzh/LaBSE-ru-turbo, 3 of 376 subsets)" in message
    dropped = read(part, tasks=data / "tasks_multilingual_v2_dec2025.csv", partial="drop")
    assert np.isnan(dropped.scores.loc["sergeyzh/LaBSE-ru-turbo", "BelebeleRetrieval"])


def test_partial_scores_of_the_whole_table(dec2025, notes):
    note = notes(dec2025, "partial-scores")
    assert note.message.startswith("As read, 808 scores")
    listed = dec2025.models.loc["sergeyzh/LaBSE-ru-turbo", "partial_scores"]
    assert "BelebeleRetrieval: 3 of 376 subsets" in listed
    assert dec2025.models["partial_scores"].map(len).sum() == 808
    counts = dec2025.models["partial_scores"].explode().dropna().str.split(": ").str[0]
    assert counts.value_counts()["STS17"] == 130


def test_result_files_agree_with_the_long_table(shared, notes):
    """The long table was compiled from these files, with the splits that the tasks evaluate."""
    data = shared / "data"
    matrix = read(
        data / "results",
        tasks=data / "tasks_multilingual_v2_aug2026.csv",
        models=data / "models_aug2026.parquet",
    )
    assert matrix.shape == (8, 21)
    long = pd.read_parquet(data / "mteb_multilingual_v2_aug2026.parquet")
    means = long.groupby(["model", "task"], observed=True)["main_score"].mean()
    found = matrix.scores[matrix.scores.columns.intersection(long["task"].unique())]
    assert found.shape == (8, 16)
    pairs = pd.MultiIndex.from_product([found.index, found.columns])
    expected = means.reindex(pairs).to_numpy().reshape(found.shape)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert notes(matrix, "left-out-splits").labels == ("SprintDuplicateQuestions",)
    assert notes(matrix, "unmatched-metadata").labels


def test_result_files_alone(shared, notes):
    matrix = read(shared / "data" / "results")
    assert "SprintDuplicateQuestions" in notes(matrix, "mixed-splits").labels
    # Written by mteb before 1.11, which did not name the main score.
    assert matrix.scores.loc["openai/text-embedding-3-small", "SciDocsRR"] == 0.8324531815
    assert matrix.scores.loc["openai/text-embedding-3-small", "BIOSSES"] == 0.8872250353
    small = matrix.models.loc["intfloat/multilingual-e5-small"]
    assert small["n_parameters"] == 118_000_000
    assert small["open_weights"]
    assert small["zero_shot"] == 1.0  # trained on none of these 21
    assert pd.isna(matrix.models.loc["openai/text-embedding-3-small", "zero_shot"])
    assert matrix.datasets.loc["TwitterHjerneRetrieval", "languages"] == ("dan",)


def test_a_folder_of_one_model_and_one_file(shared):
    folder = shared / "data" / "results" / "BAAI__bge-m3"
    model = read(folder)
    (revision,) = folder.iterdir()
    assert list(model.scores.index) == ["BAAI/bge-m3"]
    pd.testing.assert_frame_equal(read(revision).scores, model.scores)
    single = read(revision / "NFCorpus.json")
    written = json.loads((revision / "NFCorpus.json").read_text())["scores"]["test"][0][
        "main_score"
    ]
    assert single.scores.loc["BAAI/bge-m3", "NFCorpus"] == written
    assert single.models.loc["BAAI/bge-m3", "n_parameters"] == 568_000_000
