from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from robustrank.errors import InputError, ParameterError
from robustrank.instances import InstanceScores
from robustrank.matrix import ScoreMatrix
from robustrank.resampling import paired_bootstrap
from tests.conftest import note_codes, random_scores


def instance_board(m=4, n=12, size=25, seed=0):
    """Scores per instance with noise, and the board of their means."""
    rng = np.random.default_rng(seed)
    centre = rng.uniform(0.3, 0.7, (m, 1)) + rng.normal(0, 0.05, n)
    tables = {
        f"d{j}": pd.DataFrame(
            np.clip(centre[:, j, None] + rng.normal(0, 0.15, (m, size)), 0, 1),
            index=[f"m{i}" for i in range(m)],
        )
        for j in range(n)
    }
    instances = InstanceScores(tables)
    return instances.scores(), instances


def within_variance(instances, datasets, n):
    """Of the mean over n datasets, from resampling the instances of some of them.

    Each of the c copies of a dataset in a resample draws its own instances, and c is 1 on average.
    """
    variances = [instances.values(d).var(axis=1) / instances.values(d).shape[1] for d in datasets]
    return np.sum(variances, axis=0) / n**2


@pytest.mark.parametrize("aggregate", ["mean", "task-type-mean"])
def test_variance_is_that_between_plus_that_within(aggregate):
    scores, instances = instance_board()
    types = pd.DataFrame({"task_type": ["a", "b"] * 6}, index=scores.columns)
    settings = {"n_resamples": 20_000, "aggregate": aggregate}
    board = ScoreMatrix(scores, types)
    if aggregate == "task-type-mean":
        settings["resampling"] = "balanced"  # every dataset then has the weight 1 / n
    between = paired_bootstrap(board, **settings)
    both = paired_bootstrap(board, instances=instances, **settings)
    wanted = between.standard_error**2 + within_variance(instances, scores.columns, 12)
    np.testing.assert_allclose(both.standard_error**2, wanted, rtol=0.04)
    assert (both.standard_error > 1.05 * between.standard_error).all()
    pd.testing.assert_series_equal(both.estimate, between.estimate)
    assert both.notes == between.notes == ()
    assert both.settings["two_level"]


def test_one_dataset_has_the_noise_within_it_alone():
    scores, instances = instance_board()
    found = paired_bootstrap(scores[["d3"]], instances=instances, n_resamples=20_000)
    wanted = within_variance(instances, ["d3"], 1)
    np.testing.assert_allclose(found.standard_error**2, wanted, rtol=0.04)
    assert found.interval.notna().all(axis=None)
    assert found.pairwise.notna().all(axis=None)
    assert "nothing-to-resample" not in note_codes(found)


def test_models_see_the_same_instances():
    """A model that leads another by the same on every instance leads in every resample."""
    _, instances = instance_board(m=3)
    tables = {d: instances.table(d).clip(lower=0.1) for d in instances.datasets}
    for table in tables.values():
        table.loc["m1"] = table.loc["m0"] - 0.05
    instances = InstanceScores(tables)
    found = paired_bootstrap(instances.scores(), instances=instances, n_resamples=2000)
    np.testing.assert_allclose(found.samples[0] - found.samples[1], 0.05, atol=1e-9)
    assert found.pairwise.loc["m0", "m1"] == 1.0


def test_identical_instances_add_nothing():
    scores, _ = instance_board()
    alike = InstanceScores({d: pd.DataFrame(dict.fromkeys(range(30), scores[d])) for d in scores})
    plain = paired_bootstrap(scores, n_resamples=500)
    found = paired_bootstrap(scores, instances=alike, n_resamples=500)
    np.testing.assert_allclose(found.samples, plain.samples, atol=1e-12)


def test_noise_of_a_dataset_counts_by_its_slope():
    """Under z-scores the noise is divided by the standard deviation of the dataset."""
    scores, instances = instance_board(n=1)
    found = paired_bootstrap(
        scores, instances=instances, aggregate="z-score-mean", n_resamples=20_000
    )
    wanted = within_variance(instances, ["d0"], 1) / scores["d0"].var(ddof=0)
    np.testing.assert_allclose(found.standard_error**2, wanted, rtol=0.04)


def test_reversed_datasets():
    """Errors per instance, on which lower is better, are noise of the same size and pairing."""
    scores, instances = instance_board(m=3, n=4)
    errors = InstanceScores(
        {d: 1 - instances.table(d) if d == "d1" else instances.table(d) for d in instances.datasets}
    )
    board = ScoreMatrix(errors.scores(), direction={"d1": "min"})
    plain = paired_bootstrap(scores, instances=instances, n_resamples=4000)
    found = paired_bootstrap(board, instances=errors, n_resamples=4000)
    np.testing.assert_allclose(found.estimate, plain.estimate)
    np.testing.assert_allclose(found.standard_error, plain.standard_error, rtol=0.05)
    gap, reversed_gap = (f.samples[0] - f.samples[1] for f in (plain, found))
    assert reversed_gap.std() == pytest.approx(gap.std(), rel=0.05)


@pytest.mark.parametrize("reversed_scores", [False, True])
def test_noise_of_reversed_datasets_is_reversed(reversed_scores):
    """A rare success makes the mean skewed to the right; so does the rare lack of an error."""
    rare = pd.DataFrame([[1.0] + [0.0] * 19, [0.9] + [0.0] * 19], index=["m0", "m1"])
    instances = InstanceScores({"d0": 1 - rare if reversed_scores else rare})
    direction = {"d0": "min"} if reversed_scores else None
    board = ScoreMatrix(instances.scores(), direction=direction)
    samples = paired_bootstrap(board, instances=instances, n_resamples=2000).samples
    assert (scipy.stats.skew(samples, axis=1) > 0.5).all()


def test_accuracies_without_instances_get_binomial_noise():
    scores, instances = instance_board(n=6)
    facts = pd.DataFrame(
        {"n_instances": [np.nan] + [40] * 4 + [np.nan], "metric": ["ndcg"] + ["accuracy"] * 5},
        index=scores.columns,
    )
    alone = InstanceScores({"d0": instances.table("d0")})
    settings = {"n_resamples": 20_000}
    between = paired_bootstrap(scores, **settings)
    both = paired_bootstrap(ScoreMatrix(scores, facts), instances=alone, **settings)
    known = scores[["d1", "d2", "d3", "d4"]]
    binomial = (known * (1 - known) / 40).sum(axis=1) / 6**2
    wanted = between.standard_error**2 + within_variance(instances, ["d0"], 6) + binomial
    np.testing.assert_allclose(both.standard_error**2, wanted, rtol=0.04)
    assert note_codes(both) == ["no-instances"]
    assert both.notes[0].labels == ("d5",)


def test_arrangement_changes_no_bit():
    scores, instances = instance_board()
    shuffled = scores.sample(frac=1, random_state=0).sample(frac=1, axis=1, random_state=1)
    tables = {
        d: instances.table(d).sample(frac=1, random_state=3).sample(frac=1, axis=1, random_state=4)
        for d in reversed(instances.datasets)
    }
    first = paired_bootstrap(scores, instances=instances, n_resamples=100)
    second = paired_bootstrap(shuffled, instances=InstanceScores(tables), n_resamples=100)
    rows = second.models.get_indexer(first.models)
    np.testing.assert_array_equal(first.samples, second.samples[rows])
    assert not np.array_equal(
        first.samples,
        paired_bootstrap(scores, instances=instances, n_resamples=100, seed=1).samples,
    )


def test_what_has_no_instances_is_noted():
    scores, instances = instance_board(n=8)
    part = InstanceScores(
        {"d0": instances.table("d0"), "d1": instances.table("d1").loc[["m0", "m1", "m2"]]}
        | {"other": instances.table("d5").rename(index={"m1": "stranger"})}
    )
    found = paired_bootstrap(scores, instances=part, n_resamples=200)
    notes = {note.code: note.labels for note in found.notes}
    assert sorted(notes.pop("no-instances")) == [f"d{j}" for j in range(2, 8)]
    assert notes == {"models-without-instances": ("m3",), "unused-instances": ("other", "stranger")}
    fewer = InstanceScores({"d0": instances.table("d0").loc[["m0", "m2"]]})
    plain = paired_bootstrap(scores, n_resamples=200)
    found = paired_bootstrap(scores, instances=fewer, n_resamples=200)
    notes = {note.code: note for note in found.notes}
    assert sorted(notes["models-without-instances"].labels) == ["m1", "m3"]
    np.testing.assert_array_equal(found.samples[[1, 3]], plain.samples[[1, 3]])
    assert (found.samples[[0, 2]] != plain.samples[[0, 2]]).any()


@pytest.mark.parametrize("kind", ["model", "dataset"])
def test_instances_of_something_else_are_refused(kind):
    scores, instances = instance_board(n=6)
    table = instances.table("d0")
    tables = {"d0": table.rename(lambda m: f"org/{m}")} if kind == "model" else {"other": table}
    with pytest.raises(InputError, match=f"share no {kind} with the board: they are of") as caught:
        paired_bootstrap(scores, instances=InstanceScores(tables), n_resamples=5)
    assert caught.value.labels[0] == ("org/m0" if kind == "model" else "other")


def test_instances_that_contradict_the_board_are_named():
    scores, instances = instance_board(n=6)
    turned = scores.assign(d2=1 - scores["d2"])
    found = paired_bootstrap(turned + 0.0, instances=instances, n_resamples=5)
    note = next(n for n in found.notes if n.code == "instances-differ")
    assert note.labels == ("d2",)
    lower = ScoreMatrix(turned, direction={"d2": "min"})  # which turns d2 back
    assert "instances-differ" in note_codes(
        paired_bootstrap(lower, instances=instances, n_resamples=5)
    )
    right = ScoreMatrix(scores, direction={"d2": "min"})
    assert "instances-differ" not in note_codes(
        paired_bootstrap(right, instances=instances, n_resamples=5)
    )


def test_notes_on_the_instances_stay():
    scores, instances = instance_board(n=6)
    percent = InstanceScores({name: instances.table(name) * 100 for name in scores})
    assert percent.notes
    found = paired_bootstrap(scores, instances=percent, n_resamples=5)
    assert set(percent.notes) <= set(found.notes)


def test_pairs_with_missing_scores_are_noted():
    scores, instances = instance_board(n=6)
    scores.iloc[0, 0] = np.nan
    found = paired_bootstrap(scores, instances=instances, n_resamples=4000)
    assert "within-noise-partial" in note_codes(found)
    # The noise of the five datasets that m0 ran, each of weight 1 / 5.
    plain = paired_bootstrap(scores, n_resamples=4000)
    wanted = within_variance(instances, scores.columns[1:], 5)[0]
    added = found.standard_error["m0"] ** 2 - plain.standard_error["m0"] ** 2
    assert added == pytest.approx(wanted, rel=0.3)


@pytest.mark.parametrize(
    ("aggregate", "message"),
    [
        ("borda", "can be added to means of scores .*z-score-mean"),
        ("topsis/equal", "cannot be added to 'topsis/equal'.* Use aggregate='mean'"),
    ],
)
def test_aggregates_that_take_no_noise(aggregate, message):
    scores, instances = instance_board(n=3)
    with pytest.raises(ParameterError, match=message):
        paired_bootstrap(scores, instances=instances, aggregate=aggregate, n_resamples=10)


def test_without_instances_there_is_one_level():
    assert not paired_bootstrap(random_scores(3, 6), n_resamples=10).settings["two_level"]
