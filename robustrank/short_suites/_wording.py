"""Short suites in sentences and tables for a terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from robustrank._text import printable, wrap
from robustrank.notes import count, name_some
from robustrank.presenting import to_text

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.short_suites.suite import ShortSuite
    from robustrank.short_suites.transfer import Transfer

_DECIMALS = {"cost": 0, "tau": 3, "held_out": 3, "random": 3, "random_low": 3, "random_high": 3}
_DECIMALS |= {"top_overlap": 2}
#: Rows of the curve that are shown beyond the suite, or where there is none.
_BEYOND, _WITHOUT = 3, 10


def headline(found: ShortSuite) -> str:
    """Say how few datasets keep the ranking, what chance would take, and who leads."""
    ranks, tau = found.ranks, found.settings["tau"]
    m, n = len(ranks), found.n_datasets
    if (ranks["full"] == ranks["full"].iloc[0]).all():
        return "All models tie on the full suite: there is no ranking to keep."
    if n == 1:
        return "There is one dataset: no suite is shorter."
    judged, models = _judged(found)
    if found.size is None:
        last = judged.iloc[: n - 1]
        limit = f"at most {len(last)}" if len(last) < n - 1 else f"fewer than all {n}"
        best = ""
        if last.notna().any():
            size = int(last.fillna(-1.0).to_numpy().argmax()) + 1
            best = f" The best has τ {last.max():.3f}, with {count(size, 'dataset')}."
        return (
            f"No suite of {limit} datasets keeps the ranking of {count(m, 'model')} at "
            f"τ ≥ {tau:g}{models}.{best}"
        )
    verb = "keeps" if found.size == 1 else "keep"
    flattered = found.comparison["size"]["in sample"]
    claim = (
        f"{found.size} of {count(n, 'dataset')} {verb} the ranking of {count(m, 'model')} at "
        f"τ ≥ {tau:g}{models}"
    )
    if models and flattered < found.size:
        claim += f"; judged by the models that chose them, {flattered} would seem enough"
    return f"{claim}. {_against_chance(found)} {_leaders(found)}"


def _judged(found: ShortSuite) -> tuple[pd.Series, str]:
    """Return the τ that decided, and over which models it was taken."""
    if found.curve["held_out"].isna().all():
        return found.curve["tau"], ""
    return found.curve["held_out"], " on models that had no say in the choice"


def _against_chance(found: ShortSuite) -> str:
    """Compare with random suites: by size, or by cost where costs were given."""
    by = "size" if found.settings["cost"] is None else "cost"
    own, chance = found.comparison.loc[["held out", "random, mean"], by]
    name = f"{chance:,.0f}" if by == "size" else f"a cost of {chance:,.0f} against {own:,.0f}"
    if chance > own:
        return f"Random suites take {name} on average."
    return f"Choosing gains nothing here: random suites take {name} on average."


def _leaders(found: ShortSuite) -> str:
    ranks = found.ranks
    leaders = ranks.index[ranks["full"] == ranks["full"].min()]
    first = ranks.index[ranks["suite"] == ranks["suite"].min()]
    if set(leaders) & set(first):
        return f"{printable(name_some(first, 2))} stays first."
    return (
        f"It puts {printable(name_some(first, 2))} first, not {printable(name_some(leaders, 2))}."
    )


def summary(found: ShortSuite) -> str:
    """Return the answer, what it takes otherwise, and the suite."""
    compared, curve = found.comparison, found.curve
    costs = [] if found.settings["cost"] is None else ["cost"]
    shown = _WITHOUT if found.size is None else found.size + _BEYOND
    columns = ["dataset", *costs, "tau", "held_out", "random", "leader_kept", "top_overlap"]
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
    size = count(len(found.datasets), "dataset")
    new = ""
    if not math.isnan(found.tau_new):
        new = f", {found.tau_new:.3f} among the {found.n_new} new ones"
    return (
        f"On the other board the suite ({size}) ranks {count(found.n_models, 'model')} with "
        f"τ {found.tau:.3f}{new}. Random suites of that size: {found.random:.3f} "
        f"({found.random_low:.3f} to {found.random_high:.3f})."
    )


def transfer_summary(found: Transfer) -> str:
    """Return the answer and the first ranks."""
    return f"{wrap(found.headline)}\n\n{to_text(found.ranks.head(10))}"
