"""Rates of errors: planted ones come back, and what is left out is said."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import (
    MissingScoresError,
    ParameterError,
)
from robustrank.evaluators.hteb.error_analysis import error_rates
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from tests.evaluators.hteb.run_folders import outcome, write_settings, write_texts

LONG = "The committee will meet again on the first Monday of the month"
#: Outputs for `LONG` in English, and which errors they have.
OUTPUTS = {
    "On the first Monday of the month the committee comes together again.": (),
    LONG.upper(): ("identical",),
    "  ": ("empty", "truncated"),
    "…": ("ellipsis", "truncated"),
    f'{{"text": "{LONG} once more"}}': ("json_fragment",),
    f"Let me think. {LONG}": ("reasoning_leak",),
    f"Paraphrase: {LONG}": ("prefix_leak",),
    "Der Ausschuss trifft sich wieder am ersten Montag des Monats.": ("wrong_language",),
    f"{LONG}. " * 6: ("runaway",),
    "They meet": ("truncated",),
}


def codes(found) -> list[str]:
    return [note.code for note in found.notes]


def stored(table: dict[str, list[tuple[str, ...]]], transformation="paraphrasing") -> pd.DataFrame:
    """A table of outputs whose errors are known: one per text, by generator."""
    rows = [
        (generator, transformation, f"text {i}", f"output {i}", "English", errors, errors)
        for generator, cells in table.items()
        for i, errors in enumerate(cells)
    ]
    names = ["generator", "transformation", "original", "output", "language"]
    return pd.DataFrame(rows, columns=[*names, "errors", "first_errors"])


def planted(outputs, transformation="paraphrasing", **columns) -> pd.DataFrame:
    texts = {"original": LONG, "output": list(outputs), "language": "English"}
    return pd.DataFrame({"transformation": transformation, **texts, **columns})


def test_every_type_is_found_as_often_as_it_was_planted():
    # As many copies of the n-th output as n, so that every rate is another.
    outputs = [text for n, text in enumerate(OUTPUTS, 1) for _ in range(n)]
    found = error_rates(planted(outputs), generator="G")
    n = len(outputs)
    for kind in ERROR_TYPES:
        times = sum(i for i, errors in enumerate(OUTPUTS.values(), 1) if kind in errors)
        assert found.rates.loc["G", kind] == pytest.approx(times / n), kind
    assert found.rates.loc["G", "total"] == pytest.approx(1 - 1 / n)
    assert found.totals.loc["G", ["n_texts", "n_outputs"]].tolist() == [1, n]
    assert "one-text" in codes(found)
    assert found.totals[["low", "high"]].isna().all(axis=None)


def test_a_long_summary_is_too_long():
    found = error_rates(planted([f"{LONG} indeed", "They meet"], "summarise"), generator="G")
    assert found.rates.loc["G", "summary_too_long"] == 0.5
    assert found.rates.loc["G", "total"] == 0.5


def test_transformations_weigh_the_same_however_many_texts_they_have():
    table = pd.concat(
        [
            stored({"G": [("empty",)] * 1}),
            stored({"G": [()] * 9}, "expansion"),
        ]
    )
    found = error_rates(table)
    assert found.rates.loc["G", "total"] == 0.5
    assert found.by_transformation.loc[("G", "paraphrasing"), "total"] == 1.0
    assert found.by_transformation.loc[("G", "expansion"), "total"] == 0.0
    assert found.transformations == ["paraphrasing", "expansion"]


def test_the_expected_language_is_the_target_where_the_language_changes():
    german = "Der Ausschuss trifft sich wieder am ersten Montag des Monats."
    table = pd.DataFrame(
        {
            "transformation": ["translation", "backtranslation"],
            "original": LONG,
            "output": german,
            "source": "English",
            "target": "German",
        }
    )
    rates = error_rates(table, generator="G").by_transformation["wrong_language"]
    assert rates.loc["G"].to_dict() == {"backtranslation": 1.0, "translation": 0.0}


def test_languages_that_nobody_checked_are_no_rate():
    found = error_rates(planted(["They met."] * 2), generator="G", identifier=None)
    assert np.isnan(found.rates.loc["G", "wrong_language"])
    assert found.rates.loc["G", "total"] == 1.0  # truncated
    assert "unchecked-languages" in codes(found)
    assert "–" in found.summary()
    some = planted(["They met."] * 2).assign(language=["English", None])
    found = error_rates(some, generator="G")
    assert found.rates.loc["G", "wrong_language"] == 0.0
    assert any("of 1 of 2 outputs" in note.message for note in found.notes)


@pytest.fixture
def run(tmp_path):
    write_settings(tmp_path, "Gemma")
    ends = [
        outcome("a b", (), ("truncated",)),
        outcome("c", ("identical",), ("identical",)),
        outcome("d", ("truncated", "identical"), ()),
        outcome(None, (), pending=True),
    ]
    write_texts(tmp_path, "one", "paraphrasing", 7, ["A", "C", "D", "E"], ends)
    return tmp_path


def test_a_run_has_first_answers_and_those_after_retries(run):
    first, last = error_rates(run), error_rates(run, attempts="last")
    assert first.rates.loc["Gemma", "truncated"] == pytest.approx(1 / 3)
    assert first.rates.loc["Gemma", "identical"] == pytest.approx(1 / 3)
    assert first.rates.loc["Gemma", "total"] == pytest.approx(2 / 3)
    assert last.rates.loc["Gemma", "identical"] == pytest.approx(2 / 3)
    assert last.rates.loc["Gemma", "total"] == pytest.approx(2 / 3)
    assert first.totals.loc["Gemma", "n_outputs"] == 3
    assert "1 text got no answer" in first.notes[0].message
    assert "first answers" in first.summary()
    assert "after retries" in last.summary()


def test_rates_of_a_run_are_those_that_the_study_computes(tmp_path):
    kinds = [("identical",), (), ("empty", "truncated"), ("wrong_language",), ()]
    ends = [outcome(f"x{i}", errors) for i, errors in enumerate(kinds)]
    variant = write_texts(tmp_path, "one", "summarise", 7, list("ABCDE"), ends)
    found = error_rates(tmp_path, generator="G", attempts="last").by_transformation
    rates = variant.rates()
    assert found.loc[("G", "summarise"), "total"] == pytest.approx(rates["error_rate"])
    for kind in ERROR_TYPES:
        assert found.loc[("G", "summarise"), kind] == pytest.approx(rates[f"{kind}_rate"])


def test_a_run_that_looked_at_no_language_has_no_rate_of_wrong_ones(run):
    write_settings(run, "Gemma", identifier=None)
    found = error_rates(run)
    assert np.isnan(found.rates.loc["Gemma", "wrong_language"])
    assert "unchecked-languages" in codes(found)


def test_another_reading_is_found_anew_in_last_answers(tmp_path):
    ends = [outcome("I'll be back on Monday", ("reasoning_leak",))]
    write_texts(tmp_path, "one", "paraphrasing", 7, ["I will return on Monday"], ends)
    with pytest.raises(ParameterError, match="attempts='last', or --attempts last"):
        error_rates(tmp_path, reading="practical")
    found = error_rates(tmp_path, attempts="last", reading="practical")
    assert found.rates["total"].tolist() == [0.0]
    assert error_rates(tmp_path).rates["total"].tolist() == [1.0]


def test_generators_are_compared_by_transformations_that_all_have():
    table = pd.concat(
        [
            stored({"A": [("empty",)], "B": [()]}),
            stored({"A": [()]}, "summarise"),
        ]
    )
    found = error_rates(table)
    assert found.rates["total"].to_dict() == {"B": 0.0, "A": 1.0}
    assert found.transformations == ["paraphrasing"]
    assert ("A", "summarise") in found.by_transformation.index
    note = next(note for note in found.notes if note.code == "unequal-transformations")
    assert note.labels == ("summarise",)
    assert found.summary().count("summarise") == 1
    found.plot.transformations()
    apart = pd.concat([stored({"A": [()]}), stored({"B": [()]}, "summarise")])
    with pytest.raises(MissingScoresError, match="A, B have no transformation in common"):
        error_rates(apart)


def test_texts_are_counted_once_over_all_generators():
    apart = stored({"B": [()] * 3}).assign(original=["x", "y", "text 0"])
    found = error_rates(pd.concat([stored({"A": [()] * 4}), apart]))
    assert found.n_texts == 6
    assert "in 7 outputs for 6 texts" in found.summary()


def test_settings_are_what_the_rates_depend_on():
    class Deaf:
        name, version, languages = "deaf", "1", frozenset()

        def is_wrong(self, text, language):
            return None

    table = planted(["They meet again."] * 2, generator="G")
    for identifier, name in (("py3langid", "py3langid"), (None, None), (Deaf(), "deaf")):
        assert error_rates(table, identifier=identifier).settings["identifier"] == name


@pytest.mark.parametrize(("level", "shown"), [(0.95, "95%"), (0.999, "99.9%"), (0.975, "97.5%")])
def test_levels_are_shown_as_they_are(level, shown):
    found = error_rates(stored({"A": [(), ("empty",)]}), confidence_level=level)
    assert f"  {shown} interval" in found.summary()


def test_results_are_json_files_and_figures(tmp_path):
    names = ["<script>", "a$b$ & c", "名前\nx" + "y" * 80]
    table = pd.concat(
        stored({name: [("empty",), (), ("identical",)][: i + 1] * 2}, transformation)
        for (i, name), transformation in product(enumerate(names), TRANSFORMATIONS)
    )
    found = error_rates(table, n_resamples=50)
    content = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert {row["generator"] for row in content["totals"]} == set(names)
    assert content["totals"][-1]["probability"] is None
    written = found.save(tmp_path / "out")
    assert sorted(path.name for path in written) == [
        "by_transformation.csv",
        "rates.csv",
        "rates.svg",
        "results.json",
        "summary.txt",
        "totals.csv",
        "totals.svg",
        "transformations.svg",
    ]
    again = error_rates(table, n_resamples=50).save(tmp_path / "again")
    assert [path.read_bytes() for path in written] == [path.read_bytes() for path in again]
    assert "名前 x" in found.summary()


def published(shared) -> pd.DataFrame:
    """Table 9 of the paper, in percent."""
    text = shared.joinpath("papers", "000_f2be5ec5a12fb880.txt").read_text("utf-8")
    lines = text.split("Table 9: Average error rates")[1].split("### A.3")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines if "|" in line]
    table = pd.DataFrame(rows[2:], columns=["generator", *ERROR_TYPES, "total"])
    return table.set_index("generator").astype(float)


def test_table_9_is_consistent_and_comes_back(shared):
    table = published(shared)
    assert table.shape == (16, 11)
    types = table[list(ERROR_TYPES)]
    rounding = 0.05 * (len(ERROR_TYPES) + 1)
    assert (table["total"] >= types.max(axis=1) - 0.1).all()
    assert (table["total"] <= types.sum(axis=1) + rounding).all()
    # Errors are laid around the texts that have any, one type after the other. Where the types as
    # printed sum to less than the total, they were rounded down: by less than 0.05.
    texts = {}
    for name, row in table.iterrows():
        n = 1000 if row["total"] <= types.loc[name].sum() + 1e-9 else 5000
        wrong = round(n * row["total"] / 100)
        times = {kind: round(n * row[kind] / 100) for kind in ERROR_TYPES}
        for kind in 2 * ERROR_TYPES:
            times[kind] += sum(times.values()) < wrong
        cells = [set() for _ in range(n)]
        laid = np.repeat(ERROR_TYPES, list(times.values()))
        for place, kind in enumerate(map(str, laid)):
            cells[place % wrong].add(kind)
        texts[name] = [tuple(sorted(cell)) for cell in cells]
    found = error_rates(stored(texts), n_resamples=200)
    again = (100 * found.rates.loc[table.index]).round(1)
    pd.testing.assert_frame_equal(again, table, check_names=False)
    best = found.best(5)
    assert best.generators == [
        "Gemma-3-27B-int4-AWQ",
        "Qwen3-8B-AWQ",
        "Ministral-3-14B-Instruct-2512",
        "Olmo-3-7B-Instruct",
        "Qwen3-8B",
    ]
    assert best.runner_up == "Qwen3-4B"
    assert best.difference == pytest.approx(0.008)
