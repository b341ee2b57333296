"""Generations for tests of the store."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

from robustrank.evaluators.hteb.store.rows import Generation

SAMPLING = {"temperature": 1.0, "top_p": 0.95, "top_k": 64, "seed": 1337, "structured": True}


def key(number: object) -> str:
    return sha256(str(number).encode()).hexdigest()


def make(number: object, **changes: object) -> Generation:
    values = {
        "key": key(number),
        "model": "owner/name",
        "revision": "a" * 40,
        "stage": "paraphrasing",
        "instruction": "Say it in other words.",
        "text": f"Text {number}.",
        "sampling": SAMPLING,
        "output": f"Other text {number}.",
        "seed": 1337,
        "finish_reason": "stop",
        "seconds": 0.25,
        "prompt_tokens": 30,
        "completion_tokens": 10,
        "created": datetime(2026, 9, 15, 11, 32, 54, 123456, tzinfo=UTC),
    }
    return Generation(**{**values, **changes})
