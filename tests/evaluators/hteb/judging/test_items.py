from __future__ import annotations

import json

import pandas as pd
import pytest

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    InputError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.judging.items import COLUMNS, choose_items
from robustrank.evaluators.hteb.packaged import example_results


def texts(generators=("A", "B"), transformations=("translation", "paraphrasing"), n=6):
    rows = [
        (generator, transformation, f"item {item}", f"text {item}", f"{generator} {item}")
        for generator in generators
        for transformation in transformations
        for item in range(n)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS[:5]))


def choose(source, n=None, seed=0):
    return choose_items(source, per_transformation=n, seed=seed)


def write_run(folder, generator, *, seeds=(1, 2), lost=(), datasets=("birds", "cats")):
    """The texts of a run as a study writes them."""
    for dataset in datasets:
        for transformation in ("paraphrasing", "translation"):
            for seed in seeds:
                rows = [
                    {
                        "ordinal": number,
                        "original": f"{dataset} {number}",
                        "text": None if (dataset, number) in lost else f"{generator} {seed}",
                        "output": "",
                        "source": "English",
                        "target": "Spanish" if transformation == "translation" else None,
                        "attempts": 1,
                        "reasons": [],
                        "errors": [],
                        "first_errors": [],
                    }
                    for number in range(4)
                ]
                path = folder / "texts" / dataset / transformation / f"{seed}.parquet"
                path.parent.mkdir(parents=True, exist_ok=True)
                pd.DataFrame(rows).to_parquet(path)
    (folder / "settings.json").write_text(
        json.dumps({"generator": {"model": generator}, "identifier": None})
    )
    return folder


def test_every_text_is_taken_in_the_order_of_hteb():
    table, notes = choose(texts())
    assert len(table) == 24
    assert notes == []
    assert list(table["transformation"].unique()) == ["paraphrasing", "translation"]
    assert list(table.columns) == list(COLUMNS)


def test_the_same_originals_are_drawn_for_every_generator_and_transformation():
    table, _ = choose(texts(), 3)
    assert (table.groupby(["generator", "transformation"]).size() == 3).all()
    assert table["item"].nunique() == 3
    assert (table.groupby("item")["original"].nunique() == 1).all()


def test_the_draw_depends_on_the_seed_and_not_on_the_order_of_rows():
    drawn = [set(choose(texts(n=30), 5, seed)[0]["item"]) for seed in range(6)]
    assert len({frozenset(each) for each in drawn}) > 1
    shuffled = texts(n=30).sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(choose(shuffled, 5)[0], choose(texts(n=30), 5)[0])


def test_a_draw_takes_turns_among_datasets():
    table = texts(n=20)
    table["dataset"] = [
        "small" if item in ("item 0", "item 1") else "large" for item in table["item"]
    ]
    found, _ = choose(table, 4)
    assert sorted(found["item"].str.split("/").str[0].drop_duplicates()) == ["large", "small"]
    assert found["item"].str.startswith("small/").sum() * 2 == len(found)


def test_a_text_that_one_generator_lacks_is_left_out_for_all_and_said():
    table = texts()
    table.loc[(table["generator"] == "B") & (table["item"] == "item 2"), "text"] = None
    found, [note] = choose(table)
    assert "item 2" not in set(found["item"])
    assert note.code == "unshared-texts"
    assert "2 texts of 12 left out" in note.message
    assert note.labels == ("B",)


@pytest.mark.parametrize("nothing", [None, "", " \n", float("nan")])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_text_that_failed_is_not_judged_in_files_either(nothing, suffix, tmp_path):
    table = texts(transformations=["paraphrasing"])
    table.loc[(table["generator"] == "B") & (table["item"] == "item 2"), "text"] = nothing
    path = tmp_path / f"texts.{suffix}"
    table.to_csv(path, index=False) if suffix == "csv" else table.to_parquet(path)
    found, [note] = choose(path)
    assert "item 2" not in set(found["item"])
    assert len(found) == 10
    assert (note.code, note.labels) == ("unshared-texts", ("B",))


def test_a_text_lacking_under_one_transformation_stays_under_the_other():
    table = texts()
    lost = (table["item"] == "item 2") & (table["transformation"] == "translation")
    found, _ = choose(table[~lost | (table["generator"] == "A")])
    assert set(found.loc[found["item"] == "item 2", "transformation"]) == {"paraphrasing"}


def test_runs_are_read_by_their_folders(tmp_path):
    first = write_run(tmp_path / "one", "gemma")
    second = write_run(tmp_path / "two", "qwen", seeds=(2, 3), lost=[("birds", 1)])
    found, notes = choose([first, second])
    assert set(found["generator"]) == {"gemma", "qwen"}
    assert set(found["text"]) == {"gemma 2", "qwen 2"}  # the seed that both have
    assert set(found.loc[found["transformation"] == "translation", "target"]) == {"Spanish"}
    assert [note.code for note in notes] == ["one-seed", "unshared-texts"]
    assert "birds/1" not in set(found["item"])
    named, _ = choose({"a": first, "b": second})
    assert set(named["generator"]) == {"a", "b"}
    alone, _ = choose(first)
    assert set(alone["generator"]) == {"gemma"}


def test_the_texts_that_come_with_the_package_can_be_judged():
    found, notes = choose(example_results() / "texts.parquet", 2)
    assert (found.groupby(["generator", "transformation"]).size() == 2).all()
    assert found["transformation"].nunique() == 8
    assert found["item"].nunique() >= 2
    assert {note.code for note in notes} <= {"unshared-texts"}


def test_two_runs_of_one_generator_need_names(tmp_path):
    folders = [write_run(tmp_path / name, "gemma") for name in ("one", "two")]
    with pytest.raises(DuplicateError, match="Two runs have texts of gemma"):
        choose(folders)
    assert set(choose(dict(zip("ab", folders, strict=True)))[0]["generator"]) == {"a", "b"}


def test_runs_without_a_common_seed_cannot_be_paired(tmp_path):
    folders = [write_run(tmp_path / str(seed), f"g{seed}", seeds=(seed,)) for seed in (1, 2)]
    with pytest.raises(InputError, match="no seed in common"):
        choose(folders)


def test_bad_tables_are_refused():
    with pytest.raises(UnknownLabelError, match="has no column 'text'"):
        choose(texts().drop(columns="text"))
    with pytest.raises(UnknownLabelError, match="'item'"):
        choose(texts().drop(columns="item"))
    with pytest.raises(DuplicateError, match=r"1 text too many.*item 0 \(translation, A\)"):
        choose(pd.concat([texts(), texts().head(1)]))
    with pytest.raises(ParameterError, match=r"A generator is called 'total'.*Rename"):
        choose(texts(generators=("A", "total")))
    other = texts()
    other.loc[other["generator"] == "B", "original"] += "!"
    with pytest.raises(InputError, match="item 0 has 2 different originals"):
        choose(other)
    with pytest.raises(EmptyMatrixError, match="rewritten by every generator"):
        choose(texts().assign(text=None))
    with pytest.raises(EmptyMatrixError, match="name the folder"):
        choose([])
    with pytest.raises(InputError, match="per_transformation"):
        choose(texts(), 0)
