"""The files that a study ends with."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from robustrank._atomic import replacing
from robustrank.evaluators.base import Evaluation
from robustrank.evaluators.hteb.files.scores_json import write_scores
from robustrank.evaluators.hteb.study.instance_totals import write_instance_totals
from robustrank.evaluators.hteb.study.results import to_matrix, to_table
from robustrank.evaluators.hteb.texts.transformations import ORIGINAL
from robustrank.notes import Note, count, merge_notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from robustrank.evaluators.hteb.study.building import Study
    from robustrank.evaluators.hteb.study.config import Config
    from robustrank.evaluators.hteb.study.journal import Journal

#: What the texts, the vectors and the scores may depend on.
_LIBRARIES = (
    "robustrank",
    "numpy",
    "scipy",
    "scikit-learn",
    "sentence-transformers",
    "transformers",
    "tokenizers",
    "torch",
    "vllm",
)


def write_results(
    study: Study, rows: list[dict[str, Any]], journal: Journal, n_pending: int
) -> Evaluation:
    """Write the table, the matrix, the released tool's scores and the settings.

    Parameters
    ----------
    study : Study
    rows : list of dict
        One per score, as the journal has them.
    journal : Journal
    n_pending : int
        Texts that got no answer.

    Returns
    -------
    Evaluation
    """
    folder = study.config.output
    notes = [*study.notes, *_notes_of(rows), *_fallback_notes(study, rows)]
    if n_pending:
        sentence = (
            f"{count(n_pending, 'text')} got no answer from the generator and count as failed. Run "
            "the study again to ask once more."
        )
        notes.append(Note("unanswered-texts", sentence))
    table = to_table(rows)
    filtering = {
        source.dataset.name: source.dataset.filtering
        for source in study.sources
        if source.dataset.filtering is not None
    }
    with replacing(folder / "settings.json") as file:
        file.write(json.dumps(describe(study), indent=2, ensure_ascii=False).encode())
    with replacing(folder / "scores.csv") as file:
        shown = table.assign(languages=table["languages"].map(_joined))
        shown.to_csv(file, index=False)
    defined = _defined(table)
    if (defined["transformation"] != ORIGINAL).any():
        notes += write_scores(folder / "scores.JSON", defined, filtering=filtering)
    write_instance_totals(folder / "instances.parquet", rows, journal)
    matrix = to_matrix(table, merge_notes(notes))
    with replacing(folder / "matrix.csv") as file:
        matrix.scores.to_csv(file)
    return Evaluation(matrix, table)


def describe(study: Study) -> dict[str, Any]:
    """Return everything that is needed to make the results again, JSON-safe."""
    generator = study.generator
    identifier = study.identifier
    return {
        "config": _shareable(study.config),
        "profile": study.profile.describe(),
        "generator": generator
        and {
            "model": generator.model,
            "revision": generator.revision,
            "settings": dict(generator.settings),
        },
        "identifier": identifier and {"name": identifier.name, "version": identifier.version},
        "datasets": [
            {
                "name": source.dataset.name,
                "task_type": source.dataset.task_type,
                "revision": source.dataset.revision,
                "texts": len(source.slots),
                "fingerprint": source.fingerprint,
            }
            for source in study.sources
        ],
        "versions": {name: found for name in _LIBRARIES if (found := _version(name))},
    }


def _shareable(config: Config) -> dict[str, Any]:
    """Return a configuration without what is private to a machine or a person."""
    shown = config.model_dump(mode="json", exclude={"store", "output", "export_to", "import_from"})
    generator = shown.get("generator") or {}
    if generator.get("headers"):
        generator["headers"] = sorted(generator["headers"])
    for part in shown["datasets"]:
        if part["path"]:
            part["path"] = PurePath(part["path"]).name
    for part in shown["models"]:
        if PurePath(part["model"]).is_absolute():
            part["model"] = PurePath(part["model"]).name
    return shown


def _defined(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out what the released tool has no way to write: scores that are undefined."""
    defined = table[table["score"].notna()]
    cell = ["model", "dataset"]
    originals = defined.loc[defined["transformation"] == ORIGINAL, cell].drop_duplicates()
    return defined.merge(originals, on=cell)


def _notes_of(rows: Iterable[dict[str, Any]]) -> list[Note]:
    found: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for row in rows:
        for note in row["notes"]:
            place = f"{row['model']} on {row['dataset']} ({row['transformation']})"
            found.setdefault((note["code"], note["message"], tuple(note["labels"])), []).append(
                place
            )
    return [
        Note(code, f"{message} This is so for {places[0]}" + _more(places), labels)
        for (code, message, labels), places in found.items()
    ]


def _more(places: list[str]) -> str:
    rest = len(dict.fromkeys(places)) - 1
    return f" and {count(rest, 'other score')}." if rest else "."


def _fallback_notes(study: Study, rows: list[dict[str, Any]]) -> list[Note]:
    """Say which datasets lost how many of their texts."""
    worst: dict[str, tuple[float, str]] = {}
    for row in rows:
        rate = row.get("fallback_rate", 0.0)
        if rate > worst.get(row["dataset"], (0.0, ""))[0]:
            worst[row["dataset"]] = rate, row["transformation"]
    if not worst:
        return []
    shown = ", ".join(
        f"{dataset} up to {rate:.0%} ({name})" for dataset, (rate, name) in worst.items()
    )
    done = {
        "exclude": "They are left out of the scores, and the column original has the score on what "
        "is left.",
        "original": "Their originals stand in for them, which makes models look more robust.",
    }[study.config.fallback]
    sentence = f"Not every text could be transformed: {shown}. {done}"
    return [Note("failed-texts", sentence, tuple(worst))]


def _joined(languages: object) -> str:
    return "; ".join(languages) if isinstance(languages, list) else ""


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
