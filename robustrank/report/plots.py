"""`AnalysisPlots`: the figures of an analysis, all in the same order of models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeVar

from robustrank import figures
from robustrank._resource import named_resource
from robustrank.figures.accessor import Plots
from robustrank.pareto import pareto_front
from robustrank.report.mean_ranks import draw_critical_difference
from robustrank.report.variance import draw_composition_variance, draw_scheme_variance
from robustrank.report.words import ranked_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from matplotlib.axes import Axes

    from robustrank.pareto import Better
    from robustrank.result import Analysis

Table = TypeVar("Table", "pd.DataFrame", "pd.Series")

#: What metadata are called in a figure, if not as their columns.
_RESOURCES: Final = {"n_parameters": "number of parameters"}

AnalysisFigure = Literal[
    "abilities",
    "composition_variance",
    "correlation",
    "critical_difference",
    "forest",
    "information",
    "items",
    "p_best",
    "pairwise",
    "pareto",
    "rank_distribution",
    "rank_intervals",
    "rankings",
    "scheme_variance",
]


class AnalysisPlots(Plots[AnalysisFigure]):
    """Figures of an analysis: ``analysis.plot("forest")`` or ``analysis.plot.forest()``.

    Every method takes `ax`, axes to draw on, and returns the axes; without them, it makes a figure
    of a fitting size. `top` is how many models are shown, best first; None shows all. Models that
    are not ranked, for want of scores, are counted among those not shown; figures that need no
    rank say whom they leave out.
    """

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis

    def forest(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw what ranks the models with its interval, and the tiers."""
        bootstrap = self._analysis.bootstrap
        table = self._listed(bootstrap.to_frame()[["estimate", "ci_low", "ci_high"]])
        return figures.intervals(
            table.set_axis(["estimate", "low", "high"], axis="columns"),
            ax,
            tiers=bootstrap.tiers,
            label=self._with_level(self._aggregate),
            top=top,
        )

    def rank_intervals(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw the rank of each model with its interval, and the tiers."""
        bootstrap = self._analysis.bootstrap
        table = self._listed(bootstrap.to_frame()[["rank", "rank_low", "rank_high"]])
        return figures.intervals(
            table.set_axis(["estimate", "low", "high"], axis="columns"),
            ax,
            tiers=bootstrap.tiers,
            label=self._with_level("rank"),
            ranks=True,
            top=top,
        )

    def abilities(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw the ability of each model by item response theory, with its interval."""
        irt = self._analysis.irt
        table = self._listed(irt.ability_interval.assign(estimate=irt.ability))
        label = self._with_level("ability (mean 0, standard deviation 1)")
        return figures.intervals(
            table, ax, tiers=self._analysis.bootstrap.tiers, label=label, top=top
        )

    def p_best(self, ax: Axes | None = None, *, top: int | None = 15) -> Axes:
        """Draw how often each model is first when the datasets are resampled."""
        likely = self._listed(self._analysis.bootstrap.p_best)
        return figures.shares(likely, ax, label="share of resamples in which it is first", top=top)

    def pairwise(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw P(row above column) for all pairs of models, with the tiers as blocks."""
        bootstrap = self._analysis.bootstrap
        chance = self._listed(self._listed(bootstrap.pairwise).T).T
        threshold = bootstrap.settings["tier_threshold"]
        return figures.pairwise(chance, ax, tiers=bootstrap.tiers, threshold=threshold, top=top)

    def critical_difference(
        self,
        ax: Axes | None = None,
        *,
        test: Literal["nemenyi", "max-t"] = "nemenyi",
        top: int | None = 30,
    ) -> Axes:
        """Draw mean ranks over datasets, or means, and join models that no test tells apart.

        Parameters
        ----------
        ax : Axes, optional
        test : {"nemenyi", "max-t"}
            Nemenyi's test on the ranks within datasets of the models with complete scores, whose
            critical difference is drawn; or the sign-flip test of all pairs of means, adjusted by
            max-t, over the means.
        top : int or None
        """
        return draw_critical_difference(self._analysis, ax, test=test, top=top)

    def correlation(self, ax: Axes | None = None, *, top: int | None = None) -> Axes:
        """Draw the correlation between datasets with the tree of their clusters."""
        found = self._analysis.redundancy
        return figures.correlation(
            found.correlation, found.merges, found.clusters, ax, tau=found.tau, top=top
        )

    def rankings(self, ax: Axes | None = None, *, top_k: int | None = None) -> Axes:
        """Draw all ranks of the models in the top `top_k` of any ranking, alike ones together.

        After *Robustness* (2026), Figure 5. `top_k` is the analysis' own by default.
        """
        depth = self._analysis.settings["top_k"] if top_k is None else top_k
        return figures.rankings(self._analysis.rankings.ranks, ax, top_k=depth)

    def rank_distribution(self, ax: Axes | None = None, *, top: int | None = 10) -> Axes:
        """Draw where each model comes over all ranking schemes and dataset compositions.

        After *Robustness* (2026), Figure 2.
        """
        ranks = self._listed(self._analysis.rankings.ranks)
        return figures.rank_distribution(ranks, ax, top=top)

    def scheme_variance(self, ax: Axes | None = None, *, top: int | None = 12) -> Axes:
        """Draw ST: how far a model's rank varies over ranking schemes, per composition."""
        table = self._listed(self._analysis.agreement.scheme_variance)
        return draw_scheme_variance(table, ax, top)

    def composition_variance(self, ax: Axes | None = None, *, top: int | None = 12) -> Axes:
        """Draw SN: how far a model's rank varies over dataset compositions, per scheme."""
        table = self._listed(self._analysis.agreement.composition_variance)
        return draw_composition_variance(table, ax, top, where="The analysis")

    def items(self, ax: Axes | None = None) -> Axes:
        """Draw the discrimination and difficulty of the datasets, with their intervals."""
        return self._analysis.irt.plot.items(ax)

    def information(self, ax: Axes | None = None) -> Axes:
        """Draw at which abilities the datasets tell models apart."""
        return self._analysis.irt.plot.information(ax)

    def pareto(
        self,
        ax: Axes | None = None,
        *,
        resource: str | Mapping[str, float] | pd.Series = "n_parameters",
        better: Better = "low",
    ) -> Axes:
        """Draw score against a resource, the models that nothing beats, and how sure that is.

        See `robustrank.pareto_front` for `resource` and `better`.
        """
        bootstrap, models = self._analysis.bootstrap, self._analysis.matrix.models
        given, label = resource, "resource"
        if isinstance(resource, str):
            given, label = named_resource(models, resource), _RESOURCES.get(resource, resource)
        interval = bootstrap.to_frame()[["ci_low", "ci_high"]]
        return pareto_front(bootstrap, given, better=better).plot(
            ax,
            label=label,
            score_label=self._with_level(self._aggregate),
            score_interval=interval.set_axis(["low", "high"], axis="columns"),
        )

    @property
    def _aggregate(self) -> str:
        return ranked_by(self._analysis)

    @property
    def _models(self) -> list[str]:
        """The models that are ranked, in order, then the rest."""
        bootstrap = self._analysis.bootstrap
        return [*bootstrap.order, *bootstrap.models.difference(bootstrap.order, sort=False)]

    def _listed(self, table: Table) -> Table:
        """Return the rows of the models that are ranked, in order, and empty ones for the rest."""
        return table.loc[self._analysis.bootstrap.order].reindex(self._models)

    def _with_level(self, label: str) -> str:
        level = 100 * self._analysis.settings["confidence_level"]
        return f"{label}, {level:g}% interval"
