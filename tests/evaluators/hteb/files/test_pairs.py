from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import hypothesis
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.errors import DuplicateError, FormatError, InputError
from robustrank.evaluators.hteb.files import pairs
from robustrank.evaluators.hteb.files.pairs import read_pair, write_pair
from robustrank.evaluators.hteb.records import Dataset
from tests.evaluators.hteb.pair_examples import (
    ALL,
    CLASSIFICATION,
    RERANKING,
    RETRIEVAL,
    STS,
    settings,
    statistics,
    transform,
)

EACH = pytest.mark.parametrize("dataset", ALL, ids=[dataset.task_type for dataset in ALL])
REQUIRED = {
    "generator_model",
    "transformation",
    "dataset",
    "seed_transform",
    "generation_datetime",
    "max_model_length",
    "max_tokens",
    "max_retries",
    "generation_statistics",
}
OPTIONAL = {
    "source_revision",
    "data_filtering",
    "translation_language_selection",
    "max_tokens_expansion",
    "transform_corpus",
    "clustering_format",
}
COUNTS = {
    "records_total",
    "records_targeted",
    "text_fields_total",
    "records_with_fallback",
    "text_fields_with_fallback",
    "unchanged_outputs",
    "retried_text_fields",
    "recovered_after_retry_text_fields",
    "fallback_reasons",
}


def read_as_hteb(root: Path) -> tuple[list[dict], list[dict], dict]:
    """Read the only pair under `root` by what is known about HTEB's files, with pyarrow alone."""
    [data] = root.rglob("data*.parquet")
    [meta] = root.rglob("metadata*.JSON")
    metadata = json.loads(meta.read_text(encoding="utf-8"))
    assert REQUIRED <= metadata.keys() <= REQUIRED | OPTIONAL
    assert metadata["generation_statistics"].keys() == COUNTS
    counts = metadata["generation_statistics"]
    failed = counts["text_fields_with_fallback"]
    assert failed + counts["unchanged_outputs"] <= counts["text_fields_total"]
    assert sum(counts["fallback_reasons"].values()) == failed
    if metadata["transformation"] != "translation":
        assert "translation_language_selection" not in metadata
    identity = ["generator_model", "transformation", "dataset", "seed_transform"]
    identity = {key: metadata[key] for key in [*identity, "generation_datetime"]}
    hashed = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    mark = hashlib.sha256(hashed.encode()).hexdigest()
    assert (data.name, meta.name) == (f"data_{mark}.parquet", f"metadata_{mark}.JSON")
    generator, *rest = data.parent.relative_to(root).parts
    assert generator.replace("~2F", "/") == metadata["generator_model"]
    seed = str(metadata["seed_transform"])
    assert rest == [metadata["dataset"], metadata["transformation"], seed]

    with pq.ParquetFile(data) as file:
        schema = file.schema_arrow
        assert schema.names == ["original", f"{metadata['transformation']}_seed_{seed}"]
        assert pa.types.is_struct(schema.types[0])
        assert schema.types[0] == schema.types[1]
        assert schema.metadata is None
        assert file.metadata.metadata is None
        assert file.metadata.format_version == "2.6"
        group = file.metadata.row_group(0)
        chunks = [group.column(number) for number in range(group.num_columns)]
        assert {chunk.compression for chunk in chunks} == {"ZSTD"}
        assert any("RLE_DICTIONARY" in chunk.encodings for chunk in chunks)
        original, transformed = (column.to_pylist() for column in file.read().columns)
    return original, transformed, metadata


def filled(records: list[dict]) -> list[dict]:
    """What a table makes of rows with different columns."""
    names = dict.fromkeys(name for record in records for name in record)
    return [{name: record.get(name) for name in names} for record in records]


@EACH
def test_hteb_reads_what_is_written(tmp_path, dataset):
    write_pair(tmp_path, **settings(dataset))
    original, transformed, metadata = read_as_hteb(tmp_path)
    assert original == filled(dataset.records)
    assert transformed == filled(transform(dataset).records)
    assert ("transform_corpus" in metadata) == (dataset.task_type in {"retrieval", "reranking"})
    assert metadata.get("clustering_format") == dataset.clustering_format
    assert metadata.get("source_revision") == dataset.revision
    assert metadata.get("data_filtering") == dataset.filtering


def test_the_name_of_a_published_file(tmp_path):
    banking = Dataset(**{**vars(CLASSIFICATION), "name": "banking77"})
    path = write_pair(tmp_path, **settings(banking))
    mark = "c46cda2f3acfbe0d5f1ea05c2a33086824fd705ca4f29dd6b867ef6390d45fc9"
    folder = tmp_path / "cyankiwi~2Fgemma-4-31B-it-AWQ-4bit/banking77/translation/1337"
    assert path == folder / f"data_{mark}.parquet"
    names = {f"data_{mark}.parquet", f"metadata_{mark}.JSON", f"provenance_{mark}.json"}
    assert {each.name for each in folder.iterdir()} == names


@EACH
def test_what_was_written_is_read(tmp_path, dataset):
    path = write_pair(tmp_path, **settings(dataset, max_retries=0))
    pair = read_pair(path, like=Dataset(**{**vars(dataset), "records": []}))
    assert pair.original.records == dataset.records
    assert pair.transformed.records == transform(dataset).records
    for read in (pair.original, pair.transformed):
        assert {**vars(read), "records": 0} == {**vars(dataset), "records": 0}
    assert pair.metadata["max_retries"] == 0
    assert pair.provenance == settings(dataset)["provenance"]


def test_what_failed_is_empty_in_the_file_and_none_when_read(tmp_path):
    failed = transform(RERANKING, lambda text: None if text in "qm" else text.upper())
    counts = statistics(
        records_with_fallback=1,
        text_fields_with_fallback=2,
        fallback_reasons={"prompt_too_long": 1, "output_length_after_retries": 1},
    )
    changes = {"transformed": failed, "generation_statistics": counts}
    path = write_pair(tmp_path, **settings(RERANKING, **changes))
    rows = read_as_hteb(tmp_path)[1]
    assert (rows[0]["query"], rows[0]["negative"]) == ("", ["N", ""])
    assert read_pair(path, like=RERANKING).transformed.records == failed.records


def test_blank_texts_stay_as_they_are(tmp_path):
    missing = transform(CLASSIFICATION)
    missing.records[1]["text"] = None  # nothing was sent for it
    path = write_pair(tmp_path, **settings(CLASSIFICATION, transformed=missing))
    assert read_pair(path, like=CLASSIFICATION).transformed.records[1]["text"] == " \t"


def test_failures_are_counted(tmp_path):
    failed = transform(STS, lambda text: None)
    with pytest.raises(FormatError, match="fallback is 0, but 2 texts could not be transformed"):
        write_pair(tmp_path, **settings(STS, transformed=failed))


ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=20)


@hypothesis.settings(max_examples=30)
@given(st.lists(st.tuples(ANY_TEXT, ANY_TEXT), min_size=1, max_size=5))
def test_any_text_is_written_and_read(tmp_path_factory, texts):
    rows = [{"text": old, "label": 1} for old, _ in texts]
    changed = [{"text": new if old.strip() else old, "label": 1} for old, new in texts]
    n_empty = sum(bool(old.strip()) and not new for old, new in texts)
    counts = statistics(
        records_with_fallback=n_empty,
        text_fields_with_fallback=n_empty,
        fallback_reasons={"invalid_text_after_retries": n_empty},
    )
    original = Dataset("d", "classification", rows)
    transformed = Dataset("d", "classification", changed)
    given_settings = {"transformed": transformed, "generation_statistics": counts}
    folder = tmp_path_factory.mktemp("pair")
    pair = read_pair(write_pair(folder, **settings(original, **given_settings)), like=original)
    lone = re.compile("[\ud800-\udfff]")
    assert [row["text"] for row in pair.original.records] == [
        lone.sub("�", row["text"]) for row in rows
    ]
    assert [row["text"] for row in pair.transformed.records] == [
        lone.sub("�", row["text"]) or (None if old["text"].strip() else "")
        for old, row in zip(rows, changed, strict=True)
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": 4}, r"my-classification, row 1, label: 3 became 4\. Only texts may differ"),
        ({"extra": 1}, r"my-classification, row 1: .*Only texts may differ"),
        ({"text": ["a"]}, r"row 1, text: 'Where is my card\?' became \['a'\]"),
    ],
)
def test_only_texts_may_differ(tmp_path, change, message):
    other = transform(CLASSIFICATION)
    other.records[0].update(change)
    with pytest.raises(FormatError, match=message):
        write_pair(tmp_path, **settings(CLASSIFICATION, transformed=other))
    assert not list(tmp_path.iterdir())


def test_rows_must_match(tmp_path):
    fewer = Dataset(**{**vars(STS), "records": []})
    with pytest.raises(InputError, match=r"my-sts has 1 rows and its transformation 0\. Give both"):
        write_pair(tmp_path, **settings(STS, transformed=fewer))
    with pytest.raises(InputError, match="my-sts has no rows"):
        write_pair(tmp_path, **settings(fewer))


def test_a_column_of_two_types_is_named(tmp_path):
    mixed = Dataset("d", "classification", [{"text": "a", "id": 1}, {"text": "b", "id": "two"}])
    with pytest.raises(FormatError, match=r"values of one type: id \(int, str\)"):
        write_pair(tmp_path, **settings(mixed))


def test_a_pair_is_never_overwritten(tmp_path):
    path = write_pair(tmp_path, **settings(STS))
    before = path.read_bytes()
    with pytest.raises(
        DuplicateError, match=r"is there already\. Give a later generation_datetime"
    ):
        write_pair(tmp_path, **settings(STS, transformed=transform(STS, str.lower)))
    assert path.read_bytes() == before


def test_what_hteb_would_refuse_is_not_written(tmp_path):
    with pytest.raises(FormatError, match="transform_corpus is missing; reranking datasets need"):
        write_pair(tmp_path, **settings(RERANKING, transform_corpus=None))
    with pytest.raises(FormatError, match="max_tokens must be less than max_model_length, 4,096"):
        write_pair(tmp_path, **settings(STS, max_tokens=4096))
    with pytest.raises(FormatError, match=r"provenance .* cannot be written as JSON"):
        write_pair(tmp_path, **settings(STS, provenance={"x": object()}))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_link_to_a_folder_will_do(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk", target_is_directory=True)
    path = write_pair(tmp_path / "link", **settings(STS))
    assert read_pair(path, like=STS).original.records == STS.records
    read_as_hteb(tmp_path / "disk")


def test_files_without_a_time(tmp_path):
    path = write_pair(tmp_path, **settings(STS, generation_datetime=None))
    meta = pairs.metadata_path(path)
    pairs.provenance_path(path).unlink()
    path.rename(path.with_name("data.parquet"))
    meta.rename(meta.with_name("metadata.JSON"))
    pair = read_pair(path.with_name("data.parquet"), like=STS)
    assert pair.original.records == STS.records
    assert pair.metadata["generation_datetime"] is None
    assert pair.provenance is None


def spoil(path: Path, **changes: object) -> None:
    meta = pairs.metadata_path(path)
    meta.write_text(json.dumps({**json.loads(meta.read_text()), **changes}))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"temperature": 1.0, "prompt": "x"}, r"HTEB knows no 'prompt', 'temperature'\. Remove it"),
        ({"dataset": "other"}, r"should be called data_\w{64}\.parquet by what its metadata say"),
        ({"seed_transform": 1338}, "should be called data_"),
        ({"max_retries": -1}, "max_retries must be a whole number from 0; it is -1"),
    ],
)
def test_metadata_that_are_wrong(tmp_path, changes, message):
    path = write_pair(tmp_path, **settings(STS))
    spoil(path, **changes)
    with pytest.raises(FormatError, match=message):
        read_pair(path, like=STS)


def test_tables_that_are_wrong(tmp_path):
    path = write_pair(tmp_path, **settings(STS))
    table = pq.read_table(path)
    pq.write_table(table.select([0]), path)
    with pytest.raises(
        FormatError, match="must have the columns original and translation_seed_1337"
    ):
        read_pair(path, like=STS)
    other = pa.array([{"x": 1}])
    pq.write_table(table.set_column(1, table.column_names[1], other), path)
    with pytest.raises(FormatError, match="structs of one type; it has"):
        read_pair(path, like=STS)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(FormatError, match=r"is damaged .* Delete both files of the pair"):
        read_pair(path, like=STS)
    path.unlink()
    with pytest.raises(FormatError, match="is damaged"):
        read_pair(path, like=STS)


def test_half_a_pair(tmp_path):
    path = write_pair(tmp_path, **settings(STS))
    pairs.metadata_path(path).write_text("{")
    with pytest.raises(FormatError, match=r"metadata_\w+\.JSON is damaged"):
        read_pair(path, like=STS)
    pairs.metadata_path(path).unlink()
    with pytest.raises(InputError, match=r"cannot be read: No such file .* delete the other file"):
        read_pair(path, like=STS)


def test_another_dataset_is_refused(tmp_path):
    path = write_pair(tmp_path, **settings(STS))
    with pytest.raises(FormatError, match="holds 'my-sts', not 'my-classification'"):
        read_pair(path, like=CLASSIFICATION)


def test_columns_of_other_parts_are_not_given_to_rows(tmp_path):
    path = write_pair(tmp_path, **settings(RETRIEVAL))
    assert [set(row) for row in read_pair(path, like=RETRIEVAL).transformed.records] == [
        set(row) for row in RETRIEVAL.records
    ]


KILLED = """
import os, signal, sys
from pathlib import Path
from robustrank.evaluators.hteb.files.pairs import write_pair
from tests.evaluators.hteb.pair_examples import STS, settings
replace, left = Path.replace, int(sys.argv[2])
def replace_or_die(self, target):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    return replace(self, target)
Path.replace = replace_or_die
write_pair(sys.argv[1], **settings(STS))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize("n_renamed", [0, 1, 2])
def test_a_kill_leaves_nothing_that_blocks_the_pair(tmp_path, n_renamed):
    root = Path(__file__).resolve().parents[4]
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(n_renamed)]
    assert subprocess.run(command, check=False, cwd=root).returncode == -9
    assert not list(tmp_path.rglob("metadata*.JSON"))
    assert len(list(tmp_path.rglob("data*.parquet"))) == (n_renamed == 2)
    write_pair(tmp_path, **settings(STS))
    read_as_hteb(tmp_path)
