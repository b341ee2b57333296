"""`StudyPlots`: the figures of a study, of all its cells or of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from robustrank import figures
from robustrank.errors import check_count
from robustrank.figures.accessor import Plots
from robustrank.grid.figures import figure_table
from robustrank.report.variance import draw_composition_variance, draw_scheme_variance

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from robustrank.grid.figures import FigureKind
    from robustrank.grid.study import Study

StudyFigure = Literal[
    "composition_variance",
    "consistency",
    "coverage",
    "ess",
    "evidence",
    "languages",
    "leading",
    "n",
    "rank_distribution",
    "rankings",
    "scheme_variance",
]


class StudyPlots(Plots[StudyFigure]):
    """Figures of a study: ``study.plot("evidence")`` or ``study.plot.evidence()``.

    Every method takes `ax`, axes to draw on, and returns the axes; without them, it makes a figure
    of a fitting size. `top` is how many rows are shown; None shows all. Languages come with the
    strongest evidence first. What a figure shows is in `Study.figure_data` as a table.
    """

    def __init__(self, study: Study) -> None:
        self._study = study

    # -- all cells --------------------------------------------------------------------------------

    def evidence(self, ax: Axes | None = None, *, top: int | None = 60) -> Axes:
        """Draw the evidence level of every cell, after *Slavic* (2026), Figure 2."""
        return figures.evidence(self._cells("evidence", "level"), ax, noun=self._noun, top=top)

    def ess(self, ax: Axes | None = None, *, top: int | None = 60) -> Axes:
        """Draw the Evidence Strength Score of every cell, after *Slavic* (2026), Figure 3.

        Cells without evidence, whose score is 0, have a dash.
        """
        table = self._cells("ess", "ess")
        label = "Evidence Strength Score (ESS)"
        return figures.heatmap(
            table.where(table > 0), ax, label=label, limits=(0.0, 1.0), noun=self._noun, top=top
        )

    def n(self, ax: Axes | None = None, *, top: int | None = 60) -> Axes:
        """Draw the number of datasets of every cell, after *Slavic* (2026), Figure 1.

        Cells without a dataset have a dash.
        """
        table = self._cells("n", "n")
        most = max(float(table.to_numpy().max()), 1.0)
        return figures.heatmap(
            table.where(table > 0),
            ax,
            label="datasets",
            limits=(0.0, most),
            decimals=0,
            noun=self._noun,
            top=top,
        )

    def languages(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw the Evidence Strength Score of each language, after *Slavic* (2026), Figure 4."""
        score = self._study.languages["ess"].loc[self._order]
        table = score.to_frame("estimate").assign(low=float("nan"), high=float("nan"))
        label = "Evidence Strength Score (ESS), mean over all task types"
        return figures.intervals(table, ax, label=label, noun=self._noun, top=top)

    def coverage(self, ax: Axes | None = None, *, places: int = 1, top: int | None = 15) -> Axes:
        """Draw for which share of the languages each model leads.

        After *Slavic* (2026), Figure 5 (right).

        Parameters
        ----------
        ax : Axes, optional
        places : int
            How many of the most transfer-consistent models of a language lead.
        top : int or None
        """
        share = self._study.coverage(check_count("places", places, 1)).mean(axis=1)
        label = f"share of {self._noun}s in which it is among the {places} most consistent"
        if places == 1:
            label = f"share of {self._noun}s in which it is the most consistent"
        return figures.shares(share, ax, label=label, top=top)

    def leading(self, ax: Axes | None = None, *, places: int = 1, top: int | None = 60) -> Axes:
        """Draw which models lead each language, and how consistent they are across task types.

        After *Slavic* (2026), Figure 5 (left). Models are columns, that with the best coverage
        first.

        Parameters
        ----------
        ax : Axes, optional
        places : int
            How many of the most transfer-consistent models of a language lead.
        top : int or None
        """
        leads = self._study.coverage(check_count("places", places, 1)).T
        rows = [language for language in self._order if language in leads.index]
        leads = leads.loc[rows]
        weighted = self._study.coverage_weighted.T.loc[rows, leads.columns]
        return figures.heatmap(
            weighted.where(leads),
            ax,
            label="coverage-weighted consistency (CW)",
            noun=self._noun,
            top=top,
        )

    # -- one language or cell ---------------------------------------------------------------------

    def consistency(
        self,
        ax: Axes | None = None,
        *,
        language: str,
        top_k: int | None = None,
        top: int | None = 30,
    ) -> Axes:
        """Draw on how many task types of a language models are in the top η of each ranking.

        After *Robustness* (2026), Appendix E. Models that are alike come together.

        Parameters
        ----------
        ax : Axes, optional
        language : str
        top_k : int, optional
            η; the study's by default.
        top : int or None
        """
        table = self._study.cross_task(language, top_k, by_composition=True)
        depth = self._study.settings["top_k"] if top_k is None else top_k
        return figures.heatmap(
            table,
            ax,
            label=f"task types with it in the top {depth}",
            limits=(0.0, float(len(self._study.plan.task_types))),
            decimals=0,
            order_by_likeness=True,
            top=top,
        )

    def rankings(
        self,
        ax: Axes | None = None,
        *,
        language: str,
        task_type: str,
        top_k: int | None = None,
    ) -> Axes:
        """Draw all ranks of the models in the top η of any ranking of a cell.

        After *Robustness* (2026), Figure 5. Models that are ranked alike come together.

        Parameters
        ----------
        ax : Axes, optional
        language, task_type : str
        top_k : int, optional
            η; the study's by default.
        """
        depth = self._study.settings["top_k"] if top_k is None else top_k
        return figures.rankings(self._study.ranks(language, task_type), ax, top_k=depth)

    def rank_distribution(
        self, ax: Axes | None = None, *, language: str, task_type: str, top: int | None = 10
    ) -> Axes:
        """Draw where each model of a cell comes over all rankings, the lowest mean rank first.

        After *Robustness* (2026), Figure 2.
        """
        every = len(self._study.ranks(language, task_type))
        found = figure_table(
            self._study, "ranks", language=language, task_type=task_type, top=every
        )
        ranks = _wide(found, "model", ["composition", "scheme"], "rank")
        return figures.rank_distribution(ranks, ax, top=top)

    def scheme_variance(
        self, ax: Axes | None = None, *, language: str, task_type: str, top: int | None = 12
    ) -> Axes:
        """Draw ST: how far a model's rank varies over ranking schemes, per composition."""
        return draw_scheme_variance(self._variance("ST", language, task_type), ax, top)

    def composition_variance(
        self, ax: Axes | None = None, *, language: str, task_type: str, top: int | None = 12
    ) -> Axes:
        """Draw SN: how far a model's rank varies over dataset compositions, per scheme."""
        table = self._variance("SN", language, task_type)
        return draw_composition_variance(table, ax, top, where=f"{language} × {task_type}")

    @property
    def _noun(self) -> str:
        return self._study.plan.by[0].replace("_", " ")

    @property
    def _order(self) -> list[str]:
        ess = self._study.languages["ess"]
        return list(ess.sort_values(ascending=False, kind="stable").index)

    def _cells(self, kind: FigureKind, value: str) -> pd.DataFrame:
        """Return a figure's table as language × task type."""
        rows, columns = self._study.plan.by
        return _wide(figure_table(self._study, kind), rows, [columns], value).loc[self._order]

    def _variance(self, kind: str, language: str, task_type: str) -> pd.DataFrame:
        found = figure_table(self._study, "variance", language=language, task_type=task_type)
        return _wide(found[found["kind"] == kind], "model", ["name"], "value")


def _wide(tidy: pd.DataFrame, rows: str, columns: list[str], value: str) -> pd.DataFrame:
    """Return a tidy table as rows × columns, both in the order in which they come."""
    indexed = tidy.set_index([rows, *columns])[value]
    return indexed.unstack(columns, sort=False)  # noqa: PD010 - keeps the order
