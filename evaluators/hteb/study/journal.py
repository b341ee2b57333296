"""Scores as they come, a line each, so that a run that was interrupted scores nothing twice."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pandas as pd

from robustrank._atomic import replacing
from robustrank.errors import InputError
from robustrank.evaluators.hteb.files.paths import generator_directory


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
                self._rows[row.pop("key")] = row
            except (ValueError, KeyError, AttributeError, TypeError):
                continue  # the process ended while it wrote this line
        if lines[-1]:  # the next line must start on one of its own
            self._append(b"\n")

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the row of a score, if it is there."""
        return self._rows.get(key)

    def add(self, key: str, row: dict[str, Any], instances: pd.DataFrame | None) -> dict[str, Any]:
        """Keep a score, and the scores of its instances; return the row as it is kept."""
        kept = {**row, "instances": None}
        if instances is not None:
            parts = [row["dataset"], row["transformation"], row["model"]]
            folders = [generator_directory(part) for part in parts]
            path = self._folder.joinpath("instances", *folders, f"{key[:24]}.parquet")
            with replacing(path) as file:
                instances.to_parquet(file, index=False)
            kept["instances"] = path.relative_to(self._folder).as_posix()
        line = json.dumps({"key": key, **kept}, ensure_ascii=True) + "\n"
        self._append(line.encode("ascii"))
        self._rows[key] = kept
        return kept

    def instances(self, row: dict[str, Any]) -> pd.DataFrame | None:
        """Return the scores of a row's instances, if it has any."""
        name = row["instances"]
        return None if name is None else pd.read_parquet(self._folder / name)

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
