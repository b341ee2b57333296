"""Studies on texts that the released tool, or this one, left in files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from robustrank.errors import InputError
from robustrank.evaluators.hteb.datasets import load_dataset
from robustrank.evaluators.hteb.datasets.definitions import load_definitions
from robustrank.evaluators.hteb.datasets.hub import describe_dataset
from robustrank.evaluators.hteb.fields import without_nulls
from robustrank.evaluators.hteb.files.finding import find_pair
from robustrank.evaluators.hteb.files.pairs import read_pair
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.study.chains import judge_import
from robustrank.evaluators.hteb.study.jobs import Job, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robustrank.evaluators.hteb.files.pairs import Pair
    from robustrank.evaluators.hteb.records import Dataset, Slot
    from robustrank.evaluators.hteb.study.chains import Task
    from robustrank.evaluators.hteb.study.config import DatasetConfig, ImportConfig
    from robustrank.notes import Note


def import_jobs(
    part: DatasetConfig, tasks: Sequence[Task], origin: ImportConfig
) -> tuple[Source, list[Job], list[Note]]:
    """Read the newest files of a dataset for every transformation and seed.

    The original texts are those in the files, so that nothing is downloaded.

    Parameters
    ----------
    part : DatasetConfig
    tasks : sequence of Task
        One for each transformation and seed.
    origin : ImportConfig

    Returns
    -------
    source : Source
    jobs : list of Job
        With their outcomes.
    notes : list of Note
        On files that were passed over.

    Raises
    ------
    InputError
        If a file is missing, or two do not start from the same texts.
    """
    like = _describe(part)
    notes: list[Note] = list(like.notes)
    source: Source | None = None
    jobs = []
    for task in tasks:
        pair, passed_over = _read(like, task, origin)
        notes += passed_over
        corpus = pair.metadata.get("transform_corpus", True)
        # A null that all rows of the files have room for is no text that failed.
        records = [without_nulls(like.task_type, row) for row in pair.original.records]
        if source is None:
            source = Source(replace(pair.original, records=records), corpus)
        elif records != source.dataset.records or corpus != source.corpus:
            raise InputError(
                f"The files of {like.name} in {origin.directory} do not start from the same texts: "
                f"those of {task.transformation.id} with seed {task.seed} differ. Name seeds and "
                "transformations that were made from the same version.",
                [like.name],
            )
        texts = [_text_at(pair.transformed, slot) for slot in source.slots]
        settings = {"imported": digest(pair.metadata)}
        # Files of our own say how their languages were drawn.
        drawn = (pair.provenance or {}).get("config", {})
        own = replace(
            task,
            dataset=like.name,
            settings=settings,
            draws=drawn.get("draws", task.draws),
            seeds=tuple(drawn.get("seeds", task.seeds)),
        )
        job = Job(source, own)
        for slot, text in zip(source.slots, texts, strict=True):
            job.outcomes[slot.ordinal] = judge_import(slot, job.task, text)
        jobs.append(job)
    if source is None:
        raise InputError(f"No transformation of {like.name} is asked for.", [like.name])
    return source, jobs, notes


def _describe(part: DatasetConfig) -> Dataset:
    """Return what a dataset is, without its rows where its definition is enough."""
    definitions = load_definitions()
    if part.name in definitions:
        return describe_dataset(definitions[part.name])
    return load_dataset(part.name or part.path or "")


def _read(like: Dataset, task: Task, origin: ImportConfig) -> tuple[Pair, tuple[Note, ...]]:
    path, notes = find_pair(
        origin.directory,
        generator_model=origin.generator_model,
        dataset=like.name,
        transformation=task.transformation.id,
        seed=task.seed,
    )
    if path is None:
        passed_over = " ".join(note.message for note in notes)
        raise InputError(
            f"{origin.directory} has no files of {like.name}, {task.transformation.id}, seed "
            f"{task.seed}, by {origin.generator_model}. {passed_over}".strip(),
            [like.name],
        )
    return read_pair(path, like=like), notes


def _text_at(dataset: Dataset, slot: Slot) -> str | None:
    value: Any = dataset.records[slot.record][slot.column]
    for index in slot.position:
        value = value[index]
    return None if value is None else str(value)
