"""The registry of ranking schemes: five methods, each under three weightings."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

from robustrank._select import listed, matching
from robustrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Entry(NamedTuple):
    """What a person should know about a method or a weighting."""

    name: str
    description: str
    source: str


METHODS: Mapping[str, Entry] = MappingProxyType(
    {
        "wsm": Entry(
            "WSM",
            "weighted sum of sum-normalised scores",
            "Fishburn (1967), Operations Research 15(3)",
        ),
        "topsis": Entry(
            "TOPSIS",
            "closeness to the ideal model over min-max normalised scores",
            "Hwang & Yoon (1981), Multiple Attribute Decision Making",
        ),
        "vikor": Entry(
            "VIKOR",
            "compromise between total and largest regret (1 - Q, v = 0.5)",
            "Opricovic & Tzeng (2004), European Journal of Operational Research 156(2)",
        ),
        "promethee2-usual": Entry(
            "PROMETHEE II (usual)",
            "net flow of pairwise wins, whatever their margin",
            "Brans & Vincke (1985), Management Science 31(6)",
        ),
        "promethee2-gaussian": Entry(
            "PROMETHEE II (Gaussian)",
            "net flow of pairwise wins, margins counted against the dataset's standard deviation",
            "Brans & Vincke (1985), Management Science 31(6)",
        ),
    }
)

WEIGHTINGS: Mapping[str, Entry] = MappingProxyType(
    {
        "equal": Entry(
            "equal weights",
            "every dataset counts the same",
            "Dawes & Corrigan (1974), Psychological Bulletin 81(2)",
        ),
        "merec": Entry(
            "MEREC weights",
            "datasets count by what their removal changes",
            "Keshavarz-Ghorabaee et al. (2021), Symmetry 13(4)",
        ),
        "critic": Entry(
            "CRITIC weights",
            "datasets count by their spread and their disagreement with the others",
            "Diakoulaki, Mavrotas & Papayannakis (1995), Computers & Operations Research 22(7)",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Scheme:
    """A ranking method under a weighting.

    Attributes
    ----------
    method : str
        Key of `METHODS`.
    weighting : str
        Key of `WEIGHTINGS`.
    """

    method: str
    weighting: str

    @property
    def id(self) -> str:
        """Identifier, such as ``"topsis/critic"``."""
        return f"{self.method}/{self.weighting}"

    @property
    def name(self) -> str:
        """Short name for people, such as ``"TOPSIS, CRITIC weights"``."""
        return f"{METHODS[self.method].name}, {WEIGHTINGS[self.weighting].name}"

    @property
    def description(self) -> str:
        """What the scheme does, in one line."""
        method, weighting = METHODS[self.method], WEIGHTINGS[self.weighting]
        return f"{method.description}; {weighting.description}"

    @property
    def source(self) -> str:
        """Where the method and the weighting were published."""
        return f"{METHODS[self.method].source}; {WEIGHTINGS[self.weighting].source}"

    def __str__(self) -> str:
        return self.id


#: Every scheme by its id, in the order of result tables. Iterating gives the ids.
SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {
        scheme.id: scheme
        for scheme in (Scheme(method, weighting) for method in METHODS for weighting in WEIGHTINGS)
    }
)


def resolve_schemes(schemes: str | Scheme | Iterable[str | Scheme]) -> tuple[Scheme, ...]:
    """Return the schemes that ids and patterns name, each once, in registry order.

    Parameters
    ----------
    schemes : str, Scheme or iterable of them
        Ids such as ``"topsis/critic"``, or patterns such as ``"topsis/*"``.

    Returns
    -------
    tuple of Scheme

    Raises
    ------
    UnknownLabelError
        If an id or a pattern matches no scheme.
    ParameterError
        If no scheme is named at all.
    """
    found = matching(SCHEMES, listed(cast("str | Iterable[str]", schemes)), "scheme", fold=True)
    if not found:
        raise ParameterError(
            "No scheme was named. Name at least one, such as 'topsis/equal', or leave schemes out "
            "to use all of them."
        )
    return tuple(SCHEMES[name] for name in found)
