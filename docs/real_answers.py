"""What would change the answer on MTEB(Multilingual, v2): the tables of ``answers/real-boards.md``.

python docs/real_answers.py DATA_FOLDER            prints them
python docs/real_answers.py DATA_FOLDER --write    puts them in place

The folder holds the boards of December 2025 and August 2026 as the leaderboard exports them per
task, with the metadata of the tasks.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from real_boards import SNAPSHOTS

import robustrank as rr

if TYPE_CHECKING:
    from robustrank.decision import DecisionSupport

PAGE = Path(__file__).parent / "answers" / "real-boards.md"
WEIGHING = ("tasks", "size", "leader", "first", "can be", "drop", "clusters", "weight", "decides")
EVIDENCE = ("tasks", "may be best", "rank", "lead", "needed", "suite", "random")


def whole(value: float) -> str:
    """Return a number, or a dash where there is none."""
    return "–" if pd.isna(value) else f"{value:.0f}"


def weighing(task_type: str, matrix: rr.ScoreMatrix, found: DecisionSupport) -> str:
    """Return one row on weights and on what is dropped."""
    m, n = matrix.shape
    weights, changes, influence = found.acceptability, found.change.table, found.influence
    drop = changes["size"].reindex(["datasets", "clusters"]).map(whole)
    moved = changes.loc["weights", "size"]
    decisive = influence.table["margin"].idxmin()
    overturned = " (another leads)" if influence.table.loc[decisive, "leader_changes"] else ""
    return row(
        task_type,
        f"{m} × {n}",
        short(found.winner.leader),
        f"{weights.p_best[found.winner.leader]:.0%}",
        f"{int(weights.can_be_first.sum())}",
        drop["datasets"],
        drop["clusters"],
        "–" if pd.isna(moved) else f"{moved:.1%}",
        f"{decisive}{overturned}",
    )


def evidence(task_type: str, found: DecisionSupport) -> str:
    """Return one row on what is certain, what it would take, and how few datasets would do."""
    low, high = found.ranks.table.iloc[0][["rank_low", "rank_high"]].astype(int)
    numbers = ["measured", "corrected", "low", "high"]
    points = 100.0 * found.winner.table.loc["over_runner_up", numbers]
    measured, corrected, *interval = (f"{each:.2f}" for each in points)
    lead = f"{measured}: {corrected} ({' to '.join(interval)})"
    needed = found.needed.table["needed"].iloc[0]
    suite = found.suite
    random = suite.comparison["size"].get("random, mean")
    return row(
        task_type,
        f"{len(found.best.members)}",
        f"{low}" if low == high else f"{low}–{high}",
        f"{measured}: –" if points.isna().any() else lead,
        "no number" if pd.isna(needed) else f"{needed:,}",
        "all" if suite.size is None else f"{suite.size}",
        whole(float("nan") if random is None else random),
    )


def short(name: str) -> str:
    """Return a model's name without its organisation."""
    return name.rsplit("/", maxsplit=1)[-1]


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def tables(matrix: rr.ScoreMatrix) -> tuple[str, str]:
    """Return both tables of a snapshot, over all tasks and by task type."""
    first = [row(*WEIGHING), row(*("---" for _ in WEIGHING))]
    second = [row(*EVIDENCE), row(*("---" for _ in EVIDENCE))]
    types = sorted(matrix.datasets["task_type"].dropna().unique())
    for task_type in ("all", *types):
        part = matrix if task_type == "all" else matrix.select(task_type=task_type)
        complete = part.resolve_missing("drop-models")
        found = rr.decision_support(complete)
        first.append(weighing(task_type, complete, found))
        second.append(evidence(task_type, found))
    return "\n".join(first), "\n".join(second)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    given = parser.parse_args()
    page = PAGE.read_text("utf-8")
    for name, (board, tasks) in SNAPSHOTS.items():
        matrix = rr.read(given.data / board, tasks=given.data / tasks)
        # Too large for the public result files: hardly a model has a score on it.
        matrix = matrix.select(datasets=list(matrix.scores.columns.drop("FloresBitextMining")))
        for heading, table in zip(("weights", "evidence"), tables(matrix), strict=True):
            print(f"\n{name}, {heading}\n\n{table}", flush=True)
            mark = re.compile(rf"(<!-- {name}, {heading} -->\n).*?(<!-- end -->)", re.DOTALL)
            page, times = mark.subn(lambda found, t=table: f"{found[1]}{t}\n{found[2]}", page)
            if times != 1:
                parser.error(f"{PAGE.name} has no place for {name}, {heading}")
    if given.write:
        PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
