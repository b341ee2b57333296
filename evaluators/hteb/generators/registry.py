"""The registry that finds generators by name and creates them with checked options."""

from __future__ import annotations

import inspect
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from robustrank.errors import ParameterError, unknown_label
from robustrank.evaluators.hteb.generators.base import Generator
from robustrank.notes import name_some

#: Distributions announce their generators in this entry-point group.
GROUP = "robustrank.hteb.generators"

_BUILT_IN = {
    name: EntryPoint(name, f"robustrank.evaluators.hteb.generators.{name}:{factory}", GROUP)
    for name, factory in (
        ("openai", "OpenAIGenerator"),
        ("rules", "RulesGenerator"),
        ("vllm", "VLLMGenerator"),
    )
}


def generator_names() -> list[str]:
    """Name our generators and those that installed distributions announce, sorted."""
    return sorted(_find())


def create_generator(name: str, **options: Any) -> Generator:
    """Import a generator by name and create it; nothing is connected or loaded before `start`.

    Parameters
    ----------
    name : str
        One of `generator_names`.
    **options : object
        The parameters of its class, such as those of
        `robustrank.evaluators.hteb.generators.openai.OpenAIGenerator`.

    Returns
    -------
    Generator

    Raises
    ------
    UnknownLabelError
        If there is no such generator, or it has no such option.
    ParameterError
        If an option is missing, or has a value that the generator cannot use.
    TypeError
        If what a distribution announces is not a generator.
    """
    found = _find()
    if name not in found:
        raise unknown_label("generator", name, found)
    factory = found[name].load()
    _check_names(name, factory, options)
    generator = factory(**options)
    if not isinstance(generator, Generator):
        raise TypeError(
            f"{found[name].value}, announced as generator {name!r}, lacks parts of a generator; "
            "see robustrank.evaluators.hteb.generators.base.Generator."
        )
    return generator


def _find() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)} | _BUILT_IN


def _check_names(name: str, factory: Any, options: dict[str, Any]) -> None:
    """Raise if an option is unknown or missing."""
    parameters = inspect.signature(factory).parameters.values()
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        known = [parameter.name for parameter in parameters]
        for option in options:
            if option not in known:
                raise unknown_label(f"option of the generator {name!r}:", option, known)
    missing = [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        and parameter.name not in options
    ]
    if missing:
        raise ParameterError(
            f"The generator {name!r} needs the option {name_some(missing)}.", missing
        )
