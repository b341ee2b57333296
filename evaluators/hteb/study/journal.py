"""Scores as they come, a line each, so that a run that was interrupted scores nothing twice."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustrank.errors import InputError
from robustrank.evaluators.hteb.atomic import replacing
from robustrank.evaluators.hteb.files.paths import generator_directory

if TYPE_CHECKING:
    import pandas as pd


class Journal:
    """The scores of a study in its output folder.

    ``scores.jsonl`` has a line per score with the key of what it depends on. The scores of its
    instances, if it has any, are in ``instances/``; they are written first, so that a score in the
    journal has them.

    Parameters
    ----------
    folder : path-like
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        self._path = self._folder / "scores.jsonl"
        self._rows: dict[str, dict[str, Any]] = {}
        try:
            lines = self._path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError(
                f"Cannot read {self._path}: {error.strerror}.", [self._path]
            ) from error
        for line in lines:
            try:
                row = json.loads(line)
            except ValueError:  # the process ended while it wrote this line
                continue
            self._rows[row.pop("key")] = row
        if lines[-1]:  # the next line must start on one of its own
            self._append(b"\n")

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the row of a score, if it is there."""
        return self._rows.get(key)

    def add(self, key: str, row: dict[str, Any], instances: pd.DataFrame | None) -> None:
        """Keep a score, and the scores of its instances."""
        if instances is not None:
            path = self.instances_path(row)
            with replacing(path) as file:
                instances.to_parquet(file, index=False)
        line = json.dumps({"key": key, **row}, ensure_ascii=True) + "\n"
        self._append(line.encode("ascii"))
        self._rows[key] = row

    def instances_path(self, row: dict[str, Any]) -> Path:
        """Return where the instances of a row are, or would be."""
        parts = [row["dataset"], row["transformation"]]
        name = f"{generator_directory(row['model'])}"
        if row["seed_transform"] is not None:
            name += f"~seed{row['seed_transform']}"
        name += f"~{row['seed_evaluation']}.parquet"
        folder = self._folder / "instances"
        return folder.joinpath(*(generator_directory(part) for part in parts), name)

    def _append(self, line: bytes) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(
                f"{self._path} cannot be written: {error.strerror}. Check the permissions of its "
                "folder and the space on the disk.",
                [self._path],
            ) from error
