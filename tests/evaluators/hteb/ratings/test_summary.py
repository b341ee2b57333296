from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from robustrank.errors import DuplicateError, ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.ratings import gwet_ac2, read_ratings, summarise_ratings

#: *HTEB*, Table 2: mean and SD of quality and of fluency; 100 texts each, 200 translations.
TABLE_2 = {
    "paraphrasing": ((4.07, 1.07), (4.04, 0.90)),
    "backtranslation": ((4.10, 1.16), (4.40, 0.99)),
    "style_change": ((3.95, 0.86), (4.52, 0.63)),
    "expansion": ((4.36, 0.79), (4.82, 0.39)),
    "summarise": ((3.87, 0.96), (4.20, 0.89)),
    "summarised_expansion": ((3.83, 1.24), (4.97, 0.18)),
    "(cross-)translation": ((4.28, 1.03), (4.20, 1.00)),
}
AXES_2 = {
    "Lexical/Stylistic": ((4.04, 1.04), (4.32, 0.87)),
    "Length": ((4.02, 1.04), (4.66, 0.66)),
    "Language": ((4.28, 1.03), (4.20, 1.00)),
    "overall": ((4.09, 1.04), (4.42, 0.86)),
}


def whole_ratings(mean: float, sd: float, n: int) -> np.ndarray:
    """Return n ratings from 1 to 5 whose mean and sample deviation are printed as these."""
    for total in range(math.ceil((mean - 0.005) * n), math.floor((mean + 0.005) * n) + 1):
        base, above = divmod(total, n)
        counts = dict.fromkeys(range(1, 6), 0)
        counts[base] += n - above
        if above:
            counts[base + 1] += above
        wanted = sd**2 * (n - 1) + total**2 / n
        # Moving a lower rating down and a higher one up keeps the sum and raises the squares.
        while True:
            squares = sum(count * x * x for x, count in counts.items())
            moves = [
                (2 * (high - low) + 2, low, high)
                for low in range(2, 6)
                for high in range(low, 5)
                if counts[low] >= 1 + (low == high) and counts[high]
            ]
            moves = [move for move in moves if squares + move[0] <= wanted + 1]
            if not moves:
                break
            _, low, high = max(moves)
            for x, change in ((low, -1), (low - 1, 1), (high, -1), (high + 1, 1)):
                counts[x] += change
        found = np.repeat(list(counts), list(counts.values()))
        if round(found.mean(), 2) == mean and round(found.std(ddof=1), 2) == sd:
            return found
    raise AssertionError((mean, sd))


@pytest.fixture(scope="module")
def table_2() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = []
    for part, stats in TABLE_2.items():
        both = ["translation", "cross_translation"] if part.startswith("(") else [part]
        n = 100 * len(both)
        values = [rng.permutation(whole_ratings(*stat, 3 * n)) for stat in stats]
        for i in range(n):
            for rater in range(3):
                row = {
                    "item": f"{part} {i}",
                    "rater": f"r{rater}",
                    "transformation": both[i % len(both)],
                }
                quality, fluency = (each[3 * i + rater] for each in values)
                rows.append({**row, "quality": quality, "fluency": fluency})
    return pd.DataFrame(rows)


def test_table_2_axes_and_overall_follow_from_its_transformations(table_2):
    found = summarise_ratings(table_2)
    assert len(table_2) * 2 == 4800
    for place, criterion in enumerate(["quality", "fluency"]):
        own = found.of(criterion)
        for part, stats in TABLE_2.items():
            assert own.loc[part, ["mean", "sd"]].astype(float).round(2).tolist() == list(
                stats[place]
            )
        for part, stats in AXES_2.items():
            assert own.loc[part, "mean"] == pytest.approx(stats[place][0], abs=0.0101)
            assert own.loc[part, "sd"] == pytest.approx(stats[place][1], abs=0.0101)
    assert found.of("quality")["n_items"].to_dict()["overall"] == 800
    assert found.table["accepted"].all()
    assert found.table["certain"].all()
    assert list(found.of("quality").index) == [
        *("Lexical/Stylistic", "paraphrasing", "backtranslation", "style_change"),
        *("Length", "expansion", "summarise", "summarised_expansion"),
        *("Language", "(cross-)translation", "overall"),
    ]
    assert "All transformations are accepted" in found.summary()


def test_agreement_is_that_of_the_pooled_ratings(table_2):
    found = summarise_ratings(table_2).table.loc[("Length", "quality")]
    own = table_2[
        table_2["transformation"].isin(["expansion", "summarise", "summarised_expansion"])
    ]
    direct = gwet_ac2(
        own.pivot(index="item", columns="rater", values="quality"), categories=range(1, 6)
    )
    assert found["ac2"] == pytest.approx(direct.coefficient)
    assert (found["ac2_low"], found["ac2_high"]) == pytest.approx((direct.low, direct.high))


def test_the_interval_is_that_of_the_means_of_items(table_2):
    row = summarise_ratings(table_2, confidence_level=0.9).table.loc[("expansion", "quality")]
    means = table_2[table_2["transformation"] == "expansion"].groupby("item")["quality"].mean()
    low, high = t.interval(0.9, len(means) - 1, means.mean(), means.sem())
    assert (row["low"], row["high"]) == pytest.approx((low, high))


def test_items_with_more_ratings_weigh_more():
    rows = [("a", "r1", 5), ("a", "r2", 5), ("a", "r3", 5), ("b", "r1", 1)]
    table = pd.DataFrame(rows, columns=["item", "rater", "quality"]).assign(
        transformation="expansion"
    )
    row = summarise_ratings(table).table.loc[("expansion", "quality")]
    assert row["mean"] == 4.0
    assert row["low"] < 4.0 < row["high"]
    assert (row["n_items"], row["n_ratings"]) == (2, 4)


@pytest.mark.parametrize("change", ["order", "names"])
def test_order_and_names_change_no_number(table_2, change):
    small = table_2[table_2["item"].str.endswith("7")]
    other = small.sample(frac=1, random_state=0)
    if change == "names":
        other = other.assign(item=other["item"].map(hash).astype(str), rater=other["rater"] + "$x$")
    first, second = (summarise_ratings(each).table for each in (small, other))
    assert list(first.index) == list(second.index) or change == "order"
    pd.testing.assert_frame_equal(first, second.loc[first.index])


def table(means: dict[str, list[int]]) -> pd.DataFrame:
    rows = [
        {"item": f"{name} {i}", "rater": rater, "transformation": name, "quality": value}
        for name, values in means.items()
        for i, value in enumerate(values)
        for rater in ("r1", "r2")
    ]
    return pd.DataFrame(rows)


def test_what_is_below_the_threshold_and_what_is_not_certain():
    given = table(
        {"expansion": [2, 2, 3, 2], "summarise": [2, 3, 4, 4], "paraphrasing": [5, 5, 4, 5, 5]}
    )
    found = summarise_ratings(given)
    own = found.of("quality")
    assert own["accepted"].to_dict()["expansion"] is False
    assert own.loc["summarise", ["accepted", "certain"]].tolist() == [True, False]
    assert own.loc["paraphrasing", ["accepted", "certain"]].tolist() == [True, True]
    text = found.summary()
    assert "Below the threshold of 3: expansion." in text
    assert "the 95% interval reaches below 3, or there are too few texts" in text
    assert summarise_ratings(given, threshold=2).of("quality")["accepted"].all()


def test_one_rating_of_one_item():
    found = summarise_ratings(table({"expansion": [4]}).iloc[:1])
    row = found.of("quality").loc["expansion"]
    assert row["mean"] == 4.0
    assert row[["sd", "low", "high", "ac2"]].isna().all()
    assert (row["accepted"], row["certain"]) == (True, False)
    assert {note.code for note in found.notes} == {"no-agreement", "few-items"}
    assert "–" in found.summary()
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("values", [[5, 5], [3] * 30, [4, 5, 5, 5]])
def test_few_texts_and_texts_that_do_not_differ_are_not_certain(values):
    found = summarise_ratings(table({"expansion": values}))
    row = found.of("quality").loc["expansion"]
    assert (row["accepted"], row["certain"]) == (True, False)
    codes = {note.code for note in found.notes}
    assert ("few-items" in codes) == (len(values) < 5)
    assert ("rated-alike" in codes) == (len(set(values)) == 1) == np.isnan(row["low"])
    assert "Accepted, but" in found.summary()
    assert "above" not in found.summary()


def test_a_lower_end_at_the_threshold_is_at_or_above_it():
    given = table({"expansion": [3, 4, 4, 4, 4, 4, 4, 4]})
    low = summarise_ratings(given).of("quality").loc["expansion", "low"]
    found = summarise_ratings(given, threshold=low, confidence_level=0.95)
    assert found.of("quality").loc["expansion", "certain"]
    assert "with the 95% interval at or above" in found.summary()
    assert "99.9%" in summarise_ratings(given, confidence_level=0.999).summary()


@pytest.mark.parametrize("name", ["overall", "Length", "(cross-)translation", "New"])
def test_transformations_called_as_another_row_are_refused(name):
    given = table({name: [4, 5], "translation": [3, 4], "cross_translation": [3, 4]})
    given["axis"] = "" if name != "New" else "New"
    with pytest.raises(DuplicateError, match=r"called '.*', as is another row.*Rename it"):
        summarise_ratings(given)


def test_items_without_a_transformation_are_left_out_with_a_note():
    given = table({"expansion": [3, 4, 5], "": [1, 1]})
    found = summarise_ratings(given)
    assert found.of("quality")["n_items"].to_dict() == dict.fromkeys(
        ["Length", "expansion", "overall"], 3
    )
    assert found.notes[0].message == "2 items without a transformation are left out."
    with pytest.raises(UnknownLabelError, match="the transformation of an item"):
        summarise_ratings(given.assign(transformation=None))


def test_ratings_of_texts_and_of_pairs_are_not_averaged():
    given = table({"expansion": [3, 4]})
    mixed = pd.concat(
        [given, given.rename(columns={"quality": "similarity"}).assign(item="p" + given["item"])]
    )
    with pytest.raises(ParameterError, match=r"quality and of similarity.*by itself"):
        summarise_ratings(mixed)


def test_transformations_of_ones_own_have_no_axis_or_a_given_one():
    given = table({"<b>mine</b>": [4, 5], "expansion": [3, 4], "translation": [3, 4]})
    found = summarise_ratings(given).of("quality")
    assert list(found.index) == [
        "Length",
        "expansion",
        "Language",
        "translation",
        "<b>mine</b>",
        "overall",
    ]
    empty = summarise_ratings(given.assign(axis="")).of("quality")
    assert list(empty.index) == list(found.index)
    own = summarise_ratings(given.assign(axis=given["transformation"].map({"<b>mine</b>": "New"})))
    assert list(own.of("quality").index[-3:]) == ["New", "<b>mine</b>", "overall"]


def test_results_are_saved_with_their_figures(table_2, tmp_path):
    found = summarise_ratings(read_ratings(table_2[table_2["item"].str.endswith("7")]))
    names = {path.name for path in found.save(tmp_path)}
    assert names == {
        "summary.txt",
        "results.json",
        "ratings.csv",
        "means-quality.svg",
        "means-fluency.svg",
    }
    assert found.plot.kinds() == ["means"]
    labels = [
        each.get_text() for each in found.plot("means", criterion="fluency").get_yticklabels()
    ]
    assert labels[0] == "Lexical/Stylistic"
    assert len(json.loads((tmp_path / "results.json").read_text())["table"]) == 22


def test_wrong_input_is_named():
    bare = table({"expansion": [4, 5]})
    with pytest.raises(UnknownLabelError, match=r"the transformation of an item\. Pass the survey"):
        summarise_ratings(bare.drop(columns="transformation"))
    with pytest.raises(ParameterError, match="threshold must be a number"):
        summarise_ratings(bare, threshold="high")
    with pytest.raises(ParameterError, match=r"threshold must be a number.*got nan"):
        summarise_ratings(bare, threshold=math.nan)
    with pytest.raises(UnknownLabelError, match="Unknown criterion 'fluency': known: quality"):
        summarise_ratings(bare).plot.means(criterion="fluency")
