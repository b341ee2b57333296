"""One HTTP request and its reply, within a time and a size that no server can stretch."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustrank.evaluators.hteb.generators.base import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx

#: No rewritten text comes near it; a server that never stops sending soon does.
MOST_BYTES = 8 * 2**20


@dataclass(frozen=True)
class Reply:
    """A complete reply.

    Attributes
    ----------
    status : int
    headers : mapping
        Names in any case.
    body : bytes
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


async def exchange(
    client: httpx.AsyncClient, method: str, path: str, *, timeout: float, body: bytes | None = None
) -> Reply | Response:
    """Send a request and read the reply, or return the failure that came in its place.

    Parameters
    ----------
    client : httpx.AsyncClient
    method, path : str
    timeout : float
        Seconds from the first byte sent to the last byte read, however slowly the bytes come.
    body : bytes, optional
        JSON.
    """
    import httpx  # noqa: PLC0415 - loaded only when needed

    received = bytearray()
    try:
        async with (
            asyncio.timeout(timeout),
            client.stream(method, path, content=body) as reply,
        ):
            # Raw: the client asks for no compression, and what is not unpacked cannot swell.
            async for part in reply.aiter_raw():
                received += part
                if len(received) > MOST_BYTES:
                    detail = f"the body is longer than {MOST_BYTES} bytes"
                    return Response("", failure="invalid_response", detail=detail)
            return Reply(reply.status_code, reply.headers, bytes(received))
    except TimeoutError:
        return Response(
            "",
            failure="timeout",
            detail=f"no complete answer within {timeout:g} s ({len(received)} bytes of body)",
        )
    except httpx.HTTPError as error:
        return Response("", failure="connection", detail=f"{type(error).__name__}: {error}")
