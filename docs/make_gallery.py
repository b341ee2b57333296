"""Draw the pictures of the gallery and the example reports, before Sphinx builds the pages.

python docs/make_gallery.py      as ``make docs`` does

The ``python`` blocks of ``gallery.md`` run from top to bottom, so that what a reader sees is what
draws: where a picture follows a block, it is what the block's last expression draws.
"""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustrank import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOCS = Path(__file__).parent
PICTURES = DOCS / "_gallery"
REPORTS = DOCS / "_reports"
_BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```$(?:\n\n!\[[^\]]*\]\(_gallery/(?P<picture>[\w-]+\.svg)\))?",
    re.DOTALL | re.MULTILINE,
)


def run(code: str, names: dict[str, Any]) -> Any:
    """Run a block and return the value of its last statement, None if that is no expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<gallery>", "exec"), names)  # noqa: S102
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "<gallery>", "eval"), names)  # noqa: S307


def draw_gallery(page: str) -> dict[str, Any]:
    """Draw the pictures of a page; return the names that its blocks defined."""
    names: dict[str, Any] = {}
    for match in _BLOCK.finditer(page):
        value: Axes | None = run(match["code"], names)
        if match["picture"]:
            figures.save(value, PICTURES / match["picture"])
    return names


def main() -> None:
    for folder in (PICTURES, REPORTS):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    with figures.detached():
        names = draw_gallery((DOCS / "gallery.md").read_text("utf-8"))
        names["analysis"].to_html(
            REPORTS / "example_report.html", title="Clustering on MTEB(Multilingual, v2)"
        )
        names["study"].to_html(
            REPORTS / "example_study.html", title="Ten languages of MTEB(Multilingual, v2)"
        )


if __name__ == "__main__":
    main()
