from __future__ import annotations

import asyncio

import pytest

from robustrank.evaluators.hteb.generators.endpoints import Endpoint, EndpointPool

#: The rest after a first failure; tests wait a little longer.
REST = 0.1


def play(scene, *limits):
    """Run a scene with endpoints of these limits, named a, b, …"""

    async def run():
        endpoints = [Endpoint(name, [None] * limit) for name, limit in zip("abcdef", limits)]  # noqa: B905
        async with asyncio.timeout(5):
            await scene(EndpointPool(endpoints, REST), *endpoints)

    asyncio.run(run())


def now():
    return asyncio.get_running_loop().time()


class Holder:
    """Keeps endpoints until told to let go."""

    def __init__(self, pool):
        self.pool = pool
        self.lent = []
        self.end = asyncio.Event()
        self.tasks = []

    async def hold(self, n=1):
        self.tasks += [asyncio.create_task(self._hold_one()) for _ in range(n)]
        await asyncio.sleep(0.01)

    async def _hold_one(self):
        async with self.pool.lend() as (endpoint, _):
            self.lent.append(endpoint.url)
            await self.end.wait()

    async def release(self):
        self.end.set()
        await asyncio.gather(*self.tasks)


def test_the_one_with_the_fewest_in_flight_is_next_until_all_are_full():
    async def scene(pool, *_):
        holder = Holder(pool)
        await holder.hold(7)
        assert holder.lent == ["a", "b", "a", "b", "b"]
        await holder.release()
        assert len(holder.lent) == 7

    play(scene, 2, 3)


def test_one_that_failed_rests_and_is_then_tried_with_one_request():
    async def scene(pool, a, b):
        pool.failed(a, since=now())
        holder = Holder(pool)
        await holder.hold(3)
        assert holder.lent == ["b", "b", "b"]
        await asyncio.sleep(1.5 * REST)
        await holder.hold(3)
        assert sorted(holder.lent) == ["a", "b", "b", "b", "b", "b"]
        pool.answered(a)
        await holder.hold(3)
        assert holder.lent.count("a") == 4
        await holder.release()

    play(scene, 4, 6)


def test_rests_grow_with_each_failure_and_end_with_an_answer():
    async def scene(pool, a):
        rests = []
        for _ in range(4):
            pool.failed(a, since=now())
            rests.append(a.rests_until - now())
        assert all(later > 1.0 * earlier for earlier, later in zip(rests, rests[2:], strict=False))
        pool.answered(a)
        assert a.n_failures == 0
        assert a.rests_until < now()

    play(scene, 1)


def test_failures_that_began_before_the_last_news_count_for_nothing():
    async def scene(pool, a):
        began = now()
        await asyncio.sleep(0.01)
        pool.answered(a)
        pool.failed(a, began)
        assert a.n_failures == 0
        began = now()
        for _ in range(10):
            await asyncio.sleep(0)
            pool.failed(a, began)
        assert a.n_failures == 1

    play(scene, 1)


def test_where_all_have_failed_all_are_used():
    async def scene(pool, a, b):
        pool.failed(a, since=now())
        pool.failed(b, since=now())
        holder = Holder(pool)
        await holder.hold(4)
        assert sorted(holder.lent) == ["a", "a", "b", "b"]
        await holder.release()

    play(scene, 2, 2)


def test_those_who_wait_for_the_last_good_one_are_let_through_when_it_fails():
    async def scene(pool, a, b):
        pool.failed(a, since=now())
        holder = Holder(pool)
        await holder.hold(3)
        assert holder.lent == ["b"]
        pool.failed(b, since=now())
        await asyncio.sleep(0.01)
        assert sorted(holder.lent) == ["a", "a", "b"]
        await holder.release()

    play(scene, 2, 1)


def test_one_that_asked_to_be_left_alone_is_left_alone_even_if_nobody_else_is_there():
    async def scene(pool, a):
        pool.failed(a, since=now(), closed_for=0.2)
        started = now()
        async with pool.lend():
            assert 0.19 <= now() - started < 1.0

    play(scene, 1)


@pytest.mark.parametrize("n_cancelled", [1, 2, 3])
def test_who_leaves_the_queue_holds_up_nobody(n_cancelled):
    async def scene(pool, a):
        first, queue = Holder(pool), Holder(pool)
        await first.hold()
        await queue.hold(4)
        await first.release()  # wakes the first in the queue, which leaves before it runs
        for task in queue.tasks[:n_cancelled]:
            task.cancel()
        queue.end.set()
        await asyncio.gather(*queue.tasks, return_exceptions=True)
        assert len(queue.lent) >= 4 - n_cancelled
        assert a.in_flight == 0

    play(scene, 1)


def test_a_woken_waiter_that_is_cancelled_passes_its_turn_on():
    async def scene(pool, a):
        holder, queue = Holder(pool), Holder(pool)
        await holder.hold()
        await queue.hold(2)
        holder.end.set()
        await asyncio.sleep(0)  # the holder lets go: the first waiter is woken, but has not run yet
        queue.tasks[0].cancel()
        queue.end.set()
        await asyncio.gather(*holder.tasks, *queue.tasks, return_exceptions=True)
        assert len(queue.lent) >= 1

    play(scene, 1)
