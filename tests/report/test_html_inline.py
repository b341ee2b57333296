from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from robustrank.figures import style
from robustrank.report.html.inline import inline_svg
from tests.report.pages import parse

NAME = 'id="x" #1b1f24 <script>&'


@pytest.fixture(scope="module")
def svg() -> bytes:
    axes = Figure(figsize=(4, 3)).add_subplot()
    axes.plot([1, 2, 3], [1, 3, 2], color=style.INK)
    axes.plot([1, 2, 3], [2, 2, 1], color=style.MUTED)
    axes.plot([1, 2, 3], [2, 1, 1], color=style.FAINT)
    axes.axhspan(1, 2, color=style.BAND)
    axes.scatter([1, 2], [1, 2], color=style.BLUE)
    axes.imshow([[1, 2], [3, 4]], extent=(0, 1, 0, 1))
    axes.set_title(NAME, family="DejaVu Sans")
    return style.render(axes, "svg")


@pytest.fixture(scope="module")
def tree(svg):
    return parse(inline_svg(svg, "figure-a", 'A "label"'))


def test_it_says_what_it_is_and_has_a_size_that_can_shrink(tree, svg):
    root = tree.one("svg")
    assert root.attributes["role"] == "img"
    assert root.attributes["aria-label"] == 'A "label"'
    assert "height" not in root.attributes
    points = float(svg.partition(b'width="')[2].partition(b"pt")[0])
    assert root.attributes["style"] == f"--width: {points * 4 / 3:.0f}px"
    assert float(root.attributes["viewbox"].split()[2]) == points


def test_ids_have_the_prefix_and_references_follow(tree):
    ids = [node.attributes["id"] for node in tree.all() if "id" in node.attributes]
    assert all(name.startswith("figure-a-") for name in ids)
    used = [node.attributes["href"] for node in tree.all("use")]
    used += [
        node.attributes["clip-path"].removeprefix("url(").removesuffix(")")
        for node in tree.all()
        if "clip-path" in node.attributes
    ]
    assert used
    assert {name.removeprefix("#") for name in used} <= {*ids}


def test_neutral_colours_are_the_pages_and_others_stay(tree):
    styles = " ".join(node.attributes.get("style", "") for node in tree.all())
    for variable in ("var(--ink)", "var(--muted)", "var(--faint)", "var(--band)"):
        assert variable in styles
    for colour in (style.INK, style.MUTED, style.FAINT, style.BAND):
        assert colour not in styles
    assert style.BLUE in styles
    assert "white" not in styles
    assert "#ffffff" not in styles


def test_text_stays_as_it_is_and_has_other_fonts_to_fall_back_on(tree):
    title = next(node for node in tree.all("text") if "script" in node.text)
    assert title.text == NAME
    assert "'DejaVu Sans', Verdana, sans-serif" in title.attributes["style"]


def test_nothing_reaches_beyond_the_figure(tree):
    assert tree.all("style") == tree.all("metadata") == tree.all("script") == []
    assert tree.one("image").attributes["href"].startswith("data:image/png;base64,")
