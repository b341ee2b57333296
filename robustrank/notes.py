"""What a reader of a result must know: a code to test for and a sentence to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Note:
    """One remark about the data or the method.

    Attributes
    ----------
    code : str
        Stable identifier, such as ``"dropped-models"``.
    message : str
        A complete sentence.
    labels : tuple of str
        The models or datasets that the note is about.
    """

    code: str
    message: str
    labels: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"[{self.code}] {self.message}"

    def to_dict(self) -> dict[str, object]:
        """Return the note as JSON-safe values."""
        return {"code": self.code, "message": self.message, "labels": list(self.labels)}


def name_some(labels: Iterable[object], most: int = 5) -> str:
    """Name the first `most` labels and count the rest: ``"A, B, C and 4 more"``."""
    names: Sequence[str] = [str(label) for label in labels]
    shown = ", ".join(names[:most])
    rest = len(names) - most
    return f"{shown} and {rest} more" if rest > 0 else shown


def count(number: int, noun: str) -> str:
    """Return ``"1 model"``, ``"2 models"``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def merge_notes(*groups: Iterable[Note]) -> tuple[Note, ...]:
    """Concatenate groups of notes, keeping the first of any that are equal."""
    return tuple(dict.fromkeys(note for group in groups for note in group))
