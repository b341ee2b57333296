"""Import every module of the installed package; `make package` runs this on the built wheel."""

import importlib
import pkgutil
import sys
from pathlib import Path

import robustrank

SOURCES = Path(__file__).resolve().parents[1]

names = [module.name for module in pkgutil.walk_packages(robustrank.__path__, "robustrank.")]
for name in names:
    if name == "robustrank.__main__":
        continue
    where = Path(importlib.import_module(name).__file__ or "").resolve()
    if not where.is_relative_to(sys.prefix):
        sys.exit(f"{name} was imported from {where}, not from the wheel.")
shipped = {name.removeprefix("robustrank.") for name in names}
for folder, prefix in (("robustrank", ()), ("evaluators", ("evaluators",))):
    for path in (SOURCES / folder).rglob("*.py"):
        parts = (*prefix, *path.relative_to(SOURCES / folder).with_suffix("").parts)
        name = ".".join(part for part in parts if part != "__init__")
        if name and name not in shipped:
            sys.exit(f"{path} is not in the wheel.")
for data in (
    "py.typed",
    "__init__.pyi",
    "data/scores.csv",
    "report/html/templates/page.css",
    "evaluators/hteb/__init__.pyi",
    "evaluators/hteb/data/example_results/scores.csv",
    "evaluators/hteb/ratings/templates/form.css",
):
    if not (Path(robustrank.__path__[0]) / data).is_file():
        sys.exit(f"{data} is not in the wheel.")
