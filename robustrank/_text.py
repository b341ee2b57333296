"""Text for people: what comes from outside made safe, shares in per cent, columns in line."""

from collections.abc import Collection
from textwrap import TextWrapper

#: Columns of text for a terminal.
WIDTH = 100


def printable(text: str) -> str:
    """Replace line breaks and control characters, which would break a table or drive a terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def percent(share: float) -> str:
    """Put a share in whole per cent, which says neither none nor all of what is only close."""
    if 0.0 < share < 0.01:
        return "under 1%"
    if 0.99 < share < 1.0:
        return "over 99%"
    return f"{share:.0%}"


def align(rows: list[list[str]], left: Collection[int] = (0,)) -> list[str]:
    """Return rows of cells as lines, the columns of `left` to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        padded = [
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


def wrap(line: str, indent: int = 0) -> str:
    """Break a line at spaces; the lines that follow are indented."""
    wrapper = TextWrapper(
        WIDTH,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,  # model names stay whole
    )
    return wrapper.fill(line)
