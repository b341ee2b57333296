from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from dataclasses import replace

import pytest

from robustrank.errors import InputError
from robustrank.evaluators.hteb.generators.base import Request, Sampling
from robustrank.evaluators.hteb.generators.openai import OpenAIGenerator
from tests.real.llm_server import serving

REPHRASE = "Rephrase the following text. Only reply with the rephrased text."
SENTENCES = [
    "The cat sat on the mat.",
    "Stocks fell sharply on Monday.",
    "How do I get a new card?",
    "Scientists discovered a new frog in Ecuador.",
]
GREEDY = Sampling(max_tokens=24, seed=1)


@pytest.fixture(scope="module")
def server():
    with serving(parallel=2) as running:
        yield running


def ask_all(server, requests, **options):
    options = {"model": server.model, "concurrency": 2, "first_wait": 0.1} | options

    async def run():
        generator = OpenAIGenerator(endpoints=server.url, **options)
        async with asyncio.timeout(240):
            await generator.start()
            try:
                return await asyncio.gather(*map(generator.complete, requests))
            finally:
                await generator.close()

    return asyncio.run(run())


def test_sentences_are_rewritten_and_counted(server):
    responses = ask_all(server, [Request(REPHRASE, text, GREEDY) for text in SENTENCES])
    for response in responses:
        assert response.failure is None
        assert response.text.strip()
        assert response.finish_reason in ("stop", "length")
        assert response.prompt_tokens > 20
        assert 0 < response.completion_tokens <= 24
        assert response.n_tries == 1


def test_a_seed_repeats_a_draw(server):
    drawn = replace(GREEDY, temperature=1.0, top_k=64, top_p=0.95)
    requests = [Request(REPHRASE, SENTENCES[0], replace(drawn, seed=seed)) for seed in (5, 5, 6)]
    one, same, other = [ask_all(server, [request])[0].text for request in requests]
    assert one == same != other


def test_a_structured_answer_has_the_one_key(server):
    sampling = replace(GREEDY, structured=True, max_tokens=120)
    [response] = ask_all(server, [Request(REPHRASE, SENTENCES[0], sampling)])
    assert response.finish_reason == "stop"
    assert list(json.loads(response.text)) == ["transformed_text"]


def test_a_text_that_is_too_long_is_recognised_and_the_others_go_on(server):
    texts = ["word " * 5000, SENTENCES[0]]
    long, short = ask_all(server, [Request(REPHRASE, text, GREEDY) for text in texts])
    assert (long.failure, long.n_tries) == ("prompt_too_long", 1)
    assert short.failure is None


def test_a_wrong_model_is_answered_with_the_served_one(server):
    with pytest.raises(InputError, match=f"'gemma'.*serves {server.model}"):
        ask_all(server, [], model="gemma")


def test_a_time_limit_ends_a_try_and_the_server_goes_on(server):
    endless = Request(REPHRASE, SENTENCES[0], Sampling(max_tokens=900))
    options = {"timeout": 1.0, "max_tries": 2, "extra_body": {"ignore_eos": True}}
    [response] = ask_all(server, [endless], **options)
    assert (response.failure, response.n_tries) == ("timeout", 2)
    assert 2.0 <= response.seconds < 20.0
    [after] = ask_all(server, [Request(REPHRASE, SENTENCES[0], GREEDY)])
    assert after.failure is None


def test_a_server_that_is_killed_and_comes_back_loses_nothing():
    with ExitStack() as servers:
        first = servers.enter_context(serving(parallel=2))
        port = int(first.url.rsplit(":", 1)[1].removesuffix("/v1"))

        async def run():
            generator = OpenAIGenerator(
                endpoints=first.url, model=first.model, concurrency=2, max_tries=12, first_wait=0.2
            )
            await generator.start()
            tasks = [
                asyncio.create_task(generator.complete(Request(REPHRASE, text, GREEDY)))
                for text in SENTENCES
            ]
            await asyncio.sleep(0.5)
            await asyncio.to_thread(first.kill)
            await asyncio.to_thread(servers.enter_context, serving(port=port, parallel=2))
            responses = await asyncio.gather(*tasks)
            await generator.close()
            return responses

        responses = asyncio.run(asyncio.wait_for(run(), 240))
    assert {response.failure for response in responses} == {None}
    assert max(response.n_tries for response in responses) > 1
