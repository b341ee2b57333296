"""Where servers are and how they let us in: addresses, headers and the key."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from robustrank.errors import DuplicateError, ParameterError
from robustrank.evaluators.hteb.generators.options import check_mapping, check_text, refuse_keys

_OUR_HEADERS = {
    "accept-encoding": "the generator",
    "authorization": "api_key_env, which names an environment variable",
    "content-type": "the generator",
}


def check_urls(endpoints: object) -> list[str]:
    """Return the base addresses without a slash at the end; raise if one is none."""
    given = [endpoints] if isinstance(endpoints, str) else endpoints
    if not isinstance(given, (list, tuple)) or not given:
        raise ParameterError(
            "endpoints must be an address, such as 'http://127.0.0.1:8000/v1', or a list of "
            f"these; got {endpoints!r}."
        )
    urls = [_check_url(url) for url in given]
    if len(set(urls)) < len(urls):
        raise DuplicateError(
            "endpoints names an address twice: raise concurrency instead to send it more.", urls
        )
    return urls


def _check_url(url: object) -> str:
    text = check_text("An endpoint", url).strip()
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets or a port that no address has
        known = False
    if not known or parts.path.rstrip("/").endswith("/completions"):
        raise ParameterError(
            "An endpoint must be the base address of a server, such as "
            f"'http://127.0.0.1:8000/v1'; got {text.rpartition('@')[2]!r}."
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ParameterError(
            f"The endpoint at {parts.hostname} must be a plain address, without a user, a query or "
            "a fragment: a key belongs into the environment variable that api_key_env names."
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def check_headers(headers: object) -> dict[str, str]:
    """Return a copy of the headers; raise, showing no value, if they cannot be sent."""
    checked = check_mapping("headers", headers)
    refuse_keys("headers", {name.lower(): value for name, value in checked.items()}, _OUR_HEADERS)
    for name, value in checked.items():
        if not isinstance(value, str) or not (value.isascii() and value.isprintable()):
            raise ParameterError(f"The header {name!r} must be a text in ASCII.", [name])
    return checked


def read_key(variable: str | None) -> str | None:
    """Return the key in an environment variable, None if none is named; raise if it is unusable."""
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ParameterError(
            f"The environment variable {variable}, which api_key_env names, is not set: set it to "
            "the key, or leave api_key_env out.",
            [variable],
        )
    if not (key.isascii() and key.isprintable()):
        raise ParameterError(
            f"The environment variable {variable} holds characters that no key has: copy the key "
            "again.",
            [variable],
        )
    return key
