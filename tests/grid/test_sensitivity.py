from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import InputError, ParameterError, UnknownLabelError
from robustrank.grid.changes import compare_studies
from robustrank.grid.sensitivity import assess_sensitivity
from tests.conftest import frame, random_scores
from tests.grid.test_changes import ABOUT, typed

TABLES = ["cells", "languages", "tasks", "coverage_weighted"]
NONE = {"tau": (), "top_k": [], "correlation": (), "linkage": ()}


def planted(*directions: tuple[float, float, float]) -> pd.DataFrame:
    """Scores of 12 models; two datasets correlate as the cosine of their directions."""
    noise = np.random.default_rng(0).normal(size=(12, 3))
    axes = np.linalg.qr(noise - noise.mean(axis=0))[0]
    unit = [np.array(direction) / np.linalg.norm(direction) for direction in directions]
    return frame(0.5 + 0.5 * axes @ np.array(unit).T)


def at(cosine: float) -> tuple[float, float, float]:
    """A direction with this cosine to the first axis."""
    return (cosine, float(np.sqrt(1 - cosine**2)), 0.0)


#: In STS, d0 and d1 correlate at .86, and d2 with neither.
MERGING = typed(planted(at(1), at(0.86), (0, 0, 1), (1, 1, 1)), ABOUT)


@pytest.fixture(scope="module")
def study() -> rr.Study:
    return rr.study(MERGING)


def refuse(**_):
    raise AssertionError("a variant was computed")


def test_a_lower_tau_merges_what_a_higher_keeps_apart(study):
    found = study.sensitivity(**{**NONE, "tau": [0.8, 0.85, 0.87]})
    assert list(found.summary.index) == ["tau=0.8", "tau=0.85", "tau=0.87"]
    for name, q, level in [
        ("tau=0.8", 2, "E_RS+DS"),
        ("tau=0.85", 2, "E_RS+DS"),
        ("tau=0.87", 3, "E_RS"),
    ]:
        row = found.cells.loc[(name, "slv", "STS")]
        assert (row["q"], row["level"]) == (3, "E_RS")
        assert (row["q_other"], row["level_other"]) == (q, level)
        assert (row["same_q"], row["same_level"]) == (q == 3, q == 3)
        assert found.cells.loc[name].drop(index=("slv", "STS"))["same_q"].all()
    merged = found.summary.loc["tau=0.8"]
    assert (merged["same_q"], merged["same_level"]) == (0.75, 0.75)
    change = rr.evidence_strength(3, 2) - rr.evidence_strength(3, 3)
    assert merged["ess_change"] == pytest.approx(change / 4)
    apart = found.summary.loc["tau=0.87"]
    shares = ["same_q", "same_level", "same_first", "overlap", "kendall_tau"]
    assert apart[shares].to_numpy() == pytest.approx(1)
    assert apart["ess_change"] == 0


def test_linkages_differ_on_a_chain():
    # .95, .95 and, between the ends, .805; all correlations in STS.
    chain = planted(at(0.95), at(1), (0.95, -at(0.95)[1], 0), (0, 0, 1))
    about = {**ABOUT, "d3": ("Retrieval", "slv")}
    found = rr.study(typed(chain, about)).sensitivity(
        tau=0.8, top_k=(), correlation=(), linkage=["complete", "single", "average"]
    )
    sts = found.cells.xs("STS", level="task_type").xs("slv", level="language")
    assert sts["q"].to_dict() == dict.fromkeys(
        ("tau=0.8", "linkage=complete", "linkage=average"), 1
    )
    assert sts["q_other"].to_dict() == {"tau=0.8": 1, "linkage=complete": 2, "linkage=average": 2}


def test_spearman_sees_a_monotone_curve():
    scores = random_scores(12, 4)
    scores["d1"] = np.exp(40 * (scores["d0"] - 1))  # Pearson about .5
    found = rr.study(typed(scores, ABOUT)).sensitivity(
        tau=(), top_k=(), correlation="spearman", linkage=()
    )
    row = found.cells.loc[("correlation=spearman", "slv", "STS")]
    assert row["q_other"] == row["q"] - 1


@pytest.mark.parametrize(("before", "after"), [(10, 1), (5, 20), (20, 5), (20, 30)])
def test_another_top_k_equals_a_study_made_with_it(before, after):
    base = rr.study(MERGING, top_k=before)
    again, expected = base.again(top_k=after), rr.study(MERGING, top_k=after)
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(again, name), getattr(expected, name))
    assert again.settings == expected.settings
    assert again.notes == expected.notes
    for block, made in expected.blocks.items():
        assert again.blocks[block].notes == made.notes
        assert again.blocks[block].ranks is base.blocks[block].ranks  # not ranked anew
    assert ("top-k" in [n.code for n in again.notes_of("slv", "STS")]) == (after > 12)
    found = base.sensitivity(**{**NONE, "top_k": after})
    pd.testing.assert_frame_equal(
        found.cells.loc[f"top_k={after}"], compare_studies(base, expected)
    )


@pytest.mark.parametrize(
    "change",
    [{"tau": 0.8}, {"correlation": "spearman"}, {"linkage": "complete"}, {"n_resamples": 20}],
)
def test_what_a_setting_cannot_change_is_not_ranked_anew(study, change):
    again, expected = study.again(**change), rr.study(MERGING, **change)
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(again, name), getattr(expected, name))
    for block, made in expected.blocks.items():
        assert again.blocks[block].notes == made.notes
        kept = again.blocks[block].ranks is study.blocks[block].ranks
        assert kept == (len(block.datasets) == 1)


def test_another_top_k_is_resampled_anew():
    base = rr.study(MERGING, n_resamples=20)
    again, expected = base.again(top_k=3), rr.study(MERGING, n_resamples=20, top_k=3)
    assert not base.standings("slv", "STS")["p_top"].equals(again.standings("slv", "STS")["p_top"])
    pd.testing.assert_frame_equal(
        again.standings("slv", "STS"), expected.standings("slv", "STS"), check_exact=True
    )


def test_without_resamples_rankings_are_kept():
    base = rr.study(MERGING, n_resamples=20)
    again = base.again(top_k=3, n_resamples=0)
    pd.testing.assert_frame_equal(again.cells, rr.study(MERGING, top_k=3).cells)
    for name, block in again.blocks.items():
        assert block.bootstrap is None
        assert block.ranks is base.blocks[name].ranks


def test_variants_are_named_and_the_own_value_is_left_out(study):
    made = []

    def again(**changes):
        made.append(changes)
        return study

    found = replace(study, remake=again).sensitivity()
    changes = {
        "tau=0.8": {"tau": 0.8},
        "tau=0.85": {"tau": 0.85},
        "top_k=1": {"top_k": 1},
        "top_k=5": {"top_k": 5},
        "correlation=spearman": {"correlation": "spearman"},
        "linkage=average": {"linkage": "average"},
        "linkage=complete": {"linkage": "complete"},
    }
    assert made == [{**change, "n_resamples": 0} for change in changes.values()]
    assert list(found.summary.index) == list(found.cells.index.unique("variant")) == list(changes)
    assert list(found.languages.index.unique("variant")) == ["base", *changes]
    assert list(found.cells.index.names) == ["variant", "language", "task_type"]


def test_a_single_value_will_do_and_repeats_count_once(study):
    one = study.sensitivity(tau=0.8, top_k=np.int64(3), correlation="pearson", linkage=())
    many = study.sensitivity(
        tau=np.array([0.8, 0.9, 0.8]), top_k=iter([3, 10, 3]), correlation=["pearson"], linkage=()
    )
    assert list(one.summary.index) == ["tau=0.8", "top_k=3"]
    pd.testing.assert_frame_equal(one.summary, many.summary)


def test_languages_say_who_leads_under_each_variant(study):
    found = study.sensitivity(tau=0.8, top_k=1, correlation=(), linkage=())
    columns = ["most_consistent_model", "coverage_weighted", "ess"]
    for name, made in [
        ("base", study),
        ("tau=0.8", rr.study(MERGING, tau=0.8)),
        ("top_k=1", rr.study(MERGING, top_k=1)),
    ]:
        pd.testing.assert_frame_equal(found.languages.loc[name], made.languages[columns])
    for name in ("tau=0.8", "top_k=1"):
        first = found.languages["most_consistent_model"]
        same = sum(first["base", code] == first[name, code] for code in ("slv", "pol"))
        assert found.summary.loc[name, "languages_same_first"] == same


def test_a_study_given_as_other_is_compared_as_it_is(study):
    scores = 1 - MERGING.scores
    about = {**ABOUT, "d3": ("Retrieval", "slv")}
    other = rr.study(typed(scores, about))
    found = study.sensitivity(**NONE, others={"reversed": other})
    pd.testing.assert_frame_equal(found.cells.loc["reversed"], study.compare(other))
    row = found.summary.loc["reversed"]
    assert (row["cells"], row["cells_lost"], row["cells_gained"]) == (2, 2, 1)
    assert (row["same_q"], row["same_level"], row["ess_change"]) == (1, 1, 0)
    assert (row["same_first"], row["overlap"]) == (0, 0)
    assert row["kendall_tau"] == study.compare(other)["kendall_tau"].mean() < -0.9
    assert (row["languages"], row["languages_same_first"]) == (2, 0)


def test_studies_without_a_cell_in_common_have_no_shares(study):
    other = rr.study(typed(random_scores(5, 1), {"d0": ("Reranking", "ces")}))
    found = study.sensitivity(**NONE, others={"elsewhere": other})
    row = found.summary.loc["elsewhere"]
    assert (row["cells"], row["cells_lost"], row["cells_gained"]) == (0, 4, 1)
    assert (
        row[["same_q", "same_level", "same_first", "overlap", "ess_change", "kendall_tau"]]
        .isna()
        .all()
    )
    assert row["languages"] == 0
    assert "elsewhere: no cell in common" in repr(found)


def test_neither_order_of_models_nor_of_datasets_changes_anything(study):
    turned = rr.study(typed(MERGING.scores.iloc[::-1, ::-1], ABOUT))
    one, two = (
        each.sensitivity(tau=0.8, top_k=3, correlation=(), linkage=()) for each in (study, turned)
    )
    for name in ("cells", "summary", "languages"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(two, name), check_exact=True)


def test_variants_use_as_many_processes_as_the_study(monkeypatch):
    seen = []
    real = rr.grid.assemble.run_blocks

    def spy(*args, n_jobs, **kwargs):
        seen.append(n_jobs)
        return real(*args, n_jobs=n_jobs, **kwargs)

    monkeypatch.setattr("robustrank.grid.assemble.run_blocks", spy)
    rr.study(MERGING, n_jobs=1).sensitivity(tau=0.8, top_k=3, correlation=(), linkage=())
    assert seen == [1, 1, 1]


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("tau", 1.2),
        ("tau", "0.8"),
        ("tau", None),
        ("tau", [0.8]),
        ("top_k", 0),
        ("top_k", 2.5),
        ("correlation", "kendall"),
        ("linkage", "ward"),
    ],
)
def test_a_value_out_of_range_raises_what_analyze_raises(study, name, bad):
    with pytest.raises(ParameterError) as expected:
        rr.analyze(MERGING, **{name: bad})
    watched = replace(study, remake=refuse)
    with pytest.raises(ParameterError, match=name) as caught:
        watched.sensitivity(**{"tau": 0.8, name: [bad]})
    assert str(caught.value) == str(expected.value)


def test_nothing_to_vary_is_said(study):
    with pytest.raises(ParameterError, match=r"Nothing to vary.*others="):
        study.sensitivity(tau=0.9, top_k=(), correlation="pearson", linkage=[])


def test_an_unknown_setting_is_named(study):
    with pytest.raises(UnknownLabelError, match="Unknown setting 'topk': did you mean 'top_k'"):
        assess_sensitivity(study, {"topk": [1]}, {})


@pytest.mark.parametrize("name", ["base", "tau=0.8"])
def test_a_name_given_twice_is_refused(study, name):
    watched = replace(study, remake=refuse)
    with pytest.raises(ParameterError, match=f"'{name}' names a variant already"):
        watched.sensitivity(others={name: study})


def test_another_layout_is_refused_before_anything_is_ranked(study):
    other = rr.study(MERGING, by=("task_type", "language"))
    with pytest.raises(InputError, match="same fields"):
        replace(study, remake=refuse).sensitivity(others={"turned": other})


def test_repr_counts_what_stays(study):
    found = study.sensitivity(**NONE, others={"itself": study})
    assert repr(found) == (
        "Sensitivity: 1 variant\n"
        "  itself: same most consistent model in 100% of 4 cells and in 2 of 2 languages"
    )


def test_slovenian_on_mteb(shared):
    base = rr.study(
        shared / "data/mteb_multilingual_v2_dec2025.parquet",
        tasks=shared / "data/tasks_multilingual_v2_dec2025.csv",
        models=shared / "data/models_dec2025.parquet",
        preset="papers",
        languages=["slv"],
    )
    found = base.sensitivity(tau=0.8, top_k=1, correlation=(), linkage=())
    assert (found.summary["cells"] == 5).all()
    first = found.languages["most_consistent_model"]
    assert (
        first["base", "slv"] == first["tau=0.8", "slv"] == "intfloat/multilingual-e5-large-instruct"
    )
    assert " = " in first["top_k=1", "slv"]
