"""`Study`: what a grid of languages and task types says, cell by cell and across."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from robustrank._atomic import write_text
from robustrank.consistency import count_tasks
from robustrank.errors import unknown_label
from robustrank.grid import across
from robustrank.grid.access import Grid
from robustrank.grid.baseline import compare_with_baseline
from robustrank.grid.changes import compare_studies
from robustrank.grid.export import (
    save_study,
    study_to_dict,
    study_to_latex,
    study_to_markdown,
)
from robustrank.grid.figures import figure_table
from robustrank.grid.layout import block_of
from robustrank.grid.page import study_page
from robustrank.grid.plots import StudyPlots
from robustrank.grid.sensitivity import assess_sensitivity
from robustrank.grid.text import (
    methods_paragraph,
    short_summary,
    study_summary,
    study_to_html,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    import pandas as pd

    from robustrank._linkage import Linkage
    from robustrank._numeric import Correlation
    from robustrank.grid.baseline import Baseline, BaselineAgreement
    from robustrank.grid.eligibility import Eligibility
    from robustrank.grid.export import Format, TableName
    from robustrank.grid.figures import FigureKind
    from robustrank.grid.sensitivity import Sensitivity
    from robustrank.notes import Note


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Study(Grid):
    """Every language and task type of a benchmark: evidence, agreement, who stays on top.

    Attributes
    ----------
    cells : DataFrame
        One row per (language, task type), those without a dataset included: ``n`` datasets, of
        which ``n_scored`` have results, and ``n_ranked`` tell the ranked models apart; ``q``
        clusters of these; ``n_unique`` distinct picks (U); ``n_models`` ranked; ``n_rankings``
        counted; evidence ``level``, ``ess`` and its
        ``category``; whether stability over ranking schemes (``rs``) and over dataset compositions
        (``ds``) is assessed, as *Robustness* ticks them; ``w_schemes`` (Kendall's W over schemes,
        averaged over the counted compositions) and ``w_compositions`` (over the picks, averaged
        over schemes); the ``most_consistent_model`` with its ``consistency``,
        ``scheme_variance`` (ST), ``composition_variance`` (SN) and, with resamples, ``p_best``
        (averaged over schemes; of tied models together); the ``leader`` by mean rank over all
        schemes and compositions, ``leader_mean_rank``; ``robust_models``, which at least a fifth of
        these rankings puts first, alone or tied; datasets that are
        ``unscored``; and scores of the most consistent model that average a part of their dataset
        (``partial``). Tied models are joined by ``" = "``.
    languages : DataFrame
        One row per language: ``n_datasets``; ``ess``, the mean over all task types, and its
        ``category``; ``evaluable_tasks`` of ``n_tasks``; task types on which stability over schemes
        and over compositions can be assessed (``assessed_rs``, ``assessed_ds``); the
        ``most_consistent_model`` across task types and its ``coverage_weighted`` consistency (CW).
    tasks : DataFrame
        One row per task type: ``n_models`` that meet the filter, ``languages`` with a dataset,
        ``evaluable_languages``, ``ess`` averaged over languages and its ``category``,
        ``assessed_ds``, and the model that is ``most_often_first`` with the share of cells.
    coverage_weighted : DataFrame, model × language
        Coverage-weighted consistency (CW): a model's consistency summed over the evaluable task
        types of a language, divided by the number of all task types.
    eligibility : Eligibility
        Which models take part in which task type, and why not.
    notes : tuple of Note
        What a reader must know of the whole study; a cell's own are in `notes_of`.
    settings : dict
        Every parameter, and library versions.
    plan, source, blocks, matrices, remake
        What the tables were made from, and what makes them again.
    """

    cells: pd.DataFrame
    languages: pd.DataFrame
    tasks: pd.DataFrame
    coverage_weighted: pd.DataFrame
    eligibility: Eligibility
    notes: tuple[Note, ...]
    remake: Callable[..., Study]

    # -- across cells -----------------------------------------------------------------------------

    def cross_task(
        self, language: str, top_k: int | None = None, *, by_composition: bool = False
    ) -> pd.DataFrame:
        """Count the task types of a language on which a model is in the top η (*Robustness* Eq. 3).

        Parameters
        ----------
        language : str
        top_k : int, optional
            η; the study's by default.
        by_composition : bool
            Count for every composition apart instead of averaging over them. A task type without
            that many compositions is represented by ``all``.

        Returns
        -------
        DataFrame, model × scheme, or model × (composition, scheme)
            CT(η), between 0 and the number of task types; models in the top at least once.
        """
        depth = self.settings["top_k"] if top_k is None else top_k
        if language not in self.languages.index:
            raise unknown_label(self.plan.by[0], language, self.languages.index)
        blocks = {
            cell.task_type: self.blocks.get(block_of(cell, self.settings["level"]))
            for cell in self.plan.cells
            if cell.language == language
        }
        ranks = {task_type: block.ranks for task_type, block in blocks.items() if block}
        if not by_composition:
            return across.in_top(count_tasks(ranks, depth))
        picks = [f"pick-{i + 1}" for i in range(self.settings["n_compositions"])]
        return across.in_top(across.cross_task(ranks, depth, ["all", *picks]))

    def coverage(self, top: int = 1) -> pd.DataFrame:
        """Say for which languages a model is among the most transfer-consistent (*Slavic* Fig. 5).

        Parameters
        ----------
        top : int
            How many models of each language count.

        Returns
        -------
        DataFrame of bool, model × language
            The model with the best coverage, ``coverage(…).mean(axis=1)``, first.
        """
        return across.leading(self.coverage_weighted, top)

    # -- what would change it ---------------------------------------------------------------------

    def baseline(self, by: Baseline | None = None) -> BaselineAgreement:
        """Correlate every ranking with the leaderboard's own (*Robustness* App. K).

        See `robustrank.grid.baseline.compare_with_baseline`.
        """
        return compare_with_baseline(self, by)

    def again(self, **changes: Any) -> Study:
        """Make the study again with some settings changed.

        Parameters
        ----------
        **changes
            ``tau``, ``correlation``, ``linkage``, ``n_compositions``, ``schemes``, ``engine``,
            ``top_k``, ``consistency``, ``n_resamples``, ``confidence_level`` or ``seed``. What they
            leave as it was is not ranked again.
        """
        return self.remake(**changes)

    def sensitivity(
        self,
        *,
        tau: float | Iterable[float] = (0.8, 0.85, 0.9),
        top_k: int | Iterable[int] = (1, 5, 10),
        correlation: Correlation | Iterable[Correlation] = ("pearson", "spearman"),
        linkage: Linkage | Iterable[Linkage] = ("single", "average", "complete"),
        others: Mapping[str, Study] | None = None,
    ) -> Sensitivity:
        """Change one setting at a time and say what changes.

        See `robustrank.grid.sensitivity.assess_sensitivity`.
        """
        settings = {"tau": tau, "top_k": top_k, "correlation": correlation, "linkage": linkage}
        return assess_sensitivity(self, settings, others or {})

    def compare(self, other: Study) -> pd.DataFrame:
        """Say, cell by cell, what another study says otherwise: of a later snapshot, for example.

        See `robustrank.grid.changes.compare_studies`.
        """
        return compare_studies(self, other)

    # -- renderings -------------------------------------------------------------------------------

    def figure_data(self, kind: FigureKind, **which: Any) -> pd.DataFrame:
        """Return what a figure shows as a tidy table.

        See `robustrank.grid.figures.figure_table`.
        """
        return figure_table(self, kind, **which)

    @overload
    def to_html(self, path: None = None, *, title: str | None = None) -> str: ...

    @overload
    def to_html(self, path: str | os.PathLike[str], *, title: str | None = None) -> Path: ...

    def to_html(
        self, path: str | os.PathLike[str] | None = None, *, title: str | None = None
    ) -> Path | str:
        """Make a page of the map of evidence, the standings of its cells, and all tables.

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
            the same study gives the same bytes.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        page = study_page(self, title)
        return page if path is None else write_text(Path(path), page)

    @property
    def plot(self) -> StudyPlots:
        """Figures: ``plot("evidence")`` or ``plot.evidence()``; see `StudyPlots`."""
        return StudyPlots(self)

    def save(
        self, folder: str | os.PathLike[str], formats: Iterable[Format] = ("csv",)
    ) -> list[Path]:
        """Write the page of `to_html` and all tables into a folder.

        See `robustrank.grid.export.save_study`.
        """
        return save_study(self, folder, formats)

    def to_markdown(self, table: TableName = "languages") -> str:
        """Return a table as Markdown."""
        return study_to_markdown(self, table)

    def to_latex(self, table: TableName = "languages") -> str:
        """Return a table as a LaTeX tabular (booktabs)."""
        return study_to_latex(self, table)

    def to_dict(self) -> dict[str, Any]:
        """Return cells, languages, tasks, eligibility, notes, methods and settings, JSON-safe."""
        return study_to_dict(self)

    @property
    def methods(self) -> str:
        """One paragraph saying what was done, ready for a paper."""
        return methods_paragraph(self)

    def summary(self, top: int = 10) -> str:
        """Return the findings, and the `top` languages with the strongest evidence, as text."""
        return study_summary(self, top)

    def __repr__(self) -> str:
        return short_summary(self)

    def _repr_html_(self) -> str:
        return study_to_html(self)
