"""Sphinx configuration: `make docs`. Nothing is fetched while building."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

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
exclude_patterns = ["_build"]
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
html_css_files = ["robustrank.css"]
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": True,
    "footer_start": ["copyright"],
    "footer_end": [],
}
# Pages without siblings need no sidebar.
_ALONE = ["index", "install", "quickstart", "inputs", "inferred", "decisions", "changelog"]
html_sidebars = {page: [] for page in _ALONE}
