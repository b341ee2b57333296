from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    FormatError,
    NonNumericError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.judging import judge_scores
from robustrank.evaluators.hteb.judging.comparing import letters
from tests.evaluators.hteb.judging.planted import (
    AVERAGES,
    LETTERS,
    NAMES,
    TABLE_10,
    TABLE_11,
    TOTALS_11,
    ratings,
)

QUALITY = {"J1": 4.2, "B": 3.5, "C": 3.5, "D": 2.5}
NASTY = ["<script>x</script>", "a$b$ & c", "two\nlines", "猫" * 20 + "long" * 15]


def codes(scores):
    return [note.code for note in scores.notes]


def test_table_10_has_the_averages_that_are_printed():
    table = TABLE_10.rename_axis("judge").reset_index().melt("judge", var_name="generator")
    table = table.rename(columns={"value": "rating"})
    scores = judge_scores(table.assign(transformation="all", item="all"))
    assert scores.average["mean"].to_dict() == pytest.approx(
        dict(zip(NAMES, AVERAGES, strict=True)), abs=0.0051
    )
    pd.testing.assert_frame_equal(
        scores.by_judge.loc[NAMES, NAMES], TABLE_10, check_names=False, atol=1e-12
    )
    # What the table says of judges and their own texts, by hand for Olmo: it gives itself 4.10 and
    # the others give it 3.835; it gives the other four 4.3525, and their means by the judges that
    # are neither Olmo nor their own are 4.42, 4.53333, 4.36667 and 4.40.
    olmo = scores.self_preference.loc["Olmo-3-7B-Instr."]
    assert olmo["own"] - olmo["by_others"] == pytest.approx(0.265)
    assert olmo["leniency"] == pytest.approx(4.3525 - 4.43)
    assert olmo["preference"] == pytest.approx(0.265 + 4.43 - 4.3525)


def test_table_11_has_the_totals_that_are_printed():
    table = TABLE_11.rename_axis("transformation").reset_index()
    table = table.melt("transformation", var_name="generator", value_name="rating")
    scores = judge_scores(table.assign(judge="all", item="all"))
    found = scores.by_transformation
    assert list(found.index) == [*TABLE_11.index, "total"]
    assert found["total"].tolist() == pytest.approx([*TOTALS_11, 4.31], abs=0.0101)
    assert found.loc["total", NAMES].tolist() == pytest.approx(AVERAGES, abs=0.0101)
    assert scores.average["mean"].to_dict() == pytest.approx(found.loc["total", NAMES].to_dict())


def test_table_10_has_the_letters_that_are_printed_where_its_pattern_is_planted():
    rng = np.random.default_rng(0)
    rows = []
    spreads = [0.05, 0.2, 0.05, 0.05, 0.05]  # the second is not told apart from the last
    for generator, spread in zip(NAMES, spreads, strict=True):
        noise = rng.normal(0, spread, 400)
        noise -= noise.mean()
        for judge in NAMES:
            values = TABLE_10.loc[judge, generator] + noise
            rows += [(judge, generator, f"{i}", value) for i, value in enumerate(values)]
    table = pd.DataFrame(rows, columns=["judge", "generator", "item", "rating"])
    table["rating"] = table["rating"].clip(1, 5)
    scores = judge_scores(table.assign(transformation="all"))
    found = scores.average["letters"]
    assert [found[name] for name in NAMES] == LETTERS
    assert scores.groups[2] == ["Qwen3-8B-AWQ", "Ministral-3-14B"]
    assert "Gemma-3-27B is rated highest, and better than every other" in scores.summary()


def test_letters_of_overlapping_groups_and_of_many():
    assert letters([[0, 1], [1, 2]], 3) == ["a", "ab", "b"]
    assert letters([[0], [1], [2, 3], [4]], 5) == ["a", "b", "c", "c", "d"]
    many = letters([[place] for place in range(60)], 60)
    assert many[25:28] == ["z", "aa", "ab"]
    assert len(set(many)) == 60


def test_planted_qualities_are_found_and_equals_share_a_letter():
    scores = judge_scores(ratings(QUALITY, n_items=150, seed=1), n_resamples=500)
    assert scores.average.index[0] == "J1"
    assert list(scores.average["letters"]) == ["a", "b", "b", "c"]
    pairs = scores.comparisons.set_index(["generator_a", "generator_b"])
    assert pairs["significant"].sum() == 5
    assert (pairs["difference"] >= 0).all()
    assert ((pairs["low"] <= pairs["difference"]) & (pairs["difference"] <= pairs["high"])).all()
    assert (pairs["p_adjusted"] >= pairs["p_value"]).all()


def test_equal_generators_are_told_apart_no_more_often_than_alpha():
    found = 0
    equal = dict.fromkeys("ABCD", 3.0)
    for seed in range(40):
        table = ratings(equal, n_items=40, judges=["J"], transformations=["expansion"], seed=seed)
        scores = judge_scores(table, n_resamples=400)
        found += bool(scores.comparisons["significant"].any())
    # 40 boards at a chance of .05 each: 6 or more come with a chance of .014.
    assert found <= 5


def test_equal_ratings_are_called_alike():
    table = ratings({"A": 3.0, "B": 3.0, "C": 3.0}, judges=["J", "K"], n_items=40)
    same = judge_scores(table.assign(rating=3), n_resamples=50).summary()
    assert "A, B, C are rated alike." in same
    assert "highest" not in same  # there is nobody to count judges for
    worse = table.assign(rating=np.where(table["generator"] == "C", 2, 3))
    summary = judge_scores(worse, n_resamples=50).summary()
    assert "A, B are rated alike, and higher than the others." in summary
    better = (table["generator"] == "A") & (table["judge"] == "K")
    summary = judge_scores(table.assign(rating=np.where(better, 4, 3)), n_resamples=50).summary()
    assert "1 of 2 judges rate A highest; 1 rate another alike." in summary


def test_complete_ratings_agree_with_a_naive_paired_bootstrap():
    table = ratings({"A": 3.3, "B": 3.1}, n_items=40)
    scores = judge_scores(table, n_resamples=20_000)
    items = table.groupby(["item", "generator"])["rating"].mean().unstack()
    assert scores.average["mean"].to_dict() == pytest.approx(items.mean().to_dict())
    rng = np.random.default_rng(1)
    gaps = (items["A"] - items["B"]).to_numpy()
    drawn = gaps[rng.integers(40, size=(20_000, 40))].mean(axis=1)
    [pair] = scores.comparisons.to_dict("records")
    assert pair["difference"] == pytest.approx(gaps.mean())
    assert [pair["low"], pair["high"]] == pytest.approx(
        np.quantile(drawn, [0.025, 0.975]), abs=0.015
    )
    p = 2 * min((drawn <= 0).mean(), (drawn >= 0).mean())
    assert pair["p_value"] == pytest.approx(p, abs=0.02)


def test_missing_ratings_leave_out_texts_and_keep_transformations_equal():
    table = ratings({"A": 4.0, "B": 3.0}, n_items=60)
    # Translations are worse, and half of them lack a rating of one judge.
    worse = table["transformation"] == "translation"
    table.loc[worse, "rating"] = (table.loc[worse, "rating"] - 1).clip(lower=1)
    number = table["item"].str.removeprefix("item ").astype(int)
    table.loc[worse & (number % 2 == 0) & (table["judge"] == "J2"), "rating"] = np.nan
    scores = judge_scores(table, n_resamples=2000)
    kept = table[~(worse & (number % 2 == 0))]
    means = kept.groupby(["transformation", "generator"])["rating"].mean().unstack()
    assert scores.average["mean"].to_dict() == pytest.approx(means.mean().to_dict())
    assert scores.by_judge.mean().to_dict() == pytest.approx(means.mean().to_dict())
    total = scores.by_transformation.loc["total", scores.average.index]
    assert scores.average["mean"].tolist() == total.tolist()
    assert codes(scores) == ["invalid-ratings", "incomplete-items"]
    assert "30 texts of 120 left out" in scores.notes[1].message
    assert "Without J2, 30 of them could be used" in scores.notes[1].message
    # The interval is that of resampling items and averaging anew.
    wide = kept.groupby(["item", "transformation", "generator"])["rating"].mean().unstack([1, 2])
    values, rng = wide.to_numpy(), np.random.default_rng(2)
    drawn = [np.nanmean(values[rng.integers(60, size=60)], axis=0) for _ in range(3000)]
    naive = pd.DataFrame(drawn, columns=wide.columns).T.groupby(level="generator").mean()
    for name, row in scores.average.iterrows():
        expected = np.quantile(naive.loc[name], [0.025, 0.975])
        assert [row["low"], row["high"]] == pytest.approx(expected, abs=0.03)


def test_invalid_answers_and_failures_are_counted_apart():
    table = ratings({"A": 4.0, "B": 3.0}, n_items=10).assign(failure=None)
    table.loc[[0, 1, 2], "rating"] = np.nan
    table.loc[[0], "failure"] = "timeout"
    scores = judge_scores(table, n_resamples=100)
    assert scores.invalid[["asked", "invalid", "unanswered"]].sum().tolist() == [120, 2, 1]
    first = scores.invalid.loc[(table["judge"][1], table["generator"][1])]
    assert first["share"] == first["invalid"] / 20


def test_the_order_of_rows_changes_no_number_and_names_only_names():
    table = ratings(QUALITY, n_items=30)
    first = judge_scores(table, n_resamples=300)
    second = judge_scores(table.sample(frac=1, random_state=3), n_resamples=300)
    pd.testing.assert_frame_equal(first.average, second.average)
    pd.testing.assert_frame_equal(first.comparisons, second.comparisons)
    names = dict(zip(QUALITY, NASTY, strict=True))
    renamed = table.assign(generator=table["generator"].map(names))
    third = judge_scores(renamed, n_resamples=300)
    assert third.average["mean"].tolist() == pytest.approx(first.average["mean"].tolist())


def test_a_table_with_datasets_may_repeat_items():
    table = ratings({"A": 4.0, "B": 3.0}, n_items=5)
    both = pd.concat([table.assign(dataset="x"), table.assign(dataset="y")])
    assert judge_scores(both, n_resamples=50).n_items == 10


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"judges": ["J"]}, "one-judge"),
        ({"n_items": 5}, "few-items"),
        ({"n_items": 1}, "few-items"),
        ({"quality": {"A": 3.0}}, "one-generator"),
    ],
)
def test_too_little_to_compare_gives_a_note_and_no_error(changes, code, tmp_path):
    settings = {"quality": {"A": 3.0, "B": 3.4}, "n_items": 40, **changes}
    scores = judge_scores(ratings(**settings), n_resamples=200)
    assert code in codes(scores)
    assert scores.average["mean"].notna().all()
    assert scores.summary()
    if settings["n_items"] == 1:
        assert scores.save(tmp_path)
        assert scores.average["low"].isna().all()
        assert "whether that is chance cannot be told" in scores.summary()
        assert set(scores.average["letters"]) == {"a"}


def test_no_complete_text_is_said_and_leaves_everything_undefined(tmp_path):
    table = ratings(QUALITY, n_items=10)
    table.loc[table["judge"] == "J3", "rating"] = np.nan
    scores = judge_scores(table, n_resamples=50)
    assert "no-complete-items" in codes(scores)
    assert "Without J3, 20 of them could be used" in scores.notes[1].message
    assert scores.average["mean"].isna().all()
    assert scores.comparisons.empty
    assert scores.by_judge.shape == (3, 4)
    assert scores.summary().endswith("0 items, 0 ratings.")
    alone = judge_scores(table[table["judge"] == "J3"], n_resamples=50)
    assert "Without" not in "".join(note.message for note in alone.notes)
    assert json.loads(json.dumps(scores.to_dict()))["n_items"] == 0
    assert scores.save(tmp_path)


def test_a_transformation_without_a_complete_text_is_left_out_of_totals():
    table = ratings(QUALITY, n_items=10)
    lost = (table["transformation"] == "translation") & (table["judge"] == "J2")
    scores = judge_scores(table[~lost], n_resamples=50)
    assert list(scores.by_transformation.index) == ["paraphrasing", "total"]
    assert "lost-transformations" in codes(scores)


def test_a_family_that_cannot_reject_is_said():
    assert "family-cannot-reject" in codes(judge_scores(ratings(QUALITY), n_resamples=20))


def test_files_and_figures_bear_any_name(tmp_path):
    quality = dict(zip(NASTY, [4.0, 3.5, 3.0, 2.0], strict=True))
    table = ratings(quality, n_items=12, judges=NASTY[:2])
    path = tmp_path / "ratings.csv"
    table.to_csv(path, index=False)
    scores = judge_scores(path, n_resamples=100)
    written = scores.save(tmp_path / "out")
    assert {each.name for each in written} >= {
        "summary.txt",
        "results.json",
        "by_judge.csv",
        "averages.svg",
        "groups.svg",
        "judges.svg",
        "transformations.svg",
    }
    again = judge_scores(path, n_resamples=100).save(tmp_path / "again")
    for one, other in zip(written, again, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name
    assert "\nlines" not in scores.summary()
    assert json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))["groups"]


@pytest.mark.parametrize(
    ("change", "error", "problem"),
    [
        (lambda t: t.drop(columns="judge"), UnknownLabelError, "'judge'"),
        (lambda t: t.assign(rating=9), ParameterError, "row 1 is 9.*from 1 to 5"),
        (lambda t: t.assign(generator="total"), ParameterError, "generator is called 'total'"),
        (lambda t: t.assign(generator="judge"), ParameterError, "generator is called 'judge'"),
        (lambda t: t.assign(generator="transformation"), ParameterError, "'transformation'"),
        (lambda _: None, FormatError, "path, a DataFrame or a list of rows"),
        (lambda _: 3, FormatError, "path, a DataFrame or a list of rows"),
        (lambda t: t.assign(transformation="total"), ParameterError, "transformation is called"),
        (lambda t: t.assign(rating="good"), NonNumericError, "'good'"),
        (lambda t: pd.concat([t, t.head(2)]), DuplicateError, "2 judgements too many"),
        (lambda t: t.head(0), EmptyMatrixError, "no judgements"),
    ],
)
def test_bad_tables_are_refused(change, error, problem):
    with pytest.raises(error, match=problem):
        judge_scores(change(ratings({"A": 3.0}, n_items=2)))


@pytest.mark.parametrize(("level", "shown"), [(0.95, "95%"), (0.999, "99.9%"), (0.975, "97.5%")])
def test_levels_are_shown_as_they_are(level, shown):
    scores = judge_scores(ratings({"A": 3.0, "B": 4.0}, n_items=5), confidence_level=level)
    assert f"  {shown} low  {shown} high" in scores.summary()


@pytest.mark.parametrize(
    "setting",
    [{"alpha": 0}, {"alpha": True}, {"n_resamples": 0}, {"confidence_level": 1}, {"seed": -1}],
)
def test_bad_settings_are_refused(setting):
    with pytest.raises(ParameterError, match=next(iter(setting))):
        judge_scores(ratings({"A": 3.0}, n_items=2), **setting)
