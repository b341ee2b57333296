"""The page that raters fill in."""

from __future__ import annotations

from contextlib import contextmanager

import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from robustrank.evaluators.hteb.ratings import make_pair_survey, make_survey, read_ratings

TEXTS = [
    "<script>alert(1)</script> & a$b$",
    "two\nlines of text",
    "مرحبا بالعالم",
    "w" * 300,
]


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    folder = tmp_path_factory.mktemp("survey")
    table = pd.DataFrame({"transformation": "expansion", "original": TEXTS, "text": TEXTS[::-1]})
    make_survey(table.assign(source="English"), folder)
    return folder


@pytest.fixture
def opened(browser, survey):
    """Open the form in a context of its own: it must be silent and ask for nothing."""

    @contextmanager
    def opening(path=survey / "forms" / "expansion-english.html", *, width=1280, **options):
        said, asked = [], []
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: asked.append(request.url))
        try:
            page.goto(path.as_uri())
            yield page
        finally:
            context.close()
        assert said == []
        assert [url for url in asked if not url.startswith((path.as_uri(), "blob:"))] == []

    return opening


def download(page, folder):
    with page.expect_download() as started:
        page.get_by_role("button", name="Save answers").click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path


def test_a_form_is_filled_in_by_keyboard_and_read_back(opened, survey, tmp_path):
    with opened() as page:
        page.get_by_label("Your name or code").focus()
        page.keyboard.type('Ève "5", 価')
        page.keyboard.press("Tab")
        given = [5, 4, 3, 2, 1, 5, 4, 3]
        for rating in given:  # a digit answers and goes on
            page.keyboard.press(str(rating))
        assert page.locator("#count").inner_text() == "8 of 8 answered"
        path = download(page, tmp_path)
        assert page.get_by_role("status").inner_text() == "Saved, complete. Hand in the file."
    assert path.name == "expansion-english-Ève_5_価.csv"
    found = read_ratings(path, key=survey / "items.csv")
    key = pd.read_csv(survey / "items.csv")
    assert set(found.table["rater"]) == {'Ève "5", 価'}
    assert found.table["transformation"].unique().tolist() == ["expansion"]
    for place, criterion in enumerate(["quality", "fluency"]):
        own = found.table[found.table["criterion"] == criterion]
        assert own["item"].tolist() == key["item"].tolist()
        assert own["rating"].tolist() == given[place::2]


def test_arrows_and_clicks_answer_too_and_digits_in_the_name_do_not(opened):
    with opened() as page:
        page.get_by_label("Your name or code").fill("")
        page.get_by_label("Your name or code").press("5")
        assert page.locator("#count").inner_text() == "0 of 8 answered"
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight")
        first = page.get_by_role("group", name="Quality of item 1")
        assert first.get_by_role("radio", name="2, bad").is_checked()
        page.get_by_role("group", name="Fluency of item 3").get_by_text("4", exact=True).click()
        assert page.locator("#count").inner_text() == "2 of 8 answered"


def test_answers_stay_when_the_page_is_loaded_again_until_they_are_deleted(opened):
    with opened() as page:
        page.get_by_label("Your name or code").fill("Bo")
        page.get_by_role("radio", name="3, acceptable").first.check()
        page.reload()
        assert page.locator("#count").inner_text() == "1 of 8 answered"
        assert page.get_by_label("Your name or code").input_value() == "Bo"
        page.get_by_role("button", name="Start again").click()
        page.get_by_role("button", name="Keep them").click()
        assert page.locator("#count").inner_text() == "1 of 8 answered"
        page.get_by_role("button", name="Start again").click()
        page.get_by_role("button", name="Delete them").click()
        assert page.get_by_role("status").inner_text() == "All answers are deleted."
        page.reload()
        assert page.locator("#count").inner_text() == "0 of 8 answered"
        assert page.get_by_label("Your name or code").input_value() == ""


def test_a_form_that_is_open_twice_keeps_the_answers_of_both(opened):
    with opened() as page:
        other = page.context.new_page()
        other.goto(page.url)
        page.get_by_role("radio", name="3, acceptable").first.check()
        other.get_by_role("radio", name="4, good").last.check()
        for each in (page, other):
            expect(each.locator("#count")).to_have_text("2 of 8 answered")
        page.reload()
        expect(page.locator("#count")).to_have_text("2 of 8 answered")
        page.get_by_role("button", name="Start again").click()
        page.get_by_role("button", name="Delete them").click()
        expect(other.locator("#count")).to_have_text("0 of 8 answered")


@pytest.mark.parametrize("entry", ["{", "[]", "null", '"text"', '{"answers": 3}'])
def test_a_damaged_entry_is_none(opened, entry):
    with opened() as page:
        page.evaluate(
            "text => localStorage.setItem(`hteb-survey-${document.body.dataset.key}`, text)", entry
        )
        page.reload()
        expect(page.locator("#count")).to_have_text("0 of 8 answered")
        page.get_by_role("radio", name="3, acceptable").first.check()
        page.reload()
        expect(page.locator("#count")).to_have_text("1 of 8 answered")


def test_a_browser_that_keeps_nothing_says_so_and_still_saves(opened, tmp_path):
    with opened() as page:
        page.add_init_script(
            "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }});"
        )
        page.reload()
        assert "keeps no answers" in page.get_by_role("status").inner_text()
        page.get_by_label("Your name or code").fill("Bo")
        page.get_by_role("radio", name="3, acceptable").first.check()
        path = download(page, tmp_path)
    assert read_ratings(path).table["rating"].tolist() == [3]


def test_what_is_missing_is_said_and_found(opened, tmp_path):
    with opened() as page:
        page.get_by_role("button", name="Save answers").click()
        assert page.get_by_role("status").inner_text().startswith("Give your name or code first")
        assert page.evaluate("document.activeElement.id") == "rater"
        page.keyboard.type("Bo")
        for radio in page.get_by_role("radio", name="3, acceptable").all()[:3]:
            radio.check()
        page.get_by_role("button", name="Next open question").click()
        focused = page.evaluate("document.activeElement.closest('fieldset').innerText")
        assert "open" in page.locator("fieldset.open").get_attribute("class")
        assert focused.startswith("Fluency")
        path = download(page, tmp_path)
        assert page.get_by_role("status").inner_text() == "Saved; 5 of 8 questions are open."
    assert [note.code for note in read_ratings(path).notes] == ["empty-ratings"]


def test_texts_are_shown_as_they_are(opened):
    with opened() as page:
        shown = page.locator(".text").all_text_contents()
        assert sorted(shown) == sorted(TEXTS * 2)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_page_or_under_the_bar(opened, width):
    with opened(width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        last = page.get_by_role("radio").last
        last.focus()
        box = last.bounding_box()
        bar = page.locator("footer").bounding_box()
        assert box["y"] + box["height"] <= bar["y"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(opened, scheme, width):
    with opened(color_scheme=scheme, width=width, bypass_csp=True) as page:
        page.get_by_role("button", name="Next open question").click()
        page.get_by_role("radio", name="3, acceptable").first.check()
        found = Axe().run(page).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"][:160]) for rule in found] == []


def test_a_form_of_pairs(opened, tmp_path):
    table = pd.DataFrame(
        {
            "transformation": "x",
            "original_1": ["a", "b"],
            "original_2": ["c", "d"],
            "text_1": ["A", "B"],
            "text_2": ["C", "D"],
        }
    )
    made = make_pair_survey(table, tmp_path / "pairs", forms="html")
    with opened(made.paths[1]) as page:
        page.get_by_label("Your name or code").fill("Bo")
        page.keyboard.press("Tab")
        for rating in "0510":
            page.keyboard.press(rating)
        path = download(page, tmp_path)
    assert read_ratings(path).table["rating"].tolist() == [0, 5, 1, 0]
