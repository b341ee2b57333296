"""`Plots`: the figures of a result, by name or as methods that a notebook completes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from robustrank.errors import unknown_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The names of the figures, a `typing.Literal`, which editors complete.
Kind = TypeVar("Kind", bound=str)


class Plots(Generic[Kind]):
    """The figures of a result; each public method is one.

    ``result.plot("forest", ax=ax)`` and ``result.plot.forest(ax=ax)`` are the same.
    """

    def __call__(self, kind: Kind, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw a figure.

        Parameters
        ----------
        kind : str
            The name of a method.
        ax : Axes, optional
            Where to draw; a new figure of a fitting size by default.
        **options
            Of that method.

        Returns
        -------
        Axes
        """
        if kind not in self.kinds():
            raise unknown_label("kind of figure", kind, self.kinds())
        drawn: Axes = getattr(self, kind)(ax=ax, **options)
        return drawn

    @classmethod
    def kinds(cls) -> list[Kind]:
        """Return the names of the figures."""
        own = [name for base in cls.__mro__ if base not in _BASES for name in vars(base)]
        return cast("list[Kind]", sorted({name for name in own if not name.startswith("_")}))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.kinds())})"


_BASES = Plots.__mro__
