"""The check of links finds what is broken, and only that."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "check_links.py"


@pytest.fixture
def links():
    spec = importlib.util.spec_from_file_location("check_links", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def site(tmp_path):
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "index.html").write_text('<h1 id="top">API</h1>', "utf-8")
    (tmp_path / "café 1.html").write_text('<a name="old">x</a>', "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "link",
    [
        "api/index.html",
        "api/index.html#top",
        "api/",
        "caf%C3%A9%201.html#old",
        "#here",
        "#",
        "https://example.org/nowhere",
        "//example.org/nowhere",
        "mailto:a@example.org",
        "data:image/png;base64,AAAA",
        "api/index.html?digest=1",
    ],
)
def test_good_links_pass(links, site, link):
    (site / "index.html").write_text(f'<p id="here"><a href="{link}">x</a></p>', "utf-8")
    assert [line for line in links.faults(site) if "index.html" in line] == []


@pytest.mark.parametrize(
    ("tag", "fault"),
    [
        ('<a href="gone.html">x</a>', "gone.html: there is no such file"),
        ('<img src="_images/gone.svg">', "_images/gone.svg: there is no such file"),
        ('<a href="#gone">x</a>', "#gone: the file has no such anchor"),
        ('<a href="api/index.html#gone">x</a>', "api/index.html#gone: the file has no such anchor"),
    ],
)
def test_broken_links_are_named_with_their_page(links, site, tag, fault):
    page = site / "index.html"
    page.write_text(tag, "utf-8")
    assert f"{page}: {fault}" in list(links.faults(site))


def test_links_of_markdown_files(links, tmp_path):
    page = tmp_path / "README.md"
    page.write_text("## What it `does`, and why\n```\n# no heading\n```\n", "utf-8")
    assert links.fault(page, "#what-it-does-and-why") is None
    assert links.fault(page, "#no-heading") == "the file has no such anchor"
    assert links.fault(page, "docs/gone.md") == "there is no such file"


def test_the_repository_s_markdown_files_have_no_broken_links(links, tmp_path):
    assert list(links.faults(tmp_path)) == []
