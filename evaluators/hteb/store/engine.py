"""The database behind a store: how it is opened, its transactions, its errors in plain words."""

from __future__ import annotations

import sqlite3
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from robustrank.errors import InputError
from robustrank.evaluators.hteb.store.rows import SCHEMA_VERSION, tables

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

    from sqlalchemy import URL, Connection, Engine

T = TypeVar("T")
P = ParamSpec("P")

#: What to install for a driver whose package has another name.
_PACKAGES = {"psycopg": "psycopg[binary]", "psycopg2": "psycopg2-binary", "MySQLdb": "mysqlclient"}
# Part of a database's message -> what is wrong and the remedy.
_REMEDIES = {
    "file is not a database": "is no SQLite database. Give another path, or move that file away",
    "unable to open database file": "cannot be opened. Check that the folder exists and that you "
    "may write there",
    "readonly database": "may not be written. Check the permissions of the file and its folder, or "
    "give a path where you may write",
    "disk is full": "has no room left. Free space on the disk; what is stored stays, and a new "
    "run continues from there",
    "database is locked": "is locked by another process for too long. End that process; on a "
    "network file system, which SQLite's locks do not survive, use PostgreSQL",
    "malformed": "is damaged. Restore a copy, or save what is readable with sqlite3's .recover",
}


class StoreError(InputError):
    """The store of generated texts cannot be opened, read or written."""


class Database:
    """The engine of a store.

    Parameters
    ----------
    where : str or path-like
        The path of an SQLite file or an SQLAlchemy URL.
    timeout_seconds : float
        How long to wait for another process that has locked an SQLite file.

    Attributes
    ----------
    shown : str
        The path of the file, or the URL without its password.
    """

    def __init__(self, where: str | os.PathLike[str], timeout_seconds: float) -> None:
        self._url = _parse(where)
        self.shown = _redact(self._url)
        self._engine = self._create(timeout_seconds)
        self._writing = self._engine.execution_options(hteb_begin="BEGIN IMMEDIATE")

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def read(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do `work` in a transaction that only reads."""
        with self._begin(self._engine) as connection:
            return work(connection, *args, **kwargs)

    def write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do `work` in a transaction while no other process is in one that writes."""
        from sqlalchemy import select  # noqa: PLC0415 - loaded only when needed

        with self._begin(self._writing) as connection:
            # SQLite's transaction began with a lock; elsewhere this row is it.
            connection.execute(select(tables().version).with_for_update())
            return work(connection, *args, **kwargs)

    def prepare(self) -> None:
        """Make the tables that are not there; raise if a newer version wrote them."""
        from sqlalchemy.exc import IntegrityError, ProgrammingError  # noqa: PLC0415

        try:
            with self._begin(self._writing) as connection:
                self._prepare(connection)
        except StoreError as error:
            if not isinstance(error.__cause__, IntegrityError | ProgrammingError):
                raise
            # Another process made them at the same moment; now they are there.
            with self._begin(self._writing) as connection:
                self._prepare(connection)

    @contextmanager
    def _begin(self, engine: Engine) -> Iterator[Connection]:
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - loaded only when needed

        try:
            with engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise self._explained(error) from error

    def _create(self, timeout_seconds: float) -> Engine:
        from sqlalchemy import create_engine, event  # noqa: PLC0415 - loaded only when needed
        from sqlalchemy.exc import NoSuchModuleError  # noqa: PLC0415

        is_file = self._url.get_backend_name() == "sqlite"
        options: dict[str, Any] = {"timeout": timeout_seconds} if is_file else {}
        if "+psycopg" in self._url.drivername:
            options["client_encoding"] = "utf8"  # else texts are bytes where the server's is none
        try:
            engine = create_engine(
                self._url,
                pool_pre_ping=not is_file,
                connect_args=options,
            )
        except NoSuchModuleError as error:
            raise StoreError(
                f"{self._url.drivername!r} in the store's URL {self.shown} is no database that "
                "SQLAlchemy knows. Use the path of an SQLite file, or postgresql://…",
                [self.shown],
            ) from error
        except ModuleNotFoundError as error:
            package = _PACKAGES.get(str(error.name), error.name)
            raise StoreError(
                f"The store {self.shown} needs a driver that is not installed: pip install "
                f"'{package}'.",
                [self.shown],
            ) from error
        if is_file:
            event.listen(engine, "connect", partial(_set_pragmas, timeout_seconds))
            event.listen(engine, "begin", _begin)
        return engine

    def _explained(self, error: Exception) -> StoreError:
        detail = str(getattr(error, "orig", None) or error).strip()
        if self._url.password is not None:
            detail = detail.replace(str(self._url.password), "***")
        for part, remedy in _REMEDIES.items():
            if part in detail:
                return StoreError(f"The store {self.shown} {remedy} ({detail}).", [self.shown])
        return StoreError(
            f"The store {self.shown} failed: {detail}. Check that the database is there, runs, "
            "and that its user may create and change tables.",
            [self.shown],
        )

    def _prepare(self, connection: Connection) -> None:
        from sqlalchemy import select  # noqa: PLC0415 - loaded only when needed

        metadata, version = tables().metadata, tables().version
        if connection.dialect.name == "postgresql":
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
            if encoding != "UTF8":
                raise StoreError(
                    f"The database {self.shown} has the encoding {encoding}, which cannot hold "
                    "all texts. Make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE "
                    "template0.",
                    [self.shown],
                )
        metadata.create_all(connection)
        found = connection.execute(select(version.c.version)).scalar()
        if found is None:
            connection.execute(version.insert().values(version=SCHEMA_VERSION))
        elif found > SCHEMA_VERSION:
            raise StoreError(
                f"The store {self.shown} has format {found}; this robustrank knows formats up to "
                f"{SCHEMA_VERSION}. Update robustrank, or name another store.",
                [self.shown],
            )


def _parse(where: str | os.PathLike[str]) -> URL:
    try:
        from sqlalchemy import URL, make_url  # noqa: PLC0415 - loaded only when needed
        from sqlalchemy.exc import ArgumentError  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise StoreError(
            "The store of generated texts needs SQLAlchemy: pip install 'robustrank[hteb]'."
        ) from error
    if not isinstance(where, str) or "://" not in where:
        path = Path(where).expanduser().absolute()
        url = URL.create("sqlite", database=str(path))
    else:
        try:
            url = make_url(where)
        except (ArgumentError, ValueError):
            raise StoreError(  # without the cause, which may show a password
                "The URL of the store is malformed. Write it as "
                "postgresql://user:password@host:port/database or sqlite:///path, with special "
                "characters of the password percent-encoded."
            ) from None
    if url.drivername in {"postgresql", "postgres"}:
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite":
        _check_file(url)
    return url


def _check_file(url: URL) -> None:
    """Raise unless the file is one, or can be made; make its folder."""
    if url.database in {None, "", ":memory:"}:
        raise StoreError("The store is to outlive the run: name a file, such as sqlite:///hteb.db.")
    path = Path(str(url.database))
    if path.is_dir():
        raise StoreError(f"The store {path} is a folder. Name a file in it.", [path])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The folder {path.parent} for the store cannot be made: {error.strerror}. Name a path "
            "where you may write.",
            [path],
        ) from error


def _redact(url: URL) -> str:
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    secret = {name: "***" for name in url.query if "password" in name.lower()}
    return url.update_query_dict(secret).render_as_string(hide_password=True)


def _set_pragmas(timeout_seconds: float, connection: Any, _record: object) -> None:
    """Let readers and one writer work side by side; a commit survives the end of the process."""
    connection.isolation_level = None  # transactions are begun by _begin, not by the driver
    cursor = connection.cursor()
    # Where two processes make a file at once, SQLite refuses one of them without waiting.
    deadline = time.monotonic() + timeout_seconds
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if "database is locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Take the lock for writing at once: a transaction that reads first could not get it later."""
    options = connection.get_execution_options()
    connection.exec_driver_sql(options.get("hteb_begin", "BEGIN"))
