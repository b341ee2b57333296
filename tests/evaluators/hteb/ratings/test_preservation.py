from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import (
    EmptyMatrixError,
    NonNumericError,
    ParameterError,
    ScaleError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.ratings import label_preservation, make_pair_survey, read_ratings

from .conftest import fill


def ratings(original, transformed, gold=None, name="paraphrasing"):
    """Return ratings of pairs, shape (pairs, raters) each."""
    rows = []
    for version, values in (("original", original), ("transformed", transformed)):
        for i, row in enumerate(np.asarray(values)):
            for k, rating in enumerate(row):
                about = {"pair": f"p{i}", "transformation": name, "version": version}
                item = {"item": f"{name} {i} {version}", "rater": f"r{k}", **about}
                rows.append(
                    {
                        **item,
                        "similarity": rating,
                        **({"gold": gold[i]} if gold is not None else {}),
                    }
                )
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("n", "within", "mad", "share"),
    [(50, 44, 0.65, 0.88), (50, 48, 0.41, 0.96), (40, 36, 0.45, 0.90), (40, 27, 0.99, 0.675)],
)
def test_ratings_with_what_tables_4_and_13_print_exist(n, within, mad, share):
    """Two raters; the fewest pairs two points apart that the share allows, the others by halves."""
    far = n - within
    halves = round(2 * (mad * n - 2 * far))
    assert 0 <= halves <= 2 * within
    apart = [4] * far + [2] * (halves // 2) + [1] * (halves % 2)
    apart += [0] * (n - len(apart))
    original = np.full((n, 2), 2)
    transformed = original + np.array([[half - half // 2, half // 2] for half in apart])
    found = label_preservation(ratings(original, transformed)).differences
    row = found.loc[("paraphrasing", "transformed vs original")]
    assert row["mad"] == pytest.approx(mad, abs=0.0051)
    assert row["within"] == pytest.approx(share, abs=1e-12)
    assert row["mad_low"] < row["mad"] < row["mad_high"]
    assert row["n_pairs"] == n


def test_lenient_raters_who_leave_cells_empty_shift_nothing():
    rng = np.random.default_rng(1)
    strict = rng.integers(0, 4, 100)
    table = ratings(np.c_[strict, strict + 1], np.c_[strict, strict + 1])
    half = (table["rater"] == "r1") & (table["version"] == "transformed")
    table.loc[table.index[half][::2], "similarity"] = np.nan
    found = label_preservation(table, n_resamples=50)
    row = found.differences.loc[("paraphrasing", "transformed vs original")]
    assert row[["difference", "difference_low", "difference_high", "mad"]].tolist() == [0.0] * 4
    assert row["n_pairs"] == 100
    assert [note.message for note in found.notes if note.code == "half-ratings"] == [
        "50 ratings by raters of only one version of a pair are left out: two people differ anyway."
    ]


def test_the_share_within_a_point_has_wilsons_interval():
    """E. B. Wilson's formula by hand: 9 of 10, z = 1.959964."""
    table = ratings([[3]] * 10, [[3]] * 9 + [[5]])
    row = label_preservation(table).differences.iloc[0]
    assert row["within"] == 0.9
    assert row[["within_low", "within_high"]].tolist() == pytest.approx(
        [0.59585, 0.98212], abs=1e-5
    )
    whole = label_preservation(ratings([[3]] * 10, [[3]] * 10)).differences.iloc[0]
    assert whole["within_low"] == pytest.approx(10 / (10 + 1.959964**2), abs=1e-6)


def test_the_definitions():
    rng = np.random.default_rng(3)
    before, after = rng.integers(0, 6, (30, 3)), rng.integers(0, 6, (30, 3))
    gold = rng.uniform(0, 5, 30)
    found = label_preservation(ratings(before, after, gold))
    a, b = before.mean(axis=1), after.mean(axis=1)
    means = found.means.loc["paraphrasing"]
    assert means[["transformed", "original", "gold"]].tolist() == pytest.approx(
        [b.mean(), a.mean(), gold.mean()]
    )
    assert means[["n_pairs", "n_ratings"]].tolist() == [30, 180]
    for name, difference in {
        "transformed vs original": b - a,
        "transformed vs gold": b - gold,
        "original vs gold": a - gold,
    }.items():
        row = found.differences.loc[("paraphrasing", name)]
        assert row["difference"] == pytest.approx(difference.mean())
        assert row["mad"] == pytest.approx(np.abs(difference).mean())
        assert row["within"] == pytest.approx((np.abs(difference) <= 1 + 1e-9).mean())
        half = 1.96 * difference.std(ddof=1) / np.sqrt(30)
        assert row["difference_high"] - row["difference_low"] == pytest.approx(2 * half, rel=0.15)
    assert found.notes == ()


def test_thirds_that_make_up_a_point_are_within_it():
    found = label_preservation(ratings([[1, 1, 2]] * 3, [[2, 2, 3]] * 3))
    assert found.differences["within"].iloc[0] == 1.0


def test_order_names_and_other_transformations_change_nothing():
    rng = np.random.default_rng(5)
    one = ratings(rng.integers(0, 6, (25, 2)), rng.integers(0, 6, (25, 2)))
    other = ratings(rng.integers(0, 6, (9, 2)), rng.integers(0, 6, (9, 2)), name="translation")
    first = label_preservation(one).differences
    mixed = pd.concat([other, one]).sample(frac=1, random_state=1)
    mixed["pair"] = mixed["pair"].map(lambda name: f"$x$ {hash(name)}")
    second = label_preservation(mixed).differences
    pd.testing.assert_frame_equal(first, second.loc[["paraphrasing"]], rtol=1e-12)


def test_a_survey_of_pairs_comes_back(run_folder, tmp_path):
    survey = make_pair_survey(run_folder, tmp_path / "p", per_transformation=4)
    version = survey.items.set_index("item")["version"]
    fill(
        survey, tmp_path / "p", ["a", "b"], lambda item, *_: 4 if version[item] == "original" else 2
    )
    read = read_ratings(tmp_path / "p")
    assert read.of_pairs
    found = label_preservation(read)
    main = found.differences.xs("transformed vs original", level="comparison")
    assert len(main) == 8
    assert (main[["difference", "mad", "within"]] == [-2.0, 2.0, 0.0]).all(axis=None)
    assert found.means["gold"].round(3).unique().tolist() == [2.875]
    assert [note.code for note in found.notes] == ["few-pairs"]
    assert "shifted by -2.00 [-2.00, -2.00]; originals and gold are 1.62 apart." in found.summary()
    names = {path.name for path in found.save(tmp_path / "out")}
    assert names == {
        "summary.txt",
        "results.json",
        "means.csv",
        "differences.csv",
        "differences.svg",
    }
    json.dumps(found.to_dict(), allow_nan=False)


def test_gold_on_another_scale():
    table = ratings([[0], [5], [5]], [[0], [5], [5]], [0.0, 1.0, 0.5])
    with_scale = label_preservation(table, gold_scale=(0, 1))
    assert with_scale.differences.loc[("paraphrasing", "original vs gold"), "mad"] == pytest.approx(
        2.5 / 3
    )
    with pytest.raises(
        ScaleError, match=r"Gold is 7 for the pair p1, outside 0 to 5\. Pass gold_scale"
    ):
        label_preservation(ratings([[0], [5]], [[0], [5]], [0.0, 7.0]))
    with pytest.raises(ParameterError, match="lowest and the highest gold"):
        label_preservation(table, gold_scale=(1, 0))


@pytest.mark.parametrize("scale", [(None, 1), 5, (0, np.inf), (1, 0), "ab", (0, 1, 2)])
def test_scales_of_gold_that_are_none_are_named(scale):
    with pytest.raises(ParameterError, match=r"gold_scale must be the lowest.*such as \(0, 1\)"):
        label_preservation(ratings([[0], [5]], [[0], [5]], [0.0, 1.0]), gold_scale=scale)


def test_gold_in_words_is_named_and_with_a_comma_read():
    gold = pd.Series(["high", "3"] * 2, dtype=object)
    table = ratings([[0], [5]], [[0], [5]])
    with pytest.raises(NonNumericError, match=r"Gold is 'high' for the pair p0.*no number"):
        label_preservation(table.assign(gold=gold))
    found = label_preservation(table.assign(gold="3,5"))
    assert found.means["gold"].tolist() == [3.5]


def test_items_without_a_name_are_left_out_and_settings_kept():
    table = ratings([[0], [5], [2]], [[0], [5], [2]])
    found = label_preservation(table.assign(pair=["", "p1", "p2"] * 2), n_resamples=7, seed=3)
    assert found.notes[0].message == "2 items without a pair are left out."
    assert (found.to_dict()["n_resamples"], found.to_dict()["seed"]) == (7, 3)
    with pytest.raises(ParameterError, match="n_resamples must be a whole number of at least 1"):
        label_preservation(table, n_resamples=0)


def test_pairs_without_gold_and_pairs_rated_once():
    table = ratings([[1], [2]], [[1], [4]])
    found = label_preservation(table.iloc[:-1])
    assert [note.code for note in found.notes] == ["half-rated-pairs", "few-pairs"]
    row = found.differences.loc[("paraphrasing", "original vs gold")]
    assert np.isnan(row["mad"])
    assert row["n_pairs"] == 0
    one = found.differences.loc[("paraphrasing", "transformed vs original")]
    assert (one["mad"], np.isnan(one["mad_low"])) == (0.0, True)
    assert "gold" not in found.summary().splitlines()[1]
    with pytest.raises(EmptyMatrixError, match="Nobody rated a pair both before and after"):
        label_preservation(table[table["version"] == "original"])


def test_wrong_input_is_named():
    table = ratings([[1], [2]], [[1], [4]])
    with pytest.raises(UnknownLabelError, match="do not say the pair of an item"):
        label_preservation(table.drop(columns="pair"))
    with pytest.raises(UnknownLabelError, match="version of a pair 'new'"):
        label_preservation(table.assign(version="new"))
    with pytest.raises(EmptyMatrixError, match="no ratings of similarity"):
        label_preservation(table.rename(columns={"similarity": "quality"}))
