"""The versions that a result depends on."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

_PACKAGES = ("robustrank", "numpy", "scipy", "pandas", "pymcdm")


def library_versions() -> dict[str, str]:
    """Return the versions of Python and of what computes."""
    return dict(_found())


@cache
def _found() -> dict[str, str]:
    return {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}
