"""The files that raters hand in: which there are, and what one of them says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.errors import EmptyMatrixError, FormatError, NonNumericError
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.ratings.questions import QUESTIONS, scale_of
from robustrank.evaluators.hteb.ratings.survey import KEY, RATINGS
from robustrank.notes import Note, name_some
from robustrank.readers.cells import parse_numbers

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Columns of a key that are no facts about an item but what raters saw.
SEEN = ("original", "text", "text_1", "text_2")
#: What a row says.
ANSWER = ("item", "rater", "criterion", "rating")
#: A column of these rows that no file can have.
FILE = "\0file"
_TABLES = (".csv", ".tsv")
_SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")


def handed_in(folder: Path) -> tuple[list[tuple[Path, str, str]], list[Note]]:
    """Return each file of answers with its name and whose it is, where it does not say so itself.

    They are under ``ratings``, or in a folder of any name; a folder in it is a rater's.
    """
    where = folder / RATINGS if (folder / RATINGS).is_dir() else folder
    files = sorted(path for path in where.rglob("*") if path.is_file() and _counts(path, where))
    sheets = [str(path.relative_to(where)) for path in files if _is(path, _SPREADSHEETS)]
    if sheets:
        raise FormatError(
            f"{where} holds {name_some(sheets)}, which nobody can read but a spreadsheet. Save "
            "it as CSV from there, in place of this file.",
            sheets,
        )
    found = [path for path in files if _is(path, _TABLES)]
    if not found:
        raise EmptyMatrixError(
            f"{where} holds no CSV file. Put what the raters handed in there.", [where]
        )
    others = [str(path.relative_to(where)) for path in files if not _is(path, _TABLES)]
    notes = []
    if others:
        sentence = f"Not read, since only CSV and TSV files are: {name_some(others)}."
        notes.append(Note("unread-files", sentence, tuple(others)))
    named = []
    for path in found:
        inside = path.relative_to(where)
        rater = inside.stem if len(inside.parts) == 1 else inside.parts[0]
        named.append((path, inside.as_posix(), rater))
    return named, notes


def read_answers(
    source: Path | pd.DataFrame, name: str = "the table", rater: str = "rater"
) -> pd.DataFrame:
    """Return what one file says, long, with `FILE` and whatever else it says of the items.

    Parameters
    ----------
    source : Path or DataFrame
    name : str
        What the file is called in messages.
    rater : str
        Who rated what nobody has put a name to.
    """
    table = load_long(source, "rating", labels=["item"])
    criteria = [column for column in table.columns if column in QUESTIONS]
    long = [column for column in ("criterion", "rating") if column in table.columns]
    if len(long) == 2 and not criteria:
        table = load_long(table, "rating", labels=["criterion"])
    elif long and criteria:
        raise FormatError(
            f"{name} has ratings in {name_some(criteria)} and also a column {name_some(long)}. "
            "Rename or drop what is not meant.",
            [*criteria, *long],
        )
    elif not criteria:
        raise FormatError(
            f"{name} has no ratings: it needs a column {', '.join(QUESTIONS)}, or the columns "
            "criterion and rating.",
            [name],
        )
    table["rater"] = _raters(table, rater, name)
    table[FILE] = name
    if criteria:
        facts = [column for column in table.columns if column not in criteria]
        table = table.melt(facts, criteria, "criterion", "rating")
    parsed = parse_numbers(table["rating"])
    wrong = parsed.bad | _off_scale(table["criterion"], parsed.numbers)
    if wrong.any():
        row = table[wrong].iloc[0]
        low, high = scale_of(str(row["criterion"]))
        place = f"{row['item']} ({row['criterion']}, {row['rater']})"
        raise NonNumericError(
            f"{name} has a rating of {place} that is no whole number from {low} to {high}. Correct "
            "it, or leave the cell empty.",
            [place],
        )
    table["rating"] = parsed.numbers
    return table.drop(columns=[column for column in SEEN if column in table.columns])


def _counts(path: Path, where: Path) -> bool:
    """Whether a file may be a rater's: not what systems and spreadsheets leave, nor the key."""
    inside = path.relative_to(where)
    hidden = any(part.startswith((".", "~$")) for part in inside.parts)
    return not hidden and path.name != KEY


def _is(path: Path, suffixes: tuple[str, ...]) -> bool:
    return path.suffix.lower() in suffixes


def _off_scale(criteria: pd.Series, numbers: FloatArray) -> NDArray[np.bool_]:
    bounds = criteria.map(lambda name: scale_of(str(name)))
    low, high = (bounds.str[side].to_numpy(dtype=np.float64) for side in (0, 1))
    given = ~np.isnan(numbers)
    off: NDArray[np.bool_] = given & (
        (numbers < low) | (numbers > high) | (numbers != np.floor(numbers))
    )
    return off


def _raters(table: pd.DataFrame, rater: str, name: str) -> pd.Series:
    """Return who rated each row: a name in any row of a file is that of all rows without one."""
    if "rater" not in table.columns:
        return pd.Series(rater, index=table.index)
    raters = table["rater"].map(lambda cell: "" if pd.isna(cell) else str(cell).strip())
    names = [each for each in raters.unique() if each]
    if len(names) > 1 and (raters == "").any():
        row = int((raters == "").to_numpy().argmax()) + 1
        raise FormatError(
            f"{name} is by {name_some(names)}, but row {row} does not say by whom. Fill in the "
            "column rater.",
            [name],
        )
    return raters.replace("", names[0] if names else rater)
