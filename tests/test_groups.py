"""What every answer says of datasets that are counted in groups."""

from __future__ import annotations

import pytest

import robustrank as rr
from robustrank.errors import InputError, ParameterError
from tests.conftest import note_codes, random_scores

CLUSTERED = {
    "smaa": lambda board: rr.smaa(board, by="clusters", n_draws=20),
    "smallest_change": lambda board: rr.smallest_change(board, change="clusters"),
    "dataset_influence": lambda board: rr.dataset_influence(board, by="clusters"),
    "rank_confidence_sets": lambda board: rr.rank_confidence_sets(
        board, by="clusters", n_resamples=50
    ),
    "model_confidence_set": lambda board: rr.model_confidence_set(
        board, by="clusters", n_resamples=50
    ),
    "datasets_needed": lambda board: rr.datasets_needed(board, by="clusters", n_resamples=20),
    "pair": lambda board: rr.datasets_needed(board, ("m0", "m1"), by="clusters", n_resamples=20),
    "kinds": lambda board: rr.datasets_needed(board, kinds="clusters", n_resamples=20),
    "correct_winner": lambda board: rr.correct_winner(board, by="clusters", n_resamples=200),
    "planned_comparison": lambda board: rr.planned_comparison(
        board, "m0", "m1", by="clusters", n_resamples=200
    ),
}


@pytest.mark.parametrize("ask", CLUSTERED.values(), ids=CLUSTERED)
def test_clusters_over_a_handful_of_models_are_uncertain(ask):
    assert "few-models" in note_codes(ask(random_scores(9, 8)))
    assert "few-models" not in note_codes(ask(random_scores(10, 8)))


@pytest.mark.parametrize("ask", CLUSTERED.values(), ids=CLUSTERED)
def test_two_models_cannot_say_which_datasets_repeat_each_other(ask):
    with pytest.raises(InputError, match="fewer than three models"):
        ask(random_scores(2, 8))


def test_errors_name_the_parameter():
    with pytest.raises(ParameterError, match=r"^by must be"):
        rr.datasets_needed(random_scores(4, 5), by="languages")
    with pytest.raises(ParameterError, match=r"^kinds must be"):
        rr.datasets_needed(random_scores(4, 5), kinds="languages")
    with pytest.raises(InputError, match=r"^kinds has no group"):
        rr.datasets_needed(random_scores(4, 5), kinds={"d0": "a"})
