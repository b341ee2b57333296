from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from robustrank.errors import InputError
from robustrank.evaluators.hteb.store.engine import StoreError
from robustrank.evaluators.hteb.store.store import Store
from tests.evaluators.hteb.making import key, make


def test_the_file_and_its_folder_are_made(tmp_path):
    path = tmp_path / "new" / "folder" / "texts with spaces ü.db"
    with Store(str(path)) as store:
        assert repr(store) == f"Store('{path}')"
    assert path.is_file()
    with Store(f"sqlite:///{path}") as store:
        store.put(make(1))
    with Store(path) as store:
        assert store.get([key(1)]) == {key(1): make(1)}


def test_the_file_keeps_a_write_ahead_log(tmp_path):
    with Store(tmp_path / "texts.db"), sqlite3.connect(tmp_path / "texts.db") as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


def test_the_texts_can_be_read_with_sql(tmp_path):
    with Store(tmp_path / "texts.db") as store:
        store.put(make(1))
    connection = sqlite3.connect(tmp_path / "texts.db")
    rows = connection.execute("SELECT output, wording FROM hteb_generations, hteb_wordings")
    assert rows.fetchall() == [("Other text 1.", "Say it in other words.")]
    connection.close()


def test_other_tables_of_a_database_are_left_alone(tmp_path):
    connection = sqlite3.connect(tmp_path / "mine.db")
    connection.execute("CREATE TABLE generations (mine TEXT)")
    connection.commit()
    with Store(tmp_path / "mine.db") as store:
        store.put(make(1))
    assert connection.execute("SELECT count(*) FROM generations").fetchone() == (0,)
    connection.close()


def test_a_newer_store_is_refused(place):
    with Store(place) as store:
        store._database.write(
            lambda connection: connection.exec_driver_sql(
                "UPDATE hteb_version SET version = version + 1"
            )
        )
    with pytest.raises(StoreError, match=r"has format 2; .* knows formats up to 1\. Update"):
        Store(place)


@pytest.mark.parametrize("content", [b"model,score\nm,1\n" * 100, b"PAR1" * 200])
def test_a_file_that_is_no_database(tmp_path, content):
    path = tmp_path / "scores.csv"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"is no SQLite database. Give another path") as caught:
        Store(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(StoreError, match=r"is a folder. Name a file in it"):
        Store(tmp_path)


def test_a_place_where_no_folder_can_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be made: .*. Name a path where you may write"):
        Store(tmp_path / "file" / "texts.db")


@pytest.mark.parametrize("where", ["sqlite://", "sqlite:///:memory:"])
def test_memory_is_no_store(where):
    with pytest.raises(StoreError, match="is to outlive the run: name a file"):
        Store(where)


READ_ONLY = """
import os, sys
from robustrank.evaluators.hteb.store.store import Store
Store(sys.argv[1]).close()  # loads everything while the interpreter's folder may be read
if os.geteuid() == 0:  # who may write everywhere
    os.setgid(65534)
    os.setuid(65534)
try:
    Store(sys.argv[2])
except ValueError as error:
    print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="permissions are set as on POSIX")
@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_is_read_only(tmp_path, there):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if there:
            Store(folder / "texts.db").close()
        folder.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY, tmp_path / "warm.db", folder / "texts.db"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        folder.chmod(0o755)
    assert "you may write" in done.stdout
    assert f"{folder}/texts.db" in done.stdout


def put_on(store, number):
    while True:
        store.put(make(number, text="x" * 100_000))
        number += 1


def test_a_full_disk_loses_nothing(tmp_path):
    with Store(tmp_path / "texts.db") as store:
        # One thread at a time makes one connection, which keeps its limit: the pages there are.
        store._database.write(lambda each: each.exec_driver_sql("PRAGMA max_page_count = 1"))
        store.put(make(1, text="x" * 100_000))
        with pytest.raises(StoreError, match=r"has no room left. Free space on the disk"):
            store.flush()
        with pytest.raises(StoreError, match="has no room left"):
            put_on(store, 2)
        store._database.write(lambda each: each.exec_driver_sql("PRAGMA max_page_count = 100000"))
        with contextlib.suppress(StoreError):  # of a try that came before there was room
            store.flush()
        n_put = store._writer._n_put
        assert set(store.get(map(key, range(n_put + 9)))) == set(map(key, range(1, n_put + 1)))


def test_a_locked_database(tmp_path):
    path = tmp_path / "texts.db"
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match=r"is locked by another process for too long. End that"):
        Store(path, timeout_seconds=0.05)
    other.execute("ROLLBACK")
    other.close()
    Store(path, timeout_seconds=0.05).close()


def test_a_damaged_database(tmp_path):
    path = tmp_path / "texts.db"
    with Store(path) as store:
        for number in range(200):
            store.put(make(number))
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"is damaged. Restore a copy"):
        Store(path)


def test_a_database_that_nobody_knows():
    with pytest.raises(StoreError, match=r"'duckdb' in the .* SQLAlchemy knows. Use the"):
        Store("duckdb:///x")


def test_a_driver_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"not installed: pip install 'psycopg\[binary\]'"):
        Store("postgresql://me@host/texts")


def test_without_sqlalchemy(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(StoreError, match=r"pip install 'robustrank\[hteb\]'"):
        Store(tmp_path / "texts.db")


@pytest.mark.parametrize(
    "where",
    [
        "postgresql://me:s3cret@localhost:1/texts",
        "postgresql://me@localhost:1/texts?password=s3cret",
        "nonsense://me:s3cret@host/texts",
        "postgresql://me:s3cret@host:port/texts",
        "://me:s3cret",
    ],
)
def test_passwords_are_never_shown(where):
    with pytest.raises(StoreError) as caught:
        Store(where)
    error: BaseException | None = caught.value
    while error is not None:
        assert "s3cret" not in str(error)
        error = error.__cause__
    assert "s3cret" not in repr(caught.value.labels)


def test_a_server_that_is_not_there():
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match=r"The store postgresql\+psycopg://me@localhost:1/texts f"):
        Store("postgresql://me@localhost:1/texts")


@pytest.mark.postgres
@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_an_encoding_that_cannot_hold_all_texts(postgres_server, encoding):
    import psycopg

    where = f"host={postgres_server} user=hteb dbname=postgres"
    name = f"old_{encoding.lower()}"
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")
    with pytest.raises(StoreError, match=f"has the encoding {encoding}, .* Make one with CREATE"):
        Store(f"postgresql://hteb@/{name}?host={postgres_server}")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_must_open_its_own(tmp_path):
    code = """
import os, sys
from robustrank.evaluators.hteb.store.store import Store
store = Store(sys.argv[1])
child = os.fork()
if child == 0:
    try:
        store.get([])
    except ValueError as error:
        print(error)
else:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    command = [sys.executable, "-W", "ignore", "-c", code, str(tmp_path / "texts.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "was opened in another process, before a fork. Open it anew" in done.stdout


def test_a_store_that_is_not_closed_is_complete_after_an_orderly_exit(tmp_path):
    code = """
import sys
from robustrank.evaluators.hteb.store.store import Store
from tests.evaluators.hteb.making import make
store = Store(sys.argv[1])
for number in range(300):
    store.put(make(number))
"""
    root = Path(__file__).resolve().parents[4]
    command = [sys.executable, "-c", code, str(tmp_path / "texts.db")]
    subprocess.run(command, check=True, timeout=60, cwd=root)
    with Store(tmp_path / "texts.db") as store:
        assert len(store.get(map(key, range(300)))) == 300


def test_store_errors_are_input_errors():
    assert issubclass(StoreError, InputError)
