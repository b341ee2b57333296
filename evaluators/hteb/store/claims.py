"""Who generates which text, where several processes share a store."""

from __future__ import annotations

import itertools
import json
import os
import socket
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from robustrank.evaluators.hteb.store.rows import tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

_serials = itertools.count(1)


@dataclass(frozen=True)
class Owner:
    """One run of one process.

    Attributes
    ----------
    host : str
        The host's name and, on Linux, the namespace of its processes: a container's numbers of
        processes mean nothing outside of it.
    pid : int
    started : str or None
        When the process started, as numbers of processes are used again; None where the system
        does not tell.
    serial : int
        Tells the runs of a process apart.
    """

    host: str
    pid: int
    started: str | None
    serial: int

    @classmethod
    def here(cls) -> Owner:
        """Return a new owner in this process."""
        return cls(_host(), os.getpid(), _started(os.getpid()), next(_serials))

    def is_dead(self) -> bool:
        """Whether the process is known to have ended."""
        # Signal 0 asks whether a process exists; on Windows it would end it.
        if os.name != "posix" or self.host != _host():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:  # it is there, and somebody else's
            pass
        return self.started != _started(self.pid)

    def to_text(self) -> str:
        """Write the owner as a store holds it."""
        return json.dumps(asdict(self), sort_keys=True)


def claim_free(
    connection: Connection, keys: Sequence[str], owner: Owner, lease_seconds: float
) -> set[str]:
    """Claim those of some keys that have no text and that no other living owner holds."""
    from sqlalchemy import select  # noqa: PLC0415 - loaded only when needed

    generations, claims = tables().generations, tables().claims
    done = select(generations.c.key).where(
        generations.c.key.in_(keys), generations.c.failure.is_(None)
    )
    finished = connection.execute(done).scalars().all()
    held = connection.execute(select(claims).where(claims.c.key.in_(keys))).all()
    now, mine = time.time(), owner.to_text()
    dead = {text: Owner(**json.loads(text)).is_dead() for text in {row.owner for row in held}}
    ended = {row.key for row in held if row.owner == mine or row.until < now or dead[row.owner]}
    ours = set(keys).difference(finished, {row.key for row in held} - ended)
    if ended:
        connection.execute(claims.delete().where(claims.c.key.in_(ended)))
    if ours:
        rows = [{"key": key, "owner": mine, "until": now + lease_seconds} for key in sorted(ours)]
        connection.execute(claims.insert(), rows)
    return ours


def release_claims(connection: Connection, keys: Sequence[str], owner: Owner) -> None:
    """Give up the claims that are still this owner's."""
    claims = tables().claims
    connection.execute(
        claims.delete().where(claims.c.key.in_(keys), claims.c.owner == owner.to_text())
    )


def _host() -> str:
    try:
        return f"{socket.gethostname()}/{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:  # not Linux
        return socket.gethostname()


def _started(pid: int) -> str | None:
    """Return the boot of the machine and the ticks since, at which a process started."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux
        return None
    # The name of the program, in parentheses, may hold spaces and parentheses itself.
    state, *rest = stat.rpartition(")")[2].split()
    return None if state in {"Z", "X"} else f"{boot}:{rest[18]}"  # killed, not yet buried
