from __future__ import annotations

import numpy as np
import pytest

from robustrank.errors import ParameterError
from robustrank.evidence import (
    assess_evidence,
    evidence_category,
    evidence_level,
    evidence_strength,
)
from robustrank.report.text import format_ess

# (n, q, level, ESS) of every distinct row of Tables 3-10 of "Dataset Scarcity Limits Robust
# Evaluation of Multilingual Embedding Models" (2026), printed there with two decimals.
PUBLISHED = [
    (0, 0, "E0", 0.00),
    (1, 1, "E1", 0.30),
    (2, 2, "E_RS", 0.60),
    (3, 1, "E_SC", 0.23),
    (4, 2, "E_RS+DS", 0.83),
]


@pytest.mark.parametrize(("n", "q", "level", "ess"), PUBLISHED)
def test_published_levels_and_scores(n, q, level, ess):
    evidence = assess_evidence(n, q)
    assert evidence.level == level
    assert format_ess(evidence.score) == f"{ess:.2f}"  # 0.825 is printed as 0.83


def test_language_scores_of_the_paper_are_means_over_eight_tasks():
    # Table 11: Slovenian and Bulgarian, from the (n, q) of Tables 3-10.
    slovenian = [(1, 1)] * 4 + [(3, 1)] + [(0, 0)] * 3
    bulgarian = [(1, 1)] * 5 + [(2, 2), (3, 1), (0, 0)]
    for cells, printed in ((slovenian, 0.18), (bulgarian, 0.29)):
        mean = np.mean([evidence_strength(n, q) for n, q in cells])
        assert round(float(mean), 2) == printed


def test_more_independent_datasets_are_never_weaker_evidence():
    scores = [evidence_strength(n, n) for n in range(8)]
    assert scores == sorted(scores)
    assert evidence_strength(9, 5) < evidence_strength(9, 6) <= 1.0


def test_saturation_is_a_parameter():
    assert evidence_strength(5, 5) == evidence_strength(9, 9)
    assert evidence_strength(5, 5, saturation=10) < evidence_strength(9, 9, saturation=10)


@pytest.mark.parametrize(
    ("score", "category"),
    [
        (0.0, "extremely weak"),
        (0.1, "weak"),
        (0.2499, "weak"),
        (0.25, "moderate"),
        (0.4, "comparatively strong"),
        (0.6, "very strong"),
        (1.0, "very strong"),
    ],
)
def test_categories_of_table_12(score, category):
    assert evidence_category(score) == category


@pytest.mark.parametrize(("n", "q"), [(2, 0), (2, 3), (0, 1)])
def test_impossible_counts_are_refused(n, q):
    with pytest.raises(ParameterError, match="between 1 and n"):
        evidence_level(n, q)


def test_other_bad_parameters():
    for n, q in ((-1, 0), (1.5, 1), ("2", 1)):
        with pytest.raises(ParameterError, match="whole number"):
            evidence_level(n, q)
    with pytest.raises(ParameterError, match="saturation"):
        evidence_strength(1, 1, saturation=0)
    with pytest.raises(ParameterError, match="between 0 and 1"):
        evidence_category(1.2)


def test_a_mean_that_is_a_bound_but_for_its_last_bits_is_at_the_bound():
    assert sum([0.3] * 3) / 9 < 0.1
    assert evidence_category(sum([0.3] * 3) / 9) == "weak"
    assert evidence_category(0.0999) == "extremely weak"


def test_datasets_without_results_count_in_n_alone():
    assert assess_evidence(4, 2, unscored=1).score == evidence_strength(4, 2)
    assert assess_evidence(3, 2, unscored=1).level == "E_RS"
    assert evidence_strength(3, 2, unscored=1) == pytest.approx(0.15 + 0.25 * 2 / 3 + 0.25)
    assert assess_evidence(1, 0, unscored=1).level == "E0"
    with pytest.raises(ParameterError, match="unscored"):
        evidence_strength(1, 1, unscored=2)
