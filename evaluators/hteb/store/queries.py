"""What a store asks of its database: to take texts in, find, count and list them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustrank.evaluators.hteb.store.rows import COLUMNS, escape, tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection, Row, Select

#: Rows read at a time.
_BLOCK = 2_000


def insert_rows(connection: Connection, items: Sequence[tuple[dict[str, Any], str]]) -> None:
    """Take in rows and the wordings of their instructions.

    A row that is a failure is replaced, a row with a text never. Owners give up their claims on
    what has a text now.
    """
    from sqlalchemy import select  # noqa: PLC0415 - loaded only when needed

    generations, claims = tables().generations, tables().claims
    rows: dict[str, dict[str, Any]] = {}
    for row, _ in items:
        if rows.get(row["key"], row)["failure"] is None:
            rows.setdefault(row["key"], row)
        else:
            rows[row["key"]] = row
    _insert_wordings(connection, {row["instruction"]: wording for row, wording in items})
    there = select(generations.c.key, generations.c.failure).where(generations.c.key.in_(rows))
    found = connection.execute(there).all()
    failed = {key for key, failure in found if failure is not None}
    if failed:
        connection.execute(generations.delete().where(generations.c.key.in_(failed)))
    new = sorted(rows.keys() - {key for key, _ in found} | failed)
    if new:
        connection.execute(generations.insert(), [rows[key] for key in new])
    done = [key for key in new if rows[key]["failure"] is None]
    connection.execute(claims.delete().where(claims.c.key.in_(done)))


def _insert_wordings(connection: Connection, wordings: dict[str, str]) -> None:
    from sqlalchemy import select  # noqa: PLC0415 - loaded only when needed

    table = tables().wordings
    there = select(table.c.digest).where(table.c.digest.in_(wordings))
    new = sorted(wordings.keys() - connection.execute(there).scalars())
    if new:
        rows = [{"digest": digest, "wording": escape(wordings[digest])} for digest in new]
        connection.execute(table.insert(), rows)


def find_rows(connection: Connection, keys: Sequence[str]) -> Sequence[Row[Any]]:
    """Return the rows with some keys, each with the wording of its instruction."""
    return connection.execute(_whole().where(tables().generations.c.key.in_(keys))).all()


def all_rows(connection: Connection) -> Iterator[Sequence[Row[Any]]]:
    """Yield all rows, the oldest first, a block at a time."""
    rows = connection.execution_options(yield_per=_BLOCK).execute(
        _whole().order_by(tables().generations.c.created)
    )
    yield from rows.partitions()


def count_rows(connection: Connection, model: str | None) -> Sequence[Row[Any]]:
    """Return the numbers of texts and failures, and means, per model and stage."""
    from sqlalchemy import Float, case, cast, func, select  # noqa: PLC0415 - loaded only when needed

    table = tables().generations.c
    done = table.failure.is_(None)
    measured = ("seconds", "prompt_tokens", "completion_tokens")
    groups = (table.model, table.revision, table.stage)
    query = select(
        *groups,
        func.count(case((done, 1))).label("texts"),
        func.count(table.failure).label("failures"),
        *(func.avg(case((done, cast(table[name], Float)))).label(name) for name in measured),
    )
    if model is not None:
        query = query.where(table.model == escape(model))
    return connection.execute(query.group_by(*groups).order_by(*groups)).all()


def _whole() -> Select[Any]:
    from sqlalchemy import select  # noqa: PLC0415 - loaded only when needed

    generations, wordings = tables().generations, tables().wordings
    columns = [
        wordings.c.wording if name == "instruction" else generations.c[name] for name in COLUMNS
    ]
    return select(*columns).join(wordings, wordings.c.digest == generations.c.instruction)
