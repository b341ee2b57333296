"""Results of HTEB, or any table of their shape, into `Scores`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pandas as pd

from robustrank._missing import Missing
from robustrank.errors import FormatError, ParameterError
from robustrank.evaluators.base import Evaluation
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.statistics.building import CELL, FAILED, SEEDS, build_scores
from robustrank.evaluators.hteb.statistics.completing import complete
from robustrank.evaluators.hteb.statistics.scores import Scores
from robustrank.evaluators.hteb.texts.transformations import ORIGINAL
from robustrank.readers.hteb import is_hteb
from robustrank.readers.tables import existing, load_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

#: What can be read: a run's folder, its ``scores.csv``, a released tool's ``scores.JSON``, what an
#: evaluator returned, or a long table.
Source = Scores | Evaluation | pd.DataFrame | str | Path


def read_scores(
    source: Source,
    *,
    axes: Mapping[str, Sequence[str]] | None = None,
    models: str | Iterable[str] | None = None,
    datasets: str | Iterable[str] | None = None,
    missing: Missing | None = None,
) -> Scores:
    """Read scores on original and transformed texts.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        What `HTEB.run` returned, the folder that a run left, its ``scores.csv``, a ``scores.JSON``
        of the released tool, or any long table with the columns ``model``, ``dataset``,
        ``transformation`` and ``score``. The scores of the original texts are rows whose
        transformation is ``"original"``, or a column ``original`` with the score of the same items
        as they are. Runs are told apart by ``run`` or by seeds.
    axes : mapping of str to sequence of str, optional
        The transformations of each axis. By default those of *HTEB*, or what the table has in a
        column ``axis``.
    models, datasets : str or iterable of str, optional
        Which to keep; all by default.
    missing : {"drop-models", "drop-datasets", "error", "keep"}, optional
        What to do where a score of one of the transformations is missing for a model on a dataset.
        ``"keep"`` averages over the datasets that each model has, which are then not the same. By
        default ``"drop-models"``; `Scores`, which were read already, stay as they are.

    Returns
    -------
    Scores
        On 0..1; scores beyond 1 are taken to be in percent.

    Raises
    ------
    InputError
        A subclass that names what is wrong and the remedy.
    """
    if missing not in (None, *get_args(Missing)):
        raise ParameterError(
            f"missing must be one of {', '.join(get_args(Missing))}; got {missing!r}."
        )
    if isinstance(source, Scores) and axes is not None:
        raise ParameterError(
            "These scores have their axes already. Pass axes where the table is read: "
            "read_scores(table, axes=...)."
        )
    scores = source if isinstance(source, Scores) else build_scores(_table_of(source), axes)
    if models is not None or datasets is not None:
        scores = scores.select(models=models, datasets=datasets)
    if missing is None and isinstance(source, Scores):
        return scores
    return complete(scores, missing or "drop-models")


def _table_of(source: Evaluation | pd.DataFrame | str | Path) -> pd.DataFrame:
    if isinstance(source, Evaluation):
        table: str | Path | pd.DataFrame | list[dict[str, object]] = source.table
    elif isinstance(source, str | Path):
        path = existing(source)
        if path.is_dir():
            path = _in_folder(path)
        content = load_file(path)
        table = _from_json(content) if is_hteb(content) else path
    elif isinstance(source, pd.DataFrame):
        table = source
    else:
        raise FormatError(
            f"Scores cannot be read from {type(source).__name__}. Pass a folder or file of a run, "
            "what an evaluator returned, or a DataFrame with one row per score."
        )
    return load_long(table, "score", labels=CELL, numbers=["score"], if_there=[ORIGINAL, FAILED])


def _in_folder(folder: Path) -> Path:
    for name in ("scores.csv", "scores.JSON"):
        if (folder / name).is_file():
            return folder / name
    raise FormatError(
        f"{folder} holds no scores.csv. Name the folder that a run left (its output), or a file "
        "with one row per score.",
        [folder],
    )


def _from_json(records: list[dict[str, Any]]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for record in records:
        cell = {name: record.get(name) for name in ("model", "dataset")}
        seeds: dict[str, object] = {name: record[name] for name in SEEDS if name in record}
        for name, found in record["transformations"].items():
            score = found["score"] if isinstance(found, dict) else found
            original = record.get(ORIGINAL)
            rows.append(
                {**cell, "transformation": name, **seeds, "score": score, ORIGINAL: original}
            )
    return rows
