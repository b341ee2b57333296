"""Embeddings from a server with OpenAI's ``/v1/embeddings``: vLLM, llama.cpp, hosted models."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank.errors import InputError, check_count
from robustrank.evaluators.hteb.embedding.backends import Manner
from robustrank.evaluators.hteb.embedding.prompts import check_prompt_names, find_prompt
from robustrank.evaluators.hteb.vectors import cosine, unit_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.evaluators.hteb.embedding.prompts import PromptNames
    from robustrank.evaluators.hteb.records import TaskType
    from robustrank.evaluators.hteb.scoring.base import Role
    from robustrank.evaluators.hteb.vectors import Vectors
    from robustrank.notes import Note

#: Statuses that say: later.
_TRANSIENT = (408, 425, 429)
#: Characters of a server's answer that an error shows.
_SHOWN = 200
#: Seconds that a server may ask for before the next try.
_LONGEST_WAIT = 60.0


class EndpointError(InputError):
    """A server gave no embeddings."""


class RemoteBackend:
    """A model behind an endpoint for embeddings.

    Parameters
    ----------
    model : str
        As the server calls it.
    base_url : str
        Such as ``"http://127.0.0.1:8000/v1"``.
    name : str, optional
        What to call it; by default, `model`.
    revision : str, optional
        Of the model; part of what its vectors are kept under, since servers do not tell.
    prompts, prompt_names : mapping, optional
        Put before the texts here; see `find_prompt`.
    api_key_env : str, optional
        The environment variable that holds the key.
    batch_size : int
        Texts per request.
    concurrency : int
        Requests in flight at once.
    timeout : float
        Seconds for one request.
    max_tries : int
        Tries per request, the first included; after a transport error, a server error or a refusal
        for now.
    first_wait : float
        Seconds before the second try, doubled before each further one, unless the server says.
    normalize : bool
        Whether vectors are scaled to length 1.
    extra_body : mapping, optional
        Further fields of each request, such as ``dimensions``.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        name: str | None = None,
        revision: str | None = None,
        prompts: Mapping[str, str] | None = None,
        prompt_names: PromptNames | None = None,
        api_key_env: str | None = None,
        batch_size: int = 64,
        concurrency: int = 4,
        timeout: float = 120.0,
        max_tries: int = 5,
        first_wait: float = 1.0,
        normalize: bool = False,
        extra_body: Mapping[str, Any] | None = None,
    ) -> None:
        try:
            import httpx  # noqa: PLC0415 - loaded only when needed
        except ImportError as error:
            raise InputError(
                f"Model {model!r} behind an endpoint needs the package httpx: "
                "pip install 'robustrank[hteb]'.",
                [model],
            ) from error
        self.name = name or model
        self.notes: list[Note] = []
        self._batch_size = check_count("batch_size", batch_size, 1)
        self._concurrency = check_count("concurrency", concurrency, 1)
        self._max_tries = check_count("max_tries", max_tries, 1)
        self.chunk_size = self._batch_size * self._concurrency
        self._url = base_url.rstrip("/") + "/embeddings"
        self._first_wait = first_wait
        self._normalize = normalize
        self._prompts = dict(prompts or {})
        self._prompt_names = prompt_names
        check_prompt_names(prompt_names or {}, self._prompts, self.name)
        self._body = {"model": model, "encoding_format": "float", **(extra_body or {})}
        self.identity = {
            "endpoint": self._url,
            "revision": revision or "",
            "normalize": normalize,
            "request": self._body,
        }
        self._client = httpx.Client(
            timeout=timeout,
            headers={"content-type": "application/json", **_authorization(api_key_env, self.name)},
        )

    def manner(self, task_type: TaskType, dataset: str, role: Role) -> Manner:
        """Return the prompt."""
        return Manner(
            find_prompt(self._prompts, task_type, dataset, role, names=self._prompt_names)
        )

    def encode(self, texts: list[str], manner: Manner) -> Vectors:
        """Return one vector per text."""
        inputs = [manner.prompt + text for text in texts]
        batches = [
            inputs[at : at + self._batch_size] for at in range(0, len(inputs), self._batch_size)
        ]
        with ThreadPoolExecutor(self._concurrency) as threads:
            vectors = np.concatenate(list(threads.map(self._request, batches)))
        return unit_rows(vectors) if self._normalize else vectors

    def similarity(self, a: Vectors, b: Vectors) -> Vectors:
        """Return the cosine: endpoints do not say what their models were trained with."""
        return cosine(a, b)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _request(self, texts: list[str]) -> Vectors:
        import httpx  # noqa: PLC0415 - loaded only when needed

        # Escaped to ASCII, so that no character can break the request.
        content = json.dumps({**self._body, "input": texts}).encode("ascii")
        wait = self._first_wait
        for left in reversed(range(self._max_tries)):
            try:
                response = self._client.post(self._url, content=content)
            except httpx.TransportError as error:
                problem = f"{type(error).__name__}: {error}"
                asked = None
            else:
                if response.status_code == httpx.codes.OK:
                    return self._parse(response, len(texts))
                problem = f"status {response.status_code}: {response.text[:_SHOWN]!r}"
                asked = _seconds(response.headers.get("retry-after"))
                if response.status_code not in _TRANSIENT and response.status_code < 500:
                    raise self._failed(problem, texts)
            if left:
                time.sleep(min(wait if asked is None else asked, _LONGEST_WAIT))
                wait *= 2
        raise self._failed(f"{problem}, {self._max_tries} times", texts)

    def _parse(self, response: Any, n: int) -> Vectors:
        try:
            rows = {item["index"]: item["embedding"] for item in response.json()["data"]}
            vectors = np.array([rows[index] for index in range(n)], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self._malformed(response, n) from error
        if len(rows) != n or vectors.ndim != 2:
            raise self._malformed(response, n)
        return vectors

    def _malformed(self, response: Any, n: int) -> EndpointError:
        return EndpointError(
            f"{self._url} answered a request for {n} embeddings of model {self.name!r} with "
            f"something else: {response.text[:_SHOWN]!r}. Is it an endpoint for embeddings?",
            [self.name],
        )

    def _failed(self, problem: str, texts: list[str]) -> EndpointError:
        longest = max(map(len, texts))
        return EndpointError(
            f"{self._url} gave no embeddings of model {self.name!r}: {problem}. Check base_url, "
            f"the model's name and the key; the batch had {len(texts)} texts of up to "
            f"{longest:,} characters (batch_size and timeout are options).",
            [self.name],
        )


def _authorization(variable: str | None, model: str) -> dict[str, str]:
    if variable is None:
        return {}
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InputError(
            f"The environment variable {variable}, which api_key_env of model {model!r} names, is "
            "not set. Set it to the key.",
            [model, variable],
        )
    return {"authorization": f"Bearer {key}"}


def _seconds(header: str | None) -> float | None:
    try:
        return None if header is None else max(0.0, float(header))
    except ValueError:  # a date: the usual wait will do
        return None
