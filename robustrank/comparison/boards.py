"""`compare`: two boards, the models they share, and how far they rank them alike.

After *MTEB-PT* (2026), §7, where models are matched by normalised name and the ranks on two boards
are correlated, with intervals over resampled models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank._numeric import average_ranks
from robustrank.aggregation import resolve_aggregate
from robustrank.comparison.coefficients import NAMES, Coefficient, correlate
from robustrank.comparison.matching import match_models
from robustrank.comparison.remarks import board_notes, pair_notes
from robustrank.comparison.sides import Aggregate, check_matched, open_sides
from robustrank.comparison.task_types import compare_types
from robustrank.comparison.wording import full_summary, short_summary
from robustrank.errors import check_count, check_level
from robustrank.readers import read

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from robustrank._missing import Missing
    from robustrank._numeric import FloatArray
    from robustrank.matrix import ScoreMatrix
    from robustrank.notes import Note


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """How far two boards agree on the models they share.

    Attributes
    ----------
    spearman, pearson, kendall : Coefficient
        Correlation between the models' scores on A and on B: ``estimate``, ``low``, ``high``.
    table : DataFrame
        Index ``model`` (the name on A), best on A first: ``name_b``, ``score_a``, ``score_b``,
        ``rank_a``, ``rank_b`` (among the models compared) and ``shift`` = rank_a - rank_b, the
        places that the model gains on B.
    by_task_type : DataFrame
        One row per task type that both boards have: ``n_datasets_a``, ``n_datasets_b``,
        ``n_models`` (that the aggregate can score on those of both boards), and the three
        correlations between these scores, each with ``_low`` and ``_high``.
    unmatched_a, unmatched_b : tuple of str
        Models that the other board does not have.
    confidence_level : float
        Of the intervals.
    notes : tuple of Note
    """

    spearman: Coefficient
    pearson: Coefficient
    kendall: Coefficient
    table: pd.DataFrame
    by_task_type: pd.DataFrame
    unmatched_a: tuple[str, ...]
    unmatched_b: tuple[str, ...]
    confidence_level: float
    notes: tuple[Note, ...] = ()

    def largest_shifts(self, k: int = 10) -> pd.DataFrame:
        """Return the `k` rows of the table whose ranks differ most, largest shift first."""
        check_count("k", k, 1)
        by_size = self.table["shift"].abs().sort_values(ascending=False, kind="stable")
        return self.table.loc[by_size.index[:k]]

    def plot(
        self, ax: Axes | None = None, *, names: tuple[str, str] = ("A", "B"), top: int | None = 30
    ) -> Axes:
        """Draw how the models move from their rank on A to that on B.

        After *MTEB-PT* (2026), Figure 2.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure of a fitting size by default.
        names : tuple of str
            What the boards are called.
        top : int or None
            How many models to draw, best on A first; None for all.

        Returns
        -------
        Axes
        """
        return figures.bump(self.table, ax, names=names, top=top)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values; an undefined number is None."""
        return {
            "n_models": len(self.table),
            "confidence_level": self.confidence_level,
            **{
                name: {
                    "estimate": _number(found.estimate),
                    "low": _number(found.low),
                    "high": _number(found.high),
                }
                for name, found in zip(
                    NAMES, (self.spearman, self.pearson, self.kendall), strict=True
                )
            },
            "models": _records(self.table),
            "by_task_type": _records(self.by_task_type),
            "unmatched_a": list(self.unmatched_a),
            "unmatched_b": list(self.unmatched_b),
            "notes": [note.to_dict() for note in self.notes],
        }

    def summary(self, top: int = 10) -> str:
        """Return the correlations, those by task type and the `top` largest shifts as text."""
        return full_summary(self, top)

    def __repr__(self) -> str:
        return short_summary(self)


def compare(
    a: ScoreMatrix | pd.DataFrame | ArrayLike | str | os.PathLike[str],
    b: ScoreMatrix | pd.DataFrame | ArrayLike | str | os.PathLike[str],
    *,
    models: Mapping[str, str | None] | None = None,
    aggregate: Aggregate = "mean",
    missing: Missing = "drop-models",
    n_resamples: int = 10_000,
    confidence_level: float = 0.95,
    seed: int | np.random.Generator = 0,
) -> Comparison:
    """Correlate the scores that two boards give to the models they share.

    Models are matched by exact name; those left over by the name without case and with separators
    (``_``, ``-``, ``.``, space) made one; then also without the organisation before the slash.

    Parameters
    ----------
    a, b : ScoreMatrix, DataFrame, array_like or path
        Models × datasets; a table or path as `read` takes them.
    models : mapping, optional
        Name on A → name on B, for models that names do not match; None for a model of A that is
        not to be matched.
    aggregate : str or callable
        A model's score on a board: its mean over the board's datasets, another name in
        `AGGREGATES`, or what a function of the scores (DataFrame, model × dataset) returns, one
        number per model, higher is better.
    missing : {"drop-models", "drop-datasets", "error", "keep"}
        What to do, on each board, about missing scores of the models matched. With ``"keep"``, a
        model's mean is over the datasets that it has.
    n_resamples : int
        Resamples of the models behind the intervals.
    confidence_level : float
        Of the percentile intervals.
    seed : int or numpy.random.Generator

    Returns
    -------
    Comparison

    Raises
    ------
    EmptyMatrixError
        If fewer than three models are matched, or have scores.
    UnknownLabelError
        If `models` names a model that its board does not have.
    MissingScoresError
        If `aggregate` gives no number for a model. Where that happens within a task type only, a
        note names the type.
    """
    check_count("n_resamples", n_resamples, 1)
    settings = {
        "n_resamples": n_resamples,
        "confidence_level": check_level(confidence_level),
        "seed": entropy(seed),
    }
    if not callable(aggregate):
        resolve_aggregate(aggregate)
    boards = read(a), read(b)
    names = [list(map(str, board.scores.index)) for board in boards]
    matches = match_models(names[0], names[1], models)
    check_matched(matches)
    side_a, side_b = open_sides(boards, matches.pairs, missing)
    x, y = side_a.score(aggregate), side_b.score(aggregate)
    main = correlate(x, y, settings)
    types, type_remarks = compare_types(side_a, side_b, aggregate, settings)
    return Comparison(
        **main,
        table=_table(x, y, side_b.names),
        by_task_type=types,
        unmatched_a=matches.unmatched_a,
        unmatched_b=matches.unmatched_b,
        confidence_level=confidence_level,
        notes=(  # not merged: two boards may say the same of the same models
            *matches.notes,
            *board_notes(side_a),
            *board_notes(side_b),
            *pair_notes(side_a, side_b, list(main.values())),
            *type_remarks,
        ),
    )


def entropy(seed: int | np.random.Generator) -> int:
    """Return a number to seed several streams of draws with, from a seed or a generator."""
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    return check_count("seed", seed, 0)


def _table(x: FloatArray, y: FloatArray, names: dict[str, str]) -> pd.DataFrame:
    ranks = average_ranks(np.column_stack([x, y]))
    table = pd.DataFrame(
        {
            "name_b": list(names.values()),
            "score_a": x,
            "score_b": y,
            "rank_a": ranks[:, 0],
            "rank_b": ranks[:, 1],
            "shift": ranks[:, 0] - ranks[:, 1],
        },
        index=pd.Index(list(names), name="model"),
    )
    return table.sort_values("rank_a", kind="stable")


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    flat = table.reset_index().astype(object)
    records = flat.where(flat.notna(), None).to_dict("records")
    return [{str(name): value for name, value in record.items()} for record in records]
