"""Summarisation: whether summaries that people like are more similar to those they wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.evaluators.hteb.scoring.base import Part, combine, split_subsets, undefined
from robustrank.evaluators.hteb.scoring.checks import encode_groups
from robustrank.evaluators.hteb.scoring.pairs import spearman
from robustrank.evaluators.hteb.vectors import unit_rows
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from robustrank.evaluators.hteb.scoring.base import Encoder, Score
    from robustrank.evaluators.hteb.views import Summaries


def score_pooled_summaries(articles: Sequence[Summaries], encoder: Encoder) -> Score:
    """Correlate, over the machine summaries of all articles, cosine and human score (Spearman).

    The cosine is that with the human summary of the article that is most similar.
    """
    predicted, gold = _predict(articles, encoder)
    cosines = np.concatenate([np.empty(0), *predicted])
    scores = np.concatenate([np.empty(0), *gold])
    if len(cosines) < 2 or np.ptp(cosines) == 0 or np.ptp(scores) == 0:
        why = f"the scores or the cosines of the {len(cosines)} summaries are all the same"
        part = undefined(len(cosines), f"Spearman's correlation is undefined: {why}.")
        return combine("cosine_spearman", {"": part})
    ids = [
        f"{article.id}/{number}"
        for article, values in zip(articles, predicted, strict=True)
        for number in range(1, len(values) + 1)
    ]
    table = pd.DataFrame({"instance": ids, "predicted": cosines, "gold": scores})
    part = Part(spearman(cosines, scores), len(cosines), table)
    return combine("cosine_spearman", {"": part})


def score_summaries_by_article(articles: Sequence[Summaries], encoder: Encoder) -> Score:
    """Average the articles' correlations of cosine and human score (Spearman), as MTEB does.

    Articles whose scores or cosines are all the same have no correlation and are left out.
    """
    predicted, gold = _predict(articles, encoder)
    parts: dict[str, Part] = {}
    for name, rows in split_subsets([one.subset for one in articles], pool=False).items():
        kept = [
            row
            for row in rows
            if len(gold[row]) > 1 and np.ptp(gold[row]) > 0 and np.ptp(predicted[row]) > 0
        ]
        n = sum(len(gold[row]) for row in rows)
        if not kept:
            why = "in no article do both scores and cosines differ"
            parts[name] = undefined(n, f"Spearman's correlation is undefined: {why}.")
            continue
        values = [spearman(gold[row], predicted[row]) for row in kept]
        table = pd.DataFrame({"instance": [articles[row].id for row in kept], "score": values})
        left_out = [articles[row].id for row in rows if row not in set(kept)]
        parts[name] = Part(float(np.mean(values)), n, table, _left_out(left_out))
    return combine("mean_cosine_spearman", parts)


def _predict(
    articles: Sequence[Summaries], encoder: Encoder
) -> tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]]:
    """Return the cosines and the human scores of each article's machine summaries."""
    human, machine = (
        [unit_rows(vectors) for vectors in encode_groups(encoder, texts, "text")]
        for texts in ([one.human for one in articles], [one.machine for one in articles])
    )
    cosines, gold = [], []
    for article, a, b in zip(articles, human, machine, strict=True):
        scored = len(a) > 0  # without a human summary there is nothing to compare with
        cosines.append((b @ a.T).max(axis=1).astype(np.float64) if scored else np.empty(0))
        gold.append(np.asarray(article.scores if scored else (), dtype=np.float64))
    return cosines, gold


def _left_out(ids: Sequence[str]) -> tuple[Note, ...]:
    if not ids:
        return ()
    sentence = (
        f"{count(len(ids), 'article')} whose scores or cosines are all the same left out: "
        f"{name_some(ids)}."
    )
    return (Note("constant-articles", sentence, tuple(ids)),)
