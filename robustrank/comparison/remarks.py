"""What a reader of a comparison must know about the boards and their overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.comparison.matching import full_key
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from robustrank.comparison.coefficients import Coefficient
    from robustrank.comparison.sides import Side, TaskType

#: With fewer models, intervals over resampled models are too narrow to be trusted.
FEW_MODELS = 10


def board_notes(side: Side) -> tuple[Note, ...]:
    """Return a board's own notes, under its label, and what missing scores did to it."""
    notes = [
        Note(note.code, f"Board {side.label}: {note.message}", note.labels)
        for note in side.resolved.notes
    ]
    before, after = len(side.matched.scores), len(side.resolved.scores)
    if after < before / 2:
        ran = side.matched.scores[side.matrix.scores.columns].notna().sum()
        rare = ran.sort_values(kind="stable").head(3)
        shown = [f"{dataset} ({n} models)" for dataset, n in rare.items()]
        message = (
            f"Missing scores cost board {side.label} {before - after} of {before} shared models. "
            f"Its rarest datasets: {', '.join(shown)}; select(datasets=…) (--without "
            "NAME) can leave them out."
        )
        notes.append(Note("costly-datasets", message, tuple(map(str, rare.index))))
    if not side.matrix.is_complete:
        message = (
            f"On board {side.label} models are scored on different datasets, so a mean also "
            "reflects which ones: hard datasets lower it."
        )
        notes.append(Note("uneven-scores", message))
    return tuple(notes)


def pair_notes(side_a: Side, side_b: Side, found: list[Coefficient]) -> tuple[Note, ...]:
    """Return the notes on what is correlated: few models, ties, datasets on both boards."""
    notes = []
    lost = len(side_a.matched.scores) - len(side_a.matrix.scores)
    if lost:
        kept = set(side_a.matrix.scores.index)
        labels = tuple(str(m) for m in side_a.matched.scores.index if m not in kept)
        message = (
            f"{lost} of {count(len(side_a.matched.scores), 'model')} on both boards not compared, "
            f"for missing scores on one or the other: {name_some(labels)}."
        )
        notes.append(Note("lost-models", message, labels))
    n = len(side_a.matrix.scores)
    if n < FEW_MODELS:
        message = f"Correlations rest on {count(n, 'model')}: they, and their intervals, are rough."
        notes.append(Note("few-models", message))
    if any(np.isnan(coefficient.estimate) for coefficient in found):
        message = "One of the boards ties all the models compared: no correlation is defined."
        notes.append(Note("all-tied", message))
    elif found[0].undefined:
        message = (
            f"{count(found[0].undefined, 'resample')} held no two models that differ, and do not "
            "count in the intervals."
        )
        notes.append(Note("undefined-resamples", message))
    return (*notes, *_overlap(side_a, side_b))


def _overlap(side_a: Side, side_b: Side) -> list[Note]:
    """Name datasets that both boards hold, by name without case and separators."""
    columns_a, columns_b = side_a.matrix.scores.columns, side_b.matrix.scores.columns
    keys = {full_key(str(name)) for name in columns_b}
    shared = tuple(str(name) for name in columns_a if full_key(str(name)) in keys)
    if not shared:
        return []
    message = (
        f"Both boards hold {count(len(shared), 'dataset')} ({len(shared) / len(columns_a):.0%} of "
        f"A's {len(columns_a)}, {len(shared) / len(columns_b):.0%} of B's {len(columns_b)}), by "
        f"name: {name_some(shared, 3)}. Agreement is partly that of a dataset with itself."
    )
    return [Note("shared-datasets", message, shared)]


def type_notes(
    types_a: dict[str, TaskType], types_b: dict[str, TaskType], undefined: dict[str, str]
) -> tuple[Note, ...]:
    """Say which task types could not be compared; `undefined`: type → why."""
    if not types_a and not types_b:
        return ()
    if not types_a or not types_b:
        message = (
            f"Nothing is compared by task type: board {'B' if types_a else 'A'} has no task types. "
            "Give tasks= (--task-metadata) where it is read."
        )
        return (Note("no-task-types", message),)
    single = [
        f"{types[key].name} on {label}"
        for label, types, others in (("A", types_a, types_b), ("B", types_b, types_a))
        for key in types
        if key not in others
    ]
    notes = [
        Note("undefined-task-type", f"No correlation for task type {name}: {reason}.", (name,))
        for name, reason in undefined.items()
    ]
    if single:
        message = f"Task types of one board only: {name_some(single)}."
        notes.append(Note("unmatched-task-types", message, tuple(single)))
    return tuple(notes)
