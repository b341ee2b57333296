from __future__ import annotations

import base64
import io
import json

import pandas as pd
import pytest

from robustrank.report.findings import format_ess
from tests.report.boards import HOSTILE, hostile_study
from tests.report.pages import parse


@pytest.fixture(scope="module")
def study():
    return hostile_study()


@pytest.fixture(scope="module")
def page(study) -> str:
    return study.to_html()


@pytest.fixture(scope="module")
def tree(page):
    return parse(page)


@pytest.fixture(scope="module")
def data(tree):
    return json.loads(tree.one("script", id="cells").text)


def test_the_map_has_every_cell_with_its_score_and_level(study, tree):
    rows = tree.one("table", id="evidence").one("tbody").all("tr")
    assert [row.one("th").text for row in rows] == list(study.languages.index)
    for row in rows:
        language = row.one("th").text
        mean, *cells = row.all("td")
        assert mean.text == format_ess(study.languages.loc[language, "ess"])
        for task_type, cell in zip(study.plan.task_types, cells, strict=True):
            truth = study.cells.loc[(language, task_type)]
            assert float(cell.attributes["data-sort"]) == pytest.approx(truth["ess"])
            level = truth["level"].removeprefix("E_")
            expected = f"{format_ess(truth['ess'])} {level}" if truth["n"] else "–"
            assert cell.text == expected


def test_the_strongest_level_of_a_row_is_what_its_filter_asks_for(study, tree):
    levels = ["E0", "E1", "E_SC", "E_RS", "E_RS+DS"]
    for row in tree.one("table", id="evidence").one("tbody").all("tr"):
        own = study.cells.loc[row.one("th").text]["level"].map(levels.index)
        assert row.attributes["data-least"] == str(own.max())


def test_cells_carry_what_the_study_says_of_them(study, tree, data):
    buttons = tree.one("table", id="evidence").all("button", class_="level")
    assert [int(b.attributes["data-cell"]) for b in buttons] == list(range(len(data["cells"])))
    with_datasets = study.cells[study.cells["n"] > 0]
    for cell, (where, truth) in zip(data["cells"], with_datasets.iterrows(), strict=True):
        assert tuple(cell["title"]) == where
        measures = dict(zip(data["measures"], cell["measures"], strict=True))
        assert measures["datasets (n)"] == str(truth["n"])
        assert measures["models ranked"] == str(truth["n_models"])
        assert (cell["block"] is None) == (truth["n_models"] == 0)
        if cell["block"] is None:
            continue
        block = data["blocks"][cell["block"]]
        standings = study.standings(*where)
        names = [data["names"][row[0]] for row in block["rows"]]
        assert names == [name.replace("\n", " ") for name in standings.index[:10]]
        assert block["more"] == len(standings) - 10
        consistency = data["columns"].index("Consistency")
        assert [float(row[1 + consistency]) for row in block["rows"]] == pytest.approx(
            standings["consistency"].iloc[:10].tolist(), abs=5e-4
        )


def test_blocks_that_cells_share_are_there_once(study, data):
    ranked = [cell["block"] for cell in data["cells"] if cell["block"] is not None]
    assert len(data["blocks"]) == len(study.blocks) == len({*ranked})
    assert len(ranked) >= len(data["blocks"])
    assert len(data["names"]) == len({*data["names"]})


def test_names_are_text_in_the_page_and_in_its_data(page, tree, data):
    assert tree.all("b") == []
    assert [node.tag for node in tree.all("i") if "Retrieval" in node.text] == []
    assert {name.replace("\n", " ") for name in HOSTILE} <= {*data["names"]}
    assert page.count("</script>") == 2


def test_tables_are_embedded(study, tree):
    links = {link.text: link for link in tree.one("section", id="downloads").all("a")}
    assert {*links} == {"cells.csv", "languages.csv", "tasks.csv"}
    body = base64.b64decode(links["cells.csv"].attributes["href"].partition(",")[2])
    read = pd.read_csv(io.BytesIO(body))
    assert read["ess"].tolist() == pytest.approx(study.cells["ess"].tolist(), rel=1e-12)
    assert read["language"].tolist() == study.cells.index.get_level_values(0).tolist()


def test_the_same_study_gives_the_same_page(study, page, tmp_path):
    assert study.to_html() == page
    target = tmp_path / "study.html"
    assert study.to_html(target, title="A < B") == target
    assert "<h1>A &lt; B</h1>" in target.read_text("utf-8")


def test_ids_are_unique(tree):
    ids = [node.attributes["id"] for node in tree.all() if "id" in node.attributes]
    assert len(ids) == len({*ids})
