"""The figures of an analysis, section by section, each with how to read it and where it is from."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustrank.errors import InputError
from robustrank.figures import style
from robustrank.notes import name_some
from robustrank.report.html.inline import inline_svg
from robustrank.report.html.wording import SECTIONS
from robustrank.report.words import drawn_units, ranked_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from robustrank.report.html.wording import FigureText
    from robustrank.result import Analysis


@dataclass(frozen=True)
class FigureBlock:
    """A figure in its place.

    Attributes
    ----------
    text : FigureText
        Its words, for this analysis.
    svg : Markup or None
        None if it cannot be drawn for this analysis.
    missing : str
        Why not.
    """

    text: FigureText
    svg: Markup | None
    missing: str = ""


@dataclass(frozen=True)
class Section:
    """A section of the page: anchor, heading, figures."""

    anchor: str
    heading: str
    figures: list[FigureBlock]


def figure_sections(analysis: Analysis) -> list[Section]:
    """Draw the figures of an analysis.

    A figure that cannot be drawn for it, as of compositions where there is one, is replaced by the
    reason.
    """
    words = _words(analysis)
    with style.detached(), _uncollected():
        return [
            Section(anchor, heading, [_figure(analysis, text.filled(words)) for text in texts])
            for anchor, heading, texts in SECTIONS
            if anchor != "size" or _sizes_known(analysis)
        ]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Put off the collection of garbage: figures are millions of objects, and all are in use."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _figure(analysis: Analysis, text: FigureText) -> FigureBlock:
    try:
        axes = analysis.plot(text.kind)
    except InputError as error:
        return FigureBlock(text, None, str(error))
    return FigureBlock(text, inline_svg(style.render(axes, "svg"), text.anchor, text.caption))


def _words(analysis: Analysis) -> dict[str, str]:
    """Return what the sentences about figures leave open."""
    settings = analysis.settings
    return {
        "score": ranked_by(analysis),
        "level": f"{100 * settings['confidence_level']:g}%",
        "error": f"{100 * (1 - settings['confidence_level']):.3g}%",
        "resamples": f"{settings['n_resamples']:,}",
        "units": drawn_units(settings),
        "threshold": f"{100 * settings['tier_threshold']:g}%",
        "tau": f"{settings['tau']:g}",
        "correlation": settings["correlation"].capitalize(),
        "linkage": settings["linkage"],
        "schemes": f"{len(settings['schemes'])}",
        "top_k": f"{settings['top_k']}",
        "refits": f"{settings['n_refits']}",
    }


def _sizes_known(analysis: Analysis) -> bool:
    ranked = analysis.bootstrap.order
    return bool(analysis.matrix.models.loc[ranked, "n_parameters"].notna().any())


def cluster_rows(analysis: Analysis) -> list[tuple[str, int, str]]:
    """Return number, size and members of every cluster, largest first."""
    clusters = analysis.redundancy.clusters
    numbers = sorted(clusters[clusters > 0].unique())
    members = {number: clusters.index[clusters == number] for number in numbers}
    return [(str(number), len(names), ", ".join(names)) for number, names in members.items()]


def settings_rows(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return settings as rows of text, nested ones under ``name.key``."""
    rows = []
    for name, value in settings.items():
        if isinstance(value, dict) and value:
            rows += settings_rows({f"{name}.{key}": inner for key, inner in value.items()})
        elif isinstance(value, list | tuple):
            rows.append((name, name_some(value, len(value)) or "–"))
        else:
            rows.append((name, "–" if value is None or value == {} else str(value)))
    return rows
