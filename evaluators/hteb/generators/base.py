"""What a generator is: something that answers a request with a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robustrank.notes import Note

#: Why a request brought no text.
Failure = Literal[
    "timeout",  # no complete answer within the time limit
    "connection",  # refused, or cut before the answer was complete
    "http_error",  # an error status that retries did not overcome
    "invalid_response",  # an answer that is not what the protocol says
    "prompt_too_long",  # the model's context is too short for the text
]


@dataclass(frozen=True)
class Sampling:
    """How a text is drawn from the model.

    Attributes
    ----------
    temperature, top_p, repetition_penalty : float
    top_k : int or None
        None leaves it to the server, as does 0 or -1 elsewhere.
    max_tokens : int
    seed : int or None
        None for greedy decoding, where it has no effect.
    structured : bool
        Whether the answer is constrained to a JSON object with the one key ``transformed_text``.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int | None = None
    repetition_penalty: float = 1.0
    max_tokens: int = 512
    seed: int | None = None
    structured: bool = False


@dataclass(frozen=True)
class Request:
    """One instruction and one text: the system message and the user message."""

    instruction: str
    text: str
    sampling: Sampling


@dataclass(frozen=True)
class Response:
    """What came back.

    Attributes
    ----------
    text : str
        The content as the model wrote it; empty after a failure.
    finish_reason : str or None
        ``"stop"``, ``"length"`` or what else the server says.
    failure : str or None
        Why there is no text.
    detail : str
        The failure in the server's or the library's words, shortened.
    n_tries : int
        Requests sent for it, retries after errors of the transport included.
    seconds : float
        From the first try to the end of the last.
    prompt_tokens, completion_tokens : int or None
        As the server counted them.
    """

    text: str
    finish_reason: str | None = None
    failure: Failure | None = None
    detail: str = ""
    n_tries: int = 1
    seconds: float = 0.0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@runtime_checkable
class Generator(Protocol):
    """Answers requests, several at a time.

    Attributes
    ----------
    model : str
    revision : str or None
    concurrency : int
        How many requests are worth having under way at once.
    settings : mapping
        What its texts depend on besides the model and the sampling, JSON-safe: part of their keys.
    notes : sequence of Note
        What a reader of its texts must know.
    """

    model: str
    revision: str | None
    concurrency: int
    settings: Mapping[str, Any]
    notes: Sequence[Note]

    async def start(self) -> None:
        """Get ready; raise an error that names the remedy where that is impossible."""
        ...

    async def complete(self, request: Request) -> Response:
        """Answer one request; failures are responses, not exceptions."""
        ...

    async def close(self) -> None:
        """Release connections, threads and memory."""
        ...
