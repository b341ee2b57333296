"""Short suites in sentences and tables for a terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from robustrank._text import printable, wrap
from robustrank.notes import count, name_some
from robustrank.presenting import to_text
from robustrank.short_suites._agreement import smallest

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.short_suites.suite import ShortSuite
    from robustrank.short_suites.transfer import Transfer

_DECIMALS = {"cost": 0, "tau": 3, "held_out": 3, "error": 3, "random": 3, "top_overlap": 2}
#: Rows of the curve that are shown beyond the suite, or where there is none.
_BEYOND, _WITHOUT = 3, 10


def headline(found: ShortSuite) -> str:
    """Say how few datasets keep the ranking, what chance does, and who leads."""
    ranks = found.ranks
    if (ranks["full"] == ranks["full"].iloc[0]).all():
        return "All models tie on the full suite: there is no ranking to keep."
    if found.n_datasets == 1:
        return "There is one dataset: no suite is shorter."
    if found.size is None:
        return _no_suite(found)
    verb = "keeps" if found.size == 1 else "keep"
    kept = f"{found.size} of {found.n_datasets} datasets {verb} {_claim(found)}"
    sentences = [f"{kept}: τ is {_judged(found, found.size)}{_chance(found, found.size)}."]
    flattered = smallest(found.curve["tau"].to_numpy(), found.settings["tau"])
    if flattered is not None and flattered < found.size:
        sentences.append(f"Judged by the models that chose, {flattered} would seem enough.")
    return " ".join([*sentences, _leaders(found.ranks)])


def _no_suite(found: ShortSuite) -> str:
    """Say how far the best suite gets."""
    curve, n = found.curve.iloc[: found.n_datasets - 1], found.n_datasets
    limit = f"fewer than all {n}" if len(curve) == n - 1 else f"at most {len(curve)}"
    claim = f"No suite of {limit} datasets keeps {_claim(found)}."
    lowest = curve["tau"].to_numpy()
    if _held(found):
        lowest = np.minimum(lowest, (curve["held_out"] - curve["held_out_error"]).to_numpy())
    if np.isnan(lowest).all():
        return claim
    size = int(np.nanargmax(lowest)) + 1
    chosen = f", and {_at(found, 'tau', size):.3f} on those that chose" if _held(found) else ""
    best = f"The best, of {count(size, 'dataset')}, has τ {_judged(found, size)}{chosen}."
    return f"{claim} {best}"


def _held(found: ShortSuite) -> bool:
    """Tell whether there were models enough to hold some out."""
    return bool(found.curve["held_out"].notna().any())


def _at(found: ShortSuite, column: str, size: int) -> float:
    return float(found.curve[column].to_numpy()[size - 1])


def _claim(found: ShortSuite) -> str:
    spare = ", a standard error to spare" if _held(found) else ""
    models = count(len(found.ranks), "model")
    return f"the ranking of {models} at τ ≥ {found.settings['tau']:g}{spare}"


def _judged(found: ShortSuite, size: int) -> str:
    """Return τ, and over which models it was taken."""
    if not _held(found):
        return f"{_at(found, 'tau', size):.3f} on the models that chose"
    error = _at(found, "held_out_error", size)
    return (
        f"{_at(found, 'held_out', size):.3f} (standard error {error:.3f}) on models left out of "
        "the choice"
    )


def _chance(found: ShortSuite, size: int) -> str:
    """Compare with random suites, if any is cheap enough."""
    of = "of that size" if found.settings["cost"] is None else "that cost no more"
    chance = _at(found, "random", size)
    if math.isnan(chance):
        return ""
    if chance < _at(found, "held_out" if _held(found) else "tau", size):
        return f", against {chance:.3f} for random suites {of}"
    return f", which gains nothing over random suites {of} ({chance:.3f})"


def _leaders(ranks: pd.DataFrame) -> str:
    leaders = set(ranks.index[ranks["full"] == ranks["full"].min()])
    first = list(ranks.index[ranks["suite"] == ranks["suite"].min()])
    kept = [name for name in first if name in leaders]
    if not kept:
        return f"It puts {_named(first)} first, not {_named(sorted(leaders))}."
    verb = "stays" if len(kept) == 1 else "stay"
    others = len(first) - len(kept)
    level = f", level with {count(others, 'other model')}" if others else ""
    return f"{_named(kept)} {verb} first{level}."


def _named(models: list[str]) -> str:
    return printable(name_some(models, 2))


def summary(found: ShortSuite) -> str:
    """Return the answer, what it takes otherwise, and the suite."""
    compared, curve = found.comparison, found.curve
    costs = [] if found.settings["cost"] is None else ["cost"]
    shown = _WITHOUT if found.size is None else found.size + _BEYOND
    curve = curve.rename(columns={"held_out_error": "error"})
    columns = ["dataset", *costs, "tau", "held_out", "error", "random"]
    columns += ["leader_kept", "top_overlap"]
    parts = [
        wrap(found.headline),
        f"To reach τ ≥ {found.settings['tau']:g}",
        to_text(compared[["size", *costs, "tau"]], _DECIMALS),
        f"In the order in which datasets are chosen ({found.settings['method']})",
        to_text(curve[columns].iloc[:shown], _DECIMALS),
    ]
    return "\n\n".join(parts)


def transfer_headline(found: Transfer) -> str:
    """Say how well a suite ranks the models of another board."""
    suite = f"On the other board the suite ({count(len(found.datasets), 'dataset')})"
    models = count(found.n_models, "model")
    if math.isnan(found.tau):
        return f"{suite} has no τ: by it, or by all datasets there, all {models} tie."
    new = "" if math.isnan(found.tau_new) else f", {found.tau_new:.3f} among the {found.n_new} new"
    return (
        f"{suite} ranks {models} with τ {found.tau:.3f}{new}. Random suites of that size: "
        f"{found.random:.3f} ({found.random_low:.3f} to {found.random_high:.3f})."
    )


def transfer_summary(found: Transfer) -> str:
    """Return the answer and the first ranks."""
    return f"{wrap(found.headline)}\n\n{to_text(found.ranks.head(10))}"
