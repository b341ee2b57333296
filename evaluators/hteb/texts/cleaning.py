"""From what a model wrote to the transformed text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Literal

#: What is wrong with an output before its text is looked at, but for a reasoning leak.
Defect = Literal["invalid_json", "placeholder", "reasoning_leak"]

KEY = "transformed_text"
_OPEN, _CLOSE = "<think>", "</think>"
_PLACEHOLDERS = frozenset({"[text]", "<text>", "placeholder", "n/a", "none"})
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))")
_FIELD = re.compile(rf"""["']{KEY}["']\s*:\s*(["'])""")
_ANOTHER_FIELD = re.compile(r"""["']\s*[,}]\s*\{?\s*["']\w+["']\s*:""")


@dataclass(frozen=True)
class Cleaned:
    """A text taken out of an output.

    Attributes
    ----------
    text : str
        Trimmed; the whole output where no text could be taken out of it.
    defects : tuple of str
        ``"invalid_json"``: not the object that was asked for, and beyond repair.
        ``"reasoning_leak"``: reasoning of which it is not known where it ends.
        ``"placeholder"``: something that stands for a text, or no letter or digit at all.
    """

    text: str
    defects: tuple[Defect, ...] = ()


def clean(raw: str, *, structured: bool, original: str) -> Cleaned:
    """Remove reasoning, take the text out of its JSON object and trim it.

    Halves of surrogate pairs, which no file can hold, become U+FFFD. Nothing else is removed:
    quotes, prefixes and markup are for `quality.find_errors` to report.

    Parameters
    ----------
    raw : str
        The content as the model wrote it.
    structured : bool
        Whether it was to write a JSON object with the one key ``transformed_text``.
    original : str
        What the text was made from. Marks of reasoning are text where it has them too, and it may
        itself be ``"n/a"`` or ``"?!"``.
    """
    defects: list[Defect] = []
    text = raw.strip()
    if _OPEN not in original and _CLOSE not in original:
        text = _without_reasoning(text)
        if _OPEN in text or _CLOSE in text:
            defects.append("reasoning_leak")
    if structured:
        found = _take_out(text)
        if found is None:
            defects.append("invalid_json")
        else:
            text = found.strip()
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if _is_placeholder(text) and not _is_placeholder(original):
        defects.append("placeholder")
    return Cleaned(text, tuple(defects))


def _without_reasoning(text: str) -> str:
    """Remove closed blocks; one that is not closed, or was opened in the prompt, stays."""
    kept: list[str] = []
    while True:
        before, opened, rest = text.partition(_OPEN)
        _, closed, after = rest.partition(_CLOSE)
        if not (opened and closed):
            return "".join([*kept, text]).strip()
        kept.append(before)
        text = after


def _take_out(text: str) -> str | None:
    """Return the text in a JSON object, repairing what models get wrong; None where impossible."""
    # The last: the object in a code fence or between other words.
    for candidate in (text, text[text.find("{") : text.rfind("}") + 1]):
        try:
            value = json.loads(candidate, strict=False)  # line breaks within strings are meant
        except (ValueError, RecursionError):
            continue
        found = value.get(KEY) if isinstance(value, dict) else None
        return found if isinstance(found, str) else None
    return _quoted_field(text)


def _quoted_field(text: str) -> str | None:
    """Return what is quoted after the key: a Python literal, or quotes that were not escaped."""
    field = _FIELD.search(text)
    if field is None:
        return None
    rest = text[field.end() :].rstrip().removesuffix("```").rstrip()
    rest = rest.removesuffix("}").rstrip().removesuffix(",").rstrip()
    if not rest.endswith(field[1]) or _ANOTHER_FIELD.search(rest):  # cut off, or not the only one
        return None
    return _ESCAPE.sub(_unescape, rest[:-1])


def _unescape(match: re.Match[str]) -> str:
    code, short, plain = match.groups()
    if plain is None:
        return chr(int(code or short, 16))
    return _ESCAPES.get(plain, plain)


def _is_placeholder(text: str) -> bool:
    text = text.strip().casefold()
    return text in _PLACEHOLDERS or (text != "" and not any(map(str.isalnum, text)))
