"""Expected values of small matrices, with both engines, and published worked examples."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from robustrank._numeric import average_ranks
from robustrank.mcdm import SCHEMES, methods, rank, rank_schemes, weights
from robustrank.mcdm.decision import Decision
from robustrank.mcdm.engine_pymcdm import PymcdmDecision
from robustrank.mcdm.flows import usual_flows

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "mcdm.json").read_text(encoding="utf-8")
)
CASES = pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
ENGINES = pytest.mark.parametrize("engine", ["numpy", "pymcdm"])


def expected_preference(scheme, score):
    return 1 - np.array(score) if scheme.startswith("vikor") else np.array(score)


@CASES
@ENGINES
def test_preferences_ranks_and_weights(case, engine):
    result = rank_schemes(case["matrix"], engine=engine)
    assert set(case["schemes"]) == set(SCHEMES)
    for scheme, expected in case["schemes"].items():
        preference = result.preferences["all", scheme].to_numpy()
        np.testing.assert_allclose(
            preference, expected_preference(scheme, expected["score"]), atol=6e-7
        )
        assert result.ranks["all", scheme].tolist() == expected["rank"], scheme
    for weighting, expected in case["weights"].items():
        np.testing.assert_allclose(result.weights["all", weighting], expected, atol=6e-11)


@CASES
@ENGINES
def test_other_normalizations(case, engine):
    assert case["variants"]
    for variant in case["variants"]:
        table = rank(
            case["matrix"],
            variant["scheme"],
            normalization=variant["normalization"],
            engine=engine,
        ).sort_index()
        np.testing.assert_allclose(table["preference"], variant["score"], atol=6e-7)
        assert table["rank"].tolist() == variant["rank"]


def test_copy_equals_the_shared_figures(shared):
    names = {
        "wsm": "WSM",
        "topsis": "TOPSIS",
        "vikor": "VIKOR",
        "promethee2-usual": "PROMETHEE_II_usual",
        "promethee2-gaussian": "PROMETHEE_II_gaussian",
    }
    original = json.loads((shared / "golden" / "mcdm.json").read_text(encoding="utf-8"))["cases"]
    for theirs, ours in zip(original, GOLDEN["cases"], strict=True):
        assert ours["matrix"] == theirs["matrix"]
        assert ours["weights"] == theirs["weights"]
        for scheme, expected in ours["schemes"].items():
            method, weighting = scheme.split("/")
            given = theirs["schemes"][f"{names[method]}|{weighting}"]
            assert expected == {"score": given["score"], "rank": given["rank"]}


@pytest.mark.parametrize("shape", [(3, 2), (20, 5), (60, 7), (200, 4)])
@pytest.mark.parametrize("seed", range(3))
def test_engines_agree_to_rounding(shape, seed):
    x = np.random.default_rng(seed).uniform(0.05, 0.95, shape)
    ours, theirs = rank_schemes(x), rank_schemes(x, engine="pymcdm")
    np.testing.assert_allclose(ours.preferences, theirs.preferences, atol=1e-12)
    np.testing.assert_allclose(ours.weights, theirs.weights, atol=1e-12)
    assert ours.ranks.equals(theirs.ranks)


def test_engine_really_is_pymcdm(monkeypatch):
    calls = []
    original = PymcdmDecision._call

    def counted(self, method, used, vector):
        calls.append(method)
        return original(self, method, used, vector) + 1.0

    monkeypatch.setattr(PymcdmDecision, "_call", counted)
    x = np.random.default_rng(0).uniform(0.1, 0.9, (20, 3))
    shifted = rank_schemes(x, engine="pymcdm").preferences - rank_schemes(x).preferences
    assert sorted(set(calls)) == ["promethee2-usual", "topsis", "vikor", "wsm"]
    for _, scheme in shifted:
        step = 0.0 if "gaussian" in scheme else 1.0
        np.testing.assert_allclose(shifted["all", scheme], step, atol=1e-12)


def test_pymcdm_weights_are_used(monkeypatch):
    from pymcdm import weights as pymcdm_weights

    monkeypatch.setattr(pymcdm_weights, "critic_weights", lambda x: np.array([0.9, 0.1]))
    x = np.random.default_rng(0).uniform(0.1, 0.9, (20, 2))
    result = rank_schemes(x, schemes="wsm/critic", engine="pymcdm")
    assert result.weights["all", "critic"].tolist() == [0.9, 0.1]
    assert Decision(x, ["a", "b"]).weights("critic", np.array([True, True]))[0][0] != 0.9


# -- published worked examples. A cost column enters as its negative or its inverse, which gives the
# same normalised values as the formulas for costs.


def test_merec_example_of_its_paper():
    """Keshavarz-Ghorabaee et al. (2021), Symmetry 13(4), 525: criteria 3 and 4 are costs."""
    matrix = np.array(
        [
            [450, 8000, 54, 145],
            [10, 9100, 2, 160],
            [100, 8200, 31, 153],
            [220, 9300, 1, 162],
            [5, 8400, 23, 158],
        ],
        dtype=float,
    )
    matrix[:, 2:] = 1 / matrix[:, 2:]
    np.testing.assert_allclose(
        weights.merec_weights(matrix), [0.5752, 0.0141, 0.4016, 0.0091], atol=5e-5
    )


def test_critic_example_of_its_paper():
    """Diakoulaki et al. (1995), Computers & Operations Research 22(7): eight Greek firms."""
    matrix = np.array(
        [
            [61, 1.08, 4.33],
            [20.7, 0.26, 4.34],
            [16.3, 1.98, 2.53],
            [9, 3.29, 1.65],
            [5.4, 2.77, 2.33],
            [4, 4.12, 1.21],
            [-6.1, 3.52, 2.10],
            [-34.6, 3.31, 0.98],
        ]
    )
    np.testing.assert_allclose(weights.critic_weights(matrix), [0.202, 0.481, 0.317], atol=5e-4)


def test_topsis_example_of_its_book():
    """Hwang & Yoon (1981): four fighter aircraft, vector normalisation, criterion 4 is a cost."""
    matrix = np.array(
        [
            [2.0, 1500, 20000, -5.5, 5, 9],
            [2.5, 2700, 18000, -6.5, 3, 5],
            [1.8, 2000, 21000, -4.5, 7, 7],
            [2.2, 1800, 20000, -5.0, 5, 5],
        ]
    )
    closeness = methods.topsis(
        methods.normalize(matrix, "vector"), np.array([0.2, 0.1, 0.1, 0.1, 0.2, 0.3])
    )
    np.testing.assert_allclose(closeness, [0.643, 0.268, 0.613, 0.312], atol=1e-3)


def test_vikor_and_topsis_on_the_mountain_climbing_example():
    """Opricovic & Tzeng (2004), EJOR 156(2): risk (a cost) and altitude, equal weights."""
    matrix = np.array([[-1, 3000], [-2, 3750], [-5, 4500]], dtype=float)
    half = np.array([0.5, 0.5])
    regret = methods.regrets(matrix)
    utility, worst = methods.vikor_terms(regret, half)
    np.testing.assert_allclose(utility, [0.5, 0.375, 0.5])
    np.testing.assert_allclose(worst, [0.5, 0.25, 0.5])
    np.testing.assert_allclose(1 - methods.vikor(regret, half), [1, 0, 1])
    np.testing.assert_allclose(
        methods.topsis(methods.normalize(matrix, "minmax"), half), [0.5, 0.617, 0.5], atol=5e-4
    )


def test_vikor_example_of_the_pymcdm_manual():
    """`pymcdm.methods.VIKOR`, documentation of version 1.4.0."""
    matrix = np.array(
        [[78, 56, 34, 6], [4, 45, 3, 97], [18, 2, 50, 63], [9, 14, 11, 92], [85, 9, 100, 29]],
        dtype=float,
    )
    preference = methods.vikor(methods.regrets(matrix), np.full(4, 0.25))
    np.testing.assert_allclose(1 - preference, [0.5679, 0.7667, 1, 0.7493, 0], atol=5e-5)


def test_wsm_example_of_the_pymcdm_manual():
    """`pymcdm.methods.WSM`, documentation of version 1.4.0: criteria 3 and 4 are costs."""
    matrix = np.array(
        [[96, 83, 75, 7], [63, 5, 56, 9], [72, 30, 32, 48], [11, 4, 27, 9], [77, 21, 17, 11]],
        dtype=float,
    )
    matrix[:, 2:] = 1 / matrix[:, 2:]
    given = np.array([8, 5, 6, 7]) / 13
    np.testing.assert_allclose(
        methods.wsm(methods.normalize(matrix, "sum"), given),
        [0.609, 0.313, 0.334, 0.265, 0.479],
        atol=5e-4,
    )


def test_promethee_example_of_the_pymcdm_manual():
    """`pymcdm.methods.PROMETHEE_II`, documentation of version 1.4.0: usual function."""
    flows = usual_flows(np.array([[4, 3, 2], [3, 2, 4], [5, 1, 3]], dtype=float))
    net = methods.promethee2(flows, np.array([0.5, 0.3, 0.2]))
    np.testing.assert_allclose(net, [0.1, -0.3, 0.2], atol=1e-12)
    assert average_ranks(net).tolist() == [2, 3, 1]
