from __future__ import annotations

import json

import pytest

from robustrank.evaluators.hteb.generators.base import Response
from robustrank.evaluators.hteb.generators.exchanges import Reply
from robustrank.evaluators.hteb.generators.replies import judge, one_line

TOO_LONG = {
    "vLLM, HTTP": "This model's maximum context length is 1024 tokens. However, you requested 1500 "
    "tokens (1000 in the messages, 500 in the completion).",
    "vLLM, in process": "The decoder prompt (length 2010) is longer than the maximum model length "
    "of 512.",
    "llama.cpp": '{"code":400,"message":"request (5000 tokens) exceeds the available context size '
    '(2048 tokens), try increasing it","type":"exceed_context_size_error","n_ctx":2048}',
    "OpenAI": '{"message":"Your input exceeds the context window of this model.","code":'
    '"context_length_exceeded"}',
    "TGI, sum": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. "
    "Given: 5000 `inputs` tokens and 512 `max_new_tokens`",
    "TGI, input": "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000",
    "SGLang": "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "Anthropic": "prompt is too long: 210000 tokens > 200000 maximum",
    "LiteLLM": "litellm.ContextWindowExceededError: BadRequestError",
}
OTHER = [
    "temperature must be at most 2",
    "Unknown parameter: 'context_length'",
    "the field is too long",
    "Rate limit: too many tokens",
]


def judged(status, words, **options):
    return judge(Reply(status, {}, words.encode()), **options)


@pytest.mark.parametrize("server", TOO_LONG)
@pytest.mark.parametrize("status", [400, 422])
def test_every_server_may_say_too_long_in_its_own_words(server, status):
    verdict = judged(status, json.dumps({"error": TOO_LONG[server]}))
    assert verdict.response.failure == "prompt_too_long"
    assert not verdict.retry
    assert not verdict.blames_server


@pytest.mark.parametrize("words", OTHER)
def test_other_words_are_not_taken_for_too_long(words):
    assert judged(400, words).response.failure == "http_error"


@pytest.mark.parametrize(
    ("status", "retry", "blames_server"),
    [
        (302, False, True),
        (400, False, False),
        (401, False, True),
        (404, False, True),
        (408, True, True),
        (409, True, True),
        (413, False, False),
        (422, False, False),
        (425, True, True),
        (429, True, True),
        (500, True, True),
        (599, True, True),
    ],
)
def test_the_status_says_whether_to_retry_and_whom_to_blame(status, retry, blames_server):
    verdict = judged(status, "no")
    assert (verdict.retry, verdict.blames_server) == (retry, blames_server)
    assert verdict.response.failure == "http_error"
    assert verdict.status == status


@pytest.mark.parametrize(("status", "expected"), [(429, 7.0), (503, 7.0), (500, None), (400, None)])
def test_retry_after_counts_where_it_has_a_meaning(status, expected):
    reply = Reply(status, {"retry-after": "7"}, b"")
    assert judge(reply).closed_for == expected


def test_a_redirect_names_its_target():
    reply = Reply(308, {"location": "https://elsewhere/v1"}, b"")
    assert "https://elsewhere/v1" in judge(reply).response.detail


def test_details_are_one_short_line_without_secrets():
    assert one_line("a\n b\t\ud800") == "a b \ufffd"
    verdict = judged(500, "key\r\nsk-12345678 " + "x" * 10_000, secrets=["sk-12345678"])
    assert verdict.response.detail.startswith("HTTP 500: key *** xxx")
    assert len(verdict.response.detail) == 300
    failed = Response("", failure="connection", detail="sk-12345678")
    assert judge(failed, secrets=["sk-12345678"]).response.detail == "***"
