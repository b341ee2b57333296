"""Where the texts of a dataset stand, and how to put others in their place."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from robustrank.errors import FormatError, InputError
from robustrank.evaluators.hteb.records import PART, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from robustrank.evaluators.hteb.records import Dataset

#: The columns of a sentence pair, in order of preference as everywhere below.
LEFT = ("sentence1", "sent1", "sentence_1", "text_1")
RIGHT = ("sentence2", "sent2", "sentence_2", "text_2")
#: The task types whose rows are pairs of sentences.
PAIRED = ("pair_classification", "sts", "str")

#: The number that a row had before rows were left out; only in what `survivors` returns.
ROW = "_hteb_row"

_ROLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "classification": (("text", "sentence", "input", "title"),),
    "clustering": (("sentences", "text", "sentence"),),
    **dict.fromkeys(PAIRED, (LEFT, RIGHT)),
    "reranking": (("query",), ("positive",), ("negative",)),
    "summarisation": (("human_summaries", "human"), ("machine_summaries", "machine")),
}
#: The task types whose candidates and summaries are lists of texts, from this role on.
_LISTS_FROM = {"reranking": 1, "summarisation": 0}
_LANGUAGE = ("language", "lang", "languages")
_TWO_SIDES = re.compile(r"([A-Za-z]{2,3})[-_/]([A-Za-z]{2,3})")


def text_columns(dataset: Dataset, index: int) -> tuple[str, ...]:
    """Name the columns of a row that are texts, one for each role that texts of its type have.

    Only rows of retrieval datasets may have fewer: a corpus row has its ``document``, or else its
    ``title`` and ``text``; a row of judgements has none.
    """
    row = dataset.records[index]
    if dataset.task_type == "retrieval":
        return _retrieval_columns(dataset, index, row)
    columns = []
    for known in _known_names(dataset):
        present = [name for name in known if name in row]
        if dataset.task_type == "classification":  # a number is an answer, not the text
            present = [name for name in present if row[name] is None or isinstance(row[name], str)]
        if not present:
            raise missing_column(dataset, index, known)
        columns.append(present[0])
    for column in columns[_LISTS_FROM.get(dataset.task_type, len(columns)) :]:
        if not isinstance(row[column], list | tuple):
            raise FormatError(
                f"{where(dataset, index)}: column {column!r} must hold a list of texts, also where "
                f"it is one; it holds {type(row[column]).__name__}.",
                [dataset.name],
            )
    return tuple(columns)


def find_slots(dataset: Dataset, *, corpus: bool = True) -> list[Slot]:
    """List the texts that are transformed, in the order in which HTEB 1.1 numbers them.

    Parameters
    ----------
    dataset : Dataset
    corpus : bool
        Whether documents of retrieval datasets and candidates of reranking datasets are among
        them; False leaves the queries.

    Returns
    -------
    list of Slot
        Row by row, and within a row by role; pairs have all their left sides first. Blank texts
        have no number: nothing is sent for them and they stay as they are.
    """
    slots: list[Slot] = []
    for index, role, column in _fields(dataset, corpus=corpus):
        row = dataset.records[index]
        label = record_label(dataset, row)
        side = _sides(label)[role] if dataset.task_type in PAIRED else label
        for position, text in texts_in(dataset, index, column):
            if text is not None and text.strip():
                slots.append(Slot(len(slots), index, column, position, text, label, side))
    return slots


def with_texts(dataset: Dataset, texts: Sequence[str | None], *, corpus: bool = True) -> Dataset:
    """Return a copy of the dataset with other texts in the slots of `find_slots`.

    Parameters
    ----------
    dataset : Dataset
    texts : sequence of str or None
        One for each slot, by its number; None for a text that could not be transformed.
    corpus : bool
        As for `find_slots`.
    """
    slots = find_slots(dataset, corpus=corpus)
    if len(texts) != len(slots):
        raise InputError(
            f"Dataset {dataset.name!r} has {len(slots):,} texts to replace, but {len(texts):,} "
            "were given. They must come from the same rows and setting of transform_corpus.",
            [dataset.name],
        )
    records = [dict(row) for row in dataset.records]
    copied: set[tuple[int, str]] = set()
    for slot, text in zip(slots, texts, strict=True):
        row = records[slot.record]
        if not slot.position:
            row[slot.column] = text
            continue
        if (slot.record, slot.column) not in copied:
            copied.add((slot.record, slot.column))
            row[slot.column] = list(row[slot.column])
        row[slot.column][slot.position[0]] = text
    return replace(dataset, records=records)


def texts_in(
    dataset: Dataset, index: int, column: str
) -> Iterator[tuple[tuple[int, ...], str | None]]:
    """Yield the texts of a column of a row with their positions; None where one is missing."""
    value = dataset.records[index][column]
    listed = isinstance(value, list | tuple)
    for position, text in enumerate(value if listed else [value]):
        if text is not None and not isinstance(text, str):
            raise FormatError(
                f"{where(dataset, index)}: column {column!r} must hold a text or a list of texts; "
                f"it holds {type(text).__name__} {str(text)[:40]!r}.",
                [dataset.name],
            )
        yield ((position,) if listed else ()), text


def record_label(dataset: Dataset, row: Mapping[str, Any]) -> str | None:
    """Return the language of a row as its source labels it, such as ``"eng"`` or ``"en-de"``."""
    for column in _LANGUAGE:
        label = row.get(column)
        if isinstance(label, str) and label.strip():
            return label
    return dataset.languages[0] if len(dataset.languages) == 1 else None


def without_nulls(task_type: str, row: dict[str, Any]) -> dict[str, Any]:
    """Leave out optional text columns that are null: None in a `Dataset` is a text that failed."""
    if task_type == "retrieval":
        optional: tuple[str, ...] = ("document", "title", "text", "query")
    elif task_type == "classification":
        optional = _ROLES[task_type][0]
    else:
        return row
    return {key: value for key, value in row.items() if value is not None or key not in optional}


def instance_id(dataset: Dataset, index: int) -> str:
    """Return the number of a row, from 1, which it keeps when others are left out."""
    return str(dataset.records[index].get(ROW, index + 1))


def where(dataset: Dataset, index: int) -> str:
    """Say which row an error is about; rows count from 1."""
    return f"Dataset {dataset.name!r}, row {dataset.records[index].get(ROW, index + 1):,}"


def missing_column(dataset: Dataset, index: int, known: Sequence[str]) -> FormatError:
    """Build the error for a row without any of the columns that would serve."""
    columns = ", ".join(key for key in dataset.records[index] if not key.startswith("_hteb_"))
    return FormatError(
        f"{where(dataset, index)} of task type {dataset.task_type!r} needs a column named "
        f"{' or '.join(map(repr, known))}; it has {columns or 'none'}. Rename it, or map it under "
        "'columns' in the dataset's YAML.",
        [dataset.name],
    )


def _known_names(dataset: Dataset) -> tuple[tuple[str, ...], ...]:
    """Return what the columns of each role may be named."""
    names = _ROLES[dataset.task_type]
    if dataset.task_type == "summarisation":
        named = [dataset.summary_fields.get(key) for key in ("human", "machine")]
        return tuple((own,) if own else known for own, known in zip(named, names, strict=True))
    return names


def _fields(dataset: Dataset, *, corpus: bool) -> Iterator[tuple[int, int, str]]:
    """Yield row, role and column in the order of the numbering."""
    rows = range(len(dataset.records))
    if dataset.task_type in PAIRED:
        columns = [text_columns(dataset, index) for index in rows]
        yield from ((index, role, columns[index][role]) for role in (0, 1) for index in rows)
        return
    for index in rows:
        names = text_columns(dataset, index)
        if not corpus and dataset.task_type == "reranking":
            names = names[:1]
        elif not corpus and dataset.task_type == "retrieval":
            names = names if dataset.records[index][PART] == "queries" else ()
        yield from ((index, role, name) for role, name in enumerate(names))


def _retrieval_columns(dataset: Dataset, index: int, row: Mapping[str, Any]) -> tuple[str, ...]:
    part = row.get(PART)
    if part == "corpus":
        known = ("document",) if "document" in row else ("title", "text")
        return tuple(name for name in known if name in row)
    if part == "queries":
        names = [name for name in ("query", "text") if name in row]
        if not names:
            raise missing_column(dataset, index, ("query", "text"))
        return (names[0],)
    if part != "qrels":
        raise FormatError(
            f"{where(dataset, index)}: {PART} must be 'corpus', 'queries' or 'qrels'; got "
            f"{part!r}.",
            [dataset.name],
        )
    return ()


def _sides(label: str | None) -> tuple[str | None, str | None]:
    """Return the languages of the two sides of a pair: those of a label of two, else the one."""
    both = _TWO_SIDES.fullmatch(label.strip()) if label else None
    return (both[1], both[2]) if both else (label, label)
