"""Do rankings agree? Kendall's W, and the variance of each model's rank.

Kendall's coefficient of concordance: M. G. Kendall and B. Babington Smith, *The problem of m
rankings*, Ann. Math. Statist. 10 (1939); correction for ties as in M. G. Kendall, *Rank
Correlation Methods* (1948), ch. 6. Rank variances: Gjorgjevikj et al., *On the Robustness of
Multilingual Text Embedding Rankings* (2026), Eq. 1 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import average_ranks
from robustrank.errors import FormatError, MissingScoresError
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Agreement:
    """Agreement over ranking schemes and over dataset compositions.

    Attributes
    ----------
    w_schemes : Series
        Kendall's W over schemes, per composition (W_RS of *Slavic*).
    w_compositions : Series
        Kendall's W over the picks, per scheme (W_DS); NaN where there is one composition only.
    scheme_variance : DataFrame, model × composition
        Population variance of a model's ranks over schemes (ST of *Robustness*).
    composition_variance : DataFrame, model × scheme
        Population variance of a model's ranks over all compositions (SN); NaN where there is one.
    notes : tuple of Note
    """

    w_schemes: pd.Series
    w_compositions: pd.Series
    scheme_variance: pd.DataFrame
    composition_variance: pd.DataFrame
    notes: tuple[Note, ...] = ()


def kendalls_w(ranks: pd.DataFrame | ArrayLike) -> float:
    """Return Kendall's coefficient of concordance, corrected for ties.

    Parameters
    ----------
    ranks : DataFrame or array_like, shape (m, k)
        Rows are the items ranked, columns the k rankings; scores serve as well, since each
        column is ranked first.

    Returns
    -------
    float
        1 for identical rankings, 0 for none in common. NaN with fewer than two rankings or items,
        or where every ranking ties all items: there is nothing to agree about.

    Raises
    ------
    MissingScoresError
        If a value is missing.
    """
    table = np.asarray(ranks, dtype=np.float64)
    if table.ndim != 2:
        raise FormatError("Rankings must be a table of items × rankings (2 dimensions).")
    if np.isnan(table).any():
        raise MissingScoresError("A ranking has missing values; drop the items that lack one.")
    m, k = table.shape
    if m < 2 or k < 2:
        return float("nan")
    ranked = average_ranks(table)
    # Ties shrink the variance of a ranking; without any, its ranks have variance (m² - 1) / 12.
    spread = ((ranked - (m + 1) / 2.0) ** 2).sum()
    total = ((ranked.sum(axis=1) - k * (m + 1) / 2.0) ** 2).sum()
    return float(total / (k * spread)) if spread > 0 else float("nan")


def rank_variance(ranks: pd.DataFrame, over: str) -> pd.DataFrame:
    """Return the population variance of each model's rank over one level of the columns.

    Parameters
    ----------
    ranks : DataFrame, model × (composition, scheme)
    over : {"composition", "scheme"}
        The level to take the variance over; the other one labels the columns of the result.
    """
    other = "scheme" if over == "composition" else "composition"
    return ranks.T.groupby(level=other, sort=False).var(ddof=0).T.rename_axis(columns=other)


def assess_agreement(ranks: pd.DataFrame, picks: Sequence[str]) -> Agreement:
    """Compute Kendall's W and rank variances from all rankings of an analysis.

    Parameters
    ----------
    ranks : DataFrame, model × (composition, scheme)
        Models without a rank are left out.
    picks : sequence of str
        The compositions that W over compositions is taken over.

    Returns
    -------
    Agreement
    """
    ranked = ranks.dropna()
    compositions = list(dict.fromkeys(ranked.columns.get_level_values("composition")))
    schemes = list(dict.fromkeys(ranked.columns.get_level_values("scheme")))
    w_schemes = pd.Series({c: kendalls_w(ranked[c]) for c in compositions}, name="w_schemes")
    by_scheme = {s: ranked.xs(s, axis=1, level="scheme")[list(picks)] for s in schemes}
    w_compositions = pd.Series(
        {s: kendalls_w(block) for s, block in by_scheme.items()}, name="w_compositions"
    )
    variance = rank_variance(ranked, "composition")
    notes = []
    if len(compositions) == 1:
        variance = variance * np.nan
        message = (
            "There is one dataset composition only, so stability over compositions cannot be "
            "assessed."
        )
        notes.append(Note("one-composition", message))
    if w_schemes.isna().any() and len(schemes) > 1:
        tied = tuple(w_schemes.index[w_schemes.isna()])
        message = f"Kendall's W is undefined where every scheme ties all models: {name_some(tied)}."
        notes.append(Note("undefined-w", message, tied))
    return Agreement(
        w_schemes=w_schemes.rename_axis("composition"),
        w_compositions=w_compositions.rename_axis("scheme"),
        scheme_variance=rank_variance(ranked, "scheme").reindex(ranks.index),
        composition_variance=variance.reindex(ranks.index),
        notes=tuple(notes),
    )
