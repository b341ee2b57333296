"""The cells of a grid, one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustrank.analysis import analyze
from robustrank.errors import EmptyMatrixError, ParameterError, unknown_label
from robustrank.grid.cells import standings, top_lists
from robustrank.grid.layout import block_of
from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.grid.block import Block
    from robustrank.grid.layout import BlockId
    from robustrank.grid.plan import CellPlan, Plan
    from robustrank.grid.source import Source
    from robustrank.matrix import ScoreMatrix
    from robustrank.notes import Note
    from robustrank.result import Analysis


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Grid:
    """What a study was made from, and what each of its cells says.

    Attributes
    ----------
    settings : dict
        Every parameter, and library versions.
    plan : Plan
        The cells with their datasets.
    source : Source
        What was read.
    matrices, blocks : dict
        By `BlockId`: what was ranked, and the rankings. Many cells share a block.
    """

    settings: dict[str, Any]
    plan: Plan
    source: Source
    matrices: dict[BlockId, ScoreMatrix]
    blocks: dict[BlockId, Block]

    def matrix(self, language: str, task_type: str) -> ScoreMatrix:
        """Return the model × dataset matrix that a cell is ranked on."""
        return self.matrices[self._block_id(language, task_type)]

    def analysis(self, language: str, task_type: str, **settings: Any) -> Analysis:
        """Analyse one cell in full.

        Parameters
        ----------
        language, task_type : str
        **settings
            Parameters of `robustrank.analyze`, in place of those of the study.
        """
        names = ("tau", "correlation", "linkage", "n_compositions", "schemes", "engine", "top_k")
        own = {name: self.settings[name] for name in (*names, "consistency", "seed")}
        return analyze(self.matrix(language, task_type), **{**own, **settings})

    def ranks(self, language: str, task_type: str) -> pd.DataFrame:
        """Return the ranks of a cell, model × (composition, scheme)."""
        return self._block(language, task_type).ranks

    def standings(self, language: str, task_type: str) -> pd.DataFrame:
        """Return one row per model of a cell, the most consistent first.

        Returns
        -------
        DataFrame
            ``consistency``; ``mean_rank``, ``best_rank`` and ``worst_rank`` over all schemes and
            compositions; ``share_first``, the share of these rankings that put it first, alone or
            tied; ``mean`` score; ``scheme_variance`` (ST, averaged over compositions);
            ``composition_variance`` (SN, averaged over schemes). With resamples also the widest
            rank interval over schemes, ``rank_low`` to ``rank_high``, and ``p_best`` and ``p_top``,
            averaged over schemes.
        """
        top_k, kind = self.settings["top_k"], self.settings["consistency"]
        return standings(self._block(language, task_type), top_k, kind)

    def top(self, language: str, task_type: str, top_k: int | None = None) -> pd.DataFrame:
        """Return the models on the first places of every ranking of a cell.

        Returns
        -------
        DataFrame, place × (composition, scheme)
            Models whose rank is at most `top_k` (the study's by default), so that ties may make a
            list shorter or longer; the rest is NA.
        """
        depth = self.settings["top_k"] if top_k is None else top_k
        return top_lists(self.ranks(language, task_type), depth)

    def bootstrap(self, language: str, task_type: str) -> pd.DataFrame:
        """Return what resampling the datasets of a cell says under every scheme.

        Returns
        -------
        DataFrame, model × (scheme, statistic)
            ``rank_low`` and ``rank_high``, ``p_best``, and ``p_top``: being in the top `top_k`.

        Raises
        ------
        ParameterError
            If the study drew no resamples, or the cell has a single dataset, of which there are
            none.
        """
        found = self._block(language, task_type).bootstrap
        if found is None:
            raise ParameterError(
                f"There are no resamples of {language} × {task_type}: they need n_resamples > 0 "
                "and two datasets or more."
            )
        return found

    def notes_of(self, language: str, task_type: str) -> tuple[Note, ...]:
        """Return what a reader of one cell must know."""
        return self._block(language, task_type).notes

    def _block_id(self, language: str, task_type: str) -> BlockId:
        block = block_of(self._cell(language, task_type), self.settings["level"])
        if block not in self.blocks:
            cell = self._cell(language, task_type)
            n = count(len(cell.datasets), "dataset")
            raise EmptyMatrixError(
                f"{language} × {task_type} could not be ranked: {n}, "
                f"{len(cell.scored)} of them with results, on which fewer than two models meet the "
                "filter and differ.",
                [language, task_type],
            )
        return block

    def _block(self, language: str, task_type: str) -> Block:
        return self.blocks[self._block_id(language, task_type)]

    def _cell(self, language: str, task_type: str) -> CellPlan:
        for value, known, name in (
            (language, self.plan.languages, self.plan.by[0]),
            (task_type, self.plan.task_types, self.plan.by[1]),
        ):
            if value not in known:
                raise unknown_label(name, value, known)
        row = self.plan.languages.index(language)
        return self.plan.cells[
            row * len(self.plan.task_types) + self.plan.task_types.index(task_type)
        ]
