from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from robustrank.evaluators.hteb.judging import judge_scores
from robustrank.evaluators.hteb.judging.observing import FEWEST, complete, observe
from tests.evaluators.hteb.judging.planted import ratings

LEVEL = 0.95


def wide(sizes, rng, generators="AB"):
    """Ratings of one judge around 3.5, as (transformation, item) × (judge, generator)."""
    index = pd.MultiIndex.from_tuples(
        [(name, item) for name, n in sizes.items() for item in range(n)],
        names=["transformation", "item"],
    )
    columns = pd.MultiIndex.from_product([["J"], list(generators)], names=["judge", "generator"])
    values = 3.5 + rng.normal(0, 1, (len(index), len(columns)))
    return pd.DataFrame(np.clip(np.rint(values), 1, 5), index, columns)


def observed(table):
    kept, _ = complete(table)
    means = kept.groupby(level="transformation", sort=False).mean()
    return means, observe(kept, means, LEVEL).to_numpy()


def with_few(n_few, n_many=100):
    """Ratings of which only some translations are complete."""
    table = ratings({"A": 3.4, "B": 3.4}, n_items=n_many, judges=["J"])
    number = table["item"].str.removeprefix("item ").astype(int)
    return table[(table["transformation"] != "translation") | (number < n_few)]


def test_complete_texts_are_those_with_every_rating():
    table = wide({"a": 8, "b": 7}, np.random.default_rng(0))
    table.iloc[0, 0] = np.nan
    kept, sizes = complete(table)
    assert sizes.to_dict() == {"a": 7, "b": 7}
    assert len(kept) == 14


@pytest.mark.parametrize(
    ("sizes", "left"),
    [
        ({"a": 100, "b": FEWEST}, "ab"),
        ({"a": 100, "b": FEWEST - 1}, "a"),
        ({"a": 5, "b": 1}, "a"),
        ({"a": 3, "b": 2}, "a"),  # the largest there is
        ({"a": 2, "b": 2}, "ab"),
    ],
)
def test_a_transformation_with_few_complete_texts_is_left_out_where_another_has_more(sizes, left):
    kept, _ = complete(wide(sizes, np.random.default_rng(0)))
    assert "".join(kept.index.unique("transformation")) == left


@pytest.mark.parametrize("n", [2, 5, 20, 100])
def test_the_spread_of_observations_gives_the_interval_of_student(n):
    table = wide({"a": n}, np.random.default_rng(n))
    means, values = observed(table)
    assert values.mean(axis=1) == pytest.approx(means.mean().to_numpy())
    half = stats.norm.ppf(0.975) * values.std(axis=1) / np.sqrt(n)
    student = stats.t.ppf(0.975, n - 1) * table.std().to_numpy() / np.sqrt(n)
    assert half == pytest.approx(student)


@pytest.mark.parametrize("n_few", [5, 20])
def test_intervals_hold_the_mean_where_one_transformation_has_few_texts(n_few):
    rng, held = np.random.default_rng(n_few), 0
    for _ in range(25):
        _, values = observed(wide({"many": 100, "few": n_few}, rng, "ABCDEFGHIJKLMNOP"))
        gaps = values[::2] - values[1::2]  # of eight pairs of equal generators
        half = stats.norm.ppf(0.975) * gaps.std(axis=1) / np.sqrt(gaps.shape[1])
        held += int((abs(gaps.mean(axis=1)) <= half).sum())
    # At .95, fewer than 180 of 200 come with a chance below .002.
    assert held >= 180


def test_one_text_of_each_transformation_says_nothing_of_chance():
    table = ratings({"A": 3.0, "B": 4.0}, n_items=1)
    scores = judge_scores(table.assign(item=table["transformation"]), n_resamples=50)
    assert scores.n_items == 2
    assert scores.average["mean"].notna().all()
    assert scores.average["low"].isna().all()
    assert not scores.comparisons["significant"].any()


def test_what_is_left_out_and_what_is_few_is_said():
    scores = judge_scores(with_few(2), n_resamples=100)
    assert list(scores.by_transformation.index) == ["paraphrasing", "total"]
    notes = {note.code: note for note in scores.notes}
    assert "translation (2)" in notes["lost-transformations"].message
    assert notes["lost-transformations"].labels == ("translation",)
    assert "few-items" not in notes
    scores = judge_scores(with_few(20), n_resamples=100)
    notes = {note.code: note for note in scores.notes}
    assert "lost-transformations" not in notes
    assert "Few texts to compare: translation (20)." in notes["few-items"].message
