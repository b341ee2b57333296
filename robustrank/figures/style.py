"""How figures look: colours, type, sizes, what is left out, and files with the same bytes."""

from __future__ import annotations

import io
import unicodedata
import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, wraps
from inspect import signature
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, TypeVar

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from matplotlib.ticker import MaxNLocator

from robustrank._atomic import replacing
from robustrank._text import printable
from robustrank.errors import EmptyMatrixError, ParameterError, check_count, unknown_label

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pandas as pd

P = ParamSpec("P")
R = TypeVar("R")
Table = TypeVar("Table", "pd.DataFrame", "pd.Series")

# Colours that people who are colour-blind tell apart: M. Okabe and K. Ito, *Color Universal Design*
# (2008). Ink, muted and faint stand for text, secondary text and rules: a report on the screen
# replaces them with its own, light or dark.
INK: Final = "#1b1f24"
MUTED: Final = "#5c6570"
FAINT: Final = "#d5dae0"
BAND: Final = "#eef1f4"
BLUE: Final = "#0072b2"
ORANGE: Final = "#e69f00"
GREEN: Final = "#009e73"
VERMILION: Final = "#d55e00"
SKY: Final = "#56b4e9"
PURPLE: Final = "#cc79a7"
CYCLE: Final = (BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, MUTED)

#: Dots in these colours have an edge that shows the pale ones on white.
OUTLINED: Final[dict[str, Any]] = {"edgecolors": MUTED, "linewidths": 0.5}

#: From low to high; and from below to above a middle. Both read in grey and by the colour-blind.
SEQUENTIAL: Final = "cividis"
DIVERGING: Final = "PuOr"

#: Height of a row that carries a name, in inches.
ROW: Final = 0.22
#: What the width of text is measured in; widths grow with the size.
_FONT: Final = FontProperties(family="DejaVu Sans", size=100)
#: Between a name and its number: two plain spaces, which pages with an SVG in them make one.
_GAP: Final = "\u2002"

_THEME: Final = {
    "axes.axisbelow": True,
    "axes.edgecolor": MUTED,
    "axes.facecolor": "none",
    "axes.grid": False,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "figure.facecolor": "white",
    "figure.titlesize": 10,
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "text.color": INK,
    # A model may be called "a$b": text is never taken for a formula.
    "text.parse_math": False,
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 8,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 8,
}

_detached: ContextVar[bool] = ContextVar("detached", default=False)
#: matplotlib's settings are the whole process's: one thread at a time may have its own.
_settings_lock = RLock()


def themed(draw: Callable[P, R]) -> Callable[P, R]:
    """Draw in this style, whatever the caller's own settings are, on axes that are fit for it."""
    parameters = signature(draw)

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> R:
        _check_axes(parameters.bind_partial(*args, **kwargs).arguments.get("ax"))
        with _own_settings({}):
            return draw(*args, **kwargs)

    return drawn


@contextmanager
def _own_settings(more: dict[str, Any]) -> Iterator[None]:
    settings: dict[Any, Any] = {**mpl.rcParamsDefault, **_THEME, **more}
    settings["backend"] = mpl.rcParams["backend"]
    with _settings_lock, mpl.rc_context(settings):
        yield


def _check_axes(ax: object) -> None:
    if ax is None or (isinstance(ax, Axes) and ax.name == "rectilinear"):
        return
    got = f"{ax.name} axes" if isinstance(ax, Axes) else type(ax).__name__
    raise ParameterError(
        f"ax must be plane axes of matplotlib, such as plt.subplots()[1]; got {got}. Of an array "
        "of axes, pass one: axes[0, 0]."
    )


@contextmanager
def detached() -> Iterator[None]:
    """Make figures that no window and no notebook shows: for files."""
    token = _detached.set(True)
    try:
        yield
    finally:
        _detached.reset(token)


def open_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """Return `ax`, or the axes of a new figure of this size in inches.

    Like pandas', a new figure is pyplot's, so that notebooks show it.
    """
    if ax is not None:
        return ax
    if _detached.get():
        return Figure(figsize=(width, height), layout="constrained").add_subplot()
    from matplotlib import pyplot as plt  # noqa: PLC0415 - it looks for a screen

    return plt.figure(figsize=(width, height), layout="constrained").add_subplot()


def figure_of(ax: Axes) -> Figure:
    """Return the figure that axes, or axes within axes, are on."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ParameterError("The axes belong to no figure any more.")
    return figure


def need(table: pd.DataFrame, columns: Iterable[str]) -> None:
    """Raise `UnknownLabelError` unless a table has some columns."""
    for name in columns:
        if name not in table.columns:
            none = "the table has no columns; see the documentation of the figure."
            raise unknown_label("column", name, table.columns, none_known=none)


def cut(n: int, top: int | None) -> int:
    """Return how many of n rows to show: all up to `top`; raise if there is none or `top` < 1."""
    if n == 0:
        raise EmptyMatrixError("There is nothing to draw: the table has no rows with values.")
    return n if top is None else min(n, check_count("top", top, 1))


@dataclass(frozen=True)
class Shown(Generic[Table]):
    """The rows of a table that a figure shows.

    Attributes
    ----------
    table : DataFrame or Series
    names : list of str
    left_out : int
        How many rows there are besides.
    """

    table: Table
    names: list[str]
    left_out: int

    @property
    def n_rows(self) -> int:
        """How many rows the figure has, with the one that counts the rest."""
        return len(self.names) + bool(self.left_out)


def first_rows(known: Table, top: int | None, *, of: int) -> Shown[Table]:
    """Return the first `top` rows of those with values; there are `of` with and without."""
    n = cut(len(known), top)
    return Shown(known.head(n), [str(name) for name in known.index[:n]], of - n)


def beside(*parts: str) -> str:
    """Join a name and its number into one text."""
    return _GAP.join(printable(part) for part in parts if part)


def text_width(text: str, size: float = 8) -> float:
    """Return how wide a text is, in inches."""
    return size * sum(map(_advance, printable(text)))


@cache
def _advance(character: str) -> float:
    """Return how wide a character of one point is, in inches."""
    if unicodedata.east_asian_width(character) in "WF":  # square, and not in the font
        return 1.0 / 72.0
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        width, *_ = text_to_path.get_text_width_height_descent(character, _FONT, ismath=False)
    return float(width) / _FONT.get_size() / 72.0


def name_width(names: Iterable[str], size: float = 8) -> float:
    """Return how wide the longest of some names is, in inches."""
    return max((text_width(name, size) for name in names), default=0.0)


def row_labels(
    names: Sequence[str], left_out: int, noun: str = "model", values: Sequence[str] = ()
) -> list[str]:
    """Return what stands beside rows: names, with their values if given, and what is left out."""
    rows = [beside(*parts) for parts in zip(names, values or [""] * len(names), strict=True)]
    if left_out:
        nouns = printable(noun if left_out == 1 else f"{noun}s")
        rows.append(f"… and {left_out:,} more {nouns}")
    return rows


def name_rows(
    ax: Axes,
    names: Sequence[str],
    left_out: int,
    noun: str = "model",
    values: Sequence[str] = (),
) -> None:
    """Name the rows 0, 1, … of an axes from the top down, and say how many more there are."""
    rows = row_labels(names, left_out, noun, values)
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    if left_out:
        label = ax.get_yticklabels()[-1]
        label.set_fontstyle("italic")
        label.set_color(MUTED)


def rank_axis(ax: Axes, worst: float) -> None:
    """Let the x axis be of ranks, 1 at the right, down to the worst one shown."""
    round_ones = MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]).tick_values(0, worst)
    ax.set_xticks(sorted({1.0, *(tick for tick in round_ones if 1 <= tick <= worst)}))
    ax.set_xlim(worst + 0.5, 0.5)


def save(ax: Axes, path: str | os.PathLike[str]) -> Path:
    """Write the figure of an axes to a file; drawn again, the same figure gives the same bytes.

    Parameters
    ----------
    ax : Axes
    path : path
        Ends in ``.svg``, ``.png`` or ``.pdf``. A file of that name is replaced.

    Returns
    -------
    Path

    Raises
    ------
    ParameterError
        If the name ends in anything else.
    """
    target = Path(path)
    kind = target.suffix.lower().removeprefix(".")
    if kind not in _UNDATED:
        raise ParameterError(
            f"Figures are written as .svg, .png or .pdf; {target.name!r} ends in none of these.",
            [target],
        )
    with replacing(target) as file:
        file.write(render(ax, kind))
    return target


#: What makers of files would note of the day and of themselves.
_UNDATED: Final[dict[str, dict[str, Any]]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def render(ax: Axes, kind: str) -> bytes:
    """Return the figure of an axes as ``"svg"``, ``"png"`` or ``"pdf"``."""
    figure = figure_of(ax)
    out = io.BytesIO()
    as_text = {"svg.fonttype": "none", "svg.hashsalt": "robustrank"}
    with _own_settings(as_text), warnings.catch_warnings():
        if kind == "svg":  # holds text as text, whatever letters this machine has pictures of
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(
            out,
            format=kind,
            dpi=150,
            bbox_inches="tight",
            pad_inches=0.08,
            transparent=kind == "svg",
            metadata=_UNDATED[kind],
        )
    return out.getvalue()
