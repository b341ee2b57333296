"""Asking a judge: many requests at once, every answer kept as it comes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from robustrank.evaluators.hteb.generators.failing import FailuresInARow
from robustrank.evaluators.hteb.judging.parsing import parse_rating
from robustrank.evaluators.hteb.store.keys import generation_key
from robustrank.evaluators.hteb.store.rows import Generation
from robustrank.evaluators.hteb.texts.retries import LENGTH, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from robustrank.evaluators.hteb.generators.base import Generator, Request
    from robustrank.evaluators.hteb.store.store import Store

#: The stage under which ratings are stored.
STAGE = "judge"

#: An answer without a rating is asked for once more.
_POLICY = Policy(max_retries=1)
#: Stored answers that are read at a time.
_BLOCK = 2_000


@dataclass(frozen=True)
class Answer:
    """What a judge said about a text.

    Attributes
    ----------
    rating : int or None
    text : str
        The last answer as it was written.
    failure : str or None
        Why there is no answer.
    """

    rating: int | None
    text: str = ""
    failure: str | None = None


async def ask(
    requests: Iterable[Request],
    generator: Generator,
    store: Store,
    on_answer: Callable[[], None] = lambda: None,
) -> dict[Request, Answer]:
    """Return the answer to each request; what the store has is not asked for again.

    Equal requests are made once. An answer without a rating is asked for once more, at another
    seed and a higher temperature, or with more tokens if it was cut off. A request that failed
    has no answer, and the next run asks again.

    Parameters
    ----------
    requests : iterable of Request
    generator : Generator
        Started for the first request that the store has no answer to, and closed.
    store : Store
        Has every answer before this returns or raises.
    on_answer : callable, optional
        Called once per request that has its answer.

    Raises
    ------
    GeneratorDownError
        If the judge leaves many requests in a row unanswered; see `FailuresInARow`.
    """
    run = _Run(generator, store, on_answer)
    todo = iter(dict.fromkeys(requests))
    try:
        while block := list(islice(todo, _BLOCK)):
            await run.settle(block)
    finally:
        await run.close()
        await asyncio.to_thread(store.flush)
    return run.answers


class _Run:
    """One judge at work."""

    def __init__(self, generator: Generator, store: Store, on_answer: Callable[[], None]) -> None:
        self.answers: dict[Request, Answer] = {}
        self._generator, self._store, self._on_answer = generator, store, on_answer
        self._failures = FailuresInARow(generator)
        self._starting, self._started = asyncio.Lock(), False

    async def close(self) -> None:
        """Close the generator if it was needed."""
        if self._started:
            await self._generator.close()

    async def settle(self, requests: list[Request]) -> None:
        """Find the answers to some requests, as many at once as the judge can work on."""
        stored = await self._look_up(requests, attempt=0)
        todo = iter(requests)  # shared: each worker takes the next
        workers = [
            asyncio.ensure_future(self._work(todo, stored))
            for _ in range(min(self._generator.concurrency, len(requests)))
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, todo: Iterator[Request], stored: dict[str, Generation]) -> None:
        for request in todo:
            found = stored.get(self._key(request, 0)) or await self._complete(request, 0)
            if found.failure is None and parse_rating(found.output) is None:
                reasons = (LENGTH,) if found.finish_reason == LENGTH else ()
                sampling = _POLICY.retry_sampling(request.sampling, attempt=1, reasons=reasons)
                second = replace(request, sampling=sampling)
                known = await self._look_up([second], attempt=1)
                found = known.get(self._key(second, 1)) or await self._complete(second, 1)
            failed = found.failure is not None
            rating = None if failed else parse_rating(found.output)
            self.answers[request] = Answer(rating, found.output, found.failure)
            self._on_answer()

    def _key(self, request: Request, attempt: int) -> str:
        return generation_key(
            request,
            model=self._generator.model,
            revision=self._generator.revision,
            stage=STAGE,
            attempt=attempt,
            settings=self._generator.settings,
        )

    async def _look_up(self, requests: list[Request], *, attempt: int) -> dict[str, Generation]:
        """Return the stored answers by key, without failures."""
        keys = [self._key(request, attempt) for request in requests]
        found = await asyncio.to_thread(self._store.get, keys)
        return {key: answer for key, answer in found.items() if answer.failure is None}

    async def _complete(self, request: Request, attempt: int) -> Generation:
        async with self._starting:
            if not self._started:
                await self._generator.start()
                self._started = True
        response = await self._generator.complete(request)
        answer = Generation.of(
            request,
            response,
            key=self._key(request, attempt),
            model=self._generator.model,
            revision=self._generator.revision,
            stage=STAGE,
            attempt=attempt,
            seed=request.sampling.seed,
        )
        self._store.put(answer)
        self._failures.see(response)
        return answer
