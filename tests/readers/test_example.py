from __future__ import annotations

import importlib.util
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd

from robustrank.readers import load_example

ROOT = Path(__file__).resolve().parents[2]
FILES = ("scores.csv", "datasets.csv", "models.csv")


def script():
    spec = importlib.util.spec_from_file_location("make_example", ROOT / "docs" / "make_example.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_it_is():
    matrix = load_example()
    assert matrix.shape == (98, 130)
    incomplete = matrix.scores.isna().sum(axis=1)
    assert (incomplete == 0).sum() == 86
    assert incomplete.max() == 7
    assert [note.code for note in matrix.notes] == ["source"]
    assert matrix.datasets["task_type"].value_counts()["Classification"] == 43
    assert (matrix.datasets["languages"].map(len) > 0).all()
    assert matrix.models["open_weights"].notna().all()
    assert matrix.models["n_parameters"].max() == 57_920_000_000
    assert matrix.models["zero_shot"].between(0, 1).sum() == 83
    assert matrix.models[["release_date", "embed_dim"]].notna().all(axis=None)
    assert matrix.select(task_type="STS", language="deu", open_weights=True).shape[1] == 3


def test_every_call_returns_its_own():
    first = load_example()
    first.scores.iloc[0, 0] = 9.0
    assert load_example().scores.iloc[0, 0] < 1.0


def test_missing_data_have_something_to_say():
    (note,) = (n for n in load_example().resolve_missing().notes if n.code == "dropped-models")
    assert len(note.labels) == 12
    assert "BAAI/bge-m3" in note.labels


def test_small_enough_for_a_wheel():
    assert sum(len((files("robustrank.data") / name).read_bytes()) for name in FILES) < 300_000


def test_values_are_those_of_the_long_table(shared):
    """Computed here without the readers."""
    data = shared / "data"
    long = pd.read_parquet(data / "mteb_multilingual_v2_aug2026.parquet").dropna(
        subset="main_score"
    )
    cells = long.groupby(["model", "task"], observed=True)["main_score"].agg(["mean", "size"])
    tasks = pd.read_csv(data / "tasks_multilingual_v2_aug2026.csv", index_col="task")
    whole = tasks["n_subsets"] * (tasks["eval_splits"].str.count(";") + 1)
    complete = cells["size"] == whole.loc[cells.index.get_level_values("task")].to_numpy()
    expected = cells["mean"].where(complete)
    found = load_example().scores
    pairs = pd.MultiIndex.from_product([found.index, found.columns])
    values = expected.reindex(pairs).to_numpy().reshape(found.shape)
    np.testing.assert_allclose(found, values, rtol=0, atol=5.1e-6)


def test_the_script_writes_the_same_bytes(shared, aug2026, tmp_path, monkeypatch):
    module = script()
    monkeypatch.setattr(module, "read", lambda *args, **options: aug2026)
    module.write_example(module.compile_example(shared / "data"), tmp_path)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (files("robustrank.data") / name).read_bytes()
