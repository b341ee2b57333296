"""The section of the report on what would change the answer."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.decision import QUESTIONS
from robustrank.report.html.answer_introduction import introduction
from robustrank.report.html.answers import answer_blocks
from tests.conftest import random_scores
from tests.report.pages import parse

QUICK = {"n_resamples": 100, "n_refits": 2, "decision": True}


def analysis(scores, **settings):
    return rr.analyze(scores, **{**QUICK, **settings})


@pytest.fixture(scope="module")
def asked():
    return analysis(random_scores(12, 8))


def section(found):
    return parse(found.to_html()).one("section", id="answers")


def test_every_answer_has_its_question_its_words_its_figure_and_its_caveats(asked):
    part = section(asked)
    assert [node.text for node in part.all("h3")] == list(QUESTIONS.values())
    for name, answer in asked.decision.answers():
        assert answer.headline in part.text, name
    assert len(part.all("figure")) == len(part.all("svg")) == len(QUESTIONS)
    shown = [node.one("span").text for node in part.all("li")]
    for _, answer in asked.decision.answers():
        for note in answer.notes:
            assert (note.message in shown) == (note not in asked.notes)
    assert any("too few to say where another model would lead" in text for text in shown)


def test_a_note_of_the_whole_page_is_not_said_again():
    scores = random_scores(12, 8)
    scores.iloc[0, 0] = np.nan
    found = analysis(scores)
    said = "1 of 12 models dropped for missing scores"
    for notes in (found.notes, found.decision.notes):
        assert any(said in note.message for note in notes)
    assert all(said not in note.message for block in answer_blocks(found) for note in block.notes)


def test_who_leads_is_said_first(asked):
    means = asked.matrix.scores.mean(axis=1).sort_values(ascending=False)
    lead = 100.0 * (means.iloc[0] - means.iloc[1])
    assert introduction(asked)[0].startswith(
        f"{means.index[0]} is first of 12 models by mean score over 8 datasets, {lead:.2f} points "
        f"ahead of {means.index[1]}."
    )
    assert introduction(asked)[0] in section(asked).text


def test_models_that_tie_for_first_are_named_together():
    scores = pd.DataFrame([[0.5, 0.6], [0.4, 0.7], [0.1, 0.2]], index=["a", "b", "c"])
    said = introduction(analysis(scores))[0]
    assert said.startswith("a, b share the first place of 3 models by mean score over 2 datasets.")


def test_what_differs_from_the_rest_of_the_page_is_said(asked):
    said = introduction(asked)[0]
    assert "leaderboard above" not in said
    assert "Clusters" not in said
    scores = random_scores(12, 8)
    scores.iloc[0, 0] = np.nan
    said = introduction(analysis(scores, aggregate="borda", tau=0.7, missing="keep"))[0]
    assert "The leaderboard above is by borda." in said
    assert "Clusters here are of correlations above 0.9" in said
    assert "11 of 12 models, those with every score" in said


def test_too_few_complete_models_leave_the_section_out_and_not_the_report():
    scores = random_scores(8, 6)
    for row in range(7):
        scores.iloc[row, row % 6] = np.nan
    found = analysis(scores, missing="keep")
    assert found.decision is None
    assert any(
        note.code == "unanswered" and "two models with every score" in note.message
        for note in found.notes
    )
    assert introduction(found) == answer_blocks(found) == []
    assert "What would change it" not in found.to_html()


def test_one_dataset_has_answers_without_figures():
    found = analysis(random_scores(5, 1))
    blocks = answer_blocks(found)
    without = [block for block in blocks if block.svg is None]
    assert 0 < len(without) < len(blocks)
    assert all(block.missing for block in without)
    assert section(found).text.count("not drawn.") == len(without)


def test_a_question_without_an_answer_says_why():
    found = analysis(random_scores(2, 4), resampling="clusters")
    assert found.decision.left_out
    part = section(found)
    for reason in found.decision.left_out.values():
        assert f"Not answered: {reason}" in part.text


def test_names_are_text():
    scores = random_scores(10, 8)
    scores.index = ["<script>alert(1)</script>", "{{ 7 * 7 }}", *scores.index[2:]]
    scores.columns = ["<img src=x>", *scores.columns[1:]]
    scores.iloc[0] += 1.0
    page = analysis(scores / 2.0).to_html()
    assert "<script>alert" not in page
    assert "<img src=x>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; is first of 10 models" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
