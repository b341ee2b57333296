"""How long to wait before the next try."""

from __future__ import annotations

import re
import zlib
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

#: Seconds; whatever a server asks for, nobody waits longer than this.
LONGEST_WAIT = 60.0


def backoff(first: float, n_failures: int, key: str = "") -> float:
    """Return the seconds to wait after so many failures in a row.

    `first` doubles with each further failure. Up to half of it is taken off, by a share that
    depends on `key`, so that requests that fail together do not come back together.
    """
    full = min(first * 2.0 ** min(n_failures - 1, 30), LONGEST_WAIT)
    share = zlib.crc32(f"{n_failures}:{key}".encode("utf-8", "surrogatepass")) / 2**32
    return full * (1.0 - share / 2.0)


def retry_after(header: str | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks for, at most `LONGEST_WAIT`.

    None where there is no header, or one that is neither a number of seconds nor a date.
    """
    if header is None:
        return None
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", header.strip()):
        return min(float(header), LONGEST_WAIT)
    try:
        when = parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return min(max((when - now).total_seconds(), 0.0), LONGEST_WAIT)
