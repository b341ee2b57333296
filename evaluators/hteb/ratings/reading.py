"""`read_ratings`: the files that raters hand in, as one long table with what the key knows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    FormatError,
    NonNumericError,
    unknown_label,
)
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.ratings.questions import QUESTIONS, SIMILARITY, scale_of
from robustrank.evaluators.hteb.ratings.survey import KEY, RATINGS
from robustrank.notes import Note, count, name_some
from robustrank.readers.cells import parse_numbers
from robustrank.readers.tables import existing, load_table

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Columns of a key that are no facts about an item but what raters saw.
_SEEN = ("original", "text", "text_1", "text_2")
_ANSWER = ["item", "rater", "criterion", "rating"]


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings by people.

    Attributes
    ----------
    table : DataFrame
        One row per rating that was given: ``item``, ``rater``, ``criterion`` and ``rating``, then
        what is known of the item, such as its ``transformation`` and ``dataset``.
    notes : tuple of Note
        What was left empty or was there twice.
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
    *sources: str | Path | pd.DataFrame, key: str | Path | pd.DataFrame | None = None
) -> Ratings:
    """Read what raters handed in.

    Parameters
    ----------
    *sources : str, Path or DataFrame
        The folder of a survey, whose ``ratings`` are read; files that forms made; or any table with
        ``item`` and a column per criterion (``quality``, ``fluency``, ``similarity``), or with
        ``item``, ``criterion`` and ``rating``. ``rater`` says who; where nobody wrote that, it is
        the name of the file.
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
    """
    files: list[Path | pd.DataFrame] = []
    for source in sources:
        if isinstance(source, pd.DataFrame):
            files.append(source)
        elif (path := existing(source)).is_dir():
            key = path / KEY if key is None and (path / KEY).is_file() else key
            files += _handed_in(path)
        else:
            files.append(path)
    if not files:
        raise EmptyMatrixError("There are no ratings to read: name a folder or files.")
    known = None if key is None else _read_key(key)
    parts = [_read(file) for file in files]
    table = pd.concat(parts, ignore_index=True)
    if known is not None:
        table = _with_facts(table[[*_ANSWER, "file"]], known)
    return _checked(table)


def _handed_in(folder: Path) -> list[Path]:
    where = folder / RATINGS if (folder / RATINGS).is_dir() else folder
    found = sorted(path for path in where.glob("*.csv") if path.name != KEY)
    if not found:
        raise EmptyMatrixError(
            f"{where} holds no CSV file. Put what the raters handed in there.", [where]
        )
    return found


def _read_key(key: str | Path | pd.DataFrame) -> pd.DataFrame:
    known = load_long(key, "item", labels=["item"])
    twice = known["item"].duplicated()
    if twice.any():
        item = known["item"][twice].iloc[0]
        raise DuplicateError(f"The key has the item {item!r} twice. Drop the copy.", [item])
    return known.drop(columns=[name for name in _SEEN if name in known.columns])


def _read(source: Path | pd.DataFrame) -> pd.DataFrame:
    """Return a file's answers, long, with ``file`` and whatever else it says of the items."""
    table, name = load_table(source)
    if {"criterion", "rating"} <= set(table.columns):
        labels = ["item", "criterion"]
        table = load_long(table, "rating", labels=labels)
        criteria = []
    else:
        table = load_long(table, "rating", labels=["item"])
        criteria = [column for column in table.columns if column in QUESTIONS]
        if not criteria:
            raise FormatError(
                f"{name} has no ratings: it needs a column {', '.join(QUESTIONS)}, or the columns "
                "criterion and rating.",
                [name],
            )
    stem = source.stem if isinstance(source, Path) else "rater"
    table["rater"] = _raters(table, stem, name)
    table["file"] = name
    if criteria:
        facts = [column for column in table.columns if column not in criteria]
        table = table.melt(facts, criteria, "criterion", "rating")
    parsed = parse_numbers(table["rating"])
    table["rating"] = np.where(
        parsed.bad | _off_scale(table, parsed.numbers), np.inf, parsed.numbers
    )
    wrong = np.isinf(table["rating"])
    if wrong.any():
        row = table[wrong].iloc[0]
        low, high = scale_of(str(row["criterion"]))
        place = f"{row['item']} ({row['criterion']}, {row['rater']})"
        raise NonNumericError(
            f"{name} has a rating of {place} that is no whole number from {low} to {high}. Correct "
            "it, or leave the cell empty.",
            [place],
        )
    return table.drop(columns=[column for column in _SEEN if column in table.columns])


def _off_scale(table: pd.DataFrame, numbers: FloatArray) -> NDArray[np.bool_]:
    bounds = table["criterion"].map(lambda name: scale_of(str(name)))
    low, high = (bounds.str[side].to_numpy(dtype=np.float64) for side in (0, 1))
    off: NDArray[np.bool_] = (numbers < low) | (numbers > high) | (numbers % 1.0 > 0.0)
    return off


def _raters(table: pd.DataFrame, stem: str, name: str) -> pd.Series:
    """Return who rated each row: a name in any row of a file is that of all rows without one."""
    if "rater" not in table.columns:
        return pd.Series(stem, index=table.index)
    raters = table["rater"].map(lambda cell: "" if pd.isna(cell) else str(cell).strip())
    names = [each for each in raters.unique() if each]
    if len(names) > 1 and (raters == "").any():
        row = int((raters == "").to_numpy().argmax()) + 1
        raise FormatError(
            f"{name} is by {name_some(names)}, but row {row} does not say by whom. Fill in the "
            "column rater.",
            [name],
        )
    return raters.replace("", names[0] if names else stem)


def _with_facts(table: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    strange = table[~table["item"].isin(known["item"])]
    if len(strange):
        item, file = strange[["item", "file"]].iloc[0]
        raise unknown_label(
            "item",
            f"{item} ({file})",
            [],
            none_known=f"{count(strange['item'].nunique(), 'item')} that were rated are not in the "
            "key. The file is from another survey: take it away, or pass that survey's key.",
        )
    return table.merge(known, on="item", how="left")


def _checked(table: pd.DataFrame) -> Ratings:
    """Leave out empty cells and copies, and say so; raise where two ratings contradict."""
    notes = []
    given = table["rating"].notna()
    if not given.any():
        raise EmptyMatrixError(
            f"No rating is filled in, in {name_some(table['file'].unique())}. Were empty forms "
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
    answer = table.drop_duplicates(_ANSWER)
    twice = answer.duplicated(["item", "rater", "criterion"])
    if twice.any():
        row = answer[twice].iloc[0]
        place = f"{row['item']} by {row['rater']}"
        both = answer[(answer["item"] == row["item"]) & (answer["rater"] == row["rater"])]
        raise DuplicateError(
            f"There are two different ratings of {row['criterion']} for {place}, in "
            f"{name_some(both['file'].unique())}. Keep the later file, or tell the raters apart.",
            [place],
        )
    if len(answer) < len(table):
        sentence = f"{count(len(table) - len(answer), 'rating')} handed in twice, counted once."
        notes.append(Note("repeated-ratings", sentence))
    answer = answer.drop(columns="file").reset_index(drop=True)
    rest = [name for name in answer.columns if name not in _ANSWER]
    return Ratings(answer[[*_ANSWER, *rest]], tuple(notes))


def coerce(source: Ratings | str | os.PathLike[str] | pd.DataFrame) -> Ratings:
    """Return ratings as they are, or read them."""
    if isinstance(source, Ratings):
        return source
    return read_ratings(source if isinstance(source, pd.DataFrame) else Path(source))
