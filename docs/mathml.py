"""Formulas as MathML, which browsers draw themselves: no script, no network, no further package."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_log = logging.getLogger(__name__)


def _convert(node: nodes.Element, *, as_block: bool) -> str:
    try:
        return str(tex2mathml(node.astext(), as_block=as_block))
    except MathError as error:
        _log.warning("cannot convert a formula: %s", error, location=node)
        return f"<code>{html.escape(node.astext())}</code>"


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(_convert(node, as_block=False))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="formula">{_convert(node, as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    # The only renderer beside Sphinx's own, and so the one that is used.
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
