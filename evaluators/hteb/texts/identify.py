"""Whether a text is in the language that it should be in, where that can be told."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from robustrank.errors import ParameterError, unknown_label
from robustrank.evaluators.hteb.texts.languages import codes_of, known_names

if TYPE_CHECKING:
    from collections.abc import Callable


@runtime_checkable
class Identifier(Protocol):
    """Tells texts in a wrong language; several threads may ask at once.

    Attributes
    ----------
    name, version : str
    languages : frozenset of str
        The English names that it can judge.
    """

    name: str
    version: str
    languages: frozenset[str]

    def is_wrong(self, text: str, language: str) -> bool | None:
        """Return whether a text is surely not in `language`; None where nobody can tell."""
        ...


def load_identifier(name: str = "py3langid") -> Identifier:
    """Load a language identifier, once for all who ask.

    Parameters
    ----------
    name : {"py3langid"}
        It knows most of HTEB's languages and has its model within its package.
    """
    if name not in _LOADERS:
        raise unknown_label("language identifier", name, _LOADERS)
    return _LOADERS[name]()


#: By how much, in natural logarithms, another language must be likelier than the expected one,
#: and how many bytes of letters a text must have for anything to be said. Measured in
#: benchmarks/hteb_languages.py.
LOG_ODDS, LEAST_BYTES = 15.0, 12

# Labels of py3langid that it mixes up, if only in short texts: varieties, close relatives, and
# neighbours with one script. A text in one of a group is never wrong where another is expected.
_ALIKE = (
    {"ar", "ary", "arz"},
    {"bs", "hr", "sr"},
    {"en", "pcm"},
    {"es", "an", "ext"},
    {"fa", "sdh", "uzs"},
    {"he", "hbo"},
    {"hi", "gom", "mr", "ne", "sa"},
    {"ku", "sdh", "uzs"},
    {"no", "nn"},
    {"nso", "st"},
    {"uz", "uzs"},
    {"xh", "zu"},
    {"zh", "wuu", "yue"},
)
# Languages that py3langid has no label of their own for, or none that is a code of theirs.
_STAND_INS = {
    "Central Kurdish": "sdh",
    "Classical Chinese": "zh",
    "Dari": "fa",
    "Filipino": "tl",
    "Fulah": "fuv",
    "Guarani": "gug",
    "Halh Mongolian": "mn",
    "Northern Kurdish": "ku",
    "Norwegian Bokmål": "no",
    "Rundi": "rw",
    "Swiss German": "de",
    "Tigrinya": "am",
}


class _Py3langid:
    """Naive Bayes over byte n-grams; scores are logarithms of probabilities up to a constant."""

    name = "py3langid"

    def __init__(self) -> None:
        try:
            from py3langid.langid import (  # noqa: PLC0415 - loaded only when needed
                MODEL_FILE,
                LanguageIdentifier,
            )
        except ImportError as error:
            raise ParameterError(
                "Whether texts are in the right language is told by py3langid, which is not "
                "installed. Run: pip install 'robustrank[hteb]'"
            ) from error
        # A model of its own: the module's can be restricted to some languages by anyone.
        self._model = LanguageIdentifier.from_model_file(MODEL_FILE)
        self.version = version("py3langid")
        self._labels = _accepted(frozenset(self._model.labels))
        self.languages = frozenset(self._labels)
        # A text is judged by two readings of the error types, one after the other.
        self._judge = lru_cache(maxsize=4096)(self._is_wrong)

    def is_wrong(self, text: str, language: str) -> bool | None:
        """Return whether another language is far likelier than `language`."""
        return self._judge(text, language)

    def _is_wrong(self, text: str, language: str) -> bool | None:
        accepted = self._labels.get(language)
        # Presentation forms and full-width letters are not what the model was trained on.
        text = unicodedata.normalize("NFKC", text)
        letters = "".join(filter(str.isalpha, text))
        if accepted is None or len(letters.encode("utf-8", "replace")) < LEAST_BYTES:
            return None
        ranking = self._model.rank(text)
        best, score = ranking[0]
        if best == "zxx":  # no language at all, such as a list of numbers
            return None
        return bool(score - max(odds for label, odds in ranking if label in accepted) > LOG_ODDS)


def _accepted(labels: frozenset[str]) -> dict[str, frozenset[str]]:
    """Return, by English name, which labels a text in that language may get."""
    found = {}
    for name in known_names():
        own = {code for code in codes_of(name) if code in labels}
        if not own and name.endswith(" Arabic"):
            own = {"ar"}
        elif not own and name in _STAND_INS:
            own = {_STAND_INS[name]}
        if own:
            found[name] = frozenset(own.union(*(group for group in _ALIKE if own & group)))
    return found


@cache
def _py3langid() -> Identifier:
    return _Py3langid()


_LOADERS: dict[str, Callable[[], Identifier]] = {"py3langid": _py3langid}
