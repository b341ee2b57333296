"""Language models that vLLM runs in this process."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from robustrank.errors import InputError, check_count
from robustrank.evaluators.hteb.generators.base import Response
from robustrank.evaluators.hteb.generators.chat import SCHEMA, as_messages, well_formed
from robustrank.evaluators.hteb.generators.options import (
    check_mapping,
    check_optional_text,
    check_seconds,
    check_text,
    refuse_keys,
)
from robustrank.evaluators.hteb.generators.replies import one_line, says_too_long

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robustrank.evaluators.hteb.generators.base import Failure, Request, Sampling
    from robustrank.notes import Note

#: Arguments of the engine that change how fast texts come, not which.
_SPEED_ONLY = frozenset(
    [
        "cpu_offload_gb",
        "disable_log_stats",
        "download_dir",
        "enable_prefix_caching",
        "gpu_memory_utilization",
        "kv_cache_memory_bytes",
        "max_num_batched_tokens",
        "max_num_seqs",
        "swap_space",
    ]
)
#: Seconds that `close` waits for the batch under way.
_LONGEST_GOODBYE = 30.0


@dataclass(eq=False)
class _Job:
    request: Request
    answer: asyncio.Future[Response]
    arrived: float = field(default_factory=time.monotonic)


class VLLMGenerator:
    """Runs a model with vLLM's ``LLM`` class, in batches of whatever requests are waiting.

    Parameters
    ----------
    model : str
        A folder, or a name on the Hugging Face hub.
    revision : str, optional
    batch : int
        Requests that the engine is given at once. It batches continuously within them, and the next
        batch fills up meanwhile.
    timeout : float
        Seconds for a batch; if the engine takes longer, it is taken to hang, and all requests that
        have waited for so long end as failures.
    engine : mapping, optional
        Further arguments of ``vllm.LLM``, such as ``max_model_len`` or ``tensor_parallel_size``.
        ``structured_outputs_config: {backend: xgrammar, disable_any_whitespace: true}`` keeps
        models from filling structured answers with blanks until they run out of tokens.

    Attributes
    ----------
    model : str
    revision : str or None
    concurrency : int
        Two batches: the one under way and the next.
    engine : dict
    settings : dict
        What texts depend on besides model and sampling: `engine` without what changes speed alone.
    """

    def __init__(
        self,
        *,
        model: str,
        revision: str | None = None,
        batch: int = 256,
        timeout: float = 1800.0,
        engine: Mapping[str, Any] | None = None,
    ) -> None:
        self.model = check_text("model", model)
        self.revision = check_optional_text("revision", revision)
        self._batch = check_count("batch", batch, 1)
        self.concurrency = 2 * self._batch
        self._timeout = check_seconds("timeout", timeout)
        self.engine = check_mapping("engine", engine)
        options = {name: f"the generator's {name}" for name in ("model", "revision")}
        refuse_keys("engine", self.engine, options)
        self.settings: Mapping[str, Any] = {
            "engine": {key: value for key, value in self.engine.items() if key not in _SPEED_ONLY}
        }
        self.notes: tuple[Note, ...] = ()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._batch_began = 0.0

    async def start(self) -> None:
        """Load the model.

        Raises
        ------
        InputError
            If vLLM is not installed, is too old or cannot load the model with these options.
        """
        loop = asyncio.get_running_loop()
        loaded: asyncio.Future[None] = loop.create_future()
        # A daemon: an engine that hangs must not keep the program from ending.
        self._thread = threading.Thread(
            target=self._work, args=(loop, loaded), name="vllm", daemon=True
        )
        self._thread.start()
        await loaded

    async def complete(self, request: Request) -> Response:
        """Answer one request as part of a batch."""
        if self._thread is None:
            raise InputError("The generator 'vllm' has not been started: await start() first.")
        job = _Job(request, asyncio.get_running_loop().create_future())
        self._jobs.put(job)
        while not job.answer.done():
            waited = time.monotonic() - max(job.arrived, self._batch_began)
            if waited >= self._timeout:
                job.answer.cancel()
                return Response(
                    "",
                    failure="timeout",
                    detail=f"the engine has worked on a batch for more than {self._timeout:g} s",
                    seconds=time.monotonic() - job.arrived,
                )
            await asyncio.wait([job.answer], timeout=self._timeout - waited)
        return job.answer.result()

    async def close(self) -> None:
        """Release the engine once the batch under way is done, unless it hangs."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(thread.join, min(self._timeout, _LONGEST_GOODBYE))

    def _work(self, loop: asyncio.AbstractEventLoop, loaded: asyncio.Future[None]) -> None:
        """Load the model, then answer batches until told to stop; the thread's life."""
        try:
            llm = self._load()
        except InputError as error:
            loop.call_soon_threadsafe(loaded.set_exception, error)
            return
        loop.call_soon_threadsafe(loaded.set_result, None)
        while jobs := self._next_batch():
            self._batch_began = time.monotonic()
            responses = _answer(llm, [job.request for job in jobs])
            with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
                loop.call_soon_threadsafe(_deliver, jobs, responses)
        # Without this, the engine's process lives on and the program waits for it when it ends.
        llm.llm_engine.engine_core.shutdown()

    def _load(self) -> Any:
        try:
            import vllm  # noqa: PLC0415 - loaded only when needed
        except ImportError as error:
            raise InputError(
                "The generator 'vllm' needs vLLM: pip install 'robustrank[vllm]'."
            ) from error
        if not hasattr(vllm.LLM, "enqueue_chat"):
            raise InputError(
                "The generator 'vllm' needs a newer vLLM, such as 0.32; installed is "
                f"{vllm.__version__}. Upgrade it, or serve the model with 'vllm serve' and use the "
                "generator 'openai'."
            )
        try:
            return vllm.LLM(model=self.model, revision=self.revision, **self.engine)
        except Exception as error:  # whatever vLLM raises, the options are what can be changed
            raise InputError(
                f"vLLM {vllm.__version__} cannot load the model {self.model!r} with the engine "
                f"options {self.engine!r}: {error}",
                [self.model],
            ) from error

    def _next_batch(self) -> list[_Job]:
        """Wait for a request and take all that wait; none once told to stop."""
        jobs: list[_Job] = []
        while len(jobs) < self._batch:
            try:
                job = self._jobs.get(block=not jobs)
            except queue.Empty:
                break
            if job is None:
                self._jobs.put(None)  # found again when this batch is done
                break
            if not job.answer.done():
                jobs.append(job)
        return jobs


def _deliver(jobs: Sequence[_Job], responses: Sequence[Response]) -> None:
    for job, response in zip(jobs, responses, strict=True):
        if not job.answer.done():
            job.answer.set_result(response)


def _answer(llm: Any, requests: Sequence[Request]) -> list[Response]:
    """Answer a batch; one request that the engine refuses leaves the others alone."""
    began = time.monotonic()
    responses: dict[int, Response] = {}
    for i, request in enumerate(requests):
        # One by one, since an error takes all requests of its call with it.
        try:
            llm.enqueue_chat(
                as_messages(request),
                _sampling_params(request.sampling),
                use_tqdm=False,
                chat_template_kwargs={"enable_thinking": False},
            )
        except Exception as error:  # a bad request must not end the thread that all wait for
            responses[i] = _failure(error)
    accepted = [i for i in range(len(requests)) if i not in responses]
    try:
        outputs = llm.wait_for_completion(use_tqdm=False) if accepted else []
        responses |= dict(zip(accepted, map(_response, outputs), strict=True))
    except Exception as error:  # the engine died, or lost count of its requests
        responses |= dict.fromkeys(accepted, _failure(error, "connection"))
    seconds = time.monotonic() - began
    return [replace(responses[i], seconds=seconds) for i in range(len(requests))]


def _sampling_params(sampling: Sampling) -> Any:
    import vllm  # noqa: PLC0415 - loaded only when needed
    from vllm.sampling_params import StructuredOutputsParams  # noqa: PLC0415

    return vllm.SamplingParams(
        temperature=sampling.temperature,
        top_p=sampling.top_p,
        top_k=max(sampling.top_k or 0, 0),
        repetition_penalty=sampling.repetition_penalty,
        max_tokens=sampling.max_tokens,
        seed=sampling.seed,
        structured_outputs=StructuredOutputsParams(json=SCHEMA) if sampling.structured else None,
    )


def _response(output: Any) -> Response:
    [completion] = output.outputs
    return Response(
        text=well_formed(completion.text),
        finish_reason=completion.finish_reason,
        prompt_tokens=len(output.prompt_token_ids or ()),
        completion_tokens=len(completion.token_ids),
    )


def _failure(error: Exception, otherwise: Failure = "invalid_response") -> Response:
    words = str(error)
    failure: Failure = "prompt_too_long" if says_too_long(words) else otherwise
    return Response("", failure=failure, detail=one_line(f"{type(error).__name__}: {words}"))
