"""The notes of a task-level fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.irt._panel import LEAST
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.irt._curves import Curves
    from robustrank.irt._panel import Panel

#: A rank correlation this many standard errors (of Fisher's z) below 0 is beyond chance.
_BEYOND_CHANCE = 1.96


def panel_notes(panel: Panel, scores: pd.DataFrame) -> list[Note]:
    """Say what could not be fitted, and what was changed before fitting; `scores` as given."""
    notes = []
    if panel.constant:
        message = (
            f"{count(len(panel.constant), 'dataset')} set aside for not telling any two models "
            f"apart: {name_some(panel.constant)}."
        )
        notes.append(Note("constant-datasets", message, panel.constant))
    if panel.sparse:
        message = (
            f"{count(len(panel.sparse), 'dataset')} set aside for having fewer than {LEAST} "
            f"scores, which fit any response curve: {name_some(panel.sparse)}."
        )
        notes.append(Note("sparse-datasets", message, panel.sparse))
    if panel.too_small:
        return [*notes, Note("irt-undefined", panel.too_small)]
    if panel.unscored:
        message = (
            f"{count(len(panel.unscored), 'model')} without a score on any dataset used, so "
            f"without an ability: {name_some(panel.unscored)}."
        )
        notes.append(Note("unscored-models", message, panel.unscored))
    moved = np.flatnonzero((panel.low < 0.0) | (panel.high > 1.0))
    if len(moved):
        names = _in_order(scores.columns, [panel.datasets[j] for j in moved])
        message = (
            f"The model predicts scores between 0 and 1, so scores of {name_some(names)} were "
            "brought there before fitting: -1 becomes 0 where a score is negative, the largest "
            "becomes 1 where it exceeds 1. Discrimination and difficulty refer to these scores."
        )
        notes.append(Note("irt-rescaled", message, names))
    return notes


def fit_notes(
    curves: Curves, table: pd.DataFrame, models: pd.Index, n_refits: int, unfinished: int
) -> list[Note]:
    """Say what to be careful with in a fit; `table` and `models` in the order given."""
    panel, notes = curves.panel, []
    # Fisher's z is undefined, and nothing significant, with three models.
    freedom = (table["n_models"] - 3).clip(lower=1)
    reversed_ = table["correlation"] < -np.tanh(_BEYOND_CHANCE / np.sqrt(freedom))
    reversed_names = tuple(table.index[reversed_ & (table["n_models"] > 3)])
    if reversed_names:
        message = (
            f"{count(len(reversed_names), 'dataset')} on which the abler models score lower "
            f"(a rank correlation with ability below 0 beyond chance): "
            f"{name_some(reversed_names)}. Discrimination is positive by definition and therefore "
            "near 0 there, and difficulty meaningless. Is lower better?"
        )
        notes.append(Note("reversed-datasets", message, reversed_names))
    blocks = panel.blocks()
    if blocks.max() > 0:
        rest = np.flatnonzero(blocks != np.bincount(blocks).argmax())
        names = _in_order(models, [panel.models[i] for i in rest])
        message = (
            f"The models fall into {blocks.max() + 1} blocks without a dataset in common, so "
            "abilities can be compared within a block only. Outside the largest block: "
            f"{name_some(names)}."
        )
        notes.append(Note("disconnected-blocks", message, names))
    if not curves.converged:
        notes.append(
            Note("not-converged", "The fit did not converge: treat its numbers with caution.")
        )
    if unfinished:
        message = f"{unfinished} of {2 * n_refits} refits did not converge."
        notes.append(Note("refits-not-converged", message))
    few = np.flatnonzero((~np.isnan(panel.values)).sum(axis=1) < LEAST)
    if len(few) and n_refits:
        names = _in_order(models, [panel.models[i] for i in few])
        message = (
            f"{count(len(few), 'model')} with fewer than {LEAST} scores have an ability but no "
            f"interval: {name_some(names)}."
        )
        notes.append(Note("few-scores", message, names))
    return notes


def _in_order(given: pd.Index, names: list[str]) -> tuple[str, ...]:
    """Return names of a panel, which is arranged by content, in the order of the board."""
    chosen = set(names)
    return tuple(str(name) for name in given if name in chosen)
