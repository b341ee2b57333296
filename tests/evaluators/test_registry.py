from __future__ import annotations

from importlib.metadata import EntryPoint

import pandas as pd
import pytest

from robustrank import ScoreMatrix
from robustrank.errors import UnknownLabelError
from robustrank.evaluators import (
    GROUP,
    Evaluation,
    Evaluator,
    base,
    evaluator_names,
    load_evaluator,
)


class Constant:
    """The smallest evaluator there can be."""

    def run(self, models, datasets, **options):
        table = pd.DataFrame(
            [(model, dataset, 0.5) for model in models for dataset in datasets],
            columns=["model", "dataset", "score"],
        )
        scores = table.set_index(["model", "dataset"])["score"].unstack()
        return Evaluation(ScoreMatrix(scores), table)


class Idle:
    """Not an evaluator."""


@pytest.fixture
def announced(monkeypatch):
    def entry_points(*, group):
        assert group == GROUP
        return [
            EntryPoint("constant", f"{__name__}:Constant", GROUP),
            EntryPoint("absent", "no_such_package:Thing", GROUP),
            EntryPoint("idle", f"{__name__}:Idle", GROUP),
        ]

    monkeypatch.setattr(base, "entry_points", entry_points)


def test_a_third_party_evaluator_is_found_by_name(announced):
    assert evaluator_names() == ["absent", "constant", "idle"]
    evaluator = load_evaluator("constant")
    assert isinstance(evaluator, Evaluator)
    result = evaluator.run(["a", "b"], ["x"])
    assert result.matrix.shape == (2, 1)
    assert len(result.table) == 2


def test_an_unknown_name_is_answered_with_the_known_ones(announced):
    with pytest.raises(UnknownLabelError, match=r"'constnat'.*'constant'"):
        load_evaluator("constnat")


def test_what_cannot_run_is_refused(announced):
    with pytest.raises(TypeError, match="'idle', has no run method"):
        load_evaluator("idle")


def test_listing_does_not_import_what_is_announced(announced):
    assert "absent" in evaluator_names()
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        load_evaluator("absent")
