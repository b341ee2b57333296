"""Reranking: whether relevant candidates are more similar to the query than the others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank.evaluators.hteb.scoring.base import Part, combine, split_subsets, undefined
from robustrank.evaluators.hteb.scoring.checks import encode_groups
from robustrank.evaluators.hteb.scoring.ranking import (
    average_precision,
    pessimistic_average_precision,
)
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robustrank.evaluators.hteb.scoring.base import Encoder, Score
    from robustrank.evaluators.hteb.views import Reranking

#: MTEB reranks through its retrieval, which keeps this many documents and rounds the mean.
_CUT, _DECIMALS = 1000, 5


def score_reranking(
    rerankings: Sequence[Reranking],
    encoder: Encoder,
    *,
    queries: Literal["best", "joined"],
    pessimistic: bool,
    pool: bool,
) -> Score:
    """Average the average precisions of the candidates of each record.

    Parameters
    ----------
    rerankings : sequence of Reranking
    encoder : Encoder
        Its own similarity ranks the candidates.
    queries : {"best", "joined"}
        Where a record has several queries: a candidate's similarity to the one that it is most
        similar to, or to all in one text, with a semicolon between.
    pessimistic : bool
        Whether irrelevant candidates come before relevant ones of the same similarity, only the
        first 1000 count, and the mean is rounded to five decimals, as in MTEB; else ties are one
        step, as in scikit-learn.
    pool : bool
        Whether all records count alike; else, the mean of each subset does.
    """
    measure = partial(pessimistic_average_precision, cut=_CUT) if pessimistic else average_precision
    asked = [
        ["; ".join(record.queries)] if queries == "joined" else list(record.queries)
        for record in rerankings
    ]
    candidates = [[*record.positives, *record.negatives] for record in rerankings]
    query_vectors = encode_groups(encoder, asked, "query")
    document_vectors = encode_groups(encoder, candidates, "document")
    values = np.full(len(rerankings), np.nan)
    for row, record in enumerate(rerankings):
        if len(record.positives) == 0 or len(query_vectors[row]) == 0:
            continue
        scores = encoder.similarity(query_vectors[row], document_vectors[row]).max(axis=0)
        relevant = np.arange(len(scores)) < len(record.positives)
        values[row] = measure(scores, relevant)
    parts: dict[str, Part] = {}
    for name, rows in split_subsets([one.subset for one in rerankings], pool=pool).items():
        scored = rows[~np.isnan(values[rows])]
        if len(scored) == 0:
            parts[name] = undefined(
                len(rows),
                "Mean average precision is undefined: no query has a relevant candidate.",
            )
            continue
        ids = [rerankings[row].id for row in scored]
        instances = pd.DataFrame({"instance": ids, "score": values[scored]})
        without = [rerankings[row].id for row in rows if np.isnan(values[row])]
        mean = float(values[scored].mean())
        parts[name] = Part(
            round(mean, _DECIMALS) if pessimistic else mean,
            len(scored),
            instances,
            _left_out(without),
        )
    return combine("map", parts)


def _left_out(ids: Sequence[str]) -> tuple[Note, ...]:
    if not ids:
        return ()
    sentence = (
        f"{count(len(ids), 'record')} without a query or a relevant candidate left out: "
        f"{name_some(ids)}."
    )
    return (Note("unjudged-queries", sentence, tuple(ids)),)
