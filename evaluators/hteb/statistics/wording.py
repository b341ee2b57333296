"""Robustness in words: what to conclude, and what limits that."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import pandas as pd

from robustrank._text import printable
from robustrank.evaluators.hteb.statistics import summary_tables as tables
from robustrank.evaluators.hteb.statistics.profiles import LANGUAGE, TOTAL_WITHOUT_LANGUAGE
from robustrank.evaluators.hteb.statistics.scores import TOTAL
from robustrank.notes import count, name_some
from robustrank.report.text import wrap
from robustrank.report.words import listing

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def short_summary(found: Robustness) -> str:
    """Return the size and the first conclusion: the repr."""
    notes = f"; {count(len(found.notes), 'note')}" if found.notes else ""
    return f"Robustness of {_size(found)}{notes}\n  {conclusions(found)[0]}"


def full_summary(found: Robustness, top: int) -> str:
    """Return conclusions, caveats, findings and two tables as text."""
    models = len(found.scores.models)
    blocks = [
        [
            wrap(printable(" ".join(conclusions(found))), 0),
            *(wrap(printable(f"- {caveat}"), 2) for caveat in caveats(found)),
        ],
        [_size(found), *(wrap(printable(line), 11) for line in _findings(found))],
        [
            f"Best {min(top, models)} of {count(models, 'model')} by total, in points",
            tables.models(found, top),
        ],
        ["Transformations and axes, in points", tables.parts(found)],
        [wrap(tables.legend(found), 0)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


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
    if LANGUAGE in set(found.disruption["axis"]) and LANGUAGE in found.scores.axes:
        said.append(
            f"A drop along {LANGUAGE} is a change of the language of use. For a model of one "
            "language it is no lack of robustness within that language."
        )
    return [*said, *(notes[code] for code in _NOTED if code in notes)]


def methods(found: Robustness) -> str:
    """Say what was done, from the settings."""
    settings, level = found.settings, 100.0 * found.settings["confidence_level"]
    units = {
        "datasets": "the mean differences of datasets over models",
        "pairs": "the differences of pairs of model and dataset",
    }[settings["observations"]]
    return (
        f"We compared scores on original and transformed texts (HTEB, 2026) of {_size(found)} with "
        f"robustrank {settings['versions']['robustrank']}. Scores were averaged over runs, then "
        "over the transformations of an axis, then over axes. Shifts are Hodges–Lehmann estimates "
        f"over {units} with {level:g} % intervals by inversion of Wilcoxon's signed-rank test, "
        "whose p-values were adjusted after Holm over transformations. Intervals of a model's mean "
        f"difference are Student's, over datasets. {settings['n_resamples']:,} resamples of the "
        "datasets gave the probability that an axis is the most disruptive. Rankings were compared "
        "per dataset by Kendall's τ-b, and between task-stratified random halves of the datasets "
        f"by Spearman's ρ ({settings['n_splits']:,} splits; seed {settings['seed']})."
    )


def _size(found: Robustness) -> str:
    scores = found.scores
    runs = scores.runs["run"].nunique()
    return (
        f"{count(len(scores.models), 'model')} × {count(len(scores.datasets), 'dataset')} × "
        f"{count(len(scores.transformations), 'transformation')}, {count(runs, 'run')}"
    )


def _possible(models: int) -> float:
    """Return the chance that two unrelated rankings of so many models are the same."""
    return 1.0 / math.factorial(models) if models < 20 else 0.0


def _within(row: pd.Series) -> str:
    """Write an interval in points; nothing where there is none."""
    low, high = row["low"], row["high"]
    return "" if math.isnan(low) else f" [{tables.points(low)}, {tables.points(high)}]"


def _drop(found: Robustness) -> str:
    total = tables.of_part(found, TOTAL).dropna(subset="delta")
    if total.empty:
        return "No drop is defined, as no model has a total and the score of its originals."
    before, after = 100.0 * total["original"].mean(), 100.0 * total["score"].mean()
    change = round(after - before, 1)
    way = "lose" if change < 0.0 else "gain"
    who = count(len(total), "model")
    if len(total) == 1:
        who, way = total.index[0], f"{way}s"
    else:
        who = f"The {who}"
    return (
        f"{who} {way} {abs(change):.1f} points on transformed texts, from {before:.1f} to "
        f"{after:.1f} on average."
    )


def _tests(found: Robustness) -> str:
    shifts, alpha = found.shifts.table, 1.0 - found.settings["confidence_level"]
    n, units = int(shifts["n"].max()), found.settings["observations"]
    if _tests_nothing(found):
        unit = units if n != 1 else units.removesuffix("s")
        return (
            f"Little can be concluded from {n} {unit}: too few for a test to tell the effect of "
            f"any of {count(len(shifts), 'transformation')} from chance."
        )
    clear = shifts[shifts["p_value"] < alpha]
    lower, higher = int((clear["estimate"] < 0.0).sum()), int((clear["estimate"] > 0.0).sum())
    beyond = f"by more than chance over {units} explains"
    if not lower and not higher:
        return f"No transformation of {len(shifts)} is shown to change scores in general."
    if len(shifts) in (lower, higher) and len(shifts) > 1:
        return f"All {len(shifts)} transformations {'lower' if lower else 'raise'} scores {beyond}."
    parts = [
        f"{number} {verb if number != 1 else f'{verb}s'} scores"
        for number, verb in ((lower, "lower"), (higher, "raise"))
        if number
    ]
    return f"Of {count(len(shifts), 'transformation')}, {' and '.join(parts)} {beyond}."


def _tests_nothing(found: Robustness) -> bool:
    return any(note.code == "no-finding-possible" for note in found.shifts.notes)


def _order(found: Robustness) -> str:
    table = found.stability.table
    mean, high, between = (float(table[name][TOTAL]) for name in ("mean", "high", "within"))
    if len(found.scores.models) == 1:
        return "One model has no order to keep."
    if math.isnan(mean):
        return "Whether models keep their order is undefined, as no dataset tells them apart."
    said = (
        f"Within a dataset, models keep their order with Kendall's τ = {mean:.2f} (1: the "
        "same, 0: unrelated)"
    )
    if math.isnan(between) or math.isnan(high):
        return f"{said}."
    said += f"; two runs of the same transformations agree with {between:.2f}"
    if high < between:
        return f"{said}, so that rewriting reorders models by more than its randomness."
    return f"{said}, so that the randomness of rewriting may explain what changes."


def _profiles(found: Robustness) -> str:
    halves = found.split_half.loc[list(found.scores.axes)]
    known = halves.dropna(subset="median")
    if known.empty:
        return "Whether drops are properties of the models cannot be told."
    holds = known.index[known["low"] > 0.0]
    if len(holds) == 0:
        return (
            "Whether drops are properties of the models, or of the datasets chosen, remains open: "
            "halves of the datasets do not order models alike."
        )
    who = "every axis" if len(holds) == len(halves) else listing(holds)
    least = f"{known.loc[holds, 'median'].min():.2f}"
    return (
        f"Which models drop more repeats in both halves of the datasets along {who} (Spearman's "
        f"ρ of {least}{' and more' if len(holds) > 1 and least != '1.00' else ''})."
    )


def _findings(found: Robustness) -> Iterator[str]:
    """State what was found, one fact a line."""
    total = tables.of_part(found, TOTAL).dropna(subset="delta")
    if len(total):
        yield _drop_line(found, total)
    if len(total) > 1:
        yield _models_line(total)
        first = list(total.index[total["score"] == total["score"].max()])
        before = list(total.index[total["original"] == total["original"].max()])
        same = set(first) == set(before)
        yield (
            f"Leader     {listing(first)}, as on original texts"
            if same
            else (f"Leader     {listing(first)}; on original texts {listing(before)}")
        )
    shifts = found.shifts.table.dropna(subset="estimate")
    if len(shifts):
        ordered = shifts.sort_values("estimate", kind="stable")
        ends = [ordered.iloc[0], ordered.iloc[-1]] if len(ordered) > 1 else [ordered.iloc[0]]
        shown = [f"{row.name} {tables.points(row['estimate'])}{_within(row)}" for row in ends]
        yield f"Shifts     {' to '.join(shown)}"
    axes = found.disruption.dropna(subset="axis")
    if len(found.scores.axes) > 1 and len(axes):
        counts = axes["axis"].value_counts()
        sure = int((axes["probability"] > found.settings["confidence_level"]).sum())
        shown = [f"{axis} {number}" for axis, number in counts.items()]
        yield (
            f"Axis       that changes a model's scores most: {', '.join(shown)} of "
            f"{count(len(axes), 'model')}; with P > {found.settings['confidence_level']:g} for "
            f"{sure}"
        )
    yield from _rank_lines(found)
    if found.scale is not None:
        gaps = pd.DataFrame(found.scale.slopes.xs("gap", level="value")).dropna(subset="estimate")
        shown = [
            f"{row.name} {tables.points(row['estimate'])}{_within(row)}"
            for _, row in gaps.iterrows()
        ]
        yield (
            "Scale      a doubling of parameters changes total minus original by "
            f"{name_some(shown) or 'what no family of two sizes shows'}"
        )


def _drop_line(found: Robustness, total: pd.DataFrame) -> str:
    axes = [
        f"{axis} {tables.points(tables.of_part(found, axis)['delta'].mean())}"
        for axis in found.scores.axes
    ]
    line = f"Drop       {tables.points(total['delta'].mean())} on average; {', '.join(axes)}"
    if TOTAL_WITHOUT_LANGUAGE in found.profiles.index.unique("part"):
        without = tables.of_part(found, TOTAL_WITHOUT_LANGUAGE)["delta"].mean()
        line += f"; {tables.points(without)} without {LANGUAGE}"
    return line


def _models_line(total: pd.DataFrame) -> str:
    ordered = total.sort_values("delta", ascending=False, kind="stable")
    shown = [
        f"{row.name} {tables.points(row['delta'])}{_within(row)}"
        for _, row in ordered.iloc[[0, -1]].iterrows()
    ]
    return f"Models     {' to '.join(shown)}"


def _rank_lines(found: Robustness) -> Iterator[str]:
    taus = found.stability.table["mean"].drop(TOTAL).dropna()
    if len(taus) > 2:  # of more than one transformation and its axis
        taus = taus.sort_values(kind="stable")
        low, high = taus.index[[0, -1]]
        yield f"Ranks      τ from {taus.iloc[0]:.2f} ({low}) to {taus.iloc[-1]:.2f} ({high})"
    halves = found.split_half.loc[list(found.scores.axes)].dropna(subset="median")
    if len(halves):
        shown = [
            f"{axis} {row['median']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
            for axis, row in halves.iterrows()
        ]
        yield f"Halves     ρ between halves of the datasets: {', '.join(shown)}"
