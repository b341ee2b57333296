"""Items that stronger models get wrong: a screen for labels to be reviewed.

After *MTEB-PT* (2026), §8.1: an item whose correctness correlates negatively with ability does not
fit the model, in which a stronger model is never less likely to be right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd
from scipy.special import ndtr, stdtr

from robustrank._numeric import TIE_DECIMALS, single_threaded
from robustrank.errors import ParameterError
from robustrank.irt._item_block import BLOCK
from robustrank.irt._quadrature import softplus
from robustrank.irt._responses import Patterns
from robustrank.irt._scoring import score
from robustrank.irt._wording import describe_misfit
from robustrank.irt.instances import check_fit
from robustrank.notes import Note, count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.irt._quadrature import Posterior
    from robustrank.irt.instances import InstanceIRT

Against = Literal["ability", "rest-score"]

#: Below this many models, most negative correlations are chance.
FEW_MODELS = 20


@dataclass(frozen=True, eq=False, repr=False)
class Misfit:
    """Correlation of each item's correctness with ability, most negative first.

    Attributes
    ----------
    table : DataFrame
        Index ``item``, most suspicious first, items that do not vary last: ``correlation``
        (point-biserial), ``p_value`` (one-sided, of a correlation this low without any relation),
        ``q_value`` (Benjamini–Hochberg over active items), ``flagged`` (correlation below 0),
        ``accuracy`` (share of models that are right), ``n_models`` (with a response),
        ``discrimination``.
    n_active : int
        Number of items that some models got right and some wrong; the others cannot misfit.
    n_flagged : int
        Number of active items with a negative correlation.
    expected_share : float
        Share of the active items that would be flagged if the fitted model were true: what chance
        alone flags. NaN without active items.
    against : str
        What correctness was correlated with: ``"ability"`` or ``"rest-score"``.
    notes : tuple of Note
    """

    table: pd.DataFrame
    n_active: int
    n_flagged: int
    expected_share: float
    against: Against
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return describe_misfit(self)

    @property
    def share_active(self) -> float:
        """Share of the items that are active."""
        return self.n_active / len(self.table)

    @property
    def share_flagged(self) -> float:
        """Share of the active items that are flagged; NaN without any."""
        return self.n_flagged / self.n_active if self.n_active else float("nan")


def find_misfit(fit: InstanceIRT, *, against: Against = "ability") -> Misfit:
    """Correlate the correctness of each item with ability, leaving the item itself out.

    Parameters
    ----------
    fit : InstanceIRT
    against : {"ability", "rest-score"}
        ``"ability"``: the posterior mean of θ without the item, its parameters and those of the
        others as fitted. ``"rest-score"``: the share of right answers to the other items.

    Returns
    -------
    Misfit

    Raises
    ------
    ParameterError
        If `fit` is no fit, or `against` is neither.

    Notes
    -----
    The p-value is that of the t-test of a correlation with the number of models less 2 degrees of
    freedom. It treats models as independent, which fine-tuned relatives are not.
    """
    if against not in get_args(Against):
        raise ParameterError(f"against must be 'ability' or 'rest-score'; got {against!r}.")
    check_fit(fit)
    patterns = Patterns.of(fit.responses)
    held = patterns.masks[patterns.mask_of]
    rest = (
        _rest_ability(fit, patterns, held) if against == "ability" else _rest_score(patterns, held)
    )
    held = held * ~np.isnan(rest)
    correlation = _point_biserial(patterns, held, rest)[patterns.item_of]
    n_models = (patterns.models @ held)[patterns.item_of]
    with np.errstate(divide="ignore", invalid="ignore"):  # a correlation of -1 has t = -inf
        free = np.where(n_models > 2, n_models - 2.0, np.nan)
        t = correlation * np.sqrt(free / (1.0 - correlation**2))
    p_value = stdtr(free, t)
    table = pd.DataFrame(
        {
            "correlation": correlation,
            "p_value": p_value,
            "q_value": _q_values(p_value),
            "flagged": correlation < 0.0,
            "accuracy": fit.responses.mean().to_numpy(),
            "n_models": n_models.astype(np.int64),
            "discrimination": fit.discrimination.to_numpy(),
        },
        index=fit.discrimination.index,
    )
    order = np.argsort(correlation.round(TIE_DECIMALS), kind="stable")  # NaN last
    notes = []
    if len(fit.ability) < FEW_MODELS:
        message = (
            f"Correlations rest on {count(len(fit.ability), 'model')}: many negative ones are "
            "chance; see the q-values."
        )
        notes.append(Note("few-models", message))
    return Misfit(
        table=table.iloc[order],
        n_active=int((~np.isnan(correlation)).sum()),
        n_flagged=int((correlation < 0.0).sum()),
        expected_share=_expected_share(fit, ~np.isnan(correlation)),
        against=against,
        notes=tuple(notes),
    )


def _rest_ability(fit: InstanceIRT, patterns: Patterns, held: FloatArray) -> FloatArray:
    """Return each model's ability without each item, shape (M, N).

    Dividing the posterior by the probability of one answer takes that answer out of it.
    """
    a, b = np.full((2, held.shape[1]), np.nan)
    a[patterns.item_of] = fit.discrimination
    b[patterns.item_of] = fit.difficulty
    answers = np.where(held > 0, patterns.right, np.nan)
    a_all, d_all = fit.discrimination.to_numpy(), -(fit.discrimination * fit.difficulty).to_numpy()
    found = score(answers[:, patterns.item_of], a_all, d_all, fit.n_nodes)
    rest = np.tile(found.mean[:, None], held.shape[1])
    with single_threaded():
        for start in range(0, held.shape[1], BLOCK):
            rows = slice(start, start + BLOCK)
            z = a[rows, None] * (found.grid.nodes - b[rows, None])
            by_right = _without(found, softplus(z.copy())[1])
            by_wrong = _without(found, softplus(-z)[1])
            rest[:, rows] = np.where(patterns.right[:, rows] > 0, by_right, by_wrong)
    return rest


def _without(found: Posterior, factor: FloatArray) -> FloatArray:
    """Return the mean abilities when the density is multiplied by `factor`, items × nodes."""
    weighted = (found.density * found.grid.nodes) @ factor.T
    return np.asarray(weighted / (found.density @ factor.T))


def _rest_score(patterns: Patterns, held: FloatArray) -> FloatArray:
    """Return each model's share of right answers to the other items, shape (M, N)."""
    right = (patterns.right @ patterns.items)[:, None] - patterns.right
    answered = (held @ patterns.items)[:, None] - held
    return np.asarray(right / np.where(answered > 0, answered, np.nan))


def _point_biserial(patterns: Patterns, held: FloatArray, rest: FloatArray) -> FloatArray:
    """Correlate the answers to each item with `rest` over the models that answered it."""
    weight = patterns.models[:, None] * held
    total = np.maximum(weight.sum(axis=0), 1.0)
    right = (weight * patterns.right).sum(axis=0)
    y = patterns.right - right / total
    x = np.where(held > 0, rest, 0.0)
    x = x - (weight * x).sum(axis=0) / total
    square_y, square_x = (weight * y**2).sum(axis=0), (weight * x**2).sum(axis=0)
    varied = (right > 0) & (right < total) & (square_x > 10.0**-TIE_DECIMALS)
    norm = np.sqrt(np.where(varied, square_x * square_y, np.nan))
    return np.asarray(((weight * x * y).sum(axis=0) / norm).clip(-1.0, 1.0))


def _expected_share(fit: InstanceIRT, active: NDArray[np.bool_]) -> float:
    """Return the mean probability, under the fitted model, that an item's correlation is negative.

    The sign is that of Σ (θ - mean θ) y over models, taken for normal.
    """
    if not active.any():
        return float("nan")
    theta = np.sort(fit.ability.to_numpy())
    a, b = fit.discrimination.to_numpy()[active], fit.difficulty.to_numpy()[active]
    p = 1.0 / softplus(a[:, None] * (theta - b[:, None]))[1]
    centred = theta - theta.mean()
    variance = (p * (1.0 - p)) @ centred**2
    return float(np.sort(ndtr(-(p @ centred) / np.sqrt(variance))).mean())


def _q_values(p_value: FloatArray) -> FloatArray:
    from scipy.stats import false_discovery_control  # noqa: PLC0415 - scipy.stats is slow to import

    q_value = np.full_like(p_value, np.nan)
    defined = ~np.isnan(p_value)
    if defined.any():
        q_value[defined] = false_discovery_control(p_value[defined], method="bh")
    return q_value
