"""Pages as trees, to ask what they hold: no browser, and no parser but Python's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "input", "br", "wbr", "link", "img", "hr"}


@dataclass
class Node:
    tag: str
    attributes: dict[str, str]
    children: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text for c in self.children)

    def all(self, tag: str | None = None, **attributes: str) -> list[Node]:
        """Return the nodes below with a tag and attributes; ``class_`` is one of its classes."""
        found = []
        for child in self.children:
            if isinstance(child, str):
                continue
            if tag in (None, child.tag) and all(map(child.has, attributes.items())):
                found.append(child)
            found += child.all(tag, **attributes)
        return found

    def one(self, tag: str | None = None, **attributes: str) -> Node:
        (found,) = self.all(tag, **attributes)
        return found

    def has(self, attribute: tuple[str, str]) -> bool:
        name, value = attribute
        if name == "class_":
            return value in self.attributes.get("class", "").split()
        return self.attributes.get(name) == value


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("", {})]

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"{tag} repeats an attribute: {names}"
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].children.append(data)


def parse(page: str) -> Node:
    """Return a page as a tree; raise if its tags are not balanced."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    (root,) = builder.open
    return root
