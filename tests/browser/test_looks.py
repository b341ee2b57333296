from __future__ import annotations

import pytest

from tests.report.boards import HOSTILE, NAMES

KINDS = ("analysis", "study")
CONTRAST = """() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map((v) => {
      const c = v / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(document.body);
  return [light(style.backgroundColor), light(style.color)];
}"""


@pytest.mark.parametrize("kind", KINDS)
def test_the_system_decides_between_light_and_dark_and_a_button_overrides_it(opened, kind):
    for scheme, other in (("light", "dark"), ("dark", "light")):
        with opened(kind, color_scheme=scheme) as page:
            paper, ink = page.evaluate(CONTRAST)
            assert (
                (paper > 0.9 and ink < 0.05) if scheme == "light" else (paper < 0.02 and ink > 0.7)
            )
            button = page.get_by_role("button", name=other.capitalize(), exact=True)
            button.click()
            paper, ink = page.evaluate(CONTRAST)
            assert (paper > 0.9) == (other == "light")
            assert (ink < 0.05) == (other == "light")
            page.get_by_role("button", name=scheme.capitalize(), exact=True).click()
            assert (page.evaluate(CONTRAST)[0] > 0.9) == (scheme == "light")


def test_figures_take_the_colours_of_the_page(opened):
    fill = "() => getComputedStyle(document.querySelector('#figure-forest text')).fill"
    found = []
    for scheme in ("light", "dark"):
        with opened("analysis", color_scheme=scheme) as page:
            ink = page.evaluate("() => getComputedStyle(document.body).color")
            assert page.evaluate(fill) == ink
            found.append(ink)
    assert found[0] != found[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_narrow_page_does_not_scroll_sideways(opened, kind, width):
    with opened(kind, width=width) as page:
        page.evaluate(
            "() => document.querySelectorAll('details').forEach((d) => { d.open = true; })"
        )
        for button in (".widen", ".expand") if kind == "analysis" else ("[data-cell]",):
            page.locator(button).first.click()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        # What is wider scrolls within itself, and the keyboard reaches it.
        stops = "rows => rows.filter(r => r.scrollWidth > r.clientWidth).map(r => r.tabIndex)"
        wide = page.eval_on_selector_all(".scroll", stops)
        assert wide
        assert set(wide) == {0}


@pytest.mark.parametrize("kind", KINDS)
def test_contents_stay_in_view_on_a_wide_screen(opened, kind):
    with opened(kind, width=1400) as page:
        page.evaluate("() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
        assert page.locator(".contents").bounding_box()["y"] >= 0
        link = page.locator(".contents a").last
        target = link.get_attribute("href")
        link.click()
        assert page.locator(target).is_visible()


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_stop_of_the_keyboard_skips_to_the_content(opened, kind):
    with opened(kind) as page:
        page.keyboard.press("Tab")
        link = page.locator(":focus")
        assert link.inner_text() == "Skip to the content"
        assert link.bounding_box()["x"] >= 0
        page.keyboard.press("Enter")
        assert page.evaluate("() => document.activeElement.id") == "main"


@pytest.mark.parametrize("kind", KINDS)
def test_what_has_the_focus_is_outlined(opened, kind):
    with opened(kind) as page:
        for _ in range(25):
            page.keyboard.press("Tab")
            outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", page.evaluate(
                "() => document.activeElement.outerHTML.slice(0, 200)"
            )


@pytest.mark.parametrize("kind", KINDS)
def test_print_has_no_controls_and_nothing_folded(opened, kind):
    with opened(kind, color_scheme="dark") as page:
        page.emulate_media(media="print", color_scheme="dark")
        for control in (".controls", ".contents", ".skip"):
            assert not page.locator(control).first.is_visible()
        assert page.locator(".settings td").first.is_visible()
        box = page.locator(".settings td").first.bounding_box()
        assert box["height"] > 0
        assert page.evaluate(CONTRAST)[1] < 0.05
        overflows = "rows => rows.map(r => getComputedStyle(r).overflowX)"
        assert {*page.eval_on_selector_all(".scroll", overflows)} == {"visible"}


def test_without_scripts_everything_is_there_and_no_control_that_does_nothing(opened):
    with opened("analysis", java_script_enabled=False) as page:
        names = page.locator("#board tbody th .label span").all_inner_texts()
        assert len(names) == len(NAMES)
        assert page.locator("#board .details").first.is_visible()
        assert page.get_by_role("columnheader", name="Ability").is_visible()
        assert page.locator("button:visible, input:visible, select:visible").count() == 0
        page.locator("summary").first.click()  # these unfold by themselves
        assert page.locator("details[open] > :not(summary)").first.is_visible()


def test_without_scripts_the_map_is_there(opened):
    with opened("study", java_script_enabled=False) as page:
        assert page.locator("#evidence tbody tr").count() == 3
        assert "RS+DS" in page.locator("#evidence").inner_text()
        assert page.locator("input:visible, select:visible").count() == 0
        assert "cells.csv" in page.locator("#map noscript").inner_text()


def test_hostile_names_are_inert_and_legible(opened):
    with opened("analysis") as page:
        assert page.title() == "How much of this leaderboard is real?"
        names = page.locator("#board .label span").all_inner_texts()
        for name in HOSTILE:
            assert name.replace("\n", " ") in names
        assert page.locator("#board img, #board b, figure script").count() == 0
        long = page.locator("#board th.name").filter(has_text="long-name")
        box = long.bounding_box()
        inner = long.locator("span").bounding_box()
        assert inner["x"] + inner["width"] <= box["x"] + box["width"] + 1


def test_motion_is_reduced_on_request(opened):
    smooth = "() => getComputedStyle(document.documentElement).scrollBehavior"
    with opened("analysis", reduced_motion="reduce") as page:
        assert page.evaluate(smooth) == "auto"
    with opened("analysis", reduced_motion="no-preference") as page:
        assert page.evaluate(smooth) == "smooth"
