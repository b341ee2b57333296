from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import robustrank as rr
from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    NonNumericError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.pareto import pareto_front
from robustrank.resampling import Bootstrap, paired_bootstrap
from tests.conftest import frame, note_codes, random_scores


def dominates(one, other) -> bool:
    """Whether (cost, score) `one` is no worse than `other` on both and better on one."""
    return one[0] <= other[0] and one[1] >= other[1] and one != other


def brute_force(costs, scores) -> list[bool]:
    points = list(zip(costs, scores, strict=True))
    return [not any(dominates(other, point) for other in points) for point in points]


@cache
def any_bootstrap(models: int) -> Bootstrap:
    return paired_bootstrap(random_scores(models, 3), n_resamples=5)


def stand_in(estimate, samples) -> Bootstrap:
    """A bootstrap with samples of our choice: a front reads no more of it than this."""
    names = [f"m{i}" for i in range(len(estimate))]
    return dataclasses.replace(
        any_bootstrap(len(estimate)),
        estimate=pd.Series(estimate, index=names, dtype=float),
        samples=samples,
        notes=(),
    )


#: (cost, score, score, score) on a coarse grid, so that ties on either side are common.
POINTS = st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=2, max_size=10)


@given(POINTS, st.sampled_from(["low", "high"]))
def test_front_and_its_probability_equal_brute_force(points, better):
    costs, *scores = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    samples = np.column_stack(scores)
    names = [f"m{i}" for i in range(len(points))]
    found = pareto_front(
        stand_in(scores[0], samples), dict(zip(names, costs, strict=True)), better=better
    )
    signed = costs if better == "low" else -costs
    table = found.table.loc[names]
    assert table["on_front"].tolist() == brute_force(signed, scores[0])
    expected = np.mean([brute_force(signed, column) for column in scores], axis=0)
    np.testing.assert_allclose(table["p_front"], expected)
    for model, by in found.dominated.items():
        i, j = names.index(model), names.index(by)
        assert dominates((signed[j], scores[0][j]), (signed[i], scores[0][i]))
        assert by in found.front.index
    assert found.table["resource"].is_monotonic_increasing or better == "high"
    assert len(found.front) + len(found.dominated) == len(points)


def test_the_published_front_of_priced_endpoints():
    """MTEB-PT §9: prices per 1M tokens and means; the fifth is dominated by voyage-context-4."""
    published = {
        "voyage-3.5-lite": (0.02, 0.620),
        "voyage-4": (0.06, 0.643),
        "voyage-context-4": (0.12, 0.668),
        "gemini-embedding-001": (0.15, 0.682),
        "text-embedding-3-large": (0.13, 0.645),
    }
    scores = pd.DataFrame({"mean": {name: score for name, (_, score) in published.items()}})
    prices = {name: price for name, (price, _) in published.items()}
    found = pareto_front(scores, prices, n_resamples=20)
    assert list(found.front.index) == list(published)[:4]
    assert found.front.tolist() == pytest.approx([0.620, 0.643, 0.668, 0.682])
    assert found.dominated.to_dict() == {"text-embedding-3-large": "voyage-context-4"}


def test_ties():
    scores = frame([[0.5], [0.5], [0.5], [0.7], [0.6]])
    costs = {"m0": 1, "m1": 1, "m2": 2, "m3": 3, "m4": 3}
    found = pareto_front(scores, costs, n_resamples=5)
    # m0 and m1 are equal on both; m2 scores alike at a higher cost; m4 costs alike and scores less.
    assert list(found.front.index) == ["m0", "m1", "m3"]
    assert found.dominated.to_dict() == {"m2": "m0", "m4": "m3"}
    noisy = scores + np.array([[0], [1e-13], [2e-13], [0], [0]])
    assert list(pareto_front(noisy, costs, n_resamples=5).front.index) == ["m0", "m1", "m3"]


def test_probabilities_come_from_the_resamples_of_the_bootstrap():
    scores = random_scores(12, 6, noise=0.15)
    costs = pd.Series(np.random.default_rng(0).permutation(12), index=scores.index)
    bootstrap = paired_bootstrap(scores, n_resamples=300, seed=4)
    found = pareto_front(scores, costs, n_resamples=300, seed=4)
    samples = pd.DataFrame(bootstrap.samples, index=bootstrap.models)
    expected = np.mean([brute_force(costs, samples[r].round(10)) for r in samples], axis=0)
    np.testing.assert_allclose(found.p_front.loc[scores.index], expected)
    assert ((found.p_front > 0) & (found.p_front < 1)).any()
    pd.testing.assert_frame_equal(found.table, pareto_front(bootstrap, costs).table)


def test_the_cheapest_and_the_best_are_always_on_the_front():
    scores = random_scores(15, 5)
    costs = pd.Series(range(15), index=scores.index)
    found = pareto_front(scores, costs, n_resamples=100)
    assert found.p_front["m0"] == 1.0
    assert scores.mean(axis=1).idxmax() in found.front.index
    assert found.table["on_front"].tolist() == brute_force(
        costs[found.table.index], found.table["score"]
    )


def test_order_and_names_change_no_number():
    scores = random_scores(12, 5)
    costs = pd.Series([3, 1, 2, 2, 5, 1, 4, 4, 6, 7, 0, 8], index=scores.index)
    found = pareto_front(scores, costs, n_resamples=200, seed=1).table
    new = {name: f"z{99 - int(name[1:])}" for name in scores.index}
    again = pareto_front(
        scores.rename(index=new).iloc[::-1, ::-1], costs.rename(new), n_resamples=200, seed=1
    ).table
    numbers = ["resource", "score", "on_front", "p_front"]
    pd.testing.assert_frame_equal(
        found[numbers].rename(index=new).loc[again.index], again[numbers], check_exact=True
    )


def test_high_is_better_turns_the_front():
    scores = frame([[0.5], [0.6], [0.7]])
    throughput = {"m0": 100.0, "m1": 10.0, "m2": 50.0}
    found = pareto_front(scores, throughput, better="high", n_resamples=5)
    assert list(found.front.index) == ["m0", "m2"]
    assert found.dominated.to_dict() == {"m1": "m2"}


def test_models_without_resource_or_score_are_named():
    scores = random_scores(6, 3)
    scores.loc["m5", "d0"] = np.nan
    costs = pd.Series({"m0": 1.0, "m1": np.nan, "m2": 2.0, "m5": 1.0, "gpt": 3.0})
    found = pareto_front(scores, costs, n_resamples=10)
    notes = {note.code: note.labels for note in found.notes}
    assert notes["no-resource"] == ("m1", "m3", "m4")
    assert notes["unused-resource"] == ("gpt",)
    assert notes["no-score"] == ("m5",)
    assert set(found.table.index) == {"m0", "m2"}


def test_a_resample_without_a_score_is_on_no_front():
    samples = np.array([[0.5, np.nan], [0.4, 0.4]])
    found = pareto_front(stand_in([0.5, 0.4], samples), {"m0": 1, "m1": 2})
    assert found.p_front.to_dict() == {"m0": 0.5, "m1": 0.5}


def test_parameters_of_the_example():
    matrix = rr.load_example().resolve_missing()
    found = pareto_front(matrix, "n_parameters", n_resamples=200)
    parameters = matrix.models["n_parameters"]
    missing = next(note for note in found.notes if note.code == "no-resource")
    assert set(missing.labels) == set(parameters.index[parameters.isna()])
    assert len(found.table) == parameters.notna().sum()
    table = found.table
    assert table["on_front"].tolist() == brute_force(table["resource"], table["score"].round(10))
    assert found.front.is_monotonic_increasing
    assert repr(found).startswith(f"ParetoFront({len(found.front)} of {len(table)} models: ")


@pytest.mark.parametrize(
    ("resource", "wrong", "error", "message"),
    [
        ("parameters", {}, UnknownLabelError, "'parameters': did you mean 'n_parameters'"),
        ("price", {}, EmptyMatrixError, "given for none; the models are m0, m1, m2 and 1 more"),
        ({"gpt": 1.0}, {}, EmptyMatrixError, "given for gpt; the models are m0"),
        ({"m0": "3B"}, {}, NonNumericError, "resource of 'm0' is '3B', not a finite number"),
        ({"m0": np.inf}, {}, NonNumericError, "not a finite number"),
        ({"m0": True}, {}, NonNumericError, "not a finite number"),
        ([1, 2, 3, 4], {}, ParameterError, "mapping or Series of model to number"),
        (pd.Series([1, 2], index=["m0", "m0"]), {}, DuplicateError, "'m0' in rows 1, 2"),
        ({"m0": 1}, {"better": "cheap"}, ParameterError, "better must be 'low' or 'high'"),
        ({"m0": 1}, {"n_resamples": 0}, ParameterError, "n_resamples"),
    ],
)
def test_bad_input(resource, wrong, error, message):
    with pytest.raises(error, match=message):
        pareto_front(random_scores(4, 3), resource, **wrong)


def test_a_bootstrap_has_no_metadata():
    bootstrap = paired_bootstrap(random_scores(4, 3), n_resamples=10)
    with pytest.raises(ParameterError, match="no metadata to find 'price' in"):
        pareto_front(bootstrap, "price")


def test_no_model_with_both():
    scores = random_scores(4, 3)
    scores.loc["m0", "d0"] = np.nan
    with pytest.raises(EmptyMatrixError, match="m0 lack scores"):
        pareto_front(scores, {"m0": 1.0}, n_resamples=5)


def test_notes_of_the_bootstrap_are_kept():
    matrix = rr.ScoreMatrix(random_scores(6, 4) * 100)
    costs = dict.fromkeys(matrix.scores.index, 1.0)
    found = pareto_front(matrix, costs, n_resamples=5)
    assert note_codes(found)[0] == "scale"
    bootstrap = paired_bootstrap(matrix, n_resamples=5)
    assert set(bootstrap.notes) <= set(found.notes)


def test_one_dataset_says_nothing_of_the_chance_of_being_on_the_front():
    found = pareto_front(random_scores(4, 1), {"m0": 1, "m1": 2, "m2": 3, "m3": 4})
    assert found.p_front.isna().all()
    assert found.table["on_front"]["m0"]
    assert "undefined-p-front" in note_codes(found)
    assert "undefined-p-front" not in note_codes(
        pareto_front(random_scores(4, 2), {"m0": 1, "m1": 2}, n_resamples=50)
    )


def test_a_resample_without_any_score_does_not_count():
    samples = np.array([[0.5, np.nan], [0.4, np.nan]])
    found = pareto_front(stand_in([0.5, 0.4], samples), {"m0": 1, "m1": 2})
    assert found.p_front.to_dict() == {"m0": 1.0, "m1": 0.0}


def test_plot_says_who_is_not_shown_and_which_end_is_better():
    matrix = rr.ScoreMatrix(random_scores(6, 4))
    cost = pd.Series([5.0, 2.0, 3.0, 4.0], index=["m0", "m1", "m2", "m3"])
    found = pareto_front(matrix, cost, n_resamples=50)
    ax = found.plot(label="price", score_label="mean")
    assert ax.get_xlabel() == "price (less is better)"
    assert ax.get_ylabel() == "mean"
    assert "2 models not shown: price unknown" in [text.get_text() for text in ax.texts]
    drawn = np.vstack([dots.get_offsets() for dots in ax.collections])
    expected = found.table[["resource", "score"]].to_numpy()
    np.testing.assert_allclose(drawn[np.argsort(drawn[:, 0])], expected)


@pytest.mark.parametrize(("better", "said"), [("low", "less"), ("high", "more")])
def test_which_end_is_better_is_kept_even_where_all_cost_the_same(better, said):
    costs = dict.fromkeys(["m0", "m1", "m2"], 1.0)
    found = pareto_front(random_scores(3, 4), costs, better=better, n_resamples=5)
    assert found.better == better
    assert found.plot().get_xlabel() == f"resource ({said} is better)"


def test_plot_draws_the_intervals_of_the_scores_given():
    bootstrap = paired_bootstrap(random_scores(4, 6), n_resamples=50)
    found = pareto_front(bootstrap, {f"m{i}": float(i) for i in range(4)})
    ends = bootstrap.to_frame()[["ci_low", "ci_high"]].set_axis(["low", "high"], axis="columns")
    ax = found.plot(score_interval=ends)
    drawn = {
        tuple(segment[:, 1])
        for lines in ax.collections
        if hasattr(lines, "get_segments")
        for segment in lines.get_segments()
    }
    assert drawn == set(map(tuple, ends.to_numpy()))
