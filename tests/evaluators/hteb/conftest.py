"""A PostgreSQL server of the tests' own, and a store in each database."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from robustrank.evaluators.hteb.store.store import Store


def _server_programs() -> Path | None:
    found = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return Path(found).resolve().parent if found else next(reversed(folders), None)


def _unprivileged() -> dict[str, object]:
    """Arguments of `subprocess.run`: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    import pwd

    try:
        account = pwd.getpwnam("postgres")
    except KeyError:
        pytest.skip("PostgreSQL refuses to run as root and there is no user 'postgres'")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


@pytest.fixture(scope="session")
def postgres_server():
    """The folder of the socket of a running server."""
    pytest.importorskip("psycopg")
    programs = _server_programs()
    if programs is None or not (programs / "pg_ctl").exists():
        pytest.skip("the programs of a PostgreSQL server are not installed")
    account = _unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # sockets need short paths
    if "user" in account:
        os.chown(folder, account["user"], account["group"])

    def run(name: str, *arguments: object) -> None:
        command = [str(programs / name), *map(str, arguments)]
        log = folder / "log"
        with log.open("ab") as output:
            done = subprocess.run(
                command, cwd=folder, stdout=output, stderr=output, check=False, **account
            )
        assert done.returncode == 0, log.read_text()

    data = folder / "data"
    run("initdb", "-D", data, "-U", "hteb", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    run("pg_ctl", "start", "-w", "-D", data, "-l", folder / "server.log", "-o", options)
    yield folder
    run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data)
    shutil.rmtree(folder)


@pytest.fixture
def postgres_url(postgres_server):
    """The URL of an empty schema, which is made faster than a database."""
    import psycopg

    name = f"t{next(_numbers)}"
    where = f"host={postgres_server} user=hteb dbname=postgres"
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"postgresql://hteb@/postgres?host={postgres_server}&options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request, tmp_path):
    """Where a store is: a path or a URL."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres_url")
    return tmp_path / "texts.db"


@pytest.fixture
def store(place):
    with Store(place) as opened:
        yield opened


_numbers = iter(range(10**9))
