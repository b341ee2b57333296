"""A study with real parts that all come from packages: ``python -m tests.real.demo FOLDER``.

Two llama.cpp servers with SmolLM2, an instruction-tuned model of 135 million parameters, rewrite
one small dataset of each task type; three embedding models are scored on it. So small a model
writes poor translations, which the error rates show; almost everything that it writes is scored
nevertheless, or nothing would be left.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path

from tests.real import models
from tests.real.llm_server import Server, serving

EXAMPLE = files("robustrank.evaluators.hteb") / "data" / "example"
#: How much of each dataset is used.
LIMITS = {
    "requests": 3,
    "topics": 4,
    "duplicates": 2,
    "similarity": 4,
    "relatedness": 3,
    "answers": 1,
    "animals": 1,
    "summaries": 1,
}
STUDY = """\
profile: paper
seeds: [1337, 1338]
draws: balanced
datasets:
{datasets}
generator:
{generator}
sampling: {{max_tokens: 24, max_tokens_expansion: 36}}
quality: {{max_retries: 1, retry: [empty, ellipsis], reject: [empty, ellipsis]}}
models:
{models}
fallback: original
output: results
"""


def on_servers(servers: list[Server]) -> str:
    """Return the generator that asks some servers."""
    endpoints = ", ".join(server.url for server in servers)
    return (
        f"  type: openai\n  model: {servers[0].model}\n  endpoints: [{endpoints}]\n  concurrency: 2"
    )


def write_study(folder: Path, generator: str) -> Path:
    """Write the configuration and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    datasets = [
        f"  - {{path: {EXAMPLE / name}.yaml, limit: {limit}}}" for name, limit in LIMITS.items()
    ]
    embedders = {
        "all-MiniLM-L6-v2": models.minilm(),
        "wordllama": models.wordllama(),
        "m2v-multilingual": models.multilingual(),
    }
    listed = [f"  - {{model: {path}, name: {name}}}" for name, path in embedders.items()]
    study = folder / "study.yaml"
    study.write_text(
        STUDY.format(
            datasets="\n".join(datasets),
            generator=generator,
            models="\n".join(listed),
        ),
        encoding="utf-8",
    )
    return study


def robustrank(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    """Run the command line, without reaching for the network."""
    command = [sys.executable, "-m", "robustrank", *map(str, arguments)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, env=environment, text=True, check=True, **options)


def main(folder: Path) -> None:
    """Plan, run and analyse the study, and write the forms with which people would rate it."""
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(parallel=2)) for _ in range(2)]
        study = write_study(folder, on_servers(servers))
        robustrank("hteb", "plan", study)
        robustrank("hteb", "run", study)
    results = folder / "results"
    robustrank("analyze", results / "matrix.csv", "--n-resamples", 1000)
    robustrank("hteb", "stats", results, "--output", folder / "robustness")
    robustrank("hteb", "errors", results)
    robustrank("hteb", "survey", results, "--per-transformation", 4, "--output", folder / "survey")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
