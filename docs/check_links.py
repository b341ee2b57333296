"""Check the links of the built pages and of the repository's Markdown files, without a network.

python docs/check_links.py docs/_build/html
"""

from __future__ import annotations

import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
MARKDOWN = ("README.md", "CONTRIBUTING.md")
_LINKS = ("href", "src", "xlink:href", "data")
_MARKDOWN_LINK = re.compile(r"\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


class Page(HTMLParser):
    """The links of a page, and the anchors that others can link to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the links and anchors of a tag."""
        for name, value in attrs:
            if value and (name == "id" or (name == "name" and tag == "a")):
                self.anchors.add(value)
            elif value and name in _LINKS:
                self.links.append(value)


@cache
def html_page(path: Path) -> Page:
    return Page(path.read_text("utf-8"))


@cache
def markdown_anchors(path: Path) -> set[str]:
    """Return the anchors of the headings of a Markdown file, as code hosts make them."""
    text = _FENCE.sub("", path.read_text("utf-8"))
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(text))
    return {heading.replace(" ", "-") for heading in plain}


def fault(source: Path, link: str) -> str | None:
    """Return what is wrong with a link of a file, None if nothing is or if it leads elsewhere."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    target = source
    if parts.path:
        target = (source.parent / unquote(parts.path)).resolve()
        if target.is_dir() and source.suffix == ".html":
            target /= "index.html"
    if not target.exists():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    if not anchor or target.suffix not in (".html", ".md"):
        return None
    anchors = html_page(target).anchors if target.suffix == ".html" else markdown_anchors(target)
    return None if anchor in anchors else "the file has no such anchor"


def faults(site: Path) -> Iterator[str]:
    """Return a line for every broken link of a site and of the repository's Markdown files."""
    folder = site.resolve()
    pages = [
        page for page in sorted(folder.rglob("*.html")) if folder / "_static" not in page.parents
    ]
    linked = [(page, html_page(page).links) for page in pages]
    for name in MARKDOWN:
        text = _FENCE.sub("", (ROOT / name).read_text("utf-8"))
        linked.append((ROOT / name, _MARKDOWN_LINK.findall(text)))
    for source, links in linked:
        for link in dict.fromkeys(links):
            wrong = fault(source, link)
            if wrong:
                yield f"{source}: {link}: {wrong}"


def main() -> None:
    site = Path(sys.argv[1])
    if not (site / "index.html").exists():
        sys.exit(f"There are no built pages in {site}.")
    broken = list(faults(site))
    if broken:
        sys.exit("\n".join([*broken, f"Broken links: {len(broken)}"]))


if __name__ == "__main__":
    main()
