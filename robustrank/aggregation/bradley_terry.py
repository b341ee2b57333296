"""Bradley-Terry strengths: every dataset is a tournament in which each pair of models meets.

Source: R. A. Bradley & M. E. Terry (1952), *Rank Analysis of Incomplete Block Designs: I*,
Biometrika 39(3/4), 324-345.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS, single_threaded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Precision of the normal prior on log strengths (sd 10): it keeps unbeaten models finite.
RIDGE = 0.01
#: Newton's method stops after a step this short: the next one would be about its square.
_LAST_STEP = 1e-6
_MAX_STEPS = 100
#: No step moves a log strength further: from a poor start Newton's steps overshoot.
_LONGEST_STEP = 2.0
#: Numbers in a block of m × m tables that are worked on together.
_BLOCK_CELLS = 500_000


class BradleyTerryKernel:
    """Penalised maximum-likelihood logarithms of Bradley-Terry strengths, mean 0.

    A model that beats another on a dataset wins a comparison; a tie is half a win for each. On a
    complete matrix each pair meets equally often, so that models are ordered as by Borda count.

    Parameters
    ----------
    values : ndarray, shape (m, n)
        Scores, NaN where missing: a model without a score meets nobody on that dataset.

    Attributes
    ----------
    ranked : ndarray of bool, shape (m,)
        Models with a score.
    held : ndarray of bool, shape (m, n)
        Where there is one.
    """

    partial = True

    def __init__(self, values: FloatArray) -> None:
        rounded = values.round(TIE_DECIMALS)
        m, n = values.shape
        # float32 holds these counts exactly and halves the memory of the (m, m, n) table.
        a, b = rounded[:, None], rounded[None, :]
        wins = (a > b).astype(np.float32) + np.float32(0.5) * (a == b)
        wins[np.arange(m), np.arange(m)] = 0.0
        self._wins = wins.reshape(-1, n)
        self.held = ~np.isnan(values)
        self.ranked: NDArray[np.bool_] = np.asarray(self.held.any(axis=1))
        everything = wins.sum(axis=2, dtype=np.float64)[None]
        fitted = fit_strengths(everything)[0]
        share = _win_shares(everything)[0]
        order = np.lexsort((fitted, share))
        # Strength over win share, known from all datasets: where the fits to multisets start.
        self._curve = share[order], fitted[order]

    def __call__(self, counts: FloatArray) -> FloatArray:
        """Return log strengths, shape (m, B); NaN where a model has no score in the multiset."""
        m = len(self.ranked)
        result = np.empty((m, len(counts)))
        size = max(1, _BLOCK_CELLS // m**2)
        with single_threaded():
            for start in range(0, len(counts), size):
                drawn = counts[start : start + size].astype(np.float32)
                wins = (drawn @ self._wins.T).astype(np.float64).reshape(-1, m, m)
                result[:, start : start + size] = fit_strengths(wins, self._start(wins)).T
        present = self.held.astype(np.float64) @ counts.T > 0
        return np.where(present, result, np.nan)

    def _start(self, wins: FloatArray) -> FloatArray:
        return np.asarray(np.interp(_win_shares(wins), *self._curve))


def _win_shares(wins: FloatArray) -> FloatArray:
    """Return the share of its comparisons that each model won, half a comparison added to both."""
    won, lost = wins.sum(axis=2), wins.sum(axis=1)
    return np.asarray((won + 0.5) / (won + lost + 1.0))


def fit_strengths(wins: FloatArray, start: FloatArray | None = None) -> FloatArray:
    """Fit log strengths to several tournaments by Newton's method.

    Parameters
    ----------
    wins : ndarray, shape (b, m, m)
        ``wins[k, i, j]``: how often i beat j in tournament k, ties counted half.
    start : ndarray, shape (b, m), optional
        Guesses; by default log odds of winning.

    Returns
    -------
    ndarray, shape (b, m)
        Mean 0 over the models. The maximum of Σ w_ij ln σ(β_i - β_j) - (RIDGE / 2) Σ β_i².
    """
    meetings = wins + wins.transpose(0, 2, 1)
    won = wins.sum(axis=2)
    if start is None:
        share = _win_shares(wins)
        start = np.log(share / (1.0 - share))
    log_odds = start.copy()
    diagonal = np.arange(wins.shape[1])
    for _ in range(_MAX_STEPS):
        strength = np.exp(log_odds)
        chance = strength[:, :, None] / (strength[:, :, None] + strength[:, None, :])
        expected = meetings * chance
        gradient = won - expected.sum(axis=2) - RIDGE * log_odds
        hessian = -expected * (1.0 - chance)
        hessian[:, diagonal, diagonal] = 0.0
        hessian[:, diagonal, diagonal] = RIDGE - hessian.sum(axis=2)
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True).clip(min=1e-300)
        log_odds += step * np.minimum(1.0, _LONGEST_STEP / longest)
        if longest.max() < _LAST_STEP:
            break
    return np.asarray(log_odds - log_odds.mean(axis=1, keepdims=True))
