"""Whether judges favour their own texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from robustrank.evaluators.hteb.judging.comparing import against_zero
from robustrank.resampling import adjust_p_values

_COLUMNS = [
    "own",
    "by_others",
    "leniency",
    "preference",
    "low",
    "high",
    "p_value",
    "p_adjusted",
]


def self_preference(observations: pd.DataFrame, **drawing: Any) -> pd.DataFrame:
    """Compare what judges give their own texts with what the others give these.

    What a judge gives its own texts is no yardstick for others either: it is left out throughout.

    Parameters
    ----------
    observations : DataFrame, (judge, generator) × item
    **drawing
        Settings of `paired_bootstrap`.

    Returns
    -------
    DataFrame
        As `JudgeScores.self_preference`.
    """
    judges, generators = (
        observations.index.get_level_values(name) for name in ("judge", "generator")
    )
    own = np.asarray(judges == generators)
    fair = observations[~own]
    rows, contrasts = {}, []
    for name in judges[own] if observations.size else []:
        others = fair.drop(index=name, level="judge").groupby(level="generator").mean()
        given = observations.loc[name].reindex(others.index)
        if name not in others.index or len(others) < 2:
            continue  # nobody else rated these texts, or any that are not a judge's own
        leniency = (given - others).drop(index=name).mean()
        parts = (given.loc[name], others.loc[name], leniency)
        contrasts.append((parts[0] - parts[1] - parts[2]).to_numpy())
        rows[name] = [float(np.mean(part)) for part in (*parts, contrasts[-1])]
    if not rows:
        return pd.DataFrame(columns=_COLUMNS, index=pd.Index([], name="judge"), dtype="float64")
    low, high, p = against_zero(np.array(contrasts), **drawing)
    table = pd.DataFrame.from_dict(rows, orient="index", columns=_COLUMNS[:4])
    table = table.assign(low=low, high=high, p_value=p, p_adjusted=adjust_p_values(p, "holm"))
    return table.rename_axis("judge")
