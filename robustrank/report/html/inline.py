"""Figures within a page: SVG that takes the page's colours and clashes with no other figure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from markupsafe import Markup

from robustrank.figures import style

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Neutral colours of figures, and the variables of the style sheet that take their place.
_VARIABLES: Final = {
    style.INK: "var(--ink)",
    style.MUTED: "var(--muted)",
    style.FAINT: "var(--faint)",
    style.BAND: "var(--band)",
}
_COLOUR: Final = re.compile("|".join(_VARIABLES))
_FONT: Final = "'DejaVu Sans'"
#: A tenth of a point, which nobody sees, at a third of the bytes.
_DECIMALS: Final = re.compile(r"-?\d+\.\d{3,}")
_REFERENCE: Final = re.compile(r"url\(#(.+?)\)")
_PIXELS_PER_POINT: Final = 4 / 3


def inline_svg(svg: bytes, prefix: str, label: str) -> Markup:
    """Return a figure as part of a page.

    Parameters
    ----------
    svg : bytes
        As `robustrank.figures.style.render` makes it.
    prefix : str
        Put before every id, so that the ids of two figures differ.
    label : str
        What the figure is, for those who cannot see it.

    Returns
    -------
    Markup
        As wide as it was, or as the page where that is narrower.
    """
    root = ET.fromstring(svg)  # noqa: S314 - our own figure
    for parent in [*root.iter()]:
        for child in [*parent]:
            if _local(child.tag) in ("metadata", "style"):  # a style would be the whole page's
                parent.remove(child)
    for element in root.iter():
        element.tag = _local(element.tag)
        element.attrib = dict(_attributes(element, prefix))
        if element.tag not in ("text", "tspan"):
            element.text = None
        element.tail = None
    width = float(root.attrib.pop("width").removesuffix("pt")) * _PIXELS_PER_POINT
    del root.attrib["height"]
    root.attrib |= {
        "class": "figure",
        "style": f"--width: {width:.0f}px",
        "role": "img",
        "aria-label": label,
    }
    text = ET.tostring(root, encoding="unicode")
    return Markup(text)  # noqa: S704 - names in it are escaped by the serializer


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _attributes(element: ET.Element, prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in element.attrib.items():
        name = _local(key)
        if name == "id":
            yield name, f"{prefix}-{value}"
        elif name == "href":
            yield name, f"#{prefix}-{value[1:]}" if value.startswith("#") else value
        elif name == "style":
            own = _COLOUR.sub(lambda found: _VARIABLES[found[0]], value)
            yield name, own.replace(_FONT, f"{_FONT}, Verdana, sans-serif")
        elif name in ("d", "x", "y", "points"):
            yield name, _DECIMALS.sub(lambda found: f"{float(found[0]):.2f}", value)
        else:
            yield name, _REFERENCE.sub(rf"url(#{prefix}-\1)", value)
