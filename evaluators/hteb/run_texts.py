"""The transformed texts that a run left in its folder, as one long table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from robustrank.errors import EmptyMatrixError, FormatError, unknown_label
from robustrank.evaluators.hteb.files.paths import generator_of
from robustrank.evaluators.hteb.store.rows import unescape
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS

if TYPE_CHECKING:
    import os

_TEXTS = ("original", "text", "output")
_LISTS = ("errors", "first_errors")
_COLUMNS = ("ordinal", *_TEXTS, "source", "target", *_LISTS)


def read_texts(folder: str | os.PathLike[str]) -> pd.DataFrame:
    """Read every text of a run, whether its transformation succeeded or failed.

    Parameters
    ----------
    folder : str or Path
        The output of a study: it holds ``texts/DATASET/TRANSFORMATION/SEED.parquet``.

    Returns
    -------
    DataFrame
        One row per text, ordered by dataset (as the names of the folders sort), transformation (in
        HTEB's order), seed and ordinal. ``generator`` is that of ``settings.json``, or the
        folder's name where there are no such settings; ``dataset``, ``transformation`` and
        ``seed`` are the file's; ``ordinal`` numbers the texts of a dataset, alike under every
        transformation and seed, ``original`` is the text before. ``text`` is what came out, None if
        that may not be used; ``output`` the last answer in any case. ``source`` and ``target`` are
        languages; ``errors`` and ``first_errors`` are tuples of error types, of the answer that
        was used and of the first. ``identified`` is whether languages were looked at.

    Raises
    ------
    FormatError
        If the folder, or a file in it, is not a run's.
    EmptyMatrixError
        If it holds no texts.
    """
    root = Path(folder).expanduser()
    if not root.joinpath("texts").is_dir():
        raise FormatError(
            f"{root} holds no folder texts. Name the folder that a run left: the output of its "
            "configuration.",
            [root],
        )
    files = sorted(root.glob("texts/*/*/*.parquet"), key=_place)
    parts = [part for part in map(_read, files) if len(part)]
    if not parts:
        raise EmptyMatrixError(
            f"{root / 'texts'} holds no transformed texts. Run the study, or choose another "
            "folder.",
            [root],
        )
    table = pd.concat(parts, ignore_index=True)
    generator, identified = _settings(root)
    table.insert(0, "generator", generator)
    return table.assign(identified=identified)


def _place(path: Path) -> tuple[str, int, int]:
    """Return by what a file is ordered, or refuse it."""
    dataset, transformation = path.parts[-3:-1]
    if transformation not in TRANSFORMATIONS:
        raise unknown_label("transformation", transformation, TRANSFORMATIONS)
    if not path.stem.isdecimal():
        raise FormatError(f"{path} is not named after its seed, as in 1337.parquet.", [path])
    return dataset, list(TRANSFORMATIONS).index(transformation), int(path.stem)


def _read(path: Path) -> pd.DataFrame:
    try:
        names = pq.read_schema(path).names
        absent = [name for name in _COLUMNS if name not in names]
        if absent:
            raise FormatError(
                f"{path} lacks the columns {', '.join(absent)}: no run wrote it. Take it away, or "
                "transform the texts again.",
                [path],
            )
        columns = pq.read_table(path, columns=list(_COLUMNS)).to_pydict()
    except (OSError, pa.ArrowInvalid) as error:
        raise FormatError(
            f"{path} cannot be read ({error}). Delete it and transform the texts again.", [path]
        ) from error
    for name in _TEXTS:
        columns[name] = [text if text is None else unescape(text) for text in columns[name]]
    for name in _LISTS:
        columns[name] = [tuple(errors) for errors in columns[name]]
    # As objects: Arrow's strings hold no surrogates, which texts may.
    table = pd.DataFrame(columns, dtype=object).astype({"ordinal": np.int64})
    table.insert(0, "dataset", generator_of(path.parts[-3]))
    table.insert(1, "transformation", path.parts[-2])
    table.insert(2, "seed", int(path.stem))
    return table


def _settings(root: Path) -> tuple[str, bool]:
    """Return the generator of a run, and whether it looked at languages."""
    path = root / "settings.json"
    if not path.is_file():
        return root.resolve().name, True
    try:
        settings = json.loads(path.read_text("utf-8"))
        generator, identifier = settings["generator"], settings["identifier"]
        name = generator["model"] if generator else root.resolve().name
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"{path} does not say which generator wrote the texts, as a run's settings do. Take it "
            "away to have them called after the folder.",
            [path],
        ) from error
    return str(name), identifier is not None
