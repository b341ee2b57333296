"""Language models behind OpenAI-compatible servers, several servers side by side."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from robustrank.errors import InputError, check_count
from robustrank.evaluators.hteb.generators.access import check_headers, check_urls, read_key
from robustrank.evaluators.hteb.generators.chat import FIELDS, encode_request
from robustrank.evaluators.hteb.generators.endpoints import Endpoint, EndpointPool
from robustrank.evaluators.hteb.generators.exchanges import exchange
from robustrank.evaluators.hteb.generators.handshake import shake_hands
from robustrank.evaluators.hteb.generators.options import (
    check_mapping,
    check_optional_text,
    check_seconds,
    check_text,
    refuse_keys,
)
from robustrank.evaluators.hteb.generators.replies import Verdict, judge
from robustrank.evaluators.hteb.generators.waits import backoff
from robustrank.notes import Note

if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping, Sequence

    from robustrank.evaluators.hteb.generators.base import Request, Response

#: Switches the reasoning of models off whose chat template knows the switch, as HTEB does.
NO_THINKING = {"chat_template_kwargs": {"enable_thinking": False}}

#: Fields that not every server knows.
_OPTIONAL = ("top_k", "repetition_penalty", "seed", "response_format")


class OpenAIGenerator:
    """Asks servers with OpenAI's chat completions: vLLM, llama.cpp, Ollama, hosted models.

    Parameters
    ----------
    endpoints : str or sequence of str
        Base addresses, such as ``"http://127.0.0.1:8000/v1"``. Each request goes to the healthy
        endpoint with the fewest requests in flight.
    model : str
        As the servers call it.
    revision : str, optional
        Of the model; recorded, since servers cannot be asked for it.
    concurrency : int
        Requests in flight at each endpoint.
    timeout : float
        Seconds for a try, from sending the request to the last byte of the answer.
    max_tries : int
        Tries per request, the first included.
    first_wait : float
        Seconds before the second try; doubled before each further one.
    api_key_env : str, optional
        The environment variable that holds the key.
    extra_body : mapping, optional
        Further fields of each request; by default `NO_THINKING`. Servers that do not know these
        fields mostly ignore them; one that refuses them needs ``{}``.
    headers : mapping, optional
        Further headers of each request.

    Attributes
    ----------
    model : str
    revision : str or None
    concurrency : int
        Requests in flight at all endpoints together.
    extra_body : dict
    settings : dict
        What texts depend on besides model and sampling: `extra_body`.
    notes : tuple of Note
        What `start` found amiss without having to give up.
    """

    def __init__(
        self,
        *,
        endpoints: str | Sequence[str],
        model: str,
        revision: str | None = None,
        concurrency: int = 64,
        timeout: float = 300.0,
        max_tries: int = 5,
        first_wait: float = 0.5,
        api_key_env: str | None = None,
        extra_body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.model = check_text("model", model)
        self.revision = check_optional_text("revision", revision)
        self._urls = check_urls(endpoints)
        self._limit = check_count("concurrency", concurrency, 1)
        self.concurrency = self._limit * len(self._urls)
        self._timeout = check_seconds("timeout", timeout)
        self._max_tries = check_count("max_tries", max_tries, 1)
        self._first_wait = check_seconds("first_wait", first_wait)
        self._api_key_env = check_optional_text("api_key_env", api_key_env)
        self.extra_body = (
            dict(NO_THINKING) if extra_body is None else check_mapping("extra_body", extra_body)
        )
        refuse_keys("extra_body", self.extra_body, FIELDS)
        self.settings: Mapping[str, Any] = {"extra_body": self.extra_body}
        self._headers = check_headers(headers)
        self.notes: tuple[Note, ...] = ()
        self._secrets: tuple[str, ...] = ()
        self._stack = AsyncExitStack()
        self._pool: EndpointPool | None = None

    async def start(self) -> None:
        """Open connections and check each endpoint.

        Raises
        ------
        InputError
            If httpx is not installed, the key is missing, an endpoint refuses our requests or does
            not serve the model, or none can be reached. If only some cannot, `notes` says so.
        """
        key = read_key(self._api_key_env)
        self._secrets = tuple(
            secret for secret in (key, *self._headers.values()) if secret and len(secret) >= 6
        )
        headers = {**self._headers, **({"Authorization": f"Bearer {key}"} if key else {})}
        try:
            endpoints = [self._open(url, headers) for url in self._urls]
            checks = map(self._check, endpoints)
            # All are heard before one ends it: the connections of the others are about to close.
            found = await asyncio.gather(*checks, return_exceptions=True)
            self.notes = _summarise(dict(zip(self._urls, found, strict=True)))
        except BaseException:
            await self.close()
            raise
        self._pool = EndpointPool(endpoints, self._first_wait)
        for endpoint, verdict in zip(endpoints, found, strict=True):
            if isinstance(verdict, Verdict):
                self._pool.failed(endpoint, since=asyncio.get_running_loop().time())

    async def complete(self, request: Request) -> Response:
        """Answer one request, in several tries if need be."""
        if self._pool is None:
            raise InputError("The generator 'openai' has not been started: await start() first.")
        body = encode_request(self.model, request, self.extra_body)
        verdict, started = await self._send(self._pool, body)
        n_tries = 1
        while verdict.retry and n_tries < self._max_tries:
            await asyncio.sleep(backoff(self._first_wait, n_tries, request.text))
            verdict, _ = await self._send(self._pool, body)
            n_tries += 1
        return replace(verdict.response, n_tries=n_tries, seconds=time.monotonic() - started)

    async def close(self) -> None:
        """Close all connections."""
        self._pool = None
        await self._stack.aclose()

    async def _send(self, pool: EndpointPool, body: bytes) -> tuple[Verdict, float]:
        """Send a request once; return what came of it and when it was sent."""
        loop = asyncio.get_running_loop()
        async with pool.lend() as (endpoint, client):
            started, since = time.monotonic(), loop.time()
            reply = await exchange(
                client, "POST", "chat/completions", timeout=self._timeout, body=body
            )
        verdict = judge(
            reply, optional_fields=(*_OPTIONAL, *self.extra_body), secrets=self._secrets
        )
        if verdict.blames_server:
            pool.failed(endpoint, since, verdict.closed_for)
        else:
            pool.answered(endpoint)
        return verdict, started

    def _open(self, url: str, headers: Mapping[str, str]) -> Endpoint:
        try:
            import httpx  # noqa: PLC0415 - loaded only when needed
        except ImportError as error:
            raise InputError(
                "The generator 'openai' needs httpx: pip install 'robustrank[hteb]'."
            ) from error
        options: dict[str, Any] = {
            "base_url": url,
            "headers": {
                "Accept-Encoding": "identity",
                "Content-Type": "application/json",
                **headers,
            },
            "verify": _certificates(),
            # `exchange` limits the whole; a host that swallows connections shall not cost as much.
            "timeout": httpx.Timeout(None, connect=min(self._timeout, 10.0)),
            "limits": httpx.Limits(max_connections=1, max_keepalive_connections=1),
        }
        clients = [httpx.AsyncClient(**options) for _ in range(self._limit)]
        for client in clients:
            self._stack.push_async_callback(client.aclose)
        return Endpoint(url, clients)

    async def _check(self, endpoint: Endpoint) -> Verdict | Note | None:
        """Check an endpoint, as patiently as requests are sent."""
        for n_failures in range(1, self._max_tries + 1):
            found = await shake_hands(
                endpoint.clients[-1],
                endpoint.url,
                model=self.model,
                extra_body=self.extra_body,
                timeout=self._timeout,
                secrets=self._secrets,
            )
            if not isinstance(found, Verdict) or n_failures == self._max_tries:
                break
            await asyncio.sleep(backoff(self._first_wait, n_failures, endpoint.url))
        return found


@cache
def _certificates() -> ssl.SSLContext:
    """Read the trusted certificates once: for a client each would be most of its making."""
    import httpx  # noqa: PLC0415 - loaded only when needed

    return httpx.create_ssl_context()


def _summarise(found: Mapping[str, Verdict | Note | BaseException | None]) -> tuple[Note, ...]:
    """Make notes of what was found at each address; raise if it was an error, or nobody at all."""
    for error in found.values():
        if isinstance(error, BaseException):
            raise error
    unreachable = {
        url: verdict.response.detail
        for url, verdict in found.items()
        if isinstance(verdict, Verdict)
    }
    if len(unreachable) == len(found):
        reasons = "; ".join(f"{url}: {detail}" for url, detail in unreachable.items())
        raise InputError(
            f"No endpoint can be reached ({reasons}). Start the server, or correct the address.",
            unreachable,
        )
    absent = [
        Note("endpoint-unreachable", f"The endpoint {url} cannot be reached: {detail}.", (url,))
        for url, detail in unreachable.items()
    ]
    return (*absent, *(note for note in found.values() if isinstance(note, Note)))
