"""Sphinx configuration: `make docs`. Nothing is fetched while building."""

import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # for mathml.py

project = "robustrank"
author = "The robustrank authors"
project_copyright = f"2026, {author}"
release = installed_version("robustrank")
version = ".".join(release.split(".")[:2])

extensions = [
    "mathml",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["_build", "_reports"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# Docstrings carry shapes and units that annotations cannot, so signatures show defaults only.
autodoc_typehints = "none"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
autosummary_generate = True
autosummary_imported_members = False
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False
default_role = "literal"

# Every cross-reference must resolve, except base classes that other libraries document.
nitpicky = True
nitpick_ignore_regex = [
    (r"py:.*", r"(numpy|pandas|scipy|matplotlib|collections|typing|pathlib)\..*"),
    (r"py:class", r"(ValueError|UserWarning|Protocol|object|tuple)"),
]

html_theme = "pydata_sphinx_theme"
html_title = "robustrank"
html_static_path = ["_static"]
html_extra_path = ["_reports"]  # `make docs` puts the example reports there
html_css_files = ["robustrank.css"]
html_show_sourcelink = False
html_theme_options = {
    "collapse_navigation": True,
    "footer_end": [],
    "footer_start": ["copyright"],
    "navbar_align": "left",
    "navigation_with_keys": False,
    "pygments_dark_style": "a11y-dark",
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "show_prev_next": True,
    "show_toc_level": 2,
}
# Pages of their own, which have no section to navigate.
html_sidebars = {page: [] for page in ("index", "gallery")}


def drop_anchors_back(
    _app: object, pagename: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Let the links from source code lead to pages only, each of which documents one object.

    Sphinx names the anchors by one module for all objects of a source file, and here an object is
    documented where it is imported from.
    """
    if pagename.startswith("_modules/"):
        back = r'(class="viewcode-back" href="[^"#]*)#[^"]*'
        context["body"] = re.sub(back, r"\1", context["body"])


def setup(app: Any) -> None:
    app.connect("html-page-context", drop_anchors_back)
