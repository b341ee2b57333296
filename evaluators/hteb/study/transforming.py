"""Generating the texts of a study: many chains at once, every answer kept as it comes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from robustrank.evaluators.hteb.generators.failing import FailuresInARow
from robustrank.evaluators.hteb.store.claims import Owner
from robustrank.evaluators.hteb.store.rows import Generation

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from robustrank.evaluators.hteb.generators.base import Generator
    from robustrank.evaluators.hteb.store.store import Store
    from robustrank.evaluators.hteb.study.chains import Chain, Step
    from robustrank.evaluators.hteb.study.jobs import Job

#: For how long a request is left to the process that said it would send it.
LEASE_SECONDS = 3600.0
#: Between two looks at what another process is generating.
POLL_SECONDS = 0.5
#: Answers that may not be written yet: far more than come before they are.
_RECENT = 5_000


async def transform(
    jobs: Iterable[Job],
    generator: Generator,
    store: Store,
    *,
    on_text: Callable[[Job], None] = lambda _: None,
    on_job: Callable[[Job], None] = lambda _: None,
) -> None:
    """Generate every text of every job that the store does not have.

    Parameters
    ----------
    jobs : iterable of Job
        Their texts are sent in this order, without a pause between two jobs.
    generator : Generator
        Started.
    store : Store
    on_text, on_job : callable, optional
        Called with the job when one of its texts, and the last, has its outcome.

    Raises
    ------
    GeneratorDownError
        If the generator leaves many requests in a row unanswered; see `FailuresInARow`.
    """
    run = _Run(generator, store, on_text, on_job)
    tasks = [asyncio.ensure_future(part) for part in run.parts(jobs)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await run.release()


class _Run:
    """One process's share of the work."""

    def __init__(
        self,
        generator: Generator,
        store: Store,
        on_text: Callable[[Job], None],
        on_job: Callable[[Job], None],
    ) -> None:
        self._generator, self._store = generator, store
        self._on_text, self._on_job = on_text, on_job
        self._queue: asyncio.Queue[tuple[Job, Chain] | None] = asyncio.Queue(
            2 * generator.concurrency
        )
        self._owner = Owner.here()
        self._lookup = _Lookup(store, self._owner)
        self._underway: dict[str, asyncio.Future[Generation | None]] = {}
        self._recent: dict[str, Generation] = {}
        self._deferred: list[tuple[Job, Chain]] = []
        self._failures = FailuresInARow(generator)

    def parts(self, jobs: Iterable[Job]) -> list[Coroutine[Any, Any, None]]:
        """Return what runs side by side: one that reads, several that ask."""
        workers = [self._work() for _ in range(self._generator.concurrency)]
        return [self._feed(jobs), *workers]

    async def release(self) -> None:
        """Leave to others what was claimed and not generated."""
        await self._lookup.finish()
        await asyncio.to_thread(self._store.release, self._lookup.held, self._owner)
        await asyncio.to_thread(self._store.flush)

    async def _feed(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            if not job.source.slots:
                await asyncio.to_thread(self._on_job, job)
            chunks = job.replay(self._store, failures=False)
            while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
                done, waiting = chunk
                for chain in done:
                    await self._settle(job, chain)
                for chain in waiting:
                    await self._queue.put((job, chain))
        await self._queue.join()
        while self._deferred:  # another process generates what these wait for
            waiting_here, self._deferred = self._deferred, []
            await asyncio.sleep(POLL_SECONDS)
            for item in waiting_here:
                await self._queue.put(item)
            await self._queue.join()
        for _ in range(self._generator.concurrency):
            await self._queue.put(None)

    async def _work(self) -> None:
        while (item := await self._queue.get()) is not None:
            job, chain = item
            while chain.step is not None:
                answer = await self._answer(chain.step, job)
                if answer is None:
                    self._deferred.append(item)
                    break
                chain.accept(answer)
            await self._settle(job, chain)
            self._queue.task_done()

    async def _settle(self, job: Job, chain: Chain) -> None:
        if chain.outcome is None:
            return
        job.settle(chain)
        self._on_text(job)
        if job.is_done:
            await asyncio.to_thread(self._on_job, job)

    async def _answer(self, step: Step, job: Job) -> Generation | None:
        """Return the answer to a step; None while another process is at it."""
        underway = self._underway.get(step.key)
        if underway is not None:
            return await underway
        future: asyncio.Future[Generation | None] = asyncio.get_running_loop().create_future()
        self._underway[step.key] = future
        try:
            answer = await self._fetch(step, job)
        except BaseException:
            future.cancel()
            raise
        finally:
            del self._underway[step.key]
        future.set_result(answer)
        return answer

    async def _fetch(self, step: Step, job: Job) -> Generation | None:
        if step.key in self._recent:
            return self._recent[step.key]
        ours, stored = await self._lookup.ask(step.key)
        if not ours:
            return stored
        response = await self._generator.complete(step.request)
        answer = Generation.of(
            step.request,
            response,
            key=step.key,
            model=job.task.model,
            revision=job.task.revision,
            stage=step.stage,
            attempt=step.attempt,
            seed=job.task.seed,
        )
        self._store.put(answer)
        self._recent[step.key] = answer
        if len(self._recent) > _RECENT:
            del self._recent[next(iter(self._recent))]
        if answer.failure is None:  # the claim ends with a text
            self._lookup.held.discard(step.key)
        self._failures.see(response)
        return answer


class _Lookup:
    """Claims keys and reads stored answers, for all workers that ask at the same time together."""

    def __init__(self, store: Store, owner: Owner) -> None:
        self._store, self._owner = store, owner
        self._asked: dict[str, asyncio.Future[tuple[bool, Generation | None]]] = {}
        self._serving: asyncio.Future[None] | None = None
        self.held: set[str] = set()

    async def ask(self, key: str) -> tuple[bool, Generation | None]:
        """Return whether the key is ours to generate, and the answer if it has one."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[tuple[bool, Generation | None]] = loop.create_future()
        self._asked[key] = future
        if self._serving is None or self._serving.done():
            self._serving = asyncio.ensure_future(self._serve())
        return await future

    async def finish(self) -> None:
        """Wait for the last claims: nobody would release those that come later."""
        self._asked.clear()
        if self._serving is not None:
            await self._serving

    async def _serve(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, {}
            try:
                ours, stored = await asyncio.to_thread(self._look_up, [*asked])
            except Exception as error:
                for future in asked.values():
                    if not future.done():
                        future.set_exception(error)
                continue
            for key, future in asked.items():
                if not future.done():
                    future.set_result((key in ours, stored.get(key)))

    def _look_up(self, keys: list[str]) -> tuple[set[str], dict[str, Generation]]:
        ours = self._store.claim(keys, self._owner, LEASE_SECONDS, flush=False)
        self.held |= ours
        stored = self._store.get(set(keys) - ours, flush=False)
        return ours, {key: row for key, row in stored.items() if row.failure is None}
