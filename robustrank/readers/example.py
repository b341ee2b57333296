"""The bundled example: real results on MTEB(Multilingual, v2)."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from robustrank.notes import Note
from robustrank.readers.delimited import parse_text
from robustrank.readers.dispatch import read

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.matrix import ScoreMatrix


def load_example() -> ScoreMatrix:
    """Return real scores of 98 embedding models on the 130 datasets of MTEB(Multilingual, v2).

    Public MTEB results (CC0), snapshot of August 2026: 86 models with every dataset, and 12
    well-known ones that lack up to seven.

    Returns
    -------
    ScoreMatrix
        With task types and languages of the datasets, and parameters, open weights, zero-shot
        share, release date, embedding dimension and maximum input length of the models.
    """
    matrix = read(
        _table("scores.csv"),
        tasks=_table("datasets.csv"),
        models=_table("models.csv"),
        scale="unit",
    )
    message = (
        "Public MTEB results (CC0) on MTEB(Multilingual, v2), snapshot of August 2026, without "
        "FloresBitextMining; a result on a part of a dataset counts as missing."
    )
    return matrix.with_notes(Note("source", message))


def _table(name: str) -> pd.DataFrame:
    return parse_text((files("robustrank.data") / name).read_text("utf-8"), name)
