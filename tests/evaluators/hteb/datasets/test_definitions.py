"""The 31 definitions and the groups, against the table of what the released tool has."""

from __future__ import annotations

import json
import re

import pytest

from robustrank.errors import FormatError, UnknownLabelError
from robustrank.evaluators.hteb.datasets.definitions import (
    group_names,
    load_definitions,
    load_group,
    read_definition,
)


def test_every_definition_is_that_of_the_table(shared):
    text = (shared / "hteb_facts.md").read_text(encoding="utf-8")
    table = text[text.index("### 2.3") : text.index("### 2.4")]
    cells = r"^\| ([^|]+) \| ([^|]+) \| (\S+) @([0-9a-f]{40}) \| ([^|]+) \| ([^|]+) \|"
    rows = re.findall(cells, table, re.MULTILINE)
    assert len(rows) == 31
    definitions = load_definitions()
    assert set(definitions) == {row[0] for row in rows}
    for name, kind, path, revision, where, languages in rows:
        found = definitions[name]
        assert (found.hf_dataset_name, found.revision) == (path, revision)
        assert kind.replace(",", " ").split()[0] == found.task_type
        assert ("ignore_identical_ids" in kind) is found.ignore_identical_ids
        if found.clustering_format:
            assert kind == f"clustering {found.clustering_format}"
        if found.task_type == "classification":
            assert re.match(r"\w+", where)[0] == found.train_split
        if where != "as above":
            assert found.eval_split in re.findall(r"\w+", where)
        if "{" not in languages:  # all pairs of one language with others
            assert tuple(languages.split()) in (found.languages, found.labels)


def test_the_groups_are_those_of_the_table(shared):
    text = (shared / "hteb_facts.md").read_text(encoding="utf-8")
    part = text[text.index("### 2.1") : text.index("31 unique")]
    for group, number in (("english", 19), ("multilingual", 13)):
        listed = re.search(rf"{group} \({number}\): (.*?)\.\n", part, re.DOTALL)[1]
        assert list(load_group(group)) == re.split(r",\s+", listed)


def test_groups_name_every_definition_and_share_one():
    assert group_names() == ("english", "multilingual")
    english, multilingual = (load_group(name) for name in group_names())
    assert (len(english), len(multilingual)) == (19, 13)
    assert set(english) & set(multilingual) == {"semrel2024"}
    assert set(english) | set(multilingual) == set(load_definitions())


def test_an_unknown_group_is_refused_with_the_known_ones():
    with pytest.raises(UnknownLabelError, match=r"'multi'.*multilingual"):
        load_group("multi")


def test_labels_are_configurations_where_there_are_some():
    definitions = load_definitions()
    assert definitions["rte3"].labels == ("de", "en", "fr", "it")
    assert definitions["rte3"].languages == ("deu", "eng", "fra", "ita")
    assert definitions["SciFact"].labels == ("eng",)


def test_components_and_counts():
    definitions = load_definitions()
    parts = {part.part: part for part in definitions["SciDocsRR"].components}
    assert list(parts) == ["corpus", "queries", "qrels", "top_ranked"]
    assert parts["qrels"].file == "data/test-00000-of-00001.parquet"
    assert parts["qrels"].config is None
    arguana = definitions["arguana"]
    assert [(part.config, part.split) for part in arguana.components] == [
        ("corpus", "corpus"),
        ("queries", "queries"),
        ("default", "test"),
    ]
    counts = definitions["SentimentAnalysisHindi.v2"].split_counts
    assert counts == (("train", 1249), ("test", 1248))


VALID = {
    "schema_version": 3,
    "dataset": "mine",
    "task_type": "sts",
    "dataset_metadata": {
        "hf_dataset_name": "me/mine",
        "revision": "0" * 40,
        "languages": ["eng"],
        "eval_split": "test",
        "hf_subset": "default",
    },
}


def write(tmp_path, *, drop=(), top=None, **changes):
    document = VALID | (top or {})
    metadata = VALID["dataset_metadata"] | changes
    document["dataset_metadata"] = {k: v for k, v in metadata.items() if k not in drop}
    path = tmp_path / "mine.JSON"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_definition_of_the_released_tool_is_read(tmp_path):
    found = read_definition(write(tmp_path))
    assert (found.name, found.task_type, found.hf_subset) == ("mine", "sts", "default")
    assert found.labels == ("eng",)


RETRIEVAL = {"task_type": "retrieval"}
PARTS = [
    {"part": "corpus", "config": "corpus", "split": "corpus"},
    {"part": "queries", "config": "queries", "split": "queries"},
    {"part": "qrels", "config": "default", "split": "test"},
]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"drop": ["eval_split"]}, r"mine\.JSON: the key 'eval_split' is missing"),
        ({"revison": "x"}, r"key in mine\.JSON 'revison': did you mean 'revision'"),
        ({"revision": "main"}, r"revision must be a commit of 40 hex.*got 'main'"),
        ({"hf_dataset_name": "mine"}, r"hf_dataset_name must be owner/name"),
        ({"languages": ["eng", "eng"]}, r"languages must be a list of different"),
        ({"split_counts": {"test": 0}}, r"split_counts\.test must be a whole number"),
        ({"eval_split": " test"}, r"eval_split must be a text without spaces"),
        ({"clustering_format": "flat"}, r"Unknown key in mine\.JSON 'clustering_format'"),
        ({"language_configs": ["en"]}, r"Unknown key in mine\.JSON 'hf_subset'"),
        ({"top": {"task_type": "ner"}}, r"task_type in mine\.JSON 'ner'"),
        ({"top": {"dataset": "other"}}, r"dataset must be 'mine', as the file; got 'other'"),
        ({"top": {"schema_version": 4}}, r"schema_version must be 3; got 4"),
        ({"top": {"task_type": "classification"}}, r"'train_split' is missing"),
        (
            {"top": {"task_type": "classification"}, "train_split": "test"},
            r"train_split must be another split than eval_split",
        ),
        (
            {"top": {"task_type": "clustering"}, "clustering_format": "per_language"},
            r"'language_configs' is missing",
        ),
        (
            {"top": {"task_type": "clustering"}, "clustering_format": "tree"},
            r"clustering_format must be one of flat, nested, per_language; got 'tree'",
        ),
        ({"top": RETRIEVAL, "drop": ["hf_subset"]}, r"'components' is missing"),
        (
            {"top": RETRIEVAL, "drop": ["hf_subset"], "components": PARTS[:2]},
            r"components must be the parts corpus, queries, qrels",
        ),
        (
            {
                "top": RETRIEVAL,
                "drop": ["hf_subset"],
                "components": [*PARTS[:2], PARTS[2] | {"split": "dev"}],
            },
            r"components must be qrels of the eval_split; got 'dev'",
        ),
        (
            {
                "top": RETRIEVAL,
                "drop": ["hf_subset"],
                "components": [*PARTS[:2], PARTS[2] | {"file": "a.parquet"}],
            },
            r"part, split, and config or file",
        ),
        (
            {
                "top": RETRIEVAL,
                "drop": ["hf_subset"],
                "components": [{"part": "corpus", "split": "x", "file": "../a.parquet"}],
            },
            r"components\.file must be a parquet file within the repository",
        ),
        (
            {
                "top": {"task_type": "summarisation"},
                "human_summaries_field": "a",
                "machine_summaries_field": "b",
                "score_field": "b",
            },
            r"score_field must be a column of its own; got 'b'",
        ),
    ],
)
def test_what_is_wrong_with_a_definition_is_named(tmp_path, changes, message):
    with pytest.raises((FormatError, UnknownLabelError), match=message):
        read_definition(write(tmp_path, **changes))


def test_a_file_that_is_no_definition_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"gone\.JSON cannot be read"):
        read_definition(tmp_path / "gone.JSON")
    path = tmp_path / "mine.JSON"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(FormatError, match=r"mine\.JSON is not JSON"):
        read_definition(path)
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(FormatError, match=r"must be a JSON object"):
        read_definition(path)
