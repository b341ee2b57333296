"""What `next_dataset` says: headline and summary."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._text import printable
from robustrank.presenting import to_text

if TYPE_CHECKING:
    from robustrank.planning.gaps import NextDataset

_WIDTH = 100
#: How many datasets the summary lists.
_MOST = 15
_DECIMALS = {"information": 2, "standard_error": 3, "reduction": 2, "distance": 3}


def next_headline(found: NextDataset) -> str:
    """Name the dataset to run next, and say what it would tell."""
    has = f"{found.model} has run {found.n_run:,} of {found.n_datasets:,} datasets"
    if not len(found.table):
        return f"{found.model} has a score on all {found.n_datasets:,} datasets: none is left."
    now, first = found.now, found.table.astype(object).iloc[0]
    if pd.isna(first["information"]):
        why = "no ability can be estimated" if pd.isna(now["ability"]) else "too few models ran it"
        return f"{has}; what {found.table.index[0]} would tell is not known: {why}."
    then = found.table.index[found.table["information"].notna()][1:3]
    after = f" After it: {', '.join(map(str, then))}." if len(then) else ""
    return (
        f"{has}. Run {found.table.index[0]} next: it should bring the error of its ability from "
        f"{_error(now):.3f} to {_error(first):.3f}, and the ranks that it may hold, of "
        f"{found.n_models:,}, from {_ranks(now)} to {_ranks(first)}.{after}"
    )


def _error(row: pd.Series) -> float:
    """Return the larger of the two errors, by which the ranks are."""
    return float(np.fmax(row["standard_error"], row["distance"]))


def _ranks(row: pd.Series) -> str:
    return f"{row['rank_low']:,}–{row['rank_high']:,}"


def next_summary(found: NextDataset) -> str:
    """Return the datasets in order, for a terminal."""
    parts = [textwrap.fill(printable(found.headline), _WIDTH)]
    if len(found.table):
        parts.append(to_text(found.table.head(_MOST), _DECIMALS))
    if len(found.table) > _MOST:
        parts.append(f"{len(found.table) - _MOST:,} more are in the table.")
    return "\n\n".join(parts)
