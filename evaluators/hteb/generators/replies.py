"""What to make of a server's reply: a response, and whether to try again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from robustrank.evaluators.hteb.generators.base import Response
from robustrank.evaluators.hteb.generators.chat import decode_answer, well_formed
from robustrank.evaluators.hteb.generators.waits import retry_after

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robustrank.evaluators.hteb.generators.exchanges import Reply

#: Statuses below 500 that may be gone at the next try.
TRANSIENT = (408, 409, 425, 429)
#: Statuses that are about the server or its address, so that other requests will meet them too.
MISPLACED = (401, 403, 404, 405)

_LONGEST_DETAIL = 300

#: How vLLM, SGLang, llama.cpp, OpenAI, Text Generation Inference, Mistral and LiteLLM say it.
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|ContextWindowExceeded"
    r"|maximum context length|maximum model length|max_model_len"
    r"|exceeds? the (?:available |model's |maximum )*context|context size has been exceeded"
    r"|longer than the (?:model|maximum|context)|prompt is too long"
    r"|inputs` tokens \+ `max_new_tokens|inputs` must have less than",
    re.IGNORECASE,
)
_UNKNOWN_FIELD = re.compile(
    r"(?:unrecognized|unknown|unexpected|unsupported|extra|not permitted|forbidden)", re.IGNORECASE
)


@dataclass(frozen=True)
class Verdict:
    """A response and what follows from it.

    Attributes
    ----------
    response : Response
    status : int or None
        None where there was no complete reply.
    retry : bool
        Whether another try could end better.
    blames_server : bool
        Whether the server, rather than this request, is likely to be at fault.
    closed_for : float or None
        Seconds for which the server asked to be left alone.
    """

    response: Response
    status: int | None
    retry: bool
    blames_server: bool
    closed_for: float | None = None


def judge(
    reply: Reply | Response, *, optional_fields: Iterable[str] = (), secrets: Iterable[str] = ()
) -> Verdict:
    """Judge a reply, or the failure that came in its place.

    Parameters
    ----------
    reply : Reply or Response
    optional_fields : iterable of str
        Fields of the request that could be left out if the server does not know them.
    secrets : iterable of str
        Texts that must not appear in the detail.
    """
    if isinstance(reply, Response):
        return Verdict(_presentable(reply, secrets), None, retry=True, blames_server=True)
    if 200 <= reply.status < 300:
        response = _presentable(
            decode_answer(reply.headers.get("content-type", ""), reply.body), secrets
        )
        failed = response.failure is not None
        return Verdict(response, reply.status, retry=failed, blames_server=failed)
    return _judge_error(reply, optional_fields, secrets)


def _judge_error(reply: Reply, optional_fields: Iterable[str], secrets: Iterable[str]) -> Verdict:
    status, words = reply.status, reply.body.decode("utf-8", "replace")
    detail = f"HTTP {status}: {words}"
    if status in (400, 413, 422, 500) and says_too_long(words):
        response = Response("", failure="prompt_too_long", detail=detail)
        return Verdict(_presentable(response, secrets), status, retry=False, blames_server=False)
    if 300 <= status < 400:
        detail = f"HTTP {status}, a redirect to {reply.headers.get('location', 'nowhere')}"
    elif status in (400, 422) and _UNKNOWN_FIELD.search(words):
        named = [field for field in optional_fields if field in words]
        if named:
            detail = f"The server does not know the field {named[0]!r}: leave it out. {detail}"
    retry = status in TRANSIENT or status >= 500
    response = Response("", failure="http_error", detail=detail)
    return Verdict(
        _presentable(response, secrets),
        status,
        retry=retry,
        blames_server=retry or status in MISPLACED or status < 400,
        closed_for=retry_after(reply.headers.get("retry-after"), datetime.now(UTC))
        if status in (429, 503)
        else None,
    )


def says_too_long(words: str) -> bool:
    """Tell whether an error message says that the prompt does not fit into the model's context."""
    return _TOO_LONG.search(words) is not None


def one_line(text: str) -> str:
    """Return a text as one line of at most 300 characters."""
    line = " ".join(well_formed(text).split())
    return line if len(line) <= _LONGEST_DETAIL else line[: _LONGEST_DETAIL - 1] + "…"


def _presentable(response: Response, secrets: Iterable[str]) -> Response:
    """Return the response with a detail of one short line without secrets."""
    if not response.detail:
        return response
    detail = response.detail
    for secret in secrets:
        detail = detail.replace(secret, "***")
    return replace(response, detail=one_line(detail))
