"""Scores per instance over all transformations, for resampling within datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from robustrank._atomic import replacing
from robustrank.evaluators.hteb.texts.transformations import ORIGINAL, TRANSFORMATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from robustrank.evaluators.hteb.study.journal import Journal

_SCHEMA = pa.schema(
    [
        ("model", pa.string()),
        ("dataset", pa.string()),
        ("instance", pa.string()),
        ("score", pa.float64()),
    ]
)


def write_instance_totals(
    path: Path, rows: Iterable[dict[str, Any]], journal: Journal
) -> tuple[str, ...]:
    """Write the total of each model on each instance, weighted like the total of a dataset.

    Datasets whose score is no mean over instances, such as a correlation, are not in the table. An
    instance that was left out of some transformations has the mean over the others.

    Parameters
    ----------
    path : Path
        A parquet file that `robustrank.read_instances` reads.
    rows : iterable of dict
        One per score.
    journal : Journal
        Where the scores of instances are.

    Returns
    -------
    tuple of str
        The datasets in the table.
    """
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        if row["transformation"] != ORIGINAL:
            groups.setdefault((row["model"], row["dataset"]), []).append(row)
    datasets: dict[str, None] = {}
    with replacing(path) as file, pq.ParquetWriter(file, _SCHEMA, compression="zstd") as writer:
        for (model, dataset), members in groups.items():
            parts = list(_read(members, journal))
            if len(parts) < len(members):
                continue
            totals = _total(pd.concat(parts))
            table = totals.reset_index(name="score").assign(model=model, dataset=dataset)
            writer.write_table(pa.Table.from_pandas(table[_SCHEMA.names], _SCHEMA, False))
            datasets[dataset] = None
    return tuple(datasets)


def _read(rows: Iterable[dict[str, Any]], journal: Journal) -> Iterator[pd.DataFrame]:
    """Yield the scores of instances with what they belong to, where there are such scores."""
    for row in rows:
        table = journal.instances(row)
        if table is None or "score" not in table:
            continue
        names = table["instance"].astype(str)
        if "subset" in table:
            names = table["subset"].astype(str) + ": " + names
        yield pd.DataFrame(
            {
                "instance": names,
                "transformation": row["transformation"],
                "score": table["score"].astype("float64"),
            }
        )


def _total(scores: pd.DataFrame) -> pd.Series:
    """Average over seeds, then over the transformations of an axis, then over axes."""
    means = scores.groupby(["instance", "transformation"], sort=False)["score"].mean().reset_index()
    means["axis"] = [TRANSFORMATIONS[name].axis for name in means["transformation"]]
    axes = means.groupby(["instance", "axis"], sort=False)["score"].mean()
    return axes.groupby("instance", sort=False).mean()
