"""The eight transformations as data: their axes, their stages and how their language is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.texts.languages import LanguageChoice


@dataclass(frozen=True)
class Stage:
    """One call of the generator.

    Attributes
    ----------
    id : str
        What its prompt and its sampling are named after. Transformations with a stage in common
        make the same request.
    output : {"same", "drawn", "original"}
        The language of its output: that of its input, the one that was drawn, or that of the text
        before the transformation.
    """

    id: str
    output: Literal["same", "drawn", "original"] = "same"


@dataclass(frozen=True)
class Transformation:
    """A way to rewrite a text.

    Attributes
    ----------
    id, axis : str
    stages : tuple of Stage
        In order; the output of one is the input of the next.
    language_choice : {"translation", "cross_translation", "pivot"} or None
        None where no language is drawn.
    """

    id: str
    axis: str
    stages: tuple[Stage, ...]
    language_choice: LanguageChoice | None = None

    @property
    def keeps_language(self) -> bool:
        """Whether the text comes out in the language that it went in with."""
        return self.stages[-1].output != "drawn"


#: What stands in the place of a transformation for texts as they are.
ORIGINAL = "original"

_LEXICAL, _LENGTH, _LANGUAGE = "Lexical/Stylistic", "Length", "Language"
_EXPANSION, _SUMMARISE = Stage("expansion"), Stage("summarise")
_ALL = (
    Transformation("paraphrasing", _LEXICAL, (Stage("paraphrasing"),)),
    Transformation(
        "backtranslation",
        _LEXICAL,
        (Stage("backtranslate_forward", "drawn"), Stage("backtranslate_backward", "original")),
        "pivot",
    ),
    Transformation("style_change", _LEXICAL, (Stage("style_change"),)),
    Transformation("expansion", _LENGTH, (_EXPANSION,)),
    Transformation("summarise", _LENGTH, (_SUMMARISE,)),
    Transformation("summarised_expansion", _LENGTH, (_EXPANSION, _SUMMARISE)),
    Transformation("translation", _LANGUAGE, (Stage("translation", "drawn"),), "translation"),
    Transformation(
        "cross_translation",
        _LANGUAGE,
        (Stage("cross_translation", "drawn"),),
        "cross_translation",
    ),
)

#: By id, in the order of HTEB 1.1.
TRANSFORMATIONS: dict[str, Transformation] = {each.id: each for each in _ALL}
#: The ids of each axis's transformations, in the order of HTEB 1.1.
AXES: dict[str, tuple[str, ...]] = {
    axis: tuple(each.id for each in _ALL if each.axis == axis)
    for axis in (_LEXICAL, _LENGTH, _LANGUAGE)
}
#: By id: every stage that a prompt is needed for.
STAGES: dict[str, Stage] = {stage.id: stage for each in _ALL for stage in each.stages}
