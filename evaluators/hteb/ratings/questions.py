"""What raters are asked: the criteria with their scales, and what each transformation was to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustrank._select import listed
from robustrank.errors import ParameterError, unknown_label
from robustrank.notes import name_some

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


@dataclass(frozen=True)
class Question:
    """A criterion that is rated.

    Attributes
    ----------
    criterion : str
        The column of the answers.
    text : str
        The question.
    answers : dict of int to str
        What each rating stands for, lowest first.
    """

    criterion: str
    text: str
    answers: dict[int, str]


_FIVE = {1: "very bad", 2: "bad", 3: "acceptable", 4: "good", 5: "very good"}
_ALL = (
    Question(
        "quality",
        "How well was the task carried out, without a change of what the original means?",
        _FIVE,
    ),
    Question(
        "fluency",
        "How well does the new text read, by itself and as a text in its language?",
        _FIVE,
    ),
    Question(
        "similarity",
        "How close are the two texts in meaning?",
        {
            0: "nothing in common",
            1: "same topic only",
            2: "some details shared",
            3: "alike, something important differs",
            4: "nearly the same, details differ",
            5: "the same",
        },
    ),
)
#: By criterion.
QUESTIONS: dict[str, Question] = {each.criterion: each for each in _ALL}
#: The criteria of a survey of single texts, and the one of a survey of pairs.
CRITERIA = ("quality", "fluency")
SIMILARITY = "similarity"

_TRANSLATE = "The new text should be a translation of the original."
_TASKS = {
    "paraphrasing": "The new text should say the same as the original in other words.",
    "backtranslation": "The original went into another language and back. The new text should say "
    "the same.",
    "style_change": "The new text should say the same in the opposite style: formally if the "
    "original is casual, casually if it is formal.",
    "expansion": "The new text should be longer, with added details, and keep the core of the "
    "original.",
    "summarise": "The new text should be shorter and keep the core of the original.",
    "summarised_expansion": "The original was made longer and then short again. The new text "
    "should keep the core of the original.",
    "translation": _TRANSLATE,
    "cross_translation": _TRANSLATE,
}
#: Transformations that are rated as one: for a single text, they are the same task (*HTEB*, §2.4).
JOINT = {"translation": "(cross-)translation", "cross_translation": "(cross-)translation"}


def task_of(transformation: str) -> str:
    """Say what a transformation should have done; of an unknown one, its name."""
    return _TASKS.get(transformation, f"The new text was made from the original: {transformation}.")


def questions(criteria: str | Iterable[str]) -> tuple[Question, ...]:
    """Return the questions of a survey of single texts."""
    names = choose("criteria", "criterion", criteria, CRITERIA)
    return tuple(QUESTIONS[name] for name in names)


def choose(
    parameter: str,
    kind: str,
    wanted: str | Iterable[str],
    known: Collection[str],
    *,
    none_known: str = "",
) -> list[str]:
    """Return the names that are wanted, one or several; raise for none, and for an unknown one."""
    names = list(dict.fromkeys(listed(wanted)))
    if not names:
        raise ParameterError(f"{parameter} must name at least one of {name_some(known, 12)}.")
    for name in names:
        if name not in known:
            raise unknown_label(kind, name, known, none_known=none_known)
    return names


def scale_of(criterion: str) -> tuple[int, int]:
    """Return the lowest and the highest rating of a criterion: 1 and 5 of one that is unknown."""
    answers = QUESTIONS[criterion].answers if criterion in QUESTIONS else _FIVE
    return min(answers), max(answers)
