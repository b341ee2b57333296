"""What resampling says of MTEB(Multilingual, v2); prints the table of ``boards.md``.

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
    "| board | tasks | models × datasets | clusters | tiers | pairs | neighbours | leader | "
    "P(best) | above | pairs, by clusters | P(best), by clusters |"
)


def line(board: str, task_type: str, matrix: rr.ScoreMatrix) -> str:
    """Return one row of the table; models with missing scores are left out."""
    m, n = matrix.shape
    found = rr.paired_bootstrap(matrix)
    by_cluster = rr.paired_bootstrap(matrix, resampling="clusters")
    leader = found.order[0]
    cells = [
        board,
        task_type,
        f"{m} × {n}",
        f"{by_cluster.settings['n_units']}",
        f"{found.tiers.max()}",
        f"{found.resolved:.1%}",
        f"{found.resolved_adjacent:.1%}",
        leader.split("/")[-1],
        f"{found.p_best[leader]:.2f}",
        f"{len(found.leads)} of {m - 1}",
        f"{by_cluster.resolved:.1%}",
        f"{by_cluster.p_best[leader]:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    folder = parser.parse_args().data
    print(HEAD)
    print("|" + "---|" * HEAD.count(" | ") + "---|")
    for name, (board, tasks) in SNAPSHOTS.items():
        matrix = rr.read(folder / board, tasks=folder / tasks)
        # Too large for the public result files: hardly a model has a score on it.
        matrix = matrix.select(datasets=list(matrix.scores.columns.drop("FloresBitextMining")))
        types = sorted(matrix.datasets["task_type"].dropna().unique())
        for task_type in ("all", *types):
            part = matrix if task_type == "all" else matrix.select(task_type=task_type)
            print(line(name, task_type, part.resolve_missing("drop-models")))


if __name__ == "__main__":
    main()
