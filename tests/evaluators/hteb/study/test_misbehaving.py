"""A whole job against a server that does everything wrong that servers and models do."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from robustrank.evaluators.hteb.records import SPLIT, Dataset
from robustrank.evaluators.hteb.store.store import Store
from robustrank.evaluators.hteb.study.chains import Task
from robustrank.evaluators.hteb.study.jobs import Job, Source
from robustrank.evaluators.hteb.study.transforming import transform
from robustrank.evaluators.hteb.texts.identify import load_identifier
from robustrank.evaluators.hteb.texts.profiles import load_profile
from robustrank.evaluators.hteb.texts.retries import Policy
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from tests.evaluators.hteb.generators.asking import generator_for
from tests.evaluators.hteb.misbehaving import (
    MisbehavingServer,
    answer,
    cut,
    endless,
    error,
    hang,
    reply,
)

GOOD = "The small birds were singing in the trees this morning."
#: What is wrong → what the server does about the text that is called like it.
FREE = {
    "status 500": error(500),
    "cut connection": cut(),
    "cut body": cut(b'{"choices": [', promised=500),
    "endless whitespace": endless(),
    "half a JSON body": reply(b'{"choices": [{"mess'),
    "hang": hang(),
    "hang amid the body": hang(b'{"choices"', promised=500),
    "no choices": reply(b'{"choices": []}'),
    "blank content": answer(" \n" * 50, "length"),
    "wrong language": answer("Los pájaros pequeños cantaban en los árboles esta mañana."),
    "prefix": answer(f"Paraphrased text: {GOOD}"),
    "closed thoughts": answer(f"<think>They want birds.</think>\n{GOOD}"),
    "open thoughts": answer(f"<think>Let me think. {GOOD}"),
    "structured data": answer('{"text": "birds"}'),
    "ellipsis": answer("..."),
    "no change": None,
    "all is well": answer(GOOD),
}
EXPECTED = {
    "status 500": "http_error",
    "cut connection": "connection",
    "cut body": "connection",
    "endless whitespace": "timeout",
    "half a JSON body": "invalid_response",
    "hang": "timeout",
    "hang amid the body": "timeout",
    "no choices": "invalid_response",
    "blank content": "empty",
    "wrong language": "wrong_language",
    "prefix": "prefix_leak",
    "closed thoughts": None,
    "open thoughts": "reasoning_leak",
    "structured data": "json_fragment",
    "ellipsis": "ellipsis",
    "no change": None,
    "all is well": None,
}


def text_of(name):
    return f"Many small birds sing in the old trees ({name})."


def job(names, profile="paper", **policy):
    rows = [{"text": text_of(name), "label": "a", SPLIT: "train"} for name in names]
    dataset = Dataset("birds", "classification", rows, languages=("eng",))
    task = Task(
        dataset="birds",
        transformation=TRANSFORMATIONS["paraphrasing"],
        seed=1,
        seeds=(1,),
        draws="v1.1",
        profile=load_profile(profile),
        policy=replace(Policy(max_retries=1), **policy),
        identifier=load_identifier(),
        model="m",
        revision=None,
    )
    return Job(Source(dataset, corpus=True), task)


def outcomes(tmp_path, behaviours, **options):
    """Run a job against the behaviours; outcomes by their names."""
    only = job(behaviours, **options)

    def script(call):
        [name] = [name for name in behaviours if text_of(name) == call.text]
        chosen = behaviours[name]
        return (
            chosen(call)
            if chosen is not None and not _is_behaviour(chosen)
            else (chosen or answer(call.text))
        )

    async def work(server, store):
        # Long enough that a busy machine answers in time, short enough to wait for what hangs.
        generator = generator_for(server, max_tries=2, timeout=2.0)
        await generator.start()
        try:
            async with asyncio.timeout(60):
                await transform([only], generator, store)
        finally:
            await generator.close()

    with MisbehavingServer(script) as server, Store(tmp_path / "texts.sqlite") as store:
        asyncio.run(work(server, store))
    return {name: only.outcomes[number] for number, name in enumerate(behaviours)}


def _is_behaviour(chosen):
    return chosen.__code__.co_argcount == 2


def test_each_misbehaviour_ends_as_its_own_reason_and_the_run_completes(tmp_path):
    found = outcomes(tmp_path, FREE)
    for name, reason in EXPECTED.items():
        outcome = found[name]
        assert (outcome.text is None) == (reason is not None), name
        assert reason is None or reason in outcome.reasons, name
    assert found["closed thoughts"].text == GOOD
    assert found["no change"].errors == ("identical",)
    transport = {"http_error", "connection", "timeout", "invalid_response"}
    for name, reason in EXPECTED.items():
        assert found[name].pending == (reason in transport), name


def test_a_server_that_is_busy_is_asked_again_when_it_says(tmp_path):
    def busy(call):
        return error(429, Retry_After="0") if call.repeat == 0 else answer(GOOD)

    assert outcomes(tmp_path, {"busy": busy})["busy"].text == GOOD


@pytest.mark.parametrize(
    ("content", "finish", "reason"),
    [
        ('{"transformed_text": "The small bi', "stop", "invalid_json"),
        ('{"transformed_text": "The small birds sing."', "length", "length"),
        ("{" + " \n" * 200, "length", "length"),
        ("The small birds sing.", "stop", "invalid_json"),
        ('{"transformed_text": ""}', "stop", "empty"),
        ('{"transformed_text": "placeholder"}', "stop", "placeholder"),
    ],
)
def test_json_that_goes_wrong(tmp_path, content, finish, reason):
    found = outcomes(tmp_path, {"json": answer(content, finish)}, profile="v1.1")["json"]
    assert found.text is None
    assert reason in found.reasons


def test_json_that_can_be_repaired_is(tmp_path):
    fenced = answer(f'```json\n{{"transformed_text": "{GOOD}"}}\n```')
    assert outcomes(tmp_path, {"json": fenced}, profile="v1.1")["json"].text == GOOD


def test_what_is_rejected_is_up_to_the_policy(tmp_path):
    lenient = frozenset({"empty"})
    found = outcomes(tmp_path, {"prefix": FREE["prefix"]}, reject=lenient)["prefix"]
    assert found.text == f"Paraphrased text: {GOOD}"
    assert found.errors == ("prefix_leak",)
