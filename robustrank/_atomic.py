"""Files that are there whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from robustrank.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its name, and the place of an older one, at the end.

    Its folder is made. After an error, and after the end of the process, what was at `path` is as
    it was; the name of what is left over then starts with a dot and ends in ``.tmp``.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with unfinished.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror or error}. Check the permissions of its "
            "folder and the space on the disk, or name another place.",
            [path],
        ) from error


def write_text(path: Path, text: str) -> Path:
    """Write text as UTF-8, ending in a line break, as `replacing` does; return the path."""
    with replacing(path) as file:
        file.write((text if text.endswith("\n") else f"{text}\n").encode())
    return path


def _sync_folder(folder: Path) -> None:
    """Make a new name last through a power failure; Windows does that by itself."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
