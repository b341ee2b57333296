"""Tasks of the real mteb package as datasets, on the mock tasks that it ships."""

from __future__ import annotations

import datasets as hf
import mteb
import mteb.mocks.mock_tasks as mocks
import mteb.mocks.mock_tasks.clustering as clusterings
import pytest

from robustrank.errors import InputError, ParameterError, UnknownLabelError
from robustrank.evaluators.hteb import views
from robustrank.evaluators.hteb.datasets import load_dataset
from robustrank.evaluators.hteb.datasets.mteb_tasks import convert_task
from robustrank.evaluators.hteb.fields import find_slots


def converted(name, module=mocks):
    task = getattr(module, name)()
    task.load_data()
    return task, convert_task(task)


def test_sts():
    task, dataset = converted("MockSTSTask")
    table = task.dataset["test"]
    read = views.pairs(dataset)
    assert list(read.left) == list(table["sentence1"])
    assert read.gold.tolist() == list(table["score"])
    assert (dataset.task_type, dataset.languages, dataset.eval_split) == ("sts", ("eng",), "test")


def test_subsets_are_joined_with_their_languages():
    task, dataset = converted("MockMultilingualSTSTask")
    read = views.pairs(dataset)
    expected = [
        text for subset in ("eng", "fra") for text in task.dataset[subset]["test"]["sentence1"]
    ]
    assert list(read.left) == expected
    assert read.subsets == ("eng", "eng", "fra", "fra")


def test_languages_of_both_sides():
    task = mteb.get_task("STS17")
    row = {"sentence1": "a", "sentence2": "b", "score": 1.0}
    table = hf.DatasetDict({"test": hf.Dataset.from_list([row])})
    task.dataset = dict.fromkeys(task.hf_subsets, table)
    dataset = convert_task(task)
    assert dataset.languages[:3] == ("kor", "ara", "eng-ara")
    slots = {slot.record: slot for slot in find_slots(dataset) if slot.column == "sentence2"}
    assert slots[2].field_label == "ara"


def test_one_split_is_used_and_the_others_are_named():
    task = mocks.MockSTSTask()
    task.load_data()
    task.metadata = task.metadata.model_copy(update={"eval_splits": ["validation", "test"]})
    dataset = convert_task(task)
    (note,) = dataset.notes
    assert dataset.eval_split == "test"
    assert note.message == "MockSTSTask: only the split 'test' is used, not 'validation'."


def test_classification():
    task, dataset = converted("MockClassificationTask")
    read = views.labelled_texts(dataset)
    train, test = task.dataset["train"], task.dataset["test"]
    assert read.texts == (*train["text"], *test["text"])
    assert read.labels == (*train["label"], *test["label"])
    assert sum(read.is_train) == len(train)


def test_pair_classification():
    task, dataset = converted("MockPairClassificationTask")
    read = views.pairs(dataset)
    assert read.gold.tolist() == list(task.dataset["test"]["labels"])


@pytest.mark.parametrize(
    ("name", "form", "sizes"),
    [
        ("MockClusteringTask", "nested", [3]),
        ("LegacyMockClusteringFastTask", "flat", [20]),
        ("MockMultilingualClusteringFastTask", "per_language", [3, 3]),
    ],
)
def test_clustering(name, form, sizes):
    _, dataset = converted(name, clusterings)
    assert dataset.clustering_format == form
    assert [len(group.texts) for group in views.clusters(dataset)] == sizes


def test_retrieval():
    task, dataset = converted("MockRetrievalTask")
    split = task.dataset["default"]["test"]
    read = views.retrieval(dataset)
    assert list(read.document_ids) == list(split["corpus"]["id"])
    assert list(read.queries) == list(split["queries"]["text"])
    assert read.judgements == split["relevant_docs"]


def test_reranking():
    task, dataset = converted("MockRerankingTask")
    split = task.dataset["default"]["test"]
    by_id = {row["_id"]: row for row in dataset.records}
    for query, documents in split["top_ranked"].items():
        relevant = [name for name in documents if split["relevant_docs"][query].get(name, 0) > 0]
        assert len(by_id[query]["positive"]) == len(relevant)
        assert len(by_id[query]["negative"]) == len(documents) - len(relevant)


def test_summarisation():
    task, dataset = converted("MockSummarizationTask")
    table = task.dataset["test"]
    read = views.summaries(dataset)
    assert [list(article.machine) for article in read] == list(table["machine_summaries"])
    assert [list(article.scores) for article in read] == list(table["relevance"])


@pytest.mark.parametrize("name", ["MockBitextMiningTask", "MockRegressionTask"])
def test_other_types_are_refused_with_those_that_work(name):
    task = getattr(mocks, name)()
    with pytest.raises(
        ParameterError, match=rf"{name}.* of type .*must be of type Classification, "
    ):
        convert_task(task)


def test_a_corpus_for_each_subset_is_refused():
    with pytest.raises(
        ParameterError, match=r"MockMultilingualRetrievalTask' has a corpus .* 2 sub"
    ):
        converted("MockMultilingualRetrievalTask")


def test_an_unknown_task_is_refused_with_close_ones():
    with pytest.raises(UnknownLabelError, match=r"task of MTEB 'STS177': did you mean .*'STS17'"):
        load_dataset("mteb:STS177")


def test_data_that_are_not_there_are_named(monkeypatch):
    monkeypatch.setattr(hf.config, "HF_HUB_OFFLINE", True)
    with pytest.raises(
        InputError, match=r"MTEB task 'STS17' cannot be loaded: .*get_task\('STS17'\)"
    ):
        load_dataset("mteb:STS17")


def test_a_task_of_another_type_is_not_downloaded():
    with pytest.raises(ParameterError, match=r"'Tatoeba' is of type 'BitextMining' over text"):
        load_dataset("mteb:Tatoeba")
