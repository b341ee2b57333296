"""`EmbeddingCache`: embeddings on disk, so that a text is embedded once by a model, ever."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robustrank.errors import FormatError

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

    from numpy.typing import NDArray

_SCHEMA = """
CREATE TABLE IF NOT EXISTS spaces (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY, space INTEGER NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS by_text ON vectors (space, text);
"""
#: Bytes of a text's hash that are kept: as safe from coincidence as a UUID, at half the index.
_HASH_BYTES = 16
#: Texts per query; SQLite allows 32,766 parameters.
_CHUNK = 10_000
#: Seconds to wait for another process that writes.
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class CacheSize:
    """How much is in a cache.

    Attributes
    ----------
    n_vectors : int
    n_bytes : int
        Of the file, its log included.
    """

    n_vectors: int
    n_bytes: int


class EmbeddingCache:
    """Vectors by space (model, settings and prompt) and text, in one SQLite file.

    Several processes and threads may use the file at once. Whatever `put` has returned from
    survives a crash of the process; a crash during it loses that call's vectors and nothing else.

    Parameters
    ----------
    path : path
        Created with its folders if it does not exist.

    Attributes
    ----------
    path : Path
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        self._spaces: dict[str, int] = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self.path, timeout=_PATIENCE, check_same_thread=False, isolation_level=None
            )
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error
        try:
            # Vectors of 1.5 kB waste a third of the default page.
            self._connection.execute("PRAGMA page_size = 16384")
            # Readers do not wait for a writer; losing power may lose the last vectors, no more.
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(_SCHEMA)
        except sqlite3.Error as error:
            self._connection.close()
            raise self._unusable(error) from error

    def get(self, space: str, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Return the vectors of those of the texts that are known."""
        names = {_hash(text): text for text in texts}
        hashes = list(names)
        found: dict[str, NDArray[np.float32]] = {}
        with self._lock:
            number = self._find_space(space)
            if number is None:
                return found
            for at in range(0, len(hashes), _CHUNK):
                part = hashes[at : at + _CHUNK]
                marks = ",".join("?" * len(part))
                query = f"SELECT text, vector FROM vectors WHERE space = ? AND text IN ({marks})"  # noqa: S608 - question marks
                try:
                    rows = self._connection.execute(query, (number, *part)).fetchall()
                except sqlite3.Error as error:
                    raise self._unusable(error) from error
                for text, vector in rows:
                    found[names[text]] = np.frombuffer(vector, dtype="<f4")
        return found

    def put(self, space: str, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep one vector per text; what is already there stays as it is."""
        rows = np.ascontiguousarray(vectors, dtype="<f4")
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    number = self._add_space(space)
                    self._connection.executemany(
                        "INSERT OR IGNORE INTO vectors (space, text, vector) VALUES (?, ?, ?)",
                        (
                            (number, _hash(text), row.tobytes())
                            for text, row in zip(texts, rows, strict=True)
                        ),
                    )
                except BaseException:
                    self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise self._unusable(error) from error
            self._spaces[space] = number

    def size(self) -> CacheSize:
        """Count vectors and bytes."""
        with self._lock:
            (n_vectors,) = self._connection.execute("SELECT COUNT(*) FROM vectors").fetchone()
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return CacheSize(n_vectors, sum(file.stat().st_size for file in files if file.exists()))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _find_space(self, key: str) -> int | None:
        if key not in self._spaces:
            row = self._connection.execute("SELECT id FROM spaces WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            self._spaces[key] = row[0]
        return self._spaces[key]

    def _add_space(self, key: str) -> int:
        self._connection.execute("INSERT OR IGNORE INTO spaces (key) VALUES (?)", (key,))
        (number,) = self._connection.execute(
            "SELECT id FROM spaces WHERE key = ?", (key,)
        ).fetchone()
        return int(number)

    def _unusable(self, error: Exception) -> FormatError:
        return FormatError(
            f"The embedding cache {self.path} cannot be used: {error}. It must be a file on a "
            "disk with room that this program may write to; it holds nothing that cannot be "
            "computed again, so deleting it is safe.",
            [self.path],
        )


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_HASH_BYTES]
