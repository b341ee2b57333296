"""`study` on a whole benchmark: every language and task type, with and without resamples.

Give the folder of the public MTEB results of December 2025 to run on them (all 229 languages with
two datasets or more × 9 task types); without it a benchmark of the same shape is simulated. Run
with ``--smoke`` for a quick check. ``--jobs`` sets the processes.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from pathlib import Path

import numpy as np
import pandas as pd

import robustrank as rr


def simulated(n_languages: int, n_models: int, seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a long table and task metadata: a few wide datasets, many narrow ones."""
    rng = np.random.default_rng(seed)
    languages = [f"l{i:03d}" for i in range(n_languages)]
    names, types, spoken = [], [], []
    for kind, n in {"Classification": 40, "Retrieval": 18, "Clustering": 16, "STS": 16}.items():
        for j in range(n):
            reach = n_languages if j < 2 else rng.integers(1, max(2, n_languages // 8))
            names.append(f"{kind}{j}")
            types.append(kind)
            spoken.append(sorted(rng.choice(languages, reach, replace=False)))
    ability = rng.normal(0.6, 0.1, (n_models, 1))
    facets = rng.normal(0, 0.05, (n_models, 20))[:, rng.integers(0, 20, len(names))]
    scores = np.clip(ability + facets + rng.normal(0, 0.02, facets.shape), 0.01, 0.99)
    rows = [
        (f"m{i}", name, f"{language}-Latn", language, scores[i, j] + 0.001 * (k % 7))
        for j, name in enumerate(names)
        for k, language in enumerate(spoken[j])
        for i in range(n_models)
    ]
    table = pd.DataFrame(rows, columns=["model", "task", "languages", "subset", "score"])
    tasks = pd.DataFrame({"task": names, "task_type": types, "languages": map(";".join, spoken)})
    return table.assign(split="test"), tasks


def peak_gigabytes() -> float:
    """Return the largest memory of this process and of its workers, added up (Linux)."""
    workers = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    status = [Path(f"/proc/{pid}/status").read_text() for pid in ("self", *workers)]
    peaks = [re.search(r"VmHWM:\s+(\d+) kB", text) for text in status]
    return sum(int(peak[1]) for peak in peaks if peak) * 1024 / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, help="folder with the public results")
    parser.add_argument("--smoke", action="store_true", help="small sizes")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--resamples", type=int, default=1000, help="of the datasets of each cell")
    options = parser.parse_args()
    if options.data is not None:
        folder = options.data
        results = folder / "mteb_multilingual_v2_dec2025.parquet"
        given = {
            "tasks": folder / "tasks_multilingual_v2_dec2025.csv",
            "models": folder / "models_dec2025.parquet",
            "preset": "papers",
        }
    else:
        results, tasks = simulated(*((6, 10) if options.smoke else (229, 90)))
        given = {"tasks": tasks, "min_datasets": 2}
    resamples = 20 if options.smoke else options.resamples
    for what, more in (
        ("one process", {}),
        (f"{options.jobs} processes", {"n_jobs": options.jobs}),
        (
            f"{options.jobs} processes, {resamples} resamples of every scheme",
            {"n_jobs": options.jobs, "n_resamples": resamples},
        ),
        (
            f"scores per language, {options.jobs} processes",
            {"n_jobs": options.jobs, "level": "language"},
        ),
    ):
        start = time.perf_counter()
        found = rr.study(results, **given, **more)
        seconds = time.perf_counter() - start
        cells = int((found.cells["n_models"] > 0).sum())
        print(
            f"{len(found.languages)} languages × {len(found.tasks)} task types, {cells} cells on "
            f"{len(found.blocks)} tables, {what}: {seconds:.1f} s; peak memory so far "
            f"{peak_gigabytes():.2f} GB"
        )


if __name__ == "__main__":
    main()
