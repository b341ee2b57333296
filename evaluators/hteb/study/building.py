"""A study, checked and ready: datasets loaded, settings resolved, a job per piece of work."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from robustrank.errors import InputError, ParameterError
from robustrank.evaluators.hteb.files.paths import generator_directory
from robustrank.evaluators.hteb.generators.registry import create_generator
from robustrank.evaluators.hteb.study.chains import Task
from robustrank.evaluators.hteb.study.config import SamplingConfig
from robustrank.evaluators.hteb.study.importing import import_jobs
from robustrank.evaluators.hteb.study.jobs import Job, Source
from robustrank.evaluators.hteb.study.models import list_models
from robustrank.evaluators.hteb.study.outcomes import read_header, read_outcomes, write_outcomes
from robustrank.evaluators.hteb.study.selecting import load_datasets, select
from robustrank.evaluators.hteb.texts.identify import load_identifier
from robustrank.evaluators.hteb.texts.profiles import load_profile
from robustrank.evaluators.hteb.texts.retries import Policy
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from robustrank.evaluators.hteb.generators.base import Generator
    from robustrank.evaluators.hteb.store.store import Store
    from robustrank.evaluators.hteb.study.config import Config, DatasetConfig, ImportConfig
    from robustrank.evaluators.hteb.study.models import Model
    from robustrank.evaluators.hteb.study.outcomes import Header, Variant
    from robustrank.evaluators.hteb.texts.identify import Identifier
    from robustrank.evaluators.hteb.texts.profiles import Profile
    from robustrank.notes import Note


@dataclass(eq=False)
class Study:
    """What a configuration amounts to.

    Attributes
    ----------
    config : Config
    sources : list of Source
    generator : Generator or None
        Not started; None where texts are imported.
    profile : Profile
        With the sampling of the configuration.
    policy : Policy
    identifier : Identifier or None
    jobs : list of Job
        By dataset, then seed, then transformation.
    models : list of Model
        Not loaded.
    notes : list of Note
        What a reader of the results must know.
    """

    config: Config
    sources: list[Source]
    generator: Generator | None
    profile: Profile
    policy: Policy
    identifier: Identifier | None
    jobs: list[Job]
    models: list[Model] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def jobs_of(self, source: Source) -> list[Job]:
        """Return the jobs of one dataset."""
        return [job for job in self.jobs if job.source is source]

    @property
    def n_scores(self) -> int:
        """How many scores there are in the end."""
        return (len(self.jobs) + len(self.sources) * len(self.config.seeds)) * len(self.models)

    def header(self, job: Job) -> Header | None:
        """Return what is known of the texts of a job; None where they are not all there."""
        header = read_header(self._path(job))
        return header if header and header.identity == job.identity else None

    def keep(self, job: Job) -> None:
        """Write the outcomes of a job that is done, and forget them."""
        write_outcomes(self._path(job), job.variant(), job.identity)
        job.outcomes.clear()

    def recover(self, job: Job, store: Store | None) -> Header:
        """Return the header of a job, from the store if its file is missing.

        Raises
        ------
        InputError
            If the store does not have all texts either.
        """
        header = self.header(job)
        if header is not None:
            return header
        missing = len(job.source.slots) if store is None else 0
        for done, waiting in job.replay(store, failures=True) if store else ():
            missing += len(waiting)
            for chain in done:
                job.settle(chain)
        if missing:
            job.outcomes.clear()
            raise InputError(
                f"{missing:,} of {len(job.source.slots):,} texts of {job.name} are not generated "
                "yet with these settings. Run 'robustrank hteb transform' first.",
                [job.task.dataset],
            )
        self.keep(job)
        return self.recover(job, store)

    def variant(self, job: Job, header: Header) -> Variant:
        """Return the dataset with the transformed texts of a job, which `header` is of.

        Raises
        ------
        InputError
            If they are not these texts any more.
        """
        if read_header(self._path(job)) != header:
            raise InputError(
                f"The texts of {job.name} changed while they were used. Let studies with other "
                "settings have another output folder.",
                [self._path(job)],
            )
        for slot, outcome in zip(job.source.slots, read_outcomes(self._path(job)), strict=True):
            job.outcomes[slot.ordinal] = outcome
        variant = job.variant()
        job.outcomes.clear()
        return variant

    def _path(self, job: Job) -> Path:
        parts = [generator_directory(job.task.dataset), job.task.transformation.id]
        return self.config.output.joinpath("texts", *parts, f"{job.task.seed}.parquet")


def build_study(config: Config, *, objects: Sequence[object] = (), scoring: bool = False) -> Study:
    """Load and check everything that a study needs before its first request.

    Parameters
    ----------
    config : Config
    objects : sequence
        Models besides those of the configuration.
    scoring : bool
        Whether there must be models.

    Returns
    -------
    Study

    Raises
    ------
    InputError
        For a setting or a dataset that cannot be used, with the remedy.
    """
    profile = _with_sampling(load_profile(config.profile, prompts=config.prompts), config.sampling)
    policy = _policy(config)
    name = config.quality.identifier
    identifier = None if name is None else load_identifier(name)
    study = Study(config, [], None, profile, policy, identifier, [])
    if scoring or config.models or objects:
        study.models = list_models(config.models, objects, config.embedding)
    if config.import_from is not None:
        for part in select(config):
            _add_import(study, part, config.import_from)
        return study
    given = config.generator
    if given is None:
        raise ParameterError(
            "The configuration names no generator. Add one, such as 'generator: {type: openai, "
            "model: google/gemma-3-27b-it, endpoints: http://127.0.0.1:8000/v1}', or "
            "'generator: rules' to try the configuration out.",
            ["generator"],
        )
    study.generator = create_generator(given.type, **given.options)
    for dataset, part in load_datasets(config):
        source = Source(dataset, config.transform_corpus)
        study.sources.append(source)
        study.jobs += [Job(source, task) for task in _tasks(study, dataset.name, part)]
        study.notes += dataset.notes
    return study


def _add_import(study: Study, part: DatasetConfig, origin: ImportConfig) -> None:
    """Add a dataset that was transformed elsewhere, and keep its outcomes as if it were ours."""
    for key in ("limit", "languages"):
        if getattr(part, key) or getattr(study.config, key):
            raise ParameterError(
                f"{key} cannot be used with import_from: files hold whole datasets.", [key]
            )
    source, jobs, notes = import_jobs(part, _tasks(study, part.name or "", part), origin)
    study.sources.append(source)
    study.jobs += jobs
    study.notes += notes
    for job in jobs:
        study.keep(job)


def _tasks(study: Study, dataset: str, part: DatasetConfig) -> list[Task]:
    """Return a task for every seed and transformation of a dataset."""
    config, generator, origin = study.config, study.generator, study.config.import_from
    limit = SamplingConfig(max_tokens=part.max_tokens)
    return [
        Task(
            dataset=dataset,
            transformation=TRANSFORMATIONS[name],
            seed=seed,
            seeds=tuple(config.seeds),
            draws=config.draws,
            profile=_with_sampling(study.profile, limit),
            policy=study.policy,
            identifier=study.identifier,
            model=generator.model if generator else origin.generator_model if origin else "",
            revision=generator.revision if generator else None,
            settings=generator.settings if generator else {},
        )
        for seed in config.seeds
        for name in config.transformations
    ]


def _with_sampling(profile: Profile, own: SamplingConfig) -> Profile:
    """Replace what the configuration names of a profile's sampling."""
    given = own.model_dump(exclude_none=True)
    limits = {
        "expansion": given.pop("max_tokens_expansion", None),
        "other": given.pop("max_tokens", None),
    }
    samplings = {}
    for stage, each in profile.samplings.items():
        limit = limits["expansion" if stage == "expansion" else "other"]
        samplings[stage] = replace(each, **given, max_tokens=limit or each.max_tokens)
    # Drawn at random, the texts of two seeds must not be the same.
    seeded = profile.seeded or any(each.temperature > 0 for each in samplings.values())
    return replace(profile, samplings=MappingProxyType(samplings), seeded=seeded)


def _policy(config: Config) -> Policy:
    quality = config.quality
    default = Policy()
    return Policy(
        retry=default.retry if quality.retry is None else frozenset(quality.retry),
        reject=default.reject if quality.reject is None else frozenset(quality.reject),
        max_retries=quality.max_retries,
        most_tokens=min(default.most_tokens, max(config.max_model_length // 2, 1)),
        words=quality.words,
    )
