from __future__ import annotations

import pytest

from robustrank._text import percent
from robustrank.report.findings import format_ess
from tests.report.boards import hostile_study


@pytest.fixture
def page(opened):
    with opened("study") as page:
        yield page


@pytest.fixture(scope="module")
def study():
    return hostile_study()


def languages(page) -> list[str]:
    rows = page.locator("#evidence tbody tr:visible th").all_inner_texts()
    return [row.strip() for row in rows]


def cell(page, language: str, task_type: str):
    """The button of a cell; quotation marks do not occur in these names."""
    return page.locator(f'#evidence [aria-label^="{language}, {task_type}: "]')


def test_every_cell_says_its_score_and_level(page, study):
    assert languages(page) == list(study.languages.index)
    for (language, task_type), row in study.cells.iterrows():
        button = cell(page, language, task_type)
        if not row["n"]:
            assert button.count() == 0
            continue
        assert button.inner_text().split() == [
            format_ess(row["ess"]),
            row["level"].removeprefix("E_"),
        ]


def test_cells_open_with_their_standings(page, study):
    opened = 0
    for (language, task_type), row in study.cells[study.cells["n_models"] > 0].iterrows():
        cell(page, language, task_type).click()
        dialog = page.get_by_role("dialog", name=f"{language} × {task_type}")
        standings = study.standings(language, task_type).head(10)
        names = dialog.locator(".standings tbody th").all_inner_texts()
        assert names == [name.replace("\n", " ") for name in standings.index]
        first = dialog.locator(".standings tbody tr").first.locator("td").all_inner_texts()
        top = standings.iloc[0]
        assert first[0] == f"{top['consistency']:.3f}"
        assert first[1] == f"{top['mean_rank']:.1f}"
        assert first[3] == percent(top["share_first"])
        measures = dict(
            zip(
                dialog.locator(".measures dt").all_inner_texts(),
                dialog.locator(".measures dd").all_inner_texts(),
                strict=True,
            )
        )
        assert measures["datasets (n)"] == str(row["n"])
        assert measures["clusters (q)"] == str(row["q"])
        assert measures["distinct picks (U)"] == str(row["n_unique"])
        assert measures["Kendall's W over schemes"] == f"{row['w_schemes']:.3f}"
        codes = dialog.locator(".notes code").all_inner_texts()
        assert codes == [note.code for note in study.notes_of(language, task_type)]
        assert ", ".join(study.matrix(language, task_type).scores.columns) in dialog.inner_text()
        page.keyboard.press("Escape")
        assert not dialog.is_visible()
        opened += 1
    assert opened > 4


def test_a_cell_closes_by_its_button_and_by_a_click_beside_it(page):
    button = page.locator("[data-cell]").first
    dialog = page.locator("#cell")
    button.click()
    page.get_by_role("button", name="Close").click()
    assert not dialog.is_visible()
    button.click()
    page.mouse.click(5, 5)
    assert not dialog.is_visible()
    assert page.evaluate("() => document.activeElement.matches('[data-cell]')")


def test_the_keyboard_moves_between_cells(page, study):
    cell(page, "eng", "PairClassification").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(":focus").get_attribute("aria-label").startswith("eng, STS")
    page.keyboard.press("ArrowDown")
    assert page.locator(":focus").get_attribute("aria-label").startswith("fra, STS")
    page.keyboard.press("Enter")
    assert page.get_by_role("dialog", name="fra × STS").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(":focus").get_attribute("aria-label").startswith("fra, STS")
    assert page.locator('#evidence [data-cell][tabindex="0"]').count() == 1


def test_the_map_sorts_by_any_column(page, study):
    ess = study.cells["ess"].unstack()
    for task_type in ess.columns:
        header = page.locator("#evidence thead th", has_text=task_type)
        for ascending in (False, True):
            header.get_by_role("button").click()
            shown = ess.loc[languages(page), task_type].tolist()
            assert shown == sorted(shown, reverse=not ascending)
            assert header.get_attribute("aria-sort") == ("ascending" if ascending else "descending")


def test_the_map_filters_by_name_and_by_level(page, study):
    page.get_by_role("searchbox", name="Language").fill("FR")
    assert languages(page) == ["fra"]
    assert page.locator("#map output").inner_text() == "1 of 3 rows"
    # A row that is hidden must not keep the only stop of the Tab key.
    stop = page.locator('#evidence tr:visible [data-cell][tabindex="0"]')
    assert stop.count() == 1
    page.get_by_role("searchbox", name="Language").fill("")
    page.get_by_label("Has a cell of at least").select_option(label="RS+DS")
    levels = study.cells["level"].unstack()
    assert languages(page) == list(levels.index[levels.eq("E_RS+DS").any(axis=1)])


def test_the_tables_sort_by_number(page, study):
    table = page.locator("#languages table")
    table.get_by_role("button", name="Datasets").click()
    column = [int(text) for text in table.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert column == sorted(study.languages["n_datasets"], reverse=True)
    table.get_by_role("button", name="Evidence").click()
    words = table.locator("tbody td:nth-child(3)").all_inner_texts()
    by_ess = study.languages.sort_values("ess", ascending=False, kind="stable")
    assert words == by_ess["category"].tolist()
