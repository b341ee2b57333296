from __future__ import annotations

import pytest

from robustrank.errors import UnknownLabelError
from robustrank.figures.accessor import Plots


class Base(Plots):
    def bars(self, ax=None, *, top=3):
        return ("bars", ax, top)


class Two(Base):
    def dots(self, ax=None):
        return ("dots", ax)

    def _hidden(self, ax=None):
        raise AssertionError


def test_a_name_and_a_method_are_the_same():
    plot = Two()
    assert plot("bars", "axes", top=5) == plot.bars(ax="axes", top=5) == ("bars", "axes", 5)
    assert plot("dots") == ("dots", None)


def test_kinds_are_the_public_methods_in_order():
    assert Two.kinds() == ["bars", "dots"]
    assert repr(Two()) == "Two(bars, dots)"


@pytest.mark.parametrize("kind", ["bar", "_hidden", "kinds"])
def test_unknown_kinds_are_refused_with_what_there_is(kind):
    with pytest.raises(UnknownLabelError, match=r"Unknown kind of figure.*bars"):
        Two()(kind)
