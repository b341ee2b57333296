"""The protocol ``"mteb"`` against the package mteb itself, on tasks in memory."""

from __future__ import annotations

import datasets
import mteb
import numpy as np
import pytest

from robustrank.evaluators.hteb.embedding.loading import load_embedder
from robustrank.evaluators.hteb.records import PART, SPLIT, Dataset
from robustrank.evaluators.hteb.scoring import score
from tests.real import models
from tests.real.texts import PAIRS, TOPICS, labelled

pytestmark = [
    # mteb and what it imports announce their own changes.
    pytest.mark.filterwarnings("ignore"),
]

MODELS = {"wordllama": models.wordllama, "minilm": models.minilm}


@pytest.fixture(scope="module", params=list(MODELS))
def folder(request):
    return str(MODELS[request.param]())


def metadata(name: str, kind: str, main_score: str, languages=("eng-Latn",)):
    from mteb.abstasks.task_metadata import TaskMetadata

    return TaskMetadata(
        name=name,
        description="A task in memory.",
        dataset={"path": "in/memory", "revision": "1"},
        type=kind,
        category="t2t",
        modalities=["text"],
        eval_splits=["test"],
        eval_langs=(
            list(languages) if len(languages) == 1 else {name: [name] for name in languages}
        ),
        main_score=main_score,
        bibtex_citation="",
    )


def reference(task_class, folder: str) -> float:
    """What mteb says."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(folder, device="cpu")
    results = mteb.evaluate(model, tasks=[task_class()], cache=None, show_progress_bar=False)
    return results.task_results[0].get_score()


def ours(dataset: Dataset, folder: str):
    embedder = load_embedder({"model": folder, "device": "cpu"})
    encoder = embedder.encoder(dataset.task_type, dataset.name)
    return score(dataset, encoder, protocol="mteb")


def in_memory(columns: dict, split: str = "test"):
    return datasets.DatasetDict({split: datasets.Dataset.from_dict(columns)})


def test_sts(folder):
    from mteb.abstasks import AbsTaskSTS

    class Task(AbsTaskSTS):
        metadata = metadata("MemorySTS", "STS", "cosine_spearman")
        min_score, max_score = 0, 5

        def load_data(self, **_):
            left, right, gold = zip(*PAIRS, strict=True)
            self.dataset = in_memory({"sentence1": left, "sentence2": right, "score": gold})
            self.data_loaded = True

    rows = [{"sentence1": a, "sentence2": b, "score": gold} for a, b, gold in PAIRS]
    found = ours(Dataset("MemorySTS", "sts", rows, ("eng",)), folder)
    assert found.metric == "cosine_spearman"
    assert found.value == pytest.approx(reference(Task, folder), abs=1e-6)


def test_sts_is_a_mean_over_languages(folder):
    from mteb.abstasks import AbsTaskSTS

    halves = {"eng-Latn": PAIRS[:9], "deu-Latn": PAIRS[9:]}

    class Task(AbsTaskSTS):
        metadata = metadata("TwoSTS", "STS", "cosine_spearman", tuple(halves))
        min_score, max_score = 0, 5

        def load_data(self, **_):
            self.dataset = {}
            for name, pairs in halves.items():
                left, right, gold = zip(*pairs, strict=True)
                self.dataset[name] = in_memory(
                    {"sentence1": left, "sentence2": right, "score": gold}
                )
            self.data_loaded = True

    rows = [
        {"sentence1": a, "sentence2": b, "score": gold, "language": name}
        for name, pairs in halves.items()
        for a, b, gold in pairs
    ]
    found = ours(Dataset("TwoSTS", "sts", rows, tuple(halves)), folder)
    assert found.metric == "mean_cosine_spearman"
    assert found.value == pytest.approx(reference(Task, folder), abs=1e-6)


def test_pair_classification(folder):
    from mteb.abstasks import AbsTaskPairClassification

    class Task(AbsTaskPairClassification):
        metadata = metadata("MemoryPairs", "PairClassification", "max_ap")

        def load_data(self, **_):
            left, right, gold = zip(*PAIRS, strict=True)
            labels = [int(value > 3) for value in gold]
            self.dataset = in_memory({"sentence1": left, "sentence2": right, "labels": labels})
            self.data_loaded = True

    rows = [{"sentence1": a, "sentence2": b, "labels": int(gold > 3)} for a, b, gold in PAIRS]
    found = ours(Dataset("MemoryPairs", "pair_classification", rows, ("eng",)), folder)
    assert found.metric == "max_ap"
    assert found.value == pytest.approx(reference(Task, folder), abs=1e-6)


def topic_rows() -> list[dict]:
    texts, labels = labelled()
    return [
        {"text": text, "label": label, SPLIT: "train" if number % 12 < 9 else "test"}
        for number, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]


@pytest.mark.parametrize("measure", ["accuracy", "f1"])
def test_classification(folder, measure):
    from mteb.abstasks import AbsTaskClassification

    rows = topic_rows()

    class Task(AbsTaskClassification):
        metadata = metadata("MemoryTopics", "Classification", measure)

        def load_data(self, **_):
            self.dataset = datasets.DatasetDict(
                {
                    split: datasets.Dataset.from_list(
                        [
                            {"text": row["text"], "label": row["label"]}
                            for row in rows
                            if row[SPLIT] == split
                        ]
                    )
                    for split in ("train", "test")
                }
            )
            self.data_loaded = True

    # The one dataset that MTEB scores by F1 has this name.
    name = "MemoryTopics" if measure == "accuracy" else "SentimentAnalysisHindi.v2"
    dataset = Dataset(
        name, "classification", rows, ("eng",), train_split="train", eval_split="test"
    )
    found = ours(dataset, folder)
    assert found.metric == measure
    assert found.value == pytest.approx(reference(Task, folder), abs=1e-6)


def test_grouped_clustering(folder):
    from mteb.abstasks.clustering_legacy import AbsTaskClusteringLegacy

    texts, labels = labelled()
    groups = [(texts[start::2], labels[start::2]) for start in (0, 1)]

    class Task(AbsTaskClusteringLegacy):
        metadata = metadata("MemoryGroups", "Clustering", "v_measure")

        def load_data(self, **_):
            sentences, topics = zip(*groups, strict=True)
            self.dataset = in_memory({"sentences": sentences, "labels": topics})
            self.data_loaded = True

    rows = [{"sentences": sentences, "labels": topics} for sentences, topics in groups]
    dataset = Dataset("MemoryGroups", "clustering", rows, ("eng",), clustering_format="nested")
    found = ours(dataset, folder)
    assert found.value == pytest.approx(reference(Task, folder), abs=1e-6)


def test_sampled_clustering(folder):
    from mteb.abstasks.clustering import AbsTaskClustering

    texts, labels = labelled()
    # 4% of the texts are drawn: enough copies that several topics are among them.
    rows = [
        {"sentences": f"{text} ({copy})", "labels": label}
        for copy in range(20)
        for text, label in zip(texts, labels, strict=True)
    ]

    class Task(AbsTaskClustering):
        metadata = metadata("MemorySample", "Clustering", "v_measure")

        def load_data(self, **_):
            self.dataset = datasets.DatasetDict({"test": datasets.Dataset.from_list(rows)})
            self.data_loaded = True

    dataset = Dataset("MemorySample", "clustering", rows, ("eng",), clustering_format="flat")
    found = ours(dataset, folder)
    assert found.value == pytest.approx(reference(Task, folder), abs=1e-6)


def retrieval_split(corpus, queries, judged, top_ranked=None):
    from mteb.abstasks.retrieval_dataset_loaders import RetrievalSplitData

    return RetrievalSplitData(
        corpus=datasets.Dataset.from_list(corpus),
        queries=datasets.Dataset.from_list(queries),
        relevant_docs=judged,
        top_ranked=top_ranked,
    )


def test_retrieval(folder):
    from mteb.abstasks.retrieval import AbsTaskRetrieval

    texts, labels = labelled()
    corpus = [
        {"id": f"d{number}", "title": topic, "text": text}
        for number, (text, topic) in enumerate(
            zip(texts, (topic for topic, group in TOPICS.items() for _ in group), strict=True)
        )
    ]
    queries = [{"id": f"q{number}", "text": topic} for number, topic in enumerate(TOPICS)]
    judged = {
        f"q{topic}": {
            f"d{number}": 1 + number % 2 for number, label in enumerate(labels) if label == topic
        }
        for topic in range(len(TOPICS))
    }

    class Task(AbsTaskRetrieval):
        metadata = metadata("MemoryRetrieval", "Retrieval", "ndcg_at_10")

        def load_data(self, **_):
            self.dataset = {"default": {"test": retrieval_split(corpus, queries, judged)}}
            self.data_loaded = True

    rows = [
        *(
            {"_id": one["id"], "title": one["title"], "text": one["text"], PART: "corpus"}
            for one in corpus
        ),
        *({"_id": one["id"], "text": one["text"], PART: "queries"} for one in queries),
        *(
            {"query-id": query, "corpus-id": document, "score": relevance, PART: "qrels"}
            for query, documents in judged.items()
            for document, relevance in documents.items()
        ),
    ]
    found = ours(Dataset("MemoryRetrieval", "retrieval", rows, ("eng",)), folder)
    assert found.value == pytest.approx(reference(Task, folder), abs=1e-6)


def test_reranking(folder):
    from mteb.abstasks.retrieval import AbsTaskRetrieval

    groups = list(TOPICS.values())
    rows = [
        {
            "query": group[0],
            "positive": group[1:4],
            "negative": [*groups[(number + 1) % 4][:5], *groups[(number + 2) % 4][:5], group[0]],
        }
        for number, group in enumerate(groups)
    ]
    rows[1]["negative"].append(rows[1]["positive"][1])  # a tie of a relevant with an irrelevant one

    class Task(AbsTaskRetrieval):
        metadata = metadata("MemoryReranking", "Reranking", "map_at_1000")

        def load_data(self, **_):
            corpus, judged, ranked = [], {}, {}
            for number, row in enumerate(rows):
                query = f"test_query{number}"
                for kind, relevance in (("positive", 1), ("negative", 0)):
                    for place, text in enumerate(row[kind]):
                        prefix = "a" if relevance else ""
                        name = f"{prefix}{kind}_{query}_{place:05d}"
                        corpus.append({"id": name, "title": "", "text": text})
                        judged.setdefault(query, {})[name] = relevance
                        ranked.setdefault(query, []).append(name)
            queries = [
                {"id": f"test_query{number}", "text": row["query"]}
                for number, row in enumerate(rows)
            ]
            split = retrieval_split(corpus, queries, judged, ranked)
            self.dataset = {"default": {"test": split}}
            self.data_loaded = True

    found = ours(Dataset("MemoryReranking", "reranking", rows, ("eng",)), folder)
    assert found.value == pytest.approx(reference(Task, folder), abs=1e-6)


def test_summarisation(folder):
    from mteb.abstasks import AbsTaskSummarization

    rng = np.random.default_rng(0)
    rows = [
        {
            "text": " ".join(group),
            "human_summaries": group[:3],
            "machine_summaries": group[3:10],
            "relevance": rng.integers(1, 6, 7).astype(float).tolist(),
        }
        for group in TOPICS.values()
    ]
    rows[2]["relevance"] = [3.0] * 7  # left out: nothing to correlate with

    class Task(AbsTaskSummarization):
        metadata = metadata("MemorySummaries", "Summarization", "cosine_spearman")
        min_score, max_score = 0, 5

        def load_data(self, **_):
            self.dataset = datasets.DatasetDict({"test": datasets.Dataset.from_list(rows)})
            self.data_loaded = True

    fields = {"human": "human_summaries", "machine": "machine_summaries", "score": "relevance"}
    dataset = Dataset("MemorySummaries", "summarisation", rows, ("eng",), summary_fields=fields)
    found = ours(dataset, folder)
    assert found.metric == "mean_cosine_spearman"
    assert [note.code for note in found.notes] == ["constant-articles"]
    assert found.value == pytest.approx(reference(Task, folder), abs=1e-6)
