"""Every rank of the models on the first places."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank import figures
from robustrank._dendrogram import cluster_models
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.figures import style
from tests.figures.layout import assert_readable

SCHEMES = ["wsm/equal", "topsis/critic", "promethee2-gaussian/merec"]
RANKINGS = pd.MultiIndex.from_product([["all", "pick-1"], SCHEMES], names=["composition", "scheme"])


def ranks(models: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    scores = np.arange(models)[:, None] + rng.normal(scale=3, size=(models, len(RANKINGS)))
    index = pd.Index([f"organisation/model-{i}" for i in range(models)], name="model")
    return pd.DataFrame(scores, index=index, columns=RANKINGS).rank()


def draw(data: pd.DataFrame, **options):
    with style.detached():
        return figures.rankings(data, **options)


def rows(ax) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def test_shows_whoever_is_in_any_top_in_the_order_of_the_tree():
    data = ranks(40)
    inside = data[(data <= 5).any(axis=1)]
    tree = cluster_models(inside)
    ax = draw(data, top_k=5)
    assert rows(ax) == [*tree.order, f"… and {40 - len(inside)} more models"]
    drawn = np.hstack([image.get_array() for image in ax.images])
    np.testing.assert_array_equal(drawn, inside.loc[tree.order].to_numpy())
    heights = [segment[1][0] for segment in ax.child_axes[0].collections[0].get_segments()]
    assert heights == pytest.approx(list(tree.merges["height"]))


def test_ranks_are_written_and_first_places_are_lightest():
    data = ranks(12)
    ax = draw(data, top_k=3)
    image = ax.images[0]
    lightness = image.cmap(image.norm(np.arange(1, image.norm.vmax + 1)))[:, :3] @ [
        0.2126,
        0.7152,
        0.0722,
    ]
    assert (np.diff(lightness) < 0).all()
    texts = {text.get_position()[::-1]: text.get_text() for text in ax.texts}
    first = rows(ax)[0]
    assert [texts[0, x] for x in ax.get_xticks()] == [f"{rank:g}" for rank in data.loc[first]]


def test_columns_are_grouped_by_composition():
    ax = draw(ranks(12), top_k=3)
    assert [label.get_text() for label in ax.get_xticklabels()] == SCHEMES * 2
    assert len(ax.images) == 2
    assert {"all", "pick-1"} <= {text.get_text() for text in ax.texts}


@pytest.mark.parametrize("models", [1, 10, 93, 300])
def test_is_readable(models):
    assert_readable(draw(ranks(models)))


def test_awkward_names_and_the_same_bytes():
    data = ranks(4).set_axis(["a$b$/<script>&", "模型/向量", "line\nbreak", "x" * 80])
    assert_readable(draw(data))
    assert style.render(draw(data), "svg") == style.render(draw(data), "svg")


def test_a_vector_file_stays_small():
    columns = pd.MultiIndex.from_product([[f"pick-{i}" for i in range(4)], map(str, range(15))])
    data = pd.concat([ranks(300, seed) for seed in range(10)], axis="columns")
    data.columns = columns
    assert len(style.render(draw(data), "svg")) < 150_000


def test_models_with_a_missing_rank_are_counted():
    data = ranks(8)
    first = data.index[0]
    data.loc[first, RANKINGS[3]] = np.nan
    ax = draw(data, top_k=8)
    assert sorted(rows(ax)) == sorted([*data.index[1:], "… and 1 more model"])


def test_says_what_is_wrong():
    with pytest.raises(ParameterError, match="top_k must be a whole number"):
        draw(ranks(3), top_k=0)
    with pytest.raises(EmptyMatrixError, match="no model is in a top 1"):
        draw(ranks(3) + 1, top_k=1)
