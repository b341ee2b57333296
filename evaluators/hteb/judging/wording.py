"""Judges' ratings in words and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank._text import printable
from robustrank.notes import count, name_some
from robustrank.presenting import to_text

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.judging.scores import JudgeScores


#: Means that differ by less are equal, but for rounding.
_ALIKE = 1e-9


def summarise(scores: JudgeScores) -> str:
    """Return what to conclude, then the tables."""
    judges, generators = scores.by_judge.shape
    head = (
        f"{count(judges, 'judge')}, {count(generators, 'generator')}, "
        f"{count(scores.n_items, 'item')}, {count(scores.n_ratings, 'rating')}."
    )
    if not scores.n_items:
        return printable(head)
    level = f"{100 * scores.settings['confidence_level']:g}%"
    average = scores.average.rename(columns={"low": f"{level} low", "high": f"{level} high"})
    parts = [
        "\n".join(printable(line) for line in [head, *_conclusions(scores)]),
        f"Mean ratings; generators that share a letter are not told apart\n{to_text(average, 2)}",
        f"By judge\n{to_text(scores.by_judge, 2)}",
        f"By transformation\n{to_text(scores.by_transformation, 2)}",
    ]
    if len(scores.self_preference):
        own = to_text(scores.self_preference, 2, signed=("leniency", "preference", "low", "high"))
        parts.append(f"Judges on their own texts\n{own}")
    return "\n\n".join(parts)


def _conclusions(scores: JudgeScores) -> list[str]:
    average = scores.average
    best = str(average.index[0])
    if len(average) == 1:
        return [f"{best} is rated {average['mean'].iloc[0]:.2f} on average."]
    lines = [_lead(scores, best)]
    if average["mean"].iloc[1] < average["mean"].iloc[0] - _ALIKE:
        lead = scores.by_judge[best] - scores.by_judge.drop(columns=best).max(axis="columns")
        tied = int((lead.abs() <= _ALIKE).sum())
        lines.append(
            f"{int((lead > _ALIKE).sum()):,} of {count(len(lead), 'judge')} rate {best} highest"
            + (f"; {tied:,} rate another alike." if tied else ".")
        )
    partial = scores.self_preference
    partial = partial[partial["p_adjusted"] <= scores.settings["alpha"] + 1e-12]
    for name, row in partial.iterrows():
        way = "higher" if row["preference"] > 0 else "lower"
        lines.append(
            f"{name} rates its own texts {abs(row['preference']):.2f} {way} than the other judges "
            "do, beyond what it gives the other generators."
        )
    return lines


def _lead(scores: JudgeScores, best: str) -> str:
    means = scores.average["mean"]
    top = means.index[means >= means.max() - _ALIKE]
    if len(top) > 1:
        others = "" if len(top) == len(means) else ", and higher than the others"
        return f"{name_some(top)} are rated alike{others}."
    pairs = scores.comparisons
    if pairs.empty or pairs["p_value"].isna().all():
        return f"{best} is rated highest; whether that is chance cannot be told."
    against = pairs[pairs["generator_a"] == best]
    equal = list(against.loc[~against["significant"], "generator_b"])
    alpha = scores.settings["alpha"]
    if not equal:
        return (
            f"{best} is rated highest, and better than every other generator (Holm-adjusted "
            f"p ≤ {against['p_adjusted'].max():.2g})."
        )
    return (
        f"{best} is rated highest, but at {alpha:g} not told apart from {name_some(equal)}; "
        f"{count(int(pairs['significant'].sum()), 'pair')} of {len(pairs):,} differ."
    )
