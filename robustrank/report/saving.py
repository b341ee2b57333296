"""Everything that an analysis has to say, as files in a folder."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from robustrank._atomic import write_text
from robustrank._saving import save_figures
from robustrank.errors import InputError
from robustrank.report.files import file_tables

if TYPE_CHECKING:
    import os

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
