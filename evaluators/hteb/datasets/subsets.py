"""Part of a dataset: some of its languages, or a sample that stays the same."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from robustrank.errors import UnknownLabelError, check_count, unknown_label
from robustrank.evaluators.hteb.cells import aligned, entries, judgements, parallel_columns
from robustrank.evaluators.hteb.fields import PAIRED, record_label
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.records import PART, SPLIT
from robustrank.evaluators.hteb.survivors import Survivors, keep
from robustrank.evaluators.hteb.texts.languages import names_of
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from robustrank.evaluators.hteb.records import Dataset

#: Documents that are drawn for each query beside those that are judged for it.
DISTRACTORS_PER_QUERY = 20

_NOUNS = {
    "classification": "texts",
    "clustering": "sentences",
    **dict.fromkeys(PAIRED, "pairs"),
    "reranking": "queries",
    "retrieval": "queries",
    "summarisation": "articles",
}


@dataclass(frozen=True)
class _Item:
    """What is drawn: a row, or one position of the lists of a row.

    Attributes
    ----------
    row, position : int
        Position is -1 for a row as a whole.
    problem : hashable
        What the limit is for: a split, a group, or the dataset.
    stratum : hashable
        Language, and class where there are classes.
    draw : float
    """

    row: int
    position: int
    problem: Hashable
    stratum: Hashable
    draw: float


def take_languages(dataset: Dataset, languages: Sequence[str]) -> Dataset:
    """Keep the rows whose languages, for a pair both, are among those named.

    Parameters
    ----------
    dataset : Dataset
    languages : sequence of str
        Codes of ISO 639-1 or 639-3, names, or labels of the dataset, such as ``"en-de"``.

    Raises
    ------
    UnknownLabelError
        If one is no language, or no row is in them. In retrieval, queries are chosen; documents
        stay if they are judged for these, or say no other language.
    """
    labels = [record_label(dataset, row) for row in dataset.records]
    known = sorted({label for label in labels if label})
    for language in languages:
        if not _names(language) and language not in known:
            raise unknown_label(f"language for dataset {dataset.name!r}", language, known)
    # A label of the dataset such as "en-de" means this pair, and neither en-en nor de-de.
    codes = [name for name in languages if name not in known or len(_names(name)) == 1]
    wanted = {name for code in codes for name in _names(code)}
    spoken = {
        label
        for label in known
        if label in languages or (_names(label) and set(_names(label)) <= wanted)
    }
    chosen = {index for index, label in enumerate(labels) if label in spoken}
    if dataset.task_type == "retrieval":
        silent = {index for index, label in enumerate(labels) if label is None}
        chosen = _with_judged(dataset, chosen, chosen | silent)
    if not spoken or not chosen:
        raise UnknownLabelError(
            f"Dataset {dataset.name!r} has no rows in {', '.join(languages)}; its languages: "
            f"{name_some(known, 20) or 'not stated'}. Name some of these for it, or leave it out.",
            [dataset.name],
        )
    if len(chosen) == len(dataset.records):
        return dataset
    others = [label for label in known if label not in spoken]
    sentence = (
        f"{dataset.name}: {len(chosen):,} of {len(dataset.records):,} rows, those in "
        f"{name_some(sorted(spoken), 20)}; left out: {name_some(others, 20) or 'no language'}."
    )
    part = keep(dataset, Survivors(len(dataset.records), {row: {} for row in sorted(chosen)}))
    return replace(part, notes=(*dataset.notes, Note("languages", sentence, (dataset.name,))))


def take_sample(dataset: Dataset, limit: int, *, seed: int = 0) -> Dataset:
    """Draw a part of a dataset that depends on its name, `seed` and `limit` alone.

    Parameters
    ----------
    dataset : Dataset
    limit : int
        The most pairs, articles or queries (with all their candidates); in classification, texts of
        each split; in clustering, sentences of each group. In retrieval, documents are those judged
        for the queries, and 20 times `limit` more.
    seed : int

    Returns
    -------
    Dataset
        Rows in their order. Languages, and classes in classification, clustering and pair
        classification, are each drawn once before any is drawn twice, then in proportion. A larger
        limit contains the rows of a smaller one, and the rows of a language are drawn in the same
        order whichever others are there.
    """
    check_count("limit", limit, 1)
    check_count("seed", seed, 0)
    items = list(_items(dataset, seed))
    chosen = _first(items, limit)
    if len(chosen) == len(items):
        return dataset
    if dataset.task_type == "retrieval":
        documents = _documents(dataset, limit, seed)
        rows = _with_judged(dataset, {item.row for item in chosen}, documents)
        survivors: dict[int, dict[str, tuple[int, ...]]] = {row: {} for row in sorted(rows)}
    else:
        survivors = _lists(dataset, chosen)
    part = keep(dataset, Survivors(len(dataset.records), survivors))
    note = Note("sample", _describe(dataset, part, len(chosen), len(items), seed), (dataset.name,))
    return replace(part, notes=(*dataset.notes, note))


def _names(label: str) -> tuple[str, ...]:
    return names_of(label, rule="balanced")


def _items(dataset: Dataset, seed: int) -> Iterator[_Item]:
    draws: dict[Hashable, random.Random] = {}
    for index, row in enumerate(dataset.records):
        if row.get(PART, "queries") != "queries":
            continue
        language = record_label(dataset, row)
        if language not in draws:
            draws[language] = _generator(dataset, "queries", language, seed)
        group = language if dataset.clustering_format == "per_language" else None
        problem = {"classification": row.get(SPLIT), "clustering": group}.get(dataset.task_type)
        if dataset.task_type in {"reranking", "retrieval", "summarisation"}:
            yield _Item(index, -1, None, language, draws[language].random())
            continue
        columns = parallel_columns(dataset, index)
        listed = isinstance(row[columns[0]], list | tuple)
        if (
            listed
            and dataset.clustering_format != "per_language"
            and dataset.task_type == "clustering"
        ):
            problem = index
        for position, values in enumerate(aligned(dataset, index, columns)):
            answer = None if dataset.task_type in {"sts", "str"} else str(values[-1])
            at = position if listed else -1
            yield _Item(index, at, problem, (language, answer), draws[language].random())


def _first(items: Sequence[_Item], limit: int) -> list[_Item]:
    """Return the first of each problem, when every stratum is spread evenly over the order."""
    strata: dict[Hashable, list[_Item]] = defaultdict(list)
    for item in items:
        strata[item.problem, item.stratum].append(item)
    problems: dict[Hashable, list[tuple[float, float, int, int, _Item]]] = defaultdict(list)
    for members in strata.values():
        members.sort(key=lambda item: item.draw)
        for rank, item in enumerate(members):
            place = (rank / len(members), item.draw, item.row, item.position, item)
            problems[item.problem].append(place)
    chosen = [place[-1] for places in problems.values() for place in sorted(places)[:limit]]
    return sorted(chosen, key=lambda item: (item.row, item.position))


def _lists(dataset: Dataset, chosen: Sequence[_Item]) -> dict[int, dict[str, tuple[int, ...]]]:
    positions: dict[int, list[int]] = defaultdict(list)
    for item in chosen:
        positions[item.row].append(item.position)
    return {
        row: {} if kept == [-1] else dict.fromkeys(parallel_columns(dataset, row), tuple(kept))
        for row, kept in positions.items()
    }


def _documents(dataset: Dataset, limit: int, seed: int) -> set[int]:
    rows = [row for row, record in enumerate(dataset.records) if record[PART] == "corpus"]
    generator = _generator(dataset, "corpus", None, seed)
    drawn = sorted((generator.random(), row) for row in rows)
    return {row for _, row in drawn[: DISTRACTORS_PER_QUERY * limit]}


def _with_judged(dataset: Dataset, chosen: set[int], documents: set[int]) -> set[int]:
    """Return the rows of chosen queries, of what is judged for them, and of other documents."""
    rows = entries(dataset)
    queries = {name for (part, name), row in rows.items() if part == "queries" and row in chosen}
    kept = {row for (part, _), row in rows.items() if part == "corpus" and row in documents}
    kept |= {rows["queries", name] for name in queries}
    for judgement in judgements(dataset):
        if judgement.query in queries:
            kept |= {judgement.row, rows["corpus", judgement.document]}
    return kept


def _generator(dataset: Dataset, part: str, language: str | None, seed: int) -> random.Random:
    """Return a generator whose i-th number is for the i-th row of a part in a language."""
    key = {"dataset": dataset.name, "language": language, "part": part, "seed": seed}
    return random.Random(int(digest(key), 16))  # noqa: S311 - a sample, and the same in any version


def _describe(dataset: Dataset, part: Dataset, n_chosen: int, n_items: int, seed: int) -> str:
    noun = _NOUNS[dataset.task_type]
    sentence = f"{dataset.name}: {n_chosen:,} of {n_items:,} {noun}, drawn with seed {seed}"
    if dataset.task_type == "retrieval":
        left, all_ = (
            sum(row[PART] == "corpus" for row in records)
            for records in (part.records, dataset.records)
        )
        sentence += f", over {left:,} of {all_:,} documents"
    return f"{sentence}; scores are not those of the whole dataset."
