"""Generated texts as files of the released tool."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.fields import ROW
from robustrank.evaluators.hteb.files.finding import find_pair
from robustrank.evaluators.hteb.files.pairs import provenance_path, write_pair
from robustrank.evaluators.hteb.files.snapshots import write_snapshot
from robustrank.evaluators.hteb.store.store import Store
from robustrank.evaluators.hteb.study.writing import describe
from robustrank.evaluators.hteb.texts.retries import v1_1_reason
from robustrank.notes import Note, count

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from robustrank.evaluators.hteb.records import Dataset
    from robustrank.evaluators.hteb.study.building import Study
    from robustrank.evaluators.hteb.study.jobs import Job
    from robustrank.evaluators.hteb.study.outcomes import Header, Variant

#: Task types whose files say whether documents or candidates were rewritten.
_WITH_CORPUS = ("retrieval", "reranking")


def export_study(study: Study, directory: Path) -> Iterator[Path]:
    """Write a pair of files per job, and ours beside them; yield the parquet files.

    Raises
    ------
    InputError
        If texts are missing, or the files are there already.
    """
    if study.generator is None:
        raise ParameterError("Imported texts are in such files already.", ["import_from"])
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    settings = describe(study)
    with Store(study.config.store_location) as store:
        headers = [study.recover(job, store) for job in study.jobs]
    pending = sum(header.n_pending for header in headers)
    if pending:
        waiting = count(pending, "text")
        sentence = f"Nothing was exported: {waiting} got no answer yet. Run the study again."
        study.notes.append(Note("not-exported", sentence))
        return
    for source in study.sources:
        write_snapshot(directory, _as_loaded(source.dataset))
    for job, header in zip(study.jobs, headers, strict=True):
        there = _find_export(directory, job, header)
        yield there or _export(study, job, header, directory, now, settings)


def _find_export(directory: Path, job: Job, header: Header) -> Path | None:
    """Return the files of a job if these very texts were exported before."""
    path, _ = find_pair(
        directory,
        generator_model=job.task.model,
        dataset=job.task.dataset,
        transformation=job.task.transformation.id,
        seed=job.task.seed,
    )
    if path is None or not provenance_path(path).exists():
        return None
    provenance = json.loads(provenance_path(path).read_text(encoding="utf-8"))
    return path if provenance.get("texts") == header.digest else None


def _export(
    study: Study, job: Job, header: Header, directory: Path, now: str, settings: dict[str, Any]
) -> Path:
    variant = study.variant(job, header)
    dataset, task = variant.original, job.task
    samplings = task.profile.samplings
    stages = [stage.id for stage in task.transformation.stages]
    doubled = task.transformation.id == "summarised_expansion"
    return write_pair(
        directory,
        original=_as_loaded(dataset),
        transformed=_as_loaded(variant.transformed()),
        transformation=task.transformation.id,
        seed=task.seed,
        generator_model=task.model,
        generation_datetime=now,
        max_model_length=study.config.max_model_length,
        max_tokens=samplings[stages[-1]].max_tokens,
        max_retries=task.policy.max_retries,
        max_tokens_expansion=samplings["expansion"].max_tokens if doubled else None,
        transform_corpus=variant.corpus if dataset.task_type in _WITH_CORPUS else None,
        translation_language_selection=(
            "dataset" if task.transformation.language_choice == "translation" else None
        ),
        generation_statistics=_statistics(variant),
        provenance={
            **settings,
            "texts": header.digest,
            "transformation": task.transformation.id,
            "seed": task.seed,
            "targets": variant.targets,
            "rates": variant.rates(),
        },
    )


def _as_loaded(dataset: Dataset) -> Dataset:
    """Return a dataset without the column that only samples have."""
    rows = [{key: value for key, value in row.items() if key != ROW} for row in dataset.records]
    return replace(dataset, records=rows)


def _statistics(variant: Variant) -> dict[str, Any]:
    """Count what the released tool counts."""
    retried = [outcome for outcome in variant.outcomes if outcome.retries]
    failed = [
        (slot, outcome)
        for slot, outcome in zip(variant.slots, variant.outcomes, strict=True)
        if outcome.text is None
    ]
    reasons = Counter(v1_1_reason(outcome.reasons) for _, outcome in failed)
    return {
        "records_total": len(variant.original.records),
        "records_targeted": len({slot.record for slot in variant.slots}),
        "text_fields_total": len(variant.slots),
        "records_with_fallback": len({slot.record for slot, _ in failed}),
        "text_fields_with_fallback": len(failed),
        "unchanged_outputs": sum(
            outcome.text == slot.text
            for slot, outcome in zip(variant.slots, variant.outcomes, strict=True)
        ),
        "retried_text_fields": len(retried),
        "recovered_after_retry_text_fields": sum(outcome.text is not None for outcome in retried),
        "fallback_reasons": dict(reasons),
    }
