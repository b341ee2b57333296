"""Snapshots of source datasets, named after the hash of what they hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustrank._atomic import replacing
from robustrank.errors import FormatError, InputError
from robustrank.evaluators.hteb.hashing import digest

if TYPE_CHECKING:
    import os

    from robustrank.evaluators.hteb.records import Dataset

_SURROGATES = re.compile("[\ud800-\udfff]")


def write_snapshot(directory: str | os.PathLike[str], dataset: Dataset) -> Path:
    """Keep the rows of a dataset in ``raw_sources``, unless they are there already.

    Parameters
    ----------
    directory : str or path-like
        The folder of transformations.
    dataset : Dataset

    Returns
    -------
    Path
        The file; its name holds the hash of its content.
    """
    try:
        text = json.dumps(
            {
                "dataset": dataset.name,
                "task_type": dataset.task_type,
                "source_revision": dataset.revision,
                "records": dataset.records,
            },
            indent=2,
            ensure_ascii=False,
            allow_nan=False,
        )
    except (TypeError, ValueError) as error:
        raise FormatError(
            f"The rows of {dataset.name} cannot be written as JSON: {error}. Convert such values "
            "to texts or numbers when loading.",
            [dataset.name],
        ) from error
    # In JSON a surrogate stands within a text, where it can be written in ASCII.
    text = _SURROGATES.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    name = f"originals_{digest(json.loads(text))}.JSON"
    path = Path(directory).expanduser() / "raw_sources" / name
    if not path.exists():
        with replacing(path) as file:
            file.write(f"{text}\n".encode())
    return path


def read_snapshot(path: str | os.PathLike[str]) -> Any:
    """Return what a snapshot holds; raise if it is not what its name says."""
    found = Path(path).expanduser()
    try:
        content = json.loads(found.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"{found} cannot be read: {error.strerror or error}. Check the path.", [found]
        ) from error
    except ValueError as error:
        raise FormatError(f"{found} is no JSON: {error}. Make it again.", [found]) from error
    if found.name != f"originals_{digest(content)}.JSON":
        raise FormatError(
            f"{found} was changed or renamed: the hash of its content is {digest(content)}. "
            "Delete it, and load the dataset again.",
            [found],
        )
    return content
