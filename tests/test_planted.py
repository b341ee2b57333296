"""Boards with a planted defect: each gets its finding and no other, a clean board none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import robustrank as rr
from tests.conftest import analyze, frame, note_codes

if TYPE_CHECKING:
    import pandas as pd

#: Says of any board without repeated datasets that swaps cannot be assessed.
ALWAYS = {"one-composition"}


def clean() -> pd.DataFrame:
    """Scores of 24 models on 12 datasets that all depend on one ability."""
    rng = np.random.default_rng(0)
    ability, ease = rng.uniform(0.3, 0.7, (24, 1)), rng.uniform(-0.1, 0.1, 12)
    return frame(np.clip(ability + ease + rng.normal(0, 0.08, (24, 12)), 0.05, 0.95))


def identical(scores: pd.DataFrame) -> pd.DataFrame:
    scores.loc["m1"] = scores.loc["m0"]
    return scores


def constant_lead(scores: pd.DataFrame) -> pd.DataFrame:
    scores.loc["m1"] = scores.loc["m0"] - 0.03
    return scores


def copied(scores: pd.DataFrame) -> pd.DataFrame:
    return scores.assign(**{f"copy{k}": scores["d0"] for k in range(4)})


def reversed_dataset(scores: pd.DataFrame) -> pd.DataFrame:
    return scores.assign(d3=1 - scores["d3"])


def constant(scores: pd.DataFrame) -> pd.DataFrame:
    return scores.assign(d3=0.5)


def saturated(scores: pd.DataFrame) -> pd.DataFrame:
    return scores.assign(d3=0.98 + scores["d3"] / 100)


def missing_cell(scores: pd.DataFrame) -> pd.DataFrame:
    scores.loc["m4", "d3"] = np.nan
    return scores


BOARDS = {
    clean: (set(), set()),
    identical: ({"identical-models"}, set()),
    constant_lead: (set(), set()),
    copied: ({"identical-datasets", "repeated-datasets"}, {"redundant"}),
    reversed_dataset: ({"reversed-datasets"}, {"reversed"}),
    constant: ({"constant-datasets"}, {"degenerate"}),
    saturated: (set(), {"saturated"}),
    missing_cell: ({"dropped-models"}, set()),
}


@pytest.mark.parametrize("planted", BOARDS, ids=lambda planted: planted.__name__)
def test_a_board_gets_its_finding_and_no_other(planted):
    scores = clean() if planted is clean else planted(clean())
    notes, flags = BOARDS[planted]
    assert set(note_codes(analyze(scores))) - ALWAYS == notes
    table = rr.screen_datasets(scores).table
    found = {name for name in table if table[name].dtype == bool and table[name].any()}
    assert found == flags
    culprits = {"copied": {"d0", *(f"copy{k}" for k in range(4))}}.get(planted.__name__, {"d3"})
    flagged = table.index[table[list(flags)].any(axis=1)] if flags else []
    assert set(flagged) <= culprits


def test_copies_do_not_pass_for_evidence():
    scores = copied(clean())
    by_dataset, by_cluster = (
        rr.paired_bootstrap(scores, resampling=how, n_resamples=4000)
        for how in ("datasets", "clusters")
    )
    assert by_cluster.settings["n_units"] == 12
    assert (by_cluster.standard_error > by_dataset.standard_error).mean() > 0.9


def test_a_cycle_is_one_tier():
    """Each of three models beats one of the others on two datasets of three."""
    cycle = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.9], [0.7, 0.9, 0.8]])
    found = analyze(frame(np.tile(cycle, 4) + np.linspace(0, 0.02, 12)), n_resamples=1000)
    assert found.bootstrap.tiers.tolist() == [1, 1, 1]
    assert found.to_frame()["rank"].tolist() == [2.0, 2.0, 2.0]
    assert found.bootstrap.p_best.sum() == pytest.approx(1.0)
    assert found.bootstrap.resolved == 0.0


def test_a_constant_lead_is_certain_and_identical_models_are_not_told_apart():
    lead = analyze(constant_lead(clean())).bootstrap
    assert lead.pairwise.loc["m0", "m1"] == 1.0
    assert lead.p_values.loc["m0", "m1"] == pytest.approx(2 / 201)
    same = analyze(identical(clean())).bootstrap
    assert same.pairwise.loc["m0", "m1"] == 0.5
    assert same.p_values.loc["m0", "m1"] == 1.0
    assert same.rank["m0"] == same.rank["m1"]
    assert same.tiers["m0"] == same.tiers["m1"]
