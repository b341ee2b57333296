"""The languages that texts are translated into: pools, names and draws."""

from __future__ import annotations

import json
import random
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, get_args

from robustrank.errors import unknown_label
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.packaged import packaged

if TYPE_CHECKING:
    from collections.abc import Sequence

#: One language for all texts of a dataset and seed; one for each text; or one for each text that
#: it is translated into and back from.
LanguageChoice = Literal["translation", "cross_translation", "pivot"]
#: How a language is drawn: exactly as HTEB 1.1 does, or so that seeds are independent.
DrawRule = Literal["v1.1", "balanced"]

_TARGETS = ("Spanish", "French", "German", "Turkish", "Arabic")
#: What may be drawn, in the order that the draws of HTEB 1.1 depend on.
POOLS: dict[LanguageChoice, tuple[str, ...]] = {
    "translation": _TARGETS,
    "cross_translation": _TARGETS,
    "pivot": ("English", *_TARGETS),
}

#: Where HTEB 1.1 takes a code for another language than ISO 639 does.
_V1_1_NAMES = {"tg": "Tagalog"}


@lru_cache(maxsize=1024)
def names_of(label: str | None, *, rule: DrawRule = "v1.1") -> tuple[str, ...]:
    """Return the English names of the languages in a label, each once; none where unknown.

    Parameters
    ----------
    label : str or None
        A code of ISO 639-1 or 639-3, or several joined by ``-``, ``_`` or ``/``: ``"eng"``,
        ``"en-asm"``. Scripts (``"zho_Hans"``) are passed over.
    rule : {"v1.1", "balanced"}
        ``"balanced"`` also understands names (``"German"``) and regions: ``"es-AR"`` is Spanish
        alone, where ``"v1.1"`` reads ``ar`` as Arabic. ``tg`` is Tajik, and Tagalog in ``"v1.1"``.
    """
    _check_rule(rule)
    by_code, by_lower = _tables()
    if not label:
        return ()
    parts = re.split(r"[-_/]", label)
    if rule == "v1.1":
        by_code = by_code | _V1_1_NAMES
    elif label.strip().lower() in by_lower:
        return (by_lower[label.strip().lower()],)
    else:
        pairs = zip(["", *parts], parts, strict=False)
        parts = [part for before, part in pairs if not _is_region(before, part)]
    found = (by_code.get(part.strip().lower()) for part in parts)
    return tuple(dict.fromkeys(name for name in found if name is not None))


def known_names() -> tuple[str, ...]:
    """Return the English names of all languages that have a code here, sorted."""
    return tuple(sorted(set(_tables()[0].values())))


def codes_of(name: str) -> tuple[str, ...]:
    """Return the codes of ISO 639 for an English name; none where it is unknown."""
    return tuple(code for code, known in _tables()[0].items() if known == name)


def join_names(names: Sequence[str]) -> str | None:
    """Return names as prompts say them, ``"English and Assamese"``; None where there are none."""
    return " and ".join(names) or None


def draw_language(
    choice: LanguageChoice,
    *,
    dataset: str,
    seed: int,
    seeds: Sequence[int],
    ordinal: int,
    record_label: str | None,
    field_label: str | None,
    rule: DrawRule = "v1.1",
) -> str:
    """Draw the language that a text is translated into.

    The languages of the text are left out; where that leaves none, all may be drawn.

    - ``"v1.1"``: released HTEB's draws. Its seeds share one sequence of languages, shifted by one
      text, for cross-translation and pivots, the pivot of an English text is its target in
      cross-translation, and a dataset may draw one language for all seeds.
    - ``"balanced"``: a translation takes the languages in an order of the dataset's own, one after
      the other for the seeds of the study, so that they differ up to as many seeds as there are
      languages. Cross-translations and pivots are hashed, independently of seed, text and each
      other. Nor is a text translated into a language that it is a variety of: none in Moroccan
      Arabic into Arabic.

    With either rule the two texts of a pair are cross-translated independently of each other, and
    into the same language about one time in five.

    Parameters
    ----------
    choice : {"translation", "cross_translation", "pivot"}
    dataset : str
    seed : int
    seeds : sequence of int
        All seeds of the study in its order; only ``"balanced"`` translations depend on it.
    ordinal : int
        The number of the text; translations do not depend on it.
    record_label, field_label : str or None
        Labels of the languages of the row and of the text. A translation leaves out those of the
        row, so that the two texts of a pair are translated into one language.
    rule : {"v1.1", "balanced"}

    Returns
    -------
    str
        The English name.
    """
    if choice not in POOLS:
        raise unknown_label("choice of language", choice, POOLS)
    names = names_of(record_label if choice == "translation" else field_label, rule=rule)
    options = _options(POOLS[choice], names, varieties=rule == "balanced")
    if rule == "v1.1":
        if choice == "translation":
            return options[_hash({"dataset": dataset, "seed_transform": seed}) % len(options)]
        return random.Random(seed + ordinal).choice(options)  # noqa: S311 - no secret, and HTEB's
    if choice == "translation":
        if seed not in seeds:
            raise unknown_label("seed of the study", seed, seeds)
        order = _shuffle(dataset, tuple(options))
        return order[list(seeds).index(seed) % len(order)]
    drawn = {"choice": choice, "dataset": dataset, "ordinal": ordinal, "seed": seed}
    return options[_hash(drawn) % len(options)]


def _options(pool: Sequence[str], names: Sequence[str], *, varieties: bool) -> list[str]:
    """Return the pool without the languages named, and without what they are varieties of."""
    excluded = set(names)
    if varieties:
        excluded |= {name.rsplit(" ", 1)[-1] for name in names}  # "Moroccan Arabic", "Swiss German"
    return [name for name in pool if name not in excluded] or list(pool)


@lru_cache(maxsize=1024)
def _shuffle(dataset: str, options: tuple[str, ...]) -> list[str]:
    return sorted(options, key=lambda name: digest({"dataset": dataset, "language": name}))


def _hash(value: dict[str, object]) -> int:
    return int(digest(value), 16)


def _is_region(before: str, part: str) -> bool:
    """Tell whether a part is a region, such as the second of ``pt-BR`` but not of ``EN-DE``."""
    return len(part) == 2 and part.isupper() and before.islower()


def _check_rule(rule: str) -> None:
    if rule not in get_args(DrawRule):
        raise unknown_label("rule for drawing languages", rule, get_args(DrawRule))


@cache
def _tables() -> tuple[dict[str, str], dict[str, str]]:
    """Return languages by code and by their names in lower case."""
    table = json.loads(packaged("languages.json").read_text("utf-8"))
    by_code = {code: name for name, codes in table.items() for code in codes}
    return by_code, {name.lower(): name for name in table}
