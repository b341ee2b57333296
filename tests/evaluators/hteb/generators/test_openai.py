from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from dataclasses import replace

import pytest

from robustrank.errors import DuplicateError, InputError, ParameterError
from robustrank.evaluators.hteb.generators import exchanges, handshake
from robustrank.evaluators.hteb.generators.base import Generator
from robustrank.evaluators.hteb.generators.openai import OpenAIGenerator
from tests.evaluators.hteb.generators.asking import ask, ask_all, generator_for, request
from tests.evaluators.hteb.misbehaving import (
    MisbehavingServer,
    answer,
    completion,
    cut,
    endless,
    error,
    hang,
    reply,
)

KEY = "sk-secret-0123456789"


def once(behaviour):
    """Misbehave at the first request for a text only."""
    return lambda call: behaviour if call.repeat == 0 else answer("fine")


def test_a_good_answer_is_read_whole():
    with MisbehavingServer(lambda call: answer("Ein Satz ☃", "length")) as server:
        generator = generator_for(server)
        assert isinstance(generator, Generator)
        response = ask(generator)
    assert replace(response, seconds=0.0) == replace(
        response,
        text="Ein Satz ☃",
        finish_reason="length",
        failure=None,
        detail="",
        n_tries=1,
        prompt_tokens=7,
        completion_tokens=5,
        seconds=0.0,
    )
    assert 0.0 < response.seconds < 5.0


def test_the_payload_says_what_the_sampling_says_and_no_more():
    plain = request("text", "instruction", max_tokens=9)
    full = request(
        "text",
        temperature=0.7,
        top_p=0.9,
        top_k=64,
        repetition_penalty=1.1,
        seed=5,
        structured=True,
    )
    with MisbehavingServer() as server:
        ask_all(generator_for(server), [plain])
        ask_all(generator_for(server, extra_body={"min_p": 0.1}), [full, request(top_k=0)])
    first, second, third = (call.payload for call in server.calls)
    assert first == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "instruction"},
            {"role": "user", "content": "text"},
        ],
        "temperature": 0.0,
        "top_p": 1.0,
        "max_tokens": 9,
        "chat_template_kwargs": {"enable_thinking": False},
    }
    second, third = (second, third) if "seed" in second else (third, second)
    schema = second.pop("response_format")["json_schema"]["schema"]
    assert schema["required"] == ["transformed_text"]
    assert schema["additionalProperties"] is False
    assert {
        "top_k": 64,
        "repetition_penalty": 1.1,
        "seed": 5,
        "min_p": 0.1,
    }.items() <= second.items()
    assert "chat_template_kwargs" not in second
    assert "top_k" not in third


@pytest.mark.parametrize("text", ["\ud800 lone", "NUL \0", "שלום 👩‍👩‍👧", "x" * 100_000])
def test_any_text_can_be_sent_and_received(text):
    with MisbehavingServer(lambda call: answer(call.text + "\udfff")) as server:
        response = ask(generator_for(server, timeout=5.0), text)
    assert response.failure is None
    assert response.text == text.replace("\ud800", "\ufffd") + "\ufffd"


TRANSIENT = {
    "500": error(500, "oops"),
    "503 with Retry-After": error(503, "busy", Retry_After="0.05"),
    "429 with Retry-After as seconds": error(429, "slow down", Retry_After="0"),
    "429 with Retry-After as a date": error(429, Retry_After="Fri, 01 Jan 2010 00:00:00 GMT"),
    "429 with nonsense in Retry-After": error(429, Retry_After="soon"),
    "408": error(408),
    "cut before the headers": cut(),
    "cut amid the body": cut(b'{"choices": [', 500),
    "hang before the headers": hang(),
    "hang amid the body": hang(b'{"choices": [', 500),
    "endless dribble of whitespace": endless(),
    "endless flood of whitespace": endless(b" " * 2**16, 0.0),
    "truncated JSON": reply(completion("text")[:40]),
    "HTML": reply(b"<html>Log in</html>", content_type="text/html"),
    "JSON as HTML": reply(completion("text"), content_type="text/html"),
    "an event stream": reply(b"data: {}\n\n", content_type="text/event-stream"),
    "no choices": reply(b'{"choices": []}'),
    "an error with status 200": reply(b'{"error": {"message": "upstream"}}'),
    "no message": reply(b'{"choices": [{"finish_reason": "stop"}]}'),
    "a list": reply(b"[]"),
    "deep nesting": reply(b"[" * 100_000),
    "not UTF-8": reply(b'{"choices": "\xff"}'),
    "null content": answer(None),
    "a number as content": answer(3),
    "parts without text": answer([{"type": "image"}]),
}

FAILURES = {
    "5": "http_error", "4": "http_error", "cut": "connection", "hang": "timeout",
    "endless dribble": "timeout", "endless flood": "invalid_response",
}  # fmt: skip


def timeout_for(name):
    """Be short where the end of the wait is what a test waits for."""
    return 0.8 if name.startswith(("hang", "endless")) else 5.0


@pytest.mark.parametrize("name", TRANSIENT)
def test_what_may_be_gone_at_the_next_try_is_tried_again(name):
    with MisbehavingServer(once(TRANSIENT[name])) as server:
        response = ask(generator_for(server, timeout=timeout_for(name)))
    assert (response.text, response.failure, response.n_tries) == ("fine", None, 2)


@pytest.mark.parametrize("name", TRANSIENT)
def test_what_persists_is_a_failure_and_the_others_go_on(name, monkeypatch):
    monkeypatch.setattr(exchanges, "MOST_BYTES", 2**18)
    texts = [f"text {i}" for i in range(12)]
    script = lambda call: TRANSIENT[name] if call.text == "bad" else answer(f"re: {call.text}")  # noqa: E731
    with MisbehavingServer(script) as server:
        generator = generator_for(server, concurrency=4, max_tries=2, timeout=timeout_for(name))
        [bad, *good] = ask_all(generator, [request(text) for text in ["bad", *texts]])
        assert sum(call.text == "bad" for call in server.calls) == 2
    expected = next(
        (kind for start, kind in FAILURES.items() if name.startswith(start)), "invalid_response"
    )
    assert (bad.failure, bad.text, bad.n_tries) == (expected, "", 2)
    assert 0 < len(bad.detail) <= 300
    assert [response.text for response in good] == [f"re: {text}" for text in texts]


@pytest.mark.parametrize(
    ("behaviour", "failure"),
    [
        (error(400, "temperature is out of range"), "http_error"),
        (error(404, "no such model"), "http_error"),
        (error(401, "who are you?"), "http_error"),
        (reply(b"", 307, Location="http://127.0.0.1:1/v1"), "http_error"),
        (error(400, "This model's maximum context length is 1024 tokens."), "prompt_too_long"),
    ],
)
def test_what_cannot_change_is_not_tried_again(behaviour, failure):
    with MisbehavingServer(lambda call: behaviour) as server:
        response = ask(generator_for(server))
        assert len(server.calls) == 1
    assert (response.failure, response.n_tries) == (failure, 1)
    assert "HTTP" in response.detail


@pytest.mark.parametrize(
    "text",
    [
        "<think>hm</think> The cat.",
        "Here is the translation: die Katze",
        " \n" * 400,
        '{"transformed_text": "The c',
        "",
    ],
)
def test_the_content_is_passed_on_as_the_model_wrote_it(text):
    with MisbehavingServer(lambda call: answer(text, "length")) as server:
        response = ask(generator_for(server))
    assert (response.text, response.finish_reason, response.n_tries) == (text, "length", 1)
    assert response.failure is None


def test_content_in_parts_is_joined_and_reasoning_alone_is_an_empty_text():
    parts = answer([{"type": "text", "text": "a "}, {"type": "text", "text": "b"}], None)
    with MisbehavingServer(lambda call: parts) as server:
        response = ask(generator_for(server))
    assert (response.text, response.finish_reason) == ("a b", None)
    with MisbehavingServer(lambda call: answer(None, "length", reasoning_content="hm")) as server:
        response = ask(generator_for(server))
    assert (response.text, response.finish_reason, response.failure) == ("", "length", None)
    assert "reasoning" in response.detail


def test_a_field_the_server_does_not_know_is_named_with_the_remedy():
    def opening(call):
        if "chat_template_kwargs" in call.payload:
            return error(400, "Unknown parameter: 'chat_template_kwargs'.")
        return None

    with MisbehavingServer(opening=opening) as server:
        with pytest.raises(InputError, match=r"field 'chat_template_kwargs': leave it out"):
            ask(generator_for(server))
        assert ask(generator_for(server, extra_body={})).failure is None
    unknown = error(422, "Extra inputs are not permitted: body.top_k")
    with MisbehavingServer(lambda call: unknown) as server:
        response = ask(generator_for(server), top_k=64)
    assert "field 'top_k': leave it out" in response.detail


def test_requests_in_flight_reach_the_limit_and_never_exceed_it():
    with MisbehavingServer(lambda call: answer("fine", delay=0.01)) as server:
        generator = generator_for(server, concurrency=7)
        assert generator.concurrency == 7
        ask_all(generator, [request(str(i)) for i in range(100)])
        assert server.most_in_flight == 7


def test_time_outs_do_not_use_up_connections():
    with MisbehavingServer(lambda call: hang() if call.index < 12 else answer("fine")) as server:
        generator = generator_for(server, concurrency=3, timeout=0.2, max_tries=9)
        responses = ask_all(generator, [request(str(i)) for i in range(6)])
    assert {response.text for response in responses} == {"fine"}


def test_retry_after_is_obeyed_by_all_requests():
    with MisbehavingServer(once(error(429, Retry_After="0.3"))) as server:
        started = time.monotonic()
        responses = ask_all(generator_for(server), [request(str(i)) for i in range(5)])
    assert all(response.text == "fine" for response in responses)
    assert 0.3 <= time.monotonic() - started < 3.0


def test_a_dead_and_a_slow_endpoint_leave_the_work_to_the_good_one():
    with (
        MisbehavingServer() as dead,
        MisbehavingServer(lambda call: answer("slow", delay=0.2)) as slow,
        MisbehavingServer(lambda call: answer("good", delay=0.01)) as good,
    ):
        generator = generator_for(dead, slow, good, concurrency=4, timeout=5.0, max_tries=10)
        assert generator.concurrency == 12

        async def run():
            await generator.start()
            dead.kill()
            try:
                return await asyncio.gather(
                    *(generator.complete(request(str(i))) for i in range(200))
                )
            finally:
                await generator.close()

        responses = asyncio.run(asyncio.wait_for(run(), 15))
        assert {response.text for response in responses} == {"slow", "good"}
        assert sum(response.n_tries for response in responses) < 2 * len(responses)
        assert len(good.calls) > 3 * len(slow.calls) > 0
        assert slow.most_in_flight <= 4


def test_an_endpoint_that_comes_back_is_used_again():
    down = True
    with (
        MisbehavingServer(lambda call: error(503) if down else answer("back")) as flaky,
        MisbehavingServer(lambda call: answer("steady", delay=0.005)) as steady,
    ):

        async def run():
            nonlocal down
            generator = generator_for(flaky, steady, concurrency=2, timeout=5.0, max_tries=6)
            await generator.start()
            before = [await generator.complete(request(str(i))) for i in range(30)]
            tried = len(flaky.calls)
            down = False
            after = await generator.complete(request())
            while after.text != "back":  # rests, however long they have become, come to an end
                await asyncio.sleep(0.05)
                after = await generator.complete(request())
            await generator.close()
            return before, tried

        before, tried = asyncio.run(asyncio.wait_for(run(), 15))
    assert {response.text for response in before} == {"steady"}
    assert 1 <= tried < 30


def test_when_all_are_down_the_tries_run_out():
    with MisbehavingServer() as one, MisbehavingServer() as two:
        generator = generator_for(one, two, max_tries=4)

        async def run():
            await generator.start()
            one.kill()
            two.kill()
            try:
                return await asyncio.gather(*(generator.complete(request()) for _ in range(20)))
            finally:
                await generator.close()

        responses = asyncio.run(asyncio.wait_for(run(), 15))
    assert {(response.failure, response.n_tries) for response in responses} == {("connection", 4)}


def test_a_cancelled_request_gives_its_place_back():
    with MisbehavingServer(lambda call: hang() if call.text == "bad" else answer("fine")) as server:

        async def run():
            generator = generator_for(server, concurrency=1, timeout=60.0)
            await generator.start()
            waiting = [asyncio.create_task(generator.complete(request("bad"))) for _ in range(3)]
            await asyncio.sleep(0.1)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            response = await generator.complete(request("good"))
            await generator.close()
            return response

        assert asyncio.run(asyncio.wait_for(run(), 15)).text == "fine"


class TestStart:
    def test_a_model_that_is_not_served_is_answered_with_those_that_are(self):
        with (
            MisbehavingServer(models=("gemma-3", "llama-3")) as server,
            pytest.raises(InputError, match=r"does not serve the model 'm'.*gemma-3, llama-3"),
        ):
            ask(generator_for(server))

    @pytest.mark.parametrize("path", ["/v1/models", "/v1/chat/completions"])
    @pytest.mark.parametrize(("status", "remedy"), [(401, "api_key_env"), (403, "may use")])
    def test_no_way_in_is_said_with_the_remedy(self, path, status, remedy):
        script = lambda call: error(status, "no way in") if call.path == path else None  # noqa: E731
        with (
            MisbehavingServer(opening=script) as server,
            pytest.raises(InputError, match=rf"HTTP {status}.*no way in.*{remedy}"),
        ):
            ask(generator_for(server))

    def test_a_wrong_address_is_told_from_a_server_without_a_list(self):
        missing = error(404, "Not Found")
        with (
            MisbehavingServer(opening=lambda call: missing) as server,
            pytest.raises(InputError, match="ends in /v1"),
        ):
            ask(generator_for(server))
        without_list = lambda call: missing if call.path == "/v1/models" else None  # noqa: E731
        with MisbehavingServer(opening=without_list) as server:
            generator = generator_for(server)
            assert ask(generator).failure is None
            assert generator.notes == ()

    @pytest.mark.parametrize("listing", [b"[]", b"{}", b'{"data": [1]}', b"<html>", b"[" * 99_999])
    def test_an_odd_list_of_models_is_no_obstacle(self, listing):
        odd = lambda call: reply(listing) if call.path == "/v1/models" else None  # noqa: E731
        with MisbehavingServer(opening=odd) as server:
            assert ask(generator_for(server)).failure is None

    def test_one_endpoint_of_two_may_be_away(self):
        with MisbehavingServer() as good, MisbehavingServer() as away:
            away.kill()
            generator = generator_for(good, away)
            assert ask(generator).n_tries == 1
        assert [(note.code, note.labels) for note in generator.notes] == [
            ("endpoint-unreachable", (away.url,))
        ]

    def test_nobody_at_home_is_an_error_after_patience(self):
        n_asked = 0

        def loading(call):
            nonlocal n_asked
            n_asked += 1
            return error(503, "Loading model")

        with (
            MisbehavingServer(opening=loading) as server,
            pytest.raises(InputError, match=r"No endpoint can be reached.*Loading model.*Start"),
        ):
            ask(generator_for(server))
        assert n_asked == 3

    def test_a_greeting_that_is_not_answered_is_a_note(self, monkeypatch):
        monkeypatch.setattr(handshake, "_LONGEST", 0.2)
        silent = lambda call: hang() if "completions" in call.path else None  # noqa: E731
        with MisbehavingServer(opening=silent) as server:
            generator = generator_for(server)
            assert ask(generator).failure is None
        assert [note.code for note in generator.notes] == ["endpoint-unchecked"]

    def test_without_httpx_the_extra_is_named(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "httpx", None)
        with pytest.raises(InputError, match=r"pip install 'robustrank\[hteb\]'"):
            ask(OpenAIGenerator(endpoints="http://127.0.0.1:1", model="m"))

    def test_asking_before_starting_is_an_error(self):
        generator = OpenAIGenerator(endpoints="http://127.0.0.1:1", model="m")
        with pytest.raises(InputError, match="await start"):
            asyncio.run(generator.complete(request()))


class TestKey:
    def test_it_is_sent_and_never_shown(self, monkeypatch, caplog, capsys):
        caplog.set_level(logging.DEBUG)
        monkeypatch.setenv("LLM_KEY", f"{KEY}\n")
        echo = lambda call: error(400, f"bad key {call.headers['authorization']}")  # noqa: E731
        with MisbehavingServer(echo) as server:
            generator = generator_for(server, api_key_env="LLM_KEY", headers={"X-Team": "a-secret"})
            response = ask(generator)
            [call] = server.calls
        assert call.headers["authorization"] == f"Bearer {KEY}"
        assert call.headers["x-team"] == "a-secret"
        shown = "".join((response.detail, repr(response), repr(generator), caplog.text))
        assert "bad key Bearer ***" in response.detail
        assert "sk-secret" not in shown + "".join(capsys.readouterr())

    def test_it_is_not_shown_when_it_is_refused(self, monkeypatch):
        monkeypatch.setenv("LLM_KEY", KEY)
        echo = lambda call: error(401, f"bad key {call.headers['authorization']}")  # noqa: E731
        with (
            MisbehavingServer(opening=echo) as server,
            pytest.raises(InputError, match=r"bad key Bearer \*\*\*"),
        ):
            ask(generator_for(server, api_key_env="LLM_KEY"))

    @pytest.mark.parametrize("key", ["", "sk-ключ", "sk-a\nb"])
    def test_one_that_cannot_be_sent_is_an_error_without_it(self, monkeypatch, key):
        monkeypatch.setenv("LLM_KEY", key)
        with pytest.raises(ParameterError, match="LLM_KEY") as raised:
            ask(OpenAIGenerator(endpoints="http://127.0.0.1:1", model="m", api_key_env="LLM_KEY"))
        assert not key or key not in str(raised.value)


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "error_type", "message"),
        [
            ({"endpoints": []}, ParameterError, "endpoints"),
            ({"endpoints": 8000}, ParameterError, "endpoints.*8000"),
            ({"endpoints": "localhost:8000"}, ParameterError, "localhost:8000"),
            ({"endpoints": "http://[::1"}, ParameterError, "base address"),
            ({"endpoints": "http://h:99999/v1"}, ParameterError, "99999"),
            ({"endpoints": "http://h/v1/chat/completions"}, ParameterError, "base address"),
            ({"endpoints": ["http://h", "http://h/v1/"]}, DuplicateError, "twice"),
            ({"model": ""}, ParameterError, "model"),
            ({"revision": 3}, ParameterError, "revision"),
            ({"concurrency": 0}, ParameterError, "concurrency"),
            ({"timeout": "60"}, ParameterError, "timeout.*'60'"),
            ({"timeout": True}, ParameterError, "timeout"),
            ({"first_wait": float("nan")}, ParameterError, "first_wait"),
            ({"max_tries": 1.5}, ParameterError, "max_tries"),
            ({"api_key_env": ["KEY"]}, ParameterError, "api_key_env"),
            ({"extra_body": "min_p"}, ParameterError, "extra_body must be a mapping"),
            ({"extra_body": {1: 2}}, ParameterError, "keys of extra_body"),
            ({"extra_body": {"temperature": 1}}, ParameterError, "'temperature'.*sampling"),
            ({"headers": {"Authorization": "Bearer x"}}, ParameterError, "api_key_env"),
            ({"headers": {"X": 3}}, ParameterError, "'X'"),
        ],
    )
    def test_a_bad_one_is_named(self, options, error_type, message):
        with pytest.raises(error_type, match=message):
            OpenAIGenerator(**({"endpoints": "http://127.0.0.1:8000", "model": "m"} | options))

    @pytest.mark.parametrize(
        "url", [f"http://me:{KEY}@h/v1", f"ftp://{KEY}@h", f"http://h?key={KEY}"]
    )
    def test_a_key_in_an_address_is_refused_and_not_shown(self, url):
        with pytest.raises(ParameterError) as raised:
            OpenAIGenerator(endpoints=url, model="m")
        assert KEY not in str(raised.value)

    def test_a_body_is_not_shared(self):
        body = {"min_p": 0.1}
        generator = OpenAIGenerator(endpoints="http://h", model="m", extra_body=body)
        body["min_p"] = 0.2
        assert json.dumps(generator.extra_body) == '{"min_p": 0.1}'
