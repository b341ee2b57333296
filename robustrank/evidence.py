"""How strong the evidence behind a ranking is: evidence level and Evidence Strength Score.

After Gjorgjevikj, Koroušić Seljak and Eftimov, *Dataset Scarcity Limits Robust Evaluation of
Multilingual Embedding Models* (2026), Tables 2 and 12. That paper prints no formula for the score:
the one here was inferred from its tables, every entry of which it reproduces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from robustrank.errors import ParameterError, check_count

Level = Literal["E0", "E1", "E_SC", "E_RS", "E_RS+DS"]

#: What each level means, in the order of strength.
LEVELS: dict[Level, str] = {
    "E0": "no dataset tells the models apart",
    "E1": "a single dataset; stability cannot be assessed",
    "E_SC": "several datasets that all repeat each other: one cluster",
    "E_RS": "no dataset repeats another; only stability over ranking schemes can be assessed",
    "E_RS+DS": "stability over ranking schemes and over dataset compositions can be assessed",
}

#: What share of stability can be assessed at each level: R of the Evidence Strength Score.
ASSESSABLE: dict[Level, float] = {"E0": 0.0, "E1": 0.0, "E_SC": 0.0, "E_RS": 0.5, "E_RS+DS": 1.0}

#: Upper bounds (exclusive) of the categories of *Slavic* Table 12.
_CATEGORIES = (
    (0.1, "extremely weak"),
    (0.25, "weak"),
    (0.4, "moderate"),
    (0.6, "comparatively strong"),
    (float("inf"), "very strong"),
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Strength of the evidence behind a ranking.

    Attributes
    ----------
    level : str
        ``"E0"``, ``"E1"``, ``"E_SC"``, ``"E_RS"`` or ``"E_RS+DS"``.
    score : float
        Evidence Strength Score (ESS), 0..1.
    category : str
        The score in words, from ``"extremely weak"`` to ``"very strong"``.
    """

    level: Level
    score: float
    category: str

    @property
    def meaning(self) -> str:
        """The level in words."""
        return LEVELS[self.level]


def assess_evidence(n: int, q: int, *, unscored: int = 0, saturation: int = 5) -> Evidence:
    """Return level, score and category for `n` datasets in `q` clusters.

    See `evidence_strength`; the level is that of the datasets with results.
    """
    score = evidence_strength(n, q, unscored=unscored, saturation=saturation)
    return Evidence(evidence_level(n - unscored, q), score, evidence_category(score))


def evidence_level(n: int, q: int) -> Level:
    """Return the evidence level (*Slavic* Table 2).

    Parameters
    ----------
    n : int
        Number of datasets.
    q : int
        Number of clusters of correlated datasets, 1 ≤ q ≤ n (0 when n is 0).

    Returns
    -------
    {"E0", "E1", "E_SC", "E_RS", "E_RS+DS"}
    """
    check_count("n", n, 0)
    check_count("q", q, 0)
    if not min(n, 1) <= q <= n:
        raise ParameterError(f"q must lie between 1 and n (both 0 without data); got {n=}, {q=}.")
    if n <= 1:
        return "E0" if n == 0 else "E1"
    if q == 1:
        return "E_SC"
    return "E_RS" if q == n else "E_RS+DS"


def evidence_strength(n: int, q: int, *, unscored: int = 0, saturation: int = 5) -> float:
    """Return the Evidence Strength Score, ESS = ¼·min(n/5, 1) + ¼·q/n + ½·R.

    R is 0 at levels E1 and E_SC, ½ at E_RS and 1 at E_RS+DS; ESS is 0 without data. Inferred from
    the published values, see the module's docstring.

    Parameters
    ----------
    n, q : int
        Numbers of datasets and of clusters.
    unscored : int
        How many of the n datasets have no results. They count in n, as datasets that exist; what
        stability can be assessed, R, rests on the others.
    saturation : int
        Number of datasets from which more add nothing to the first term.

    Returns
    -------
    float
        Between 0 and 1.
    """
    check_count("saturation", saturation, 1)
    check_count("n", n, 0)
    if check_count("unscored", unscored, 0) > n:
        raise ParameterError(f"unscored counts some of the n datasets; got {n=}, {unscored=}.")
    return sum(evidence_parts(n, q, unscored=unscored, saturation=saturation))


def evidence_parts(
    n: int, q: int, *, unscored: int = 0, saturation: int = 5
) -> tuple[float, float, float]:
    """Return the three terms of `evidence_strength`, which takes the same parameters."""
    level = evidence_level(n - unscored, q)
    if level == "E0":
        return 0.0, 0.0, 0.0
    return 0.25 * min(n / saturation, 1.0), 0.25 * q / n, 0.5 * ASSESSABLE[level]


def evidence_category(score: float) -> str:
    """Put an Evidence Strength Score in words (*Slavic* Table 12)."""
    if not 0.0 <= score <= 1.0:
        raise ParameterError(f"An Evidence Strength Score lies between 0 and 1; got {score!r}.")
    # A mean of scores that is 0.1 but for its last bits belongs where 0.1 does.
    rounded = round(float(score), 10)
    return next(words for bound, words in _CATEGORIES if rounded < bound)
