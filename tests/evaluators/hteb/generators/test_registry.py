from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import ClassVar

import pytest

from robustrank.errors import ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.generators import registry
from robustrank.evaluators.hteb.generators.base import Generator
from robustrank.evaluators.hteb.generators.registry import (
    GROUP,
    create_generator,
    generator_names,
)


class Parrot:
    """The smallest generator there can be."""

    revision = None
    concurrency = 1
    settings: ClassVar = {}
    notes = ()

    def __init__(self, *, model: str, **more: object) -> None:
        self.model, self.more = model, more

    async def start(self):
        pass

    async def complete(self, request):
        pass

    async def close(self):
        pass


class Idle:
    """Not a generator."""


@pytest.fixture
def announced(monkeypatch):
    def entry_points(*, group):
        assert group == GROUP
        names = {"parrot": "Parrot", "idle": "Idle", "rules": "Parrot"}
        return [EntryPoint(name, f"{__name__}:{what}", GROUP) for name, what in names.items()]

    monkeypatch.setattr(registry, "entry_points", entry_points)


def test_ours_are_known_by_name():
    assert {"openai", "rules", "vllm"} <= set(generator_names())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("openai", {"endpoints": ["http://127.0.0.1:1/v1"], "model": "m"}),
        ("rules", {}),
        ("vllm", {"model": "folder"}),
    ],
)
def test_ours_are_created_without_connecting_or_loading(name, options):
    assert isinstance(create_generator(name, **options), Generator)


def test_others_are_found_and_cannot_take_our_names(announced):
    assert generator_names() == ["idle", "openai", "parrot", "rules", "vllm"]
    parrot = create_generator("parrot", model="m", colour="green")
    assert (parrot.model, parrot.more) == ("m", {"colour": "green"})
    assert not isinstance(create_generator("rules"), Parrot)


def test_what_is_no_generator_is_refused(announced):
    with pytest.raises(TypeError, match="'idle', lacks"):
        create_generator("idle")


def test_an_unknown_name_is_answered_with_a_known_one():
    with pytest.raises(UnknownLabelError, match=r"'opneai'.*'openai'"):
        create_generator("opneai")


def test_an_unknown_option_is_answered_with_a_known_one():
    with pytest.raises(UnknownLabelError, match=r"'openai'.*'endpoint'.*did you mean 'endpoints'"):
        create_generator("openai", endpoint="http://h", model="m")


def test_a_missing_option_is_named(announced):
    with pytest.raises(ParameterError, match=r"'openai' needs the option endpoints"):
        create_generator("openai", model="m")
    with pytest.raises(ParameterError, match=r"'parrot' needs the option model"):
        create_generator("parrot")


def test_an_option_of_a_wrong_type_is_named():
    with pytest.raises(ParameterError, match=r"concurrency.*'8'"):
        create_generator("rules", concurrency="8")
