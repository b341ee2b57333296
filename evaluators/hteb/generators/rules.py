"""A stand-in for a language model that follows a few rules: for tests and dry runs."""

from __future__ import annotations

import json
import random
import re
import zlib
from typing import TYPE_CHECKING, Any

from robustrank.errors import check_count
from robustrank.evaluators.hteb.generators.base import Response
from robustrank.evaluators.hteb.generators.chat import well_formed
from robustrank.evaluators.hteb.generators.options import check_text
from robustrank.evaluators.hteb.generators.pseudo_languages import from_foreign, into_foreign

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.evaluators.hteb.generators.base import Request
    from robustrank.notes import Note

_TARGET = re.compile(
    r"\b(?:to|into|in) (English|Spanish|French|German|Turkish|Arabic)\b", re.IGNORECASE
)
_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"(?<=[.!?;,])\s+")

_SYNONYMS = {
    "about": "regarding", "also": "too", "bad": "poor", "because": "since", "begin": "start",
    "big": "large", "buy": "purchase", "but": "yet", "can": "may", "fast": "quick",
    "find": "discover", "get": "obtain", "good": "fine", "happy": "glad", "help": "assist",
    "important": "major", "large": "big", "make": "create", "many": "numerous", "need": "require",
    "new": "recent", "people": "persons", "quick": "fast", "said": "stated", "say": "state",
    "show": "display", "small": "little", "start": "begin", "use": "employ", "very": "highly",
    "want": "wish",
}  # fmt: skip
#: Revised whenever a rule changes, so that texts made by others are not taken for these.
_REVISION = "1"


class RulesGenerator:
    """Rewrites texts by rules that look at words alone: no language model, and no understanding.

    What it returns depends on instruction, text and seed only. A translation puts words of the
    target language around and in place of English ones, enough for a language identifier.

    Parameters
    ----------
    model : str
        The name under which its texts are kept.
    concurrency : int

    Attributes
    ----------
    model : str
    revision : str
        Of the rules.
    concurrency : int
    settings : mapping
        Empty.
    """

    revision: str | None = _REVISION
    notes: tuple[Note, ...] = ()

    def __init__(self, *, model: str = "rules", concurrency: int = 64) -> None:
        self.model = check_text("model", model)
        self.concurrency = check_count("concurrency", concurrency, 1)
        self.settings: Mapping[str, Any] = {}

    async def start(self) -> None:
        """Do nothing: there is nothing to get ready."""

    async def complete(self, request: Request) -> Response:
        """Rewrite one text."""
        text = rewrite(request.instruction, request.text, request.sampling.seed)
        if request.sampling.structured:
            text = json.dumps({"transformed_text": text}, ensure_ascii=False)
        return Response(text, finish_reason="stop")

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""


def rewrite(instruction: str, text: str, seed: int | None = None) -> str:
    """Rewrite a text as the instruction asks: translate, expand, summarise or, else, rephrase."""
    text = well_formed(text.strip())
    if not text:
        return ""
    asked = instruction.lower()
    key = f"{seed}\0{instruction}\0{text}".encode("utf-8", "surrogatepass")
    rng = random.Random(zlib.crc32(key))  # noqa: S311 - no secret
    targets = _TARGET.findall(instruction) if "translat" in asked else []
    if targets:
        language = targets[-1].capitalize()
        plain = from_foreign(text)
        return (
            _rephrase(plain, rng) if language == "English" else into_foreign(plain, language, rng)
        )
    if "expand" in asked:
        return f"{text} – {_rephrase(text, rng)}"
    if "summar" in asked:
        return _shorten(text)
    return _rephrase(text, rng)


def _rephrase(text: str, rng: random.Random) -> str:
    """Swap synonyms, then move clauses or, failing that, words."""
    swapped = _WORD.sub(lambda match: _SYNONYMS.get(match[0].lower(), match[0]), text)
    end = swapped[-1:] if swapped[-1:] in ".!?;" else ""
    body = swapped.removesuffix(end) if end else swapped
    parts = _CLAUSE.split(body)
    if len(parts) == 1:
        parts = body.split()
    if len(parts) < 2:
        return f"{text} – {text}"
    turn = rng.randrange(1, len(parts))
    return " ".join(parts[turn:] + parts[:turn]).rstrip(",;") + end


def _shorten(text: str) -> str:
    """Keep the first half of the words, at least one, and the mark at the end."""
    words = text.split()
    kept = " ".join(words[: max(len(words) // 2, 1)]).rstrip(",;:–")
    mark = text[-1:] if text[-1:] in "?!." else ""
    return kept if kept.endswith(mark) else kept + mark
