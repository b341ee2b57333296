"""A suite chosen on one board, tried on another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._arrange import by_content
from robustrank.aggregation import resolve_aggregate
from robustrank.errors import InputError, check_count, check_seed, describe_seed
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.presenting import Result
from robustrank.short_suites import _wording
from robustrank.short_suites._agreement import Reference
from robustrank.short_suites._tables import suite_ranks
from robustrank.short_suites._trials import middle

if TYPE_CHECKING:
    from collections.abc import Collection

    import pandas as pd

    from robustrank.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False, repr=False)
class Transfer(Result):
    """How well a suite ranks the models of another board.

    Attributes
    ----------
    tau : float
        Kendall's τ-b between the rankings by the suite and by all datasets of the board, over all
        its models; NaN where either ties them all.
    tau_new : float
        The same over the models that the suite was not chosen by; NaN if there are not two.
    n_models, n_new : int
        Numbers of models, and of those that are new.
    datasets : tuple of str
        The datasets of the suite that the board has.
    random, random_low, random_high : float
        τ of random suites of as many datasets: mean, and percentiles 5 and 95.
    ranks : DataFrame
        Per model, best first: ``full``, ``suite`` (ranks) and ``new``.
    settings : dict
    notes : tuple of Note
    """

    tau: float
    tau_new: float
    n_models: int
    n_new: int
    datasets: tuple[str, ...]
    random: float
    random_low: float
    random_high: float
    ranks: pd.DataFrame
    settings: dict[str, Any]

    @property
    def headline(self) -> str:
        """How well the suite ranks these models, and how well a random one would."""
        return _wording.transfer_headline(self)

    def summary(self) -> str:
        """Return the answer, for a terminal."""
        return _wording.transfer_summary(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return ``ranks``."""
        return {"ranks": self.ranks}

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.headline}"


def transfer(
    board: ScoreMatrix,
    suite: tuple[str, ...],
    known: Collection[str],
    aggregate: str,
    *,
    n_random: int,
    seed: int | np.random.Generator,
) -> Transfer:
    """Rank the models of a board by a suite and by all datasets.

    `known` are the models that the suite was chosen by.
    """
    check_count("n_random", n_random, 1)
    check_seed(seed)
    settings = {"aggregate": aggregate, "n_random": n_random, "seed": describe_seed(seed)}
    matrix = board.resolve_missing("drop-models")
    work = by_content(matrix)
    columns = {str(name): place for place, name in enumerate(work.scores.columns)}
    present = tuple(name for name in suite if name in columns)
    if not present:
        raise InputError(
            f"The board has no dataset of the suite: {name_some(suite)}. Give a board with the "
            "same datasets under the same names.",
            suite,
        )
    rng = np.random.default_rng(seed)
    n = len(columns)
    suites = np.zeros((2 + n_random, n))
    suites[0] = 1.0
    suites[1, [columns[name] for name in present]] = 1.0
    for draw in range(n_random):
        suites[2 + draw, rng.choice(n, len(present), replace=False)] = 1.0
    values = resolve_aggregate(aggregate).prepare(work)(suites)
    found = Reference.of(values[:, 0]).tau(values[:, 1:])
    new = np.array([str(model) not in known for model in work.scores.index])
    of_new = Reference.of(values[new, 0]).tau(values[new, 1:2]) if new.sum() > 1 else [np.nan]
    mean, low, high = (float(bound[0]) for bound in middle(found[None, 1:]))
    ranks = suite_ranks(matrix, work, values[:, 0], values[:, 1])
    ranks["new"] = [str(model) not in known for model in ranks.index]
    notes = []
    gone = tuple(name for name in suite if name not in columns)
    if gone:
        message = f"{count(len(gone), 'dataset')} of the suite not on the board: {name_some(gone)}."
        notes.append(Note("missing-datasets", message, gone))
    if len(present) == n:
        message = "The board has no dataset beyond the suite, so that both are the same ranking."
        notes.append(Note("no-other-datasets", message))
    return Transfer(
        tau=float(found[0]),
        tau_new=float(of_new[0]),
        n_models=len(new),
        n_new=int(new.sum()),
        datasets=present,
        random=mean,
        random_low=low,
        random_high=high,
        ranks=ranks,
        settings=settings,
        notes=merge_notes(matrix.notes, notes),
    )
