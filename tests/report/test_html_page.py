from __future__ import annotations

import base64
import gzip
import hashlib
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import InputError
from robustrank.notes import count
from robustrank.report.files import file_tables
from robustrank.report.findings import findings
from robustrank.report.html.details import details
from robustrank.report.html.leaderboard import leaderboard
from robustrank.report.tables import legend
from robustrank.report.words import consistency_meaning, drawn_units
from tests.conftest import analyze, frame
from tests.report.boards import HOSTILE, hostile_analysis
from tests.report.pages import parse


@pytest.fixture(scope="module")
def analysis() -> rr.Analysis:
    return hostile_analysis()


@pytest.fixture(scope="module")
def page(analysis) -> str:
    return analysis.to_html()


@pytest.fixture(scope="module")
def tree(page):
    return parse(page)


def shown(name: str) -> str:
    return name.replace("\n", " ")


def models(tree) -> list[str]:
    return [th.text.strip() for th in tree.one("table", id="board").all("th", scope="row")]


def test_the_leaderboard_has_every_model_in_the_order_of_the_frame(analysis, tree):
    assert models(tree) == [shown(name) for name in analysis.to_frame().index]


def test_cells_say_what_the_frame_says(analysis, tree):
    table = analysis.to_frame()
    headings = [th.text.strip() for th in tree.one("table", id="board").one("thead").all("th")]
    rows = [
        dict(zip(headings[1:], body.all("tr")[0].all("td"), strict=True))
        for body in tree.one("table", id="board").all("tbody")
    ]
    columns = {
        "Rank": "rank", "Mean score": "mean", "Tier": "tier", "P(best)": "p_best",
        "Schemes": "mean_rank", "Consistency": "consistency", "Borda": "borda_rank",
        "Ability": "ability", "ST": "scheme_variance", "SN": "composition_variance",
    }  # fmt: skip
    assert {*headings} == {"Model", "Coverage", *columns}
    for row, (_, truth) in zip(rows, table.iterrows(), strict=True):
        for heading, column in columns.items():
            key = row[heading].attributes["data-sort"]
            assert (
                key == ""
                if pd.isna(truth[column])
                else float(key) == pytest.approx(truth[column], rel=1e-9)
            ), (heading, truth.name)
            assert (row[heading].text == "–") == pd.isna(truth[column])


def test_bars_lie_where_the_intervals_do(analysis, tree):
    table = analysis.to_frame()
    low, high = table["ci_low"].min(), table["ci_high"].max()
    for body, (_, truth) in zip(
        tree.one("table", id="board").all("tbody"), table.iterrows(), strict=True
    ):
        bars = body.all("i", class_="bar")
        if pd.isna(truth["rank"]):
            assert bars == []
            continue
        _, score = (
            [float(x) for x in re.findall(r"([\d.]+)%", b.attributes["style"])] for b in bars
        )
        expected = [100 * (truth[c] - low) / (high - low) for c in ("ci_low", "mean", "ci_high")]
        assert score == pytest.approx(expected, abs=0.06)
        assert f"{truth['ci_low']:.3f}–{truth['ci_high']:.3f}" in body.text


def test_details_name_the_models_that_one_cannot_be_told_apart_from(analysis, tree):
    bootstrap = analysis.bootstrap
    chance = bootstrap.pairwise
    for body in tree.one("table", id="board").all("tbody"):
        texts = {dt.text: dd.text for dt, dd in zip(body.all("dt"), body.all("dd"), strict=True)}
        name = next(n for n in chance.index if shown(n) == body.one("th").text.strip())
        if name not in bootstrap.order:
            assert "Cannot be told apart from" not in texts
            continue
        others = [
            other
            for other in bootstrap.order
            if other != name and max(chance.loc[name, other], chance.loc[other, name]) <= 0.95
        ]
        said = texts["Cannot be told apart from"]
        assert said.startswith(f"{count(len(others), 'model')}: " if others else "no model")
        nearest = sorted(
            others,
            key=lambda other: abs(bootstrap.order.index(other) - bootstrap.order.index(name)),
        )
        assert all(shown(other) in said for other in nearest[:3])


def test_details_name_best_and_worst_places(analysis, tree):
    scores = analysis.matrix.scores
    body = tree.one("table", id="board").all("tbody")[0]
    own = scores.loc[analysis.to_frame().index[0]]
    better, equal = scores.gt(own).sum(), scores.eq(own).sum()
    places = better + (equal + 1) / 2
    texts = {dt.text: dd.text for dt, dd in zip(body.all("dt"), body.all("dd"), strict=True)}
    assert texts["Best places"].startswith(f"{places.idxmin()} ({places.min():g})")
    assert f"({places.max():g})" in texts["Worst places"].split(", ")[0]


def test_places_tie_where_scores_differ_by_rounding_alone():
    found = analyze(frame([[0.1 + 0.2, 0.9, 0.8], [0.3, 0.8, 0.7], [0.2, 0.1, 0.1]]))
    about = details(found)
    assert dict(about["m0"])["Worst places"] == "d0 (1.5)"
    assert dict(about["m1"])["Best places"] == "d0 (1.5)"


def test_the_head_holds_verdict_caveats_and_key_numbers(analysis, tree):
    head = tree.one("header")
    for text in (analysis.verdict.headline, analysis.verdict.evidence, *analysis.verdict.caveats):
        assert shown(text) in head.text
    keys = {dt.text: dd.text for dt, dd in zip(head.all("dt"), head.all("dd"), strict=True)}
    ranked, m = len(analysis.bootstrap.order), len(analysis.matrix.scores)
    assert keys["models ranked"] == f"{ranked} of {m}"
    assert keys["clusters of datasets"] == str(analysis.redundancy.q)
    assert keys["of pairs resolved"] == f"{analysis.bootstrap.resolved:.0%}"


def facts(section) -> dict[str, str]:
    return {dt.text: dd.text for dt, dd in zip(section.all("dt"), section.all("dd"), strict=True)}


def test_the_findings_of_the_summary_are_there(analysis, tree):
    board, *lines = findings(analysis)
    said = facts(tree.one("section", id="findings"))
    assert said.pop("Board") == board
    assert [shown(line).split() for line in lines] == [
        [term, *text.split()] for term, text in said.items()
    ]


def test_the_parts_of_the_evidence_add_up(analysis, tree):
    said = facts(tree.one("section", id="evidence"))
    assert said["Level"].startswith(f"{analysis.evidence.level}: ")
    parts = ("Number of datasets", "Variety", "Stability that can be assessed")
    total = sum(float(said[part].split()[0]) for part in parts)
    assert total == pytest.approx(analysis.evidence.score, abs=0.002)
    assert said["Effective number of datasets"].startswith(
        f"{analysis.redundancy.n_effective:.1f}: "
    )


def test_agreement_is_there_by_composition_and_by_scheme(analysis, tree):
    tables = tree.one("section", id="schemes").all("table")
    for table, truth in zip(
        tables, (analysis.agreement.w_schemes, analysis.agreement.w_compositions), strict=True
    ):
        rows = [(row.one("th").text, row.one("td").text) for row in table.one("tbody").all("tr")]
        assert rows == [(name, f"{w:.3f}") for name, w in truth.items()]


@pytest.mark.parametrize(
    ("setting", "heading", "said"),
    [
        ({}, "Mean score", "over resampled datasets"),
        ({"resampling": "balanced"}, "Rank", "over resampled datasets within each task type"),
        ({"resampling": "clusters"}, "Mean score", "over resampled clusters of datasets"),
        (
            {"consistency": "membership", "top_k": 4},
            "Consistency",
            "share of the rankings that put a model in the top 4",
        ),
        (
            {"top_k": 4},
            "Consistency",
            "1 for a model that every ranking puts first, 0 for one never in the top 4",
        ),
        ({"tier_threshold": 0.9}, "Tier", "does not beat in more than 90% of resamples"),
    ],
)
def test_columns_mean_what_the_settings_say(setting, heading, said):
    rng = np.random.default_rng(0)
    scores = frame(rng.uniform(size=(12, 8)))
    types = pd.DataFrame({"task_type": ["STS", "Retrieval"] * 4}, index=scores.columns)
    found = analyze(rr.ScoreMatrix(scores, datasets=types), **setting)
    means = {column.heading: column.meaning for column in leaderboard(found).columns}
    assert means[heading].endswith(said)
    units = drawn_units(found.settings)
    assert means["P(best)"] == f"How often it is first when {units} are resampled"
    assert means["Rank"].endswith(f"over resampled {units}")
    assert f"over resampled {units}." in legend(found)
    assert consistency_meaning(found.settings) in legend(found)


def test_the_page_says_what_the_columns_mean(analysis, tree):
    board = tree.one("section", id="leaderboard")
    means = {column.heading: column.meaning for column in leaderboard(analysis).columns}
    assert facts(board.all("details")[-1]) == means


def test_a_small_chance_is_not_called_none(analysis):
    chance = pd.Series([0.004, 0.996, *[0.0] * 12], index=analysis.bootstrap.p_best.index)
    bootstrap = replace(analysis.bootstrap, p_best=chance)
    board = leaderboard(replace(analysis, bootstrap=bootstrap))
    place = [column.heading for column in board.columns].index("P(best)")
    texts = {row.name: row.cells[place].text for row in board.rows}
    assert [texts[name] for name in chance.index[:3]] == ["<0.01", ">0.99", "0.00"]


def test_every_note_and_setting_is_there(analysis, tree):
    notes = tree.one("section", id="notes")
    assert [code.text for code in notes.all("code")] == [note.code for note in analysis.notes]
    settings = {
        row.one("th").text: row.one("td").text
        for row in tree.one("table", class_="settings").one("tbody").all("tr")
    }
    assert settings["n_resamples"] == "400"
    assert settings["versions.pandas"] == pd.__version__


def test_tables_are_embedded_with_all_digits(analysis, tree):
    tables = file_tables(analysis)
    links = tree.one("section", id="downloads").all("a")
    assert [link.text for link in links] == [f"{name}.csv" for name in tables]
    for link, table in zip(links, tables.values(), strict=True):
        body = base64.b64decode(link.attributes["href"].partition(",")[2])
        plain = gzip.decompress(body) if "data-plain" in link.attributes else body
        assert link.attributes["download"].endswith(".gz") == ("data-plain" in link.attributes)
        assert plain.decode() == table.to_csv(index=False, lineterminator="\n")


def test_nothing_is_requested_and_only_the_pages_own_script_runs(page, tree):
    addresses = [
        value
        for node in tree.all()
        for name, value in node.attributes.items()
        if name in ("src", "href", "action", "xlink:href", "srcset", "data")
    ]
    assert addresses
    assert all(value.startswith(("#", "data:")) for value in addresses)
    assert "@import" not in page
    (script,) = tree.all("script")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    policy = tree.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest}'" in policy
    assert [n for node in tree.all() for n in node.attributes if n.startswith("on")] == []


def test_names_are_text_wherever_they_stand(tree):
    text = tree.one("body").text
    for name in HOSTILE:
        assert shown(name) in text
    assert "49" not in models(tree)
    assert tree.all("img") == []
    captions = [b.text for b in tree.one("main").all("b")]
    assert captions
    assert all(text.startswith("Figure ") for text in captions)


def test_ids_are_unique_and_references_lead_somewhere(tree):
    ids = [node.attributes["id"] for node in tree.all() if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    refer = ("href", "aria-controls", "aria-labelledby")
    targets = {
        node.attributes[name].removeprefix("#")
        for node in tree.all()
        for name in refer
        if name in node.attributes and not node.attributes[name].startswith("data:")
    }
    assert targets <= {*ids}


def test_a_file_is_written_and_the_same_analysis_gives_the_same_bytes(analysis, page, tmp_path):
    target = tmp_path / "new" / "report.html"
    assert analysis.to_html(target) == target
    assert target.read_bytes() == page.encode()


def test_one_dataset_has_a_page_that_says_what_cannot_be_drawn(tmp_path):
    one = analyze(frame([[0.9], [0.5], [0.4], [0.3]]))
    tree = parse(one.to_html(title="A < B & C"))
    assert tree.one("title").text == tree.one("h1").text == "A < B & C"
    missing = [c.text for c in tree.all("figcaption") if "not drawn" in c.text]
    assert missing
    assert all(len(text.partition("not drawn. ")[2]) > 10 for text in missing)
    assert tree.all("section", id="size") == []
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        one.to_html(tmp_path / "file" / "report.html")


def test_another_aggregate_is_named_and_the_mean_kept():
    found = analyze(frame([[0.9, 0.8, 0.7], [0.5, 0.6, 0.2], [0.4, 0.1, 0.3]]), aggregate="borda")
    tree = parse(found.to_html())
    headings = [th.text.strip() for th in tree.one("table", id="board").one("thead").all("th")]
    assert headings[:3] == ["Model", "Rank", "borda"]
    assert "Mean" in headings
    assert "Coverage" not in headings
    assert "aggregate='borda'" in tree.one("section", id="downloads").text
