"""Slow and obvious versions of every weighting and method, for all-benefit matrices.

Loops over models and datasets, straight from the formulas; nothing shared with the package.
"""

from __future__ import annotations

import math

import numpy as np


def equal(x):
    return np.full(x.shape[1], 1 / x.shape[1])


def merec(x):
    m, n = x.shape
    logs = [[abs(math.log(min(x[:, j]) / x[i, j])) for j in range(n)] for i in range(m)]
    effects = []
    for j in range(n):
        effect = 0.0
        for i in range(m):
            overall = math.log(1 + sum(logs[i]) / n)
            without = math.log(1 + sum(logs[i][k] for k in range(n) if k != j) / n)
            effect += abs(without - overall)
        effects.append(effect)
    return np.array(effects) / sum(effects)


def critic(x):
    n = x.shape[1]
    scaled = minmax(x)
    information = []
    for j in range(n):
        conflict = sum(1 - np.corrcoef(scaled[:, j], scaled[:, k])[0, 1] for k in range(n))
        information.append(np.std(scaled[:, j]) * conflict)
    return np.array(information) / sum(information)


def minmax(x):
    return np.column_stack([(c - min(c)) / (max(c) - min(c)) for c in x.T])


def wsm(x, w, normalization="sum"):
    columns = {
        "sum": lambda c: c / sum(c),
        "minmax": lambda c: (c - min(c)) / (max(c) - min(c)),
        "max": lambda c: c / max(c),
        "vector": lambda c: c / math.sqrt(sum(c**2)),
        "none": lambda c: c,
    }
    normalized = np.column_stack([columns[normalization](c) for c in x.T])
    return np.array([sum(w * row) for row in normalized])


def topsis(x, w, normalization="minmax"):
    if normalization == "minmax":
        normalized = minmax(x)
    else:
        normalized = np.column_stack([c / math.sqrt(sum(c**2)) for c in x.T])
    weighted = normalized * w
    best, worst = weighted.max(axis=0), weighted.min(axis=0)
    closeness = []
    for row in weighted:
        near, far = math.dist(row, best), math.dist(row, worst)
        closeness.append(far / (near + far))
    return np.array(closeness)


def vikor(x, w, v=0.5):
    """1 - Q."""
    m, n = x.shape
    s, r = [], []
    for i in range(m):
        terms = [
            w[j] * ((max(x[:, j]) - x[i, j]) / (max(x[:, j]) - min(x[:, j]))) for j in range(n)
        ]
        s.append(sum(terms))
        r.append(max(terms))

    def rescaled(values):
        spread = max(values) - min(values)
        return [(value - min(values)) / spread if spread > 1e-10 else 0.0 for value in values]

    return np.array(
        [1 - v * a - (1 - v) * b for a, b in zip(rescaled(s), rescaled(r), strict=True)]
    )


def promethee2(x, w, preference):
    """`preference(d, column)` for one positive difference."""
    m, n = x.shape
    net = np.zeros(m)
    for i in range(m):
        for k in range(m):
            for j in range(n):
                d = x[i, j] - x[k, j]
                if d > 0:
                    net[i] += w[j] * preference(d, x[:, j])
                elif d < 0:
                    net[i] -= w[j] * preference(-d, x[:, j])
    return net / (m - 1)


def usual(d, column):
    return 1.0


def gaussian(d, column):
    return 1 - math.exp(-(d**2) / (2 * np.var(column)))


def ranks(preferences):
    """Average ranks, counted pair by pair."""
    p = np.round(preferences, 10)
    return np.array([1 + sum(p > value) + (sum(p == value) - 1) / 2 for value in p])


METHODS = {
    "wsm": wsm,
    "topsis": topsis,
    "vikor": vikor,
    "promethee2-usual": lambda x, w: promethee2(x, w, usual),
    "promethee2-gaussian": lambda x, w: promethee2(x, w, gaussian),
}
WEIGHTINGS = {"equal": equal, "merec": merec, "critic": critic}
