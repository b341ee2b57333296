"""`SmallestChange`: what it takes to change who is above whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustrank import presenting
from robustrank._text import wrap
from robustrank.flips import wording
from robustrank.flips.plots import SmallestChangePlots

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.flips.question import Goal

#: How many rows of `SmallestChange.margins` the summary shows.
_NEAREST = 10
#: How many groups it shows of each kind of change.
_DROPPED = 5


@dataclass(frozen=True, eq=False, repr=False)
class SmallestChange(presenting.Answer):
    """The smallest changes after which one model stands above another, or first.

    Attributes
    ----------
    table : DataFrame
        Index ``change``: ``datasets``, ``clusters``, ``task_type`` (groups of datasets that are
        dropped) and ``weights``. ``units`` is the number of groups, ``size`` how many of them to
        drop, ``share`` their share, ``n_datasets`` how many datasets go with them; for weights,
        size and share are the weight to move (total variation, 0..1): any more than this and the
        model passes. ``to_tie`` is the size at which models draw level, NaN where no such change
        was found; ``exact`` says whether
        `size` is proven to be the smallest, ``lower_bound`` what is proven, and ``gap`` the
        difference.
        ``margins_to`` is the size up to which all sets were tried for every model in `margins`, NaN
        where `margins` are complete.
        ``passes`` is the model that passes, ``leader_after`` who then leads. Where `size` is NaN
        and ``exact``, no such change exists, for the ``reason`` given; where it is NaN and not
        exact, none was found.
    dropped : DataFrame
        Index ``change`` and ``group``, those that speak most against the model first:
        ``n_datasets``, ``difference`` (mean difference of the scores, ``passes`` minus `over`) and
        ``lead_after``, by how much `over`, or for ``"first"`` the best other model, still leads in
        the aggregate once this group and those before it are dropped.
    weights : DataFrame or None
        Index ``dataset``: weights ``before`` and ``after``, at which models draw level. None if no
        such weights exist, or they were not asked for.
    margins : DataFrame
        Index ``model``: every model that is not above `over`, best first. ``rank`` and ``score`` of
        the aggregate; ``behind``, the distance to `over`; ``better_on``, the number of datasets on
        which it has the higher score; and a column per change: what it takes to pass `over`,
        alone. NaN where no such change exists or, with a note, where none was found.
    goal : {"pass", "first"}
    model : str or None
        The model that is to pass; None for any.
    over : str
        The model to be passed; for ``"first"`` the best of the others.
    lead : float
        By how much the model, or the best of the rivals, leads in the aggregate as it is: not above
        0, unless it is where it is to come already.
    notes : tuple of Note
    settings : dict
    """

    table: pd.DataFrame
    dropped: pd.DataFrame
    weights: pd.DataFrame | None
    margins: pd.DataFrame
    goal: Goal
    model: str | None
    over: str
    lead: float
    settings: dict[str, Any]

    @property
    def headline(self) -> str:
        """Say what it takes."""
        return wording.headline(self)

    @property
    def plot(self) -> SmallestChangePlots:
        """The figure."""
        return SmallestChangePlots(self)

    def summary(self) -> str:
        """Return what it takes, what is dropped, and how far the nearest rivals are."""
        parts = [wrap(self.headline), presenting.to_text(wording.changes(self.table))]
        if len(self.dropped):
            shown = self.dropped.groupby(level="change", sort=False).head(_DROPPED)
            parts.append(
                f"Dropped, what speaks most against it first (up to {_DROPPED} of each kind)\n"
                + presenting.to_text(shown, 5, signed=("difference", "lead_after"))
            )
        if self.weights is not None:
            parts.append(
                "Weights that change most\n"
                + presenting.to_text(wording.largest_moves(self.weights), 4, signed=["difference"])
            )
        nearest = self.margins.head(_NEAREST)
        digits = {"rank": 1, "score": 4, "behind": 4, "weights": 4}
        whole = {str(name): 0 for name in nearest if name not in digits}
        parts.append(
            f"What it takes each model to pass {wording.shown(self.over)}, alone "
            f"({len(nearest)} of {len(self.margins)})\n"
            + presenting.to_text(nearest, {**whole, **digits})
        )
        return "\n\n".join(parts)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the changes, what is dropped, the weights and the margins."""
        weights = {} if self.weights is None else {"weights": self.weights}
        return {
            "changes": self.table,
            "dropped": self.dropped,
            **weights,
            "margins": self.margins,
        }
