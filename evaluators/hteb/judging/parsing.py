"""From what a judge wrote to a rating, or to none: a rating is never guessed."""

from __future__ import annotations

import json
import re
from typing import Any

from robustrank.evaluators.hteb.texts.cleaning import clean

#: The lowest and the highest rating.
LOWEST, HIGHEST = 1, 5

_KEYS = ("rating", "score")
# What says how far the scale goes, and so is no rating: "1-5", "from 1 to 5", "4/5", "4 out of 5".
_RANGE = re.compile(r"\b1\s*(?:-|–|—|to|and)\s*5\b", re.IGNORECASE)
_OUT_OF = re.compile(r"(?<=\d)\s*(?:/|\bout\s+of\b|\bof\b)\s*5\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,])[-−+]?\d+(?:[.,]\d+)*(?![\w%]|[.,]\d)")
_LABEL = r"(?:(?:final|overall|my)\s+)?(?:rating|score)"
# A line with a rating and nothing else.
_LINE = re.compile(rf"[^\w\n−-]*(?:{_LABEL}\W*)?(?P<number>\d+)\W*", re.IGNORECASE)


def parse_rating(text: str) -> int | None:
    """Return the rating from 1 to 5 in an answer; None where there is not exactly one.

    Closed blocks of reasoning are left out, and what says how far the scale goes. An answer that
    names several numbers has a rating if one line is a rating alone, such as ``"4"`` or
    ``"Rating: 4"``.

    Parameters
    ----------
    text : str
        The answer as the judge wrote it.

    Returns
    -------
    int or None

    Examples
    --------
    >>> from robustrank.evaluators.hteb.judging.parsing import parse_rating
    >>> [parse_rating(text) for text in ("4", "**Rating:** 4/5", '{"rating": 4}')]
    [4, 4, 4]
    >>> [parse_rating(text) for text in ("0", "4.5", "3 or 4", "1-5", "Good!")]
    [None, None, None, None, None]
    """
    cleaned = clean(text, structured=False, original="")
    if "reasoning_leak" in cleaned.defects:  # nobody knows where the reasoning ends
        return None
    found, value = _json_rating(cleaned.text)
    return _of_value(value) if found else _of_text(cleaned.text)


def _json_rating(text: str) -> tuple[bool, Any]:
    """Return whether there is a JSON object with a rating, and the rating."""
    try:
        value = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return False, None
    for key, each in value.items() if isinstance(value, dict) else ():
        if key.strip().casefold() in _KEYS:
            return True, each
    return False, None


def _of_value(value: object) -> int | None:
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _in_range(value)


def _of_text(text: str) -> int | None:
    plain = _RANGE.sub(" ", _OUT_OF.sub(" ", text))
    numbers = {_number(token) for token in _NUMBER.findall(plain)}
    if len(numbers) > 1:  # an answer with an explanation that counts something
        lines = map(_LINE.fullmatch, plain.splitlines())
        numbers = {_number(line["number"]) for line in lines if line}
    return _in_range(numbers.pop()) if len(numbers) == 1 else None


def _number(token: str) -> float:
    """Return the number; NaN for one such as 1,000,000 or 1.2.3, which is no rating."""
    try:
        return float(token.replace(",", ".").replace("−", "-"))
    except ValueError:
        return float("nan")


def _in_range(value: float) -> int | None:
    whole = LOWEST <= value <= HIGHEST and value == int(value)
    return int(value) if whole else None
