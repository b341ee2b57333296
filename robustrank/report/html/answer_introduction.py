"""What the page says before the answers: who leads by mean score, and what they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from robustrank._numeric import TIE_DECIMALS, row_means
from robustrank.notes import count, name_some

if TYPE_CHECKING:
    from robustrank.result import Analysis

#: What makes clusters of datasets in every answer.
_CLUSTERS: Final = {"tau": 0.9, "correlation": "pearson", "linkage": "single"}
#: Models with the same mean that are named.
_NAMED: Final = 3
_KINDS: Final = (
    "Weightings, changes, influence and short suites are about these datasets as they are. Ranks, "
    "the best model, how many datasets it takes and how good the leader is are about datasets of "
    "this kind, of which these are taken as a sample. So a lead that hardly any change overturns "
    "can still be chance."
)


def introduction(analysis: Analysis) -> list[str]:
    """Return paragraphs; none if what would change the answer was not asked."""
    if analysis.decision is None:
        return []
    settings = analysis.settings
    said = [_standing(analysis)]
    if settings["aggregate"] != "mean":
        said.append(f"The leaderboard above is by {settings['aggregate']}.")
    if any(settings[name] != usual for name, usual in _CLUSTERS.items()):
        said.append(
            f"Clusters here are of correlations above {_CLUSTERS['tau']} (Pearson, single "
            "linkage), whatever makes those above."
        )
    said.append("Scores here are on a scale from 0 to 1, of which a point is 0.01.")
    return [" ".join(said), _KINDS]


def _standing(analysis: Analysis) -> str:
    """Say who leads by mean score, and by how much."""
    given = analysis.matrix.scores
    scores = given.dropna()  # the answers set other models aside
    m = len(scores)
    among = count(m, "model")
    if m < len(given):
        among = f"{m:,} of {len(given):,} models, those with every score,"
    means = row_means(scores.to_numpy(dtype=np.float64))
    behind = np.round(means.max() - means, TIE_DECIMALS)
    order = np.argsort(behind, kind="stable")
    first, second = scores.index[order[:2]]
    by = f"by mean score over {count(scores.shape[1], 'dataset')}"
    tied = scores.index[behind == 0.0]
    if len(tied) > 1:
        return f"{name_some(tied, _NAMED)} share the first place of {among} {by}."
    lead = 100.0 * behind[order[1]]
    points = f"{lead:.2f} points" if lead >= 0.01 else "under 0.01 points"
    return f"{first} is first of {among} {by}, {points} ahead of {second}."
