"""The gallery shows every kind of figure, and every picture of a page is one that it draws."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from robustrank import figures
from robustrank.evaluators.hteb.statistics.plots import RobustnessPlots
from robustrank.grid.plots import StudyPlots
from robustrank.irt.plots import IRTPlots
from robustrank.report.plots import AnalysisPlots

DOCS = Path(__file__).resolve().parents[2] / "docs"
GALLERY = (DOCS / "gallery.md").read_text("utf-8")
KINDS = [
    *(f"analysis.plot.{kind}(" for kind in AnalysisPlots.kinds()),
    *(f"study.plot.{kind}(" for kind in StudyPlots.kinds()),
    *(f"irt.plot.{kind}(" for kind in IRTPlots.kinds()),
    # The small run has no family of models of several sizes.
    *(f"robustness.plot.{kind}(" for kind in RobustnessPlots.kinds() if kind != "scale"),
]


def pictures(page: str) -> list[str]:
    return re.findall(r"!\[[^\]]+\]\((?:\.\./)*_gallery/([\w-]+\.svg)\)", page)


def entries() -> dict[str, str]:
    """Return the text of each entry by its heading."""
    parts = re.split(r"^### (.+)$", GALLERY, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("call", KINDS)
def test_every_kind_of_figure_is_drawn(call):
    drawn = re.findall(r"```python\n(.*?)```\n\n!\[", GALLERY, re.DOTALL)
    assert any(call in code for code in drawn)


@pytest.mark.parametrize("name", sorted(set(figures.__all__) - {"detached", "save"}))
def test_every_function_is_named(name):
    assert f"`rr.figures.{name}`" in GALLERY


@pytest.mark.parametrize("heading", entries())
def test_an_entry_says_when_draws_and_shows(heading):
    prose, code, rest = entries()[heading].partition("```python\n")
    what, when, use = prose.partition("\n\n**When.** ")
    assert len(what.split()) >= 5, "says what it shows"
    assert when, "says when to use it"
    assert len(use.split()) >= 8
    assert use.rstrip().endswith(".")
    assert code
    assert pictures(rest)


def test_no_two_entries_are_for_the_same_use():
    uses = [text.partition("**When.** ")[2].partition("\n\n")[0] for text in entries().values()]
    assert len(uses) == len({*uses})


def test_every_picture_is_drawn_once_and_shown_where_it_exists():
    drawn = pictures(GALLERY)
    assert sorted(drawn) == sorted(set(drawn))
    for page in DOCS.rglob("*.md"):
        assert set(pictures(page.read_text("utf-8"))) <= set(drawn), page.name
