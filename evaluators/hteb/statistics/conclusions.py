"""What to conclude from robustness statistics, and what limits that, in sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from robustrank.evaluators.hteb.statistics.means import mean_interval
from robustrank.evaluators.hteb.statistics.scores import LANGUAGE, TOTAL
from robustrank.notes import count
from robustrank.presenting import level
from robustrank.report.words import listing

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.evaluators.hteb.statistics.robustness import Robustness

#: Notes of which the summary says what they mean for its conclusions.
_NOTED: Final = (
    "empty-datasets",
    "empty-models",
    "dropped-models",
    "dropped-datasets",
    "missing-scores",
    "zero-shot",
    "one-run",
)


def conclusions(found: Robustness) -> list[str]:
    """Say in sentences what a person should take from it."""
    first = [_drop(found), _tests(found)]
    if _tests_nothing(found):
        first.reverse()
    return [*first, _order(found), _profiles(found)]


def caveats(found: Robustness) -> list[str]:
    """Return one sentence for each thing that limits the conclusions."""
    notes = {note.code: note.message for note in found.notes}
    models = len(found.scores.models)
    said = []
    if models > 1 and _possible(models) > 1.0 - found.settings["confidence_level"]:
        said.append(
            f"{count(models, 'model')} can be ordered in {math.factorial(models)} ways, so that "
            "even rankings that are the same can be so by chance."
        )
    if "dependent-observations" in notes:
        said.append(
            "Tests take pairs of model and dataset for independent, which they are not: p-values "
            "are too small and intervals too narrow."
        )
    if LANGUAGE in set(found.disruption.table["axis"]) and LANGUAGE in found.scores.axes:
        said.append(
            f"A drop along {LANGUAGE} is a change of the language of use. For a model of one "
            "language it is no lack of robustness within that language."
        )
    return [*said, *(notes[code] for code in _NOTED if code in notes)]


def _possible(models: int) -> float:
    """Return the chance that two unrelated rankings of so many models are the same."""
    return 1.0 / math.factorial(models) if models < 20 else 0.0


def _drop(found: Robustness) -> str:
    total = found.profiles.of_part(TOTAL).dropna(subset="delta")
    if total.empty:
        return "No drop is defined, as no model has a total and the score of its originals."
    before, after = 100.0 * total["original"].mean(), 100.0 * total["score"].mean()
    change = round(after - before, 1)
    one = len(total) == 1
    who = total.index[0] if one else f"The {count(len(total), 'model')}"
    if change:
        verb = "lose" if change < 0.0 else "gain"
        said = f"{who} {verb}{'s' if one else ''} {abs(change):.1f} points on transformed texts"
    else:
        said = f"{who} {'keeps its score' if one else 'keep their score'} on transformed texts"
    said += f", from {before:.1f} to {after:.1f}{'' if one else ' on average'}"
    return f"{said}{_how_many(total, found.settings['confidence_level'])}."


def _how_many(total: pd.DataFrame, share: float) -> str:
    """Say for how many models the interval is away from 0: one bad model makes no bad board."""
    known = total.dropna(subset="low")
    sides = {"below": int((known["high"] < 0.0).sum()), "above": int((known["low"] > 0.0).sum())}
    clear = {side: number for side, number in sides.items() if number}
    if known.empty:
        return ""
    interval = f"{level(share)} interval"
    if len(total) == 1:
        where = [f"lies {side} 0" for side in clear] or ["holds 0"]
        return f"; its {interval} {where[0]}"
    if not clear:
        return f"; the {interval} of each holds 0"
    shown = [f"for {number} of them {side} 0" for side, number in clear.items()]
    return f"; the {interval} lies {' and '.join(shown)}"


def _tests(found: Robustness) -> str:
    shifts, alpha = found.shifts.table, 1.0 - found.settings["confidence_level"]
    n, units = int(shifts["n"].max()), found.settings["observations"]
    all_of_them = count(len(shifts), "transformation")
    if _tests_nothing(found):
        unit = units if n != 1 else units.removesuffix("s")
        return (
            f"Little can be concluded from {n} {unit}: too few for a test to tell the effect of "
            f"any of {all_of_them} from chance."
        )
    clear = shifts[shifts["p_value"] < alpha]
    if clear.empty:
        return f"No transformation of {len(shifts)} is shown to change scores in general."
    # A shift of 0 can be significant: most differences are 0 and the rest go one way.
    way = np.sign(clear["estimate"].where(clear["estimate"] != 0.0, clear["mean"]))
    kinds = [
        (int((way == sign).sum()), verb)
        for sign, verb in ((-1.0, "lower"), (1.0, "raise"), (0.0, "change"))
    ]
    beyond = f"by more than chance over {units} explains"
    mean = "" if len(found.scores.models) == 1 else "In the mean over these models, "
    if len(shifts) > 1 and len(shifts) in (number for number, _ in kinds):
        verb = next(verb for number, verb in kinds if number)
        said = f"{mean}all {all_of_them} {verb} scores {beyond}."
    else:
        parts = [
            f"{number} {verb if number != 1 else f'{verb}s'} scores"
            for number, verb in kinds
            if number
        ]
        said = f"{mean}of {all_of_them}, {' and '.join(parts)} {beyond}."
    return said[0].upper() + said[1:]


def _tests_nothing(found: Robustness) -> bool:
    return any(note.code == "no-finding-possible" for note in found.shifts.notes)


def _order(found: Robustness) -> str:
    table = found.stability.table
    mean, between = (float(table[name][TOTAL]) for name in ("mean", "within"))
    if len(found.scores.models) == 1:
        return "One model has no order to keep."
    if math.isnan(mean):
        return "Whether models keep their order is undefined, as no dataset tells them apart."
    if mean > 1.0 - 1e-9:
        return "Within every dataset, models keep their order: Kendall's τ is 1."
    said = (
        f"Within a dataset, Kendall's τ between the models' order on original and transformed "
        f"texts is {mean:.2f} on average (1: the same, 0: unrelated)"
    )
    if math.isnan(between):
        return f"{said}."
    said += f"; two single runs of the transformations agree with {between:.2f}"
    if _reorders(found):
        return f"{said}, so that rewriting reorders models by more than its randomness."
    return f"{said}, which does not show that rewriting does more to the order than its randomness."


def _reorders(found: Robustness) -> bool:
    """Return whether τ is below that of runs on datasets in general.

    τ is of the original, which has no noise, and a mean over runs, and so would be the higher one
    if there were noise only: that it is lower cannot come from that. The reverse shows nothing.
    """
    gap = found.stability.by_dataset[TOTAL] - found.stability.within[TOTAL]
    interval = mean_interval(gap.to_numpy(), found.settings["confidence_level"])
    return bool(interval.high < 0.0)


def _profiles(found: Robustness) -> str:
    halves = found.split_half.table.loc[list(found.scores.axes)]
    tested = halves.dropna(subset=["median", "p_value"])
    if tested.empty:
        return "Whether drops are properties of the models cannot be told."
    holds = tested[tested["p_value"] < 1.0 - found.settings["confidence_level"]]
    if holds.empty:
        return (
            "Whether drops are properties of the models, or of the datasets chosen, remains open: "
            "datasets do not agree on which models drop more by more than chance explains."
        )
    who = "every axis" if 1 < len(holds) == len(halves) else listing(holds.index)
    least = f"{holds['median'].min():.2f}"
    return (
        f"Which models drop more repeats from dataset to dataset along {who}, by more than chance "
        f"explains (Spearman's ρ between halves of the datasets: {least}"
        f"{' and more' if len(holds) > 1 and least != '1.00' else ''})."
    )
