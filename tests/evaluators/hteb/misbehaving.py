"""An OpenAI-compatible server on a loopback port that does what a script says, however bad.

A script is a function from a `Call` to a behaviour, such as `answer("…")` or `hang()`, or to None
for good behaviour: the text rewritten by rules. What a generator asks for on starting, the list of
models and one token, is up to a script of its own. The server runs in a thread, so that it can be
used from synchronous and asynchronous tests alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from robustrank.evaluators.hteb.generators.rules import rewrite

#: Long enough that no test waits for it.
FOREVER = 3600.0

Behaviour = Callable[["Call", asyncio.StreamWriter], Awaitable[None]]
Script = Callable[["Call"], "Behaviour | None"]


@dataclass(frozen=True)
class Call:
    """One request: its number, what was asked, and how often the same text came before."""

    index: int
    method: str
    path: str
    headers: dict[str, str]
    payload: dict[str, Any]
    repeat: int = 0

    @property
    def text(self) -> str:
        return self.payload["messages"][-1]["content"] if "messages" in self.payload else ""

    @property
    def instruction(self) -> str:
        return self.payload["messages"][0]["content"]


def completion(content: object, finish: object = "stop", **message: object) -> bytes:
    """The body of an answer."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content, **message},
        "finish_reason": finish,
    }
    usage = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


def head(status: int, length: int | None, *, content_type="application/json", **more: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {content_type}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
    lines += ["Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def reply(
    body: bytes,
    status: int = 200,
    *,
    delay: float = 0.0,
    content_type="application/json",
    **headers,
) -> Behaviour:
    """Any complete reply."""

    async def behave(call: Call, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(delay)
        writer.write(head(status, len(body), content_type=content_type, **headers) + body)

    return behave


def answer(content: object, finish: object = "stop", *, delay: float = 0.0, **message) -> Behaviour:
    """A proper answer, after a delay."""
    return reply(completion(content, finish, **message), delay=delay)


def error(status: int, message: str = "no", *, delay: float = 0.0, **headers) -> Behaviour:
    """An error in OpenAI's form; headers as keywords, such as ``Retry_After="1"``."""
    body = json.dumps({"error": {"message": message, "type": "test", "code": status}}).encode()
    return reply(body, status, delay=delay, **headers)


def cut(body: bytes = b"", promised: int = 0) -> Behaviour:
    """Close the connection: at once, or after part of a body."""

    async def behave(call: Call, writer: asyncio.StreamWriter) -> None:
        if promised:
            writer.write(head(200, promised) + body)
            await writer.drain()
        writer.close()

    return behave


def hang(body: bytes = b"", promised: int = 0) -> Behaviour:
    """Stop for ever: before the headers, or after part of a body."""

    async def behave(call: Call, writer: asyncio.StreamWriter) -> None:
        if promised:
            writer.write(head(200, promised) + body)
            await writer.drain()
        await asyncio.sleep(FOREVER)

    return behave


def endless(part: bytes = b" \n", pause: float = 0.01) -> Behaviour:
    """Never end the body; with no pause, as fast as the client reads."""

    async def behave(call: Call, writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, None))
        while True:
            writer.write(b"%x\r\n%s\r\n" % (len(part), part))
            await writer.drain()
            await asyncio.sleep(pause)

    return behave


class MisbehavingServer:
    """A server that runs from `with` to its end.

    Attributes
    ----------
    url : str
        The base address, ending in ``/v1``.
    calls : list of Call
        The completions that were asked for, in order of arrival.
    in_flight, most_in_flight : int
        Completions being answered, now and at most.
    """

    def __init__(
        self,
        script: Script = lambda call: None,
        *,
        opening: Script = lambda call: None,
        models: tuple[str, ...] = ("m",),
    ) -> None:
        self.script = script
        self.opening = opening
        self.models = models
        self.calls: list[Call] = []
        self.in_flight = self.most_in_flight = 0
        self._seen: dict[str, int] = {}
        self._connections: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._run(self._listen())
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def kill(self) -> None:
        """Stop listening and cut every connection; may be called before the end."""
        self._run(self._shut())

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024)

    async def _shut(self) -> None:
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            # The client may leave at any time, also while we write.
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while not writer.is_closing():
                    await self._answer_one(reader, writer)
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = lines[0].split(" ", 2)
        headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        payload = json.loads(body) if body else {}
        call = Call(len(self.calls), method, path, headers, payload)
        if path == "/v1/models":
            listing = {"object": "list", "data": [{"id": model} for model in self.models]}
            behaviour = self.opening(call) or reply(json.dumps(listing).encode())
            await behaviour(call, writer)
        elif payload.get("max_tokens") == 1:
            behaviour = self.opening(call) or answer("Hello")
            await behaviour(call, writer)
        else:
            await self._complete(call, reader, writer)
        await writer.drain()

    async def _complete(
        self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        call = replace(call, repeat=self._seen.get(call.text, 0))
        self._seen[call.text] = call.repeat + 1
        self.calls.append(call)
        behaviour = self.script(call) or answer(rewrite(call.instruction, call.text))
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await _while_connected(behaviour(call, writer), reader)
        finally:
            self.in_flight -= 1


async def _while_connected(work: Any, reader: asyncio.StreamReader) -> None:
    """Do the work, but no longer than the client stays: a client that has left is not in flight."""
    behaving = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_until_eof(reader))
    try:
        await asyncio.wait({behaving, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if behaving.done():
            behaving.result()
        else:
            raise ConnectionError
    finally:
        behaving.cancel()
        leaving.cancel()


async def _until_eof(reader: asyncio.StreamReader) -> None:
    while not reader.at_eof():
        await asyncio.sleep(0.01)
