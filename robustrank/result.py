"""`Analysis`: what `analyze` found, and its renderings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import pandas as pd

from robustrank._atomic import write_text
from robustrank.report import html
from robustrank.report.export import analysis_to_dict, analysis_to_html
from robustrank.report.paper import ranking_to_latex, ranking_to_markdown
from robustrank.report.plots import AnalysisPlots
from robustrank.report.saving import save_analysis
from robustrank.report.text import full_summary, methods_paragraph, short_summary
from robustrank.report.verdict import Verdict, verdict

if TYPE_CHECKING:
    import os

    from robustrank.agreement import Agreement
    from robustrank.decision import DecisionSupport
    from robustrank.evidence import Evidence
    from robustrank.irt import TaskIRT
    from robustrank.matrix import ScoreMatrix
    from robustrank.mcdm import Rankings
    from robustrank.notes import Note
    from robustrank.redundancy import Redundancy
    from robustrank.report.paper import Table
    from robustrank.resampling import Bootstrap


@dataclass(frozen=True, eq=False, repr=False)
class Analysis:
    """What a score matrix says about its models, and how far that can be trusted.

    Attributes
    ----------
    matrix : ScoreMatrix
        The matrix that was analysed, after the missing-data policy.
    redundancy : Redundancy
        Correlation between datasets, clusters, compositions; ``n``, ``q``, ``n_unique``.
    rankings : Rankings
        ``preferences`` and ``ranks``, model × (composition, scheme); ``weights``, dataset ×
        (composition, weighting).
    agreement : Agreement
        Kendall's W and rank variances over schemes and over compositions.
    evidence : Evidence
        Level, Evidence Strength Score and category.
    bootstrap : Bootstrap
        Intervals, rank intervals, P(best), tiers and pairs of models, by resampling the datasets.
    irt : TaskIRT
        Item response theory: ability of the models, discrimination and difficulty of the datasets.
    consistency : Series
        How consistently each model is in the top `top_k` of the rankings.
    borda : DataFrame
        Borda points and rank.
    notes : tuple of Note
        What a reader must know.
    settings : dict
        Every parameter of `analyze`, the seed and library versions: enough to run it again on the
        same matrix.
    decision : DecisionSupport or None
        What would change the answer, if that was asked: `analyze` with ``decision=True``.
    """

    matrix: ScoreMatrix
    redundancy: Redundancy
    rankings: Rankings
    agreement: Agreement
    evidence: Evidence
    bootstrap: Bootstrap
    irt: TaskIRT
    consistency: pd.Series
    borda: pd.DataFrame
    notes: tuple[Note, ...]
    settings: dict[str, Any]
    decision: DecisionSupport | None = None

    @property
    def verdict(self) -> Verdict:
        """Who leads, how strong the evidence is, and what to be careful with, in sentences."""
        return verdict(self)

    @property
    def counted_ranks(self) -> pd.DataFrame:
        """The rankings behind W and consistency: schemes × picks (or ``all`` without picks)."""
        return self.rankings.ranks[self.redundancy.picks]

    @property
    def n_rankings(self) -> int:
        """Number of rankings behind W and consistency; 1 on a single dataset, where all agree."""
        return 1 if self.redundancy.n <= 1 else self.counted_ranks.shape[1]

    @property
    def winners(self) -> pd.Series:
        """Share of the counted rankings that put each model first (shared ties split)."""
        ranks = self.counted_ranks
        first = ranks.eq(ranks.min()).astype(float)
        share = (first / first.sum()).mean(axis=1)
        ordered = share[share > 0].sort_values(ascending=False, kind="stable")
        return ordered.rename("share_first")

    def to_frame(self) -> pd.DataFrame:
        """Return one row per model, best first.

        Returns
        -------
        DataFrame
            What ranks the models, under its name (``mean`` by default, followed by the mean if it
            is something else), with its interval ``ci_low`` to ``ci_high``; its ``rank`` and the
            interval of that, ``rank_low`` to ``rank_high``; ``tier``; ``p_best``, the chance of
            being first; ``borda_rank``; ``mean_rank``, ``best_rank`` and ``worst_rank`` over all
            schemes and compositions; ``ability`` by item response theory; ``scheme_variance`` (ST,
            averaged over compositions); ``composition_variance`` (SN, averaged over schemes);
            ``consistency``. A model with missing scores has NaN where a statistic needs complete
            scores.
        """
        bootstrap, ranks = self.bootstrap, self.rankings.ranks
        ranked = bootstrap.rank.notna()
        name = self.settings["aggregate"]
        frame = pd.DataFrame(
            {
                name: bootstrap.estimate.where(ranked),
                "ci_low": bootstrap.interval["low"].where(ranked),
                "ci_high": bootstrap.interval["high"].where(ranked),
                "rank": bootstrap.rank,
                "rank_low": bootstrap.rank_interval["low"],
                "rank_high": bootstrap.rank_interval["high"],
                "tier": bootstrap.tiers,
                "p_best": bootstrap.p_best,
                "borda_rank": self.borda["rank"],
                "mean_rank": ranks.mean(axis=1, skipna=False),
                "best_rank": ranks.min(axis=1),
                "worst_rank": ranks.max(axis=1),
                "ability": self.irt.ability,
                "scheme_variance": self.agreement.scheme_variance.mean(axis=1),
                "composition_variance": self.agreement.composition_variance.mean(axis=1),
                "consistency": self.consistency,
            },
            index=self.matrix.scores.index,
        )
        if name != "mean":
            complete = self.matrix.scores.notna().all(axis=1)
            frame.insert(1, "mean", bootstrap.mean.where(complete))
        best_first = frame.sort_values(["rank", "mean_rank", "borda_rank"], kind="stable")
        return best_first.rename_axis("model")

    def to_dict(self) -> dict[str, Any]:
        """Return verdict, findings, tables, ranks, weights, notes and settings as JSON-safe values.

        An undefined number is None. Not included, for their size: preferences, the correlation
        between datasets, and the probabilities and p-values of pairs of models.
        """
        return analysis_to_dict(self)

    def to_markdown(self, table: Table = "all", top: int | None = None) -> str:
        """Return the ranking as Markdown.

        Parameters
        ----------
        table : {"all", "paper"}
            The columns of `to_frame`; or, for a paper, the rank and what ranks the models, each
            with its interval, tier, P(best) and the mean rank over all schemes and compositions.
        top : int, optional
            How many models, best first; all by default.
        """
        return ranking_to_markdown(self, table, top)

    def to_latex(self, table: Table = "all", top: int | None = None) -> str:
        """Return the ranking as a LaTeX tabular (booktabs), for a paper with a rule between tiers.

        The parameters are those of `to_markdown`.
        """
        return ranking_to_latex(self, table, top)

    def save(self, folder: str | os.PathLike[str], *, title: str | None = None) -> list[Path]:
        """Write the report, its tables and its figures into a folder.

        Parameters
        ----------
        folder : path
            Made if needed. Files of the same names are replaced, each when its successor is whole.
        title : str, optional
            Of the report.

        Returns
        -------
        list of Path
            ``report.html``; ``analysis.json`` (`to_dict`); ``ranking.csv``, ``pairwise.csv`` and
            ``tiers.csv`` with all digits; ``ranking.md`` and ``ranking.tex`` for a paper; and each
            figure of `plot` as ``figures/<kind>.svg``. A figure that the data do not allow is left
            out, and removed if an earlier analysis left it there; ``figures_left_out`` in
            ``analysis.json`` says why.

        Raises
        ------
        InputError
            If a file cannot be written.
        """
        return save_analysis(self, folder, title)

    @overload
    def to_html(self, path: None = None, *, title: str | None = None) -> str: ...

    @overload
    def to_html(self, path: str | os.PathLike[str], *, title: str | None = None) -> Path: ...

    def to_html(
        self, path: str | os.PathLike[str] | None = None, *, title: str | None = None
    ) -> Path | str:
        """Make a page of everything: verdict, leaderboard to sort and filter, figures, tables.

        Parameters
        ----------
        path : path, optional
            Where to write it. A file of that name is replaced.
        title : str, optional
            Its heading.

        Returns
        -------
        Path or str
            The file; without `path`, the page itself. It needs no other file and no network, and
            the same analysis gives the same bytes.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        page = html.analysis_page(self, title)
        return page if path is None else write_text(Path(path), page)

    @property
    def plot(self) -> AnalysisPlots:
        """Figures: ``plot("forest")`` or ``plot.forest()``; see `AnalysisPlots`."""
        return AnalysisPlots(self)

    @property
    def methods(self) -> str:
        """One paragraph saying what was done, ready for a paper."""
        return methods_paragraph(self)

    def summary(self, top: int = 10) -> str:
        """Return the verdict, the findings, the clusters and the best `top` models as text."""
        return full_summary(self, top)

    def __repr__(self) -> str:
        return short_summary(self)

    def _repr_html_(self) -> str:
        return analysis_to_html(self)
