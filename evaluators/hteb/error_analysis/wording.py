"""The rates of errors in words, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from robustrank._text import printable
from robustrank.evaluators.hteb.error_analysis.finding import TOTAL
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from robustrank.notes import count
from robustrank.presenting import to_text

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.evaluators.hteb.error_analysis.selection import Selection

#: Short names of the types, for the heads of columns.
SHORT: Final[dict[str, str]] = {
    **{str(name): str(name) for name in ERROR_TYPES},
    "json_fragment": "json",
    "reasoning_leak": "reasoning",
    "prefix_leak": "prefix",
    "wrong_language": "language",
    "summary_too_long": "too long",
    TOTAL: TOTAL,
}
_ANSWERS: Final = {"first": "first answers, ", "last": "answers after retries, ", None: ""}


def summarise(
    rates: pd.DataFrame,
    by_transformation: pd.DataFrame,
    totals: pd.DataFrame,
    n_texts: int,
    selection: Selection,
    settings: dict[str, Any],
) -> str:
    """Return the rates in percent, the totals under each transformation, and who is best."""
    outputs = int(totals["n_outputs"].sum())
    transformed = by_transformation[TOTAL].unstack("generator")  # noqa: PD010 - of a series
    order = [name for name in TRANSFORMATIONS if name in transformed.index]
    transformed = transformed.loc[order, list(rates.index)]  # unstacking sorts both
    level = f"{100 * settings['confidence_level']:g}%"
    shown = (100.0 * rates).rename(columns=SHORT)
    shown[level + " interval"] = [
        "–" if low != low else f"{100 * low:.1f}–{100 * high:.1f}"  # noqa: PLR0124 - NaN
        for low, high in zip(totals["low"], totals["high"], strict=True)
    ]
    answers = _ANSWERS[settings["attempts"]]
    head = (
        f"Errors of {count(len(rates), 'generator')} in {count(outputs, 'output')} for "
        f"{count(n_texts, 'text')} ({answers}the {settings['reading']} reading)."
    )
    parts = [
        head,
        "Outputs with each error, in %, means over transformations:\n\n" + to_text(shown),
        "Outputs with any error, in %, under each transformation:\n\n"
        + to_text(100.0 * transformed),
        *_findings(rates, by_transformation, selection),
    ]
    return "\n\n".join(parts)


def _findings(
    rates: pd.DataFrame, by_transformation: pd.DataFrame, selection: Selection
) -> list[str]:
    sentences = []
    for name, total in zip(map(str, rates.index), rates[TOTAL].tolist(), strict=True):
        types = rates.loc[name, list(ERROR_TYPES)].dropna()
        if total > 0.0:
            totals = by_transformation[TOTAL].xs(name, level="generator")
            sentences.append(
                f"{printable(name)}: {total:.1%} of the outputs have an error, most often "
                f"{types.idxmax()} ({types.max():.1%}); most under {totals.idxmax()} "
                f"({totals.max():.1%})."
            )
        else:
            sentences.append(f"{printable(name)}: no output has an error.")
    chosen = [str(selection)] if len(rates) > 1 else []
    return ["\n".join([*sentences, *chosen])]
