"""What the page says about each figure of an analysis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.report.plots import AnalysisFigure


@dataclass(frozen=True)
class FigureText:
    """The words around a figure.

    Attributes
    ----------
    kind : str
        Of `AnalysisPlots`.
    caption : str
        What it shows.
    reading : str
        How to read it, with ``{names}`` of what depends on the analysis; see `filled`.
    method : str
        How it was made, and the source.
    folded : bool
        Whether it unfolds on demand.
    """

    kind: AnalysisFigure
    caption: str
    reading: str
    method: str
    folded: bool = False

    @property
    def anchor(self) -> str:
        """The name of the figure within the page."""
        return f"figure-{self.kind.replace('_', '-')}"

    def filled(self, words: Mapping[str, str]) -> FigureText:
        """Return the text with the words of an analysis in it."""
        texts = {
            name: getattr(self, name).format(**words) for name in ("caption", "reading", "method")
        }
        return replace(self, **texts)


_BOOTSTRAP = (
    "Paired bootstrap: {resamples} resamples of the {units}, the same for all models, after Efron "
    "and Tibshirani (1993)"
)

_UNADJUSTED = (
    "These probabilities are adjusted neither for the number of pairs nor for choosing a leader "
    "by the same scores; Bootstrap.compare, over all pairs, is."
)

#: Anchor, heading and figures of each section, in the order of the page.
SECTIONS: Final[tuple[tuple[str, str, tuple[FigureText, ...]], ...]] = (
    (
        "scores",
        "Scores and tiers",
        (
            FigureText(
                "forest",
                "Scores of the models with their intervals, in tiers",
                "A dot is a model's {score}, the line the middle {level} of its values over "
                "resampled {units}. Intervals that overlap do not make a tie: all models meet "
                "the same datasets, so the tiers, which compare models within each resample, tell "
                "more of them apart. A tier is no set of equals.",
                _BOOTSTRAP
                + "; {level} percentile intervals. A tier begins at the first model that the "
                "leader of the tier above beats in more than {threshold} of the resamples "
                "(MTEB-PT, App. 16). " + _UNADJUSTED,
            ),
        ),
    ),
    (
        "ranks",
        "Ranks",
        (
            FigureText(
                "rank_intervals",
                "Ranks of the models with their intervals",
                "The longer a line, the less the place of a model means. The best place is at the "
                "right.",
                _BOOTSTRAP + "; {level} percentile intervals of the rank.",
            ),
        ),
    ),
    (
        "first",
        "Who could be first",
        (
            FigureText(
                "p_best",
                "How often each model comes first",
                "The share of resamples that a model wins. A leader far below 100% owes its place "
                "to the choice of datasets, as far as resampling these can show.",
                _BOOTSTRAP + "; models that tie for the first place share it.",
            ),
        ),
    ),
    (
        "pairs",
        "Pairs of models",
        (
            FigureText(
                "pairwise",
                "The chance that the model of a row is above that of a column",
                "Strong colours are pairs that hold in most resamples; pale ones, near one half, "
                "are ties. The outlined blocks are tiers.",
                _BOOTSTRAP + "; a pair counts as resolved above {threshold}. " + _UNADJUSTED,
                folded=True,
            ),
        ),
    ),
    (
        "critical-difference",
        "Critical difference",
        (
            FigureText(
                "critical_difference",
                "Mean ranks over datasets; a bar joins models that the test cannot tell apart",
                "Models that share a bar are not told apart by a test that treats every dataset as "
                "one vote and allows for the number of comparisons. Tiers ask another question: "
                "they rest on scores, not on ranks.",
                "Friedman ranks and Nemenyi's critical difference, after Demšar, Statistical "
                "Comparisons of Classifiers over Multiple Data Sets (2006). If all models are "
                "equal, the chance of any false difference is about {error}; whether a pair is "
                "told apart depends on which other models are on the board (Benavoli, Corani and "
                "Mangili 2016).",
            ),
        ),
    ),
    (
        "schemes",
        "Ranking schemes and dataset compositions",
        (
            FigureText(
                "rank_distribution",
                "Where the best models come under every scheme and composition",
                "A narrow distribution is a place that does not depend on how scores are turned "
                "into a ranking, nor on which of several datasets that repeat each other is kept.",
                "{schemes} schemes of multi-criteria decision making on all datasets and on picks "
                "of one dataset per cluster, after Gjorgjevikj et al., On the Robustness of "
                "Multilingual Text Embedding Rankings (2026), Figure 2.",
            ),
            FigureText(
                "rankings",
                "All rankings at once, models that are ranked alike together",
                "Rows are the models that any ranking has in its top {top_k}. A row of one colour "
                "is a model whose place holds; branches that join late are models apart.",
                "The same rankings; average linkage of the models' ranks, after the same paper, "
                "Figure 5.",
                folded=True,
            ),
            FigureText(
                "scheme_variance",
                "ST: how far a model's rank varies over schemes",
                "0 is a model that every scheme puts on the same place.",
                "Population variance of the rank, after the same paper, Equation 1.",
                folded=True,
            ),
            FigureText(
                "composition_variance",
                "SN: how far a model's rank varies over dataset compositions",
                "0 is a model whose rank does not depend on which dataset of each cluster is kept.",
                "Population variance of the rank, after the same paper, Equation 2.",
                folded=True,
            ),
        ),
    ),
    (
        "datasets",
        "Datasets that repeat each other",
        (
            FigureText(
                "correlation",
                "Correlation between datasets, those that are alike side by side",
                "Outlined blocks are clusters: datasets that rank the models so much alike that "
                "they hardly count as several. The line across the tree is the "
                "threshold {tau}.",
                "{correlation} correlation of scores over models; {linkage} linkage above {tau}, "
                "after On the Robustness of Multilingual Text Embedding Rankings (2026), §3.1.",
            ),
        ),
    ),
    (
        "response-theory",
        "Which datasets tell models apart",
        (
            FigureText(
                "items",
                "Discrimination and difficulty of the datasets",
                "Datasets further up separate models of different ability more sharply; those "
                "further right are harder.",
                "Item response theory: a two-parameter logistic model of the scores, after MTEB-PT "
                "(2026), §8; {level} percentile intervals over {refits} refits on resampled "
                "models.",
            ),
            FigureText(
                "abilities",
                "Abilities of the models with their intervals",
                "An ability weighs datasets by how well they separate models: a model above its "
                "place by {score} does well on those that separate most.",
                "The same model; {level} percentile intervals over the same refits.",
                folded=True,
            ),
            FigureText(
                "information",
                "At which abilities the datasets tell models apart",
                "The board is precise where the curve is high. Models that lie closer together "
                "than the standard error drawn differ by less than the datasets can resolve.",
                "Fisher information of the same model, summed over datasets. It holds if errors "
                "are independent and of equal spread on every dataset.",
                folded=True,
            ),
        ),
    ),
    (
        "size",
        "Score against size",
        (
            FigureText(
                "pareto",
                "Scores against the number of parameters, and the models that none beats in both",
                "A model on the line is the best of its size or smaller.",
                _BOOTSTRAP + ", which also says how often a model is on the line.",
            ),
        ),
    ),
)
