"""What a study would take: texts, calls, tokens and time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from robustrank.evaluators.hteb.study.chains import find_languages
from robustrank.evaluators.hteb.texts.transformations import STAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.evaluators.hteb.store.store import Store
    from robustrank.evaluators.hteb.study.building import Study
    from robustrank.evaluators.hteb.study.jobs import Job

#: Characters per token of the multilingual vocabularies of current models, roughly.
_CHARACTERS_PER_TOKEN = 4.0
#: How long the answer of a stage is, measured by its input, roughly; others are as long.
_GROWTH: Mapping[str, float] = {"expansion": 4.0, "summarise": 0.6}
#: Tokens that the chat template adds to a request, roughly.
_TEMPLATE_TOKENS = 12
#: Up to how many texts a plan looks up which are generated already.
_MOST_LOOKED_UP = 200_000


@dataclass(frozen=True, eq=False)
class Plan:
    """An estimate.

    Attributes
    ----------
    datasets : DataFrame
        Index ``dataset``; columns ``task_type``, ``records``, ``texts``, ``distinct`` texts and
        ``characters`` of these.
    stages : DataFrame
        Index ``stage``; columns ``calls``, ``prompt_tokens`` and ``completion_tokens`` of a first
        attempt for every text, and ``measured``: whether the tokens are what the store has seen.
    texts : int
        Texts times transformations times seeds.
    done : int or None
        Those that are there already; None where that was not looked up.
    seconds : float or None
        For the calls, all of them; None where no speed is known.
    scores : int
        How many scores would be made.
    """

    datasets: pd.DataFrame
    stages: pd.DataFrame
    texts: int
    done: int | None
    seconds: float | None
    scores: int


def make_plan(study: Study, store: Store | None, *, tokens_per_second: float | None) -> Plan:
    """Estimate what a study takes.

    Parameters
    ----------
    study : Study
    store : Store or None
        Where the generator has texts already, their tokens and times are used.
    tokens_per_second : float, optional
        Generated tokens per second over all requests, in place of the store's.
    """
    stages = _count_calls(study)
    seen = None if store is None or study.generator is None else _seen(store, study)
    if seen is not None:
        for name in ("prompt_tokens", "completion_tokens"):
            known = seen[name].reindex(stages.index).dropna()
            stages.loc[known.index, name] = known * stages.loc[known.index, "calls"]
            stages.loc[known.index, "measured"] = True
    n_texts = sum(len(job.source.slots) for job in study.jobs)
    done = None
    if store is not None and n_texts <= _MOST_LOOKED_UP:
        done = sum(_count_done(study, job, store) for job in study.jobs)
    seconds = None
    if tokens_per_second:
        seconds = float(stages["completion_tokens"].sum()) / tokens_per_second
    elif seen is not None and study.generator is not None:
        known = seen["seconds"].dropna()
        if len(known):
            each = known.reindex(stages.index).fillna(known.mean())
            seconds = float((each * stages["calls"]).sum()) / study.generator.concurrency
    return Plan(
        _describe_datasets(study),
        stages,
        n_texts,
        done,
        seconds,
        study.n_scores,
    )


def _describe_datasets(study: Study) -> pd.DataFrame:
    rows = {}
    for source in study.sources:
        distinct = {slot.text for slot in source.slots}
        rows[source.dataset.name] = {
            "task_type": source.dataset.task_type,
            "records": len(source.dataset.records),
            "texts": len(source.slots),
            "distinct": len(distinct),
            "characters": sum(map(len, distinct)),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("dataset")


def _count_calls(study: Study) -> pd.DataFrame:
    """Count distinct requests per stage; a second stage has as many as its first."""
    table = pd.DataFrame(
        0.0,
        index=pd.Index(STAGES, name="stage"),
        columns=["calls", "prompt_tokens", "completion_tokens"],
    )
    for source in study.sources:  # equal texts of two datasets are rare, and memory is too
        counter = _Counter(table)
        for job in study.jobs_of(source):
            counter.add(job)
    table["measured"] = False
    return table[table["calls"] > 0].astype({"calls": "int64"})


class _Counter:
    """Adds the distinct requests of the jobs of one dataset to a table."""

    def __init__(self, table: pd.DataFrame) -> None:
        self._table = table
        self._seen: set[int] = set()
        self._instructions: dict[tuple[object, ...], int] = {}

    def add(self, job: Job) -> None:
        stages = [stage.id for stage in job.task.transformation.stages]
        totals = {name: [0, 0.0, 0.0] for name in stages}
        seed = job.task.seed if job.task.profile.seeded else None
        for slot in job.source.slots:
            source, drawn = find_languages(slot, job.task)
            length = float(len(slot.text))
            path: tuple[object, ...] = (slot.text, seed)
            for name in stages:
                target = drawn if STAGES[name].output == "drawn" else None
                path = (*path, name, source, target)
                longer = length * _GROWTH.get(name, 1.0)
                if hash(path) not in self._seen:
                    self._seen.add(hash(path))
                    total = totals[name]
                    total[0] += 1
                    total[1] += self._instruction(job, name, source, drawn) + length
                    limit = job.task.profile.samplings[name].max_tokens
                    total[2] += min(longer / _CHARACTERS_PER_TOKEN, limit)
                length = longer
        for name, (calls, characters, tokens) in totals.items():
            prompts = characters / _CHARACTERS_PER_TOKEN + calls * _TEMPLATE_TOKENS
            self._table.loc[name] += [calls, prompts, tokens]

    def _instruction(self, job: Job, name: str, source: str | None, drawn: str | None) -> int:
        asked = (name, source, drawn)
        if asked not in self._instructions:
            text = job.task.profile.instruction(name, source=source, target=drawn or source)
            self._instructions[asked] = len(text)
        return self._instructions[asked]


def _seen(store: Store, study: Study) -> pd.DataFrame | None:
    """Return what the store knows of the generator's tokens and times, by stage."""
    generator = study.generator
    table = store.statistics(generator.model if generator else None)
    measured = ["seconds", "prompt_tokens", "completion_tokens"]
    sums = (
        table[measured].mul(table["texts"], axis="index").groupby(table["stage"]).sum(min_count=1)
    )
    return sums.div(table.groupby("stage")["texts"].sum(), axis="index")


def _count_done(study: Study, job: Job, store: Store) -> int:
    header = study.header(job)
    if header is not None:
        return len(job.source.slots) - header.n_pending
    return sum(len(done) for done, _ in job.replay(store, failures=False))
