"""Cells of a row other than its texts: scores, classes, ids, judgements, under any known name."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustrank.errors import FormatError, InputError, NonNumericError
from robustrank.evaluators.hteb.fields import missing_column, text_columns, texts_in, where
from robustrank.evaluators.hteb.records import PART

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robustrank.evaluators.hteb.records import Dataset

Label = str | int | float

#: What columns may be named, in order of preference.
LABEL = ("label", "labels", "target")
SCORE = ("score", "scores", "similarity_score", "label")
_SUMMARY_SCORE = ("gold_scores", "scores", "relevance")
CLUSTER = ("labels", "label")
_ID = ("_id", "id")
_QUERY_ID = ("query-id", "query_id", "qid")
_DOCUMENT_ID = ("corpus-id", "corpus_id", "doc_id", "pid")
_RELEVANCE = ("score", "relevance")


@dataclass(frozen=True)
class Judgement:
    """How relevant a document is to a query, and the row that says so."""

    row: int
    query: str
    document: str
    relevance: int


def entries(dataset: Dataset) -> dict[tuple[str, str], int]:
    """Return the rows of documents and queries by part and id; raise if an id occurs twice."""
    rows: dict[tuple[str, str], int] = {}
    for index, row in enumerate(dataset.records):
        if row[PART] == "qrels":
            continue
        identifier = identifier_of(dataset, index, _ID)
        if rows.setdefault((row[PART], identifier), index) != index:
            raise FormatError(
                f"{where(dataset, index)}: the id {identifier!r} occurs twice among the "
                f"{row[PART]}. Ids must be unique.",
                [dataset.name],
            )
    return rows


def judgements(dataset: Dataset) -> list[Judgement]:
    """Return the judgements of a retrieval dataset; raise if one is given twice."""
    found: dict[tuple[str, str], Judgement] = {}
    for index, row in enumerate(dataset.records):
        if row[PART] != "qrels":
            continue
        query = identifier_of(dataset, index, _QUERY_ID)
        document = identifier_of(dataset, index, _DOCUMENT_ID)
        column = find_column(dataset, index, _RELEVANCE)
        relevance = number_of(dataset, index, column, row[column])
        if not relevance.is_integer():
            raise NonNumericError(
                f"{where(dataset, index)}: relevance must be a whole number; got {relevance:g}.",
                [dataset.name],
            )
        if (query, document) in found:
            raise FormatError(
                f"{where(dataset, index)}: document {document!r} is judged twice for query "
                f"{query!r}. Keep one of the judgements.",
                [dataset.name],
            )
        found[query, document] = Judgement(index, query, document, int(relevance))
    return list(found.values())


def parallel_columns(dataset: Dataset, index: int) -> tuple[str, ...]:
    """Name the columns of a row whose lists run in parallel: a text and what is said about it."""
    names = text_columns(dataset, index)
    if dataset.task_type == "clustering":
        return (*names, find_column(dataset, index, CLUSTER))
    if dataset.task_type == "summarisation":
        return (names[1], score_column(dataset, index))
    aliases = LABEL if dataset.task_type == "pair_classification" else SCORE
    return (*names, find_column(dataset, index, aliases))


def aligned(dataset: Dataset, index: int, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the values of columns that are scalars, or lists of one length, item by item."""
    values = [dataset.records[index][column] for column in columns]
    listed = [isinstance(value, list | tuple) for value in values]
    if not any(listed):
        return [tuple(values)]
    lengths = {len(value) for value in values if isinstance(value, list | tuple)}
    if not all(listed) or len(lengths) != 1:
        sizes = ", ".join(
            f"{column!r} {len(value) if many else 'no list'}"
            for column, value, many in zip(columns, values, listed, strict=True)
        )
        raise FormatError(
            f"{where(dataset, index)}: columns that belong together must all be lists of one "
            f"length, or none a list; their lengths are {sizes}.",
            [dataset.name],
        )
    return list(zip(*values, strict=True))


def score_column(dataset: Dataset, index: int) -> str:
    """Name the column with the scores of machine summaries."""
    field = dataset.summary_fields.get("score")
    return find_column(dataset, index, (field,) if field else _SUMMARY_SCORE)


def find_column(dataset: Dataset, index: int, aliases: Sequence[str]) -> str:
    """Name the first of several columns that the row has; raise if it has none of them."""
    for name in aliases:
        if name in dataset.records[index]:
            return name
    raise missing_column(dataset, index, aliases)


def texts_of(dataset: Dataset, index: int, column: str) -> tuple[str, ...]:
    """Return the texts of a column of a row; raise if one is missing."""
    return tuple(
        text_of(dataset, index, column, text) for _, text in texts_in(dataset, index, column)
    )


def text_of(dataset: Dataset, index: int, column: str, text: object) -> str:
    """Return a text that was read from a column; raise if it is missing or something else."""
    if text is None:
        raise InputError(
            f"{where(dataset, index)}: a text in column {column!r} is missing. Fill it in the "
            "source; exclude a text that could not be transformed with drop_incomplete.",
            [dataset.name],
        )
    if not isinstance(text, str):
        raise FormatError(
            f"{where(dataset, index)}: column {column!r} must hold text; it holds "
            f"{type(text).__name__} {str(text)[:40]!r}.",
            [dataset.name],
        )
    return text


def number_of(dataset: Dataset, index: int, column: str, value: object) -> float:
    """Return a value that was read from a column as a finite number; raise if it is none."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise NonNumericError(
            f"{where(dataset, index)}: column {column!r} must hold a finite number; got {value!r}.",
            [dataset.name],
        )
    return number


def label_of(dataset: Dataset, index: int, column: str, value: object) -> Label:
    """Return a class that was read from a column; raise if it is missing or a list."""
    if isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise FormatError(
        f"{where(dataset, index)}: column {column!r} must hold a class; got {value!r}.",
        [dataset.name],
    )


def identifier_of(dataset: Dataset, index: int, aliases: Sequence[str]) -> str:
    """Return the id in the first of several columns that the row has, as a string."""
    column = find_column(dataset, index, aliases)
    value = dataset.records[index][column]
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise FormatError(
            f"{where(dataset, index)}: column {column!r} must hold an id; got {value!r}.",
            [dataset.name],
        )
    return str(value)
