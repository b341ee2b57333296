"""What was found, in tables with names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS, average_ranks
from robustrank.flips import pairs
from robustrank.flips.terms import TIE
from robustrank.flips.together import least_shift_together
from robustrank.notes import name_some

if TYPE_CHECKING:
    from robustrank._groups import Groups
    from robustrank._numeric import FloatArray
    from robustrank.flips.drops import Drop
    from robustrank.flips.question import Question
    from robustrank.flips.terms import Linear, Terms
    from robustrank.matrix import ScoreMatrix

#: Solvers leave sums of weights exact to about this.
_SOLVED = 1e-7


@dataclass(frozen=True, eq=False)
class Board:
    """A question about a complete matrix, and the words for its answers.

    Attributes
    ----------
    matrix : ScoreMatrix, shape (m, n)
    terms : Terms
    question : Question
    """

    matrix: ScoreMatrix
    terms: Terms
    question: Question

    @property
    def better_on(self) -> FloatArray:
        """Count the datasets on which each model is above `Question.over`, shape (m,)."""
        scores = self.matrix.scores.to_numpy().round(TIE_DECIMALS)
        return np.asarray((scores > scores[self.question.over]).sum(axis=1))

    def margins(self) -> pd.DataFrame:
        """Say how far every model is behind `Question.over`, in the order of the matrix."""
        values, over = self.question.aggregates, self.question.over
        return pd.DataFrame(
            {
                "rank": average_ranks(values),
                "score": values,
                "behind": values[over] - values,
                "better_on": self.better_on,
            },
            index=self.matrix.scores.index,
        )

    def rivals(self) -> list[int]:
        """Return the models that are not above `Question.over`, best first."""
        values, over = self.question.aggregates, self.question.over
        order = np.argsort(-values.round(TIE_DECIMALS), kind="stable")
        return [int(i) for i in order if i != over and values[i] <= values[over] + TIE]

    def dropped(self, groups: Groups, found: Drop) -> tuple[dict[str, Any], pd.DataFrame]:
        """Return the row of a kind of change, and the groups that are dropped, in order."""
        member = groups.member.astype(np.float64)
        kernel, question = self.terms.kernel, self.question
        chosen = np.array(sorted(found.dropped or ()), dtype=np.intp)
        # Those without which, alone, the challenger does best.
        alone = question.lead(kernel(1.0 - member[chosen])) if len(chosen) else np.zeros(0)
        chosen = chosen[np.argsort(-alone, kind="stable")]
        steps = 1.0 - np.cumsum(member[chosen], axis=0)
        values = kernel(np.vstack([np.ones((1, member.shape[1])), steps]))
        after, rivals = values[:, -1], question.challengers
        challenger = int(rivals[after[rivals].argmax()])
        scores = self.matrix.scores.to_numpy()
        difference = (scores[challenger] - scores[question.over]) @ member.T / member.sum(axis=1)
        table = pd.DataFrame(
            {
                "n_datasets": member.sum(axis=1)[chosen].astype(int),
                "difference": difference[chosen],
                "lead_after": -question.lead(values)[1:],
            },
            index=pd.Index([groups.names[g] for g in chosen], name="group", dtype=object),
        )
        size = np.nan if found.dropped is None else float(len(chosen))
        lower = _number(found.lower)
        row = {
            "units": len(member),
            "size": size,
            "share": size / len(member),
            "n_datasets": np.nan if found.dropped is None else float(table["n_datasets"].sum()),
            "to_tie": 0.0 if question.level else _number(found.to_tie),
            "exact": found.lower is None or found.lower == size,
            "lower_bound": lower,
            "gap": size - lower,
            "margins_to": _number(found.tried),
        }
        if found.dropped is None:
            reason = self._why_not(groups) if found.lower is None else ""
            return {**row, "passes": None, "leader_after": None, "reason": reason}, table
        leader = " = ".join(self._leaders(after, TIE))
        said = {"passes": self._name(challenger), "leader_after": leader, "reason": ""}
        return {**row, **said}, table

    def moved(self, linear: Linear) -> tuple[dict[str, Any], pd.DataFrame | None, FloatArray]:
        """Return the row of weights, the weights, and the least to move for each model alone."""
        question, contributions, own = self.question, linear.contributions, linear.weights
        differences = contributions - contributions[question.over]
        alone = pairs.least_shift(differences, own)
        rivals = question.challengers
        challenger = question.quickest(alone)
        after: FloatArray | None = None
        to_tie = np.nan
        if question.answered:
            after = own
        elif question.goal == "first":
            shift = least_shift_together(
                contributions[rivals] - question.others(contributions), own
            )
            after = shift.weights if shift.passes else None
            if shift.weights is not None:
                to_tie = _moved(own, shift.weights)
        else:
            if challenger is not None:
                after = pairs.shifted(differences[challenger], own)
            level = pairs.least_shift(differences[rivals], own, -TIE)
            to_tie = float(np.nanmin(level)) if (level >= 0).any() else np.nan
        if question.level:
            to_tie = 0.0
        size = np.nan if after is None else _moved(own, after)
        row = {"units": np.nan, "size": size, "share": size, "n_datasets": np.nan, "to_tie": to_tie}
        row |= {"exact": True, "lower_bound": size, "gap": size - size, "margins_to": np.nan}
        if after is None or challenger is None:
            said = {"passes": None, "leader_after": None, "reason": self._why_not()}
            return {**row, **said}, None, alone
        values = contributions @ after
        leaders = self._leaders(values, _SOLVED)
        name = self._name(challenger)
        # One step beyond the weights at which it draws level with the leader, it leads.
        leader = name if name in leaders else " = ".join(leaders)
        said = {"passes": name, "leader_after": leader, "reason": ""}
        weights = pd.DataFrame(
            {"before": own, "after": after, "difference": differences[challenger]},
            index=self.matrix.scores.columns,
        )
        return {**row, **said}, weights, alone

    def _name(self, model: int) -> str:
        return str(self.matrix.scores.index[model])

    def _leaders(self, values: FloatArray, tie: float) -> list[str]:
        """Return who leads by the aggregates after a change."""
        return [self._name(int(i)) for i in np.flatnonzero(values >= values.max() - tie)]

    def _why_not(self, groups: Groups | None = None) -> str:
        """Say why no change of a kind does it."""
        question = self.question
        over = self._name(question.over)
        if question.goal == "first":
            (model,) = question.challengers
            scores = self.matrix.scores.to_numpy().round(TIE_DECIMALS)
            never = np.flatnonzero((scores[model] <= scores).all(axis=1))
            above = [self._name(int(i)) for i in never if i != model]
            if above:
                return f"{name_some(above, 2)} scored at least as high on every dataset"
            if groups is None:
                return "not all others can be passed at once"
            return f"no {groups.noun}s that can be kept put it above all others at once"
        single = question.model
        whom = "every other model" if single is None else self._name(single)
        if not self.better_on[question.challengers].any():
            return f"{over} scored at least as high as {whom} on every dataset"
        noun = "dataset" if groups is None else groups.noun
        who = "another model" if single is None else whom
        return f"no {noun} on its own puts {who} above {over}"


def _moved(before: FloatArray, after: FloatArray) -> float:
    """Return the total variation between weights."""
    return 0.5 * float(np.abs(after - before).sum())


def _number(size: int | None) -> float:
    return np.nan if size is None else float(size)
