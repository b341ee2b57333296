"""Verdicts in full on boards whose answer is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robustrank._text import percent
from robustrank.report.words import listing
from tests.conftest import analyze, frame
from tests.test_planted import clean

if TYPE_CHECKING:
    import pandas as pd

ROUGH = "Probabilities from 200 resamples are rough."


def ladder(*steps: float, datasets: int) -> pd.DataFrame:
    """One model per step, at the same distance from the others on datasets of any ease."""
    return frame(np.add.outer(steps, np.linspace(0.3, 0.5, datasets)))


def six() -> pd.DataFrame:
    """Six models that take turns to be best, m5 ahead by a hair, and eight far below."""
    turns = np.array([np.roll(np.tile(np.linspace(0.6, 0.7, 6), 2), shift) for shift in range(6)])
    hair = np.arange(6)[:, None] / 10_000
    return frame(np.vstack([turns + hair, ladder(*np.linspace(-0.2, 0, 8), datasets=12)]))


def said(scores, **options) -> list[str]:
    found = analyze(scores, **options).verdict
    return [found.headline, found.evidence, *found.caveats]


def test_a_clear_winner():
    scores = clean()
    scores.loc["best"] = scores.max() + 0.02
    assert said(scores, n_resamples=1000) == [
        "best leads by mean score, ahead of each of the other 24 models in over 95% of resamples.",
        (
            "The evidence is very strong (ESS 0.75): 12 datasets in 12 clusters; resampling the "
            "datasets separates 75% of all pairs of models."
        ),
    ]


def test_two_models():
    scores = frame([np.linspace(0.3, 0.6, 8), np.linspace(0.4, 0.8, 8)])
    assert said(scores) == [
        "m1 leads by mean score, ahead of m0 in over 95% of resamples.",
        (
            "How strong the evidence is cannot be told: 2 models are too few to say which of 8 "
            "datasets repeat each other; resampling the datasets separates the two models."
        ),
        ROUGH,
    ]
    even = frame([[0.3, 0.6] * 4, [0.61, 0.3] * 4])
    headline, evidence, *_ = said(even)
    assert headline == "m1 leads by mean score, but cannot be told apart from m0."
    assert evidence.endswith("resampling the datasets does not separate the two models.")


def allowing(others: int, found: str, seen: int) -> str:
    return (
        f"Allowing for {others} comparisons, a test tells the leader apart from {found}, not "
        f"{seen}; even that does not allow for choosing the leader by the same scores."
    )


def test_of_equal_models_none_is_said_to_lead_clearly():
    """Of 40 equal models, resampling puts the luckiest above many; allowing for that, above few."""
    seen = 0
    for seed in range(4):
        scores = frame(0.5 + 0.05 * np.random.default_rng(seed).normal(size=(40, 16)))
        found = analyze(scores)
        leads = len(found.bootstrap.leads)
        held = int(found.bootstrap.compare("leader").table["significant"].sum())
        assert held <= leads / 4
        many = f"{held} model{'s' * (held > 1)}" if held else "no model"
        assert found.verdict.caveats[0] == allowing(39, many, leads)
        seen += leads
    assert seen > 40, "resampling alone must mislead, or this shows nothing"


def test_a_leader_far_ahead_needs_no_allowance():
    scores = ladder(*np.linspace(0.0, -0.25, 12), datasets=12)
    assert not any("Allowing" in sentence for sentence in said(scores))


def test_without_a_mean_over_datasets_there_is_no_such_test():
    found = analyze(clean(), aggregate="topsis/critic")
    assert found.bootstrap.by_dataset is None
    assert not any("Allowing" in caveat for caveat in found.verdict.caveats)


def test_of_models_that_share_first_place_each_must_be_ahead():
    """m1 beats m2 in every resample, m0 with the same mean as m1 does not."""
    swing = np.array([0.2, -0.2] * 6)
    scores = frame([0.5 + swing, np.full(12, 0.5), np.full(12, 0.49)])
    headline = said(scores)[0]
    assert "share first place by mean score, but cannot be told apart from m2." in headline


def test_a_six_way_tie():
    assert said(six(), n_resamples=1000)[0] == (
        "m5 leads by mean score, but cannot be told apart from m4, m3, m2 and 2 more."
    )
    assert said(six().head(6), n_resamples=1000)[0] == (
        "m5 leads by mean score, but cannot be told apart from any of the other 5 models."
    )


def test_the_models_not_told_apart_may_lie_beyond_the_first_tier():
    """The second loses on every dataset by a little; the third wins and loses by much."""
    swing = np.array([0.3, -0.31] * 6)
    scores = frame([np.full(12, 0.5), np.full(12, 0.499), 0.49 + swing]) + np.arange(12) / 100
    found = analyze(scores)
    assert found.bootstrap.tiers.tolist() == [1, 2, 2]
    assert found.verdict.headline == "m0 leads by mean score, but cannot be told apart from m2."


def test_identical_models_share_the_first_place():
    scores = clean()
    scores.loc["best"] = scores.loc["copy"] = scores.max() + 0.02
    headline, _, *caveats = said(scores)
    assert headline == (
        "best and copy, with the same scores on every dataset, share first place by mean score, "
        "ahead of each of the other 24 models in over 95% of "
        "resamples."
    )
    assert caveats == [ROUGH]


def test_models_that_share_the_mean_but_not_the_scores():
    scores = ladder(-0.2, -0.25, 0.0, 0.0, datasets=12)
    scores.loc["m2", ["d0", "d1"]] += [0.01, -0.01]
    assert said(scores)[0] == (
        "m3 and m2 share first place by mean score, ahead of each of the other 2 models in over "
        "95% of resamples."
    )


def test_copies_among_the_models_not_told_apart():
    scores = six()
    scores.loc["copy"] = scores.loc["m3"]
    copies = (
        "2 of the models not told apart from the leader have the same scores as another "
        "throughout, copies perhaps."
    )
    assert copies in said(scores)
    scores.loc["copy"] = scores.loc["m9"]
    assert copies not in said(scores)


def test_one_dataset():
    assert said(clean()[["d0"]]) == [
        "m9 leads by mean score, but nothing shows how far that would hold on other datasets.",
        (
            "The evidence is a single dataset (ESS 0.30), which cannot show whether the ranking is "
            "stable."
        ),
        "One dataset cannot be resampled: there is no interval, tier or probability.",
    ]


def test_one_dataset_that_tells_models_apart():
    scores = clean() * 0 + 0.5
    scores["d0"] = clean()["d0"]
    assert said(scores) == [
        "m9 leads by mean score, but nothing shows how far that would hold on other datasets.",
        (
            "The evidence is a single dataset (ESS 0.30), which cannot show whether the ranking is "
            "stable."
        ),
        "All models tie on every dataset but one.",
    ]


def test_constant_datasets_only():
    assert said(frame(np.full((12, 4), 0.5))) == [
        "No model leads: all 12 models are tied by mean score.",
        "There is no evidence: no dataset tells the models apart.",
    ]


def test_one_resample_shows_nothing():
    headline, evidence, caveat, *_ = said(clean(), n_resamples=1)
    assert headline.endswith("but nothing shows how far that would hold on other datasets.")
    assert evidence == "The evidence is very strong (ESS 0.75): 12 datasets in 12 clusters."
    assert caveat == "All resamples hold the same datasets: draw more of them."


def test_few_datasets_in_one_cluster():
    scores = ladder(*np.linspace(0.0, -0.25, 12), datasets=4)
    assert said(scores, n_resamples=1000) == [
        "m0 leads by mean score, but 4 datasets are too few to tell models apart.",
        "The evidence is moderate (ESS 0.26): 4 datasets in 1 cluster.",
        "There are too few datasets for a test that allows for 11 comparisons.",
        "With 4 datasets, intervals and tiers are too narrow.",
        "All 4 datasets repeat each other and say little more than one of them.",
    ]
    by_cluster = said(scores, resampling="clusters")
    assert by_cluster[0].endswith("but nothing shows how far that would hold on other datasets.")
    assert by_cluster[2] == (
        "One cluster cannot be resampled: there is no interval, tier or probability."
    )


def test_clusters_resampled():
    scores = clean().assign(**{f"copy{k}": clean()["d0"] for k in range(4)})
    repeats = (
        "5 of 16 datasets repeat others, which makes intervals too narrow; resampling='clusters' "
        "allows for that."
    )
    assert repeats in said(scores)
    _, evidence, *caveats = said(scores, resampling="clusters")
    assert evidence.startswith(
        "The evidence is very strong (ESS 0.94): 16 datasets in 12 clusters; resampling the "
        "clusters separates "
    )
    assert repeats not in caveats


def test_clusters_that_decide_how_strong_the_evidence_is():
    """Two datasets correlate at 0.91, a third with neither: at a tau of 0.92, none repeats."""
    rng = np.random.default_rng(1)
    base, other, rest = (rng.normal(size=30) for _ in range(3))
    base, other = (x - x.mean() for x in (base, other))
    other -= base * (other @ base) / (base @ base)
    base, other = base / base.std(), other / other.std()
    scores = frame(np.column_stack([base, 0.91 * base + np.sqrt(1 - 0.91**2) * other, rest]))
    _, evidence, *caveats = said(0.5 + 0.05 * scores)
    assert evidence.startswith("The evidence is very strong (ESS 0.82): 3 datasets in 2 clusters")
    assert not any("fragile" in caveat for caveat in caveats)
    pair = said(0.5 + 0.05 * scores[["d0", "d1"]])
    assert pair[1].startswith("The evidence is weak (ESS 0.23): 2 datasets in 1 cluster")
    assert "Clusters are fragile: with a tau of 0.92, the evidence would be very strong." in pair


def test_ways_of_ranking_that_disagree():
    found = analyze(clean())
    shares = found.winners
    assert found.bootstrap.order[0] == "m4"
    assert shares.index[0] == "m9"
    assert found.verdict.caveats[1] == (
        f"Other ways of ranking disagree: {shares['m9']:.0%} of 15 rankings put m9 first, "
        f"{shares['m4']:.0%} the leader."
    )


def test_names_are_text():
    scores = ladder(0.2, 0.0, -0.1, datasets=12).rename(index={"m0": "<b>two\nlines\x1b[31m"})
    found = analyze(scores)
    assert found.verdict.headline.startswith("<b>two lines [31m leads")
    assert "<b>" not in found._repr_html_()


def test_the_verdict_comes_first_everywhere():
    found = analyze(clean())
    verdict = found.verdict
    assert str(verdict) == f"{verdict.headline} {verdict.evidence}"
    text = " ".join(found.summary().split())
    assert text.startswith(f"{verdict} - {' - '.join(verdict.caveats)} 24 models × 12 datasets")
    assert repr(found).splitlines()[1] == f"  Verdict    {verdict.headline}"
    assert found._repr_html_().startswith(f"<div><p><strong>{verdict.headline}</strong>")
    content = json.loads(json.dumps(found.to_dict()))
    assert next(iter(content)) == "verdict"
    assert content["verdict"] == {
        "headline": verdict.headline,
        "evidence": verdict.evidence,
        "caveats": list(verdict.caveats),
    }


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("A", "A"),
        ("AB", "A and B"),
        ("ABC", "A, B and C"),
        ("ABCD", "A, B, C and 1 more"),
        ("ABCDEFG", "A, B, C and 4 more"),
    ],
)
def test_a_list_of_names(names, text):
    assert listing(names) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0%"), (1e-4, "under 1%"), (0.555, "56%"), (0.999, "over 99%"), (1.0, "100%")],
)
def test_a_share(share, text):
    assert percent(share) == text
