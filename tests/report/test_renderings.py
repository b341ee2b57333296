from __future__ import annotations

import json

import pytest

import robustrank as rr
from tests.conftest import note_codes
from tests.test_redundancy import chained


@pytest.fixture(scope="module")
def analysis() -> rr.Analysis:
    scores = chained().rename(
        index={"m0": "a|b_c", "m1": "<script>", "m2": "two\nlines", "m3": "\x1b[31mred"}
    )
    return rr.analyze(scores)


def test_best_model_comes_first_in_every_table(analysis):
    best = analysis.to_frame()["mean"].idxmax()
    assert analysis.to_frame().index[0] == best
    assert analysis.to_markdown().splitlines()[2].startswith(f"| {best} |")
    assert analysis.to_dict()["models"][0]["model"] == best


def test_repr_is_short_and_says_what_matters(analysis):
    text = repr(analysis)
    assert len(text.splitlines()) <= 11
    assert "E_RS+DS, ESS 0.88" in text
    assert "6 datasets in 3 clusters" in text


def test_summary_lists_clusters_and_models(analysis):
    text = analysis.summary(top=4)
    assert "1: d0, d2, d4" in text
    assert "Best 4 of 30 models" in text


def test_markdown_escapes_pipes_and_holds_every_model(analysis):
    lines = analysis.to_markdown().splitlines()
    assert len(lines) == 2 + 30
    assert any("a\\|b_c" in line for line in lines)
    widths = {line.replace("\\|", "").count("|") for line in lines}
    assert widths == {len(analysis.to_frame().columns) + 2}


def test_names_cannot_break_a_table_or_drive_a_terminal(analysis):
    for text in (analysis.to_markdown(), analysis.summary(40), analysis.to_latex()):
        assert "two lines" in text
        assert "\x1b" not in text
    assert "<script>" not in analysis.to_markdown().replace("\\<", "")


def test_latex_escapes(analysis):
    text = analysis.to_latex()
    assert "a|b\\_c" in text
    assert text.startswith("\\begin{tabular}{lrrr")


def test_html_escapes(analysis):
    text = analysis._repr_html_()
    assert "<script>" not in text
    assert "Notes (" in text


def test_dict_is_json_and_complete(analysis):
    content = json.loads(json.dumps(analysis.to_dict(), allow_nan=False))
    assert content["redundancy"]["clusters"]["d0"] == 1
    assert content["evidence"]["level"] == "E_RS+DS"
    assert set(content["ranks"]) == {"all", "pick-1", "pick-2", "pick-3"}
    assert set(content["ranks"]["all"]) == set(rr.SCHEMES)
    assert content["weights"]["pick-1"]["equal"]["d1"] in (None, pytest.approx(1 / 3))
    assert {note["code"] for note in content["notes"]} == set(note_codes(analysis))


def test_methods_names_the_choices(analysis):
    text = analysis.methods
    for part in ("30 models", "Pearson", "0.9", "3 distinct compositions", "15 schemes", "seed 0"):
        assert part in text


def test_an_analysis_cannot_be_changed(analysis):
    with pytest.raises(AttributeError):
        analysis.notes = ()
