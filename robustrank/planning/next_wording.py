"""What `next_dataset` says: headline and summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._text import printable, wrap
from robustrank.notes import count
from robustrank.presenting import to_text

if TYPE_CHECKING:
    from robustrank.planning.gaps import NextDataset

#: How many datasets the summary lists.
_MOST = 15
_DECIMALS = {"information": 2, "standard_error": 3, "reduction": 2, "distance": 3}


def next_headline(found: NextDataset) -> str:
    """Name the dataset to run next, and say what it would tell."""
    model, total = printable(found.model), count(found.n_datasets, "dataset")
    if not len(found.table):
        return f"{model} has a score on every dataset ({found.n_datasets:,}): none is left."
    has = f"{model} has run {found.n_run:,} of {total}"
    best = printable(str(found.table.index[0]))
    now, first = found.now, found.table.astype(object).iloc[0]
    if pd.isna(first["information"]):
        why = "no ability can be estimated" if pd.isna(now["ability"]) else "too few models ran it"
        return f"{has}; what {best} would tell is not known: {why}."
    ranks = f"from {_ranks(now)} to {_ranks(first)}"
    if _ranks(now) == _ranks(first):
        ranks = f"at {_ranks(now)} as before"
    return (
        f"{has}. Run {best} next: that should put the error of its ability at {_error(first):.3f} "
        f"(now {_error(now):.3f}), and the ranks that it may hold, of {found.n_models:,}, {ranks}."
    )


def _error(row: pd.Series) -> float:
    """Return the larger of the two errors, by which the ranks are."""
    return float(np.fmax(row["standard_error"], row["distance"]))


def _ranks(row: pd.Series) -> str:
    return f"{row['rank_low']:,}–{row['rank_high']:,}"


def next_summary(found: NextDataset) -> str:
    """Return the datasets in order, for a terminal."""
    parts = [wrap(found.headline)]
    if len(found.table):
        parts.append(to_text(found.table.head(_MOST), _DECIMALS))
    if len(found.table) > _MOST:
        parts.append(f"{len(found.table) - _MOST:,} more are in the table.")
    return "\n\n".join(parts)
