"""What the commands of ``robustrank hteb`` do."""

from __future__ import annotations

import json
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustrank._progress import show_progress
from robustrank.cli.streams import print_notes
from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.packaged import packaged
from robustrank.evaluators.hteb.rendering import plan_to_json, plan_to_text, scores_to_text
from robustrank.evaluators.hteb.store.store import Store
from robustrank.evaluators.hteb.study import runner
from robustrank.evaluators.hteb.study.building import build_study
from robustrank.evaluators.hteb.study.exporting import export_study
from robustrank.evaluators.hteb.study.plan import make_plan
from robustrank.evaluators.hteb.study.reading import load_config
from robustrank.notes import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from robustrank.evaluators.base import Evaluation
    from robustrank.evaluators.hteb.study.building import Study

    Changes = Mapping[str, Any]


def example(folder: Path) -> None:
    """Copy the packaged example; what a person changed in an earlier copy is not overwritten."""
    contents = {file.name: file.read_bytes() for file in packaged("example").iterdir()}
    for name, content in contents.items():
        there = folder / name
        if (folder.exists() and not folder.is_dir()) or (
            there.exists() and there.read_bytes() != content
        ):
            raise ParameterError(f"{there} is there and differs. Name another folder.", [there])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    study = folder / "study.yaml"
    print(f"{study} is ready. To see what it would take: robustrank hteb plan {study}")


def plan(
    path: Path,
    changes: Changes,
    *,
    tokens_per_second: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print an estimate."""
    study = _build(path, changes)
    location = study.config.store_location
    exists = "://" in location or Path(location).exists()
    with Store(location) if exists else nullcontext() as store:
        found = make_plan(study, store, tokens_per_second=tokens_per_second)
    print(json.dumps(plan_to_json(found), indent=2) if as_json else plan_to_text(found))
    _show_notes(study, quiet=quiet)


def transform(path: Path, changes: Changes, *, quiet: bool) -> None:
    """Generate."""
    with show_progress(quiet=quiet) as reporter, _resumable(path):
        study = _build(path, changes)
        runner.generate(study, reporter)
    _show_notes(study, quiet=quiet)


def evaluate(path: Path, changes: Changes, *, quiet: bool) -> None:
    """Score."""
    with show_progress(quiet=quiet) as reporter, _resumable(path):
        study = _build(path, changes, scoring=True)
        evaluation = runner.evaluate(study, reporter)
    _show(study, evaluation, quiet=quiet)


def run(path: Path, changes: Changes, *, quiet: bool) -> None:
    """Generate and score."""
    with show_progress(quiet=quiet) as reporter, _resumable(path):
        study = _build(path, changes, scoring=True)
        runner.generate(study, reporter)
        evaluation = runner.evaluate(study, reporter)
    _show(study, evaluation, quiet=quiet)


def export(path: Path, changes: Changes, to: Path, *, quiet: bool) -> None:
    """Write pairs of files and print their paths."""
    study = _build(path, changes)
    for written in export_study(study, to):
        print(written)
    _show_notes(study, quiet=quiet)


@contextmanager
def _resumable(path: Path) -> Iterator[None]:
    """Say on Ctrl-C that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        print_notes(
            [Note("interrupted", f"All that came so far is kept; run {path} again to go on.")]
        )
        raise


def _build(path: Path, changes: Changes, *, scoring: bool = False) -> Study:
    return build_study(load_config(path, **changes), scoring=scoring)


def _show(study: Study, evaluation: Evaluation, *, quiet: bool) -> None:
    print(scores_to_text(evaluation.table))
    output = study.config.output
    if quiet:
        return
    print_notes(evaluation.matrix.notes)
    shown = f"robustrank analyze {output / 'matrix.csv'}"
    print(f"\nEverything is in {output}. Which differences are real: {shown}")


def _show_notes(study: Study, *, quiet: bool) -> None:
    if not quiet:
        print_notes(study.notes)
