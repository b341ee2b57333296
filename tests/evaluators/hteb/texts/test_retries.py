from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.errors import InputError, ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.generators.base import Failure, Sampling
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES
from robustrank.evaluators.hteb.texts.retries import REASONS, Policy, v1_1_reason

GREEDY = Sampling()
DRAWN = Sampling(temperature=1.0, top_p=0.95, top_k=64, seed=1337, structured=True)


def test_everything_but_an_identical_text_is_rejected():
    policy = Policy()
    assert set(REASONS) == {*ERROR_TYPES, "invalid_json", "placeholder", "length"}
    assert policy.should_retry({"identical"}, attempt=0)
    assert {reason for reason in REASONS if not policy.is_rejected({reason})} == {"identical"}
    assert policy.is_rejected({"identical", "runaway"})
    assert not policy.is_rejected(())
    assert not policy.should_retry((), attempt=0)


def test_retries_end():
    policy = Policy(max_retries=2)
    assert [policy.should_retry({"empty"}, attempt=i) for i in range(4)] == [
        True,
        True,
        False,
        False,
    ]
    assert not Policy(max_retries=0).should_retry({"empty"}, attempt=0)


def test_reasons_can_be_chosen():
    policy = Policy(retry=frozenset({"empty"}), reject=frozenset())
    assert policy.should_retry({"empty", "runaway"}, attempt=0)
    assert not policy.should_retry({"runaway"}, attempt=0)
    assert not policy.is_rejected({"empty"})


@pytest.mark.parametrize("sampling", [GREEDY, DRAWN])
def test_the_first_attempt_is_as_the_profile_says(sampling):
    assert Policy().retry_sampling(sampling, attempt=0, reasons=()) is sampling


def test_greedy_retries_are_drawn_at_rising_temperatures_with_seeds():
    policy, tries = Policy(), [GREEDY]
    for attempt in (1, 2, 3):
        tries.append(policy.retry_sampling(tries[-1], attempt=attempt, reasons={"identical"}))
    assert [sampling.temperature for sampling in tries] == [0.0, 0.7, 1.0, 1.0]
    assert len({sampling.seed for sampling in tries}) == 4
    assert {sampling.max_tokens for sampling in tries} == {512}


def test_seeds_of_retries_are_no_runs_own():
    policy = Policy()
    seeds = {
        policy.retry_sampling(replace(DRAWN, seed=seed), attempt=attempt, reasons={"empty"}).seed
        for seed in range(1337, 1437)
        for attempt in (1, 2, 3)
    }
    assert len(seeds) == 300
    assert all(2**30 <= seed < 2**31 for seed in seeds)


def test_an_output_that_was_cut_off_gets_twice_the_tokens_and_is_drawn_alike():
    policy = Policy(most_tokens=1500)
    first = policy.retry_sampling(DRAWN, attempt=1, reasons={"length", "invalid_json"})
    assert first == replace(DRAWN, max_tokens=1024)
    second = policy.retry_sampling(first, attempt=2, reasons={"length"})
    assert (second.max_tokens, second.temperature) == (1500, 1.0)
    assert second.seed != DRAWN.seed
    third = policy.retry_sampling(second, attempt=3, reasons={"length"})
    assert third.max_tokens == 1500
    assert third.seed != second.seed


def test_a_limit_above_the_most_is_kept():
    long = replace(GREEDY, max_tokens=8192)
    again = Policy().retry_sampling(long, attempt=1, reasons={"length"})
    assert (again.max_tokens, again.temperature) == (8192, 0.7)


@given(
    st.builds(
        Sampling,
        temperature=st.floats(0, 2),
        top_k=st.sampled_from([None, 1, 64]),
        max_tokens=st.integers(1, 9000),
        seed=st.none() | st.integers(0, 2**31),
    ),
    st.sets(st.sampled_from(REASONS), min_size=1),
)
def test_no_retry_repeats_the_output_before(sampling, reasons):
    policy = Policy()
    tries = [sampling]
    for attempt in (1, 2, 3):
        tries.append(policy.retry_sampling(tries[-1], attempt=attempt, reasons=reasons))
    for before, after in pairwise(tries):
        longer = after.max_tokens > before.max_tokens
        drawn_anew = after.seed != before.seed and after.temperature > 0 and after.top_k != 1
        assert longer or drawn_anew
        assert after.temperature >= before.temperature
        assert after.structured == before.structured
    assert tries[1] == policy.retry_sampling(sampling, attempt=1, reasons=reasons)


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        ({"prompt_too_long"}, "prompt_too_long"),
        ({"timeout"}, "backend_failure"),
        ({"http_error"}, "backend_failure"),
        ({"length", "invalid_json", "truncated"}, "output_length_after_retries"),
        ({"invalid_json", "json_fragment"}, "invalid_json_after_retries"),
        ({"placeholder"}, "invalid_text_after_retries"),
        ({"wrong_language", "runaway"}, "invalid_text_after_retries"),
    ],
)
def test_every_reason_has_one_of_the_released_tools(reasons, expected):
    assert v1_1_reason(reasons) == expected


def test_all_failures_of_a_generator_have_one_of_the_released_tools_reasons():
    assert {v1_1_reason({failure}) for failure in get_args(Failure)} == {
        "backend_failure",
        "prompt_too_long",
    }


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"retry": frozenset({"emty"})}, UnknownLabelError, "reason to retry 'emty'.*'empty'"),
        ({"reject": frozenset({"length", "x"})}, UnknownLabelError, "reason to reject 'x'"),
        ({"max_retries": -1}, ParameterError, "max_retries must be a whole number of at least 0"),
        ({"most_tokens": 0}, ParameterError, "most_tokens must be a whole number of at least 1"),
        ({"temperatures": (0.0, 1.0)}, ParameterError, "must be above 0.*repeat the same output"),
        ({"temperatures": ()}, ParameterError, "must be above 0"),
    ],
)
def test_settings_that_make_no_sense_are_named(settings, error, message):
    with pytest.raises(error, match=message) as raised:
        Policy(**settings)
    assert isinstance(raised.value, InputError)
