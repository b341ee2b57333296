"""The key under which a generated text is stored: a hash of all that it depends on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from robustrank.evaluators.hteb.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.evaluators.hteb.generators.base import Request

#: Part of every key; a change of what keys are made of takes a new number.
KEY_VERSION = 1


def generation_key(
    request: Request,
    *,
    model: str,
    revision: str | None,
    stage: str,
    attempt: int = 0,
    settings: Mapping[str, Any] | None = None,
) -> str:
    """Return the key of the answer to a request.

    Parameters
    ----------
    request : Request
        Its text, its instruction and every field of its sampling are part of the key.
    model : str
    revision : str or None
    stage : str
        The name of the stage, such as ``"backtranslate_forward"``.
    attempt : int
        0 for the first request, 1 for the one that follows a rejected answer.
    settings : mapping, optional
        What else the generator's texts depend on; JSON-safe.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    return digest(
        {
            "text": request.text,
            "instruction": request.instruction,
            "model": model,
            "revision": revision,
            "sampling": asdict(request.sampling),
            "stage": stage,
            "attempt": attempt,
            "settings": dict(settings or {}),
            "version": KEY_VERSION,
        }
    )
