"""The hash that keys, file names and language draws are made with."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Write a value as JSON with sorted keys, no spaces, characters as they are and no NaN.

    HTEB 1.1 hashes this text, so that two programs that hash the same value agree.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(value: Any) -> str:
    """Return the SHA-256 of a value's canonical JSON as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
