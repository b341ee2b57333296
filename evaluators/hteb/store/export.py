"""A table of generated texts for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from robustrank.evaluators.hteb.hashing import canonical_json
from robustrank.evaluators.hteb.store.rows import COLUMNS, Generation, escape

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO

_TYPES = {
    **dict.fromkeys(("seed", "attempt", "n_tries", "prompt_tokens"), pa.int64()),
    "completion_tokens": pa.int64(),
    "seconds": pa.float64(),
    "created": pa.timestamp("us", tz="UTC"),
}
_SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in COLUMNS])


def write_table(file: BinaryIO, blocks: Iterable[list[Generation]]) -> None:
    """Write blocks of generations as one parquet table, a column per field.

    Sampling is JSON. A surrogate, a NUL and U+001A are U+001A and four hexadecimal digits.
    """
    with ParquetWriter(file, _SCHEMA, compression="zstd") as writer:
        for block in blocks:
            writer.write_table(
                pa.table(
                    [[_cell(getattr(row, name)) for row in block] for name in COLUMNS], _SCHEMA
                )
            )


def _cell(value: object) -> object:
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, tuple):
        return [escape(error) for error in value]
    return escape(canonical_json(value)) if isinstance(value, dict) else value
