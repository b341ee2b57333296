from __future__ import annotations

import numpy as np
import pytest

from robustrank.errors import EmptyMatrixError, UnknownLabelError
from robustrank.evaluators.hteb.statistics import robustness
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from tests.evaluators.hteb.statistics.boards import planted
from tests.evaluators.hteb.statistics.test_robustness import FAMILIES
from tests.figures.layout import assert_readable


@pytest.fixture(scope="module")
def found():
    return robustness(planted(models=6, datasets=9), n_splits=20, n_resamples=20, families=FAMILIES)


@pytest.mark.parametrize("kind", ["deltas", "dumbbell", "scale", "shifts", "stability", "taus"])
def test_every_figure_is_readable(found, kind):
    assert kind in found.plot.kinds()
    assert_readable(found.plot(kind))


def test_an_unknown_kind_is_named_with_those_there_are(found):
    assert len(found.plot.kinds()) == 6
    with pytest.raises(UnknownLabelError, match="did you mean 'deltas'"):
        found.plot("delta")


def test_the_dumbbell_has_the_scores_and_the_totals(found):
    ax = found.plot.dumbbell()
    total = found.profiles.table.xs("total", level="part")
    written = sorted(ax.texts, key=lambda text: (text.xyann[0], text.xy[1]))
    totals = [text.get_text() for text in written[len(written) // 2 :]]
    mean = total["score"].mean()
    assert totals == ["total", *(f"{100 * x:.1f}" for x in [*total["score"], mean])]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["original", *AXES]
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [*total.index, "ø"]


def test_deltas_are_in_points_grouped_by_axis(found):
    ax = found.plot.deltas()
    drawn = np.hstack([image.get_array() for image in ax.images])
    models = found.profiles.table.index.unique("model")
    expected = [
        [100 * found.profiles.table.loc[(model, name), "delta"] for name in TRANSFORMATIONS]
        for model in models
    ]
    np.testing.assert_allclose(drawn, expected)
    assert len(ax.images) == len(AXES)
    assert all(image.norm.vmin == -image.norm.vmax for image in ax.images)


def test_figures_go_onto_the_axes_of_a_user(found):
    from matplotlib.figure import Figure

    for kind in found.plot.kinds():
        ax = Figure().subplots()
        assert found.plot(kind, ax=ax) is ax


def test_many_models_are_cut_and_counted():
    found = robustness(planted(models=12, datasets=2, runs=1), n_splits=5, n_resamples=5)
    for kind in ("deltas", "dumbbell"):
        ax = found.plot(kind, top=5)
        assert_readable(ax)
        assert any("7" in label.get_text() for label in ax.get_yticklabels()[5:])


def test_without_families_there_is_no_figure_of_scale():
    found = robustness(planted(models=2, datasets=3), n_splits=5, n_resamples=5)
    with pytest.raises(EmptyMatrixError, match="pass families="):
        found.plot.scale()


def test_one_model_has_no_figure_of_ranks():
    found = robustness(planted(models=1, datasets=3), n_splits=5, n_resamples=5)
    assert_readable(found.plot.shifts())
    for kind in ("stability", "taus"):
        with pytest.raises(EmptyMatrixError, match="nothing to draw"):
            found.plot(kind)


def test_names_are_drawn_as_they_are(found):
    board = planted(models=2, datasets=3).replace({"model 0": "a$b$ <i>&", "model 1": "n" * 80})
    named = robustness(board, n_splits=5, n_resamples=5)
    for kind in ("dumbbell", "deltas"):
        ax = named.plot(kind)
        assert_readable(ax)
        assert any("a$b$ <i>&" in label.get_text() for label in ax.get_yticklabels())
