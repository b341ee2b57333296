"""What a study reads: scores per dataset, and per dataset and language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._metadata import parse_languages
from robustrank.matrix import ScoreMatrix
from robustrank.readers.partial import by_model, find_partial

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank._scale import Direction, Scale
    from robustrank.readers.dispatch import Loaded


@dataclass(frozen=True, eq=False)
class Source:
    """Scores and metadata, from which every cell of a grid takes its part.

    Attributes
    ----------
    matrix : ScoreMatrix
        Scores per dataset, all languages averaged.
    catalogue : DataFrame
        One row per dataset that exists, with or without results, in alphabetical order:
        ``task_type``, ``languages`` and the other fields of its metadata.
    rows : DataFrame or None
        Scores per split and subset, if the source was a long table.
    drop_partial : bool
        Whether a score that averages a part of its dataset is missing.
    """

    matrix: ScoreMatrix
    catalogue: pd.DataFrame
    rows: pd.DataFrame | None
    drop_partial: bool

    @classmethod
    def of(cls, loaded: Loaded, *, drop_partial: bool) -> Source:
        """Take what was read."""
        known = loaded.matrix.datasets
        if loaded.tasks is not None:
            rest = loaded.tasks.loc[loaded.tasks.index.difference(known.index)]
            known = pd.concat([known, rest]) if len(rest) else known
        return cls(loaded.matrix, known.sort_index(), loaded.rows, drop_partial)

    @property
    def knows_languages(self) -> bool:
        """Whether there are scores per language."""
        return self.rows is not None and bool(self.rows["languages"].notna().any())

    def totals(self, language: str) -> tuple[FloatArray, NDArray[np.intp]]:
        """Return, per model and dataset, the sum and the number of the scores on one language.

        Those on its splits × subsets. A row that names no language counts for every language of
        its dataset. For a source that `knows_languages`.
        """
        rows = self._coded
        wanted = np.zeros(rows.n_categories + 1, dtype=bool)
        wanted[rows.speaks.get(language, [])] = True
        wanted[-1] = True  # the code -1: no language named
        chosen = wanted[rows.languages]
        shape, cell = self.matrix.shape, rows.cell[chosen]
        size = shape[0] * shape[1]
        total = np.bincount(cell, weights=rows.score[chosen], minlength=size).reshape(shape)
        seen = np.bincount(cell, minlength=size).reshape(shape)
        seen[:, [language not in codes for codes in self.matrix.datasets["languages"]]] = 0
        return np.where(seen > 0, total, 0.0), seen

    def of_language(self, language: str) -> ScoreMatrix:
        """Return the scores per dataset on the subsets of one language alone; see `totals`."""
        total, seen = self.totals(language)
        names = self.matrix.scores
        counts = pd.DataFrame(seen, index=names.index, columns=names.columns)
        unit = f"subsets in {language}"
        partial = find_partial(counts, pd.DataFrame({"expected": counts.max(), "unit": unit}))
        means = np.divide(total, seen, out=np.full(seen.shape, np.nan), where=seen > 0)
        scores = pd.DataFrame(means, index=names.index, columns=names.columns)
        models = self.matrix.models.drop(columns="partial_scores", errors="ignore")
        if self.drop_partial:
            scores = scores.mask(counts < counts.max())
        elif len(partial):
            models["partial_scores"] = by_model(partial, list(names.index))
        return ScoreMatrix(
            scores,
            self.matrix.datasets.drop(columns="direction"),
            models,
            direction=self._direction,
            scale=self._scale,
        )

    @cached_property
    def _coded(self) -> _Coded:
        assert self.rows is not None  # noqa: S101 - callers ask `knows_languages`
        return _Coded.of(self.rows[self.rows["score"].notna()], self.matrix)

    @property
    def _direction(self) -> Direction:
        ways = self.matrix.datasets["direction"]
        return dict.fromkeys(ways.index[ways == "min"], "min")

    @property
    def _scale(self) -> Scale:
        percent = any(note.code == "scale" for note in self.matrix.notes)
        return "percent" if percent else "unit"


@dataclass(frozen=True, eq=False)
class _Coded:
    """Rows as arrays: the cell of the matrix, the category of languages, the score."""

    cell: NDArray[np.intp]
    languages: NDArray[np.integer]
    score: FloatArray
    n_categories: int
    speaks: dict[str, list[int]]

    @classmethod
    def of(cls, rows: pd.DataFrame, matrix: ScoreMatrix) -> _Coded:
        place = {
            "model": matrix.scores.index.get_indexer(rows["model"].cat.categories),
            "dataset": matrix.scores.columns.get_indexer(rows["dataset"].cat.categories),
        }
        model, dataset = (place[role][rows[role].cat.codes.to_numpy()] for role in place)
        kept = dataset >= 0  # a dataset may have been left out by its direction
        categories = rows["languages"].cat.categories
        speaks: dict[str, list[int]] = {}
        for code, category in enumerate(categories):
            for language in parse_languages(category):
                speaks.setdefault(language, []).append(code)
        return cls(
            cell=(model * matrix.shape[1] + dataset)[kept],
            languages=rows["languages"].cat.codes.to_numpy()[kept],
            score=rows["score"].to_numpy()[kept],
            n_categories=len(categories),
            speaks=speaks,
        )
