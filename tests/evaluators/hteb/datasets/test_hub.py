"""Loading by definition, with tables in memory where the hub would be."""

from __future__ import annotations

from types import SimpleNamespace

import datasets as hf
import pytest

from robustrank.errors import FormatError, InputError
from robustrank.evaluators.hteb import views
from robustrank.evaluators.hteb.datasets.definitions import Component, Definition, load_definitions
from robustrank.evaluators.hteb.datasets.hub import describe_dataset, load_from_hub
from robustrank.evaluators.hteb.fields import find_slots
from robustrank.evaluators.hteb.records import PART, SPLIT

REVISION = "a" * 40


def definition(task_type="sts", **options):
    defaults = {"languages": ("eng",), "eval_split": "test"}
    return Definition("mine", task_type, "me/mine", REVISION, **(defaults | options))


@pytest.fixture
def hub(monkeypatch):
    """Serve tables by (configuration or file, split); what was asked for is in ``asked``."""

    served = SimpleNamespace(asked=[], tables={})

    def load(path, name=None, *, split, revision, data_files=None):
        served.asked.append((path, name, split, revision, data_files))
        key = (data_files[split] if data_files else name, split)
        if key not in served.tables:
            raise ValueError(f"Unknown split {split!r}")
        return hf.Dataset.from_list(served.tables[key])

    monkeypatch.setattr(hf, "load_dataset", load)
    return served


PAIR = {"sentence1": "a", "sentence2": "b", "score": 1.0}


def test_one_configuration(hub):
    hub.tables["default", "test"] = [PAIR | {"genre": None}, PAIR | {"genre": "news"}]
    found = load_from_hub(definition(hf_subset="default"))
    tags = {SPLIT: "test", "language": "eng"}
    assert found.records == [
        PAIR | {"genre": None} | tags,
        PAIR | {"genre": "news"} | tags,
    ]
    assert (found.name, found.languages, found.revision) == ("mine", ("eng",), REVISION)
    assert hub.asked == [("me/mine", "default", "test", REVISION, None)]


def test_configurations_are_joined_and_label_their_rows(hub):
    hub.tables["en-de", "test"] = [PAIR]
    hub.tables["ko-ko", "test"] = [PAIR | {"language": "korean"}]
    found = load_from_hub(
        definition(languages=("eng-deu", "kor-kor"), language_configs=("en-de", "ko-ko"))
    )
    assert [row["language"] for row in found.records] == ["en-de", "korean"]
    assert found.languages == ("en-de", "ko-ko")
    sides = {(slot.record, slot.column): slot.field_label for slot in find_slots(found)}
    assert (sides[0, "sentence1"], sides[0, "sentence2"]) == ("en", "de")


def test_train_comes_first_in_each_configuration(hub):
    for config in ("de", "en"):
        for split in ("train", "test"):
            hub.tables[config, split] = [{"text": f"{config} {split}", "label": 0}]
    found = load_from_hub(
        definition(
            "classification",
            languages=("deu", "eng"),
            language_configs=("de", "en"),
            train_split="train",
        )
    )
    assert [slot.text for slot in find_slots(found)] == [
        "de train",
        "de test",
        "en train",
        "en test",
    ]


def test_several_languages_without_configurations_label_nothing(hub):
    hub.tables[None, "test"] = [PAIR]
    (row,) = load_from_hub(definition(languages=("eng", "deu"))).records
    assert "language" not in row


def test_split_counts_must_hold(hub):
    hub.tables[None, "test"] = [PAIR] * 3
    assert len(load_from_hub(definition(split_counts=(("test", 3),))).records) == 3
    with pytest.raises(FormatError, match=r"'mine': split 'test' has 3 rows .* says 4"):
        load_from_hub(definition(split_counts=(("test", 4),)))


def test_reserved_columns_are_refused(hub):
    hub.tables[None, "test"] = [PAIR | {"_hteb_part": "x"}]
    with pytest.raises(FormatError, match=r"me/mine, configuration 'default'.*'_hteb_part'"):
        load_from_hub(definition())


def test_a_table_without_rows_is_refused(hub):
    hub.tables[None, "test"] = []
    with pytest.raises(FormatError, match=r"'mine' .* has no rows"):
        load_from_hub(definition())


def test_single_sentences_become_one_group(hub):
    hub.tables[None, "test"] = [
        {"sentences": "goal", "labels": 1},
        {"sentences": "vote", "labels": 2},
    ]
    found = load_from_hub(definition("clustering", clustering_format="nested"))
    assert found.records == [
        {"sentences": ["goal", "vote"], "labels": [1, 2], "language": "eng", SPLIT: "test"}
    ]


def test_groups_stay_as_they_are(hub):
    hub.tables[None, "test"] = [{"sentences": ["goal", "vote"], "labels": [1, 2]}] * 2
    found = load_from_hub(definition("clustering", clustering_format="nested"))
    assert [group.texts for group in views.clusters(found)] == [("goal", "vote")] * 2


def test_summaries_are_found_in_the_columns_of_the_definition(hub):
    hub.tables[None, "test"] = [{"people": ["a"], "systems": ["b"], "coherence": [2]}]
    found = load_from_hub(
        definition(
            "summarisation",
            human_summaries_field="people",
            machine_summaries_field="systems",
            score_field="coherence",
        )
    )
    assert views.summaries(found)[0].scores == (2.0,)


CORPUS = [
    {"_id": "d1", "title": "Frogs", "text": " in ponds"},
    {"_id": "d2", "title": None, "text": "Owls"},
    {"_id": "d3", "title": "", "text": "Trains"},
]
QUERIES = [{"_id": "q1", "text": "frogs?"}, {"_id": "q2", "text": "owls?"}]
QRELS = [
    {"query-id": "q1", "corpus-id": "d1", "score": 1},
    {"query-id": "q1", "corpus-id": "d3", "score": 0},
    {"query-id": "q2", "corpus-id": "d2", "score": 2},
]
RANKED = [
    {"query-id": "q1", "corpus-ids": ["d3", "d1", "d2"]},
    {"query-id": "q2", "corpus-ids": ["d2", "d3"]},
]


def test_retrieval_from_components(hub):
    hub.tables |= {("corpus", "corpus"): CORPUS, ("queries", "queries"): QUERIES}
    hub.tables["default", "test"] = QRELS
    found = load_from_hub(
        definition(
            "retrieval",
            ignore_identical_ids=True,
            components=(
                Component("corpus", "corpus", config="corpus"),
                Component("queries", "queries", config="queries"),
                Component("qrels", "test", config="default"),
            ),
        )
    )
    assert [row[PART] for row in found.records] == ["corpus"] * 3 + ["queries"] * 2 + ["qrels"] * 3
    assert {row["language"] for row in found.records} == {"eng"}
    assert "title" not in found.records[1]  # null: not a text that failed
    read = views.retrieval(found)
    assert read.documents == ("Frogs in ponds", "Owls", "Trains")
    assert read.judgements == {"q1": {"d1": 1, "d3": 0}, "q2": {"d2": 2}}
    assert read.ignore_identical_ids


def test_reranking_from_files(hub):
    tables = {"corpus": CORPUS, "queries": QUERIES, "qrels": QRELS, "top_ranked": RANKED}
    hub.tables = {(f"{part}/test.parquet", "test"): rows for part, rows in tables.items()}
    found = load_from_hub(
        definition(
            "reranking",
            components=tuple(
                Component(part, "test", file=f"{part}/test.parquet") for part in tables
            ),
        )
    )
    assert found.records == [
        {
            "_id": "q1",
            "query": "frogs?",
            "positive": ["Frogs  in ponds"],  # title, a space, and the text as it is
            "negative": ["Trains", "Owls"],
            SPLIT: "test",
            "language": "eng",
        },
        {
            "_id": "q2",
            "query": "owls?",
            "positive": ["Owls"],
            "negative": ["Trains"],
            SPLIT: "test",
            "language": "eng",
        },
    ]
    assert hub.asked[0][-1] == {"test": "corpus/test.parquet"}


def test_what_cannot_be_loaded_is_named_with_the_command_that_loads_it(hub, monkeypatch):
    monkeypatch.setattr(hf.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hf.config, "HF_DATASETS_OFFLINE", False)
    with pytest.raises(
        InputError, match=r"'mine' .*split 'test'.*Unknown split.*check the conn"
    ) as at:
        load_from_hub(definition(hf_subset="extra"))
    command = f"datasets.load_dataset('me/mine', revision='{REVISION}', name='extra')"
    assert command in str(at.value)
    assert at.value.labels == ("mine",)


def test_offline_the_remedy_is_the_cache(hub, monkeypatch):
    monkeypatch.setattr(hf.config, "HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match=r"offline mode is on \(HF_HUB_OFFLINE.*HF_HOME"):
        load_from_hub(load_definitions()["banking77"])


def test_every_definition_begins_with_its_first_table(hub):
    for found in load_definitions().values():
        hub.asked.clear()
        with pytest.raises(InputError, match=found.hf_dataset_name):
            load_from_hub(found)
        (path, name, split, revision, files) = hub.asked[0]
        assert (path, revision) == (found.hf_dataset_name, found.revision)
        if found.components:
            first = found.components[0]
            assert (name, split) == (first.config, first.split)
            assert files == ({first.split: first.file} if first.file else None)
        else:
            assert split == (found.train_split or found.eval_split)
            assert name == (
                found.language_configs[0] if found.language_configs else found.hf_subset
            )


def test_a_definition_says_what_a_dataset_is_without_its_rows(hub):
    found = describe_dataset(load_definitions()["summeval"])
    assert (found.name, found.task_type, found.languages) == ("summeval", "summarisation", ("eng",))
    assert found.summary_fields["score"] == "relevance"
    assert (found.records, hub.asked) == ([], [])
