"""Rank sets of a matrix: what is told apart, and what has no say."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robustrank as rr
from robustrank.confidence_sets.draws import flip_signs, resample
from robustrank.confidence_sets.step_down import family_p_values, largest, statistics
from tests.conftest import frame, note_codes, random_scores, score_frames

SETS = ["rank_low", "rank_high"]


def sets(found) -> dict[str, tuple[int, int]]:
    """Model → the ends of its set."""
    rows = found.table[SETS].itertuples()
    return {name: (low, high) for name, low, high in rows}


def naive(values: np.ndarray, pairs: list[tuple[int, int]], stepwise: bool) -> dict:
    """P-values of pairs by all 2ⁿ signs: a step at a time, in plain loops over hypotheses."""
    signs = np.array(list(product((1.0, -1.0), repeat=values.shape[1])))

    def drawn(i, j):
        gap = values[i] - values[j]
        size = np.sqrt((gap**2).sum())
        return signs @ gap / size if size > 1e-9 else np.zeros(len(signs))

    both = [*pairs, *((j, i) for i, j in pairs)]
    null = {pair: drawn(*pair) for pair in both}
    observed = {pair: null[pair][0] for pair in both}  # the first signs are all +1
    left, p, worst = set(both), {}, 0.0
    for pair in sorted(both, key=lambda each: -observed[each]):
        largest = np.max([null[each] for each in (left if stepwise else both)], axis=0)
        worst = max(worst, float((largest >= observed[pair] - 1e-8).mean()))
        p[pair] = worst
        left.discard(pair)
    return {(i, j): p[i, j] if observed[i, j] >= 0 else p[j, i] for i, j in pairs}


@pytest.mark.parametrize("stepwise", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_p_values_are_those_of_every_assignment_of_signs(seed, stepwise):
    board = random_scores(5, 7, seed=seed, noise=0.15)
    values = board.to_numpy()
    together = rr.rank_confidence_sets(board, stepwise=stepwise).p_values
    expected = naive(values, [(i, j) for i in range(5) for j in range(i + 1, 5)], stepwise)
    one = rr.rank_confidence_sets(board, stepwise=stepwise, simultaneous=False).p_values
    for i in range(5):
        alone = naive(values, [(i, j) for j in range(5) if j != i], stepwise)
        for j in range(5):
            if i < j:
                assert together.loc[f"m{i}", f"m{j}"] == pytest.approx(expected[i, j])
                assert together.loc[f"m{j}", f"m{i}"] == pytest.approx(expected[i, j])
            if i != j:
                assert one.loc[f"m{i}", f"m{j}"] == pytest.approx(alone[i, j])


def test_one_pair_has_the_p_value_of_the_sign_flip_test():
    board = random_scores(2, 9, noise=0.2)
    found = rr.rank_confidence_sets(board, n_resamples=600)
    expected = rr.sign_flip_test(board.loc["m0"] - board.loc["m1"])
    assert found.p_values.loc["m0", "m1"] == pytest.approx(float(expected))


def test_sets_count_who_is_surely_above_and_below():
    board = random_scores(12, 30, noise=0.1)
    found = rr.rank_confidence_sets(board)
    estimates = board.mean(axis=1)
    for name, row in found.table.iterrows():
        above, below = found.above(name), found.below(name)
        assert len(above) == row["n_above"] == row["rank_low"] - 1
        assert len(below) == row["n_below"] == 12 - row["rank_high"]
        assert all(estimates[other] > estimates[name] for other in above)
        assert all(name in found.below(other) for other in above)
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
    assert 0 < found.table["n_above"].sum() < 12 * 11 / 2


def test_narrower_for_fewer_statements():
    board = random_scores(15, 14, noise=0.15)
    single = rr.rank_confidence_sets(board, stepwise=False)
    steps = rr.rank_confidence_sets(board)
    alone = rr.rank_confidence_sets(board, simultaneous=False)
    strict = rr.rank_confidence_sets(board, confidence_level=0.99)
    width = {}
    for kind, found in (("99", strict), ("single", single), ("steps", steps), ("alone", alone)):
        width[kind] = (found.table["rank_high"] - found.table["rank_low"]).reindex(board.index)
    assert (width["99"] >= width["steps"]).all()
    assert (width["single"] >= width["steps"]).all()
    assert width["steps"].sum() > width["alone"].sum()


def test_planted_groups_are_told_apart_and_their_members_are_not():
    rng = np.random.default_rng(3)
    level = np.repeat([0.8, 0.5, 0.2], 3)
    board = frame(level[:, None] + rng.normal(0, 0.05, 20) + rng.normal(0, 0.04, (9, 20)))
    found = rr.rank_confidence_sets(board)
    assert sets(found) == {f"m{i}": ((1, 3), (4, 6), (7, 9))[i // 3] for i in range(9)}
    assert set(found.best(1)) == set(found.best(3)) == {"m0", "m1", "m2"}
    assert len(found.best(4)) == 6
    assert "the rank of" in found.headline
    assert "75% of the pairs" in found.headline


@pytest.mark.parametrize("test", ["sign-flip", "bootstrap-t"])
def test_identical_models_and_a_constant_lead(test):
    base = random_scores(1, 12).to_numpy()[0]
    board = frame([base, base, base - 0.05])
    found = rr.rank_confidence_sets(board, test=test)
    assert sets(found) == {"m0": (1, 2), "m1": (1, 2), "m2": (3, 3)}
    apart = rr.rank_confidence_sets(board.drop(index="m1"), test=test)
    assert "Half of the sets hold a single rank." in apart.headline
    assert found.p_values.loc["m0", "m1"] == 1.0
    assert found.table.loc[["m0", "m1"], "rank"].tolist() == [1.5, 1.5]


@pytest.mark.parametrize("test", ["sign-flip", "bootstrap-t"])
def test_one_dataset_and_few_datasets_tell_nothing_apart(test):
    for datasets in (1, 4):
        board = random_scores(4, datasets, noise=0.01)
        found = rr.rank_confidence_sets(board, test=test)
        assert set(sets(found).values()) == {(1, 4)}
        by_code = {note.code: note.message for note in found.notes}
        assert f"{datasets} dataset" in by_code["no-separation-possible"]
        assert "no two of 4 models can be told apart" in found.headline
        assert found.p_values.notna().sum().sum() == 12


@pytest.mark.parametrize("test", ["sign-flip", "bootstrap-t"])
@pytest.mark.parametrize("datasets", [2, 5, 6, 8])
def test_the_same_lead_on_all_datasets_is_as_sure_as_their_signs(datasets, test):
    easy = np.linspace(0.3, 0.7, datasets)
    found = rr.rank_confidence_sets([easy + 0.1, easy], test=test)
    assert found.p_values.loc["m1", "m2"] == pytest.approx(2.0 ** (1 - datasets))
    assert ("no-separation-possible" in note_codes(found)) == (datasets < 6)


def test_a_constant_dataset_says_nothing():
    board = random_scores(6, 9)
    more = board.assign(flat=0.5)
    a, b = (rr.rank_confidence_sets(each, n_resamples=1024) for each in (board, more))
    pd.testing.assert_frame_equal(a.p_values, b.p_values)


@given(score_frames(max_models=6, max_datasets=6), st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_order_names_and_unit_have_no_say(board, shuffle):
    found = rr.rank_confidence_sets(board)
    rows, columns = list(board.index), list(board.columns)
    shuffle.shuffle(rows)
    shuffle.shuffle(columns)
    again = rr.rank_confidence_sets(board.loc[rows, columns])
    assert sets(again) == sets(found)
    names = {name: f"<b>{name}$\n" for name in board.index}
    renamed = rr.rank_confidence_sets(board.rename(index=names))
    assert sets(renamed) == {names[name]: pair for name, pair in sets(found).items()}
    percent = rr.rank_confidence_sets(100.0 * board)
    assert sets(percent) == sets(found)


@pytest.mark.parametrize("test", ["sign-flip", "bootstrap-t"])
def test_order_has_no_say_with_draws_either(test):
    board = random_scores(7, 20, noise=0.15)
    found = rr.rank_confidence_sets(board, test=test, n_resamples=300)
    again = rr.rank_confidence_sets(board.iloc[::-1, ::-1], test=test, n_resamples=300)
    pd.testing.assert_frame_equal(found.table, again.table)
    pd.testing.assert_frame_equal(found.p_values, again.p_values)
    other = rr.rank_confidence_sets(board, test=test, n_resamples=300, seed=1)
    assert not other.p_values.equals(found.p_values)


def test_copies_of_datasets_count_once_as_clusters():
    board = random_scores(8, 8, noise=0.2)
    twice = pd.concat([board, board.add_prefix("copy-")], axis=1)
    corpus = {name: name.removeprefix("copy-") for name in twice.columns}
    once = rr.rank_confidence_sets(board)
    grouped = rr.rank_confidence_sets(twice, by=corpus)
    assert sets(grouped) == sets(once)
    naive_sets = rr.rank_confidence_sets(twice)
    assert naive_sets.table["n_above"].sum() > once.table["n_above"].sum()
    assert grouped.settings["n_units"] == 8
    assert grouped.settings["by"] == corpus


def test_repeated_datasets_and_dropped_models_are_named():
    board = random_scores(20, 9, noise=0.2)
    board["again"] = board["d0"] + 0.001
    board.loc["m3", "d1"] = np.nan
    found = rr.rank_confidence_sets(board)
    by_code = {note.code: note.labels for note in found.notes}
    assert by_code["dropped-models"] == ("m3",)
    assert set(by_code["repeated-datasets"]) == {"d0", "again"}
    assert "m3" not in found.p_values.columns
    clustered = rr.rank_confidence_sets(board, by="clusters")
    assert "repeated-datasets" not in note_codes(clustered)
    assert clustered.settings["n_units"] == 9


def test_models_alone_are_compared_with_all():
    board = random_scores(10, 25, noise=0.12)
    everyone = rr.rank_confidence_sets(board)
    two = rr.rank_confidence_sets(board, models=["m4", "m1"])
    assert set(two.table.index) == {"m1", "m4"}
    assert two.p_values.shape == (2, 10)
    assert two.settings["models"] == list(two.table.index)
    width = two.table["rank_high"] - two.table["rank_low"]
    whole = everyone.table["rank_high"] - everyone.table["rank_low"]
    assert (width <= whole.loc[width.index]).all()
    one = rr.rank_confidence_sets(board, models="m4", simultaneous=False)
    also = rr.rank_confidence_sets(board, models="m4")
    pd.testing.assert_frame_equal(one.table, also.table)
    assert one.headline.startswith("With 95% confidence, the rank of m4 is")
    assert "for these ranks together" in two.headline


def test_models_alone_do_not_speak_for_the_others():
    """The wide one cannot be told from the others, which can be told from each other."""
    rng = np.random.default_rng(0)
    board = frame(np.array([0.6, 0.5, 0.55])[:, None] + rng.normal(0, 0.01, (3, 12)))
    board.loc["m2"] = 0.55 + np.tile([0.3, -0.3], 6)
    assert "the rank of m0 is" in rr.rank_confidence_sets(board).headline
    wide = rr.rank_confidence_sets(board, models="m2")
    said = "With 95% confidence, m2 cannot be told apart from any other of 3 models."
    assert wide.headline == said


def test_bootstrap_t_is_a_mean_over_its_own_standard_error():
    """Against a loop over resamples."""
    values = np.random.default_rng(1).normal(size=(4, 9))
    draws = resample(values, 50, np.random.default_rng(2))
    a, b = np.triu_indices(4, 1)
    expected = np.zeros(50)
    for draw, counts in enumerate(draws.noise.T.astype(int)):
        for i, j in zip(a, b, strict=True):
            gap = values[i] - values[j]
            drawn = np.repeat(gap, counts)
            error = drawn.std(ddof=1) / 3.0
            expected[draw] = max(expected[draw], abs(drawn.mean() - gap.mean()) / error)
    np.testing.assert_allclose(largest(draws, a, b, two_sided=True), expected)
    gaps = values[a] - values[b]
    t = gaps.mean(axis=1) / (gaps.std(axis=1, ddof=1) / 3.0)
    np.testing.assert_allclose(statistics(draws, a, b), t)


def test_equal_models_are_told_apart_in_one_of_twenty_boards_at_most():
    """400 boards of 8 models × 8 datasets: the exact test has 5% at most."""
    rng = np.random.default_rng(5)
    a, b = np.triu_indices(8, 1)
    wrong = 0
    for _ in range(400):
        board = rng.normal(0.5, 0.1, 8) + rng.normal(0.0, 0.05, (8, 8))
        draws = flip_signs(board, 256, rng)
        wrong += bool((family_p_values(draws, a, b, stepwise=True) <= 0.05).any())
    assert 4 <= wrong <= 36  # 20 expected at most; the bounds are 3.7 standard deviations away


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"confidence_level": 1.0}, "confidence_level must lie between 0 and 1"),
        ({"n_resamples": 0}, "n_resamples must be a whole number of at least 1"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"test": "t"}, "test must be 'sign-flip' or 'bootstrap-t'; got 't'"),
        ({"by": "corpora"}, "'corpora'"),
        ({"by": {"d0": "a"}}, "by has no group for 3 of 4 datasets"),
        ({"models": "m9"}, "Unknown model 'm9'"),
        ({"models": []}, "models names none"),
    ],
)
def test_wrong_settings_are_named(given, message):
    with pytest.raises(rr.errors.InputError, match=message):
        rr.rank_confidence_sets(random_scores(4, 4), **given)


def test_what_takes_all_models_says_so():
    found = rr.rank_confidence_sets(random_scores(4, 8), simultaneous=False)
    with pytest.raises(rr.errors.ParameterError, match="simultaneous at True"):
        found.best(1)
    with pytest.raises(rr.errors.UnknownLabelError, match="did you mean"):
        found.above("m33")
    with pytest.raises(rr.errors.ParameterError, match="top must be"):
        found.summary(top=0)


def test_the_result_as_text_values_and_files(tmp_path):
    board = random_scores(6, 12).rename(index={"m0": "a$b$", "m1": "<i>\n", "m2": "模型" * 40})
    found = rr.rank_confidence_sets(board)
    text = found.summary(top=4)
    assert text.startswith(found.headline[:40])
    assert "2 models more" in text
    content = found.to_dict()
    assert "p_values" not in content
    assert content["table"][0]["model"] == found.table.index[0]
    assert content["settings"]["confidence_level"] == 0.95
    written = {path.name for path in found.save(tmp_path)}
    assert {"rank_sets.csv", "p_values.csv", "rank_sets.svg", "results.json"} <= written
    assert len(found.plot.rank_sets(top=2).get_yticklabels()) == 3


def test_the_bundled_board():
    board = rr.load_example().select(task_type="STS")
    found = rr.rank_confidence_sets(board)
    assert found.table.index[0] == board.resolve_missing().scores.mean(axis=1).idxmax()
    assert found.table.iloc[0]["rank_low"] == 1
    assert found.p_values.shape == (91, 91)
    assert {"dropped-models", "skewed-differences", "repeated-datasets"} <= set(note_codes(found))
