"""The ten ways in which a transformation goes wrong (*HTEB*, appendix A.2)."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

from robustrank.errors import unknown_label
from robustrank.evaluators.hteb.packaged import packaged
from robustrank.evaluators.hteb.texts.languages import names_of
from robustrank.evaluators.hteb.texts.transformations import STAGES, TRANSFORMATIONS

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.texts.identify import Identifier

ErrorType = Literal[
    "identical",
    "empty",
    "ellipsis",
    "json_fragment",
    "reasoning_leak",
    "prefix_leak",
    "wrong_language",
    "runaway",
    "truncated",
    "summary_too_long",
]
#: In the order of the paper's Table 9.
ERROR_TYPES: tuple[ErrorType, ...] = get_args(ErrorType)

#: The definitions as printed, for rates to compare with the paper's; or those to act on.
Reading = Literal["paper", "practical"]
#: What is counted: what stands between spaces, or also words of scripts that write none.
Words = Literal["whitespace", "scripts"]

# Scripts without spaces between words, and how many characters make a word in them, roughly.
_UNSPACED = (
    (re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"), 2),
    (re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"), 5),  # Thai, Lao, Burmese, Khmer
)
_START = 200  # characters in which a prefix must end
_HEADING = re.compile(r"\W*(?:\w+\W+?){0,3}\w+\s*[:：]")


def find_errors(
    original: str,
    output: str,
    *,
    transformation: str,
    expected_language: str | None = None,
    identify: Identifier | None = None,
    reading: Reading = "paper",
    words: Words = "whitespace",
) -> tuple[ErrorType, ...]:
    """Return everything that is wrong with a text; the paper's total counts texts with any.

    Parameters
    ----------
    original : str
        The text before the transformation, also where that has two stages.
    output : str
        The cleaned text.
    transformation : str
        The id of a transformation; or that of a stage, for a text between two stages, which then
        is judged against the input of that stage.
    expected_language : str or None
        The name of the language of the output, or its label: the target of a translation, else the
        language of the original. One of several languages in it will do. None is not checked.
    identify : Identifier or None
        None does not check languages.
    reading : {"paper", "practical"}
        ``"paper"`` takes the definitions and examples as printed. ``"practical"``, which decisions
        should follow, looks for more prefixes (also in other languages) and signs of reasoning,
        not for *I'll* on its own, and excuses what the original has as well: a title such as
        ``[Update] …`` is no JSON, and a text of mixed languages stays one.
    words : {"whitespace", "scripts"}
        How the last three types count. Between spaces, as in the paper, a Chinese, Japanese, Thai,
        Lao, Khmer or Burmese sentence is one word: translated, it is a runaway. ``"scripts"``
        counts two or five of their characters as a word.

    Notes
    -----
    The paper's *For all transformations except Summarisation with inputs longer than 3 words* is
    read as two conditions of a truncated text. The other way to read it differs in nothing but
    whether an empty output for a short input is truncated too.

    A text of nothing but foreign names is in a wrong language as far as an identifier can tell.
    """
    stage = STAGES.get(transformation)
    if stage is None and transformation not in TRANSFORMATIONS:
        raise unknown_label("transformation", transformation, TRANSFORMATIONS)
    before, after = original.strip(), output.strip()
    excuses = reading == "practical"
    keeps = stage.output == "same" if stage else TRANSFORMATIONS[transformation].keeps_language
    long, longer = count_words(before, words), count_words(after, words)
    reasoning, prefixes = _markers(reading)
    found: dict[ErrorType, bool] = {
        "identical": before.casefold() == after.casefold(),
        "empty": not after,
        "ellipsis": _is_ellipsis(after) and not (excuses and _is_ellipsis(before)),
        "json_fragment": after.startswith(("{", "["))
        and not (excuses and before.startswith(("{", "["))),
        "reasoning_leak": _has(reasoning, after) and not (excuses and _has(reasoning, before)),
        "prefix_leak": prefixes.match(after[:_START]) is not None
        and not (excuses and _HEADING.match(before[:_START])),
        "wrong_language": _is_wrong(after, expected_language, identify)
        and not (excuses and keeps and _is_wrong(before, expected_language, identify)),
        "runaway": transformation not in ("expansion", "summarised_expansion")
        and longer > 5 * long,
        "truncated": transformation != "summarise" and long > 3 and 5 * longer < long,
        "summary_too_long": transformation == "summarise" and longer > long,
    }
    return tuple(error for error in ERROR_TYPES if found[error])


def count_words(text: str, words: Words = "whitespace") -> int:
    """Count the words of a text; see `find_errors` for how."""
    if words not in get_args(Words):
        raise unknown_label("way to count words", words, get_args(Words))
    number = 0
    if words == "scripts":
        for characters, length in _UNSPACED:
            text, n_found = characters.subn(" ", text)
            number += -(-n_found // length)
        text = re.sub(r"(?<!\w)[^\w\s]+(?!\w)", " ", text) if number else text  # their punctuation
    return number + len(text.split())


def _is_ellipsis(text: str) -> bool:
    return text not in ("", ".") and set(text) <= {".", "…"}


def _has(markers: re.Pattern[str], text: str) -> bool:
    return markers.search(text.replace("’", "'")) is not None


def _is_wrong(text: str, language: str | None, identify: Identifier | None) -> bool:
    """Tell whether a text is in none of the languages that are meant."""
    if identify is None or not language:
        return False
    names = names_of(language, rule="balanced") or language.split(" and ")
    return all(identify.is_wrong(text, name) is True for name in names)


@cache
def _markers(reading: Reading) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what shows reasoning anywhere in a text, and what shows a prefix at its start."""
    table = json.loads(packaged("markers.json").read_text("utf-8"))
    if reading not in table["reasoning"]:
        raise unknown_label("reading of the error types", reading, table["reasoning"])
    signs = "|".join(map(_as_words, table["reasoning"][reading])).replace(r"\{n\}", r"\d+")
    prefixes = "|".join(map(re.escape, table["prefixes"][reading]))
    around = r"[\s*_#>\"'“«`]*" if reading == "practical" else r"\s*"
    return (
        re.compile(signs, re.IGNORECASE),
        re.compile(rf"{around}(?:{prefixes}){around}[:：]", re.IGNORECASE),
    )


def _as_words(phrase: str) -> str:
    """Return a pattern for a phrase that neither begins nor ends within a word."""
    before = r"(?<!\w)" if phrase[0].isalnum() else ""
    after = r"(?!\w)" if phrase[-1].isalnum() else ""
    return before + re.escape(phrase) + after
