"""Which of several servers gets the next request."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustrank.evaluators.hteb.generators.waits import backoff

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    import httpx


@dataclass(eq=False)
class Endpoint:
    """A server and how it has been doing, in the seconds of the event loop's clock.

    Attributes
    ----------
    url : str
    clients : list of httpx.AsyncClient
        One per request that it gets at once, less those in use. Each keeps a single connection:
        httpx looks at all connections of a client for every request, which costs more than the
        rest of a request when there are many.
    in_flight : int
    n_failures : int
        Since its last good answer.
    judged_at : float
        When it last answered or failed.
    rests_until : float
        Until then it gets no requests if another server can take them.
    closed_until : float
        Until then it gets no requests: it asked for that.
    """

    url: str
    clients: list[httpx.AsyncClient]
    in_flight: int = 0
    n_failures: int = 0
    judged_at: float = -math.inf
    rests_until: float = -math.inf
    closed_until: float = -math.inf


class EndpointPool:
    """Lends the healthy endpoint with the fewest requests in flight.

    An endpoint that fails rests, longer each time, and is then tried with a single request. Where
    all have failed, all are used: each request waits between its own tries.

    Parameters
    ----------
    endpoints : sequence of Endpoint
    first_rest : float
        Seconds of the first rest.
    """

    def __init__(self, endpoints: Sequence[Endpoint], first_rest: float) -> None:
        self._endpoints = endpoints
        self._first_rest = first_rest
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[tuple[Endpoint, httpx.AsyncClient]]:
        """Wait for an endpoint that can take a request, and lend a client of it meanwhile."""
        loop = asyncio.get_running_loop()
        while (endpoint := self._pick(loop.time())) is None:
            await self._wait()
        endpoint.in_flight += 1
        client = endpoint.clients.pop()
        try:
            yield endpoint, client
        finally:
            endpoint.in_flight -= 1
            endpoint.clients.append(client)
            self._wake_one()

    def answered(self, endpoint: Endpoint) -> None:
        """Take note of a good answer."""
        endpoint.judged_at = asyncio.get_running_loop().time()
        if endpoint.n_failures:
            endpoint.n_failures = 0
            endpoint.rests_until = -math.inf
            self._wake_all()

    def failed(self, endpoint: Endpoint, since: float, closed_for: float | None = None) -> None:
        """Take note of the failure of a request sent at `since`.

        It counts if nothing else is known from after that time: many requests that fail together
        are one failure, and one that fails while others are answered says little of the server.
        """
        now = asyncio.get_running_loop().time()
        if closed_for is not None:
            endpoint.closed_until = max(endpoint.closed_until, now + closed_for)
        if since >= endpoint.judged_at:
            endpoint.judged_at = now
            endpoint.n_failures += 1
            endpoint.rests_until = now + backoff(
                self._first_rest, endpoint.n_failures, endpoint.url
            )
            self._wake_all()

    def _pick(self, now: float) -> Endpoint | None:
        usable = [endpoint for endpoint in self._endpoints if endpoint.closed_until <= now]
        if any(endpoint.n_failures == 0 for endpoint in self._endpoints):
            usable = [
                endpoint
                for endpoint in usable
                if endpoint.n_failures == 0
                or (endpoint.rests_until <= now and endpoint.in_flight == 0)
            ]
        free = [endpoint for endpoint in usable if endpoint.clients]
        return min(free, key=lambda endpoint: endpoint.in_flight, default=None)

    async def _wait(self) -> None:
        """Wait until a request has ended, an endpoint has recovered or one's rest is over."""
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        self._waiting.append(waiter)
        now = loop.time()
        ends = [
            end
            for endpoint in self._endpoints
            for end in (endpoint.rests_until, endpoint.closed_until)
            if end > now
        ]
        timer = loop.call_at(min(ends), _wake, waiter) if ends else None
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                self._wake_one()  # this wake-up was meant for someone who still waits
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def _wake_one(self) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                _wake(waiter)
                return

    def _wake_all(self) -> None:
        while self._waiting:
            _wake(self._waiting.popleft())


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
