"""Pairs of files that hold a transformed dataset, as HTEB 1.1 writes and reads them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow.parquet import ParquetFile, write_table

from robustrank._atomic import replacing
from robustrank.errors import DuplicateError, FormatError, InputError
from robustrank.evaluators.hteb.files.metadata import check_metadata
from robustrank.evaluators.hteb.files.paths import pair_directory, pair_hash
from robustrank.evaluators.hteb.files.tables import ORIGINAL, from_table, to_table

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from robustrank.evaluators.hteb.records import Dataset


@dataclass(frozen=True, eq=False)
class Pair:
    """A dataset and its transformation.

    Attributes
    ----------
    original, transformed : Dataset
        A text that could not be transformed is None in `transformed`.
    metadata : dict
        With the keys that HTEB 1.1 knows.
    provenance : dict or None
        What this package wrote besides; None for a pair that HTEB wrote.
    """

    original: Dataset
    transformed: Dataset
    metadata: dict[str, Any]
    provenance: dict[str, Any] | None


def write_pair(
    directory: str | os.PathLike[str],
    *,
    original: Dataset,
    transformed: Dataset,
    transformation: str,
    seed: int,
    generator_model: str,
    generation_datetime: str | None,
    max_model_length: int,
    max_tokens: int,
    max_retries: int,
    generation_statistics: Mapping[str, Any],
    provenance: Mapping[str, Any],
    max_tokens_expansion: int | None = None,
    transform_corpus: bool | None = None,
    translation_language_selection: str | None = None,
) -> Path:
    """Write a transformed dataset into its place in a folder of transformations.

    The metadata get their name last: until then there is no pair for `find_pair`, whenever the
    process ends. HTEB 1.1 refuses a folder that has the second file without the third, which is so
    for the instant between their renaming.

    Parameters
    ----------
    directory : str or path-like
        The folder of transformations.
    original, transformed : Dataset
        The same rows; a text that could not be transformed is None and is saved as "".
    transformation : str
    seed : int
    generator_model : str
    generation_datetime : str or None
        UTC as ``"2026-09-15T11:32:54Z"``.
    max_model_length, max_tokens, max_retries : int
    generation_statistics : mapping
        The counts that HTEB 1.1 keeps, and its ``fallback_reasons``.
    provenance : mapping
        What HTEB's metadata have no place for, such as prompts and sampling; goes to a third file.
    max_tokens_expansion : int or None
        Only for summarised_expansion.
    transform_corpus : bool or None
        Only, and necessary, for retrieval and reranking.
    translation_language_selection : {"dataset"} or None
        Only for translation: one language for all texts of a dataset with the same languages to
        exclude.

    Returns
    -------
    Path
        The parquet file.

    Raises
    ------
    FormatError
        If HTEB 1.1 would refuse the pair.
    DuplicateError
        If the pair is there already: times have a resolution of a second.
    """
    revision = original.revision
    optional = {
        "source_revision": revision if re.fullmatch("[0-9a-f]{40}", revision or "") else None,
        "data_filtering": None if original.filtering is None else dict(original.filtering),
        "translation_language_selection": translation_language_selection,
        "max_tokens_expansion": max_tokens_expansion,
        "transform_corpus": transform_corpus,
        "clustering_format": original.clustering_format,
    }
    metadata: dict[str, Any] = {
        "generator_model": generator_model,
        "transformation": transformation,
        "dataset": original.name,
        "seed_transform": seed,
        "generation_datetime": generation_datetime,
        "max_model_length": max_model_length,
        "max_tokens": max_tokens,
        "max_retries": max_retries,
        "generation_statistics": dict(generation_statistics),
        **{key: value for key, value in optional.items() if value is not None},
    }
    where = f"The metadata of {original.name}, {transformation}, seed {seed}"
    check_metadata(metadata, where, task_type=original.task_type)
    table, n_failed = to_table(original, transformed, column_name(metadata))
    counted = metadata["generation_statistics"]["text_fields_with_fallback"]
    if counted != n_failed:
        raise FormatError(
            f"{where}: text_fields_with_fallback is {counted:,}, but {n_failed:,} texts could not "
            "be transformed. Count again.",
            ["text_fields_with_fallback"],
        )
    folder = pair_directory(
        directory,
        generator_model=generator_model,
        dataset=original.name,
        transformation=transformation,
        seed=seed,
    )
    mark = _mark(metadata)
    data = folder / f"data_{mark}.parquet"
    if metadata_path(data).exists():
        raise DuplicateError(
            f"{data} is there already. Give a later generation_datetime than "
            f"{generation_datetime}, or delete the pair.",
            [data],
        )
    with (
        replacing(metadata_path(data)) as metadata_file,
        replacing(data) as data_file,
        replacing(provenance_path(data)) as provenance_file,
    ):
        metadata_file.write(_to_json(metadata, where))
        write_table(
            table.replace_schema_metadata(None),
            data_file,
            version="2.6",
            compression="zstd",
            use_dictionary=True,
            store_schema=False,
        )
        provenance_file.write(_to_json(provenance, f"The provenance of {data}"))
    return data


def read_pair(path: str | os.PathLike[str], *, like: Dataset) -> Pair:
    """Read a pair.

    Parameters
    ----------
    path : str or path-like
        The parquet file; its metadata are beside it.
    like : Dataset
        What the definition says about the dataset. Its rows are not looked at.

    Raises
    ------
    FormatError
        If the files are not a pair of this dataset.
    """
    data = Path(path).expanduser()
    metadata, file = open_pair(data)
    with file:
        check_metadata(metadata, str(metadata_path(data)), task_type=like.task_type)
        if metadata["dataset"] != like.name:
            raise FormatError(
                f"{data} holds {metadata['dataset']!r}, not {like.name!r}. Name the right file.",
                [data],
            )
        try:
            table = file.read()
        except (pa.ArrowException, OSError) as error:
            raise _damaged(data, error) from error
    original, transformed = from_table(table, column_name(metadata), like, str(data))
    side = provenance_path(data)
    provenance = _load_json(side) if side.exists() else None
    return Pair(original, transformed, metadata, provenance)


def open_pair(data: Path) -> tuple[dict[str, Any], ParquetFile]:
    """Return the metadata of a pair, and its parquet file opened; raise unless they go together."""
    metadata = _load_json(metadata_path(data))
    check_metadata(metadata, str(metadata_path(data)))
    if data.stem not in {"data", f"data_{_mark(metadata)}"}:
        raise FormatError(
            f"{data} should be called data_{_mark(metadata)}.parquet by what its metadata say. "
            "Rename both files, or make the pair again.",
            [data],
        )
    try:
        file = ParquetFile(data)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(data, error) from error
    columns, types = file.schema_arrow.names, file.schema_arrow.types
    expected = [ORIGINAL, column_name(metadata)]
    if columns != expected or types[0] != types[1] or not pa.types.is_struct(types[0]):
        file.close()
        raise FormatError(
            f"{data} must have the columns {' and '.join(expected)}, structs of one type; it has "
            f"{dict(zip(columns, map(str, types), strict=True))!s:.300}. Make the pair again.",
            [data],
        )
    return metadata, file


def column_name(metadata: Mapping[str, Any]) -> str:
    """Return what the column of the transformed rows is called."""
    return f"{metadata['transformation']}_seed_{metadata['seed_transform']}"


def metadata_path(data: Path) -> Path:
    """Return the path of the metadata that go with a parquet file."""
    return data.with_name(f"metadata{data.stem.removeprefix('data')}.JSON")


def provenance_path(data: Path) -> Path:
    """Return the path of what this package knows besides.

    HTEB takes ``data*.parquet`` and ``metadata*.JSON`` for its own, so the name is neither.
    """
    return data.with_name(f"provenance{data.stem.removeprefix('data')}.json")


def _mark(metadata: Mapping[str, Any]) -> str:
    return pair_hash(
        generator_model=metadata["generator_model"],
        transformation=metadata["transformation"],
        dataset=metadata["dataset"],
        seed=metadata["seed_transform"],
        generation_datetime=metadata["generation_datetime"],
    )


def _to_json(value: Mapping[str, Any], where: str) -> bytes:
    try:
        text = json.dumps(dict(value), indent=2, ensure_ascii=False, allow_nan=False)
        return f"{text}\n".encode()
    except (TypeError, ValueError) as error:
        raise FormatError(f"{where} cannot be written as JSON: {error}. Correct it.") from error


def _load_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror or error}. Put it there, or delete the other "
            "file of its pair.",
            [path],
        ) from error
    except ValueError as error:
        raise _damaged(path, error) from error
    if not isinstance(value, dict):
        raise _damaged(path, "it holds no object")
    return value


def _damaged(path: Path, error: object) -> FormatError:
    return FormatError(
        f"{path} is damaged ({error}). Delete both files of the pair, or make it again.", [path]
    )
