"""Whether a server can be reached, lets us in and serves the model, before the run begins."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from robustrank.errors import InputError
from robustrank.evaluators.hteb.generators.base import Request, Sampling
from robustrank.evaluators.hteb.generators.chat import encode_request
from robustrank.evaluators.hteb.generators.exchanges import Reply, exchange
from robustrank.evaluators.hteb.generators.replies import judge
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx

    from robustrank.evaluators.hteb.generators.base import Response
    from robustrank.evaluators.hteb.generators.replies import Verdict

#: Seconds for a list of models or for a single token.
_LONGEST = 60.0

_GREETING = Request("Answer with one word.", "Hello!", Sampling(max_tokens=1))

_REMEDIES = {
    401: "check the key in the environment variable that api_key_env names",
    403: "check that the key in the environment variable that api_key_env names may use this model",
    404: "check the address, which mostly ends in /v1, and the model",
    405: "check the address, which mostly ends in /v1",
}


async def shake_hands(
    client: httpx.AsyncClient,
    url: str,
    *,
    model: str,
    extra_body: Mapping[str, object],
    timeout: float,
    secrets: tuple[str, ...],
) -> Verdict | Note | None:
    """Ask a server for its models and for one token.

    Returns
    -------
    Verdict or Note or None
        A verdict where the server cannot be reached at the moment; a note where it can, but had no
        token for us; None where all is well.

    Raises
    ------
    InputError
        If the server does not let us in, does not serve the model or does not accept our requests.
    """
    limit = min(timeout, _LONGEST)
    listing = await exchange(client, "GET", "models", timeout=limit)
    verdict = judge(listing, secrets=secrets)
    if verdict.status in (401, 403):
        raise _refusal(url, verdict)
    # A server without a list of models answers 404 or 501, which says nothing against it.
    if verdict.status is None or (verdict.status >= 500 and verdict.status != 501):
        return verdict
    served = _served(listing)
    if served and model not in served:
        raise InputError(
            f"The endpoint {url} does not serve the model {model!r}; it serves "
            f"{name_some(served, 10)}. Name one of these as the model, or start the server with "
            "this one.",
            [model],
        )
    body = encode_request(model, _GREETING, extra_body)
    reply = await exchange(client, "POST", "chat/completions", timeout=limit, body=body)
    verdict = judge(reply, optional_fields=extra_body, secrets=secrets)
    if verdict.response.failure is None:
        return None
    if verdict.status is not None and 300 <= verdict.status < 500 and not verdict.retry:
        raise _refusal(url, verdict)
    return Note(
        "endpoint-unchecked",
        f"The endpoint {url} gave no answer to a first short request: {verdict.response.detail}.",
        (url,),
    )


def _refusal(url: str, verdict: Verdict) -> InputError:
    remedy = _REMEDIES.get(verdict.status or 0, "change the generator's options accordingly")
    return InputError(
        f"The endpoint {url} refuses requests: {verdict.response.detail}. Remedy: {remedy}.", [url]
    )


def _served(listing: Reply | Response) -> list[str]:
    """Name the models of a list in OpenAI's form; none if there is no such list."""
    if not isinstance(listing, Reply) or listing.status != 200:
        return []
    try:
        found = json.loads(listing.body)
    except (ValueError, RecursionError):
        return []
    match found:
        case {"data": [*models]}:
            return [model["id"] for model in models if isinstance(model, dict) and "id" in model]
        case _:
            return []
