"""Finding transformed datasets in a folder that HTEB 1.1 or this package filled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustrank.errors import DuplicateError, InputError
from robustrank.evaluators.hteb.files.pairs import metadata_path, open_pair
from robustrank.evaluators.hteb.files.paths import pair_directory
from robustrank.notes import Note

if TYPE_CHECKING:
    import os
    from pathlib import Path


def find_pair(
    directory: str | os.PathLike[str],
    *,
    generator_model: str,
    dataset: str,
    transformation: str,
    seed: int,
) -> tuple[Path | None, tuple[Note, ...]]:
    """Find the newest pair of files that hold a transformed dataset.

    Files without a time, as HTEB first wrote them, are the oldest. Pairs that are broken or
    incomplete are passed over with a note and do not stand in the way of others.

    Parameters
    ----------
    directory : str or path-like
        The folder of transformations.
    generator_model, dataset, transformation : str
    seed : int

    Returns
    -------
    path : Path or None
        The parquet file; None if there is no valid pair.
    notes : tuple of Note
        What was passed over, and why.

    Raises
    ------
    DuplicateError
        If two valid pairs share the newest time.
    """
    asked: dict[str, Any] = {
        "generator_model": generator_model,
        "dataset": dataset,
        "transformation": transformation,
        "seed": seed,
    }
    folder = pair_directory(directory, **asked)
    notes: list[Note] = []
    times: dict[Path, str] = {}
    for data in _candidates(folder):
        try:
            times[data] = _time_of(data, asked)
        except InputError as error:
            notes.append(Note("skipped-pair", f"A pair was passed over. {error}", (str(data),)))
    newest = [data for data in times if times[data] == max(times.values())]
    if len(newest) > 1:
        raise DuplicateError(
            f"{' and '.join(map(str, newest))} were made at the same time, so neither is the "
            "newest. Delete one with its metadata.",
            newest,
        )
    return (newest[0] if newest else None), tuple(notes)


def _candidates(folder: Path) -> list[Path]:
    """Return the paths of parquet files, also of those of which there are only metadata."""
    there = set(folder.glob("data*.parquet"))
    for path in folder.glob("metadata*.JSON"):
        there.add(path.with_name(f"data{path.stem.removeprefix('metadata')}.parquet"))
    return sorted(there)


def _time_of(data: Path, asked: dict[str, Any]) -> str:
    metadata, file = open_pair(data)
    file.close()
    found = {**metadata, "seed": metadata["seed_transform"]}
    for key, value in asked.items():
        if found[key] != value:
            raise InputError(
                f"{metadata_path(data)} says {key} {found[key]!r}, which belongs in another folder "
                f"than that of {value!r}. Move both files there.",
                [data],
            )
    return metadata["generation_datetime"] or ""
