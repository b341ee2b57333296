"""What a judge is asked: one criterion, anchors for its five values, and a pair of texts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from robustrank.errors import FormatError, ParameterError, unknown_label
from robustrank.evaluators.hteb.generators.base import Request, Sampling
from robustrank.evaluators.hteb.generators.chat import well_formed
from robustrank.evaluators.hteb.packaged import packaged

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

_TASK, _TARGET = "{task}", "{target_language}"
#: A structured answer would be a transformed text.
_SAMPLING = [field.name for field in fields(Sampling) if field.name != "structured"]


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
    table = read_mapping(packaged("judge.yaml"))
    if path is not None:
        table = _merge(table, read_mapping(Path(path).expanduser()), str(path))
    return JudgePrompt(
        instruction=table["instruction"],
        tasks=MappingProxyType(table["tasks"]),
        unknown_target=table["unknown_target"],
        sampling=Sampling(**table["sampling"]),
    )


def read_mapping(path: Path | Traversable) -> dict[str, Any]:
    """Read a YAML file that holds keys with values."""
    try:
        import yaml  # noqa: PLC0415 - part of the extra
    except ImportError as error:
        raise ParameterError(
            "Prompts and configurations are read with PyYAML, which is not installed. Run: "
            "pip install 'robustrank[hteb]'"
        ) from error
    try:
        values = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise FormatError(
            f"{path} cannot be read: {error.strerror}. Correct the path.", [path]
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        where = " ".join(str(error).split())
        raise FormatError(f"{path} is no YAML in UTF-8: {where}.", [path]) from error
    if not isinstance(values, dict):
        raise FormatError(
            f"{path} holds {type(values).__name__}, not keys with values, such as 'seed: 0'.",
            [path],
        )
    return values


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
    for name, value in table["sampling"].items():
        if name not in _SAMPLING:
            raise unknown_label(f"key of sampling in {source}:", name, _SAMPLING)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise FormatError(f"{name} in {source} must be a number; it is {value!r}.", [name])
    return table
