from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.optimize import least_squares
from scipy.stats import kendalltau, spearmanr

import robustrank as rr
from robustrank.errors import ParameterError, UnknownLabelError
from robustrank.irt import fit_2pl
from robustrank.irt._batch import RIDGE_C, RIDGE_LOG_A, RIDGE_THETA
from robustrank.irt._solver import fit_once, fit_weighted
from tests.conftest import frame, score_frames


def logistic(z):
    return 1.0 / (1.0 + np.exp(-z))


def simulate(models: int, datasets: int, *, noise=0.05, holes=0.0, seed=0):
    """Scores of the model itself, with noise; abilities are exactly standardised."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=models)
    theta = (theta - theta.mean()) / theta.std()
    a, b = np.exp(rng.normal(0, 0.5, datasets)), rng.normal(size=datasets)
    scores = logistic(a * (theta[:, None] - b)) + rng.normal(0, noise, (models, datasets))
    scores = np.clip(scores, 0.001, 0.999)
    scores[rng.random(scores.shape) < holes] = np.nan
    return frame(scores), theta, a, b


def codes(fit) -> list[str]:
    return [note.code for note in fit.notes]


def labels(fit, code: str) -> tuple[str, ...]:
    return next(note.labels for note in fit.notes if note.code == code)


def corr(x, y) -> float:
    return np.corrcoef(x, y)[0, 1]


@pytest.mark.parametrize(
    ("size", "holes", "least"),
    [
        ((93, 22), 0.0, (0.997, 0.99, 0.99)),
        ((93, 22), 0.3, (0.995, 0.985, 0.99)),
        ((54, 16), 0.0, (0.996, 0.98, 0.99)),
    ],
)
def test_recovers_what_was_simulated(size, holes, least):
    found = []
    for seed in range(3):
        scores, theta, a, b = simulate(*size, holes=holes, seed=seed)
        fit = fit_2pl(scores, n_refits=0)
        assert fit.converged
        assert not fit.notes
        assert fit.residual == pytest.approx(0.05, abs=0.01)
        found.append(
            (
                corr(fit.ability, theta),
                corr(np.log(fit.discrimination), np.log(a)),
                corr(fit.difficulty, b),
            )
        )
    assert (np.mean(found, axis=0) >= least).all()


def test_parameters_are_in_units_of_standardised_ability():
    scores, theta, a, b = simulate(200, 30, noise=0.01)
    fit = fit_2pl(scores, n_refits=0)
    assert fit.ability.mean() == pytest.approx(0.0, abs=1e-12)
    assert fit.ability.std(ddof=0) == pytest.approx(1.0)
    np.testing.assert_allclose(fit.ability, theta, atol=0.06)
    np.testing.assert_allclose(fit.discrimination, a, rtol=0.06)
    np.testing.assert_allclose(fit.difficulty, b, atol=0.06)
    predicted = logistic(
        fit.discrimination.to_numpy()
        * (fit.ability.to_numpy()[:, None] - fit.difficulty.to_numpy())
    )
    assert fit.residual == pytest.approx(np.sqrt(((scores - predicted) ** 2).to_numpy().mean()))


def residuals(x, values, models, datasets):
    """The objective as a naive list of residuals for scipy, half the sum of whose squares it is."""
    m, n = values.shape
    theta, log_a, c = np.split(x, [m, m + n])
    weights = np.sqrt(np.outer(models, datasets))
    cells = weights * (logistic(np.exp(log_a) * theta[:, None] + c) - values)
    return np.concatenate(
        [
            cells[~np.isnan(values)],
            np.sqrt(RIDGE_LOG_A * datasets) * log_a,
            np.sqrt(RIDGE_C * datasets) * c,
            np.sqrt(RIDGE_THETA * models) * theta,
        ]
    )


@pytest.mark.parametrize(
    ("size", "holes"), [((25, 8), 0.0), ((25, 8), 0.3), ((8, 25), 0.2)], ids=str
)
def test_reaches_the_optimum_of_scipy(size, holes):
    """Both ways of eliminating (models of tall tables, datasets of wide ones)."""
    values = simulate(*size, holes=holes, seed=3)[0].to_numpy()
    m, n = values.shape
    fit = fit_once(values)
    assert fit.converged.all()
    start = np.concatenate([np.linspace(-1, 1, m), np.zeros(2 * n)])
    weights = np.ones(m), np.ones(n)
    best = least_squares(residuals, start, args=(values, *weights), xtol=1e-14, ftol=1e-14)
    assert fit.cost[0] == pytest.approx(best.cost, rel=1e-9)
    np.testing.assert_allclose(fit.theta[0], best.x[:m], atol=2e-5)
    np.testing.assert_allclose(fit.log_a[0], best.x[m : m + n], atol=2e-5)
    np.testing.assert_allclose(fit.c[0], best.x[m + n :], atol=2e-5)


def test_random_starts_reach_the_same_optimum():
    values = simulate(93, 22, holes=0.2, seed=8)[0].to_numpy()
    found = fit_once(values)
    rng = np.random.default_rng(0)
    for _ in range(8):
        start = rng.normal(size=93), rng.normal(0, 0.5, 22), rng.normal(size=22)
        again = fit_weighted(values, np.ones((1, 93)), np.ones((1, 22)), start, tolerance=1e-8)
        assert again.cost[0] == pytest.approx(found.cost[0], rel=1e-10)
        np.testing.assert_allclose(again.theta, found.theta, atol=1e-5)


@pytest.mark.parametrize("size", [(25, 6), (8, 12)], ids=str)
def test_weights_are_copies(size):
    """A weighted fit is the fit of a table in which models and datasets occur several times."""
    values = simulate(*size, holes=0.1, seed=4)[0].to_numpy()
    m, n = values.shape
    rng = np.random.default_rng(0)
    once = fit_once(values)
    start = once.theta[0], once.log_a[0], once.c[0]
    models = rng.multinomial(m, np.full(m, 1 / m), size=3).astype(float)
    datasets = rng.multinomial(n, np.full(n, 1 / n), size=3).astype(float)
    fits = fit_weighted(values, models, datasets, start, tolerance=1e-9)
    for k in range(3):
        rows = np.repeat(np.arange(m), models[k].astype(int))
        columns = np.repeat(np.arange(n), datasets[k].astype(int))
        copied = fit_weighted(
            values[np.ix_(rows, columns)],
            np.ones((1, m)),
            np.ones((1, n)),
            (start[0][rows], start[1][columns], start[2][columns]),
            tolerance=1e-9,
        )
        assert fits.cost[k] == pytest.approx(copied.cost[0], rel=1e-9)
        np.testing.assert_allclose(fits.theta[k][rows], copied.theta[0], atol=1e-5)
        np.testing.assert_allclose(fits.log_a[k][columns], copied.log_a[0], atol=1e-5)


def test_sign():
    """Best on every dataset: highest ability; worst: lowest."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        scores = frame(rng.uniform(0.3, 0.7, (12, 6)))
        scores.iloc[0], scores.iloc[1] = 0.95, 0.05
        fit = fit_2pl(scores, n_refits=0)
        assert fit.ability.idxmax() == "m0"
        assert fit.ability.idxmin() == "m1"
        assert (fit.discrimination > 0).all()


@given(score_frames(max_models=8, max_datasets=6))
@settings(max_examples=40)
def test_any_board_has_a_fit_or_a_reason(scores):
    fit = fit_2pl(scores, n_refits=3)
    varied = scores.columns[scores.nunique() > 1]
    if min(len(scores), len(varied)) < 3:
        assert "irt-undefined" in codes(fit)
        assert fit.ability.isna().all()
        assert fit.table[["discrimination", "difficulty"]].isna().all(axis=None)
        assert fit.ability_interval.isna().all(axis=None)
        assert np.isnan(fit.residual)
        assert not fit.converged
    else:
        assert np.isfinite(fit.ability).all()
        assert np.isfinite(fit.discrimination[varied]).all()
        assert (fit.discrimination[varied] > 0).all()
        assert fit.discrimination.drop(varied).isna().all()


@pytest.mark.parametrize("kind", ["uniform", "halves", "negative", "binary"])
def test_any_board_with_holes_has_a_fit_or_a_reason(kind):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        shape = rng.integers(3, 15), rng.integers(3, 12)
        values = {
            "uniform": rng.random(shape),
            "halves": rng.integers(0, 3, shape) / 2,
            "negative": rng.uniform(-0.3, 1, shape),
            "binary": rng.integers(0, 2, shape).astype(float),
        }[kind]
        values[rng.random(shape) < rng.choice([0.2, 0.6])] = np.nan
        board = rr.ScoreMatrix(frame(values), scale="unit")
        fit = fit_2pl(board, n_refits=4, seed=seed)
        if "irt-undefined" in codes(fit):
            assert fit.ability.isna().all()
            continue
        unscored = [] if "unscored-models" not in codes(fit) else labels(fit, "unscored-models")
        assert list(fit.ability.index[fit.ability.isna()]) == list(unscored)
        assert fit.ability.mean() == pytest.approx(0.0, abs=1e-9)
        used = fit.discrimination.dropna()
        assert (np.isfinite(used) & (used > 0)).all()
        low, high = (fit.ability_interval[end].dropna() for end in ("low", "high"))
        assert (low <= high).all()


def test_arrangement_and_names_change_no_bit():
    scores = simulate(14, 7, holes=0.1, seed=5)[0]
    scores["copy"] = scores["d2"]
    scores.loc["twin"] = scores.loc["m3"]
    fit = fit_2pl(scores, n_refits=10, seed=3)
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(len(scores)), rng.permutation(scores.shape[1])
    to_model = {name: f"x{15 - i}" for i, name in enumerate(scores.index)}
    to_dataset = {name: f"y{8 - j}" for j, name in enumerate(scores.columns)}
    shuffled = scores.iloc[rows, columns].rename(index=to_model, columns=to_dataset)
    again = fit_2pl(shuffled, n_refits=10, seed=3)
    assert list(again.ability.index) == list(shuffled.index)
    assert list(again.table.index) == list(shuffled.columns)
    for attribute, names in (
        ("ability", to_model),
        ("ability_interval", to_model),
        ("discrimination", to_dataset),
        ("difficulty_interval", to_dataset),
        ("table", to_dataset),
    ):
        expected = getattr(fit, attribute).rename(index=names)
        assert getattr(again, attribute).loc[expected.index].equals(expected), attribute


def test_seed():
    scores = simulate(20, 6)[0]
    state = np.random.get_state()[1].copy()
    one, same, other = (fit_2pl(scores, n_refits=8, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(state, np.random.get_state()[1])
    assert one.ability_interval.equals(same.ability_interval)
    assert one.refits.equals(same.refits)
    assert not one.ability_interval.equals(other.ability_interval)
    assert one.ability.equals(other.ability)
    generator = fit_2pl(scores, n_refits=8, seed=np.random.default_rng(1))
    assert generator.refits.equals(one.refits)


def test_percent_is_the_same_board():
    scores = simulate(20, 6)[0]
    assert fit_2pl(100 * scores, n_refits=0).ability.to_numpy() == pytest.approx(
        fit_2pl(scores, n_refits=0).ability.to_numpy(), abs=1e-6
    )


def test_identical_models_are_equally_able_and_identical_datasets_equal():
    scores = simulate(15, 5)[0]
    scores.loc["twin"] = scores.loc["m4"]
    scores["copy"] = scores["d1"]
    fit = fit_2pl(scores, n_refits=5)
    assert fit.ability["twin"] == fit.ability["m4"]
    assert (fit.ability_interval.loc["twin"] == fit.ability_interval.loc["m4"]).all()
    assert fit.discrimination["copy"] == fit.discrimination["d1"]
    assert fit.difficulty["copy"] == fit.difficulty["d1"]


def test_better_than_the_mean_of_what_is_there():
    """With 30% missing, the mean over available datasets rewards having run the easy ones."""
    ours, means = [], []
    for seed in range(5):
        scores, theta, _, _ = simulate(54, 16, holes=0.3, seed=seed)
        ours.append(kendalltau(fit_2pl(scores, n_refits=0).ability, theta).statistic)
        means.append(kendalltau(scores.mean(axis=1), theta).statistic)
    assert np.mean(ours) > 0.92
    assert np.mean(ours) > np.mean(means) + 0.05


@pytest.mark.parametrize("holes", [0.0, 0.3])
def test_intervals_cover(holes):
    covered = {"ability": [], "discrimination": [], "difficulty": []}
    for seed in range(6):
        scores, theta, a, b = simulate(40, 12, holes=holes, seed=seed)
        fit = fit_2pl(scores, n_refits=100, seed=seed)
        for name, truth in (("ability", theta), ("discrimination", a), ("difficulty", b)):
            interval = getattr(fit, f"{name}_interval")
            covered[name].append(((interval["low"] <= truth) & (truth <= interval["high"])).mean())
            estimate = getattr(fit, name)
            assert (interval["low"] < interval["high"]).all()
            assert (interval["high"] > estimate - 0.2).all()
            assert (interval["low"] < estimate + 0.2).all()
    for name, shares in covered.items():
        assert 0.8 <= np.mean(shares) <= 0.995, name


def test_confidence_level_widens_and_no_refits_give_no_interval():
    scores = simulate(20, 6)[0]
    wide, narrow = (fit_2pl(scores, n_refits=50, confidence_level=c) for c in (0.95, 0.5))
    assert (wide.discrimination_interval["low"] < narrow.discrimination_interval["low"]).all()
    assert (wide.ability_interval["high"] > narrow.ability_interval["high"]).all()
    assert narrow.confidence_level == 0.5
    draws = wide.refits.to_numpy()
    np.testing.assert_allclose(
        wide.discrimination_interval, np.quantile(draws, [0.025, 0.975], axis=0).T
    )
    without = fit_2pl(scores, n_refits=0)
    assert without.ability_interval.isna().all(axis=None)
    assert without.refits.shape == (0, 6)


def test_reversed_dataset():
    scores = simulate(40, 10)[0]
    scores["d3"] = 1.0 - scores["d4"]
    fit = fit_2pl(scores, n_refits=0)
    assert labels(fit, "reversed-datasets") == ("d3",)
    assert fit.converged
    assert fit.discrimination["d3"] < 0.1
    assert fit.table.loc["d3", "correlation"] < -0.9
    turned = rr.ScoreMatrix(scores, direction={"d3": "min"})
    assert "reversed-datasets" not in codes(fit_2pl(turned, n_refits=0))


def test_noise_is_not_called_reversed():
    rng = np.random.default_rng(2)
    scores = simulate(40, 10)[0].assign(noise=rng.uniform(0.4, 0.6, 40))
    fit = fit_2pl(scores, n_refits=0)
    assert fit.table.loc["noise", "correlation"] == pytest.approx(
        spearmanr(scores["noise"], fit.ability).statistic
    )
    assert abs(fit.table.loc["noise", "correlation"]) < 0.3
    assert "reversed-datasets" not in codes(fit)
    assert fit.discrimination["noise"] == fit.discrimination.min()


def test_constant_sparse_and_unscored_are_set_aside():
    scores = simulate(20, 6)[0]
    alone = fit_2pl(scores, n_refits=5)
    more = scores.assign(flat=0.5, perfect=1.0, rare=np.nan)
    more.loc[["m0", "m1"], "rare"] = 0.1, 0.9
    more.loc["outsider"] = np.nan
    more.loc["outsider", "flat"] = 0.5
    fit = fit_2pl(more, n_refits=5)
    assert labels(fit, "constant-datasets") == ("flat", "perfect")
    assert labels(fit, "sparse-datasets") == ("rare",)
    assert labels(fit, "unscored-models") == ("outsider",)
    assert np.isnan(fit.ability["outsider"])
    assert fit.discrimination[["flat", "perfect", "rare"]].isna().all()
    assert fit.ability.drop("outsider").equals(alone.ability)
    assert fit.ability_interval.drop("outsider").equals(alone.ability_interval)
    assert fit.table.loc["rare", "n_models"] == 2


def test_all_models_alike_are_undefined_with_a_reason():
    fit = fit_2pl(frame(np.tile([0.2, 0.5, 0.8], (5, 1))), n_refits=5)
    assert labels(fit, "constant-datasets") == ("d0", "d1", "d2")
    note = next(note for note in fit.notes if note.code == "irt-undefined")
    assert "0 datasets and 0 models qualify" in note.message
    assert "unscored-models" not in codes(fit)
    with pytest.raises(ParameterError, match="No dataset was fitted"):
        fit.score_new(pd.Series({"d0": 0.5}))


@pytest.mark.parametrize("shape", [(1, 1), (2, 9), (9, 2), (1, 9)])
def test_too_small_is_undefined_with_a_reason(shape):
    fit = fit_2pl(frame(np.random.default_rng(0).uniform(0.1, 0.9, shape)), n_refits=2)
    assert "irt-undefined" in codes(fit)
    assert fit.ability.isna().all()
    assert fit.refits.shape == (2, shape[1])


def test_datasets_that_cancel_out_do_not_stop_the_start():
    x = np.linspace(0.2, 0.8, 9)
    scores = frame(np.column_stack([x, 1 - x, x**2 + 0.1, 1 - (x**2 + 0.1)]))
    fit = fit_2pl(scores, n_refits=0)
    assert np.isfinite(fit.ability).all()
    assert abs(corr(fit.ability, x)) > 0.95


def test_perfect_and_hopeless_models_stay_finite():
    scores = simulate(20, 8)[0]
    scores.iloc[0], scores.iloc[1] = 1.0, 0.0
    fit = fit_2pl(scores, n_refits=10)
    assert fit.converged
    assert fit.ability.idxmax() == "m0"
    assert fit.ability.idxmin() == "m1"
    assert fit.ability.abs().max() < 10


def test_scores_outside_0_1_are_brought_there_and_noted():
    scores = simulate(30, 8)[0]
    moved = scores.copy()
    moved.loc["m0", "d2"] = -0.02
    fit = fit_2pl(moved, n_refits=0)
    assert labels(fit, "irt-rescaled") == ("d2",)
    same = fit_2pl(moved.assign(d2=(moved["d2"] + 1) / 2), n_refits=0)
    np.testing.assert_allclose(fit.ability, same.ability, atol=1e-9)
    np.testing.assert_allclose(fit.discrimination, same.discrimination, rtol=1e-9)
    # The residual is in the units given: twice that of the halved scores.
    assert fit.table.loc["d2", "residual"] == pytest.approx(2 * same.table.loc["d2", "residual"])
    assert fit.table["variance"].to_numpy() == pytest.approx(moved.var(ddof=0).to_numpy())
    elo = rr.ScoreMatrix(scores.assign(d2=scores["d2"] * 8), scale="unit")
    assert "irt-rescaled" in codes(fit_2pl(elo, n_refits=0))


def test_names_in_notes_are_in_the_order_of_the_board():
    scores = simulate(20, 8)[0].iloc[::-1, ::-1]
    scores.loc["m0", ["d1", "d6", "d3"]] = -0.02
    scores.loc[["m3", "m17"], ["d0", "d1", "d2", "d4", "d5", "d6"]] = np.nan
    fit = fit_2pl(scores, n_refits=2)
    assert labels(fit, "irt-rescaled") == ("d6", "d3", "d1")
    assert labels(fit, "few-scores") == ("m17", "m3")


def test_notes_on_the_scores_are_kept():
    scores = simulate(20, 8)[0]
    assert codes(fit_2pl(scores * 100, n_refits=0)) == ["scale"]
    matrix = rr.ScoreMatrix(scores).select(datasets="d[0-5]")
    assert fit_2pl(matrix, n_refits=0).notes == matrix.notes


def test_repr():
    fit = fit_2pl(simulate(20, 8)[0], n_refits=20)
    lines = repr(fit).splitlines()
    assert lines[0] == f"TaskIRT of 20 models × 8 datasets: residual {fit.residual:.3f}"
    best, interval = fit.ability.idxmax(), fit.ability_interval.loc[fit.ability.idxmax()]
    assert lines[1] == (
        f"  Ablest {best}: {fit.ability.max():.2f} [{interval['low']:.2f}, {interval['high']:.2f}]"
    )
    assert lines[2].startswith(f"  Most discriminating {fit.discrimination.idxmax()}: ")
    assert lines[3].startswith(f"  Least {fit.discrimination.idxmin()}: ")
    assert "[" not in repr(fit_2pl(simulate(20, 8)[0], n_refits=0))
    undefined = fit_2pl(frame([[0.1, 0.2], [0.3, 0.1]]))
    assert repr(undefined) == "TaskIRT of 2 models × 2 datasets: undefined; 2 notes"


def test_blocks_without_a_link_are_noted():
    scores = simulate(20, 8)[0]
    scores.iloc[:12, 4:] = np.nan
    scores.iloc[12:, :4] = np.nan
    fit = fit_2pl(scores.iloc[::-1], n_refits=0)
    assert labels(fit, "disconnected-blocks") == tuple(scores.index[:11:-1])
    scores.iloc[0, 5] = 0.5
    assert "disconnected-blocks" not in codes(fit_2pl(scores, n_refits=0))


def test_few_scores_give_an_ability_but_no_interval():
    scores = simulate(20, 8)[0]
    scores.iloc[3, 2:] = np.nan
    fit = fit_2pl(scores, n_refits=20)
    assert labels(fit, "few-scores") == ("m3",)
    assert np.isfinite(fit.ability["m3"])
    assert fit.ability_interval.loc["m3"].isna().all()
    assert fit.ability_interval.drop("m3").notna().all(axis=None)
    assert "few-scores" not in codes(fit_2pl(scores, n_refits=0))


def test_not_converged_is_noted(monkeypatch):
    monkeypatch.setattr("robustrank.irt._solver._MAX_ITERATIONS", 1)
    fit = fit_2pl(simulate(20, 8)[0], n_refits=3)
    assert not fit.converged
    assert {"not-converged", "refits-not-converged"} <= set(codes(fit))
    assert np.isfinite(fit.ability).all()


def test_a_fitted_model_scored_as_new_gets_its_own_ability():
    scores = simulate(40, 10, holes=0.2, seed=6)[0]
    fit = fit_2pl(scores, n_refits=0)
    again = fit.score_new(scores)
    np.testing.assert_allclose(again["ability"], fit.ability, atol=1e-6)
    assert list(again["n_datasets"]) == list(scores.notna().sum(axis=1))


def test_standard_error_of_a_new_model_covers():
    scores, _, a, b = simulate(80, 12, seed=7)
    fit = fit_2pl(scores, n_refits=0)
    rng = np.random.default_rng(0)
    truth = rng.normal(size=300)
    noisy = logistic(a * (truth[:, None] - b)) + rng.normal(0, 0.05, (300, 12))
    new = frame(np.clip(noisy, 0.001, 0.999), prefix="new")
    result = fit.score_new(new)
    z = (result["ability"] - truth) / result["standard_error"]
    assert 0.85 < z.std() < 1.2
    assert 0.9 < (z.abs() < 1.96).mean() < 0.98
    fewer = fit.score_new(new[["d3", "d5"]])
    assert (fewer["standard_error"] > result["standard_error"]).all()
    assert (fewer["n_datasets"] == 2).all()


def test_residual_variance_allows_for_the_parameters_fitted():
    """20 models and 5 datasets take 30 parameters for 100 cells: residuals are too small."""
    found = [
        fit_2pl(simulate(20, 5, seed=seed)[0], n_refits=0)._curves._variances()[0]
        for seed in range(20)
    ]
    assert np.mean(found) == pytest.approx(0.05**2, rel=0.12)


def test_new_models_one_missing_and_unknown():
    scores = simulate(30, 6)[0].assign(flat=0.5)
    scores.loc["m0", "d1"] = -0.1  # d1 is rescaled, for new models too
    fit = fit_2pl(scores, n_refits=0)
    row = scores.loc["m5"]
    assert list(fit.score_new(row).index) == ["m5"]
    assert fit.score_new(row.rename(None)).index[0] == "new"
    assert fit.score_new(row).loc["m5", "ability"] == pytest.approx(fit.ability["m5"], abs=1e-6)
    nothing = fit.score_new(pd.Series({"flat": 0.5}))
    assert nothing[["ability", "standard_error"]].isna().all(axis=None)
    assert nothing["n_datasets"].item() == 0
    with pytest.raises(UnknownLabelError, match="did you mean 'd1'"):
        fit.score_new(pd.Series({"D1": 0.5}))


def test_slope_is_discrimination_where_that_is_small_but_for_the_ridge():
    scores = simulate(400, 12)[0]
    scores["faint"] = scores["d0"] * 0.2 + 0.4
    scores["backwards"] = 0.6 - scores["d0"] * 0.2
    table = fit_2pl(scores, n_refits=0).table
    line = np.polyfit(fit_2pl(scores, n_refits=0).ability, scores["faint"], 1)[0]
    mean = scores["faint"].mean()
    assert table.loc["faint", "slope"] == pytest.approx(line / (mean * (1 - mean)))
    assert table.loc["faint", "slope"] == pytest.approx(
        table.loc["faint", "discrimination"], rel=0.1
    )
    assert table.loc["backwards", "slope"] == pytest.approx(-table.loc["faint", "slope"], rel=0.05)


def test_mean_discrimination_by_task_type_or_mapping():
    scores = simulate(30, 6)[0].assign(flat=0.5)
    types = pd.DataFrame(
        {"task_type": ["STS", "STS", "Retrieval", "Retrieval", "Retrieval", pd.NA, "STS"]},
        index=scores.columns,
    )
    fit = fit_2pl(rr.ScoreMatrix(scores, types), n_refits=40)
    means = fit.mean_discrimination()
    assert means.index.name == "task_type"
    assert means["discrimination"].is_monotonic_decreasing
    assert means["n_datasets"].to_dict() == {"STS": 2, "Retrieval": 3}
    a = fit.discrimination
    assert means.loc["STS", "discrimination"] == pytest.approx((a["d0"] + a["d1"]) / 2)
    draws = fit.refits[["d0", "d1"]].mean(axis=1)
    assert means.loc["STS", ["low", "high"]].tolist() == pytest.approx(
        np.quantile(draws, [0.025, 0.975]).tolist()
    )
    own = fit.mean_discrimination({"d0": "x", "d5": "x"})
    assert own.loc["x", "discrimination"] == pytest.approx((a["d0"] + a["d5"]) / 2)
    with pytest.raises(UnknownLabelError, match="dataset 'd9'"):
        fit.mean_discrimination({"d9": "x"})
    with pytest.raises(ParameterError, match="task_type metadata"):
        fit_2pl(scores, n_refits=0).mean_discrimination()


def test_correlation_with_variance():
    fit = fit_2pl(simulate(40, 12)[0], n_refits=0)
    expected = spearmanr(fit.discrimination, fit.table["variance"]).statistic
    assert fit.variance_correlation == pytest.approx(expected)
    assert fit.variance_correlation > 0.8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_refits": -1}, "n_refits must be a whole number"),
        ({"n_refits": 2.5}, "n_refits must be a whole number"),
        ({"confidence_level": 95}, "between 0 and 1"),
        ({"confidence_level": float("nan")}, "between 0 and 1"),
        ({"seed": -1}, "seed must be a whole number"),
    ],
)
def test_bad_settings(arguments, message):
    with pytest.raises(ParameterError, match=message):
        fit_2pl(simulate(5, 4)[0], **arguments)


def test_the_full_board(shared):
    board = rr.read(shared / "data" / "board_multilingual_v2_per_task.csv")
    fit = fit_2pl(board, n_refits=0)
    assert fit.converged
    assert fit.notes[: len(board.notes)] == board.notes
    assert set(codes(fit)[len(board.notes) :]) == {"sparse-datasets", "irt-rescaled"}
    assert (fit.discrimination.drop("FloresBitextMining") > 0).all()
    complete = board.resolve_missing()
    ability = fit.ability[complete.scores.index]
    assert spearmanr(ability, complete.scores.mean(axis=1)).statistic > 0.99
