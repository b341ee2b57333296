"""The section of the page on what would change the answer: questions, answers, figures, tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustrank.decision import QUESTIONS
from robustrank.errors import InputError
from robustrank.figures import style
from robustrank.report.html.answer_wording import TEXTS
from robustrank.report.html.inline import inline_svg

if TYPE_CHECKING:
    from markupsafe import Markup

    from robustrank.decision import DecisionSupport
    from robustrank.notes import Note
    from robustrank.report.html.answer_wording import AnswerText
    from robustrank.result import Analysis


@dataclass(frozen=True)
class AnswerBlock:
    """A question with its answer.

    Attributes
    ----------
    text : AnswerText
        The words around the figure.
    question : str
    headline : str
        The answer in a few sentences, or why there is none.
    summary : str
        With its tables, as in a terminal; empty where there is no answer.
    svg : Markup or None
        None if it cannot be drawn.
    missing : str
        Why not; empty where there is no answer.
    notes : tuple of Note
        What is in doubt about it, as far as the page does not say that of the whole.
    """

    text: AnswerText
    question: str
    headline: str
    summary: str
    svg: Markup | None
    missing: str = ""
    notes: tuple[Note, ...] = ()


def answer_blocks(analysis: Analysis) -> list[AnswerBlock]:
    """Return the questions that were asked, with their answers; none if none was."""
    if analysis.decision is None:
        return []
    with style.detached():
        return [_block(analysis, analysis.decision, *each) for each in QUESTIONS.items()]


def _block(analysis: Analysis, found: DecisionSupport, name: str, question: str) -> AnswerBlock:
    text, answer = TEXTS[name], dict(found.answers()).get(name)
    if answer is None:
        return AnswerBlock(text, question, f"Not answered: {found.left_out[name]}", "", None)
    svg, missing = None, ""
    draw = answer.figures().get(text.figure)
    if draw is None:
        missing = "There is nothing to draw."
    else:
        try:
            svg = inline_svg(style.render(draw(), "svg"), text.anchor, text.caption)
        except InputError as error:
            missing = str(error)
    own = tuple(note for note in answer.notes if note not in analysis.notes)
    return AnswerBlock(text, question, answer.headline, answer.summary(), svg, missing, own)
