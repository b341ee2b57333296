"""A real browser: Chromium as the system has it, and pages that it opens from disk."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from tests.report.boards import hostile_analysis, hostile_study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.fail(
            f"None of {', '.join(NAMES)} is on the PATH: install Chromium, on Debian with "
            "`apt-get install chromium`.",
            pytrace=False,
        )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def files(tmp_path_factory) -> dict[str, Path]:
    """The pages, each by the name of its kind."""
    folder = tmp_path_factory.mktemp("pages")
    return {
        "analysis": hostile_analysis().to_html(folder / "analysis.html"),
        "study": hostile_study().to_html(folder / "study.html"),
    }


@dataclass
class Watch:
    """What a page must not do: say something to the console, or ask for something."""

    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def opened(browser, files):
    """Open a page: ``opened("study", color_scheme="dark")``. It must be silent and ask nothing."""

    @contextmanager
    def opening(kind: str, *, width: int = 1280, **options: object) -> Iterator[Page]:
        watch = Watch()
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.on("console", lambda message: watch.said.append(message.text))
        page.on("pageerror", lambda error: watch.said.append(str(error)))
        page.on("dialog", lambda dialog: (watch.said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: watch.asked.append(request.url))
        own = files[kind].as_uri()
        try:
            page.goto(own)
            yield page
        finally:
            context.close()
        assert watch.said == []
        assert [url for url in watch.asked if not url.startswith((own, "data:", "blob:"))] == []

    return opening
