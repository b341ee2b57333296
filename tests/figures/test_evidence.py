"""Levels of evidence as colours."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from robustrank import figures
from robustrank.errors import EmptyMatrixError, UnknownLabelError
from robustrank.evidence import LEVELS
from robustrank.figures import style
from tests.figures.layout import assert_readable, read

TASKS = [
    "BitextMining",
    "Classification",
    "InstructionReranking",
    "MultilabelClassification",
    "STS",
]


def levels(languages: int) -> pd.DataFrame:
    order = list(LEVELS)
    values = [[order[(i + j) % 5] for j in range(5)] for i in range(languages)]
    return pd.DataFrame(values, index=[f"l{i:03}" for i in range(languages)], columns=TASKS)


def draw(data: pd.DataFrame, **options):
    with style.detached():
        return figures.evidence(data, **options)


def test_cells_are_levels_from_the_weakest():
    ax = draw(levels(6))
    (image,) = ax.images
    expected = np.array([[(i + j) % 5 for j in range(5)] for i in range(6)], dtype=float)
    expected[expected == 0] = np.nan
    np.testing.assert_array_equal(image.get_array().filled(np.nan), expected)
    texts = {text.get_position()[::-1]: read(text) for text in ax.texts}
    assert [texts[0, j] for j in range(5)] == ["0", "1", "SC", "RS", "RS+DS"]
    assert len(texts) == 30


def test_the_legend_has_the_colours_of_the_cells():
    ax = draw(levels(6))
    (image,) = ax.images
    patches = ax.get_legend().get_patches()
    labels = [read(text).split("  ")[0] for text in ax.get_legend().get_texts()]
    assert labels == list(LEVELS)
    colours = [to_hex(patch.get_facecolor()) for patch in patches]
    cells = [to_hex(image.cmap(image.norm(level))) for level in range(1, 5)]
    assert colours == [style.BAND, *cells]
    assert len(set(colours)) == 5


def test_stronger_levels_are_lighter():
    (image,) = draw(levels(6)).images
    lightness = image.cmap(image.norm(np.arange(1, 5)))[:, :3] @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(lightness) > 0.1).all()


def test_languages_left_out_are_counted():
    ax = draw(levels(229))
    rows = [read(label) for label in ax.get_yticklabels()]
    assert rows == [*levels(60).index, "… and 169 more languages"]


@pytest.mark.parametrize(("languages", "top"), [(1, 60), (6, 60), (229, 60)])
def test_is_readable(languages, top):
    assert_readable(draw(levels(languages), top=top))


def test_awkward_names_are_drawn_as_they_are():
    names = ["a$b$/<script>&", "中文", "x" * 80]
    assert_readable(draw(levels(3).set_axis(names)))


def test_the_same_table_gives_the_same_bytes():
    assert style.render(draw(levels(9)), "svg") == style.render(draw(levels(9)), "svg")


def test_says_what_is_wrong():
    with pytest.raises(UnknownLabelError, match=r"evidence level 'E2'.*E_SC"):
        draw(levels(3).replace("E1", "E2"))
    with pytest.raises(EmptyMatrixError, match="no rows"):
        draw(levels(0))
