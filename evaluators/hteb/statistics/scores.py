"""`Scores`: what every statistic starts from, averaged over runs and paired with its original."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import pandas as pd

from robustrank.errors import EmptyMatrixError, unknown_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.notes import Note

#: The name of the mean over the axes.
TOTAL: Final = "total"
#: The axis that models of one language are not made for, and the total of the other axes.
LANGUAGE: Final = "Language"
TOTAL_WITHOUT_LANGUAGE: Final = f"{TOTAL} without {LANGUAGE}"


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores on 0..1 of models on datasets, as they are and as each transformation makes them.

    Runs of one transformation depend on each other, so that they are averaged before anything
    else, as *HTEB* §2.3 does.

    Attributes
    ----------
    transformed : DataFrame, (model, dataset) × transformation
        Means over runs. NaN where a run is missing or undefined.
    baseline : DataFrame, (model, dataset) × transformation
        The score of the same items as they are. It differs between transformations only where
        items whose texts failed are left out.
    runs : DataFrame
        One row per score: ``model``, ``dataset``, ``transformation``, ``run``, ``score`` and
        ``baseline``.
    axes : mapping of str to tuple of str
        The transformations of each axis, in order; only those that are there.
    task_types : Series
        Task type per dataset; NaN where it is unknown.
    notes : tuple of Note
    """

    transformed: pd.DataFrame
    baseline: pd.DataFrame
    runs: pd.DataFrame
    axes: Mapping[str, tuple[str, ...]]
    task_types: pd.Series
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"Scores: {len(self.models)} models × {len(self.datasets)} datasets × "
            f"{len(self.transformations)} transformations"
        )

    @property
    def models(self) -> list[str]:
        """The models, in the order of the table."""
        return list(self.transformed.index.unique("model"))

    @property
    def datasets(self) -> list[str]:
        """The datasets, in the order of the table."""
        return list(self.transformed.index.unique("dataset"))

    @property
    def transformations(self) -> list[str]:
        """The transformations, in the order of their axes."""
        return list(self.transformed.columns)

    @property
    def runs_per_cell(self) -> tuple[int, int]:
        """The fewest and the most runs of a transformation, over models and datasets."""
        numbers = self.runs.groupby(["model", "dataset", "transformation"])["run"].nunique()
        return (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)

    def paired(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return original and transformed scores, NaN in both where one of them is missing.

        Only so are their means over the same scores.

        Returns
        -------
        baseline, transformed : DataFrame, (model, dataset) × transformation
        """
        held = self.baseline.notna() & self.transformed.notna()
        return self.baseline.where(held), self.transformed.where(held)

    def deltas(self, *, relative: bool = False) -> pd.DataFrame:
        """Return what each transformation changes: transformed minus baseline.

        Parameters
        ----------
        relative : bool
            Divided by the baseline; NaN where that is not above 0.

        Returns
        -------
        DataFrame, (model, dataset) × transformation
        """
        change = self.transformed - self.baseline
        return change / self.baseline.where(self.baseline > 0.0) if relative else change

    def without(self, *axes: str) -> Scores:
        """Return the scores without some axes, such as ``"Language"``."""
        for axis in axes:
            if axis not in self.axes:
                raise unknown_label("axis", axis, self.axes)
        kept = {name: members for name, members in self.axes.items() if name not in axes}
        if not kept:
            raise EmptyMatrixError("No axis is left; leave out fewer.")
        names = [name for members in kept.values() for name in members]
        return replace(
            self,
            transformed=self.transformed[names],
            baseline=self.baseline[names],
            runs=self.runs[self.runs["transformation"].isin(names)].reset_index(drop=True),
            axes=kept,
        )

    def select(
        self,
        *,
        models: str | Iterable[str] | None = None,
        datasets: str | Iterable[str] | None = None,
    ) -> Scores:
        """Return the scores of some models on some datasets, in the order given."""
        rows = self.transformed.index
        chosen = {}
        for level, names in (("model", models), ("dataset", datasets)):
            known = list(rows.unique(level))
            is_one = isinstance(names, str) or not isinstance(names, Iterable)
            named = known if names is None else [names] if is_one else names
            wanted = list(dict.fromkeys(map(str, named)))
            for name in wanted:
                if name not in known:
                    raise unknown_label(level, name, known)
            chosen[level] = wanted
        index = pd.MultiIndex.from_product([chosen["model"], chosen["dataset"]], names=rows.names)
        index = index[index.isin(rows)]
        if index.empty:
            raise EmptyMatrixError("No score is left; choose more models or datasets.")
        return self.keep(index)

    def keep(self, cells: pd.Index, notes: Iterable[Note] = ()) -> Scores:
        """Return the scores of some pairs of model and dataset, with more notes."""
        pairs = pd.MultiIndex.from_frame(self.runs[["model", "dataset"]])
        return replace(
            self,
            transformed=self.transformed.loc[cells],
            baseline=self.baseline.loc[cells],
            runs=self.runs[pairs.isin(cells)].reset_index(drop=True),
            task_types=self.task_types.loc[list(cells.unique("dataset"))],
            notes=(*self.notes, *notes),
        )


def with_axes(table: pd.DataFrame, axes: Mapping[str, tuple[str, ...]]) -> pd.DataFrame:
    """Add the mean of each axis over its transformations, and their mean, the total.

    Parameters
    ----------
    table : DataFrame, any rows × transformation
    axes : mapping of str to tuple of str

    Returns
    -------
    DataFrame
        Columns: the transformations, the axes, ``"total"``, in which every axis has the same
        weight. NaN where a part is missing: a mean over fewer would not be comparable.
    """
    means = {
        axis: table[list(members)].mean(axis="columns", skipna=False)
        for axis, members in axes.items()
    }
    means[TOTAL] = pd.DataFrame(means).mean(axis="columns", skipna=False)
    return pd.concat([table, pd.DataFrame(means, index=table.index)], axis="columns")


def over_datasets(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean over datasets, model × column: plain means over those that are there."""
    return table.groupby(level="model", sort=False).mean()


def mean_of_runs(table: pd.DataFrame, keys: list[str], values: list[str]) -> pd.DataFrame:
    """Return means over the rows that share their keys, whose order changes no bit.

    NaN where one of these rows has none: a mean over fewer would not be comparable.
    """
    groups = table.sort_values(values, kind="stable").groupby(keys, sort=False)[values]
    means: pd.DataFrame = groups.mean()
    return means.where(groups.count().eq(groups.size(), axis="index"))
