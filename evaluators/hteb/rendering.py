"""Plans and scores as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank._progress import describe_seconds
from robustrank.evaluators.hteb.statistics.totals import total_scores
from robustrank.evaluators.hteb.texts.transformations import AXES, ORIGINAL

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.study.plan import Plan


def plan_to_text(plan: Plan) -> str:
    """Return a plan as two tables and what they add up to."""
    calls = int(plan.stages["calls"].sum())
    prompts, answers = (
        int(plan.stages[name].sum()) for name in ("prompt_tokens", "completion_tokens")
    )
    measured = bool(plan.stages["measured"].all())
    if plan.seconds is None:
        time = (
            "unknown: nothing is generated yet whose speed would tell; name one with "
            "--tokens-per-second"
        )
    else:
        time = f"about {describe_seconds(plan.seconds)}"
    done = "" if plan.done is None else f", {plan.done:,} of them done"
    basis = "as seen so far" if measured else "from the lengths of the texts"
    lines = [
        _table(plan.datasets),
        "",
        _table(plan.stages.drop(columns="measured").round().astype("int64")),
        "",
        f"Texts    {plan.texts:,} to transform{done}",
        f"Calls    {calls:,} of the generator, before retries; equal requests are made once",
        f"Tokens   {prompts:,} read and {answers:,} written, {basis}",
        f"Time     {time}",
        f"Scores   {plan.scores:,}",
    ]
    return "\n".join(lines)


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON-safe values."""
    return {
        "datasets": plan.datasets.reset_index().to_dict("records"),
        "stages": plan.stages.reset_index().to_dict("records"),
        "texts": plan.texts,
        "done": plan.done,
        "seconds": plan.seconds,
        "scores": plan.scores,
    }


def scores_to_text(table: pd.DataFrame) -> str:
    """Return the means over datasets: original, each axis and the HTEB total, best total first."""
    present = set(table["transformation"])
    axes = [axis for axis, members in AXES.items() if present.intersection(members)]
    rewritten = table[table["transformation"] != ORIGINAL]
    means = {ORIGINAL: _mean(table, ORIGINAL)}
    if (rewritten["original"] != rewritten["original_with_fallbacks"]).any():
        # Texts that failed are left out: the same items as they are, to compare with.
        means["same items"] = _mean(rewritten.assign(score=rewritten["original"]), "total")
    means |= {name: _mean(table, name) for name in [*axes, "total"]}
    rates = 100 * rewritten.groupby("model")[["fallback_rate", "error_rate"]].mean()
    shown = pd.DataFrame(means).join(rates.rename(columns=lambda name: name.replace("_rate", " %")))
    shown = shown.sort_values("total", ascending=False, kind="stable").round(1)
    return "Means over datasets, ×100\n" + _table(shown)


def _mean(table: pd.DataFrame, value: str) -> pd.Series:
    return 100 * total_scores(table, value).mean(axis="columns", skipna=False)


def _table(frame: pd.DataFrame) -> str:
    text = frame.rename_axis(None).to_string(
        formatters={
            name: (lambda value: f"{value:,}")
            for name in frame.columns
            if pd.api.types.is_integer_dtype(frame[name])
        }
    )
    return str(text)
