"""Running a study: transform, then evaluate, everything kept as it comes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from robustrank._progress import Reporter, Silent
from robustrank.evaluators.hteb.embedding.cache import EmbeddingCache
from robustrank.evaluators.hteb.store.store import Store
from robustrank.evaluators.hteb.study.building import build_study
from robustrank.evaluators.hteb.study.evaluating import Manner, ModelScores
from robustrank.evaluators.hteb.study.exporting import export_study
from robustrank.evaluators.hteb.study.journal import Journal
from robustrank.evaluators.hteb.study.transforming import transform
from robustrank.evaluators.hteb.study.writing import write_results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robustrank.evaluators.base import Evaluation
    from robustrank.evaluators.hteb.generators.base import Generator
    from robustrank.evaluators.hteb.study.building import Study
    from robustrank.evaluators.hteb.study.config import Config
    from robustrank.evaluators.hteb.study.jobs import Job
    from robustrank.evaluators.hteb.study.outcomes import Header, Variant


def generate(study: Study, reporter: Reporter) -> None:
    """Generate the texts that are not there yet; what goes amiss is noted in the study."""
    generator = study.generator
    todo = [job for job in study.jobs if not _is_complete(study, job)]
    if generator is None:
        return
    if todo:
        _generate(study, generator, todo, reporter)
    if study.config.export_to is not None:
        for _ in export_study(study, study.config.export_to):
            pass


def _generate(study: Study, generator: Generator, todo: list[Job], reporter: Reporter) -> None:
    reporter.begin("Texts", sum(len(job.source.slots) for job in todo))

    async def work(store: Store) -> None:
        await generator.start()
        try:
            await transform(
                todo,
                generator,
                store,
                on_text=lambda _: reporter.advance(),
                on_job=study.keep,
            )
        finally:
            await generator.close()

    with Store(study.config.store_location) as store:
        asyncio.run(work(store))
    study.notes += generator.notes


def evaluate(study: Study, reporter: Reporter) -> Evaluation:
    """Score every model on every dataset and write the results.

    Parameters
    ----------
    study : Study
        Its texts are generated.
    reporter : Reporter

    Returns
    -------
    Evaluation
    """
    config = study.config
    manner = Manner(
        config.protocol, config.fallback, config.ignore_identical_ids, config.kmeans_batch_size
    )
    texts = _Texts(study)
    journal = Journal(config.output)
    reporter.begin("Scores", study.n_scores)
    rows: list[dict[str, Any]] = []
    with EmbeddingCache(config.output / "embeddings.sqlite") as cache:
        for model in study.models:
            scores = ModelScores(model, cache, journal, manner)
            try:
                for source in study.sources:
                    jobs = study.jobs_of(source)
                    rows += scores.rows(
                        source, jobs, config.seed_pairs, texts, on_score=reporter.advance
                    )
            finally:
                scores.close()
            study.notes += scores.notes
    return write_results(study, rows, journal, texts.n_pending)


def run(
    config: Config, *, objects: Sequence[Any] = (), reporter: Reporter | None = None
) -> Evaluation:
    """Generate and score a study; what an earlier run has done is not done again."""
    study = build_study(config, objects=objects, scoring=True)
    shown = reporter or Silent()
    generate(study, shown)
    return evaluate(study, shown)


def _is_complete(study: Study, job: Job) -> bool:
    header = study.header(job)
    return header is not None and header.n_pending == 0


class _Texts:
    """The transformed texts of a study, of one job at a time."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._headers: dict[int, Header] = {}
        store = None if study.generator is None else Store(study.config.store_location)
        try:
            for job in study.jobs:
                self._headers[id(job)] = study.recover(job, store)
        finally:
            if store is not None:
                store.close()

    @property
    def n_pending(self) -> int:
        """Texts that got no answer."""
        return sum(header.n_pending for header in self._headers.values())

    def digest(self, job: Job) -> str:
        """Return a hash of the texts of a job."""
        return self._headers[id(job)].digest

    def variant(self, job: Job) -> Variant:
        """Return the dataset with them."""
        return self._study.variant(job, self._headers[id(job)])
