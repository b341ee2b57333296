"""`model_confidence_set`: the models that may be the best."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pandas as pd

from robustrank import presenting
from robustrank._arrange import by_content
from robustrank._numeric import average_ranks, row_means
from robustrank._text import wrap
from robustrank.confidence_sets.best import Procedure, best_p_values
from robustrank.confidence_sets.plots import ConfidenceSetPlots
from robustrank.confidence_sets.units import Test, Units, check_test, repeat_notes
from robustrank.errors import ParameterError, check_alpha, check_count, check_seed, describe_seed
from robustrank.matrix import ScoreMatrix
from robustrank.notes import count, merge_notes, name_some

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._groups import By
    from robustrank._numeric import FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class ConfidenceSet(presenting.Answer):
    """The models that may be the best, with a p-value for every model.

    Attributes
    ----------
    table : DataFrame
        Index ``model``, best first: ``mean``, ``rank``, ``behind`` (how far the mean is below the
        best), ``p_value``, and whether the model is ``in_set``: its p-value is above alpha.
    settings : dict
        All parameters, and the number of independent units.
    notes : tuple of Note
    """

    table: pd.DataFrame
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def plot(self) -> ConfidenceSetPlots:
        """The figure: ``plot.confidence_set()``."""
        return ConfidenceSetPlots(self)

    @property
    def members(self) -> tuple[str, ...]:
        """The models of the set, best first."""
        return tuple(map(str, self.table.index[self.table["in_set"]]))

    @property
    def headline(self) -> str:
        """Who may be the best."""
        level = presenting.level(1.0 - self.settings["alpha"])
        members, m = self.members, len(self.table)
        if len(members) == m:
            first = list(map(str, self.table.index[self.table["rank"] == self.table["rank"].min()]))
            leads = f"{first[0]} leads" if len(first) == 1 else f"{name_some(first, 3)} lead"
            return (
                f"With {level} confidence, no model can be ruled out as the best of {m}; {leads}."
            )
        if len(members) == 1:
            return f"With {level} confidence, {members[0]} is the best of {m} models."
        return (
            f"With {level} confidence, the best of {m} models is one of {len(members)}: "
            f"{name_some(members, 6)}."
        )

    def summary(self, top: int | None = 20) -> str:
        """Return the headline and the first models, for a terminal.

        Parameters
        ----------
        top : int or None
            How many models to show; None for all.
        """
        if top is not None:
            check_count("top", top, 1)
        shown = self.table.head(len(self.table) if top is None else top)
        numbers = presenting.to_text(shown, {"mean": 4, "behind": 4})
        parts = [wrap(self.headline), numbers]
        left = len(self.table) - len(shown)
        if left:
            held = int(self.table["in_set"].iloc[len(shown) :].sum())
            parts.append(f"{count(left, 'model')} more, {held} of them in the set")
        return "\n\n".join(parts)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the table."""
        return {"confidence_set": self.table}


def model_confidence_set(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    alpha: float = 0.05,
    procedure: Procedure = "mcb",
    by: By = "datasets",
    test: Test = "sign-flip",
    n_resamples: int = 2_000,
    seed: int | np.random.Generator = 0,
) -> ConfidenceSet:
    """Find the models that may be the best by mean score.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Models with missing scores are set aside, with a note.
    alpha : float
        Chance with which the set may lack the best model.
    procedure : {"mcb", "mcs-max", "mcs-range"}
        ``"mcb"`` keeps a model unless some other is surely better, and compares each model with
        all others at once; the set holds the best model, each one of several equals, with
        1 - `alpha`. The model confidence sets eliminate models until the rest pass for equal, by
        the furthest below the mean of those left or by the furthest behind another one; they hold
        all of several equals with 1 - `alpha`, ``"mcs-max"`` only if the models' scores are not
        skewed, not even alike. ``"mcb"`` is the default since it asks what a
        reader asks, and its p-value of a model does not depend on what was eliminated before.
    by : {"datasets", "clusters", "task_type"}, mapping or Series
        What is independent, as in `rank_confidence_sets`.
    test : {"sign-flip", "bootstrap-t"}
        As in `rank_confidence_sets`.
    n_resamples : int
        Draws of signs or resamples; all signs are taken where they are no more than that.
    seed : int or numpy.random.Generator

    Returns
    -------
    ConfidenceSet

    Raises
    ------
    InputError
        If a setting is out of range or fewer than two models are complete.

    References
    ----------
    Hsu (1984), Constrained simultaneous confidence intervals for multiple comparisons with the
    best, Annals of Statistics 12(3), 1136-1144. Hansen, Lunde & Nason (2011), The model confidence
    set, Econometrica 79(2), 453-497. They draw blocks of a time series where this flips signs of
    datasets.

    Examples
    --------
    >>> import numpy as np, robustrank as rr
    >>> rng = np.random.default_rng(0)
    >>> board = np.array([[0.7], [0.69], [0.5], [0.3]]) + rng.normal(0, 0.05, (4, 20))
    >>> rr.model_confidence_set(board).members
    ('m2', 'm1')
    """
    check_alpha(alpha)
    check_test(test)
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)
    if procedure not in get_args(Procedure):
        known = ", ".join(map(repr, get_args(Procedure)))
        raise ParameterError(f"procedure must be one of {known}; got {procedure!r}.")
    matrix = ScoreMatrix.coerce(scores).resolve_missing("drop-models")
    work = by_content(matrix)
    units = Units.of(work, by)
    described = describe_seed(seed)
    draws = units.draw(test, n_resamples, np.random.default_rng(seed))
    p = pd.Series(best_p_values(draws, procedure), index=work.scores.index)
    # With all signs flipped, two models or a range of differences reach the same statistic again.
    two_sided = procedure == "mcs-range" or (procedure == "mcs-max" and len(p) == 2)
    settings = {
        "alpha": alpha,
        "procedure": procedure,
        "by": by if isinstance(by, str) else dict(by),
        "n_units": units.totals.shape[1],
        "test": test,
        "n_resamples": n_resamples,
        "seed": described,
    }
    of_test = units.notes(
        test, draws, alpha, 2 if two_sided else 1, against_mean=procedure == "mcs-max"
    )
    notes = merge_notes(matrix.notes, of_test, repeat_notes(matrix, by))
    p = p.loc[matrix.scores.index]
    table = _table(list(map(str, p.index)), matrix.scores.to_numpy(), p, alpha)
    return ConfidenceSet(table, settings, notes=notes)


def _table(names: list[str], values: FloatArray, p: pd.Series, alpha: float) -> pd.DataFrame:
    means = row_means(values)
    ranks = average_ranks(means)
    table = pd.DataFrame(
        {
            "mean": means,
            "rank": ranks,
            "behind": means.max() - means,
            "p_value": p.to_numpy(),
            "in_set": p.to_numpy() > alpha + 1e-12,
        },
        index=pd.Index(names, name="model"),
    )
    return table.iloc[np.argsort(ranks, kind="stable")]
