"""The store of generated texts: every answer of a model, kept from the moment that it is there."""

from __future__ import annotations

import atexit
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank._atomic import replacing
from robustrank.errors import InputError, ParameterError
from robustrank.evaluators.hteb.store.claims import claim_free, release_claims
from robustrank.evaluators.hteb.store.engine import Database
from robustrank.evaluators.hteb.store.export import write_table
from robustrank.evaluators.hteb.store.queries import all_rows, count_rows, find_rows, insert_rows
from robustrank.evaluators.hteb.store.rows import from_row, to_row
from robustrank.evaluators.hteb.store.writer import GroupWriter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from robustrank.evaluators.hteb.store.claims import Owner
    from robustrank.evaluators.hteb.store.rows import Generation

#: Keys in one query; a database allows only so many.
_BLOCK = 500


class Store:
    """Generated texts by key, in a database that several processes may share.

    Every call may come from any thread. A store that is not closed is closed when the process
    exits in an orderly way; what was put is safe earlier, within a tenth of a second.

    Parameters
    ----------
    where : str or path-like
        The path of an SQLite file, which is made if it is not there, or an SQLAlchemy URL such as
        ``postgresql://user@host/database``. Tested with SQLite and PostgreSQL.
    timeout_seconds : float
        How long to wait for another process that has locked an SQLite file.

    Notes
    -----
    An SQLite file is for the processes of one machine: its write-ahead log needs memory that all of
    them share, and locks on network file systems are not to be relied on. Several machines share
    a PostgreSQL database. A commit survives the end of the process at any moment; the last ones
    before a power failure may be lost, and the file is whole.
    """

    def __init__(self, where: str | os.PathLike[str], *, timeout_seconds: float = 30.0) -> None:
        database = Database(where, timeout_seconds)
        try:
            database.prepare()
        except BaseException:
            database.close()
            raise
        self._database = database
        self._process = os.getpid()
        self._writer = GroupWriter[tuple[dict[str, Any], str]](
            lambda items: database.write(insert_rows, items)
        )
        atexit.register(self.close)

    def __repr__(self) -> str:
        return f"Store({self._database.shown!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def put(self, generation: Generation) -> None:
        """Keep an answer; it is written by another thread within a tenth of a second.

        It takes the place of a failure under the same key, never that of a text.

        Raises
        ------
        ParameterError
            If a field has a value that cannot be stored.
        StoreError
            If earlier answers could not be written. They and this one stay in memory, and the next
            call tries them again.
        """
        self._check_process()
        self._writer.put((to_row(generation), generation.instruction))

    def flush(self) -> None:
        """Wait until all that was put is written; raise what the writer could not overcome."""
        self._check_process()
        self._writer.flush()

    def get(self, keys: Iterable[str], *, flush: bool = True) -> dict[str, Generation]:
        """Return what is stored under some of the keys, failures included.

        Without `flush`, what this process put in the last moments may be missing.
        """
        if flush:
            self.flush()
        found: dict[str, Generation] = {}
        for block in _blocks(keys):
            rows = self._database.read(find_rows, block)
            found.update((row.key, from_row(row)) for row in rows)
        return found

    def claim(
        self, keys: Iterable[str], owner: Owner, lease_seconds: float, *, flush: bool = True
    ) -> set[str]:
        """Return those of the keys that are the owner's to generate from now on.

        A key with a text is nobody's. A claim ends with its text, its release, its lease, or the
        process of its owner, where that is one of this machine; claiming again prolongs the lease.

        Parameters
        ----------
        keys : iterable of str
        owner : Owner
        lease_seconds : float
            The clocks of machines that share a store must agree to much less than this.
        flush : bool
            False for a caller who knows what it put in the last moments: it may be claimed again.
        """
        if not lease_seconds > 0:
            raise ParameterError(f"lease_seconds must be greater than 0; got {lease_seconds!r}.")
        if flush:
            self.flush()
        ours: set[str] = set()
        for block in _blocks(keys):
            ours |= self._database.write(claim_free, block, owner, lease_seconds)
        return ours

    def release(self, keys: Iterable[str], owner: Owner) -> None:
        """Give up claims of the owner on keys that it will not generate."""
        self.flush()
        for block in _blocks(keys):
            self._database.write(release_claims, block, owner)

    def statistics(self, model: str | None = None) -> pd.DataFrame:
        """Count what is stored per model, revision and stage.

        Returns
        -------
        DataFrame
            Columns ``model``, ``revision``, ``stage``, ``texts`` and ``failures``, then
            ``seconds``, ``prompt_tokens`` and ``completion_tokens``, which are means over the texts
            for which they are known.
        """
        self.flush()
        rows = self._database.read(count_rows, model)
        names = ["model", "revision", "stage", "texts", "failures"]
        measured = ["seconds", "prompt_tokens", "completion_tokens"]
        table = pd.DataFrame([tuple(row) for row in rows], columns=[*names, *measured])
        return table.astype(dict.fromkeys(measured, "float64"))

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write all that is stored as a parquet table with a column per field, the oldest first.

        Sampling is JSON. A surrogate, a NUL and U+001A, which such files cannot all hold, are
        written as U+001A and four hexadecimal digits.
        """
        self.flush()
        target = Path(path).expanduser()
        with replacing(target) as file:
            self._database.read(
                lambda connection: write_table(
                    file, ([from_row(row) for row in rows] for rows in all_rows(connection))
                )
            )
        return target

    def close(self) -> None:
        """Write what is left and close the database."""
        if self._process != os.getpid():  # a forked copy: thread and connections are the parent's
            return
        atexit.unregister(self.close)
        try:
            self._writer.close()
        finally:
            self._database.close()

    def _check_process(self) -> None:
        if self._process != os.getpid():
            raise InputError(
                f"{self!r} was opened in another process, before a fork. Open it anew in each."
            )


def _blocks(keys: Iterable[str]) -> Iterator[Sequence[str]]:
    unique = sorted(set(keys))
    for start in range(0, len(unique), _BLOCK):
        yield unique[start : start + _BLOCK]
