from __future__ import annotations

import gzip

import pandas as pd
import pytest

from robustrank.report.files import file_tables
from robustrank.report.html.downloads import embed_tables
from tests.report.boards import HOSTILE, hostile_analysis

COLUMNS = {
    "Rank": ("rank", "ascending"),
    "Mean score": ("mean", "descending"),
    "Tier": ("tier", "ascending"),
    "P(best)": ("p_best", "descending"),
    "Consistency": ("consistency", "descending"),
    "Schemes": ("mean_rank", "ascending"),
    "Borda": ("borda_rank", "ascending"),
    "Ability": ("ability", "descending"),
    "ST": ("scheme_variance", "ascending"),
    "SN": ("composition_variance", "ascending"),
}


@pytest.fixture
def page(opened):
    with opened("analysis") as page:
        yield page


@pytest.fixture(scope="module")
def frame():
    table = hostile_analysis().to_frame()
    return table.set_axis(table.index.str.replace("\n", " "))


def models(page) -> list[str]:
    """The names that are seen, from the top."""
    seen = "rows => rows.filter(r => r.checkVisibility()).map(r => r.textContent.trim())"
    return page.eval_on_selector_all("#board tbody th.name", seen)


def header(page, name):
    return page.locator("#board thead th").filter(
        has=page.get_by_role("button", name=name, exact=True)
    )


def sorts(page) -> dict[str, str]:
    cells = page.locator("#board thead th[aria-sort]").all()
    return {cell.inner_text().strip(): cell.get_attribute("aria-sort") for cell in cells}


def test_it_opens_in_the_order_of_the_ranking(page, frame):
    assert models(page) == list(frame.index)
    assert sorts(page) == {"Rank": "ascending"}


@pytest.mark.parametrize("name", [*COLUMNS, "Coverage"])
def test_columns_sort_by_number_best_first_and_back(page, frame, name):
    page.get_by_role("button", name="More columns").click()
    coverage = hostile_analysis().matrix.scores.notna().mean(axis=1)
    if name == "Coverage":
        values, first = coverage.set_axis(coverage.index.str.replace("\n", " ")), "descending"
    else:
        values, first = frame[COLUMNS[name][0]], COLUMNS[name][1]
    values = values.reindex(frame.index).astype(float)
    # A column that is sorted already turns around at the first click.
    turns = [first, "descending" if first == "ascending" else "ascending"]
    if name == "Rank":
        turns.reverse()
    for direction in turns:
        header(page, name).get_by_role("button").click()
        assert sorts(page) == {name: direction}
        shown = values[models(page)]
        known = shown.dropna()
        assert shown.iloc[: len(known)].notna().all(), "what is undefined comes last"
        in_order = known.sort_values(ascending=direction == "ascending")
        assert known.tolist() == in_order.tolist()
    assert page.locator("#board tbody").count() == len(frame)


def test_names_sort_as_text_by_the_keyboard(page, frame):
    header(page, "Model").get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert sorts(page) == {"Model": "ascending"}
    plain = [name for name in models(page) if name.startswith("org/model-")]
    assert plain == sorted(plain)
    assert sorted(models(page)) == sorted(frame.index)


def test_ranks_are_not_sorted_as_text(page, frame):
    button = header(page, "Rank").get_by_role("button")
    button.click()
    button.click()
    cells = page.locator("#board tbody tr:first-child td:nth-child(2)").all_inner_texts()
    ranks = [float(cell.split()[0]) for cell in cells if cell[0].isdigit()]
    assert max(ranks) >= 10
    assert ranks == sorted(ranks)


def test_a_part_of_a_name_filters(page, frame):
    page.get_by_label("Model", exact=True).fill("  ORG/model ")
    expected = [name for name in frame.index if "org/model" in name]
    assert models(page) == expected
    assert (
        page.locator("#leaderboard output").inner_text()
        == f"{len(expected)} of {len(frame)} models"
    )
    page.get_by_label("Model", exact=True).fill("<script>")
    assert models(page) == [HOSTILE[0]]
    page.get_by_label("Model", exact=True).fill("")
    assert models(page) == list(frame.index)


def test_a_tier_filters_and_both_filters_hold_together(page, frame):
    page.get_by_role("combobox", name="Tier").select_option("1")
    top = frame.index[frame["tier"].eq(1).fillna(value=False)]
    assert models(page) == list(top)
    page.get_by_label("Model", exact=True).fill(top[0][:5])
    assert models(page) == [name for name in top if top[0][:5].lower() in name.lower()]


def test_more_columns_unfold_and_fold(page):
    button = page.get_by_role("button", name="More columns")
    ability = page.get_by_role("columnheader", name="Ability")
    assert not ability.is_visible()
    button.click()
    assert ability.is_visible()
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert not ability.is_visible()


def test_a_row_unfolds_what_is_known_of_its_model(page, frame):
    name = frame.index[0]
    button = page.locator("#board .expand").first
    details = page.locator(f"#{button.get_attribute('aria-controls')}")
    assert button.get_attribute("aria-expanded") == "false"
    assert not details.is_visible()
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    assert details.is_visible()
    assert "Cannot be told apart from" in details.inner_text()
    assert page.get_by_role("button", name=f"Details of {name}", exact=True).count() == 1
    # It moves with its row, and back.
    header(page, "Rank").get_by_role("button").click()
    assert details.is_visible()
    page.keyboard.press("Space")
    button.click()
    assert not details.is_visible()


def test_tables_are_saved_as_they_are(page):
    for name, table in file_tables(hostile_analysis()).items():
        with page.expect_download() as caught:
            page.get_by_role("link", name=f"{name}.csv").click()
        assert caught.value.suggested_filename == f"{name}.csv"
        assert (
            caught.value.path().read_bytes()
            == table.to_csv(index=False, lineterminator="\n").encode()
        )


def test_compressed_tables_are_unpacked(files, browser, tmp_path):
    """The tables above are small: this one is not."""
    table = pd.DataFrame({"x": [i / 7 for i in range(9000)]})
    (link,) = embed_tables({"large": table})
    assert link.packed
    whole = files["analysis"].read_text("utf-8")
    head, found, rest = whole.partition('<ul class="downloads">')
    assert found
    names = 'download="large.csv.gz" data-plain="large.csv"'
    item = f'<li><a {names} href="{link.address}">large</a></li>'
    target = tmp_path / "large.html"
    target.write_text(head + found + item + rest, "utf-8")
    for scripts, name in ((True, "large.csv"), (False, "large.csv.gz")):
        context = browser.new_context(java_script_enabled=scripts)
        own = context.new_page()
        own.goto(target.as_uri())
        with own.expect_download() as caught:
            own.get_by_role("link", name="large", exact=True).click()
        assert caught.value.suggested_filename == name
        body = caught.value.path().read_bytes()
        plain = body if scripts else gzip.decompress(body)
        assert plain == table.to_csv(index=False, lineterminator="\n").encode()
        context.close()
