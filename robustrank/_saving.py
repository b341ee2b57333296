"""Figures as files, beside what an earlier result left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank import figures
from robustrank.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from matplotlib.axes import Axes


def save_figures(
    draw: Mapping[str, Callable[[], Axes]], folder: Path
) -> tuple[list[Path], dict[str, str]]:
    """Write each figure that the data allow; return why others are left out, by name.

    What an earlier result left in place of those is removed: it would be taken for this one's.
    """
    drawn, left_out = [], {}
    with figures.detached():
        for name, make in draw.items():
            path = folder / f"{name}.svg"
            try:
                axes = make()
            except InputError as error:
                left_out[name] = str(error)
                remove(path)
            else:
                drawn.append(figures.save(axes, path))
    return drawn, left_out


def remove(path: Path) -> None:
    """Remove what an earlier result left, if it is there."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"{path} is not of this result and cannot be removed: {error.strerror or error}. "
            "Remove it, or name another folder.",
            [path],
        ) from error
