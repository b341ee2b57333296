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
        "All weightings count the same, also those that nobody would choose: a share is no chance "
        "of being the best. The datasets of a task type or a cluster share its weight equally, so "
        "the model that is first most often need not lead by mean. Models that are first in no "
        "draw have no bar.",
        "Stochastic multicriteria acceptability analysis, SMAA-2 (Lahdelma and Salminen 2001). Who "
        "can be first at all is found by linear programs.",
    ),
    "change": AnswerText(
        "reach",
        "How many models can pass the leader after a change of the benchmark",
        "Each step is one more model that passes the leader once so much is dropped, or so much of "
        "the weight moved between single datasets. A line that rises late is a lead that hardly "
        "anything overturns. A model that passes the leader need not be first then: another one "
        "may be above both.",
        "For each rival the smallest change: what favours the leader over it is dropped first. As "
        "many that are picked at random mostly do less.",
    ),
    "influence": AnswerText(
        "margins",
        "The lead when one part of the benchmark is left out",
        "Each dot is the lead over the best other model without what its row names, the smallest "
        "first. Left of 0, another model leads.",
        "Leave one out, as in the jackknife (Efron and Tibshirani 1993, ch. 11).",
    ),
    "ranks": AnswerText(
        "rank_sets",
        "The ranks that each model may have, all at once",
        "With the stated confidence, all true ranks, by the mean over all datasets of this kind, "
        "are within their lines together. A long line says that these datasets cannot place the "
        "model. The intervals of the bootstrap, each of which holds for one model, are shorter.",
        "Simultaneous tests of all pairs, stepwise, after Mogstad, Romano, Shaikh and Wilhelm "
        "(2024).",
    ),
    "best": AnswerText(
        "confidence_set",
        "Which models may be the best",
        "A dot right of the dashed line is a model that may be the best, one left of it is ruled "
        "out at the stated confidence. This asks less than the ranks of all models, and so can say "
        "more.",
        "Multiple comparisons with the best (Hsu 1984), with simultaneous error over the models.",
    ),
    "needed": AnswerText(
        "power",
        "The chance to tell the first two apart, over the number of datasets",
        "Where a line crosses the dashed one, there are enough datasets like those at hand, if the "
        "true lead is the one measured. The test takes the two models as named beforehand. That "
        "they were picked for their scores is allowed for in the last answer, which is stricter.",
        "Paired t-test: power by the noncentral t distribution, and by resampling datasets.",
    ),
    "suite": AnswerText(
        "curve",
        "Agreement of short suites with the whole ranking",
        "A τ of 1 is the same order. Suites are chosen with some of the models and judged by the "
        'others ("held-out models"), where there are enough models; random suites of the same size '
        "are beside them.",
        "Greedy forward selection by Kendall's τ-b, cross-validated over models.",
    ),
    "winner": AnswerText(
        "over_runner_up",
        "The lead over the runner-up, corrected for selection",
        "The answer is the hybrid, up to where the projection ends; with few datasets or a near "
        "tie it is the projection. The naive interval is that of a model which was named before "
        "any score was seen. An interval that holds 0 does not say that the leader is better than "
        "the runner-up; one above 0 does not say that no third model is as good.",
        "Inference on winners (Andrews, Kitagawa and McCloskey 2024).",
    ),
}
