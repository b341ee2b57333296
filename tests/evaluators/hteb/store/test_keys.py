from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.evaluators.hteb.generators.base import Request, Sampling
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.store import keys
from robustrank.evaluators.hteb.store.keys import generation_key

REQUEST = Request("Say it in other words.", "Where is my card?", Sampling(seed=1337))
PLACE = {"model": "owner/name", "revision": None, "stage": "paraphrasing", "attempt": 0}
OTHER_SAMPLING = {
    "temperature": 0.7,
    "top_p": 0.9,
    "repetition_penalty": 1.1,
    "top_k": 64,
    "max_tokens": 1024,
    "seed": 1338,
    "structured": True,
}


def test_key_is_the_digest_of_what_is_documented():
    sampling = {
        "temperature": 0.0,
        "top_p": 1.0,
        "top_k": None,
        "repetition_penalty": 1.0,
        "max_tokens": 512,
        "seed": 1337,
        "structured": False,
    }
    expected = {
        "version": 1,
        "text": "Where is my card?",
        "instruction": "Say it in other words.",
        "sampling": sampling,
        "settings": {},
        **PLACE,
    }
    assert generation_key(REQUEST, **PLACE) == digest(expected)
    # The order of a dict's keys says nothing.
    assert digest(dict(reversed(expected.items()))) == digest(expected)


def test_every_field_of_sampling_is_covered_below():
    assert {field.name for field in fields(Sampling)} == set(OTHER_SAMPLING)


@pytest.mark.parametrize("name", OTHER_SAMPLING)
def test_every_field_of_sampling_changes_the_key(name):
    sampling = replace(REQUEST.sampling, **{name: OTHER_SAMPLING[name]})
    other = replace(REQUEST, sampling=sampling)
    assert generation_key(other, **PLACE) != generation_key(REQUEST, **PLACE)


@pytest.mark.parametrize(
    "change",
    [
        {"model": "other/name"},
        {"revision": "a" * 40},
        {"stage": "expansion"},
        {"attempt": 1},
        {"settings": {"chat_template": "x"}},
    ],
)
def test_every_setting_changes_the_key(change):
    assert generation_key(REQUEST, **{**PLACE, **change}) != generation_key(REQUEST, **PLACE)


def test_a_new_format_changes_the_key(monkeypatch):
    before = generation_key(REQUEST, **PLACE)
    monkeypatch.setattr(keys, "KEY_VERSION", keys.KEY_VERSION + 1)
    assert generation_key(REQUEST, **PLACE) != before


ANY_TEXT = st.text(st.characters(exclude_categories=[]))


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_keys_are_equal_only_for_equal_requests(text, instruction, other_text, other_instruction):
    one = generation_key(Request(instruction, text, Sampling()), **PLACE)
    other = generation_key(Request(other_instruction, other_text, Sampling()), **PLACE)
    assert len(one) == 64
    assert (one == other) == ((text, instruction) == (other_text, other_instruction))
