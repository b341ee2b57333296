"""A dataset of one's own: a YAML and files beside it."""

from __future__ import annotations

import json

import pytest
import yaml

from robustrank.errors import FormatError, UnknownLabelError
from robustrank.evaluators.hteb import views
from robustrank.evaluators.hteb.datasets.local import load_local
from robustrank.evaluators.hteb.fields import find_slots

PAIRS = [
    {"left": "A man eats.", "right": "Someone eats.", "gold": 4.5},
    {"left": "A cat sleeps.", "right": "Stocks fell.", "gold": 0},
]
DESCRIPTION = {
    "name": "my-sts",
    "task_type": "sts",
    "files": {"test": "pairs.jsonl"},
    "columns": {"sentence1": "left", "sentence2": "right", "score": "gold"},
    "languages": "eng",
}


@pytest.fixture
def folder(tmp_path):
    def write(description, **tables):
        for name, rows in tables.items():
            lines = "\n".join(json.dumps(row) for row in rows)
            (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
        path = tmp_path / "my.yaml"
        path.write_text(yaml.safe_dump(description), encoding="utf-8")
        return path

    return write


def test_pairs_with_columns_of_other_names(folder):
    found = load_local(str(folder(DESCRIPTION, pairs=PAIRS)))
    assert (found.name, found.task_type, found.languages) == ("my-sts", "sts", ("eng",))
    read = views.pairs(found)
    assert read.left == ("A man eats.", "A cat sleeps.")
    assert read.gold.tolist() == [4.5, 0.0]
    assert set(read.subsets) == {"eng"}


def test_a_mapped_column_wins_over_one_of_its_name(folder):
    rows = [row | {"sentence1": "another", "score": "unknown"} for row in PAIRS]
    read = views.pairs(load_local(folder(DESCRIPTION, pairs=rows)))
    assert read.left == ("A man eats.", "A cat sleeps.")
    assert read.gold.tolist() == [4.5, 0.0]


def test_columns_can_be_swapped(folder):
    rows = [{"sentence1": "a", "sentence2": "b", "score": 1}]
    columns = {"sentence1": "sentence2", "sentence2": "sentence1"}
    read = views.pairs(load_local(folder(DESCRIPTION | {"columns": columns}, pairs=rows)))
    assert (read.left, read.right) == (("b",), ("a",))


def test_several_files_of_a_split_are_joined(folder):
    description = DESCRIPTION | {"files": {"test": ["pairs.jsonl", "more.jsonl"]}}
    found = load_local(folder(description, pairs=PAIRS, more=PAIRS[:1]))
    assert len(found.records) == 3


def test_training_texts_come_first_whatever_the_order(folder):
    description = {
        "name": "tickets",
        "task_type": "classification",
        "files": {"held_out": "b.jsonl", "seen": "a.jsonl"},
        "train_split": "seen",
        "eval_split": "held_out",
        "languages": ["de", "en"],
    }
    rows = [{"text": "Wo?", "label": "where", "language": "de"}]
    found = load_local(folder(description, a=rows, b=[rows[0] | {"text": "Wann?"}]))
    assert [slot.text for slot in find_slots(found)] == ["Wo?", "Wann?"]
    assert views.labelled_texts(found).is_train == (True, False)
    assert (found.train_split, found.eval_split) == ("seen", "held_out")


CORPUS = [{"id": "d1", "body": "Frogs."}, {"id": "d2", "body": "Owls."}]
QUERIES = [{"id": "q1", "question": "frogs?"}]
QRELS = [{"qid": "q1", "pid": "d1", "relevance": "1"}]
RETRIEVAL = {
    "name": "wiki",
    "task_type": "retrieval",
    "files": {"qrels": "qrels.jsonl", "queries": "queries.jsonl", "corpus": "corpus.jsonl"},
    "columns": {"corpus": {"text": "body"}, "queries": {"query": "question"}},
    "languages": ["eng"],
    "ignore_identical_ids": True,
}


def test_retrieval(folder):
    found = load_local(folder(RETRIEVAL, corpus=CORPUS, queries=QUERIES, qrels=QRELS))
    read = views.retrieval(found)
    assert (read.documents, read.queries) == (("Frogs.", "Owls."), ("frogs?",))
    assert read.judgements == {"q1": {"d1": 1}}
    assert read.ignore_identical_ids
    assert [slot.text for slot in find_slots(found)] == ["Frogs.", "Owls.", "frogs?"]


def test_columns_of_all_files_may_belong_to_some(folder):
    description = RETRIEVAL | {"columns": {"text": "body", "query": "question", "_id": "id"}}
    found = load_local(folder(description, corpus=CORPUS, queries=QUERIES, qrels=QRELS))
    assert views.retrieval(found).queries == ("frogs?",)


def test_reranking_from_parts_and_from_rows(folder):
    files = {part: f"{part}.jsonl" for part in ("corpus", "queries", "qrels", "top_ranked")}
    description = RETRIEVAL | {"task_type": "reranking", "files": files}
    ranked = [{"query-id": "q1", "corpus-ids": ["d2", "d1"]}]
    path = folder(description, corpus=CORPUS, queries=QUERIES, qrels=QRELS, top_ranked=ranked)
    expected = views.Reranking(("frogs?",), ("Frogs.",), ("Owls.",), "eng", "1")
    assert views.rerankings(load_local(path)) == [expected]
    rows = [{"query": "frogs?", "positive": ["Frogs."], "negative": ["Owls."]}]
    description = {k: v for k, v in description.items() if k != "columns"}
    path = folder(description | {"files": {"test": "rows.jsonl"}}, rows=rows)
    assert views.rerankings(load_local(path)) == [expected]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"langauges": "eng"}, r"key in .*my\.yaml 'langauges': did you mean 'languages'"),
        ({"task_type": "STSS"}, r"task_type in .*my\.yaml 'STSS': did you mean 'sts'"),
        ({"name": ""}, r"my\.yaml: name must be a text; got ''"),
        ({"languages": [False]}, r"languages must be a list of codes .*unquoted no.*\[False\]"),
        ({"files": "pairs.jsonl"}, r"files must be a mapping of test to files; got 'pairs\.jsonl'"),
        ({"files": {"dev": "pairs.jsonl"}}, r"files must be a mapping of test to files"),
        ({"files": {"test": []}}, r"files\.test must be a file or a list of files; got \[\]"),
        ({"task_type": "classification"}, r"files must be a mapping of test and train to files"),
        ({"task_type": "retrieval"}, r"mapping of corpus and qrels and queries to files"),
        ({"columns": ["left"]}, r"columns must be a mapping of needed to existing"),
        ({"columns": {"score": 3}}, r"columns\.score must be the name of a column; got 3"),
        ({"clustering_format": "tree"}, r"clustering_format must be one of flat, nested"),
        ({"ignore_identical_ids": "yes"}, r"ignore_identical_ids must be true or false"),
        ({"eval_split": 3}, r"eval_split must be a text; got 3"),
    ],
)
def test_what_is_wrong_with_the_description_is_named(folder, change, message):
    with pytest.raises((FormatError, UnknownLabelError), match=message):
        load_local(folder(DESCRIPTION | change, pairs=PAIRS))


@pytest.mark.parametrize("key", ["name", "task_type", "files"])
def test_a_key_that_is_missing_is_named(folder, key):
    description = {name: value for name, value in DESCRIPTION.items() if name != key}
    with pytest.raises(FormatError, match=rf"my\.yaml: the key '{key}' is missing"):
        load_local(folder(description, pairs=PAIRS))


@pytest.mark.parametrize(
    ("content", "message"),
    [("a: [", r"my\.yaml is not YAML"), ("- a", r"holds list, not keys with values")],
)
def test_a_file_that_is_no_description_is_named(tmp_path, content, message):
    (tmp_path / "my.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        load_local(tmp_path / "my.yaml")
    with pytest.raises(FormatError, match=r"gone\.yaml cannot be read"):
        load_local(tmp_path / "gone.yaml")


def test_a_column_that_a_row_lacks_is_named_with_the_row(folder):
    rows = [PAIRS[0], {"left": "a", "rihgt": "b", "gold": 1}]
    with pytest.raises(
        UnknownLabelError,
        match=r"column \(under 'columns'\) in .*pairs\.jsonl, row 2: 'right': did",
    ):
        load_local(folder(DESCRIPTION, pairs=rows))


def test_a_text_that_is_none_is_named_with_file_and_row(folder):
    rows = [PAIRS[0], PAIRS[1] | {"left": 7}]
    with pytest.raises(FormatError, match=r"my-sts \(pairs\.jsonl\)', row 2: .*'sentence1' .* int"):
        load_local(folder(DESCRIPTION, pairs=rows))


def test_columns_that_are_needed_are_named_with_those_that_are_there(folder):
    description = {key: value for key, value in DESCRIPTION.items() if key != "columns"}
    with pytest.raises(
        FormatError, match=r"row 1 .*'sentence1' or 'sent1'.*it has left, right, gold.*'columns'"
    ):
        load_local(folder(description, pairs=PAIRS))


def test_an_empty_file_is_named(folder):
    with pytest.raises(FormatError, match=r"pairs\.jsonl has no rows"):
        load_local(folder(DESCRIPTION, pairs=[]))


@pytest.mark.parametrize(
    "row", ["hello there,pos,", "hello there,pos,more", "hello there", "one,two\nhello,pos,x"]
)
def test_rows_of_another_length_than_the_header_are_refused(tmp_path, row):
    (tmp_path / "rows.csv").write_text(f"text,label\nfine,neg\n{row}\n", encoding="utf-8")
    description = "name: c\ntask_type: sts\nfiles: {test: rows.csv}\n"
    (tmp_path / "c.yaml").write_text(description, encoding="utf-8")
    with pytest.raises(FormatError, match=r"rows\.csv"):
        load_local(tmp_path / "c.yaml")
