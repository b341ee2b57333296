"""Which of the ten error types each output has, stored by a run or found now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank.errors import FormatError, ParameterError, unknown_label
from robustrank.evaluators.hteb.error_analysis.reading import STORED
from robustrank.evaluators.hteb.texts.identify import Identifier, load_identifier
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES, Reading, Words, find_errors
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Which answers of a run count: the first to each text, or the one that was left after retries.
Attempts = Literal["first", "last"]
#: Any of the ten types.
TOTAL = "total"

_CELL = ["generator", "dataset", "transformation", "original"]


def find_all(
    parts: Iterable[pd.DataFrame],
    *,
    attempts: Attempts,
    reading: Reading,
    words: Words,
    identifier: str | Identifier | None,
) -> tuple[pd.DataFrame, list[Note]]:
    """Find the errors of every output.

    Parameters
    ----------
    parts : iterable of DataFrame
        As `read_outputs` returns them.
    attempts, reading, words, identifier
        As `error_rates` takes them.

    Returns
    -------
    table : DataFrame
        Columns ``generator``, ``dataset``, ``transformation``, ``original``, the ten types and
        ``total`` as truth values, and ``checked``: whether the language was looked at.
    notes : list of Note
    """
    for kind, value, known in (
        ("choice of attempts", attempts, get_args(Attempts)),
        ("reading of the error types", reading, get_args(Reading)),
        ("way to count words", words, get_args(Words)),
    ):
        if value not in known:
            raise unknown_label(kind, value, known)
    as_stored = (reading, words) == ("paper", "whitespace")
    found, n_unanswered = [], 0
    for part in parts:
        rows = part
        if STORED[attempts] in part.columns:
            # Not even an empty answer, which would have the error *empty*.
            silent = (part["output"] == "") & (part["errors"].map(len) == 0)
            n_unanswered += int(silent.sum())
            rows = part[~silent]
            _check_kept(attempts, as_stored=as_stored)
        if as_stored and STORED[attempts] in rows.columns:
            errors = [tuple(each) for each in rows[STORED[attempts]]]
            checked = rows["identified"] & rows["expected"].notna()
        else:
            chosen = load_identifier(identifier) if isinstance(identifier, str) else identifier
            errors = _find(rows, reading, words, chosen)
            checked = rows["expected"].notna() & (chosen is not None)
        found.append(_as_columns(rows, errors, checked))
    table = pd.concat(found, ignore_index=True)
    if table.empty:
        raise FormatError("No text got an answer, so that there is nothing to look at.")
    return table, [*_unanswered(n_unanswered), *_unchecked(table)]


def _check_kept(attempts: Attempts, *, as_stored: bool) -> None:
    if attempts == "first" and not as_stored:
        raise ParameterError(
            "A run keeps the errors of first answers by the paper's reading with words between "
            "spaces, not the answers. Look at the last ones: attempts='last', or --attempts last."
        )


def _find(
    rows: pd.DataFrame, reading: Reading, words: Words, identifier: Identifier | None
) -> list[tuple[str, ...]]:
    return [
        find_errors(
            original,
            output,
            transformation=transformation,
            expected_language=language if isinstance(language, str) else None,
            identify=identifier,
            reading=reading,
            words=words,
        )
        for original, output, transformation, language in zip(
            rows["original"],
            rows["output"],
            rows["transformation"],
            rows["expected"],
            strict=True,
        )
    ]


def _as_columns(
    rows: pd.DataFrame, errors: Sequence[tuple[str, ...]], checked: pd.Series
) -> pd.DataFrame:
    table = rows[_CELL].copy()
    for name in ERROR_TYPES:
        table[name] = np.array([name in each for each in errors], dtype=bool)
    table[TOTAL] = table[list(ERROR_TYPES)].any(axis="columns")
    table["checked"] = checked.to_numpy(dtype=bool)
    return table


def _unanswered(number: int) -> list[Note]:
    if not number:
        return []
    sentence = f"{count(number, 'text')} got no answer from the generator and are left out."
    return [Note("unanswered-texts", sentence)]


def _unchecked(table: pd.DataFrame) -> list[Note]:
    unchecked = table[~table["checked"]]
    if unchecked.empty:
        return []
    names = tuple(dict.fromkeys(unchecked["generator"]))
    sentence = (
        f"The languages of {len(unchecked):,} of {count(len(table), 'output')} could not be "
        f"checked ({name_some(names)}): none is expected, or nothing tells languages. They do not "
        "count as wrong."
    )
    return [Note("unchecked-languages", sentence, names)]
