"""Rows as their source gives them, made rows of a `Dataset`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustrank.errors import FormatError
from robustrank.evaluators.hteb.cells import entries, judgements
from robustrank.evaluators.hteb.fields import text_columns, without_nulls
from robustrank.evaluators.hteb.records import PART, SPLIT, Dataset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: What a row of these parts needs one of: without it, it would be read as blank.
_TEXTS = {"corpus": ("document", "title", "text"), "queries": ("query", "text")}

Row = dict[str, Any]


def prepare_rows(
    rows: Sequence[Row],
    *,
    source: str,
    task_type: str,
    split: str,
    part: str | None = None,
    language: str | None = None,
) -> list[Row]:
    """Add split, part and, where a row does not say it, language.

    Parameters
    ----------
    rows : sequence of dict
    source : str
        What an error says the rows are from.
    task_type, split : str
    part : str, optional
        For retrieval, and reranking from components.
    language : str, optional
        The label of rows without a column ``language``.

    Raises
    ------
    FormatError
        If there are no rows, a column has a reserved name, or a document or query no text.
    """
    if not rows:
        raise FormatError(f"{source} has no rows.", [source])
    prepared = []
    for number, row in enumerate(rows, 1):
        reserved = [name for name in row if name.startswith("_hteb_")]
        if reserved:
            raise FormatError(
                f"{source} has a column {reserved[0]!r}; names that start with '_hteb_' are "
                "reserved. Rename it.",
                [source],
            )
        known = _TEXTS.get(part or "", ())
        if known and not any(name in row for name in known):
            raise FormatError(
                f"{source}, row {number:,}: {part} need a column named "
                f"{' or '.join(map(repr, known))}; it has {', '.join(row)}.",
                [source],
            )
        new = row | {SPLIT: split} | ({PART: part} if part else {})
        if language is not None:
            new.setdefault("language", language)
        new = without_nulls("retrieval" if part else task_type, new)
        if part == "queries" and not any(name in new for name in known):
            new["text"] = ""  # blank, which is left out later, not nameless
        prepared.append(new)
    return prepared


def reranking_rows(name: str, parts: Mapping[str, Sequence[Row]]) -> list[Row]:
    """Make rows of query, positive and negative from corpus, queries, qrels and top_ranked.

    Candidates come in the order in which they were ranked; those judged above 0 are positive.
    Title and text are joined by a space, as they are.
    """
    tables = Dataset(name, "retrieval", [*parts["corpus"], *parts["queries"], *parts["qrels"]])
    rows = entries(tables)
    relevant = set()
    for judgement in judgements(tables):
        for part, identifier in (("queries", judgement.query), ("corpus", judgement.document)):
            _check_known(name, "qrels", identifier, part, (part, identifier) in rows)
        if judgement.relevance > 0:
            relevant.add((judgement.query, judgement.document))
    ranked = _rankings(name, parts["top_ranked"], rows)
    found = []
    for (part, query), index in rows.items():
        if part != "queries":
            continue
        if query not in ranked:
            raise FormatError(
                f"Dataset {name!r}, top_ranked: query {query!r} has no list of candidates.", [name]
            )
        row = tables.records[index]
        sides: dict[bool, list[str]] = {True: [], False: []}
        for document in ranked[query]:
            text = _candidate(tables.records[rows["corpus", document]])
            sides[(query, document) in relevant].append(text)
        (column,) = text_columns(tables, index)
        texts = {"query": row[column], "positive": sides[True], "negative": sides[False]}
        kept = {key: row[key] for key in (SPLIT, "language") if key in row}
        found.append({"_id": query} | texts | kept)
    return found


def _rankings(
    name: str, table: Sequence[Row], rows: Mapping[tuple[str, str], int]
) -> dict[str, list[str]]:
    """Return the ids of the candidates of each query, as ranked."""
    ranked: dict[str, list[str]] = {}
    for row in table:
        query, documents = str(row.get("query-id")), row.get("corpus-ids")
        _check_known(name, "top_ranked", query, "queries", ("queries", query) in rows)
        if not isinstance(documents, list) or query in ranked:
            raise FormatError(
                f"Dataset {name!r}, top_ranked: query {query!r} must have one list of candidates, "
                "in the column 'corpus-ids'.",
                [name],
            )
        ranked[query] = [str(document) for document in documents]
        for document in ranked[query]:
            _check_known(name, "top_ranked", document, "corpus", ("corpus", document) in rows)
    return ranked


def _candidate(row: Row) -> str:
    title, body = str(row.get("title", "")), str(row.get("document", row.get("text", "")))
    return f"{title} {body}" if title else body


def _check_known(name: str, table: str, identifier: str, part: str, known: bool) -> None:
    if not known:
        raise FormatError(
            f"Dataset {name!r}, {table}: {identifier!r} is not among the {part}.", [name]
        )
