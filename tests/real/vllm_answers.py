"""Answers requests with `VLLMGenerator`: a program, since vLLM starts processes of its own.

Arguments: the folder of a model, its context in tokens, and the file for what came out, as JSON.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sys
import time
from pathlib import Path

from robustrank.evaluators.hteb.generators.base import Request, Sampling
from robustrank.evaluators.hteb.generators.vllm import VLLMGenerator

REPHRASE = "Rephrase the following text."


async def answer(folder: str, context: int) -> dict[str, object]:
    engine = {
        "max_model_len": context,
        "enforce_eager": True,
        "dtype": "bfloat16",
        # Without it, a model may write blanks for ever; one as random as this does.
        "structured_outputs_config": {"backend": "xgrammar", "disable_any_whitespace": True},
    }
    generator = VLLMGenerator(model=folder, batch=8, timeout=120.0, engine=engine)
    await generator.start()

    async def ask(text: str, **sampling):
        response = await generator.complete(Request(REPHRASE, text, Sampling(**sampling)))
        return dataclasses.asdict(response)

    found: dict[str, object] = {"concurrency": generator.concurrency}
    texts = ["The cat sat.", "long " * 2000, "\ud800 \0 ☃ שלום", *(f"text {i}" for i in range(17))]
    found["texts"] = await asyncio.gather(*(ask(text, max_tokens=12) for text in texts))
    found["again"] = await ask(texts[0], max_tokens=12)
    draws = [ask("x", max_tokens=12, temperature=1.0, top_k=50, seed=seed) for seed in (1, 1, 2)]
    found["draws"] = [await draw for draw in draws]
    found["structured"] = await ask("The cat sat.", max_tokens=300, structured=True)
    found["bad"] = await asyncio.gather(ask("x", max_tokens=12, top_p=7.0), ask("y", max_tokens=12))
    impatient = VLLMGenerator(model=folder, timeout=1e-3, engine=engine)
    impatient._thread, impatient._jobs = generator._thread, generator._jobs
    found["impatient"] = dataclasses.asdict(
        await impatient.complete(Request(REPHRASE, "x", Sampling(max_tokens=400)))
    )
    found["after"] = await ask("z", max_tokens=12)
    began = time.monotonic()
    await generator.close()
    found["closing"] = time.monotonic() - began
    return found


if __name__ == "__main__":
    model, context, out = sys.argv[1:]
    Path(out).write_text(json.dumps(asyncio.run(answer(model, int(context)))))
