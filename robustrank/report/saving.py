"""Everything that an analysis has to say, as files in a folder."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from robustrank import figures
from robustrank._atomic import write_text
from robustrank.errors import InputError
from robustrank.report.files import file_tables

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes

    from robustrank.result import Analysis


def save_analysis(
    analysis: Analysis, folder: str | os.PathLike[str], title: str | None
) -> list[Path]:
    """Write an analysis into a folder; see `Analysis.save`."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise InputError(f"{target} is a file. Name a folder, which is made if needed.", [target])
    draw = {str(kind): partial(analysis.plot, kind) for kind in analysis.plot.kinds()}
    drawn, left_out = save_figures(draw, target / "figures")
    content = {**analysis.to_dict(), "figures_left_out": left_out}
    texts = {
        "analysis.json": json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False),
        **{
            f"{name}.csv": table.to_csv(index=False, lineterminator="\n")
            for name, table in file_tables(analysis).items()
        },
        "ranking.md": analysis.to_markdown("paper"),
        "ranking.tex": analysis.to_latex("paper"),
    }
    return [
        analysis.to_html(target / "report.html", title=title),
        *(write_text(target / name, text) for name, text in texts.items()),
        *drawn,
    ]


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
