"""From draws to rank sets: families of differences, and who is surely above whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._numeric import average_ranks
from robustrank.confidence_sets.rank_sets import MARGIN, RankSets
from robustrank.confidence_sets.step_down import family_p_values, statistics
from robustrank.errors import ParameterError, check_count, check_level, check_seed, unknown_label
from robustrank.notes import Note, merge_notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.confidence_sets.draws import Draws


def check_settings(confidence_level: object, n_resamples: object, seed: object) -> None:
    """Raise if a setting of rank sets is out of range."""
    check_level(confidence_level)
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)


def build(
    draws: Draws,
    *,
    names: list[str],
    given: list[str],
    estimates: FloatArray,
    models: str | Iterable[str] | None,
    settings: dict[str, Any],
    notes: Iterable[Note],
) -> RankSets:
    """Find the sets of ranks.

    Parameters
    ----------
    draws : Draws
    names : list of str
        Of the models of `draws`.
    given : list of str
        The same in the user's order, in which ties are listed.
    estimates : ndarray, shape (m,)
    models : str, iterable of str or None
        Those whose sets are asked for.
    settings : dict
    notes : iterable of Note
    """
    chosen = _chosen(models, names)
    find = _together if settings["simultaneous"] else _one_by_one
    p = find(draws, chosen, stepwise=settings["stepwise"])
    surely = p <= 1.0 - settings["confidence_level"] + MARGIN
    m = len(names)
    above = np.zeros(len(chosen), dtype=np.int64)
    below = np.zeros(len(chosen), dtype=np.int64)
    everyone = np.arange(m)
    for row, j in enumerate(chosen):
        ahead = statistics(draws, everyone, np.full(m, j))
        above[row] = np.count_nonzero(surely[row] & (ahead > 0.0))
        below[row] = np.count_nonzero(surely[row] & (ahead < 0.0))
    ranks = average_ranks(estimates)
    table = pd.DataFrame(
        {
            "estimate": estimates[chosen],
            "rank": ranks[chosen],
            "rank_low": 1 + above,
            "rank_high": m - below,
            "n_above": above,
            "n_below": below,
        },
        index=pd.Index([names[j] for j in chosen], name="model"),
    )
    place = {name: i for i, name in enumerate(given)}
    columns = sorted(range(m), key=lambda j: (ranks[j], place[names[j]]))
    best_first = [names[j] for j in columns if j in set(chosen.tolist())]
    p_values = pd.DataFrame(p, index=table.index, columns=names)
    p_values = p_values.loc[best_first, [names[j] for j in columns]]
    kept = settings | {"models": None if models is None else best_first}
    return RankSets(table.loc[best_first], p_values, kept, notes=merge_notes(notes))


def _chosen(models: str | Iterable[str] | None, names: list[str]) -> NDArray[np.intp]:
    """Return the places of the models asked for."""
    if models is None:
        return np.arange(len(names))
    asked = [models] if isinstance(models, str) else [str(name) for name in models]
    if not asked:
        raise ParameterError("models names none; leave it out for the sets of all models.")
    for name in asked:
        if name not in names:
            raise unknown_label("model", name, names)
    return np.array(sorted({names.index(name) for name in asked}), dtype=np.intp)


def _together(draws: Draws, chosen: NDArray[np.intp], *, stepwise: bool) -> FloatArray:
    """Return p-values of the chosen models' differences from all, adjusted for all of these."""
    m = len(draws.levels)
    held = np.zeros(m, dtype=bool)
    held[chosen] = True
    a, b = np.triu_indices(m, 1)
    asked = held[a] | held[b]
    a, b = a[asked], b[asked]
    p = np.full((m, m), np.nan)
    p[a, b] = p[b, a] = family_p_values(draws, a, b, stepwise=stepwise)
    return np.asarray(p[chosen])


def _one_by_one(draws: Draws, chosen: NDArray[np.intp], *, stepwise: bool) -> FloatArray:
    """Return the same, adjusted for the differences of one model at a time."""
    m = len(draws.levels)
    p = np.full((len(chosen), m), np.nan)
    for row, j in enumerate(chosen):
        others = np.delete(np.arange(m), j)
        one = np.full(m - 1, j)
        p[row, others] = family_p_values(draws, one, others, stepwise=stepwise)
    return p
