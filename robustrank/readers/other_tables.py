"""Tables that hold something other than scores: metadata, or results of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank._columns import column_key
from robustrank.errors import FormatError
from robustrank.notes import name_some
from robustrank.readers import columns as names

if TYPE_CHECKING:
    from collections.abc import Sequence

_OF_RESULTS = frozenset(["borda_rank", "mean_rank", "scheme_variance"])


def refuse_results(columns: Sequence[str], source: str) -> None:
    """Refuse what `Analysis.to_frame`, and so ``robustrank analyze --csv``, writes."""
    if {column_key(name) for name in columns} >= _OF_RESULTS:
        raise FormatError(
            f"{source} is a table of results that robustrank wrote, not of scores. "
            "Pass the scores that it was made from."
        )


def without_scores(columns: Sequence[str], source: str, other: str) -> FormatError:
    """Return the error for a table without a column of scores, saying what else it may be."""
    of_datasets = sum(names.is_dataset_metadata(name) for name in columns)
    of_models = sum(names.is_model_metadata(name) for name in columns)
    message = f"{source} has no column of scores: {name_some(columns)}. "
    if of_datasets + of_models == 0:
        message += f"It needs one column per {other}, or columns model, dataset and score."
    elif of_datasets > of_models:
        message += "It looks like task metadata; pass it as tasks= (--task-metadata)."
    else:
        message += "It looks like model metadata; pass it as models= (--model-metadata)."
    return FormatError(message, columns)
