"""The way of one text through the stages and retries of a transformation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from robustrank.evaluators.hteb.generators.base import Request
from robustrank.evaluators.hteb.store.keys import generation_key
from robustrank.evaluators.hteb.texts.cleaning import clean
from robustrank.evaluators.hteb.texts.languages import draw_language, join_names, names_of
from robustrank.evaluators.hteb.texts.quality import find_errors
from robustrank.evaluators.hteb.texts.retries import LENGTH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robustrank.evaluators.hteb.generators.base import Sampling
    from robustrank.evaluators.hteb.records import Slot
    from robustrank.evaluators.hteb.store.rows import Generation
    from robustrank.evaluators.hteb.texts.identify import Identifier
    from robustrank.evaluators.hteb.texts.languages import DrawRule
    from robustrank.evaluators.hteb.texts.profiles import Profile
    from robustrank.evaluators.hteb.texts.quality import Reading, Words
    from robustrank.evaluators.hteb.texts.retries import Policy
    from robustrank.evaluators.hteb.texts.transformations import Transformation


@dataclass(frozen=True)
class Task:
    """What the chains of one dataset, transformation and seed have in common.

    Attributes
    ----------
    dataset : str
    transformation : Transformation
    seed : int
    seeds : sequence of int
        All seeds of the study.
    draws : {"v1.1", "balanced"}
    profile : Profile
    policy : Policy
    identifier : Identifier or None
    model : str
    revision : str or None
    settings : mapping
        The generator's, with what else its texts depend on.
    """

    dataset: str
    transformation: Transformation
    seed: int
    seeds: Sequence[int]
    draws: DrawRule
    profile: Profile
    policy: Policy
    identifier: Identifier | None
    model: str
    revision: str | None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """A request that a chain waits for, and the key of its answer."""

    key: str
    stage: str
    attempt: int
    request: Request


@dataclass(frozen=True)
class Outcome:
    """What became of a text.

    Attributes
    ----------
    text : str or None
        The transformed text; None if there is none that may be used.
    output : str
        The last text that there was, also if it may not be used.
    reasons : tuple of str
        Why it may not be used.
    errors : tuple of str
        Which of the ten error types it has, as the paper defines them.
    first_errors : tuple of str
        Those of the first answer to its last stage, before any retry.
    retries : int
        Answers that were asked for after another, over all stages.
    source, target : str or None
        The languages of the original and, where one was drawn, of the translation or the pivot.
    pending : bool
        Whether it failed for want of an answer, so that the next run should ask again.
    """

    text: str | None
    output: str
    reasons: tuple[str, ...]
    errors: tuple[str, ...]
    first_errors: tuple[str, ...]
    retries: int
    source: str | None
    target: str | None
    pending: bool = False


def find_languages(slot: Slot, task: Task) -> tuple[str | None, str | None]:
    """Return the language of a text, and the one that is drawn for it."""
    source = join_names(names_of(slot.field_label, rule=task.draws))
    choice = task.transformation.language_choice
    if choice is None:
        return source, None
    drawn = draw_language(
        choice,
        dataset=task.dataset,
        seed=task.seed,
        seeds=task.seeds,
        ordinal=slot.ordinal,
        record_label=slot.record_label,
        field_label=slot.field_label,
        rule=task.draws,
    )
    return source, drawn


def judge_import(slot: Slot, task: Task, text: str | None) -> Outcome:
    """Return the outcome of a text that was generated elsewhere; None is one that failed."""
    source, drawn = find_languages(slot, task)
    if text is None:
        return Outcome(None, "", ("imported_failure",), (), (), 0, source, drawn)
    errors = find_errors(
        slot.text,
        text,
        transformation=task.transformation.id,
        expected_language=source if task.transformation.keeps_language else drawn,
        identify=task.identifier,
    )
    return Outcome(text, text, (), errors, errors, 0, source, drawn)


@dataclass
class _Attempt:
    text: str
    reasons: tuple[str, ...]
    errors: tuple[str, ...]


class Chain:
    """One text on its way; asks for answers until it has an outcome.

    The same answers always lead to the same outcome, so that a run that was interrupted goes on
    where it was.
    """

    def __init__(self, slot: Slot, task: Task) -> None:
        self.slot = slot
        self.task = task
        self.source, self.drawn = find_languages(slot, task)
        self.outcome: Outcome | None = None
        self._stage = 0
        self._input = slot.text
        self._attempts: list[_Attempt] = []
        self._retries = 0
        self._first_errors: tuple[str, ...] = ()
        self._sampling = self._stage_sampling()
        self.step: Step | None = self._make_step()

    def accept(self, answer: Generation) -> None:
        """Take the answer to `step`; then either `step` is another or `outcome` is there."""
        if answer.failure is not None:
            self._fail(answer.failure)
            return
        self._retries += bool(self._attempts)
        attempt = self._judge(answer)
        self._attempts.append(attempt)
        number = len(self._attempts)
        if self.task.policy.should_retry(attempt.reasons, attempt=number - 1):
            self._sampling = self.task.policy.retry_sampling(
                self._sampling, attempt=number, reasons=attempt.reasons
            )
            self.step = self._make_step()
            return
        self._finish_stage(self._best() or attempt)

    def _fail(self, failure: str) -> None:
        """End without an answer: a retry that got none leaves what there was before it."""
        kept, pending = self._best(), failure != "prompt_too_long"
        if kept is not None:
            self._finish_stage(kept)
        elif self._attempts:
            self._end(self._attempts[-1], pending=pending)
        else:
            self._end(_Attempt("", (failure,), ()), pending=pending)

    def _judge(self, answer: Generation) -> _Attempt:
        """Take the text out of an answer and find what is wrong with it."""
        cleaned = clean(answer.output, structured=self._sampling.structured, original=self._input)
        policy = self.task.policy
        found = self._find_errors(cleaned.text, reading=policy.reading, words=policy.words)
        cut = (LENGTH,) if answer.finish_reason == "length" else ()
        reasons = tuple(dict.fromkeys((*found, *cleaned.defects, *cut)))
        attempt = _Attempt(cleaned.text, reasons, self._find_errors(cleaned.text))
        if not self._attempts:
            self._first_errors = attempt.errors
        return attempt

    def _find_errors(
        self, text: str, *, reading: Reading = "paper", words: Words = "whitespace"
    ) -> tuple[str, ...]:
        """Find the error types of a text; one between two stages is that of its own stage."""
        stages = self.task.transformation.stages
        last = self._stage == len(stages) - 1
        return find_errors(
            self.slot.text if last else self._input,
            text,
            transformation=self.task.transformation.id if last else stages[self._stage].id,
            expected_language=self._language_after(self._stage),
            identify=self.task.identifier,
            reading=reading,
            words=words,
        )

    def _best(self) -> _Attempt | None:
        """Return the attempt with the least wrong, if nothing forbids it; the first of several."""
        usable = [
            attempt
            for attempt in self._attempts
            if not self.task.policy.is_rejected(attempt.reasons)
        ]
        return min(usable, key=lambda attempt: len(attempt.reasons), default=None)

    def _finish_stage(self, attempt: _Attempt) -> None:
        if self.task.policy.is_rejected(attempt.reasons):
            self._end(attempt)
        elif self._stage + 1 < len(self.task.transformation.stages):
            self._stage += 1
            self._input, self._attempts = attempt.text, []
            self._sampling = self._stage_sampling()
            self.step = self._make_step()
        else:
            self._end(attempt, used=True)

    def _end(self, attempt: _Attempt, *, used: bool = False, pending: bool = False) -> None:
        self.step = None
        self.outcome = Outcome(
            attempt.text if used else None,
            attempt.text,
            () if used else attempt.reasons,
            attempt.errors,
            self._first_errors,
            self._retries,
            self.source,
            self.drawn,
            pending,
        )

    def _stage_sampling(self) -> Sampling:
        stage = self.task.transformation.stages[self._stage].id
        return self.task.profile.sampling(stage, seed=self.task.seed)

    def _make_step(self) -> Step:
        stage = self.task.transformation.stages[self._stage]
        # A translation back starts from the pivot.
        source = self.drawn if stage.output == "original" else self.source
        instruction = self.task.profile.instruction(
            stage.id, source=source, target=self._language_after(self._stage)
        )
        request = Request(instruction, self._input, self._sampling)
        attempt = len(self._attempts)
        key = generation_key(
            request,
            model=self.task.model,
            revision=self.task.revision,
            settings=self.task.settings,
            stage=stage.id,
            attempt=attempt,
        )
        return Step(key, stage.id, attempt, request)

    def _language_after(self, stage: int) -> str | None:
        output = self.task.transformation.stages[stage].output
        return self.drawn if output == "drawn" else self.source
