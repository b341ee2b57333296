"""Small files, and the real long tables read once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robustrank.readers import read

if TYPE_CHECKING:
    from pathlib import Path

    from robustrank import ScoreMatrix
    from robustrank.notes import Note


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


@pytest.fixture
def file(tmp_path):
    """Write text to a file whose name gives nothing away."""
    return lambda text, encoding="utf-8": write(tmp_path / "download", text, encoding)


@pytest.fixture
def notes():
    """Return the one note with a code."""

    def find(matrix: ScoreMatrix, code: str) -> Note:
        (note,) = (note for note in matrix.notes if note.code == code)
        return note

    return find


def read_long(shared: Path, snapshot: str, **options) -> ScoreMatrix:
    data = shared / "data"
    return read(
        data / f"mteb_multilingual_v2_{snapshot}.parquet",
        tasks=data / f"tasks_multilingual_v2_{snapshot}.csv",
        models=data / f"models_{snapshot}.parquet",
        **options,
    )


@pytest.fixture(scope="session")
def dec2025(shared):
    return read_long(shared, "dec2025")


@pytest.fixture(scope="session")
def aug2026(shared):
    """Today's rule of the board: a partial result is a missing one."""
    return read_long(shared, "aug2026", partial="drop")
