"""What the page says about the figure of each answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class AnswerText:
    """The words around the figure of an answer.

    Attributes
    ----------
    figure : str
        Its name among the figures of the answer.
    caption, reading, method : str
        What it shows, how to read it, how it was made and after whom.
    """

    figure: str
    caption: str
    reading: str
    method: str

    @property
    def anchor(self) -> str:
        """The name of the figure within the page."""
        return f"answer-{self.figure.replace('_', '-')}"


#: By the attribute of `DecisionSupport`.
TEXTS: Final = {
    "acceptability": AnswerText(
        "first_places",
        "How often each model comes first over all weightings",
        "Each weighting of the kinds of datasets counts the same. A model without a bar is first "
        "under none that was drawn.",
        "Stochastic multicriteria acceptability analysis, SMAA-2 (Lahdelma and Salminen 2001). Who "
        "can be first at all is found by linear programs.",
    ),
    "change": AnswerText(
        "reach",
        "How many models can pass the leader after a change of the benchmark",
        "Each step is one more model that passes the leader once so much is dropped, or so much of "
        "the weight moved. A line that rises late is a lead that hardly anything overturns.",
        "For each rival the smallest change: what favours the leader over it is dropped first.",
    ),
    "influence": AnswerText(
        "margins",
        "The lead when one part of the benchmark is left out",
        "A dot left of 0 would be a benchmark that another model leads.",
        "Leave one out, as in the jackknife (Efron and Tibshirani 1993, ch. 11).",
    ),
    "ranks": AnswerText(
        "rank_sets",
        "The ranks that each model may have, all at once",
        "With the stated confidence, all true ranks are within their lines together. The intervals "
        "of the bootstrap, each of which holds for one model, are shorter.",
        "Simultaneous tests of all pairs, stepwise, after Mogstad, Romano, Shaikh and Wilhelm "
        "(2024).",
    ),
    "best": AnswerText(
        "confidence_set",
        "Which models may be the best",
        "A dot right of the dashed line is a model that may be the best.",
        "Multiple comparisons with the best (Hsu 1984), with simultaneous error over the models.",
    ),
    "needed": AnswerText(
        "power",
        "The chance to tell the first two apart, over the number of datasets",
        "Where a line crosses the dashed one, there are enough datasets like those at hand.",
        "Paired t-test: power by the noncentral t distribution, and by resampling datasets.",
    ),
    "suite": AnswerText(
        "curve",
        "Agreement of short suites with the whole ranking",
        "Suites are chosen with some of the models and judged by the others; random suites of the "
        "same size are beside them.",
        "Greedy forward selection by Kendall's τ-b, cross-validated over models.",
    ),
    "winner": AnswerText(
        "over_runner_up",
        "The lead over the runner-up, corrected for selection",
        "An interval that holds 0 does not say that the leader is better than the runner-up.",
        "Inference on winners (Andrews, Kitagawa and McCloskey 2024).",
    ),
}
