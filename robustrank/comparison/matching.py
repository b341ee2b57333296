"""Which models of two boards are the same, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from robustrank.errors import DuplicateError, ParameterError, unknown_label
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_SEPARATORS = re.compile(r"[\s_.\-]+")


@dataclass(frozen=True)
class Matches:
    """Models that two boards share.

    Attributes
    ----------
    pairs : dict of str to str
        Name on A → name on B, in the order of A.
    unmatched_a, unmatched_b : tuple of str
        Models of one board only.
    notes : tuple of Note
    """

    pairs: dict[str, str]
    unmatched_a: tuple[str, ...]
    unmatched_b: tuple[str, ...]
    notes: tuple[Note, ...]


def full_key(name: str) -> str:
    """Return a name without case, its separators (``_``, ``-``, ``.``, space) made one hyphen."""
    parts = name.casefold().split("/")
    return "/".join(_SEPARATORS.sub("-", part).strip("-") for part in parts)


def short_key(name: str) -> str:
    """Return the full key without the organisation, the part before the last slash."""
    return full_key(name).rsplit("/", 1)[-1]


def match_models(
    names_a: Sequence[str], names_b: Sequence[str], by_hand: Mapping[str, str | None] | None = None
) -> Matches:
    """Match models by hand, by exact name, then by full key, then by short key.

    A key that a board holds twice decides nothing: such models are left unmatched and noted,
    unless an earlier step matched them.

    Parameters
    ----------
    names_a, names_b : sequence of str
        The models of each board.
    by_hand : mapping, optional
        Name on A → name on B, or None for a model of A that B does not have.

    Returns
    -------
    Matches
    """
    by_hand = {} if by_hand is None else by_hand
    pairs = _checked(by_hand, names_a, names_b)
    barred = {name for name, other in by_hand.items() if other is None}
    own = set(names_b)
    taken = set(pairs.values())
    for name in names_a:
        if name in own and name not in taken and name not in pairs and name not in barred:
            pairs[name] = name
    ambiguous: list[str] = []
    for key in (full_key, short_key):
        ambiguous += _match_by(key, names_a, names_b, pairs, barred)
    taken = set(pairs.values())
    unmatched_a = tuple(name for name in names_a if name not in pairs)
    unmatched_b = tuple(name for name in names_b if name not in taken)
    doubtful = tuple(dict.fromkeys(n for n in ambiguous if n in {*unmatched_a, *unmatched_b}))
    ordered = {name: pairs[name] for name in names_a if name in pairs}
    return Matches(ordered, unmatched_a, unmatched_b, _notes(ordered, by_hand, doubtful))


def _checked(
    by_hand: Mapping[str, str | None], names_a: Sequence[str], names_b: Sequence[str]
) -> dict[str, str]:
    """Return the pairs given by hand; raise for a name that does not exist or occurs twice."""
    if not isinstance(by_hand, Mapping):
        raise ParameterError(
            "models must be a mapping of name on A to name on B (None for no match), as in "
            f"models={{'A/x': 'B/x'}}; got {type(by_hand).__name__}. To compare some models only, "
            "select(models=…) them from a board first."
        )
    pairs: dict[str, str] = {}
    for name, other in by_hand.items():
        if name not in names_a:
            raise unknown_label("model of board A", name, names_a)
        if other is None:
            continue
        if other not in names_b:
            raise unknown_label("model of board B", other, names_b)
        if other in pairs.values():
            raise DuplicateError(
                f"models= gives {other!r} of board B to two models of board A. Keep one.", [other]
            )
        pairs[name] = other
    return pairs


def _match_by(
    key: Callable[[str], str],
    names_a: Sequence[str],
    names_b: Sequence[str],
    pairs: dict[str, str],
    barred: set[str],
) -> list[str]:
    """Add the pairs that a key decides to `pairs`; return the models it could not decide on."""
    by_a, by_b = _grouped(key, names_a), _grouped(key, names_b)
    taken = set(pairs.values())
    ambiguous: list[str] = []
    for k, group_a in by_a.items():
        group_b = by_b.get(k, [])
        free_a = [name for name in group_a if name not in pairs and name not in barred]
        free_b = [name for name in group_b if name not in taken]
        if not free_a or not free_b:
            continue
        if len(group_a) == len(group_b) == 1:
            pairs[free_a[0]] = free_b[0]
        else:
            ambiguous += [*free_a, *free_b]
    return ambiguous


def _grouped(key: Callable[[str], str], names: Iterable[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(key(name), []).append(name)
    return groups


def _notes(
    pairs: dict[str, str], by_hand: Mapping[str, str | None], ambiguous: tuple[str, ...]
) -> tuple[Note, ...]:
    notes = []
    moved = [
        (a, b)
        for a, b in pairs.items()
        if a not in by_hand and "/" in a and "/" in b and full_key(a) != full_key(b)
    ]
    if moved:
        shown = [f"{a} with {b}" for a, b in moved]
        message = (
            f"{count(len(moved), 'model')} matched although the boards name different "
            f"organisations: {name_some(shown, 3)}. models={{name: None}} (--same NAME=) undoes a "
            "match."
        )
        notes.append(Note("other-organisation", message, tuple(a for a, _ in moved)))
    if ambiguous:
        message = (
            "Names that are one once case, separators and organisation are left out were not "
            f"matched: {name_some(ambiguous)}. Match them with models={{name on A: name on B}} "
            "(--same NAME=NAME)."
        )
        notes.append(Note("ambiguous-models", message, ambiguous))
    return tuple(notes)


def suggestions(names_a: Sequence[str], names_b: Sequence[str], most: int = 3) -> list[str]:
    """Return unmatched names of A with the closest name of B, as ``"'x' for 'y'"``."""
    by_key = {short_key(name): name for name in names_b}
    found = []
    for name in names_a:
        close = get_close_matches(short_key(name), by_key, n=1, cutoff=0.7)
        found += [f"{by_key[key]!r} for {name!r}" for key in close]
        if len(found) == most:
            break
    return found
