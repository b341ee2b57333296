"""What resampling says of MTEB(Multilingual, v2); prints the tables of ``boards.md``.

python docs/real_boards.py DATA_FOLDER

The folder holds the boards of December 2025 and August 2026 as the leaderboard exports them per
task, with the metadata of the tasks.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import robustrank as rr

SNAPSHOTS = {
    "Dec 2025": (
        "board_multilingual_v2_per_task_dec2025.csv",
        "tasks_multilingual_v2_dec2025.csv",
    ),
    "Aug 2026": ("board_multilingual_v2_per_task.csv", "tasks_multilingual_v2_aug2026.csv"),
}
HEAD = (
    "tasks",
    "models",
    "datasets",
    "tiers",
    "pairs",
    "next",
    "above",
    "first",
    "leader",
)


def line(task_type: str, matrix: rr.ScoreMatrix) -> tuple[str, ...]:
    """Return one row of the table; models with missing scores are left out."""
    m, n = matrix.shape
    found = rr.paired_bootstrap(matrix)
    by_cluster = rr.paired_bootstrap(matrix, resampling="clusters")
    leader = found.order[0]
    return (
        task_type,
        f"{m}",
        f"{n} ({by_cluster.settings['n_units']})",
        f"{found.tiers.max()}",
        f"{found.resolved:.1%} ({by_cluster.resolved:.1%})",
        f"{found.resolved_adjacent:.1%}",
        f"{len(found.leads)}",
        f"{found.p_best[leader]:.0%} ({by_cluster.p_best[leader]:.0%})",
        leader.split("/")[-1],
    )


def show(cells: tuple[str, ...]) -> None:
    print(f"| {' | '.join(cells)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    folder = parser.parse_args().data
    for name, (board, tasks) in SNAPSHOTS.items():
        matrix = rr.read(folder / board, tasks=folder / tasks)
        # Too large for the public result files: hardly a model has a score on it.
        matrix = matrix.select(datasets=list(matrix.scores.columns.drop("FloresBitextMining")))
        print(f"\n{name}\n")
        show(HEAD)
        show(tuple("---" for _ in HEAD))
        types = sorted(matrix.datasets["task_type"].dropna().unique())
        for task_type in ("all", *types):
            part = matrix if task_type == "all" else matrix.select(task_type=task_type)
            show(line(task_type, part.resolve_missing("drop-models")))


if __name__ == "__main__":
    main()
