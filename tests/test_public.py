from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import robustrank as rr

EXAMPLES = [
    "robustrank.acceptability.analysis",
    "robustrank.analysis",
    "robustrank.confidence_sets.estimates",
    "robustrank.confidence_sets.model_sets",
    "robustrank.confidence_sets.ranks",
    "robustrank.decision.asking",
    "robustrank.flips.change",
    "robustrank.grid.build",
    "robustrank.influence.leave_out",
    "robustrank.mcdm.rankings",
    "robustrank.nemenyi",
    "robustrank.planning.gaps",
    "robustrank.planning.needed",
    "robustrank.resampling.paired",
    "robustrank.short_suites.search",
    "robustrank.signed_rank",
    "robustrank.winners.correction",
    "robustrank.winners.planned",
]


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_public_names_exist_are_sorted_and_documented():
    names = list(rr.__all__)
    assert names == sorted(names)
    for name in set(names) - {"AGGREGATES", "SCHEMES"}:
        assert getattr(rr, name).__doc__, name
    assert next(iter(rr.SCHEMES)) == "wsm/equal"


def test_import_brings_neither_figures_nor_networks():
    heavy = ("matplotlib", "torch", "pymcdm", "girth", "pandas", "scipy", "requests", "httpx")
    code = f"import sys, robustrank; print([m for m in {heavy!r} if m in sys.modules])"
    assert run(code) == "[]"


def test_an_analysis_brings_neither_figures_nor_networks():
    heavy = ("matplotlib", "torch", "pymcdm", "girth", "requests", "httpx", "scipy.stats")
    code = (
        "import sys, robustrank as rr; repr(rr.analyze([[.1, .2], [.3, .1]]));"
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    assert run(code) == "[]"


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_in_docstrings(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0


def test_every_example_in_a_docstring_is_tested():
    root = Path(__file__).resolve().parents[1]
    with_examples = [
        ".".join(path.relative_to(root).with_suffix("").parts)
        for path in (root / "robustrank").rglob("*.py")
        if ">>> " in path.read_text(encoding="utf-8")
    ]
    assert sorted(with_examples) == EXAMPLES


def test_public_names_stay_functions_when_their_modules_are_imported():
    code = (
        "import pkgutil, importlib, types, robustrank as rr;"
        "[importlib.import_module(m.name) for m in pkgutil.iter_modules(rr.__path__, 'robustrank.')"
        " if '__main__' not in m.name];"
        "print([n for n in rr.__all__ if isinstance(getattr(rr, n), types.ModuleType)])"
    )
    assert run(code) == "['figures']"  # the one public module


def test_every_package_is_shipped():
    root = Path(__file__).resolve().parents[1]
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    listed = settings["tool"]["setuptools"]["packages"]
    folders = {"robustrank": root / "robustrank", "robustrank.evaluators": root / "evaluators"}
    found = [
        ".".join([package, *init.parent.relative_to(folder).parts])
        for package, folder in folders.items()
        for init in folder.rglob("__init__.py")
    ]
    assert sorted(listed) == sorted(found)


def test_every_public_name_has_its_page():
    api = (Path(__file__).resolve().parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
    missing = [name for name in rr.__all__ if not re.search(rf"\b{name}\b", api)]
    assert missing == []
