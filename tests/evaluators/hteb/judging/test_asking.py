"""Judges that answer nonsense, hang, or die half-way and are asked again."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from types import MappingProxyType

import pytest

from robustrank.evaluators.hteb.generators import failing
from robustrank.evaluators.hteb.generators.base import Response
from robustrank.evaluators.hteb.generators.failing import GeneratorDownError
from robustrank.evaluators.hteb.judging.asking import ask
from robustrank.evaluators.hteb.judging.prompts import load_prompt
from robustrank.evaluators.hteb.store.store import Store
from tests.evaluators.hteb.generators.asking import generator_for
from tests.evaluators.hteb.misbehaving import (
    MisbehavingServer,
    answer,
    cut,
    error,
    hang,
    reply,
)


class Scripted:
    """A judge that answers by a function of the request and of how often it was asked."""

    model, revision, concurrency, settings, notes = "scripted", None, 4, MappingProxyType({}), ()

    def __init__(self, script):
        self.script = script
        self.asked = Counter()
        self.states = []

    async def start(self):
        self.states.append("started")

    async def close(self):
        self.states.append("closed")

    async def complete(self, request):
        self.asked[request] += 1
        await asyncio.sleep(0.001)
        found = self.script(request)
        return found if isinstance(found, Response) else Response(found, "stop")


def requests(*texts):
    return [load_prompt().request("paraphrasing", text, f"{text} (b)") for text in texts]


def work(asked, judge, store):
    async def run():
        async with asyncio.timeout(60):
            return await ask(asked, judge, store)

    found = asyncio.run(run())
    return [found[request] for request in asked]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "judgements.sqlite") as opened:
        yield opened


def test_ratings_are_stored_and_not_asked_for_again(store):
    asked = requests("a", "b")
    first = Scripted(lambda request: "Rating: 4/5")
    found = work(asked, first, store)
    assert [each.rating for each in found] == [4, 4]
    assert first.states == ["started", "closed"]
    assert work(asked, Scripted(lambda _: pytest.fail("asked again")), store) == found


def test_a_judge_that_has_nothing_to_do_is_not_started(store):
    asked = requests("a")
    work(asked, Scripted(lambda _: "3"), store)
    idle = Scripted(lambda _: "3")
    work(asked, idle, store)
    assert idle.states == []


def test_equal_requests_are_made_once(store):
    judge = Scripted(lambda _: "3")
    assert len(work(requests("a", "a", "a"), judge, store)) == 3
    assert sum(judge.asked.values()) == 1


def test_another_model_revision_or_setting_is_asked_anew(store):
    asked = requests("a")
    work(asked, Scripted(lambda _: "3"), store)
    for name, value in (("model", "n"), ("revision", "r"), ("settings", {"a": 1})):
        judge = Scripted(lambda _: "5")
        setattr(judge, name, value)
        assert work(asked, judge, store)[0].rating == 5, name


def test_an_answer_without_a_rating_is_asked_for_once_more_in_another_way(store):
    asked = requests("a")

    def script(request):
        return "no idea" if request.sampling.temperature == 0 else "2"

    judge = Scripted(script)
    assert work(asked, judge, store)[0].rating == 2
    first, second = judge.asked
    assert second.sampling.temperature > 0
    assert second.sampling.seed != first.sampling.seed
    assert (second.instruction, second.text) == (first.instruction, first.text)
    never = Scripted(lambda _: pytest.fail("asked again"))
    assert work(asked, never, store)[0].rating == 2


def test_after_two_answers_without_a_rating_it_is_invalid_for_good(store):
    judge = Scripted(lambda _: "6")
    [found] = work(requests("a"), judge, store)
    assert (found.rating, found.text, found.failure) == (None, "6", None)
    assert sum(judge.asked.values()) == 2
    again = Scripted(lambda _: pytest.fail("asked again"))
    assert work(requests("a"), again, store) == [found]


def test_an_answer_that_was_cut_off_gets_more_tokens(store):
    def script(request):
        return "4" if request.sampling.max_tokens > 64 else Response("Let me see", "length")

    judge = Scripted(script)
    assert work(requests("a"), judge, store)[0].rating == 4
    assert [request.sampling.temperature for request in judge.asked] == [0.0, 0.0]


def test_a_failure_is_no_invalid_answer_and_the_next_run_asks_again(store):
    asked = requests("a", "b")
    down = Scripted(
        lambda request: Response("", failure="timeout") if '"a"' in request.text else "1"
    )
    lost, rated = work(asked, down, store)
    assert (lost.rating, lost.failure) == (None, "timeout")
    assert rated.rating == 1
    up = Scripted(lambda _: "5")
    assert [each.rating for each in work(asked, up, store)] == [5, 1]
    assert sum(up.asked.values()) == 1


def test_a_second_try_that_fails_leaves_the_text_unanswered_not_invalid(store):
    def script(request):
        return "hm" if request.sampling.seed is None else Response("", failure="connection")

    [found] = work(requests("a"), Scripted(script), store)
    assert (found.rating, found.failure) == (None, "connection")
    assert work(requests("a"), Scripted(lambda _: "3"), store)[0].rating == 3


def test_a_judge_that_is_down_stops_the_run_and_keeps_what_there_is(store, monkeypatch):
    monkeypatch.setattr(failing, "MOST_FAILURES", 5)
    asked = requests(*map(str, range(40)))
    answers = iter(["4"] * 10)
    dying = Scripted(
        lambda _: next(answers, None) or Response("", failure="connection", detail="x")
    )
    with pytest.raises(
        GeneratorDownError, match=r"scripted left 5 requests in a row .* start again"
    ):
        work(asked, dying, store)
    assert sum(dying.asked.values()) < 20
    assert dying.states[-1] == "closed"
    up = Scripted(lambda _: "4")
    assert {each.rating for each in work(asked, up, store)} == {4}
    assert sum(up.asked.values()) == 30


def test_texts_that_are_too_long_do_not_pass_for_a_judge_that_is_down(store, monkeypatch):
    monkeypatch.setattr(failing, "MOST_FAILURES", 4)
    judge = Scripted(lambda _: Response("", failure="prompt_too_long"))
    found = work(requests(*map(str, range(20))), judge, store)
    assert {each.failure for each in found} == {"prompt_too_long"}


def test_an_interrupted_run_goes_on_where_it_was(store):
    asked = requests(*map(str, range(30)))
    n = 0

    def script(request):
        nonlocal n
        n += 1
        if n > 12:
            raise KeyboardInterrupt
        return "2"

    with pytest.raises(KeyboardInterrupt):
        work(asked, Scripted(script), store)
    up = Scripted(lambda _: "2")
    assert {each.rating for each in work(asked, up, store)} == {2}
    assert sum(up.asked.values()) <= 30 - 12


#: What the server does about the text of that name, and the rating or the failure that follows.
MISBEHAVIOURS = {
    "well": (answer("**Rating:** 4/5"), 4),
    "JSON": (answer('{"rating": 2}'), 2),
    "nonsense": (answer("As a language model, I like both texts."), None),
    "out of range": (answer("Rating: 11"), None),
    "two numbers": (answer("3 or 4"), None),
    "blank": (answer(" \n"), None),
    "open thoughts": (answer("<think>I would say 4"), None),
    "reasoning only": (answer(None, reasoning_content="It is a 4."), None),
    "status 500": (error(500), "http_error"),
    "cut": (cut(b'{"choices": [', promised=500), "connection"),
    "not JSON": (reply(b"<html>4</html>"), "invalid_response"),
    "hang": (hang(), "timeout"),
}


def test_each_misbehaviour_of_a_server_ends_as_what_it_is(store):
    def script(call):
        return MISBEHAVIOURS[json.loads(call.text)["original"]][0]

    with MisbehavingServer(script) as server:
        judge = generator_for(server, max_tries=2, timeout=2.0)
        found = work(requests(*MISBEHAVIOURS), judge, store)
    for each, (name, (_, expected)) in zip(found, MISBEHAVIOURS.items(), strict=True):
        assert (each.failure or each.rating) == expected, name


def test_a_server_that_dies_half_way_is_asked_for_the_rest_only(store, monkeypatch):
    monkeypatch.setattr(failing, "MOST_FAILURES", 8)
    asked = requests(*map(str, range(60)))
    with (
        MisbehavingServer(lambda call: answer("3") if call.index < 20 else cut()) as server,
        pytest.raises(GeneratorDownError, match="m left 8 requests"),
    ):
        work(asked, generator_for(server, max_tries=1), store)
    with MisbehavingServer(lambda call: answer("5")) as server:
        found = work(asked, generator_for(server), store)
        assert len(server.calls) == 40
    assert Counter(each.rating for each in found) == {3: 20, 5: 40}
