"""A server of its own process that answers by rules: chat completions and embeddings.

``rules_server.py PORT LOG``: every completion takes a moment, and is logged when it was sent.
"""

from __future__ import annotations

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sklearn.feature_extraction.text import HashingVectorizer

from robustrank.evaluators.hteb.generators.rules import rewrite

#: Seconds that a completion takes.
DELAY = 0.02


class Handler(BaseHTTPRequestHandler):
    """Speaks as much of the protocol as the clients do."""

    protocol_version = "HTTP/1.1"
    log = None
    letters = HashingVectorizer(analyzer="char_wb", ngram_range=(1, 3), n_features=64)

    def do_GET(self):
        self.answer({"data": [{"id": "rules"}]})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            vectors = self.letters.transform(asked["input"]).toarray().tolist()
            self.answer({"data": [{"index": i, "embedding": v} for i, v in enumerate(vectors)]})
            return
        instruction, text = (message["content"] for message in asked["messages"])
        time.sleep(DELAY)
        choice = {"message": {"content": rewrite(instruction, text)}, "finish_reason": "stop"}
        self.answer({"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 9}})
        if asked["max_tokens"] > 1:  # not the generator's check of the connection
            self.log.write(json.dumps([instruction, text]) + "\n")
            self.log.flush()

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    with open(sys.argv[2], "a", encoding="utf-8") as Handler.log:  # noqa: PTH123
        ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
