"""How often intervals hold the truth and tests err, by a small simulation.

The differences are of models on datasets that share their texts, as in ``benchmarks``, where the
numbers of the documentation come from. Here bounds are wide enough for few boards, and narrow
enough to notice observations that are taken to be independent.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.evaluators.hteb.statistics.profiles import profiles
from robustrank.evaluators.hteb.statistics.scores import Scores, with_axes
from robustrank.evaluators.hteb.statistics.shifts import shifts
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS

NAMES = list(TRANSFORMATIONS)
MODELS, DATASETS, BOARDS = 5, 14, 16
EFFECTS = -0.02 * np.arange(1, 9)


def drawn(rng, effects):
    """Scores whose differences are a transformation's effect and what the dataset's texts add."""
    delta = (
        effects
        + rng.normal(0.0, 0.05, (DATASETS, len(NAMES)))
        + rng.normal(0.0, 0.02, (MODELS, DATASETS, len(NAMES)))
    )
    names = [[f"m{i}" for i in range(MODELS)], [f"d{j}" for j in range(DATASETS)]]
    index = pd.MultiIndex.from_product(names, names=["model", "dataset"])
    baseline = pd.DataFrame(0.7, index=index, columns=NAMES)
    return Scores(
        transformed=baseline + delta.reshape(-1, len(NAMES)),
        baseline=baseline,
        runs=pd.DataFrame(),
        axes=AXES,
        task_types=pd.Series("STS", index=names[1]),
    )


def held(table, truth):
    return float(((table["low"] <= truth) & (truth <= table["high"])).mean())


@pytest.fixture(scope="module")
def boards():
    rng = np.random.default_rng(11)
    return [drawn(rng, EFFECTS) for _ in range(BOARDS)]


def test_intervals_of_shifts_hold_the_truth_where_datasets_are_the_units(boards):
    shares = {
        by: np.mean([held(shifts(board, observations=by).table, EFFECTS) for board in boards])
        for by in ("datasets", "pairs")
    }
    assert 0.91 < shares["datasets"] < 0.99
    assert shares["pairs"] < 0.8  # five models share the texts of a dataset


def test_intervals_of_profiles_hold_the_truth(boards):
    truth = with_axes(pd.DataFrame([EFFECTS], columns=NAMES), AXES).iloc[0]
    found = []
    for board in boards[:8]:
        table = profiles(board).table
        table = table[table.index.get_level_values("part").isin(truth.index)]
        found.append(held(table, truth[table.index.get_level_values("part")].to_numpy()))
    assert 0.91 < np.mean(found) < 0.99


def test_without_an_effect_hardly_any_is_found():
    """At 0.05 over all eight: about 1 of 16 boards, and most where pairs are the units."""
    rng = np.random.default_rng(12)
    wrong = {"datasets": 0, "pairs": 0}
    for _ in range(BOARDS):
        board = drawn(rng, np.zeros(len(NAMES)))
        for by in wrong:
            wrong[by] += int((shifts(board, observations=by).table["p_value"] < 0.05).any())
    assert wrong["datasets"] <= 3
    assert wrong["pairs"] >= 10
