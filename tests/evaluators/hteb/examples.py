"""Small datasets of every task type, and strategies that make many."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from robustrank.evaluators.hteb.records import PART, SPLIT, Dataset

#: Texts from anywhere: blank ones, NUL, right-to-left, lone surrogates.
TEXTS = st.one_of(
    st.sampled_from(
        ["", " ", "\n\t", "A cat sat.", "Die Katze saß.", "قطة", "\x00", "\ud800", "🙂"]
    ),
    st.text(st.characters(exclude_categories=()), max_size=12),
)

_PAIR = {"sentence1": "A man eats.", "sentence2": "Someone eats.", SPLIT: "test"}


def pairs(*labels: str, task_type: str = "sts", **options: Any) -> Dataset:
    """One pair for each label of a language, with scores 0, 1, 0, 1, …"""
    rows = [
        {"sentence1": f"left {i}", "sentence2": f"right {i}", "score": float(i % 2)}
        | ({"label": i % 2} if task_type == "pair_classification" else {})
        | {SPLIT: "test", "language": label}
        for i, label in enumerate(labels)
    ]
    return Dataset("pairs", task_type, rows, eval_split="test", **options)


def retrieval(**options: Any) -> Dataset:
    """Three documents, two queries; q1 has d1 and, irrelevant, d2; q2 has d2."""
    corpus = [
        {"_id": "d1", "title": "Frogs", "text": "They live in ponds."},
        {"_id": "d2", "title": "", "text": "Owls hunt at night."},
        {"_id": "d3", "text": "Trains run on rails."},
    ]
    queries = [{"_id": "q1", "text": "Where do frogs live?"}, {"_id": "q2", "text": "owl hunting"}]
    qrels = [
        {"query-id": "q1", "corpus-id": "d1", "score": 1},
        {"query-id": "q1", "corpus-id": "d2", "score": 0},
        {"query-id": "q2", "corpus-id": "d2", "score": 2},
    ]
    parts = {"corpus": corpus, "queries": queries, "qrels": qrels}
    rows = [row | {PART: part, SPLIT: "test"} for part, rows in parts.items() for row in rows]
    return Dataset("animals", "retrieval", rows, languages=("eng",), eval_split="test", **options)


def of_type(task_type: str, **options: Any) -> Dataset:
    """A dataset of two rows or so, in English."""
    test = {SPLIT: "test"}
    rows: dict[str, list[dict[str, Any]]] = {
        "classification": [
            {"text": "Where is my card?", "label": "card", SPLIT: "train"},
            {"text": "Send money abroad", "label": "transfer", SPLIT: "train"},
            {"text": "My card is lost", "label": "card", **test},
        ],
        "clustering": [
            {"sentences": ["goal", "match", "vote"], "labels": ["sport", "sport", "news"], **test},
            {"sentences": ["law", "race"], "labels": ["news", "sport"], **test},
        ],
        "pair_classification": [_PAIR | {"labels": 1}, _PAIR | {"sentence2": "No.", "labels": 0}],
        "sts": [_PAIR | {"score": 4.5}, _PAIR | {"sentence2": "No.", "score": 0.5}],
        "str": [_PAIR | {"label": 0.9}, _PAIR | {"sentence2": "No.", "label": 0.1}],
        "reranking": [
            {"query": "wifi?", "positive": ["Wireless"], "negative": ["Sound", "Disk"], **test},
            {"query": ["disk", "drive"], "positive": ["Disk", "SSD"], "negative": ["x"], **test},
        ],
        "summarisation": [
            {
                "text": "A long article.",
                "human_summaries": ["Short.", "Brief."],
                "machine_summaries": ["Sum one.", "Sum two.", "Sum three."],
                "relevance": [1.0, 3.0, 2.0],
                **test,
            },
            {"human_summaries": ["H."], "machine_summaries": ["M."], "relevance": [5], **test},
        ],
    }
    if task_type == "retrieval":
        return retrieval(**options)
    settings = {"languages": ("eng",), "eval_split": "test"} | options
    if task_type == "classification":
        settings["train_split"] = "train"
    return Dataset("example", task_type, rows[task_type], **settings)


@st.composite
def datasets(draw: st.DrawFn, task_type: str) -> Dataset:
    """Datasets with arbitrary texts, in the layouts that a task type may have."""

    def several(least: int = 1) -> list[str]:
        return draw(st.lists(TEXTS, min_size=least, max_size=4))

    def row(index: int) -> dict[str, Any]:
        label = draw(st.sampled_from(["eng", "en-de", "de"]))
        if task_type == "classification":
            shown = {"text": draw(TEXTS), "label": index % 2, SPLIT: ("train", "test")[index % 2]}
        elif task_type == "clustering":
            texts = several()
            shown = {"sentences": texts, "labels": [i % 2 for i in range(len(texts))]}
            if flat:
                shown = {"sentences": texts[0], "labels": index % 2}
        elif task_type == "reranking":
            query = draw(TEXTS) if flat else several()
            shown = {"query": query, "positive": several(), "negative": several()}
        elif task_type == "summarisation":
            texts = several()
            shown = {"human": several(), "machine": texts, "scores": [*range(len(texts))]}
        else:
            left = several()
            right = [draw(TEXTS) for _ in left]
            shown = {"sent1": left, "sent2": right, "label": [i % 2 for i in range(len(left))]}
            if flat:
                shown = {"sent1": left[0], "sent2": right[0], "label": index % 2}
        return {SPLIT: "test", "language": label} | shown

    flat = draw(st.booleans())
    if task_type != "retrieval":
        rows = [row(index) for index in range(draw(st.integers(2, 4)))]
        splits = {"train_split": "train"} if task_type == "classification" else {}
        return Dataset("drawn", task_type, rows, eval_split="test", **splits)
    n_documents, n_queries = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    corpus = [
        {"_id": f"d{i}", "text": draw(TEXTS)} | ({"title": draw(TEXTS)} if i % 2 else {})
        for i in range(n_documents)
    ]
    queries = [{"_id": f"q{i}", "text": draw(TEXTS)} for i in range(n_queries)]
    qrels = [
        {"query-id": f"q{q}", "corpus-id": f"d{d}", "score": draw(st.integers(0, 2))}
        for q in range(n_queries)
        for d in range(n_documents)
        if d == 0 or draw(st.booleans())
    ]
    parts = {"corpus": corpus, "queries": queries, "qrels": qrels}
    rows = [line | {PART: part, SPLIT: "test"} for part, lines in parts.items() for line in lines]
    return Dataset("drawn", "retrieval", rows, eval_split="test")
