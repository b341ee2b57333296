"""Signed-rank tests of several columns of differences, adjusted for their number."""

from __future__ import annotations

import pandas as pd

from robustrank.notes import Note, count
from robustrank.resampling import adjust_p_values
from robustrank.resampling.multiplicity import family_floor
from robustrank.signed_rank import signed_rank_test


def signed_ranks(
    differences: pd.DataFrame, confidence_level: float, noun: str
) -> tuple[pd.DataFrame, list[Note]]:
    """Test each column of differences, with Holm's adjustment over the columns.

    Parameters
    ----------
    differences : DataFrame, observation × part
        NaN is left out.
    confidence_level : float
        Of the intervals; a p-value below one minus this counts as a finding.
    noun : str
        What an observation is, for notes.

    Returns
    -------
    table : DataFrame
        Index ``part``: ``estimate``, ``low``, ``high``, ``p_value`` after Holm, ``p_unadjusted``,
        and ``n``, the observations.
    notes : list of Note
        What so few observations cannot show.
    """
    found = {
        part: signed_rank_test(differences[part], confidence_level=confidence_level)
        for part in differences.columns
    }
    table = pd.DataFrame(
        {
            "estimate": [result.estimate for result in found.values()],
            "low": [result.low for result in found.values()],
            "high": [result.high for result in found.values()],
            "p_value": adjust_p_values([result.p_value for result in found.values()], "holm"),
            "p_unadjusted": [result.p_value for result in found.values()],
            "n": [result.n for result in found.values()],
        },
        index=pd.Index(list(found), name="part"),
    )
    changed = max((result.n - result.n_zero for result in found.values()), default=0)
    return table, _limits(table, changed, confidence_level, noun)


def _limits(table: pd.DataFrame, changed: int, level: float, noun: str) -> list[Note]:
    """Say what cannot be shown; `changed` is the most observations in a row that are not 0."""
    notes = []
    fewest, most = int(table["n"].min()), int(table["n"].max())
    least = family_floor(min(1.0, 2.0 ** (1 - changed)), len(table), "holm")
    if not least < 1.0 - level:
        few = count(most, noun)
        if changed < most:
            few += f", of which {f'at most {changed}' if changed else 'none'} changed,"
        sentence = (
            f"{few} cannot show that anything differs from 0: no p-value can fall below "
            f"{least:.2g} after Holm over {count(len(table), 'row')}."
        )
        notes.append(Note("no-finding-possible", sentence))
    without = table.index[table["low"].isna()]
    if len(without):
        sentence = (
            f"{count(fewest, noun)} cannot give an interval at {level:.4g}; "
            f"{count(len(without), 'row')} without one."
        )
        notes.append(Note("no-interval", sentence, tuple(map(str, without))))
    return notes
