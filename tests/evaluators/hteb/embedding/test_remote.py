from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from robustrank.errors import InputError
from robustrank.evaluators.hteb.embedding.cache import EmbeddingCache
from robustrank.evaluators.hteb.embedding.loading import load_embedder
from robustrank.evaluators.hteb.embedding.remote import EndpointError


class Server(ThreadingHTTPServer):
    """Embeds a text as its length and the number of its first character, out of order."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[dict] = []
        self.headers: list[dict] = []
        #: What to answer first instead: (status, headers, body).
        self.trouble: list[tuple[int, dict, str]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.requests.append({**body, "path": self.path})
            self.server.headers.append(dict(self.headers))
            trouble = self.server.trouble.pop(0) if self.server.trouble else None
        if trouble is not None:
            self.answer(*trouble)
            return
        data = [
            {"index": index, "embedding": [float(len(text)), float(ord(text[0]))]}
            for index, text in enumerate(body["input"])
        ]
        self.answer(200, {}, json.dumps({"object": "list", "data": data[::-1]}))

    def answer(self, status, headers, body):
        content = body.encode()
        self.send_response(status)
        for name, value in {"content-length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


TEXTS = [f"{chr(97 + number % 26)}{'x' * number}" for number in range(30)]
EXPECTED = [[len(text), ord(text[0])] for text in TEXTS]


def encode(server, texts=TEXTS, cache=None, role="text", **options) -> np.ndarray:
    options = {"model": "m", "base_url": server.url, "first_wait": 0.01, **options}
    embedder = load_embedder(options, cache=cache)
    try:
        return embedder.encoder("retrieval", "any").encode(texts, role=role)
    finally:
        embedder.close()


def test_batches_come_back_in_the_order_of_the_texts(server):
    assert encode(server, batch_size=7).tolist() == EXPECTED
    assert len(server.requests) == 5
    assert {request["path"] for request in server.requests} == {"/v1/embeddings"}
    assert server.requests[0]["model"] == "m"


def test_the_key_comes_from_the_environment(server, monkeypatch):
    monkeypatch.setenv("TEST_KEY", "secret-key")
    encode(server, api_key_env="TEST_KEY")
    assert server.headers[0]["authorization"] == "Bearer secret-key"
    monkeypatch.delenv("TEST_KEY")
    with pytest.raises(InputError, match=r"TEST_KEY.*'m'.*not set"):
        encode(server, api_key_env="TEST_KEY")


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_trouble_that_passes_is_tried_again(server, status):
    server.trouble = [(status, {}, "busy"), (status, {"retry-after": "0"}, "busy")]
    assert encode(server, ["a"]).tolist() == [[1.0, 97.0]]
    assert len(server.requests) == 3


def test_trouble_that_stays_names_server_model_and_answer(server):
    server.trouble = [(500, {}, "out of order")] * 3
    with pytest.raises(EndpointError, match=r"127\.0\.0\.1.*'m'.*500.*out of order.*3 times"):
        encode(server, ["a"], max_tries=3)


def test_a_refusal_is_not_tried_again_and_keeps_the_key_to_itself(server, monkeypatch):
    monkeypatch.setenv("TEST_KEY", "secret-key")
    server.trouble = [(401, {}, "who are you?")]
    with pytest.raises(EndpointError, match=r"401.*who are you") as caught:
        encode(server, ["a"], api_key_env="TEST_KEY")
    assert len(server.requests) == 1
    assert "secret-key" not in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        "<html>",
        "{}",
        '{"data": []}',
        '{"data": [{"index": 1, "embedding": [1.0]}]}',
        '{"data": [{"index": 0, "embedding": "x"}]}',
        '{"data": [{"index": 0, "embedding": 1.0}]}',
        '{"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]}',
    ],
)
def test_an_answer_that_is_none_is_shown(server, body):
    server.trouble = [(200, {}, body)]
    with pytest.raises(EndpointError, match="1 embeddings of model 'm' with something else"):
        encode(server, ["a"])


def test_nobody_there_names_the_address():
    options = {"model": "m", "base_url": "http://127.0.0.1:9/v1", "max_tries": 2}
    encoder = load_embedder({**options, "first_wait": 0.01}).encoder("sts", "any")
    with pytest.raises(EndpointError, match=r"127\.0\.0\.1:9/v1/embeddings.*ConnectError"):
        encoder.encode(["a"], role="text")


def test_prompts_are_put_before_the_texts_and_kept_apart(server, tmp_path):
    prompts = {"query": "query: ", "passage": "passage: "}
    with EmbeddingCache(tmp_path / "cache.sqlite") as cache:
        for role in ("query", "document", "query"):
            encode(server, ["a"], cache, role, prompts=prompts)
        assert cache.size().n_vectors == 2
    assert [request["input"] for request in server.requests] == [["query: a"], ["passage: a"]]


def test_settings_that_change_vectors_are_part_of_the_key(server, tmp_path):
    with EmbeddingCache(tmp_path / "cache.sqlite") as cache:
        for options in ({}, {"extra_body": {"dimensions": 2}}, {"normalize": True}, {}):
            encode(server, ["a"], cache, **options)
        encode(server, ["a"], cache, batch_size=3, timeout=7.0)  # these do not
    assert len(server.requests) == 3
    assert server.requests[1]["dimensions"] == 2


def test_normalised_vectors_have_length_one(server):
    found = encode(server, normalize=True)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(30))


def test_odd_characters_arrive(server):
    odd = ["\x00a", "👩‍👩‍👧", "שלום", "\ud800", "x" * 100_000]
    encode(server, odd)
    sent = {text for request in server.requests for text in request["input"]}
    assert sent == {*odd[:3], odd[4], "\ufffd"}
