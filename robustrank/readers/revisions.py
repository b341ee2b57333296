"""One revision per (model, dataset), by the order that MTEB's board uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What stands in place of a revision where none is known: scores from a model card, or old files.
_NO_REVISION = frozenset(["external", "no_revision_available", "none", "nan", ""])

_RELEASE_NUMBER = re.compile("[0-9]{1,9}")


def version_order(versions: Iterable[object]) -> np.ndarray:
    """Rank mteb versions from oldest to newest; 0 where there is none.

    Only the numbers of a release count; of ``1.0.3.dev0`` and ``1.0.3`` the release is newer.
    """
    parsed = [_version(version) for version in versions]
    order = {version: rank for rank, version in enumerate(sorted(set(parsed)))}
    offset = 0 if () in order else 1
    return np.array([order[version] + offset for version in parsed], dtype=np.int64)


def _version(version: object) -> tuple[int, ...]:
    parts = str(version).strip().split(".") if isinstance(version, str) else []
    numbers = [int(part) for part in parts if _RELEASE_NUMBER.fullmatch(part)]
    if not numbers:
        return ()
    padded = [*numbers, 0, 0, 0][:3]
    return (*padded, 1 if len(numbers) == len(parts) else 0)


def choose_revisions(
    rows: pd.DataFrame, main_revisions: Mapping[str, str]
) -> tuple[np.ndarray, list[Note]]:
    """Mark the rows of the one revision that counts for their (model, dataset).

    The order of preference: the model metadata's revision; a result with an mteb version; a real
    revision before ``external`` and ``no_revision_available``; the newest mteb version; the last
    in the table.

    Parameters
    ----------
    rows : DataFrame
        Categorical columns ``model``, ``dataset``, ``revision`` and ``version``.
    main_revisions : mapping
        The revision that the metadata name, per model.

    Returns
    -------
    keep : ndarray of bool
    notes : list of Note
        Names the models for which a choice was made.
    """
    pair = rows["model"].cat.codes.to_numpy(np.int64) * len(rows["dataset"].cat.categories)
    pair += rows["dataset"].cat.codes.to_numpy(np.int64)
    revision = rows["revision"].cat.codes.to_numpy(np.int64) + 1
    run = pair * (len(rows["revision"].cat.categories) + 1) + revision
    _, last, of_run = np.unique(run[::-1], return_index=True, return_inverse=True)
    first_of_run = len(run) - 1 - last
    of_run = of_run[::-1]
    pair_of_run = pair[first_of_run]
    if len(np.unique(pair_of_run)) == len(pair_of_run):
        return np.ones(len(rows), dtype=bool), []

    versions = np.zeros(len(rows["version"].cat.categories) + 1, dtype=np.int64)
    versions[:-1] = version_order(rows["version"].cat.categories)  # the last entry is "missing"
    newest = np.zeros(len(pair_of_run), dtype=np.int64)
    np.maximum.at(newest, of_run, versions[rows["version"].cat.codes.to_numpy()])
    names = rows["revision"].iloc[first_of_run].astype("object").to_numpy()
    models = rows["model"].iloc[first_of_run].astype("object").to_numpy()
    is_main = np.array(
        [main_revisions.get(m) == r for m, r in zip(models, names, strict=True)], dtype=bool
    )
    is_real = np.array([str(name).strip().casefold() not in _NO_REVISION for name in names])
    # Equal in all that counts: the revision's own text decides, not the order of the rows.
    by_text = np.unique(names.astype(str), return_inverse=True)[1]
    order = np.lexsort((by_text, newest, is_real, newest > 0, is_main, pair_of_run))
    best = order[np.append(np.diff(pair_of_run[order]) != 0, True)]
    chosen = np.zeros(len(pair_of_run), dtype=bool)
    chosen[best] = True

    several = pd.Series(pair_of_run).duplicated(keep=False).to_numpy()
    labels = tuple(sorted({str(model) for model in models[several]}))
    message = (
        f"{count(len(np.unique(pair_of_run[several])), 'score')} of {count(len(labels), 'model')} "
        f"({name_some(labels)}) exist in several revisions; one was used for each: the metadata's "
        "revision, else one with an mteb version, a real revision, the newest version, the last in "
        "alphabetical order."
    )
    return chosen[of_run], [Note("revisions", message, labels)]
