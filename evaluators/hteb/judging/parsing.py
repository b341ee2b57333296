"""From what a judge wrote to a rating, or to none: a rating is never guessed."""

from __future__ import annotations

import json
import re
from typing import Any

from robustrank.evaluators.hteb.texts.cleaning import clean

#: The lowest and the highest rating.
LOWEST, HIGHEST = 1, 5

_KEYS = ("rating", "score")
# What says how far the scale goes, and so is no rating: "1-5", "from 1 to 5", "/5", "(out of 5)".
_RANGE = re.compile(r"\b1\s*(?:-|–|—|to|and)\s*5\b", re.IGNORECASE)
_OUT_OF = re.compile(
    r"(?<=\d)[ \t]*(?:★|stars?\b)?[ \t]*"
    r"(?:\((?:/|out of) ?5\)|(?:/|out of\b)\s*5\b(?:[ \t]*stars?\b)?)"
    r"|(?<=\d)[ \t]*stars?\b",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(r"[-−+]?\d+(?:[.,]\d+)*")
# A number that is not a part of a word, a sum, a range or a choice, such as "4 or 5".
_NUMBER = (
    r"(?<![\w.,−-])\+?(?P<number>\d+(?:[.,]\d+)*)"
    r"(?![\w%]|[.,]\d|\s*(?:or|to|and|[-–—/±,])\s*\d)"
)
_LABEL = r"(?:rating|score|grade|answer)"
# The number is labelled, as in "Score: 4", or all that is in a line, or is given in so many words.
_MEANT = [
    re.compile(
        rf"\b{_LABEL}\b[^\w\n]{{0,9}}(?:[:=–—-]|\bis\b)[^\w\n]{{0,9}}{_NUMBER}", re.IGNORECASE
    ),
    re.compile(
        rf"^[^\w\n]*(?:(?:final|overall|my)[ \t]+)?(?:{_LABEL}\b[^\w\n]*)?{_NUMBER}[^\w\n]*$",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        r"\bI (?:would )?(?:rate|give|score) (?:it|this|the (?:rewritten )?(?:text|rewriting)) "
        rf"(?:an? )?{_NUMBER}[^\w\n]*$",
        re.IGNORECASE | re.MULTILINE,
    ),
]
# The number opens the answer and no word follows it directly: "4 - it does the task".
_OPENING = re.compile(rf"[^\w]*{_NUMBER}[ \t]*(?P<mark>[^\w\s])")


def parse_rating(text: str) -> int | None:
    """Return the rating from 1 to 5 in an answer; None where there is not exactly one.

    Closed blocks of reasoning are left out, and what says how far the scale goes. A number in prose
    is a rating if it opens the answer and all numbers in it agree, if it is labelled, as in
    ``"Rating: 4"``, or if it is alone in its line; and if these say the same. In JSON, a rating is
    what ``rating`` or ``score`` holds, if that is one thing.

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
    >>> [parse_rating(text) for text in ("0", "4.5", "3 or 4", "1-5", "It adds 3 details.")]
    [None, None, None, None, None]
    """
    cleaned = clean(text, structured=False, original="")
    if "reasoning_leak" in cleaned.defects:  # nobody knows where the reasoning ends
        return None
    values = _json_ratings(cleaned.text)
    if not values:
        return _of_text(cleaned.text)
    ratings = {_of_value(value) for value in values}
    return ratings.pop() if len(ratings) == 1 else None


def _json_ratings(text: str) -> list[Any]:
    """Return what the keys for ratings of a JSON object hold, a repeated key several times."""
    try:
        pairs = json.loads(text[text.find("{") : text.rfind("}") + 1], object_pairs_hook=tuple)
    except (ValueError, RecursionError):
        return []
    return [value for key, value in pairs if key.strip().casefold() in _KEYS]


def _of_value(value: object) -> int | None:
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _in_range(value)


def _of_text(text: str) -> int | None:
    plain = _RANGE.sub(" ", _OUT_OF.sub(" ", text))
    found = {_number(each["number"]) for meant in _MEANT for each in meant.finditer(plain)}
    opening = _OPENING.match(plain)
    if opening:
        numbers = {_number(token) for token in _ANY_NUMBER.findall(plain)}
        number, in_a_list = _number(opening["number"]), opening["mark"] in ".)"
        first = in_a_list and number == 1  # of a list that was cut off, perhaps
        if (len(numbers) == 1 and not first) or (found and not in_a_list):
            found.add(number)
    return _in_range(found.pop()) if len(found) == 1 else None


def _number(token: str) -> float:
    """Return the number; NaN for one such as 1,000,000 or 1.2.3, which is no rating."""
    try:
        return float(token.replace(",", ".").replace("−", "-"))
    except ValueError:
        return float("nan")


def _in_range(value: float) -> int | None:
    whole = LOWEST <= value <= HIGHEST and value == int(value)
    return int(value) if whole else None
