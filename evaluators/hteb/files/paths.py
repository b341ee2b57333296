"""Where HTEB 1.1 keeps transformed datasets, and what their files are called."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from robustrank.errors import FormatError, ParameterError, check_count
from robustrank.evaluators.hteb.hashing import digest

if TYPE_CHECKING:
    import os

#: Names that Windows gives to devices, whatever follows a dot.
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_LONGEST = 255  # bytes in the name of a folder, on every usual file system


def generator_directory(model: str) -> str:
    """Return the name of the folder of a generator.

    It is percent-encoded, with ``~`` in place of ``%``: ``"owner/name"`` is ``"owner~2Fname"``.
    """
    try:
        encoded = quote(model, safe="").replace("~", "%7E")
    except UnicodeEncodeError as error:
        raise ParameterError(
            f"The name {model!r} has a character that is no Unicode text ({error.reason}), which "
            "no folder can be called. Correct the name.",
            [model],
        ) from error
    stem = encoded.rstrip(".")
    encoded = stem + "%2E" * (len(encoded) - len(stem))
    if _DEVICES.match(encoded):
        encoded = f"%{ord(encoded[0]):02X}{encoded[1:]}"
    if not 1 <= len(encoded) <= _LONGEST:
        raise ParameterError(
            f"The name {model!r} makes a folder's name of {len(encoded)} bytes; folders have names "
            f"of 1 to {_LONGEST}. Give the model a shorter name.",
            [model],
        )
    return encoded.replace("%", "~")


def generator_of(directory: str) -> str:
    """Return the model whose folder is called `directory`."""
    if re.search("~(?![0-9A-Fa-f]{2})", directory) or "%" in directory:
        raise FormatError(
            f"The folder {directory!r} is not called after a generator: after ~ come two "
            "hexadecimal digits, as in owner~2Fname. Rename it.",
            [directory],
        )
    try:
        return unquote(directory.replace("~", "%"), errors="strict")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"The folder {directory!r} is not called after a generator: {error}. Rename it.",
            [directory],
        ) from error


def pair_directory(
    root: str | os.PathLike[str],
    *,
    generator_model: str,
    dataset: str,
    transformation: str,
    seed: int,
) -> Path:
    """Return the folder of one transformed dataset within a folder of transformations."""
    check_count("seed", seed, 0)
    names = (generator_directory(name) for name in (generator_model, dataset, transformation))
    return Path(root).expanduser().joinpath(*names, str(seed))


def pair_hash(
    *,
    generator_model: str,
    transformation: str,
    dataset: str,
    seed: int,
    generation_datetime: str | None,
) -> str:
    """Return the hash in the names of a pair's files.

    It says which transformation they hold, not with which settings or texts it was made.

    Parameters
    ----------
    generator_model, transformation, dataset : str
    seed : int
    generation_datetime : str or None
        UTC as ``"2026-09-15T11:32:54Z"``; None where HTEB wrote no time.
    """
    check_datetime(generation_datetime)
    return digest(
        {
            "generator_model": generator_model,
            "transformation": transformation,
            "dataset": dataset,
            "seed_transform": check_count("seed", seed, 0),
            "generation_datetime": generation_datetime,
        }
    )


def check_datetime(value: object) -> None:
    """Raise unless `value` is None or a time as HTEB writes it."""
    if value is None:
        return
    try:
        parsed = datetime.strptime(value, _TIME)  # type: ignore[arg-type] # TypeError is caught
        valid = parsed.strftime(_TIME) == value
    except (TypeError, ValueError):
        valid = False
    if not valid:
        raise ParameterError(
            f"generation_datetime must be UTC such as '2026-09-15T11:32:54Z'; got {value!r}."
        )
