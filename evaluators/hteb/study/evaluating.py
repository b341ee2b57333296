"""Scoring an embedding model on original and transformed texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.scoring import Score, score
from robustrank.evaluators.hteb.survivors import missing_part
from robustrank.evaluators.hteb.texts.transformations import ORIGINAL
from robustrank.notes import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from robustrank.evaluators.hteb.embedding.cache import EmbeddingCache
    from robustrank.evaluators.hteb.embedding.loading import Embedder
    from robustrank.evaluators.hteb.records import Dataset
    from robustrank.evaluators.hteb.study.jobs import Job, Source
    from robustrank.evaluators.hteb.study.journal import Journal
    from robustrank.evaluators.hteb.study.models import Model
    from robustrank.evaluators.hteb.study.outcomes import Variant

#: Part of every key; a change of what a score is takes a new number.
SCORES_VERSION = 1
#: Task types whose score depends on the seed of the evaluation.
_SEEDED = ("classification", "clustering")


@dataclass(frozen=True)
class Manner:
    """How scores are made; part of their keys.

    Attributes
    ----------
    protocol : str
    fallback : {"exclude", "original"}
    ignore_identical_ids : bool or None
    kmeans_batch_size : int
    """

    protocol: str
    fallback: str
    ignore_identical_ids: bool | None
    kmeans_batch_size: int


class Texts(Protocol):
    """Where the transformed texts of a job come from."""

    def digest(self, job: Job) -> str:
        """Return a hash of them."""
        ...

    def variant(self, job: Job) -> Variant:
        """Return the dataset with them."""
        ...


class ModelScores:
    """The scores of one model; those in the journal are not made again.

    Parameters
    ----------
    model : Model
        Loaded when the first score has to be made. If it has no key, its scores are made anew.
    cache : EmbeddingCache
    journal : Journal
    manner : Manner
    """

    def __init__(
        self,
        model: Model,
        cache: EmbeddingCache,
        journal: Journal,
        manner: Manner,
    ) -> None:
        self.name = model.name
        self.notes: list[Note] = model.notes
        self._model, self._cache, self._journal, self._manner = model, cache, journal, manner
        self._embedder: Embedder | None = None
        self._originals: dict[tuple[str, int], Score] = {}

    def rows(
        self,
        source: Source,
        jobs: Iterable[Job],
        seed_pairs: Iterable[tuple[int, int]],
        texts: Texts,
        on_score: Callable[[], None],
    ) -> list[dict[str, Any]]:
        """Score the model on a dataset and on what its jobs made of it; one row per score."""
        found = []
        by_seed: dict[int, list[Job]] = {}
        for job in jobs:
            by_seed.setdefault(job.task.seed, []).append(job)
        for seed, seed_evaluation in seed_pairs:
            original = self._row(source, None, seed_evaluation, texts)
            found.append({**original, "seed_transform": seed})
            on_score()
            for job in by_seed.get(seed, []):
                found.append(self._row(source, job, seed_evaluation, texts))
                on_score()
        return found

    def close(self) -> None:
        """Release the model."""
        if self._embedder is not None:
            self.notes.extend(self._embedder.notes)
            self._embedder.close()
            self._embedder = None

    def _row(
        self,
        source: Source,
        job: Job | None,
        seed_evaluation: int,
        texts: Texts,
    ) -> dict[str, Any]:
        manner = self._manner
        key = digest(
            [
                SCORES_VERSION,
                self.name,
                self._model.key,
                source.fingerprint,
                texts.digest(job) if job else ORIGINAL,
                seed_evaluation,
                [manner.protocol, manner.fallback],
                [manner.ignore_identical_ids, manner.kmeans_batch_size],
            ]
        )
        known = self._journal.get(key) if self._model.key is not None else None
        if known is not None:
            return known
        if job is None:
            row, result = self._score_original(source, seed_evaluation)
        else:
            row, result = self._score_variant(source, job, texts.variant(job), seed_evaluation)
        instances = result.instances
        if instances is not None:
            instances = instances.assign(model=self.name, dataset=source.dataset.name)
        return self._journal.add(key, row, instances)

    def _score_original(self, source: Source, seed_evaluation: int) -> tuple[dict[str, Any], Score]:
        result = self._original(source, seed_evaluation)
        row = {
            **self._labels(source, result, seed_evaluation),
            "transformation": ORIGINAL,
            "axis": None,
            "seed_transform": None,
            "score": _plain(result.value),
            "n": result.n,
            "notes": [note.to_dict() for note in result.notes],
        }
        return row, result

    def _score_variant(
        self, source: Source, job: Job, variant: Variant, seed_evaluation: int
    ) -> tuple[dict[str, Any], Score]:
        original = self._original(source, seed_evaluation)
        with_fallbacks = self._score(variant.with_fallbacks(), seed_evaluation)
        if variant.n_failed:
            complete, counterpart = variant.without_fallbacks()
            if (lacking := missing_part(complete)) is not None:
                sentence = f"Too many texts failed: there are no {lacking} left to score."
                note = Note("undefined-score", sentence)
                without = matched = Score(original.metric, np.nan, 0, notes=(note,))
            else:
                without = self._score(complete, seed_evaluation)
                matched = self._score(counterpart, seed_evaluation)
        else:
            without, matched = with_fallbacks, original
        excludes = self._manner.fallback == "exclude"
        result, reference = (without, matched) if excludes else (with_fallbacks, original)
        row = {
            **self._labels(source, result, seed_evaluation),
            "transformation": job.task.transformation.id,
            "axis": job.task.transformation.axis,
            "seed_transform": job.task.seed,
            "score": _plain(result.value),
            "original": _plain(reference.value),
            "n": result.n,
            "score_with_fallbacks": _plain(with_fallbacks.value),
            "score_without_fallbacks": _plain(without.value),
            "original_with_fallbacks": _plain(original.value),
            "original_without_fallbacks": _plain(matched.value),
            "n_texts": len(variant.slots),
            **variant.rates(),
            "languages": variant.targets,
            "notes": [note.to_dict() for note in result.notes],
        }
        return row, result

    def _labels(self, source: Source, result: Score, seed_evaluation: int) -> dict[str, Any]:
        return {
            "model": self.name,
            "dataset": source.dataset.name,
            "task_type": source.dataset.task_type,
            "protocol": self._manner.protocol,
            "metric": result.metric,
            "seed_evaluation": seed_evaluation,
        }

    def _original(self, source: Source, seed_evaluation: int) -> Score:
        """Score the texts as they are, once where the seed changes nothing."""
        dataset = source.dataset
        seed = seed_evaluation if dataset.task_type in _SEEDED else 0
        if (source.fingerprint, seed) not in self._originals:
            result = self._score(dataset, seed_evaluation)
            self._originals[source.fingerprint, seed] = result
        return self._originals[source.fingerprint, seed]

    def _score(self, dataset: Dataset, seed_evaluation: int) -> Score:
        if self._embedder is None:
            self._embedder = self._model.load(self._cache)
        return score(
            dataset,
            self._embedder.encoder(dataset.task_type, dataset.name),
            protocol=self._manner.protocol,
            seed=seed_evaluation,
            ignore_identical_ids=self._manner.ignore_identical_ids,
            kmeans_batch_size=self._manner.kmeans_batch_size,
        )


def _plain(value: float) -> float | None:
    """Return a number that JSON has; None where a score is undefined."""
    # Rounding may leave a v-measure of 1.0000000000000002.
    return float(np.clip(value, -1.0, 1.0)) if np.isfinite(value) else None
