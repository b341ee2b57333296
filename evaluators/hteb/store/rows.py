"""A generated text, and the tables of a database that hold it."""

from __future__ import annotations

import json
import math
import operator
import re
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.hashing import canonical_json, digest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy import MetaData, Table

    from robustrank.evaluators.hteb.generators.base import Request, Response

#: Written into every store; a change of the tables takes a new number.
SCHEMA_VERSION = 1

# PostgreSQL holds no NUL and no database holds surrogates, so these are written as U+001A and four
# hexadecimal digits, and so is U+001A itself. All other text stays readable and searchable in SQL.
_REFUSED = re.compile("[\x00\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a([0-9a-f]{4})")


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Generation:
    """The answer to one request, with all that it came from.

    Attributes
    ----------
    key : str
        As `keys.generation_key` makes it.
    model : str
    revision : str or None
    stage : str
    instruction, text : str
        What was asked.
    sampling : mapping
        The fields of the request's sampling.
    output : str
        The answer as the model wrote it; empty after a failure.
    seed : int or None
        The seed of the transformation that asked first. Another one that asks the same is answered
        with the same row.
    attempt : int
    finish_reason : str or None
    failure : str or None
        Why the transport brought no text.
    detail : str
    n_tries : int
    seconds : float
    prompt_tokens, completion_tokens : int or None
    created : datetime
        In UTC.
    """

    key: str
    model: str
    revision: str | None
    stage: str
    instruction: str
    text: str
    sampling: Mapping[str, Any]
    output: str
    seed: int | None = None
    attempt: int = 0
    finish_reason: str | None = None
    failure: str | None = None
    detail: str = ""
    n_tries: int = 1
    seconds: float = 0.0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    created: datetime = field(default_factory=_now)

    @classmethod
    def of(
        cls,
        request: Request,
        response: Response,
        *,
        key: str,
        model: str,
        revision: str | None,
        stage: str,
        attempt: int,
        seed: int | None,
    ) -> Generation:
        """Return the generation that a request and what came back make."""
        return cls(
            key=key,
            model=model,
            revision=revision,
            stage=stage,
            instruction=request.instruction,
            text=request.text,
            sampling=asdict(request.sampling),
            output=response.text,
            seed=seed,
            attempt=attempt,
            finish_reason=response.finish_reason,
            failure=response.failure,
            detail=response.detail,
            n_tries=response.n_tries,
            seconds=response.seconds,
            prompt_tokens=response.prompt_tokens,
            completion_tokens=response.completion_tokens,
        )


#: The columns of a generation in the order of its fields.
COLUMNS = tuple(part.name for part in fields(Generation))
#: Those that may be None.
OPTIONAL = frozenset(
    ["revision", "seed", "finish_reason", "failure", "prompt_tokens", "completion_tokens"]
)


class Tables(NamedTuple):
    """The tables of a store."""

    metadata: MetaData
    version: Table
    wordings: Table
    generations: Table
    claims: Table


def escape(text: str) -> str:
    """Write a text so that every database and file format can hold it."""
    if _REFUSED.search(text) is None:
        return text
    return _REFUSED.sub(lambda match: f"\x1a{ord(match[0]):04x}", text)


def unescape(text: str) -> str:
    """Return the text that `escape` was given."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "\x1a" in text else text


def to_row(generation: Generation) -> dict[str, Any]:
    """Return a generation as a row; its instruction is replaced by a digest.

    It is made before the row is queued, so that what cannot be stored is refused where it comes
    from.
    """
    row: dict[str, Any] = {}
    try:
        for name in COLUMNS:
            value = getattr(generation, name)
            row[name] = value if value is None and name in OPTIONAL else _WRITE[name](value)
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ParameterError(
            f"The generation {generation.key!r} cannot be stored: its {name} is {value!r:.200} "
            f"({error}). Give a value of the type that Generation documents.",
            [generation.key, name],
        ) from error
    return row


def from_row(row: Any) -> Generation:
    """Return the generation in a row whose instruction is that of the table of wordings."""
    values = dict(zip(COLUMNS, row, strict=True))
    for name in _TEXTS:
        if values[name] is not None:
            values[name] = unescape(values[name])
    values["sampling"] = json.loads(unescape(values["sampling"]))
    values["created"] = datetime.fromisoformat(values["created"])
    return Generation(**values)


def _write_seconds(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("not a finite number")
    return float(value)


def _write_integer(value: int) -> int:
    if not -(2**63) <= operator.index(value) < 2**63:
        raise OverflowError("more than 64 bits")
    return operator.index(value)


_TEXTS = ("model", "revision", "stage", "instruction", "text", "output", "detail",
    "finish_reason", "failure")  # fmt: skip
_INTEGERS = ("seed", "attempt", "n_tries", "prompt_tokens", "completion_tokens")
_WRITE: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("key", *_TEXTS), escape),
    **dict.fromkeys(_INTEGERS, _write_integer),
    "instruction": digest,
    "sampling": lambda value: escape(canonical_json(dict(value))),
    "seconds": _write_seconds,
    "created": lambda value: value.astimezone(UTC).isoformat(),
}


@cache
def tables() -> Tables:
    """Describe the tables; their names start with ``hteb_``, as a database may hold others."""
    from sqlalchemy import (  # noqa: PLC0415 - loaded only when needed
        BigInteger,
        Column,
        Float,
        Integer,
        MetaData,
        String,
        Table,
        Text,
    )

    metadata = MetaData()
    kinds: dict[str, Any] = {
        **dict.fromkeys(("key", "instruction"), String(64)),
        **dict.fromkeys(_INTEGERS, BigInteger),
        "seconds": Float,
    }
    return Tables(
        metadata,
        Table("hteb_version", metadata, Column("version", Integer, primary_key=True)),
        Table(
            "hteb_wordings",
            metadata,
            Column("digest", String(64), primary_key=True),
            Column("wording", Text, nullable=False),
        ),
        Table(
            "hteb_generations",
            metadata,
            *(
                Column(
                    name,
                    kinds.get(name, Text),
                    primary_key=name == "key",
                    nullable=name in OPTIONAL,
                )
                for name in COLUMNS
            ),
        ),
        Table(
            "hteb_claims",
            metadata,
            Column("key", String(64), primary_key=True),
            Column("owner", Text, nullable=False),
            Column("until", Float, nullable=False),
        ),
    )
