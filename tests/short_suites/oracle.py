"""Short suites done the slow way, one subset and one pair at a time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.stats import kendalltau


def tau(scores, columns) -> float:
    """τ-b between the means over some columns and over all; 0 where undefined, as in a search."""
    full = scores.mean(axis=1).round(10)
    part = scores[:, list(columns)].mean(axis=1).round(10)
    found = kendalltau(full, part).statistic
    return 0.0 if np.isnan(found) else float(found)


def greedy(scores, costs) -> list[int]:
    chosen: list[int] = []
    current = 0.0
    while len(chosen) < scores.shape[1]:
        best = None
        for column in range(scores.shape[1]):
            if column in chosen:
                continue
            gain = tau(scores, [*chosen, column]) - current
            worth = gain / costs[column] if gain > 0 else gain * costs[column]
            key = (-round(worth, 12), costs[column], column)
            best = min(best, key) if best else key
        chosen.append(best[2])
        current = tau(scores, chosen)
    return chosen


def backward(scores, costs) -> list[int]:
    kept = list(range(scores.shape[1]))
    dropped: list[int] = []
    current = 1.0
    while len(kept) > 1:
        keys = []
        for column in kept:
            change = tau(scores, [other for other in kept if other != column]) - current
            worth = change * costs[column] if change > 0 else change / costs[column]
            keys.append((-round(worth, 12), -costs[column], column))
        gone = min(keys)[2]
        kept.remove(gone)
        dropped.append(gone)
        current = tau(scores, kept)
    return kept + dropped[::-1]


def held_out(scores, costs, search, folds, repeats, rng) -> tuple[list[float], list[float]]:
    """Pool the pairs of models within held-out folds; also without each model, for the jackknife.

    Returns τ and its standard error for suites of each size.
    """
    m, n = scores.shape
    full = scores.mean(axis=1).round(10)
    pairs = []  # of each pair in each fold: who, and its signs by all datasets and by each suite
    for _ in range(repeats):
        for fold in np.array_split(rng.permutation(m), folds):
            order = search(np.delete(scores, fold, axis=0), costs)
            parts = [scores[:, order[:size]].mean(axis=1).round(10) for size in range(1, n + 1)]
            for a, b in combinations(fold, 2):
                signs = [np.sign(part[a] - part[b]) for part in parts]
                pairs.append((a, b, np.sign(full[a] - full[b]), signs))

    def pooled(size, without=None):
        kept = [(sign, signs[size]) for a, b, sign, signs in pairs if without not in (a, b)]
        by_all, by_suite = np.array(kept).T
        return (by_all @ by_suite) / np.sqrt((by_all @ by_all) * (by_suite @ by_suite))

    errors = []
    for size in range(n):
        left = np.array([pooled(size, model) for model in range(m)])
        errors.append(np.sqrt((m - 1) / m * ((left - left.mean()) ** 2).sum()))
    return [pooled(size) for size in range(n)], errors


def smallest(scores, asked) -> int:
    """Size of the smallest of all subsets whose τ is enough."""
    n = scores.shape[1]
    for size in range(1, n + 1):
        if any(tau(scores, subset) >= asked - 1e-12 for subset in combinations(range(n), size)):
            return size
    return n
