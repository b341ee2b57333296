"""What one study says otherwise than another, cell by cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._numeric import kendall_tau
from robustrank.errors import ParameterError
from robustrank.grid.cells import join_names
from robustrank.grid.layout import block_of

if TYPE_CHECKING:
    from robustrank.grid.block import Block
    from robustrank.grid.plan import CellPlan
    from robustrank.grid.study import Study

#: Columns of `Study.cells` that are put side by side.
_COUNTS = ("n", "n_scored", "q", "n_models")
_PAIRED = (
    *_COUNTS,
    "level",
    "ess",
    "w_schemes",
    "w_compositions",
    "most_consistent_model",
    "consistency",
    "leader",
)
#: Columns on models and datasets.
_DTYPES = {
    "n_shared": "Int64",
    "kendall_tau": "float64",
    **dict.fromkeys(("n_models_in", "n_models_out"), "Int64"),
    **dict.fromkeys(("models_in", "models_out", "datasets_in", "datasets_out"), "object"),
}


def compare_studies(base: Study, other: Study) -> pd.DataFrame:
    """Compare two studies cell by cell: under another setting, or of a later snapshot.

    Parameters
    ----------
    base, other : Study
        Laid out by the same two fields. Models, datasets, languages and task types are matched by
        name.

    Returns
    -------
    DataFrame
        One row per cell of either study, index (language, task_type). Side by side, as they are in
        `Study.cells` and with ``_other`` for the other study, NA where that has no such cell:
        ``n``, ``n_scored``, ``q``, ``n_models``, ``level``, ``ess``, ``w_schemes``,
        ``w_compositions``, ``most_consistent_model``, ``consistency`` and ``leader``.

        Of cells that both studies rank, else NA: ``same_q``, ``same_level``; ``same_first``,
        whether the same models, all that tie, are most consistent; ``overlap``, whether at least
        one of them is; ``kendall_tau``, Kendall's τ-b between the mean ranks over all schemes and
        compositions of the ``n_shared`` models that both rank (NaN with fewer than two, or if all
        tie); how many models only the other study ranks (``n_models_in``) or only the base
        (``n_models_out``), and their names.

        Of cells that both studies have: ``datasets_in`` and ``datasets_out``, the datasets with
        results in only one of them. Names are joined by commas, NA where there is none.

    Raises
    ------
    ParameterError
        If the studies are laid out by different fields.
    """
    check_layout(base, other)
    plans = [
        {(cell.language, cell.task_type): cell for cell in s.plan.cells} for s in (base, other)
    ]
    names = _all_cells(base, other)
    models: dict[tuple[int, int], dict[str, Any]] = {}  # many cells share their two blocks
    rows = []
    for name in names:
        cell, counterpart = plans[0].get(name), plans[1].get(name)
        row: dict[str, Any] = {}
        if cell is not None and counterpart is not None:
            row = _compare_datasets(cell, counterpart)
            one, two = _block(base, cell), _block(other, counterpart)
            if one is not None and two is not None:
                key = id(one), id(two)
                if key not in models:
                    models[key] = _compare_models(one, two)
                row |= models[key]
        rows.append(row)
    index = pd.MultiIndex.from_tuples(names, names=base.plan.by)
    compared = pd.DataFrame(rows, index=index).reindex(columns=list(_DTYPES)).astype(_DTYPES)
    sides = _side_by_side(base, other, index)
    flags = _flags(sides, compared["n_shared"].notna())
    return pd.concat([sides, flags, compared], axis="columns")


def check_layout(base: Study, other: Study) -> None:
    """Raise unless the cells of two studies mean the same."""
    if base.plan.by != other.plan.by:
        raise ParameterError(
            f"Studies can be compared only if they are laid out by the same fields: one is by "
            f"{' × '.join(base.plan.by)}, the other by {' × '.join(other.plan.by)}. Make both with "
            "the same by=.",
            other.plan.by,
        )


def tied(cell: object) -> frozenset[str]:
    """Return the models that a table names as tied, none for NA."""
    return frozenset(cell.split(" = ")) if isinstance(cell, str) else frozenset()


def _all_cells(base: Study, other: Study) -> list[tuple[str, str]]:
    """Return the cells of either study, those of a language side by side."""
    languages = dict.fromkeys([*base.plan.languages, *other.plan.languages])
    task_types = dict.fromkeys([*base.plan.task_types, *other.plan.task_types])
    known = {*base.cells.index, *other.cells.index}
    return [cell for language in languages for t in task_types if (cell := (language, t)) in known]


def _side_by_side(base: Study, other: Study, index: pd.MultiIndex) -> pd.DataFrame:
    integers = dict.fromkeys(_COUNTS, "Int64")
    mine, theirs = (
        study.cells[list(_PAIRED)].astype(integers).reindex(index) for study in (base, other)
    )
    columns = {}
    for name in _PAIRED:
        columns[name], columns[f"{name}_other"] = mine[name], theirs[name]
    return pd.DataFrame(columns)


def _flags(sides: pd.DataFrame, ranked: pd.Series) -> pd.DataFrame:
    """Tell what is the same in the cells that both studies rank."""
    names = sides["most_consistent_model"], sides["most_consistent_model_other"]
    first = [(tied(one), tied(two)) for one, two in zip(*names, strict=True)]
    flags = pd.DataFrame(
        {
            "same_q": sides["q"] == sides["q_other"],
            "same_level": sides["level"] == sides["level_other"],
            "same_first": [one == two for one, two in first],
            "overlap": [not one.isdisjoint(two) for one, two in first],
        },
        index=sides.index,
    ).astype("boolean")
    flags.loc[~ranked] = pd.NA
    return flags


def _block(study: Study, cell: CellPlan) -> Block | None:
    return study.blocks.get(block_of(cell, study.settings["level"]))


def _compare_datasets(cell: CellPlan, other: CellPlan) -> dict[str, Any]:
    return {
        "datasets_in": join_names(sorted(set(other.scored) - set(cell.scored)), ", "),
        "datasets_out": join_names(sorted(set(cell.scored) - set(other.scored)), ", "),
    }


def _compare_models(block: Block, other: Block) -> dict[str, Any]:
    mean_ranks = block.ranks.mean(axis=1), other.ranks.mean(axis=1)
    mine, theirs = (set(ranks.index) for ranks in mean_ranks)
    shared, new, gone = (sorted(names) for names in (mine & theirs, theirs - mine, mine - theirs))
    pair = np.column_stack([ranks.loc[shared] for ranks in mean_ranks])
    return {
        "n_shared": len(shared),
        "kendall_tau": kendall_tau(pair)[0, 1],
        "n_models_in": len(new),
        "n_models_out": len(gone),
        "models_in": join_names(new, ", "),
        "models_out": join_names(gone, ", "),
    }
