from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import EmptyMatrixError, ParameterError, UnknownLabelError
from tests.conftest import frame, note_codes


def logistic_board(models: int = 30, datasets: int = 16, seed: int = 0):
    """Scores by response curves: noise differs by dataset, and so does what a score tells."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=models)
    a, b = rng.uniform(0.5, 2.0, datasets), rng.normal(size=datasets)
    noise = rng.uniform(0.01, 0.06, datasets)
    p = 1.0 / (1.0 + np.exp(-a * (theta[:, None] - b)))
    return frame(np.clip(p + noise * rng.normal(size=p.shape), 0.001, 0.999))


@pytest.fixture(scope="module")
def board() -> pd.DataFrame:
    scores = logistic_board()
    scores.loc["m4", "d3":] = np.nan
    return scores


def test_information_is_slope_squared_over_residual_variance(board):
    found = rr.next_dataset(board, "m4", n=None)
    fit = rr.fit_2pl(board, n_refits=0)
    a, b = fit.discrimination, fit.difficulty
    p = 1.0 / (1.0 + np.exp(-a * (found.now["ability"] - b)))
    cells = board.notna().to_numpy().sum()
    free = (cells - sum(board.shape) - board.shape[1]) / cells
    told = (a * p * (1.0 - p)) ** 2 / (fit.table["residual"] ** 2 / free)
    assert list(found.table.index) == list(told["d3":].sort_values(ascending=False).index)
    np.testing.assert_allclose(found.table["information"], told[found.table.index])
    np.testing.assert_allclose(fit.information(pd.Series({"x": found.now["ability"]}))["x"], told)


def test_errors_fall_as_information_adds_up(board):
    found = rr.next_dataset(board, "m4", n=None)
    precision = found.now["standard_error"] ** -2.0
    expected = (precision + found.table["information"].cumsum()) ** -0.5
    np.testing.assert_allclose(found.table["standard_error"], expected)
    reduction = 1.0 - (expected / found.now["standard_error"]) ** 2
    np.testing.assert_allclose(found.table["reduction"], reduction)
    assert found.table["rank_low"].is_monotonic_increasing
    assert (found.table["rank_low"] <= found.table["rank_high"]).all()


def test_the_present_error_is_by_the_information_and_a_normal_prior(board):
    found = rr.next_dataset(board, "m4")
    fit = rr.fit_2pl(board, n_refits=0)
    ran = ["d0", "d1", "d2"]
    alone = fit.score_new(board.loc["m4", ran])["ability"]
    precision = 1.0 + fit.information(alone).loc[ran, "m4"].sum()
    assert found.now["standard_error"] == pytest.approx(precision**-0.5)
    assert found.now["ability"] == pytest.approx(alone["m4"] * (1.0 - 1.0 / precision))


def test_distance_is_what_other_models_show(board):
    found = rr.next_dataset(board, "m4", n=2)
    fit = rr.fit_2pl(board, n_refits=0)
    used = ["d0", "d1", "d2", found.table.index[0]]
    alone = fit.score_new(board.drop(index="m4")[used])["ability"]
    told = fit.information(alone).loc[used].sum()
    moved = alone * told / (told + 1.0) - fit.ability[alone.index]
    assert found.table["distance"].iloc[0] == pytest.approx(np.sqrt((moved**2).mean()))


def test_ranks_are_by_the_larger_error(board):
    found = rr.next_dataset(board, "m4", n=1, confidence_level=0.9)
    fit = rr.fit_2pl(board, n_refits=0)
    others = fit.ability.drop("m4")
    row = found.table.iloc[0]
    reach = 1.6448536 * max(row["standard_error"], row["distance"])
    assert row["rank_low"] == 1 + (others > found.now["ability"] + reach).sum()
    assert row["rank_high"] == 1 + (others > found.now["ability"] - reach).sum()


def test_informative_datasets_find_the_ability_sooner_than_others():
    """Masked scores: after three datasets chosen so, the ability is nearer than at random."""
    scores = logistic_board(models=30, datasets=24, seed=3)
    rng = np.random.default_rng(0)
    errors = {"chosen": [], "random": []}
    for model in scores.index[:4]:
        fit = rr.fit_2pl(scores.drop(index=model), n_refits=0)
        final = fit.score_new(scores.loc[model])["ability"].iloc[0]
        masked = scores.copy()
        masked.loc[model, "d2":] = np.nan
        chosen = list(rr.next_dataset(masked, model, n=3).table.index)
        for _ in range(3):
            drawn = list(rng.choice(scores.columns[2:], 3, replace=False))
            for way, names in (("chosen", chosen), ("random", drawn)):
                ability = fit.score_new(scores.loc[model, ["d0", "d1", *names]])["ability"].iloc[0]
                errors[way].append((ability - final) ** 2)
    assert np.mean(errors["chosen"]) < 0.7 * np.mean(errors["random"])


def test_a_model_without_a_score_starts_from_the_other_models(board):
    scores = board.copy()
    scores.loc["new"] = np.nan
    found = rr.next_dataset(scores, "new", n=3)
    assert found.now["ability"] == 0.0
    assert found.now["standard_error"] == 1.0
    assert found.n_run == 0
    assert found.n_models == len(scores)  # the ranks are among all of them
    assert found.table["standard_error"].iloc[0] < 0.5


def test_a_model_with_every_score_has_nothing_left_to_run():
    found = rr.next_dataset(logistic_board(), "m1")
    assert found.table.empty
    assert found.headline == "m1 has a score on every dataset (16): none is left."
    with pytest.raises(EmptyMatrixError, match="every score"):
        found.plot.errors()
    assert found.summary() == found.headline
    json.dumps(found.to_dict(), allow_nan=False)


def test_datasets_that_cannot_be_judged_come_last(board):
    scores = board.copy()
    scores["flat"] = 0.5
    scores.loc["m4", "flat"] = np.nan
    scores["rare"] = np.nan
    scores.loc["m0", "rare"] = 0.4
    found = rr.next_dataset(scores, "m4", n=None)
    assert set(found.table.index[-2:]) == {"flat", "rare"}
    assert found.table["information"].iloc[-2:].isna().all()
    assert "unknown-information" in note_codes(found)


def test_only_a_dataset_that_few_ran_is_left():
    scores = logistic_board()
    scores["rare"] = np.nan
    scores.loc["m0", "rare"] = 0.4
    found = rr.next_dataset(scores, "m1")
    assert list(found.table.index) == ["rare"]
    assert "too few models ran it" in found.headline


def test_nothing_is_known_where_nothing_can_be_fitted():
    found = rr.next_dataset(frame([[0.5, 0.6, np.nan], [0.4, 0.5, 0.3]]), "m0")
    assert list(found.table.index) == ["d2"]
    assert found.table["standard_error"].isna().all()
    assert found.table["rank_low"].isna().all()
    assert "no ability can be estimated" in found.headline
    assert "irt-undefined" in note_codes(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_without_ten_complete_models_there_is_no_distance():
    scores = logistic_board(models=9)
    scores.loc["m0", "d5":] = np.nan
    found = rr.next_dataset(scores, "m0")
    assert found.table["distance"].isna().all()
    assert found.table["rank_high"].notna().all()


def test_a_distance_above_the_standard_error_is_remarked_upon():
    matrix = rr.load_example().resolve_missing()
    scores = matrix.scores.copy()
    scores.loc["intfloat/multilingual-e5-base", scores.columns[10:]] = np.nan
    found = rr.next_dataset(scores, "intfloat/multilingual-e5-base", n=3)
    assert "distance-above-error" in note_codes(found)
    assert found.table["distance"].iloc[-1] > 1.5 * found.table["standard_error"].iloc[-1]


def test_neither_order_nor_names_nor_percent_change_the_answer(board):
    base = rr.next_dataset(board, "m4", n=5)
    rng = np.random.default_rng(0)
    turned = board.iloc[rng.permutation(len(board)), rng.permutation(board.shape[1])]
    found = rr.next_dataset(turned.rename(index={"m4": "<i>&\n"}), "<i>&\n", n=5)
    assert found.table.to_numpy().tolist()[0][1:] == base.table.to_numpy().tolist()[0][1:]
    assert list(found.table.index) == list(base.table.index)
    assert "\n" not in found.summary().splitlines()[0]
    percent = rr.next_dataset(100.0 * board, "m4", n=5)
    assert list(percent.table.index) == list(base.table.index)


def test_scores_outside_the_unit_interval_are_no_obstacle():
    scores = logistic_board()
    scores["d1"] = scores["d1"] - 0.3
    scores.loc["m2", "d1":"d6"] = np.nan
    found = rr.next_dataset(scores, "m2", n=None)
    assert found.table["information"].gt(0.0).all()


def test_bad_input_is_named(board):
    with pytest.raises(UnknownLabelError, match="did you mean 'm4'"):
        rr.next_dataset(board, "M4")
    with pytest.raises(ParameterError, match="n must be"):
        rr.next_dataset(board, "m4", n=0)
    with pytest.raises(ParameterError, match="confidence_level"):
        rr.next_dataset(board, "m4", confidence_level=95)


def test_results_are_written_and_drawn(board, tmp_path):
    found = rr.next_dataset(board, "m4")
    found.save(tmp_path)
    written = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert {"next_dataset.csv", "errors.svg", "results.json"} <= written
    assert json.loads((tmp_path / "results.json").read_text())["figures_left_out"] == {}


def test_on_the_bundled_board():
    found = rr.next_dataset(rr.load_example(), "mongodb/voyage-3")
    assert found.n_run == 126
    assert len(found.table) == 4
