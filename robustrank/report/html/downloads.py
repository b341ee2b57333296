"""Tables that a page carries with it, as files to save."""

from __future__ import annotations

import gzip
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustrank.notes import count

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

#: Bytes from which a table is compressed.
_LARGE = 32_768


@dataclass(frozen=True)
class Download:
    """A table within a page.

    Attributes
    ----------
    name : str
        Of the file when it is unpacked: ``"ranking.csv"``.
    packed : bool
        Whether the address holds it compressed (gzip); the script of the page unpacks it.
    address : str
        A ``data:`` address.
    size : str
        Its number of rows and of bytes, unpacked.
    """

    name: str
    packed: bool
    address: str
    size: str


def embed_tables(tables: Mapping[str, pd.DataFrame]) -> list[Download]:
    """Return tables as CSV with all digits (UTF-8), the same table as the same bytes."""
    return [_embed(name, table) for name, table in tables.items()]


def _embed(name: str, table: pd.DataFrame) -> Download:
    plain = table.to_csv(index=False, lineterminator="\n").encode()
    packed = len(plain) >= _LARGE
    body = gzip.compress(plain, 9, mtime=0) if packed else plain
    kind = "application/gzip" if packed else "text/csv;charset=utf-8"
    return Download(
        name=f"{name}.csv",
        packed=packed,
        address=f"data:{kind};base64,{b64encode(body).decode()}",
        size=f"{count(len(table), 'row')}, {_kilobytes(len(plain))}",
    )


def _kilobytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"
