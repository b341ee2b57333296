"""Retrieval: whether the ten documents most similar to a query are the relevant ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.evaluators.hteb.scoring.base import Part, combine, undefined
from robustrank.evaluators.hteb.scoring.ranking import ndcg, rows_per_block, top_columns
from robustrank.evaluators.hteb.vectors import unit_rows
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robustrank.evaluators.hteb.scoring.base import Encoder, Score
    from robustrank.evaluators.hteb.vectors import Vectors
    from robustrank.evaluators.hteb.views import Retrieval

_CUT = 10
#: Decimals that trec_eval's users round the mean to.
_DECIMALS = 5


def score_retrieval(
    data: Retrieval, encoder: Encoder, *, own_similarity: bool, ignore_identical_ids: bool
) -> Score:
    """Average nDCG@10 over the queries with judgements, rounded to five decimals.

    Parameters
    ----------
    data : Retrieval
    encoder : Encoder
    own_similarity : bool
        Whether documents are ranked by the model's own similarity; else by the cosine.
    ignore_identical_ids : bool
        Whether a document with the id of the query is left out of its results.
    """
    judged = [row for row, name in enumerate(data.query_ids) if data.judgements.get(name)]
    if not judged or not data.documents:
        why = "no query has a judgement" if data.documents else "there are no documents"
        return combine("ndcg_at_10", {"": undefined(len(judged), f"nDCG is undefined: {why}.")})
    ids = [data.query_ids[row] for row in judged]
    found = search(
        encoder.encode([data.queries[row] for row in judged], role="query"),
        encoder.encode(data.documents, role="document"),
        ids,
        data.document_ids,
        encoder if own_similarity else None,
        ignore_identical_ids=ignore_identical_ids,
    )
    relevance = [data.judgements[name] for name in ids]
    values = [
        ndcg([known.get(name, 0) for name in documents], list(known.values()), _CUT)
        for known, documents in zip(relevance, found, strict=True)
    ]
    instances = pd.DataFrame({"instance": ids, "score": values})
    mean = round(float(np.mean(values)), _DECIMALS)
    return combine("ndcg_at_10", {"": Part(mean, len(ids), instances, _notes(data, ids))})


def search(
    queries: Vectors,
    documents: Vectors,
    query_ids: Sequence[str],
    document_ids: Sequence[str],
    encoder: Encoder | None = None,
    *,
    ignore_identical_ids: bool = False,
    k: int = _CUT,
) -> list[list[str]]:
    """Return the ids of the most similar documents of each query, best first.

    Of equally similar documents the one with the larger id comes first, by code points, as in
    trec_eval; also where only some of them are among the first `k`.

    Parameters
    ----------
    queries, documents : ndarray, shape (n, d) and (m, d)
    query_ids, document_ids : sequence of str
    encoder : Encoder, optional
        What compares them; by default, the cosine does.
    ignore_identical_ids : bool
    k : int
    """
    by_id = np.array(
        sorted(range(len(document_ids)), key=document_ids.__getitem__, reverse=True), dtype=np.intp
    )
    column_of = {document_ids[row]: column for column, row in enumerate(by_id)}
    columns = documents[by_id]
    if encoder is None:
        queries, columns = unit_rows(queries), np.ascontiguousarray(unit_rows(columns).T)
    step = rows_per_block(len(by_id))
    results: list[list[str]] = []
    for at in range(0, len(queries), step):
        block = queries[at : at + step]
        similar = block @ columns if encoder is None else encoder.similarity(block, columns)
        own = _own_columns(query_ids[at : at + step], column_of) if ignore_identical_ids else []
        for row, column in own:
            similar[row, column] = -np.inf
        top = top_columns(similar, k)
        kept = np.isfinite(np.take_along_axis(similar, top, axis=1))
        results += [
            [document_ids[by_id[column]] for column in line[there]]
            for line, there in zip(top, kept, strict=True)
        ]
    return results


def _own_columns(ids: Sequence[str], column_of: Mapping[str, int]) -> list[tuple[int, int]]:
    return [(row, column_of[name]) for row, name in enumerate(ids) if name in column_of]


def _notes(data: Retrieval, ids: Sequence[str]) -> tuple[Note, ...]:
    notes: list[Note] = []
    unjudged = [name for name in data.query_ids if not data.judgements.get(name)]
    if unjudged:
        sentence = f"Queries without judgements left out: {name_some(unjudged)}."
        notes.append(Note("unjudged-queries", sentence, tuple(unjudged)))
    hopeless = [name for name in ids if max(data.judgements[name].values()) <= 0]
    if hopeless:
        sentence = (
            f"Queries with nothing relevant count as 0, as in trec_eval: {name_some(hopeless)}."
        )
        notes.append(Note("nothing-relevant", sentence, tuple(hopeless)))
    if len(data.documents) <= _CUT:
        number = count(len(data.documents), "document")
        sentence = f"With {number}, all are among the first {_CUT}, and only their order counts."
        notes.append(Note("few-documents", sentence))
    return tuple(notes)
