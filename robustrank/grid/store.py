"""Blocks on disk: written as they come, found again by what they were computed from."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._atomic import replacing
from robustrank._versions import library_versions
from robustrank.agreement import assess_agreement
from robustrank.grid.block import Block
from robustrank.notes import Note
from robustrank.redundancy import counted_compositions

if TYPE_CHECKING:
    from pathlib import Path

    from robustrank.grid.block import BlockSettings
    from robustrank.matrix import ScoreMatrix

#: Changes whenever the same input gives other files.
FORMAT = 1
_META = b"robustrank"


class BlockStore:
    """A folder with a parquet file per block: a row per model, a column per ranking.

    Parameters
    ----------
    folder : Path
        Made when the first block is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, key: str) -> Path:
        """Return where the block of a key lies."""
        return self._folder / f"{key}.parquet"

    def get(self, key: str) -> Block | None:
        """Return a block that an earlier run wrote; None if it is not there or not whole."""
        import pyarrow as pa  # noqa: PLC0415 - loaded only when needed
        import pyarrow.parquet as pq  # noqa: PLC0415

        path = self.path(key)
        if not path.exists():
            return None
        try:
            table = pq.read_table(path)
            about = json.loads((table.schema.metadata or {})[_META])
            return _from_table(table.to_pandas(), about)
        except (pa.ArrowException, KeyError, TypeError, ValueError, OSError):
            return None  # of another version, or damaged: it is computed again and replaced

    def put(self, key: str, block: Block) -> None:
        """Write a block."""
        import pyarrow as pa  # noqa: PLC0415 - loaded only when needed
        import pyarrow.parquet as pq  # noqa: PLC0415

        table = pa.Table.from_pandas(_to_frame(block))
        about = json.dumps(_about(block), ensure_ascii=False).encode()
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), _META: about})
        with replacing(self.path(key)) as file:
            pq.write_table(table, file)


def block_key(matrix: ScoreMatrix, settings: BlockSettings) -> str:
    """Return what tells a block from all others: its scores, labels and settings."""
    scores = matrix.scores
    listed = matrix.models.get("partial_scores", pd.Series(dtype=object))
    here = tuple(f"{name}: " for name in scores.columns)
    content = {
        "format": FORMAT,
        "versions": library_versions(),
        "settings": _what_matters(settings),
        "models": list(scores.index),
        "datasets": list(scores.columns),
        "partial": [
            [part for part in parts if part.startswith(here)] if isinstance(parts, tuple) else []
            for parts in listed
        ],
    }
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode())
    digest.update(np.ascontiguousarray(scores.to_numpy()).tobytes())
    return digest.hexdigest()[:32]


def _what_matters(settings: BlockSettings) -> dict[str, Any]:
    """Return the settings that a block depends on."""
    values = {name: value for name, value in vars(settings).items() if name != "consistency"}
    if settings.n_resamples == 0:
        del values["confidence_level"]
    return values


def _to_frame(block: Block) -> pd.DataFrame:
    parts = {"mean": block.mean}
    for kind, table in (("rank", block.ranks), ("boot", block.bootstrap)):
        if table is not None:
            parts |= {"|".join((kind, *key)): table[key] for key in table.columns.to_list()}
    return pd.DataFrame(parts).rename_axis("model")


def _about(block: Block) -> dict[str, Any]:
    return {
        "n": block.n,
        "q": block.q,
        "n_unique": block.n_unique,
        "datasets": list(map(str, block.clusters.index)),
        "clusters": list(map(int, block.clusters)),
        "compositions": {
            str(name): list(map(bool, row)) for name, row in block.compositions.iterrows()
        },
        "merges": block.merges.to_dict("list"),
        "notes": [note.to_dict() for note in block.notes],
    }


def _from_table(frame: pd.DataFrame, about: dict[str, Any]) -> Block:
    datasets = pd.Index(about["datasets"], name="dataset")
    bootstrap = _columns(frame, "boot", ["scheme", "statistic"])
    ranks = _columns(frame, "rank", ["composition", "scheme"])
    names = list(about["compositions"])
    return Block(
        n=about["n"],
        q=about["q"],
        n_unique=about["n_unique"],
        clusters=pd.Series(about["clusters"], index=datasets, name="cluster"),
        compositions=pd.DataFrame(
            list(about["compositions"].values()),
            index=pd.Index(names, name="composition"),
            columns=datasets,
        ),
        merges=_merges(about["merges"]),
        mean=frame["mean"],
        ranks=ranks,
        agreement=assess_agreement(ranks, counted_compositions(names, about["n_unique"])),
        bootstrap=None if bootstrap.empty else bootstrap,
        notes=tuple(Note(n["code"], n["message"], tuple(n["labels"])) for n in about["notes"]),
    )


def _merges(columns: dict[str, list[Any]]) -> pd.DataFrame:
    names = [name for name in columns if name.startswith("dataset")]
    types: dict[str, Any] = {"correlation": float, "fragile": bool}
    if not columns["correlation"]:  # where there is no name, nothing says that names are text
        types |= dict.fromkeys(names, object)
    return pd.DataFrame(columns).astype(types)


def _columns(frame: pd.DataFrame, kind: str, names: list[str]) -> pd.DataFrame:
    chosen = [name for name in frame.columns if name.startswith(f"{kind}|")]
    keys = [tuple(name.split("|", 2)[1:]) for name in chosen]
    return frame[chosen].set_axis(pd.MultiIndex.from_tuples(keys, names=names), axis="columns")
