"""The figures of *HTEB*, from a long table as its evaluator writes it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank import figures
from robustrank.evaluators.hteb.statistics.totals import total_scores
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from robustrank.figures import style
from tests.figures.layout import assert_readable

#: The models of the English benchmark, as many datasets as it has, and its three seeds.
MODELS = [
    "All-MiniLM-L12-v2",
    "F2LLM-v2-4B",
    "Jasper-600M",
    "Jina-Embeddings-v5-Text-Small",
    "Llama-Nemotron-Embed-8B",
    "MXBAI-Embed-Large-v1",
    "NV-Embed-v2",
    "Qwen3-Embedding-8B",
]
DATASETS = [f"dataset {j}" for j in range(19)]
#: About how many points each transformation costs.
DROPS = dict(zip(TRANSFORMATIONS, (4, 3, 3, 7, 4, 6, 16, 18), strict=True))


@pytest.fixture(scope="module")
def long() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = []
    for i, model in enumerate(MODELS):
        for dataset in DATASETS:
            base = rng.normal(0.6 + 0.02 * i, 0.1)
            rows += [
                {
                    "model": model,
                    "dataset": dataset,
                    "transformation": name,
                    "seed_transform": seed,
                    "score": base - rng.normal(drop, 2) / 100,
                }
                for seed in range(3)
                for name, drop in {"original": 0, **DROPS}.items()
            ]
    return pd.DataFrame(rows)


def means(long: pd.DataFrame, values) -> pd.DataFrame:
    """Mean over datasets, model × value of `total_scores`, best original first."""
    table = pd.DataFrame({name: total_scores(long, name).mean(axis=1) for name in values})
    return table.sort_values(table.columns[0], ascending=False)


def test_figure_4_total_is_that_of_the_evaluator(long):
    table = means(long, ["original", *AXES])
    ax = figures.dumbbell(table, label="score", total_label="HTEB")
    written = sorted(ax.texts, key=lambda text: (text.xyann[0], text.xy[1]))
    totals = [text.get_text() for text in written[len(written) // 2 :]]
    expected = total_scores(long).mean(axis=1).loc[table.index]
    assert totals == ["HTEB", *(f"{x:.3f}" for x in [*expected, expected.mean()])]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["original", *AXES]
    assert_readable(ax)


def test_figure_6_is_a_heatmap_around_0(long):
    deltas = means(long, ["original", *TRANSFORMATIONS])
    deltas = 100 * deltas[list(TRANSFORMATIONS)].sub(deltas["original"], axis=0)
    deltas.columns = pd.MultiIndex.from_tuples(
        [(axis, name) for axis, names in AXES.items() for name in names]
    )
    ax = figures.heatmap(deltas, label="Δ in points", center=0, decimals=1)
    # One image per axis of transformations.
    drawn = np.hstack([image.get_array() for image in ax.images])
    np.testing.assert_allclose(drawn, deltas.to_numpy())
    assert all(image.norm.vmin == -image.norm.vmax for image in ax.images)
    assert_readable(ax)


def test_figure_7_is_a_forest_of_shifts(long):
    from scipy.stats import wilcoxon

    original = total_scores(long, "original")
    rows = {}
    for name in TRANSFORMATIONS:
        change = (total_scores(long, name) - original).mean(axis=0).to_numpy()
        pairs = (change[:, None] + change[None, :])[np.triu_indices(len(change))] / 2
        rows[name] = {
            "estimate": np.median(pairs),
            "low": np.quantile(pairs, 0.025),
            "high": np.quantile(pairs, 0.975),
            "p_value": wilcoxon(change).pvalue,
            "median_difference": np.median(np.abs(change)),
        }
    table = pd.DataFrame.from_dict(rows, orient="index")
    ax = figures.shifts(table, label="Hodges–Lehmann shift of the score")
    assert [label.get_text() for label in ax.get_yticklabels()] == list(TRANSFORMATIONS)
    np.testing.assert_allclose(ax.collections[1].get_offsets()[:, 0], table["estimate"])
    assert_readable(ax)


def test_figures_4_and_7_fit_the_axes_of_a_user(long):
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(18, 4), layout="constrained").subplots(1, 2)
    for ax, some in zip(drawn, (MODELS[:4], MODELS[4:]), strict=True):
        figures.dumbbell(means(long[long["model"].isin(some)], ["original", *AXES]), ax)
    assert_readable(drawn[0])
    assert style.render(drawn[0], "png")
