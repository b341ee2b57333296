"""Tasks of the mteb package as datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustrank.errors import InputError, ParameterError, unknown_label
from robustrank.evaluators.hteb.datasets.rows import Row, prepare_rows, reranking_rows
from robustrank.evaluators.hteb.records import Dataset, TaskType
from robustrank.notes import Note

if TYPE_CHECKING:
    from collections.abc import Mapping

_TASK_TYPES: dict[str, TaskType] = {
    "Classification": "classification",
    "Clustering": "clustering",
    "PairClassification": "pair_classification",
    "STS": "sts",
    "Reranking": "reranking",
    "Retrieval": "retrieval",
    "Summarization": "summarisation",
}


def load_mteb(name: str) -> Dataset:
    """Load a task of MTEB by name, with all its subsets and one evaluation split.

    That is the split ``"test"`` if the task has one, else its first; others are a note.

    Raises
    ------
    UnknownLabelError
        If there is no such task.
    InputError
        If the package is missing, the data cannot be loaded, or the task is of another type.
    """
    try:
        import mteb  # noqa: PLC0415 - loaded only when needed, for it imports torch
    except ImportError as error:
        raise InputError(
            "Tasks of MTEB need the package 'mteb': pip install 'robustrank[mteb]'.", ["mteb"]
        ) from error
    try:
        task = mteb.get_task(name)
    except KeyError as error:
        known = [task.metadata.name for task in mteb.get_tasks()]
        raise unknown_label("task of MTEB", name, known) from error
    _task_type(task)  # before anything is downloaded
    try:
        task.load_data()
    except Exception as error:  # errors of several libraries, without a base
        raise InputError(
            f"The data of the MTEB task {name!r} cannot be loaded: {type(error).__name__}: "
            f"{error}. In offline mode they must be in the cache of Hugging Face: load them once "
            f"where there is a connection, with mteb.get_task({name!r}).load_data().",
            [name],
        ) from error
    return convert_task(task)


def convert_task(task: Any) -> Dataset:
    """Convert a task whose data are loaded.

    Subsets are joined; their languages label the rows, as in ``"eng"`` or ``"eng-deu"``.
    """
    metadata = task.metadata
    kind = _task_type(task)
    split = "test" if "test" in metadata.eval_splits else str(metadata.eval_splits[0])
    train = str(getattr(task, "train_split", "train")) if kind == "classification" else None
    labels = _labels(task, kind)
    if kind == "retrieval" and len(labels) > 1:
        raise ParameterError(
            f"The MTEB task {metadata.name!r} has a corpus for each of {len(labels)} subsets, "
            "which cannot be one dataset. Save the subset that you want as files, and describe "
            "them in a YAML.",
            [metadata.name],
        )
    records: list[Row] = []
    for subset, label in labels.items():
        splits = [name for name in (train, split) if name]
        for name in splits:
            table = task.dataset[subset][name] if subset in task.dataset else task.dataset[name]
            records.extend(_rows(task, kind, table, name, f"{metadata.name}, {subset}", label))
    return Dataset(
        metadata.name,
        kind,
        records,
        languages=tuple(dict.fromkeys(label for label in labels.values() if label)),
        revision=metadata.revision,
        eval_split=split,
        train_split=train,
        clustering_format=_clustering_format(kind, records, labels),
        ignore_identical_ids=bool(getattr(task, "ignore_identical_ids", False)),
        notes=_notes(task, split),
    )


def _task_type(task: Any) -> TaskType:
    kind = _TASK_TYPES.get(task.metadata.type)
    if kind is None or task.metadata.modalities != ["text"]:
        raise ParameterError(
            f"The MTEB task {task.metadata.name!r} is of type {task.metadata.type!r} over "
            f"{' and '.join(task.metadata.modalities)}; it must be of type "
            f"{', '.join(_TASK_TYPES)}, over text.",
            [task.metadata.name],
        )
    return kind


def _notes(task: Any, split: str) -> tuple[Note, ...]:
    others = [name for name in task.metadata.eval_splits if name != split]
    if not others:
        return ()
    name = task.metadata.name
    sentence = f"{name}: only the split {split!r} is used, not {', '.join(map(repr, others))}."
    return (Note("one-split", sentence, (name,)),)


def _labels(task: Any, kind: TaskType) -> dict[str, str | None]:
    """Return the language of each subset: of a pair, both; None where it is not one language."""
    found: dict[str, str | None] = {}
    for subset in task.hf_subsets:
        scripts = task.metadata.hf_subsets_to_langscripts[subset]
        codes = list(dict.fromkeys(script.split("-")[0] for script in scripts))
        two = kind in {"sts", "pair_classification"} and len(codes) == 2
        found[subset] = "-".join(codes) if two or len(codes) == 1 else None
    return found


def _rows(
    task: Any, kind: TaskType, table: Any, split: str, source: str, language: str | None
) -> list[Row]:
    settings: dict[str, Any] = {"task_type": kind, "split": split, "language": language}
    if kind not in {"retrieval", "reranking"}:
        names = _columns(task, kind)
        rows = [
            {names.get(key, key): value for key, value in row.items()} for row in table.to_list()
        ]
        return prepare_rows(rows, source=source, **settings)
    parts = {
        part: prepare_rows(rows, source=f"{source}, {part}", part=part, **settings)
        for part, rows in _parts(table, source).items()
    }
    if kind == "retrieval":
        return [row for part in ("corpus", "queries", "qrels") for row in parts[part]]
    if "top_ranked" not in parts:
        raise ParameterError(f"{source}: the task does not say which candidates are ranked.")
    return reranking_rows(task.metadata.name, parts)


def _parts(table: Mapping[str, Any], source: str) -> dict[str, list[Row]]:
    """Return the tables of a retrieval task as rows; its judgements and rankings are mappings."""
    texts = {
        part: [
            {"_id" if key == "id" else key: value for key, value in row.items()}
            for row in table[part].to_list()
        ]
        for part in ("corpus", "queries")
    }
    for row in texts["queries"]:
        if not isinstance(row.get("text"), str):
            raise ParameterError(f"{source}: queries must be texts, not conversations.")
    judged = [
        {"query-id": query, "corpus-id": document, "score": score}
        for query, documents in table["relevant_docs"].items()
        for document, score in documents.items()
    ]
    ranked = [
        {"query-id": query, "corpus-ids": list(documents)}
        for query, documents in (table.get("top_ranked") or {}).items()
    ]
    return texts | {"qrels": judged} | ({"top_ranked": ranked} if ranked else {})


def _columns(task: Any, kind: TaskType) -> dict[str, str]:
    """Return the names that the columns of a task have, and those that they are given."""
    if kind == "classification":
        return {task.input_column_name: "text", task.label_column_name: "label"}
    if kind == "clustering":
        return {
            getattr(task, "input_column_name", "sentences"): "sentences",
            getattr(task, "label_column_name", "labels"): "labels",
        }
    if kind == "pair_classification":
        return {
            task.input1_column_name: "sentence1",
            task.input2_column_name: "sentence2",
            task.label_column_name: "labels",
        }
    if kind == "sts":
        return dict(zip(task.column_names, ("sentence1", "sentence2"), strict=True))
    return {
        task.human_summaries_column_name: "human_summaries",
        task.machine_summaries_column_name: "machine_summaries",
        task.relevancy_column_name: "relevance",
    }


def _clustering_format(kind: TaskType, records: list[Row], labels: Mapping[str, Any]) -> Any:
    if kind != "clustering":
        return None
    if isinstance(records[0].get("sentences"), list):
        return "nested"
    return "per_language" if len(labels) > 1 else "flat"
