"""`read_ratings`: the files that raters hand in, as one long table with what the key knows."""

from __future__ import annotations

import os
from dataclasses import dataclass

import pandas as pd

from robustrank.errors import DuplicateError, EmptyMatrixError, FormatError, unknown_label
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.ratings.answers import (
    ANSWER,
    FILE,
    SEEN,
    handed_in,
    read_answers,
)
from robustrank.evaluators.hteb.ratings.questions import SIMILARITY
from robustrank.evaluators.hteb.ratings.survey import KEY
from robustrank.notes import Note, count, name_some
from robustrank.readers.tables import existing


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings by people.

    Attributes
    ----------
    table : DataFrame
        One row per rating that was given: ``item``, ``rater``, ``criterion`` and ``rating``, then
        what is known of the item, such as its ``transformation`` and ``dataset``.
    notes : tuple of Note
        What was left empty, was there twice or was not read.
    """

    table: pd.DataFrame
    notes: tuple[Note, ...] = ()

    @property
    def criteria(self) -> list[str]:
        """What was rated, in the order of the files."""
        return [str(name) for name in self.table["criterion"].unique()]

    @property
    def of_pairs(self) -> bool:
        """Whether these are ratings of a survey of pairs."""
        return self.criteria == [SIMILARITY] and "version" in self.table.columns

    def matrix(self, criterion: str) -> pd.DataFrame:
        """Return items × raters of a criterion, NaN where there is no rating."""
        if criterion not in self.criteria:
            raise unknown_label("criterion", criterion, self.criteria)
        return as_matrix(self.table[self.table["criterion"] == criterion])

    def __repr__(self) -> str:
        items, raters = (self.table[name].nunique() for name in ("item", "rater"))
        return (
            f"Ratings({count(len(self.table), 'rating')} of {count(items, 'item')} by "
            f"{count(raters, 'rater')}: {name_some(self.criteria)})"
        )


def as_matrix(table: pd.DataFrame) -> pd.DataFrame:
    """Return items × raters of rows with one criterion."""
    wide = table.set_index(["item", "rater"])["rating"].unstack("rater")  # noqa: PD010 - of a series
    return wide.reindex(table["item"].unique())


def read_ratings(
    *sources: str | os.PathLike[str] | pd.DataFrame,
    key: str | os.PathLike[str] | pd.DataFrame | None = None,
) -> Ratings:
    """Read what raters handed in.

    Parameters
    ----------
    *sources : str, Path or DataFrame
        The folder of a survey, whose ``ratings`` are read; files that forms made; or any table with
        ``item`` and a column per criterion (``quality``, ``fluency``, ``similarity``), or with
        ``item``, ``criterion`` and ``rating``. ``rater`` says who; where nobody wrote that, it is
        the name of the folder in ``ratings`` that a file is in, or else that of the file.
    key : str, Path or DataFrame, optional
        What is known of each item: ``items.csv`` of the survey. That of a folder by default;
        without one, further columns of the tables are kept.

    Returns
    -------
    Ratings

    Raises
    ------
    EmptyMatrixError
        If there is no file, or no rating in them.
    NonNumericError
        If a rating is not a whole number of its scale: 1 to 5, similarity 0 to 5.
    DuplicateError
        If a rater gave an item two different ratings.
    UnknownLabelError
        If an item is not in the key, or a column is missing.
    FormatError
        If it is no table of ratings, or a spreadsheet was handed in that is no CSV file.
    """
    parts: list[pd.DataFrame] = []
    notes: list[Note] = []
    for source in sources:
        if not isinstance(source, str | os.PathLike):
            parts.append(read_answers(source))
        elif (path := existing(source)).is_dir():
            key = path / KEY if key is None and (path / KEY).is_file() else key
            files, found = handed_in(path)
            parts += [read_answers(*file) for file in files]
            notes += found
        else:
            parts.append(read_answers(path, path.name, path.stem))
    if not parts:
        raise EmptyMatrixError("There are no ratings to read: name a folder or files.")
    table = pd.concat(parts, ignore_index=True)
    if key is not None:
        table = _with_facts(table[[*ANSWER, FILE]], _read_key(key))
    return _checked(table, notes)


def _read_key(key: str | os.PathLike[str] | pd.DataFrame) -> pd.DataFrame:
    known = load_long(key, "item", labels=["item"])
    twice = known["item"].duplicated()
    if twice.any():
        item = known["item"][twice].iloc[0]
        raise DuplicateError(f"The key has the item {item!r} twice. Drop the copy.", [item])
    clash = [name for name in ANSWER[1:] if name in known.columns]
    if clash:
        raise FormatError(
            f"The key has a column {name_some(clash)}, which only answers have. Pass the survey's "
            "items.csv, or rename the column.",
            clash,
        )
    return known.drop(columns=[name for name in SEEN if name in known.columns])


def _with_facts(table: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    strange = table[~table["item"].isin(known["item"])]
    if len(strange):
        item, file = strange[["item", FILE]].iloc[0]
        raise unknown_label(
            "item",
            f"{item} ({file})",
            [],
            none_known=f"{count(strange['item'].nunique(), 'item')} that were rated are not in the "
            "key. The file is from another survey: take it away, or pass that survey's key.",
        )
    return table.merge(known, on="item", how="left")


def _checked(table: pd.DataFrame, notes: list[Note]) -> Ratings:
    """Leave out empty cells and copies, and say so; raise where two ratings contradict."""
    given = table["rating"].notna()
    if not given.any():
        raise EmptyMatrixError(
            f"No rating is filled in, in {name_some(table[FILE].unique())}. Were empty forms "
            "handed in?"
        )
    if not given.all():
        empty = table[~given].groupby("rater", sort=False).size()
        sentence = (
            f"{count(int(empty.sum()), 'rating')} left empty, by "
            f"{name_some(f'{rater} ({number})' for rater, number in empty.items())}."
        )
        notes.append(Note("empty-ratings", sentence, tuple(map(str, empty.index))))
    table = table[given]
    answer = table.drop_duplicates(list(ANSWER))
    twice = answer.duplicated(["item", "rater", "criterion"])
    if twice.any():
        row = answer[twice].iloc[0]
        place = f"{row['item']} by {row['rater']}"
        both = answer[(answer["item"] == row["item"]) & (answer["rater"] == row["rater"])]
        raise DuplicateError(
            f"There are two different ratings of {row['criterion']} for {place}, in "
            f"{name_some(both[FILE].unique())}. Keep the later file, or tell the raters apart.",
            [place],
        )
    if len(answer) < len(table):
        sentence = f"{count(len(table) - len(answer), 'rating')} handed in twice, counted once."
        notes.append(Note("repeated-ratings", sentence))
    answer = answer.drop(columns=FILE).reset_index(drop=True)
    rest = [name for name in answer.columns if name not in ANSWER]
    return Ratings(answer[[*ANSWER, *rest]], tuple(notes))


def coerce(source: Ratings | str | os.PathLike[str] | pd.DataFrame) -> Ratings:
    """Return ratings as they are, or read them."""
    return source if isinstance(source, Ratings) else read_ratings(source)
