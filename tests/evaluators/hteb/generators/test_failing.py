from __future__ import annotations

from types import SimpleNamespace

import pytest

from robustrank.evaluators.hteb.generators.base import Response
from robustrank.evaluators.hteb.generators.failing import FailuresInARow, GeneratorDownError

LOST = Response("", failure="connection", detail="Refused.")


def count(concurrency=1, *responses):
    failures = FailuresInARow(SimpleNamespace(model="gemma", concurrency=concurrency))
    for response in responses:
        failures.see(response)


def test_fifty_failures_in_a_row_are_too_many():
    count(1, *[LOST] * 49)
    with pytest.raises(GeneratorDownError, match=r"gemma left 50 .* connection: Refused\. Every"):
        count(1, *[LOST] * 50)


def test_an_answer_or_a_prompt_that_is_too_long_starts_the_count_again():
    for other in (Response("text"), Response("", failure="prompt_too_long")):
        count(1, *[LOST] * 49, other, *[LOST] * 49)


def test_all_that_are_underway_may_fail_at_once():
    count(80, *[LOST] * 79)
    with pytest.raises(GeneratorDownError):
        count(80, *[LOST] * 80)
