from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["analysis", "study"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_serious(opened, kind, scheme, width):
    with opened(kind, color_scheme=scheme, width=width, bypass_csp=True) as page:
        page.evaluate(
            "() => document.querySelectorAll('details').forEach((d) => { d.open = true; })"
        )
        page.locator(".expand, [data-cell]").first.click()
        if kind == "analysis":
            page.get_by_role("button", name="More columns").click()
        found = Axe().run(page).response["violations"]
        serious = [
            (rule["id"], [node["html"][:160] for node in rule["nodes"][:3]])
            for rule in found
            if rule["impact"] in ("serious", "critical")
        ]
        assert serious == []


def test_axe_finds_what_is_wrong(opened):
    """The check above would see a picture without words."""
    with opened("analysis", bypass_csp=True) as page:
        page.evaluate("() => document.querySelector('svg.figure').removeAttribute('aria-label')")
        found = Axe().run(page).response["violations"]
        assert "svg-img-alt" in [rule["id"] for rule in found]
