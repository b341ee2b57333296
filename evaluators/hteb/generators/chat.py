"""Requests and answers in the form of OpenAI's chat completions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from robustrank.evaluators.hteb.generators.base import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.evaluators.hteb.generators.base import Request, Sampling

#: What a structured answer looks like.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"transformed_text": {"type": "string"}},
    "required": ["transformed_text"],
    "additionalProperties": False,
}

#: Fields of the payload, and what they are made from.
FIELDS = {
    "model": "the generator's model",
    "messages": "the instruction and the text",
    "stream": "the generator, which reads whole answers",
    "n": "the generator, which reads one answer",
    **dict.fromkeys(
        ("temperature", "top_p", "top_k", "repetition_penalty", "max_tokens", "seed"),
        "the sampling settings",
    ),
    "response_format": "the sampling setting structured",
}


def well_formed(text: str) -> str:
    """Return a text that UTF-8 can express: lone surrogates become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def as_messages(request: Request) -> list[dict[str, str]]:
    """Return the instruction as the system message and the text as the user message."""
    return [
        {"role": "system", "content": well_formed(request.instruction)},
        {"role": "user", "content": well_formed(request.text)},
    ]


def encode_request(model: str, request: Request, extra_body: Mapping[str, Any]) -> bytes:
    """Return the body of a request; fields that leave the server's defaults alone are left out."""
    payload: dict[str, Any] = {"model": model, "messages": as_messages(request)}
    payload |= _sampling_fields(request.sampling)
    return json.dumps({**payload, **extra_body}).encode("ascii")


def _sampling_fields(sampling: Sampling) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
    }
    if sampling.top_k is not None and sampling.top_k > 0:
        fields["top_k"] = sampling.top_k
    if sampling.repetition_penalty != 1.0:
        fields["repetition_penalty"] = sampling.repetition_penalty
    if sampling.seed is not None:
        fields["seed"] = sampling.seed
    if sampling.structured:
        fields["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "transformation", "strict": True, "schema": SCHEMA},
        }
    return fields


def decode_answer(content_type: str, body: bytes) -> Response:
    """Read the body of a successful answer; one that is not a chat completion is a failure."""
    if content_type and "json" not in content_type.lower():
        return _invalid(f"the content type is {content_type}, not JSON", body)
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        return _invalid(f"the body is not JSON ({error})", body)
    match answer:
        case {"choices": [{"message": dict() as message, **choice}, *_]}:
            return _read_message(message, choice.get("finish_reason"), answer.get("usage"), body)
        case _:
            return _invalid("the body has no choices[0].message", body)


def _read_message(
    message: Mapping[str, Any], finish_reason: object, usage: object, body: bytes
) -> Response:
    detail = ""
    match message.get("content"):
        case str(text):
            pass
        case [*parts] if all(isinstance(_part_text(part), str) for part in parts):
            text = "".join(_part_text(part) for part in parts)
        case None if message.get("reasoning_content") or message.get("reasoning"):
            text, detail = "", "the answer holds reasoning only"
        case content:
            return _invalid(f"message.content is {type(content).__name__}, not a text", body)
    counts = usage if isinstance(usage, dict) else {}
    return Response(
        text=well_formed(text),
        finish_reason=finish_reason if isinstance(finish_reason, str) else None,
        detail=detail,
        prompt_tokens=_whole(counts.get("prompt_tokens")),
        completion_tokens=_whole(counts.get("completion_tokens")),
    )


def _part_text(part: object) -> Any:
    return part.get("text") if isinstance(part, dict) else None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _invalid(reason: str, body: bytes) -> Response:
    start = body[:500].decode("utf-8", "replace")
    return Response("", failure="invalid_response", detail=f"{reason}: {start}")
