"""The instance-level fit: its optimum, recovery of what was planted, and its input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank import ScoreMatrix
from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    FormatError,
    MissingScoresError,
    NonNumericError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.irt import fit_2pl_instances
from robustrank.irt._quadrature import COARSEST
from tests.conftest import note_codes
from tests.irt.simulation import objective, simulate, slow_fit

MODEL_FIELDS = ["ability", "ability_se", "accuracy"]
ITEM_FIELDS = ["discrimination", "discrimination_se", "difficulty", "difficulty_se"]


def correlation(x, y):
    return float(np.corrcoef(x, y)[0, 1])


def emptied(answers, models, items):
    """A copy without these responses."""
    changed = answers.copy()
    changed.loc[models, items] = np.nan
    return changed


def parameters(fit):
    a, b = fit.discrimination.to_numpy(), fit.difficulty.to_numpy()
    return np.concatenate([np.log(a), -a * b])


# The optimum


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_the_optimum_is_that_of_a_slow_fit(missing):
    answers = simulate(12, 4, seed=3, missing=missing).answers
    fit = fit_2pl_instances(answers)
    expected, height = slow_fit(answers.to_numpy())
    assert fit.converged
    np.testing.assert_allclose(parameters(fit), expected, atol=2e-4)
    assert fit.objective[-1] == pytest.approx(height, abs=1e-6)
    assert fit.objective[-1] >= height - 1e-9


def test_item_errors_are_those_of_the_numerical_second_derivative():
    answers = simulate(12, 4, seed=3, missing=0.2).answers
    fit = fit_2pl_instances(answers, tolerance=1e-9)
    at, step = parameters(fit), 1e-3

    def value(j, k, u, v):
        moved = at.copy()
        moved[j] += u * step
        moved[k] += v * step
        return objective(moved, answers.to_numpy())

    n = answers.shape[1]
    for item in range(n):
        pair = [item, n + item]
        hessian = np.array(
            [
                [
                    (
                        value(j, k, 1, 1)
                        - value(j, k, 1, -1)
                        - value(j, k, -1, 1)
                        + value(j, k, -1, -1)
                    )
                    / (4 * step**2)
                    for k in pair
                ]
                for j in pair
            ]
        )
        covariance = np.linalg.inv(-hessian)
        a, b = fit.discrimination.iloc[item], fit.difficulty.iloc[item]
        gradient = np.array([-b, -1 / a])
        assert fit.discrimination_se.iloc[item] == pytest.approx(
            a * np.sqrt(covariance[0, 0]), rel=1e-4
        )
        assert fit.difficulty_se.iloc[item] == pytest.approx(
            np.sqrt(gradient @ covariance @ gradient), rel=1e-4
        )


def test_ability_is_the_mean_of_the_posterior():
    answers = simulate(10, 5, seed=1, missing=0.2).answers
    fit = fit_2pl_instances(answers)
    nodes = np.linspace(-9, 9, 2001)
    a, b = fit.discrimination.to_numpy(), fit.difficulty.to_numpy()
    p = 1 / (1 + np.exp(-a * (nodes[:, None] - b)))
    for model, row in answers.iterrows():
        held = row.notna().to_numpy()
        likelihood = np.where(row == 1, p, 1 - p)[:, held].prod(axis=1)
        density = likelihood * np.exp(-(nodes**2) / 2)
        density /= density.sum()
        mean = density @ nodes
        assert fit.ability[model] == pytest.approx(mean, abs=1e-8)
        assert fit.ability_se[model] == pytest.approx(
            np.sqrt(density @ (nodes - mean) ** 2), abs=1e-8
        )


@given(st.integers(2, 9), st.integers(2, 7), st.integers(0, 10_000), st.sampled_from([0.0, 0.25]))
def test_the_objective_never_falls(models, items, seed, missing):
    rng = np.random.default_rng(seed)
    answers = (rng.random((models, items)) < rng.random(items)).astype(float)
    holes = rng.random((models, items)) < missing
    holes[:, 0] &= np.arange(models) > 0  # every model and item keeps a response
    holes[0] = False
    holes[:, -1] = False
    answers[holes] = np.nan
    fit = fit_2pl_instances(answers)
    assert np.diff(fit.objective).min() >= -1e-9
    assert fit.converged
    assert np.isfinite(fit.ability).all()
    assert (fit.discrimination > 0).all()
    assert (fit.difficulty_se > 0).all()


def test_the_end_does_not_depend_on_when_one_looks():
    answers = simulate(30, 60).answers
    fit = fit_2pl_instances(answers)
    again = fit_2pl_instances(answers, n_nodes=1001, tolerance=1e-9)
    np.testing.assert_allclose(fit.ability, again.ability, atol=1e-5)
    np.testing.assert_allclose(fit.difficulty, again.difficulty, atol=1e-4)


# Recovery


@pytest.mark.parametrize(
    ("models", "items", "ability", "log_a", "b"),
    [(93, 22, 0.85, 0.6, 0.8), (50, 500, 0.99, 0.65, 0.85), (37, 1500, 0.992, 0.5, 0.8)],
)
def test_recovery(models, items, ability, log_a, b):
    planted = simulate(models, items)
    fit = fit_2pl_instances(planted.answers)
    assert correlation(fit.ability, planted.ability) > ability
    assert correlation(np.log(fit.discrimination), np.log(planted.discrimination)) > log_a
    assert correlation(fit.difficulty, planted.difficulty) > b
    assert fit.ability.nunique() == models
    assert fit.n_iterations < 40  # plain EM takes hundreds


def test_item_errors_are_as_large_as_the_errors():
    planted = simulate(200, 60, seed=1)
    fit = fit_2pl_instances(planted.answers)
    for name, truth in (
        ("discrimination", planted.discrimination),
        ("difficulty", planted.difficulty),
    ):
        z = (getattr(fit, name) - truth) / getattr(fit, f"{name}_se")
        assert 0.7 < z.std() < 1.3
    z = (fit.ability - planted.ability) / fit.ability_se
    assert 0.8 < z.std() < 1.3


def test_missing_responses_are_left_out():
    planted = simulate(40, 400, missing=0.3)
    fit = fit_2pl_instances(planted.answers)
    assert correlation(fit.ability, planted.ability) > 0.98
    assert "missing-responses" in note_codes(fit)
    counted_wrong = fit_2pl_instances(planted.answers.fillna(0.0))
    assert correlation(counted_wrong.ability, planted.ability) < 0.975
    assert fit.difficulty.median() < 0.1 < counted_wrong.difficulty.median()


def test_ability_survives_items_that_models_did_not_choose():
    # Half of the models answer mostly hard items: accuracy misleads, ability does not.
    planted = simulate(40, 300, seed=2)
    hard = planted.difficulty > 0
    answers = planted.answers.copy()
    rng = np.random.default_rng(0)
    answers.iloc[:20, :] = answers.iloc[:20].mask(~hard & (rng.random((20, 300)) < 0.9))
    answers.iloc[20:, :] = answers.iloc[20:].mask(hard & (rng.random((20, 300)) < 0.9))
    fit = fit_2pl_instances(answers)
    assert correlation(fit.ability, planted.ability) > 0.98
    assert correlation(fit.accuracy, planted.ability) < 0.9


# Quadrature


def test_the_grid_is_finer_than_the_narrowest_posterior():
    answers = simulate(12, 1500).answers
    fit = fit_2pl_instances(answers, n_nodes=21)
    assert fit.n_nodes > 201
    # The grid reaches at least from -6 to 6.
    assert 12 / (fit.n_nodes - 1) <= COARSEST * fit.ability_se.min()
    assert fit.ability.nunique() == 12
    reference = fit_2pl_instances(answers, n_nodes=701)
    np.testing.assert_allclose(fit.ability, reference.ability, atol=1e-6)


def test_a_perfect_model_is_not_at_the_end_of_the_grid():
    answers = simulate(15, 600).answers
    answers.iloc[0] = 1
    answers.iloc[1] = 0
    fit = fit_2pl_instances(answers)
    assert fit.ability.idxmax() == "m0"
    assert fit.ability.idxmin() == "m1"
    assert (fit.ability_se.iloc[:2] > 2 * fit.ability_se.iloc[2:].median()).all()
    note = next(n for n in fit.notes if n.code == "perfect-models")
    assert set(note.labels) == {"m0", "m1"}
    # Neither the number of nodes nor how far they reach matters.
    finer = fit_2pl_instances(answers, n_nodes=801)
    np.testing.assert_allclose(fit.ability, finer.ability, atol=1e-6)


def test_constant_items_have_a_difficulty_of_the_right_sign():
    answers = simulate(40, 30).answers
    answers["easy"] = 1
    answers["hard"] = 0
    fit = fit_2pl_instances(answers)
    assert fit.difficulty.idxmin() == "easy"
    assert fit.difficulty["easy"] < -2
    assert fit.difficulty["hard"] > 2
    note = next(n for n in fit.notes if n.code == "constant-items")
    assert {"easy", "hard"} <= set(note.labels)


def test_thousands_of_items_do_not_underflow():
    fit = fit_2pl_instances(simulate(5, 4000).answers)
    assert np.isfinite(fit.ability).all()
    assert fit.log_likelihood < -5000


def test_a_reversed_item_has_little_discrimination():
    planted = simulate(60, 40)
    answers = planted.answers
    answers["reversed"] = (planted.ability < 0).astype(float)
    fit = fit_2pl_instances(answers)
    assert fit.discrimination.idxmin() == "reversed"


# What changes nothing


def test_order_and_names_change_no_bit():
    planted = simulate(25, 120, missing=0.1).answers
    fit = fit_2pl_instances(planted)
    rng = np.random.default_rng(1)
    shuffled = planted.iloc[rng.permutation(25), rng.permutation(120)]
    renamed = shuffled.rename(
        index=lambda m: f"z{hash(m) % 997}-{m}", columns=lambda q: f"{q[::-1]}"
    )
    for other, models, items in (
        (fit_2pl_instances(shuffled), shuffled.index, shuffled.columns),
        (fit_2pl_instances(renamed), shuffled.index, shuffled.columns),
    ):
        for name in MODEL_FIELDS:
            assert np.array_equal(getattr(other, name), getattr(fit, name)[models]), name
        for name in ITEM_FIELDS:
            assert np.array_equal(getattr(other, name), getattr(fit, name)[items]), name
        assert other.objective == fit.objective


def test_copies_get_the_same_estimates():
    answers = simulate(20, 50).answers
    answers.loc["copy"] = answers.loc["m3"]
    answers["same"] = answers["q7"]
    fit = fit_2pl_instances(answers)
    assert fit.ability["copy"] == fit.ability["m3"]
    assert fit.difficulty["same"] == fit.difficulty["q7"]
    # Models that differ by one answer differ.
    assert fit.ability.nunique() == 20


def test_copies_count():
    # Collapsing equal models and items is a matter of speed: the optimum is that of all of them.
    answers = simulate(8, 3, seed=5).answers
    doubled = pd.concat([answers, answers.add_suffix("'", axis=0)])
    doubled = pd.concat([doubled, doubled[["q0"]].rename(columns={"q0": "r"})], axis=1)
    fit = fit_2pl_instances(doubled)
    expected, _ = slow_fit(doubled.to_numpy())
    np.testing.assert_allclose(parameters(fit), expected, atol=5e-4)


@pytest.mark.parametrize(
    "kind", ["bool", "int8", "float32", "boolean", "Int64", "Float64", "object"]
)
def test_types_of_cells(kind):
    answers = simulate(12, 20).answers
    expected = fit_2pl_instances(answers).ability
    assert np.array_equal(fit_2pl_instances(answers.astype(kind)).ability, expected)


@pytest.mark.parametrize(("kind", "hole"), [("boolean", pd.NA), ("object", None), ("Int64", pd.NA)])
def test_types_of_missing_cells(kind, hole):
    answers = simulate(12, 20).answers
    typed = answers.astype(kind)
    typed.iloc[3, 4] = hole
    answers.iloc[3, 4] = np.nan
    assert np.array_equal(fit_2pl_instances(typed).ability, fit_2pl_instances(answers).ability)


def test_arrays_and_score_matrices():
    answers = simulate(12, 20).answers
    fit = fit_2pl_instances(answers)
    array = fit_2pl_instances(answers.to_numpy().tolist())
    assert list(array.ability.index[:2]) == ["m1", "m2"]
    assert list(array.difficulty.index[:2]) == ["i1", "i2"]
    assert np.array_equal(array.ability, fit.ability)
    assert np.array_equal(fit_2pl_instances(ScoreMatrix(answers)).ability, fit.ability)


def test_the_given_table_is_kept():
    answers = simulate(6, 9, missing=0.2).answers
    before = answers.copy()
    fit = fit_2pl_instances(answers)
    pd.testing.assert_frame_equal(answers, before)
    pd.testing.assert_frame_equal(fit.responses, before, check_names=False)
    assert fit.accuracy["m2"] == before.loc["m2"].mean()


# Scoring


def test_scoring_the_models_fitted_gives_their_abilities():
    answers = simulate(25, 80, missing=0.2).answers
    fit = fit_2pl_instances(answers)
    scored = fit.score_new(answers)
    np.testing.assert_allclose(scored["ability"], fit.ability, atol=1e-10)
    np.testing.assert_allclose(scored["ability_se"], fit.ability_se, atol=1e-10)


def test_scoring_one_model_in_every_form():
    answers = simulate(25, 80).answers
    fit = fit_2pl_instances(answers)
    expected = fit.ability["m4"]
    row = answers.loc["m4"]
    for one in (row, row.to_numpy(), row.astype("boolean"), answers.loc[["m4"]], row.iloc[::-1]):
        scored = fit.score_new(one)
        assert scored.shape == (1, 2)
        assert scored["ability"].iloc[0] == pytest.approx(expected, abs=1e-10)
    assert fit.score_new(row).index[0] == "m4"


def test_scoring_on_some_items_is_less_certain():
    answers = simulate(25, 80).answers
    fit = fit_2pl_instances(answers)
    some = fit.score_new(answers.iloc[:, :20])
    holes = answers.copy()
    holes.iloc[:, 20:] = np.nan
    pd.testing.assert_frame_equal(some, fit.score_new(holes))
    assert (some["ability_se"] > fit.ability_se).all()


def test_scoring_refuses_what_it_does_not_know():
    answers = simulate(10, 12).answers
    fit = fit_2pl_instances(answers)
    with pytest.raises(UnknownLabelError, match=r"Unknown item 'q99'.*'q9'"):
        fit.score_new(answers.rename(columns={"q3": "q99"}))
    with pytest.raises(FormatError, match="12 items"):
        fit.score_new(np.ones(11))
    with pytest.raises(MissingScoresError, match="m2"):
        fit.score_new(emptied(answers, "m2", slice(None)))
    with pytest.raises(NonNumericError, match="'m4' on 'q0'"):
        fit.score_new(answers.loc["m4"] * 0.0 + 0.5)


# The engine girth


def test_girth_agrees_on_few_items():
    answers = simulate(150, 10, seed=4).answers
    ours, theirs = fit_2pl_instances(answers), fit_2pl_instances(answers, engine="girth")
    assert correlation(ours.ability, theirs.ability) > 0.99
    assert correlation(ours.difficulty, theirs.difficulty) > 0.97
    assert correlation(np.log(ours.discrimination), np.log(theirs.discrimination)) > 0.8
    assert theirs.converged is None
    assert theirs.n_iterations is None
    # The abilities are the posterior means that girth itself returns.
    from girth import twopl_mml

    own = twopl_mml(answers.to_numpy().astype(int).T, {"max_iteration": 500})
    np.testing.assert_allclose(theirs.ability, own["Ability"], atol=0.02)
    np.testing.assert_allclose(theirs.difficulty, own["Difficulty"])


def test_girth_with_missing_and_constant_items():
    answers = simulate(80, 8, seed=4, missing=0.1).answers
    answers["easy"] = 1.0
    fit = fit_2pl_instances(answers, engine="girth")
    assert np.isnan(fit.difficulty["easy"])
    note = next(n for n in fit.notes if n.code == "constant-items")
    assert note.labels == ("easy",)
    ours = fit_2pl_instances(answers)
    assert correlation(ours.ability, fit.ability) > 0.98


def test_girth_is_refused_where_it_fails():
    with pytest.raises(ParameterError, match=r"at most 200 items, this table has 201.*numpy"):
        fit_2pl_instances(simulate(5, 201).answers, engine="girth")
    with pytest.raises(ParameterError, match="No item tells two models apart"):
        fit_2pl_instances(np.ones((4, 3)), engine="girth")


def test_girth_bounds_are_noted():
    planted = simulate(60, 8, seed=2)
    answers = planted.answers
    answers["reversed"] = (planted.ability < 0).astype(float)
    fit = fit_2pl_instances(answers, engine="girth")
    note = next(n for n in fit.notes if n.code == "girth-bounds")
    assert "reversed" in note.labels


# Notes and errors


def test_what_limits_a_fit_is_noted():
    assert "few-models" in note_codes(fit_2pl_instances(simulate(10, 10).answers))
    fit = fit_2pl_instances(simulate(120, 7).answers)
    assert not {"few-models", "transposed", "missing-responses"} & set(note_codes(fit))
    assert "transposed" in note_codes(fit_2pl_instances(simulate(120, 6).answers))
    short = fit_2pl_instances(simulate(20, 30).answers, max_iterations=2)
    assert not short.converged
    assert short.n_iterations == 2
    assert "not-converged" in note_codes(short)


def test_groups_without_a_common_item_are_noted():
    answers = simulate(12, 12).answers
    answers.iloc[:6, :6] = np.nan
    answers.iloc[6:, 6:] = np.nan
    assert "unlinked-models" in note_codes(fit_2pl_instances(answers))
    answers.iloc[0, 0] = 1.0
    assert "unlinked-models" not in note_codes(fit_2pl_instances(answers))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0.73, r"'m2' on 'q1' is 0\.73; .*fit_2pl"),
        (np.float64(0.73), r"'m2' on 'q1' is 0\.73; "),
        (2.0, "'m2' on 'q1' is .*2.*[Rr]ecode"),
        (-1.0, "'m2' on 'q1'"),
        (np.inf, "'m2' on 'q1' is .*inf"),
        ("right", "'m2' on 'q1' is 'right'"),
        (1 + 0j, "'m2' on 'q1'"),
    ],
)
def test_other_cells_are_refused(value, message):
    answers = simulate(5, 4).answers.astype(object)
    answers.iloc[2, 1] = value
    with pytest.raises(NonNumericError, match=message) as caught:
        fit_2pl_instances(answers)
    assert caught.value.labels == ("m2", "q1")


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda t: emptied(t, "m2", slice(None)), MissingScoresError, "1 model .*m2"),
        (lambda t: emptied(t, slice(None), "q1"), MissingScoresError, "1 item .*q1"),
        (lambda t: t.rename(index={"m2": "m1"}), DuplicateError, "model .*'m1' in rows 2, 3"),
        (lambda t: t.rename(columns={"q2": "q1"}), DuplicateError, "item .*'q1' in columns 2, 3"),
        (lambda t: t.iloc[:1], EmptyMatrixError, "1 model and 4 items"),
        (lambda t: t[["q0"]], EmptyMatrixError, "5 models and 1 item;"),
        (lambda t: t.iloc[:0], EmptyMatrixError, "0 models"),
        (lambda t: t["q0"].to_numpy(), FormatError, "models × items"),
    ],
)
def test_other_tables_are_refused(change, error, message):
    with pytest.raises(error, match=message):
        fit_2pl_instances(change(simulate(5, 4).answers))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"engine": "mirt"}, "'numpy' or 'girth'"),
        ({"n_nodes": 20}, "n_nodes must be a whole number of at least 21"),
        ({"max_iterations": 0}, "max_iterations"),
        ({"tolerance": 0.0}, "tolerance must be a positive number"),
        ({"intercept_sd": float("nan")}, "intercept_sd"),
        ({"log_discrimination_sd": "wide"}, "log_discrimination_sd"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ParameterError, match=message):
        fit_2pl_instances(simulate(5, 4).answers, **settings)


def test_narrower_priors_shrink():
    answers = simulate(30, 40).answers
    wide, narrow = fit_2pl_instances(answers), fit_2pl_instances(answers, log_discrimination_sd=0.2)
    assert np.log(narrow.discrimination).std() < 0.5 * np.log(wide.discrimination).std()
    flat = fit_2pl_instances(answers, intercept_sd=0.3)
    assert (flat.discrimination * flat.difficulty).std() < (
        wide.discrimination * wide.difficulty
    ).std()


def test_repr():
    fit = fit_2pl_instances(simulate(30, 20).answers)
    lines = repr(fit).splitlines()
    assert lines[0].startswith("InstanceIRT of 30 models × 20 items: converged after ")
    assert lines[0].endswith("; 1 note")
    assert lines[1].startswith(f"  Abilities {fit.ability.min():.2f} to {fit.ability.max():.2f}, ")
    assert f"difficulties {fit.difficulty.min():.2f} to " in lines[2]
    short = fit_2pl_instances(simulate(30, 20).answers, max_iterations=1)
    assert ": not converged after 1 iteration; " in repr(short)
    assert ": engine girth; " in repr(fit_2pl_instances(simulate(8, 10).answers, engine="girth"))
