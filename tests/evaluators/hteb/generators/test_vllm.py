"""The generator around a stand-in for vLLM; tests/real has the real one."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from types import ModuleType, SimpleNamespace

import pytest

from robustrank.errors import InputError, ParameterError
from robustrank.evaluators.hteb.generators.base import Generator
from robustrank.evaluators.hteb.generators.vllm import VLLMGenerator
from tests.evaluators.hteb.generators.asking import ask_all, request


class Engine:
    """Answers like `vllm.LLM`, and keeps what it was told."""

    made: list[Engine] = []  # noqa: RUF012 - emptied for each test
    free = threading.Event()

    def __init__(self, **options):
        if options.get("dtype") == "int3":
            raise RuntimeError("unknown dtype: int3")
        self.options, self.batches, self.waiting, self.params = options, [], [], []
        Engine.made.append(self)

    @property
    def llm_engine(self):
        def shutdown():
            type(self).n_shut_down = getattr(type(self), "n_shut_down", 0) + 1

        return SimpleNamespace(engine_core=SimpleNamespace(shutdown=shutdown))

    def enqueue_chat(self, messages, params, *, use_tqdm, chat_template_kwargs):
        assert not use_tqdm
        assert chat_template_kwargs == {"enable_thinking": False}
        text = messages[1]["content"]
        if text == "long":
            raise LookupError(
                "The decoder prompt (length 9) is longer than the maximum model length"
            )
        if text == "odd":
            raise LookupError("top_p must be in (0, 1]")
        self.waiting.append(text)
        self.params.append(params)

    def wait_for_completion(self, *, use_tqdm):
        texts, self.waiting = self.waiting, []
        self.batches.append(texts)
        if "dead" in texts:
            raise OSError("engine died")
        if "hang" in texts:
            Engine.free.wait(20)
        return [
            SimpleNamespace(
                prompt_token_ids=[1, 2],
                outputs=[SimpleNamespace(text=f"re: {t}", finish_reason="stop", token_ids=[3])],
            )
            for t in texts
        ]


@pytest.fixture(autouse=True)
def fake(monkeypatch):
    """A module that can be imported as vllm."""
    module, submodule = ModuleType("vllm"), ModuleType("vllm.sampling_params")
    module.LLM, module.__version__ = Engine, "9.9"
    module.SamplingParams = SimpleNamespace
    submodule.StructuredOutputsParams = SimpleNamespace
    monkeypatch.setitem(sys.modules, "vllm", module)
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", submodule)
    Engine.made.clear()
    Engine.free.clear()
    yield module
    Engine.free.set()


def test_requests_are_answered_in_batches_of_what_waits():
    generator = VLLMGenerator(model="m", revision="r", batch=8, engine={"max_model_len": 512})
    assert isinstance(generator, Generator)
    assert generator.concurrency == 16
    responses = ask_all(generator, [request(str(i)) for i in range(30)])
    [engine] = Engine.made
    assert engine.options == {"model": "m", "revision": "r", "max_model_len": 512}
    assert [response.text for response in responses] == [f"re: {i}" for i in range(30)]
    assert max(map(len, engine.batches)) <= 8
    assert len(engine.batches) < 10
    assert (responses[0].prompt_tokens, responses[0].completion_tokens) == (2, 1)
    assert threading.active_count() < 20


def test_the_sampling_reaches_the_engine():
    ask_all(
        VLLMGenerator(model="m"), [request(top_k=-1), request(top_k=5, seed=3, structured=True)]
    )
    plain, full = Engine.made[0].params
    assert (plain.top_k, plain.seed, plain.structured_outputs) == (0, None, None)
    assert (full.top_k, full.seed) == (5, 3)
    assert full.structured_outputs.json["required"] == ["transformed_text"]


def test_a_request_that_the_engine_refuses_fails_alone():
    texts = ["a", "long", "b", "odd", "c"]
    responses = ask_all(VLLMGenerator(model="m"), [request(text) for text in texts])
    assert [response.failure for response in responses] == [
        None, "prompt_too_long", None, "invalid_response", None,
    ]  # fmt: skip
    assert responses[3].detail == "LookupError: top_p must be in (0, 1]"
    assert [response.text for response in responses] == ["re: a", "", "re: b", "", "re: c"]


def test_an_engine_that_dies_fails_its_batch():
    responses = ask_all(VLLMGenerator(model="m", batch=2), [request("dead"), request("x")])
    assert "connection" in {response.failure for response in responses}
    assert "engine died" in responses[0].detail


def test_an_engine_that_hangs_ends_neither_the_run_nor_the_requests_after_it():
    async def run():
        generator = VLLMGenerator(model="m", batch=1, timeout=0.3)
        await generator.start()
        hung = asyncio.create_task(generator.complete(request("hang")))
        await asyncio.sleep(0.05)
        queued = asyncio.create_task(generator.complete(request("queued")))
        first = await asyncio.gather(hung, queued)
        Engine.free.set()
        after = await generator.complete(request("after"))
        await generator.close()
        return first, after

    began = time.monotonic()
    first, after = asyncio.run(asyncio.wait_for(run(), 15))
    assert time.monotonic() - began < 5.0
    assert {response.failure for response in first} == {"timeout"}
    assert "0.3 s" in first[0].detail
    assert after.text == "re: after"
    assert ["queued"] not in Engine.made[0].batches


def test_a_queue_of_many_batches_is_no_hang():
    generator = VLLMGenerator(model="m", batch=1, timeout=0.5)
    original = Engine.wait_for_completion

    class Slow(Engine):
        def wait_for_completion(self, *, use_tqdm):
            time.sleep(0.1)
            return original(self, use_tqdm=use_tqdm)

    sys.modules["vllm"].LLM = Slow
    responses = ask_all(generator, [request(str(i)) for i in range(12)])
    assert {response.failure for response in responses} == {None}


def test_a_model_that_cannot_be_loaded_is_an_error_with_the_options():
    generator = VLLMGenerator(model="m", engine={"dtype": "int3"})
    with pytest.raises(InputError, match=r"vLLM 9\.9 cannot load.*'m'.*'int3'.*unknown dtype"):
        ask_all(generator, [])


def test_without_vllm_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(InputError, match=r"pip install 'robustrank\[vllm\]'"):
        ask_all(VLLMGenerator(model="m"), [])


def test_an_old_vllm_is_refused(fake):
    fake.LLM = object
    with pytest.raises(InputError, match=r"newer vLLM.*9\.9"):
        ask_all(VLLMGenerator(model="m"), [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": None}, "model"),
        ({"batch": 0}, "batch"),
        ({"timeout": 0}, "timeout"),
        ({"engine": ["eager"]}, "engine must be a mapping"),
        ({"engine": {"revision": "x"}}, "engine cannot set 'revision'"),
    ],
)
def test_a_bad_option_is_named(options, message):
    with pytest.raises(ParameterError, match=message):
        VLLMGenerator(**({"model": "m"} | options))


def test_asking_before_starting_is_an_error():
    with pytest.raises(InputError, match="await start"):
        asyncio.run(VLLMGenerator(model="m").complete(request()))
