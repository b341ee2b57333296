"""What can be wrong with a dataset: each finding as a mapping from dataset to its reason."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._checks import check_unique
from robustrank._numeric import TIE_DECIMALS, varies
from robustrank.errors import ParameterError, unknown_label
from robustrank.irt._panel import LEAST
from robustrank.notes import count

if TYPE_CHECKING:
    from robustrank.irt.task import TaskIRT


def unusable(scores: pd.DataFrame) -> dict[str, dict[str, str]]:
    """Find the datasets with too few scores, and those on which all models tie."""
    counts = dict(zip(scores.columns, scores.notna().sum().tolist(), strict=True))
    varied = dict(zip(scores.columns, varies(scores.to_numpy()).tolist(), strict=True))
    sparse = {
        name: f"scores of {count(k, 'model')} only" for name, k in counts.items() if k < LEAST
    }
    degenerate = {
        name: f"all {k} models score {scores[name].max():.3g}"
        for name, k in counts.items()
        if not varied[name] and name not in sparse
    }
    return {"sparse": sparse, "degenerate": degenerate}


def chance_levels(
    chance: float | Mapping[str, float] | pd.Series | None, names: pd.Index
) -> dict[str, float]:
    """Return what guessing scores on each dataset of which that is known."""
    if chance is None:
        return {}
    if isinstance(chance, Mapping | pd.Series):
        check_unique([str(name) for name in chance.keys()], "dataset", "row")  # noqa: SIM118
        levels = {str(name): level for name, level in chance.items()}
    else:
        levels = dict.fromkeys(names, chance)
    for name, level in levels.items():
        if name not in names:
            raise unknown_label("dataset", name, names)
        numeric = isinstance(level, Real) and not isinstance(level, bool)
        if not numeric or not -1.0 <= float(level) <= 1.0:
            raise ParameterError(
                f"The chance level of {name!r} must be a score on 0..1; got {level!r}.", [name]
            )
    return levels


def at_chance(
    scores: pd.DataFrame, levels: dict[str, float], margin: float, most: float
) -> dict[str, str]:
    """Find the datasets on which most models do no better than guessing."""
    found = {}
    for name, level in levels.items():
        values = scores[name].dropna()
        # Rounding noise must not lift a model above chance.
        low = int((values.round(TIE_DECIMALS) <= round(level + margin, TIE_DECIMALS)).sum())
        if len(values) and low >= most * len(values):
            found[name] = (
                f"{low} of {len(values)} models score no more than {margin:g} above chance "
                f"({level:g})"
            )
    return found


def saturated(scores: pd.DataFrame, ceiling: float, most: float) -> dict[str, str]:
    """Find the datasets on which most models are at the top."""
    top, counts = (scores.round(TIE_DECIMALS) >= ceiling).sum(), scores.notna().sum()
    return {
        name: f"{top[name]} of {counts[name]} models score at least {ceiling:g}"
        for name in scores.columns
        if counts[name] and top[name] >= most * counts[name]
    }


def turned(irt: TaskIRT) -> dict[str, str]:
    """Find datasets on which abler models score lower, beyond chance."""
    noted = {name for note in irt.notes if note.code == "reversed-datasets" for name in note.labels}
    correlation = irt.table["correlation"]
    return {
        name: f"abler models score lower (rank correlation {correlation[name]:.2f})"
        for name in irt.table.index
        if name in noted
    }


def weak(irt: TaskIRT, least: float) -> dict[str, str]:
    """Find datasets that hardly depend on ability."""
    correlation, slopes = irt.table["correlation"], irt.table["slope"]
    return {
        name: f"a unit of ability moves its logit by {slope:.3f}, less than {least:g} (rank "
        f"correlation with ability {correlation[name]:.2f})"
        for name, slope in zip(irt.table.index, slopes, strict=True)
        if slope < least  # not where it is NaN
    }


def redundant(correlation: pd.DataFrame, by_use: list[str], most: float) -> dict[str, str]:
    """Go through datasets, most useful first, and leave out what repeats one already kept."""
    kept: list[str] = []
    found = {}
    for name in by_use:
        alike = correlation[name][kept]
        if (alike.abs() > most).any():
            other = str(alike.abs().idxmax())
            found[name] = f"ranks models like {other} (rank correlation {alike[other]:.3f})"
        else:
            kept.append(name)
    return found


def redundant_pairs(correlation: pd.DataFrame, by_use: list[str], most: float) -> pd.DataFrame:
    """List all pairs that rank models alike, the more useful dataset first."""
    arranged = correlation.loc[by_use, by_use].to_numpy()
    a, b = np.nonzero(np.triu(np.abs(np.nan_to_num(arranged)) > most, k=1))
    order = np.argsort(-np.abs(arranged[a, b]), kind="stable")
    names = np.asarray(by_use, dtype=object)
    return pd.DataFrame(
        {
            "dataset": names[a[order]],
            "other": names[b[order]],
            "correlation": arranged[a[order], b[order]],
        }
    )
