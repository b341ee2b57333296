"""Datasets of the Hugging Face hub, by definition, at the revision that it pins."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from robustrank.errors import FormatError, InputError
from robustrank.evaluators.hteb.datasets.rows import Row, prepare_rows, reranking_rows
from robustrank.evaluators.hteb.records import SPLIT, Dataset

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.datasets.definitions import Definition


def load_from_hub(definition: Definition) -> Dataset:
    """Load the rows of a definition through the ``datasets`` package.

    Its cache and its settings for offline use are respected.

    Raises
    ------
    InputError
        If the rows cannot be had; the message says what is missing and how to get it.
    FormatError
        If they are not what the definition says.
    """
    records = _from_components(definition) if definition.components else _joined(definition)
    return replace(describe_dataset(definition), records=records)


def describe_dataset(definition: Definition) -> Dataset:
    """Return what a definition says of a dataset, without its rows."""
    return Dataset(
        definition.name,
        definition.task_type,
        [],
        languages=definition.labels,
        revision=definition.revision,
        eval_split=definition.eval_split,
        train_split=definition.train_split,
        clustering_format=definition.clustering_format,
        summary_fields={
            key: column
            for key, column in (
                ("human", definition.human_summaries_field),
                ("machine", definition.machine_summaries_field),
                ("score", definition.score_field),
            )
            if column is not None
        },
        ignore_identical_ids=definition.ignore_identical_ids,
    )


def _joined(definition: Definition) -> list[Row]:
    """Return the rows of all configurations and splits, one after the other."""
    splits = [split for split in (definition.train_split, definition.eval_split) if split]
    records: list[Row] = []
    for config in definition.language_configs or (definition.hf_subset,):
        language = config if definition.language_configs else _only(definition.languages)
        for split in splits:
            rows = _table(definition, split, config, language=language)
            records.extend(_folded(rows) if definition.clustering_format == "nested" else rows)
    found = Counter(str(row[SPLIT]) for row in records)
    for split, number in definition.split_counts:
        if found[split] != number:
            raise FormatError(
                f"Dataset {definition.name!r}: split {split!r} has {found[split]:,} rows where its "
                f"definition says {number:,}. The cached copy is incomplete or the definition is "
                "for another revision; delete the copy and load it again.",
                [definition.name],
            )
    return records


def _from_components(definition: Definition) -> list[Row]:
    language = _only(definition.languages)
    parts = {
        component.part: _table(
            definition,
            component.split,
            component.config,
            file=component.file,
            part=component.part,
            language=language,
        )
        for component in definition.components
    }
    if definition.task_type == "reranking":
        return reranking_rows(definition.name, parts)
    return [row for rows in parts.values() for row in rows]


def _table(
    definition: Definition,
    split: str,
    config: str | None,
    *,
    file: str | None = None,
    part: str | None = None,
    language: str | None = None,
) -> list[Row]:
    try:
        import datasets  # noqa: PLC0415 - loaded only when needed
    except ImportError as error:
        raise InputError(
            "Loading datasets from the hub needs the package 'datasets': "
            "pip install 'robustrank[hteb]'.",
            ["datasets"],
        ) from error
    options: dict[str, Any] = {"data_files": {split: file}} if file else {}
    which = f"file {file!r}" if file else f"configuration {config or 'default'!r}"
    source = f"Dataset {definition.name!r} ({definition.hf_dataset_name}, {which}, split {split!r})"
    try:
        table = datasets.load_dataset(
            definition.hf_dataset_name,
            name=config,
            split=split,
            revision=definition.revision,
            **options,
        )
    except Exception as error:  # the package raises errors of several libraries, without a base
        arguments = f"{definition.hf_dataset_name!r}, revision={definition.revision!r}" + (
            f", data_files={options['data_files']!r}" if file else f", name={config!r}"
        )
        remedy = (
            "offline mode is on (HF_HUB_OFFLINE or HF_DATASETS_OFFLINE) and it is not in the cache "
            "here; switch it off, or fill the cache once where there is a connection and copy the "
            "folder that HF_HOME names"
            if datasets.config.HF_HUB_OFFLINE or datasets.config.HF_DATASETS_OFFLINE
            else "check the connection, and that the repository still has this revision"
        )
        raise InputError(
            f"{source} cannot be loaded: {type(error).__name__}: {error}. If it should be there, "
            f'{remedy}: python -c "import datasets; datasets.load_dataset({arguments})".',
            [definition.name],
        ) from error
    return prepare_rows(
        table.to_list(),
        source=source,
        task_type=definition.task_type,
        split=split,
        part=part,
        language=language,
    )


def _folded(rows: list[Row]) -> list[Row]:
    """Make one group of rows that hold one sentence each, as HTEB 1.1 does."""
    if isinstance(rows[0].get("sentences"), list) or not {"sentences", "labels"} <= set(rows[0]):
        return rows
    group = {name: [row[name] for row in rows] for name in ("sentences", "labels")}
    return [group | {name: rows[0][name] for name in ("language", SPLIT) if name in rows[0]}]


def _only(languages: tuple[str, ...]) -> str | None:
    return languages[0] if len(languages) == 1 else None
