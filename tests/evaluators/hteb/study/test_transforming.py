from __future__ import annotations

import asyncio
from collections import Counter
from types import MappingProxyType

import pytest

from robustrank.evaluators.hteb.generators.base import Response
from robustrank.evaluators.hteb.generators.failing import GeneratorDownError
from robustrank.evaluators.hteb.records import SPLIT, Dataset
from robustrank.evaluators.hteb.store.store import Store
from robustrank.evaluators.hteb.study.chains import Chain, Task
from robustrank.evaluators.hteb.study.jobs import Job, Source
from robustrank.evaluators.hteb.study.transforming import transform
from robustrank.evaluators.hteb.texts.profiles import load_profile
from robustrank.evaluators.hteb.texts.retries import Policy
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS


class Scripted:
    """Answers by a function of the request and of how often it was asked."""

    model, revision, concurrency, settings = "scripted", None, 4, MappingProxyType({})
    notes = ()

    def __init__(self, answer):
        self.answer = answer
        self.asked = Counter()
        self.underway = self.most_underway = 0

    async def start(self):
        pass

    async def close(self):
        pass

    async def complete(self, request):
        self.asked[request] += 1
        self.underway += 1
        self.most_underway = max(self.underway, self.most_underway)
        await asyncio.sleep(0.005)
        self.underway -= 1
        found = self.answer(request)
        return found if isinstance(found, Response) else Response(found, "stop")


def source(*texts):
    rows = [
        {"sentence1": text, "sentence2": f"{text} (b)", "score": 1.0, SPLIT: "test"}
        for text in texts
    ]
    return Source(Dataset("toy", "sts", rows, languages=("eng",), eval_split="test"), True)


def job(where, transformation="paraphrasing", seed=1, policy=None, profile="paper"):
    return Job(
        where,
        Task(
            dataset="toy",
            transformation=TRANSFORMATIONS[transformation],
            seed=seed,
            seeds=(1, 2),
            draws="v1.1",
            profile=load_profile(profile),
            policy=policy or Policy(),
            identifier=None,
            model="scripted",
            revision=None,
        ),
    )


def work(jobs, generator, store, **options):
    asyncio.run(asyncio.wait_for(transform(jobs, generator, store, **options), 20))


def longer(request):
    return f"so to say {request.text}"


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "texts.sqlite") as opened:
        yield opened


def test_every_text_comes_out_once_and_is_not_asked_for_again(store):
    where = source("The cat sat on the mat.", "Dogs bark at night.")
    first = job(where)
    generator = Scripted(longer)
    work([first], generator, store)
    assert [first.outcomes[n].text for n in range(4)] == [
        f"so to say {slot.text}" for slot in where.slots
    ]
    assert set(generator.asked.values()) == {1}
    again = job(where)
    work([again], Scripted(lambda request: pytest.fail("asked again")), store)
    assert again.outcomes == first.outcomes


def test_equal_requests_of_texts_seeds_and_transformations_are_made_once(store):
    where = source("Birds sing.", "Birds sing.", "Birds sing.")
    jobs = [
        job(where, name, seed) for name in ("expansion", "summarised_expansion") for seed in (1, 2)
    ]
    generator = Scripted(
        lambda request: longer(request) if "so to say" not in request.text else "Birds do."
    )
    work(jobs, generator, store)
    assert all(each.is_done for each in jobs)
    # Two distinct texts: each is expanded once for all, and its expansion summarised once.
    assert sum(generator.asked.values()) == 4


def test_a_sampled_profile_draws_anew_for_every_seed(store):
    where = source("Birds sing.")
    generator = Scripted(lambda request: '{"transformed_text": "Birds do sing now."}')
    work([job(where, seed=seed, profile="v1.1") for seed in (1, 2)], generator, store)
    assert {request.sampling.seed for request in generator.asked} == {1, 2}


def test_two_stages_pass_on_what_the_first_made(store):
    where = source("Birds sing loudly.")
    only = job(where, "backtranslation")
    generator = Scripted(
        lambda request: "Los pájaros cantan." if "Birds" in request.text else "Birds are singing."
    )
    work([only], generator, store)
    assert only.outcomes[0].text == "Birds are singing."
    assert only.outcomes[0].retries == 0
    assert only.outcomes[0].target in {"Spanish", "French", "German", "Turkish", "Arabic"}
    assert {request.text for request in generator.asked} >= {"Los pájaros cantan."}


def test_a_text_that_fails_its_first_stage_is_not_sent_to_the_second(store):
    only = job(source("Birds sing loudly."), "backtranslation", policy=Policy(max_retries=0))
    generator = Scripted(lambda request: "...")
    work([only], generator, store)
    outcome = only.outcomes[0]
    assert outcome.text is None
    assert {"ellipsis"} <= set(outcome.reasons)
    assert len(generator.asked) == 2  # one per side of the pair


def test_a_retry_changes_how_the_text_is_drawn_and_may_mend_it(store):
    only = job(source("Birds sing loudly."))
    generator = Scripted(
        lambda request: longer(request) if request.sampling.temperature else "Paraphrase: Birds."
    )
    work([only], generator, store)
    outcome = only.outcomes[0]
    assert outcome.text == "so to say Birds sing loudly."
    assert (outcome.errors, outcome.first_errors) == ((), ("prefix_leak",))
    assert outcome.retries == 1


def test_after_the_last_retry_a_text_has_failed_and_says_why(store):
    only = job(source("Birds sing loudly."), policy=Policy(max_retries=2))
    generator = Scripted(lambda request: "Paraphrase: Birds sing.")
    work([only], generator, store)
    outcome = only.outcomes[0]
    assert (outcome.text, outcome.output) == (None, "Paraphrase: Birds sing.")
    assert outcome.reasons == outcome.errors == ("prefix_leak",)
    samplings = {
        request.sampling for request in generator.asked if request.text == "Birds sing loudly."
    }
    assert len(samplings) == outcome.retries + 1 == 3


def test_an_unchanged_text_is_tried_again_but_kept(store):
    only = job(source("Birds sing loudly."), policy=Policy(max_retries=1))
    work([only], Scripted(lambda request: request.text), store)
    assert only.outcomes[0].text == "Birds sing loudly."
    assert only.outcomes[0].errors == ("identical",)
    assert only.variant().rates()["unchanged_rate"] == 1.0


def test_an_output_that_was_cut_off_is_asked_for_with_more_tokens(store):
    only = job(source("Birds sing loudly."))
    generator = Scripted(
        lambda request: (
            longer(request) if request.sampling.max_tokens > 512 else Response("Birds", "length")
        )
    )
    work([only], generator, store)
    assert only.outcomes[0].text == "so to say Birds sing loudly."


def test_a_request_without_an_answer_fails_for_now_and_is_asked_again_next_time(store):
    where = source("Birds sing loudly.", "Cats sleep.")
    broken = Scripted(
        lambda request: (
            Response("", failure="timeout", detail="no answer")
            if request.text == "Cats sleep."
            else longer(request)
        )
    )
    first = job(where)
    work([first], broken, store)
    assert first.outcomes[1].reasons == ("timeout",)
    assert first.outcomes[1].pending
    assert not first.outcomes[0].pending
    second = job(where)
    generator = Scripted(longer)
    work([second], generator, store)
    assert [request.text for request in generator.asked] == ["Cats sleep."]
    assert second.outcomes[1].text == "so to say Cats sleep."


def test_a_prompt_that_is_too_long_stays_a_failure(store):
    where = source("Birds sing loudly.")
    too_long = Scripted(lambda request: Response("", failure="prompt_too_long"))
    work([job(where)], too_long, store)
    second = job(where)
    work([second], Scripted(lambda request: pytest.fail("asked again")), store)
    assert second.outcomes[0].reasons == ("prompt_too_long",)
    assert not second.outcomes[0].pending


def test_a_dead_generator_stops_the_run_and_what_it_answered_is_kept(store):
    where = source(*(f"Sentence number {n} is here." for n in range(60)))
    answered = Counter()

    def answer(request):
        answered[request.text] += 1
        if len(answered) > 10:
            return Response("", failure="connection", detail="Connection refused.")
        return longer(request)

    only = job(where)
    with pytest.raises(GeneratorDownError, match=r"scripted left .* Connection refused"):
        work([only], Scripted(answer), store)
    assert sum(outcome.text is not None for outcome in only.outcomes.values()) == 10
    generator = Scripted(longer)
    again = job(where)
    work([again], generator, store)
    assert len(generator.asked) == len(where.slots) - 10
    assert again.is_done


def test_an_error_of_the_generator_itself_is_not_swallowed(store):
    def answer(request):
        raise RuntimeError("a bug in the generator")

    with pytest.raises(RuntimeError, match="a bug in the generator"):
        work([job(source("Birds sing."))], Scripted(answer), store)


def test_as_many_requests_are_underway_as_the_generator_wants_and_no_more(store):
    where = source(*(f"Sentence number {n} is here." for n in range(40)))
    generator = Scripted(longer)
    work([job(where)], generator, store)
    assert generator.most_underway == generator.concurrency


def test_two_runs_on_one_store_share_the_work(store):
    where = source(*(f"Sentence number {n} is here." for n in range(40)))

    async def both():
        first, second = Scripted(longer), Scripted(longer)
        jobs = job(where), job(where)
        await asyncio.gather(
            transform([jobs[0]], first, store), transform([jobs[1]], second, store)
        )
        return first, second, jobs

    first, second, jobs = asyncio.run(asyncio.wait_for(both(), 20))
    assert not set(first.asked) & set(second.asked)
    assert len(first.asked) + len(second.asked) == len(where.slots)
    assert first.asked
    assert second.asked
    assert jobs[0].outcomes == jobs[1].outcomes


def test_jobs_are_reported_when_they_are_done_and_texts_as_they_come(store):
    where = source("Birds sing loudly.", "Cats sleep.")
    empty = job(source())
    jobs = [job(where), empty, job(where, "translation")]
    done, texts = [], []
    work(
        jobs,
        Scripted(longer),
        store,
        on_text=lambda each: texts.append(each.name),
        on_job=lambda each: done.append(each.name),
    )
    assert sorted(done) == sorted(each.name for each in jobs)
    assert Counter(texts) == {jobs[0].name: 4, jobs[2].name: 4}


def test_the_languages_of_a_chain_are_in_its_request():
    where = source("Birds sing loudly.")
    chain = Chain(where.slots[0], job(where, "translation").task)
    assert chain.drawn
    assert chain.drawn in chain.step.request.instruction
    assert chain.source == "English"
    assert chain.step.request.sampling.seed is None
