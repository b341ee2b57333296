from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank import figures
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.figures import style
from tests.figures.layout import assert_readable


def rows(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def written(ax):
    return [text.get_text() for text in ax.texts]


@style.detached()
def draw(values, **options):
    return figures.shares(values, **options)


def test_bars_have_the_lengths_the_order_and_the_values_of_the_shares():
    ax = draw(pd.Series({"a": 0.25, "b": 0.68, "c": 0.07}), label="share of resamples")
    assert rows(ax) == ["a", "b", "c"]
    assert [bar.get_width() for bar in ax.patches] == [0.25, 0.68, 0.07]
    assert written(ax) == ["25%", "68%", "7%"]
    assert ax.get_xlim()[0] == 0
    assert ax.get_xlabel() == "share of resamples"


def test_values_never_say_none_of_some_nor_all_of_not_all():
    ax = draw(pd.Series([1.0, 0.9999, 0.984, 0.012, 0.0001, 0.0, 0.01], index=list("abcdefg")))
    assert written(ax) == ["100%", "over 99%", "98%", "1%", "under 1%", "0%", "1%"]


def test_zeros_after_the_last_share_and_missing_ones_are_counted():
    ax = draw(pd.Series([0.9, 0.0, 0.1, 0.0, 0.0, np.nan], index=list("abcdef")))
    assert rows(ax) == ["a", "b", "c", "… and 3 more models"]


def test_top_limits_the_rows():
    values = pd.Series(np.full(10, 0.1), index=[f"l{i}" for i in range(10)])
    assert rows(draw(values, top=9, noun="language"))[-1] == "… and 1 more language"
    assert len(rows(draw(values, top=None))) == 10


def test_all_zeros_are_drawn():
    assert written(draw(pd.Series([0.0, 0.0], index=["a", "b"]))) == ["0%", "0%"]


@pytest.mark.parametrize("m", [10, 93, 300])
def test_readable_and_the_same_bytes_twice(m):
    likely = np.random.default_rng(0).dirichlet(np.full(m, 0.3))
    values = pd.Series(likely, index=[f"group/a model with a long name {i}" for i in range(m)])
    assert_readable(draw(values, top=None))
    assert style.render(draw(values), "svg") == style.render(draw(values), "svg")


def test_refuses_percentages():
    with pytest.raises(ParameterError, match=r"model b does not\. Divide percentages by 100"):
        draw(pd.Series({"a": 0.5, "model b": 50.0}))


@pytest.mark.parametrize("values", [[], [np.nan]])
def test_refuses_nothing(values):
    with pytest.raises(EmptyMatrixError, match="nothing to draw"):
        draw(pd.Series(values, dtype=float))


def test_refuses_no_rows():
    with pytest.raises(ParameterError, match="top must be a whole number of at least 1"):
        draw(pd.Series({"a": 0.5}), top=0)
