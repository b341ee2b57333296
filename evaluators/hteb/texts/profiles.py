"""Profiles: the prompts and the sampling that a study generates its texts with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any

from robustrank.errors import FormatError, ParameterError, unknown_label
from robustrank.evaluators.hteb.generators.base import Sampling
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.packaged import packaged
from robustrank.evaluators.hteb.texts.transformations import STAGES
from robustrank.evaluators.hteb.yaml_files import read_mapping

PROFILES = ("paper", "v1.1")
#: What a prompt may name.
PLACEHOLDERS = ("source_language", "target_language")
_EXAMPLE = "paraphrasing: Reword the text."


@dataclass(frozen=True)
class Profile:
    """How texts are generated.

    Attributes
    ----------
    name : str
    prompts : mapping
        The template of each stage's instruction.
    samplings : mapping
        The `Sampling` of each stage, without a seed.
    seeded : bool
        Whether the seed of a run is also the seed that its texts are drawn with. Otherwise it only
        chooses languages.
    unknown_source, unknown_target : str
        What prompts call an unknown language: that of the text, and that to translate back into.
    """

    name: str
    prompts: Mapping[str, str]
    samplings: Mapping[str, Sampling]
    seeded: bool
    unknown_source: str
    unknown_target: str

    def sampling(self, stage: str, *, seed: int) -> Sampling:
        """Return how a stage's texts are first drawn in the run of a seed."""
        _check_stage(stage, "")
        return replace(self.samplings[stage], seed=seed if self.seeded else None)

    def instruction(self, stage: str, *, source: str | None, target: str | None = None) -> str:
        """Return the instruction of a stage.

        Parameters
        ----------
        stage : str
        source : str or None
            The name of the language of the stage's input, such as ``"German"`` or ``"English and
            Assamese"``; None where it is unknown.
        target : str or None
            That of its output. It is not needed where the language stays the same, and None where
            the language to translate back into is unknown.
        """
        _check_stage(stage, "")
        output = STAGES[stage].output
        named = source or self.unknown_source
        if output == "same":
            target = named
        elif output == "drawn" and not target:
            raise ParameterError(f"The language that {stage} translates into must be drawn first.")
        return self.prompts[stage].format(
            source_language=named, target_language=target or self.unknown_target
        )

    def describe(self) -> dict[str, Any]:
        """Return all of it as JSON-safe values, with a digest of the wording."""
        wording = {
            "prompts": dict(self.prompts),
            "unknown_source": self.unknown_source,
            "unknown_target": self.unknown_target,
        }
        samplings = {stage: asdict(sampling) for stage, sampling in self.samplings.items()}
        return {
            "profile": self.name,
            "seeded": self.seeded,
            "sampling": samplings,
            **wording,
            "wording": digest(wording),
        }


def load_profile(
    name: str = "paper", *, prompts: str | Path | Mapping[str, str] | None = None
) -> Profile:
    """Load a profile, with prompts of your own for some or all stages.

    Parameters
    ----------
    name : {"paper", "v1.1"}
        ``"paper"``: greedy, free text, and prompts that name the language of the answer.
        ``"v1.1"``: the released tool's sampling, JSON and shorter prompts.
    prompts : path or mapping, optional
        Templates by stage, or a YAML file of them. They may name ``{source_language}`` and
        ``{target_language}``; braces that are meant are doubled.

    Returns
    -------
    Profile

    Raises
    ------
    UnknownLabelError
        For an unknown profile, stage or placeholder.
    FormatError
        For a file or a template that cannot be used.
    """
    if name not in PROFILES:
        raise unknown_label("profile", name, PROFILES)
    profile = _packaged(name)
    if prompts is None:
        return profile
    if isinstance(prompts, Mapping):
        source = "the prompts given"
        own = _checked(prompts, source)
    else:
        own = _checked(read_mapping(Path(prompts), _EXAMPLE), str(prompts))
    return replace(profile, prompts=MappingProxyType({**profile.prompts, **own}))


@cache
def _packaged(name: str) -> Profile:
    path = packaged(f"profile-{name}.yaml")
    table = read_mapping(path, _EXAMPLE)
    sampling = Sampling(**table["sampling"], structured=table["structured"])
    longest = table["max_tokens"]
    samplings = {
        stage: replace(sampling, max_tokens=longest.get(stage, sampling.max_tokens))
        for stage in STAGES
    }
    return Profile(
        name=name,
        prompts=MappingProxyType(_checked(table["prompts"], str(path))),
        samplings=MappingProxyType(samplings),
        seeded=table["seeded"],
        unknown_source=table["unknown_source"],
        unknown_target=table["unknown_target"],
    )


def _checked(prompts: Mapping[str, Any], source: str) -> dict[str, str]:
    """Return templates by stage if every one can be filled in; name the first that cannot."""
    for stage, template in prompts.items():
        _check_stage(stage, f" in {source}")
        _check_template(stage, template, source)
    return dict(prompts)


def _check_stage(stage: object, where: str) -> None:
    if stage not in STAGES:
        raise unknown_label(f"stage{where}", stage, STAGES)


def _check_template(stage: str, template: object, source: str) -> None:
    where = f"The prompt of {stage!r} in {source}"
    if not isinstance(template, str) or not template.strip():
        raise FormatError(f"{where} must be a text; it is {template!r}.", [stage])
    try:
        parts = [part for part in Formatter().parse(template) if part[1] is not None]
    except ValueError as error:
        raise FormatError(
            f"{where} has a brace that is not closed or not opened ({error}). Double braces that "
            "are meant: '{{' and '}}'.",
            [stage],
        ) from error
    for _, name, form, conversion in parts:
        if name not in PLACEHOLDERS or form or conversion:
            written = f"{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}"
            raise FormatError(
                f"{where} names {{{written}}}, which nothing fills in. Use {{source_language}} or "
                "{target_language}, or double braces that are meant: '{{' and '}}'.",
                [stage, written],
            )
    if STAGES[stage].output != "same" and "target_language" not in [name for _, name, *_ in parts]:
        raise FormatError(
            f"{where} does not say what to translate into. Write {{target_language}} where the "
            "name of the language belongs.",
            [stage, "target_language"],
        )
