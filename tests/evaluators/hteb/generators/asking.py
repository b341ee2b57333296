"""How the tests of generators ask."""

from __future__ import annotations

import asyncio

from robustrank.evaluators.hteb.generators.base import Request, Sampling
from robustrank.evaluators.hteb.generators.openai import OpenAIGenerator

#: A run that hangs is a failure after this many seconds.
LIMIT = 15.0

REPHRASE = "Rephrase the following text."


def request(text: str = "The cat sat on the mat.", instruction: str = REPHRASE, **sampling):
    return Request(instruction, text, Sampling(**sampling))


def generator_for(*servers, **options) -> OpenAIGenerator:
    """A generator that loses no time, but has some for answers that a busy machine is late with."""
    defaults = {"model": "m", "concurrency": 8, "timeout": 5.0, "max_tries": 3, "first_wait": 0.01}
    options = defaults | options
    return OpenAIGenerator(endpoints=[server.url for server in servers], **options)


def ask_all(generator, requests):
    """Start, answer all requests at once, close."""

    async def run():
        async with asyncio.timeout(LIMIT):
            await generator.start()
            try:
                return await asyncio.gather(*map(generator.complete, requests))
            finally:
                await generator.close()

    return asyncio.run(run())


def ask(generator, *args, **sampling):
    [response] = ask_all(generator, [request(*args, **sampling)])
    return response
