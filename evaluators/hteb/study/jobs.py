"""What a study consists of: a job per dataset, transformation and seed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING

from robustrank.evaluators.hteb.fields import find_slots
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.study.chains import Chain
from robustrank.evaluators.hteb.study.outcomes import Variant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robustrank.evaluators.hteb.records import Dataset, Slot
    from robustrank.evaluators.hteb.store.store import Store
    from robustrank.evaluators.hteb.study.chains import Outcome, Task

#: Part of every identity; a change of how answers become texts and errors takes a new number.
TEXTS_VERSION = 1
#: Chains whose stored answers are looked up together.
CHUNK = 500


@dataclass(frozen=True, eq=False)
class Source:
    """A dataset with its texts in order.

    Attributes
    ----------
    dataset : Dataset
    corpus : bool
        Whether documents and candidates are rewritten.
    """

    dataset: Dataset
    corpus: bool

    @cached_property
    def slots(self) -> list[Slot]:
        """The texts that are rewritten."""
        return find_slots(self.dataset, corpus=self.corpus)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the dataset, by which results of another version of it are told apart."""
        facts = {
            each.name: getattr(self.dataset, each.name)
            for each in fields(self.dataset)
            if each.name not in ("revision", "filtering", "notes")
        }
        # Columns that are not scored may hold dates, and lists NaN.
        text = json.dumps(facts, sort_keys=True, default=repr)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


@dataclass(eq=False)
class Job:
    """All texts of a dataset under one transformation and seed.

    Attributes
    ----------
    source : Source
    task : Task
    outcomes : dict of int to Outcome
        By the number of the text, as they come.
    """

    source: Source
    task: Task
    outcomes: dict[int, Outcome] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.task.dataset}, {self.task.transformation.id}, seed {self.task.seed}"

    @property
    def is_done(self) -> bool:
        """Whether every text has an outcome."""
        return len(self.outcomes) == len(self.source.slots)

    @cached_property
    def identity(self) -> str:
        """A hash of everything that the outcomes depend on."""
        task, policy = self.task, self.task.policy
        identifier = task.identifier
        return digest(
            {
                "version": TEXTS_VERSION,
                "dataset": self.source.fingerprint,
                "corpus": self.source.corpus,
                "transformation": task.transformation.id,
                "seed": task.seed,
                "draws": task.draws if task.draws == "v1.1" else [task.draws, *task.seeds],
                "profile": task.profile.describe(),
                "policy": {
                    name: sorted(value) if isinstance(value, frozenset) else value
                    for name, value in asdict(policy).items()
                },
                "identifier": identifier and [identifier.name, identifier.version],
                "generator": [task.model, task.revision],
                "settings": dict(task.settings),
            }
        )

    def variant(self) -> Variant:
        """Return the dataset as it came out."""
        slots = self.source.slots
        outcomes = [self.outcomes[slot.ordinal] for slot in slots]
        return Variant(self.source.dataset, slots, outcomes, self.source.corpus)

    def replay(self, store: Store, *, failures: bool) -> Iterator[tuple[list[Chain], list[Chain]]]:
        """Follow the texts, some at a time, as far as the store has answers.

        Parameters
        ----------
        store : Store
        failures : bool
            Whether a stored failure of the transport is taken for an answer, or asked again.

        Yields
        ------
        done, waiting : list of Chain
            Those that have their outcome, and those that want more answers.
        """
        slots = self.source.slots
        for start in range(0, len(slots), CHUNK):
            chains = [Chain(slot, self.task) for slot in slots[start : start + CHUNK]]
            follow(chains, store, failures=failures)
            done = [chain for chain in chains if chain.outcome is not None]
            yield done, [chain for chain in chains if chain.outcome is None]

    def settle(self, chain: Chain) -> None:
        """Keep the outcome of a chain that has one."""
        if chain.outcome is not None:
            self.outcomes[chain.slot.ordinal] = chain.outcome


def follow(chains: list[Chain], store: Store, *, failures: bool) -> None:
    """Let chains accept what the store has until none of them gets further."""
    moving = [chain for chain in chains if chain.step is not None]
    while moving:
        stored = store.get({chain.step.key for chain in moving if chain.step})
        advanced = []
        for chain in moving:
            answer = chain.step and stored.get(chain.step.key)
            # A prompt that is too long stays too long: that failure is an answer.
            final = answer and answer.failure in (None, "prompt_too_long")
            if answer and (final or failures):
                chain.accept(answer)
                advanced.append(chain)
        moving = [chain for chain in advanced if chain.step is not None]
