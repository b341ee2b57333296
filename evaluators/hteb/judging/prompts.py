"""What a judge is asked: one criterion, anchors for its five values, and a pair of texts."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, fields
from numbers import Integral, Real
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from robustrank.errors import FormatError, ParameterError, unknown_label
from robustrank.evaluators.hteb.generators.base import Request, Sampling
from robustrank.evaluators.hteb.generators.chat import well_formed
from robustrank.evaluators.hteb.packaged import packaged
from robustrank.evaluators.hteb.yaml_files import read_mapping

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

_TASK, _TARGET = "{task}", "{target_language}"
_EXAMPLE = "instruction: The task was to {task}"
#: A structured answer would be a transformed text.
_SAMPLING = [field.name for field in fields(Sampling) if field.name != "structured"]
#: Which numbers the settings of sampling can be, in words too.
_RANGES: dict[str, tuple[Any, Callable[[Any], bool], str]] = {
    "temperature": (Real, lambda value: 0 <= value <= 10, "a number from 0 to 10"),
    "top_p": (Real, lambda value: 0 < value <= 1, "a number above 0, up to 1"),
    "top_k": (Integral | None, lambda value: value >= -1, "a whole number from -1 on, or left out"),
    "repetition_penalty": (Real, lambda value: 0 < value < math.inf, "a number above 0"),
    "max_tokens": (Integral, lambda value: value >= 1, "a whole number from 1 on"),
    "seed": (
        Integral | None,
        lambda value: 0 <= value < 2**63,
        "a whole number below 2**63, or left out",
    ),
}


@dataclass(frozen=True)
class JudgePrompt:
    """The wording of the question, and how the answer is drawn.

    Attributes
    ----------
    instruction : str
        With ``{task}`` where the task of the transformation belongs.
    tasks : mapping
        What each transformation was to do, by its id; ``{target_language}`` is the language drawn.
    unknown_target : str
        What stands there where the language is not known.
    sampling : Sampling
    """

    instruction: str
    tasks: Mapping[str, str]
    unknown_target: str
    sampling: Sampling

    def request(
        self, transformation: str, original: str, text: str, target: str | None = None
    ) -> Request:
        """Return the request for one rating.

        The two texts are values of a JSON object: no text can pass for the other, or for a part of
        the instruction. Who wrote the text is not said.

        Raises
        ------
        UnknownLabelError
            If nothing says what the transformation was to do.
        """
        if transformation not in self.tasks:
            raise unknown_label("transformation", transformation, self.tasks)
        task = self.tasks[transformation].replace(_TARGET, target or self.unknown_target)
        pair = {"original": well_formed(original), "rewritten": well_formed(text)}
        return Request(
            self.instruction.replace(_TASK, task),
            json.dumps(pair, ensure_ascii=False, indent=1),
            self.sampling,
        )

    def describe(self) -> dict[str, Any]:
        """Return all of it as JSON-safe values."""
        return {
            "instruction": self.instruction,
            "tasks": dict(self.tasks),
            "unknown_target": self.unknown_target,
            "sampling": asdict(self.sampling),
        }


def load_prompt(path: str | os.PathLike[str] | None = None) -> JudgePrompt:
    """Load the packaged prompt, or one of your own in its place.

    Parameters
    ----------
    path : str or path-like, optional
        A YAML file with some of the keys of the packaged ``judge.yaml``: ``instruction``,
        ``tasks``, ``unknown_target`` and ``sampling``. Tasks and sampling replace those of the same
        name; the others stay.

    Returns
    -------
    JudgePrompt

    Raises
    ------
    FormatError
        If the file is no such YAML, or its instruction has no place for the task.
    UnknownLabelError
        For a key that means nothing.
    """
    table = read_mapping(packaged("judge.yaml"), _EXAMPLE)
    if path is not None:
        own = read_mapping(Path(path).expanduser(), _EXAMPLE)
        table = _merge(table, own, str(path))
    return JudgePrompt(
        instruction=table["instruction"],
        tasks=MappingProxyType(table["tasks"]),
        unknown_target=table["unknown_target"],
        sampling=Sampling(**table["sampling"]),
    )


def _merge(table: dict[str, Any], own: dict[str, Any], source: str) -> dict[str, Any]:
    for key, value in own.items():
        if key not in table:
            raise unknown_label(f"key in {source}:", key, table)
        if not isinstance(value, type(table[key])):
            kind = "a mapping" if isinstance(table[key], dict) else "a text"
            raise FormatError(f"{key} in {source} must be {kind}; it is {value!r:.200}.", [key])
        table[key] = {**table[key], **value} if isinstance(value, dict) else value
    if _TASK not in table["instruction"]:
        raise FormatError(
            f"The instruction in {source} has no place for the task. Write {_TASK} in it.",
            ["instruction"],
        )
    for name, task in table["tasks"].items():
        if not isinstance(task, str):
            raise FormatError(f"The task of {name} in {source} must be a text.", [name])
    for name in table["sampling"]:
        if name not in _SAMPLING:
            raise unknown_label(f"key of sampling in {source}:", name, _SAMPLING)
    check_sampling(Sampling(**table["sampling"]), f" in {source}")
    return table


def check_sampling(sampling: Sampling, where: str = "") -> None:
    """Raise unless a server can draw answers like that.

    Parameters
    ----------
    sampling : Sampling
    where : str
        What follows the name of a setting in messages.
    """
    for name, (kinds, fits, allowed) in _RANGES.items():
        value = getattr(sampling, name)
        number = isinstance(value, kinds) and not isinstance(value, bool)
        if not number or not (value is None or fits(value)):
            raise ParameterError(f"{name}{where} must be {allowed}; it is {value!r}.", [name])
