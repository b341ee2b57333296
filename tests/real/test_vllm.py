from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.real.tiny_llama import CONTEXT, make_tiny_llama

pytestmark = pytest.mark.vllm


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What one run of vLLM brought; loading it takes most of the time."""
    folder = tmp_path_factory.mktemp("tiny-llama")
    make_tiny_llama(folder)
    program, out = Path(__file__).with_name("vllm_answers.py"), folder / "answers.json"
    run = subprocess.run(
        [sys.executable, program, folder, str(CONTEXT), out],
        env=os.environ
        | {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_CPU_KVCACHE_SPACE": "1"},
        capture_output=True,
        text=True,
        timeout=420,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    return json.loads(out.read_text())


def test_a_text_that_is_too_long_fails_alone(found):
    [first, too_long, *others] = found["texts"]
    assert too_long["failure"] == "prompt_too_long"
    assert "maximum" in too_long["detail"]
    for response in (first, *others):
        assert response["failure"] is None
        assert response["finish_reason"] in ("stop", "length")
        assert 0 < response["completion_tokens"] <= 12
        assert 0 < response["prompt_tokens"] < CONTEXT


def test_greedy_answers_and_seeds_repeat(found):
    assert found["again"]["text"] == found["texts"][0]["text"] != ""
    one, same, other = (draw["text"] for draw in found["draws"])
    assert one == same != other


def test_a_structured_answer_begins_as_the_schema_says(found):
    # A random model seldom closes its quotes.
    assert found["structured"]["text"].startswith('{"transformed_text":')


def test_settings_that_the_engine_refuses_fail_alone(found):
    bad, good = found["bad"]
    assert bad["failure"] == "invalid_response"
    assert "top_p" in bad["detail"]
    assert good["failure"] is None


def test_a_batch_that_takes_too_long_is_given_up_and_the_engine_goes_on(found):
    assert found["impatient"]["failure"] == "timeout"
    assert found["after"]["failure"] is None
    assert found["closing"] < 20.0
    assert found["concurrency"] == 16
