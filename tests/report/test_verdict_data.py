"""Verdicts on boards with gaps, on other settings, on data that are not what they seem."""

from __future__ import annotations

import numpy as np
import pandas as pd

import robustrank as rr
from tests.conftest import analyze, frame
from tests.report.test_verdict import ROUGH, said
from tests.test_planted import clean


def test_another_aggregate_leads_by_its_name():
    found = analyze(clean(), aggregate="topsis/critic")
    share = found.winners["m9"]
    assert found.verdict.headline.startswith("m9 leads by topsis/critic, but cannot be told apart")
    assert found.verdict.caveats[0] == (
        f"Ways of ranking disagree: only {share:.0%} of 15 rankings put the leader first."
    )


def test_a_dataset_where_lower_is_better():
    scores = clean()
    scores["d3"] = 1 - scores["d3"]
    assert "The better models score lower on d3: is lower better there?" in said(scores)


def test_models_left_out_for_missing_scores():
    scores = clean()
    scores.loc["best"] = scores.max() + 0.02
    scores.loc["best", "d3"] = np.nan
    ahead = "Missing scores exclude 1 model; ahead of all others on what they ran: best."
    assert ahead in said(scores)
    scores = clean()
    scores.loc[scores.mean(axis=1).idxmin(), "d3"] = np.nan
    assert "Missing scores exclude 1 model." in said(scores)
    assert "Missing scores exclude 1 dataset." in said(scores, missing="drop-datasets")


def test_models_with_gaps_that_are_kept():
    scores = clean()
    scores.loc["best"] = scores.max() + 0.02
    scores.loc["best", "d1"] = np.nan
    scores.iloc[2, 0] = np.nan
    headline, evidence, *caveats = said(scores, missing="keep")
    assert headline.startswith(
        "Among the 23 of 25 models that are ranked, m4 leads by mean score, but cannot be told "
    )
    assert evidence.endswith("of all pairs of ranked models.")
    assert caveats[0] == (
        "Missing scores leave 2 models without a rank; ahead of the leader on what both ran: best."
    )
    assert caveats[-1] == ROUGH
    headline, _, *caveats = said(scores, missing="keep", aggregate="borda-mteb")
    assert headline.startswith("best leads by borda-mteb")
    assert (
        "Missing scores leave 2 models ranked on only some of the datasets, the leader among them."
    ) in caveats


def test_three_datasets_tell_nothing_however_far_apart_the_models_are():
    scores = frame([[0.9, 0.8, 0.7], [0.4, 0.3, 0.2]])
    headline, evidence, *_ = said(scores)
    assert headline == "m0 leads by mean score, but 3 datasets are too few to tell models apart."
    assert evidence == (
        "How strong the evidence is cannot be told: 2 models are too few to say which of 3 "
        "datasets repeat each other."
    )


def test_one_ranked_model():
    scores = clean()
    scores.iloc[1:, 0] = np.nan
    headline, evidence, *_ = said(scores, missing="keep")
    assert headline == "m0 is the only model ranked: no other has a score on every dataset."
    assert evidence == "Nothing is compared, so that there is no evidence for any order."


def test_no_model_with_every_score():
    scores = clean().head(12).where(~np.eye(12, dtype=bool))
    headline, _, *caveats = said(scores, missing="keep")
    assert headline == "No model is ranked: none has a score on every dataset."
    assert "Missing scores leave 12 models without a rank." in caveats
    scores = scores.fillna({"d0": 0.4})
    assert said(scores, missing="keep")[0] == (
        "m0 is the only model ranked: no other has a score on every dataset."
    )


def test_a_task_type_without_any_score():
    scores = clean().assign(e0=np.nan, e1=np.nan)
    types = pd.DataFrame({"task_type": ["STS"] * 12 + ["Reranking"] * 2}, index=scores.columns)
    found = analyze(rr.ScoreMatrix(scores, datasets=types))
    assert "Missing scores leave no dataset of Reranking." in found.verdict.caveats
    balanced = analyze(
        rr.ScoreMatrix(clean(), datasets=types.replace("STS", "A").assign(d0="A").head(12)),
        resampling="balanced",
    )
    assert not any("alone" in caveat for caveat in balanced.verdict.caveats)
    types.loc["d11", "task_type"] = "PairClassification"
    balanced = analyze(rr.ScoreMatrix(clean(), datasets=types), resampling="balanced")
    assert "The uncertainty leaves out what is alone in its task type: d11." in (
        balanced.verdict.caveats
    )


def test_scores_on_a_part_of_a_dataset():
    models = pd.DataFrame({"partial_scores": [("d1: 1 of 3 subsets",)]}, index=["m0"])
    found = analyze(rr.ScoreMatrix(clean(), models=models))
    assert "Some scores of 1 model average only a part of their dataset." in found.verdict.caveats


def test_lenient_settings():
    assert said(clean(), tier_threshold=0.6)[-2:] == [
        ROUGH,
        "A probability above 0.6 counts as telling models apart.",
    ]
