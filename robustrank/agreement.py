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


@dataclass(frozen=True, eq=False)
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
    try:
        table = np.asarray(ranks, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise FormatError(f"Rankings must be a table of numbers: {error}.") from error
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


def assess_agreement(ranks: pd.DataFrame, picks: Sequence[str]) -> Agreement:
    """Compute Kendall's W and rank variances from all rankings of an analysis.

    Parameters
    ----------
    ranks : DataFrame, model × (composition, scheme)
        Every scheme on every composition. Models without a rank are left out.
    picks : sequence of str
        The compositions that W over compositions is taken over.

    Returns
    -------
    Agreement
    """
    compositions = list(ranks.columns.unique("composition"))
    schemes = list(ranks.columns.unique("scheme"))
    ranked = ranks.dropna()
    # model × composition × scheme
    cube = ranked.to_numpy().reshape(len(ranked), len(compositions), len(schemes))
    picked = cube[:, [compositions.index(pick) for pick in picks], :]
    w_schemes = pd.Series(
        {name: kendalls_w(cube[:, c, :]) for c, name in enumerate(compositions)}, name="w_schemes"
    ).rename_axis("composition")
    w_compositions = pd.Series(
        {name: kendalls_w(picked[:, :, s]) for s, name in enumerate(schemes)},
        name="w_compositions",
    ).rename_axis("scheme")
    over_schemes = cube.var(axis=2)
    over_compositions = cube.var(axis=1) if len(compositions) > 1 else cube[:, 0, :] * np.nan
    return Agreement(
        w_schemes=w_schemes,
        w_compositions=w_compositions,
        scheme_variance=pd.DataFrame(
            over_schemes, index=ranked.index, columns=w_schemes.index
        ).reindex(ranks.index),
        composition_variance=pd.DataFrame(
            over_compositions, index=ranked.index, columns=w_compositions.index
        ).reindex(ranks.index),
        notes=_notes(w_schemes, len(picks), len(schemes), len(ranked)),
    )


def _notes(w_schemes: pd.Series, n_picks: int, n_schemes: int, n_ranked: int) -> tuple[Note, ...]:
    notes = []
    if n_picks == 1:
        message = (
            "There are no two compositions of unlike datasets to compare, so stability over "
            "compositions is not assessed."
        )
        notes.append(Note("one-composition", message))
    if w_schemes.isna().any() and n_schemes > 1 and n_ranked > 1:
        tied = tuple(map(str, w_schemes.index[w_schemes.isna()]))
        message = f"Kendall's W is undefined where every scheme ties all models: {name_some(tied)}."
        notes.append(Note("undefined-w", message, tied))
    return tuple(notes)
