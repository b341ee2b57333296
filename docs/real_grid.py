"""What the study says of a whole benchmark; prints the page ``whole_benchmark.md``.

python docs/real_grid.py DATA_FOLDER [--write]

The folder holds the public MTEB results of December 2025 and of August 2026 as long tables, with
the metadata of tasks and models.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markdown_tables import line

import robustrank as rr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pandas as pd

PAGE = Path(__file__).with_name("whole_benchmark.md")
SNAPSHOTS = {"Dec 2025": "dec2025", "Aug 2026": "aug2026"}
LEVELS = ["E0", "E1", "E_SC", "E_RS", "E_RS+DS"]
CATEGORIES = ["extremely weak", "weak", "moderate", "comparatively strong", "very strong"]
HEAD = """# A whole benchmark

Made by `python docs/real_grid.py DATA_FOLDER --write` from the public results of
MTEB(Multilingual, v2): [`rr.study`](study.md) with `preset="papers"` on all languages with two
datasets or more, and all nine task types. FloresBitextMining has public results of a few models
only: it counts as a dataset that exists, and is in no ranking.
"""


def study(folder: Path, snapshot: str, **settings: Any) -> rr.Study:
    """Study a snapshot by the papers' protocol."""
    return rr.study(
        folder / f"mteb_multilingual_v2_{snapshot}.parquet",
        tasks=folder / f"tasks_multilingual_v2_{snapshot}.csv",
        models=folder / f"models_{snapshot}.parquet",
        preset="papers",
        n_jobs=2,
        **settings,
    )


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Write a table whose first column is text."""
    head = list(head)
    yield line(head)
    yield line([":--", *(["--:"] * (len(head) - 1))])
    for row in rows:
        yield line(map(str, row))


def evidence(found: rr.Study) -> Iterator[str]:
    """Count cells per task type and level, and languages per category."""
    counts = found.cells.groupby(level=1)["level"].value_counts()
    rows = [
        (task, *(counts.get((task, level), 0) for level in LEVELS), f"{row['ess']:.2f}")
        for task, row in found.tasks.iterrows()
    ]
    total = found.cells["level"].value_counts()
    rows.append(
        ("all", *(total.get(level, 0) for level in LEVELS), f"{found.cells['ess'].mean():.2f}")
    )
    yield from table(["cells", *(f"`{level}`" for level in LEVELS), "ESS"], rows)
    languages = found.languages["category"].value_counts()
    said = ", ".join(f"{name} for {languages.get(name, 0)}" for name in CATEGORIES)
    strongest = found.languages["ess"].sort_values(ascending=False).head(6)
    names = ", ".join(f"{code} {score:.2f}" for code, score in strongest.items())
    yield f"\nOver task types the evidence is {said} languages; strongest for {names}."


def coverage(studies: dict[str, rr.Study]) -> Iterator[str]:
    """Show which models lead most languages (*Slavic*, Figure 5), and are among the best three."""
    for name, found in studies.items():
        first, three = (found.coverage(top).mean(axis=1) for top in (1, 3))
        order = three.sort_values(ascending=False, kind="stable").head(8).index
        yield f"\n**{name}**\n"
        yield from table(
            ["model", "first", "among the best three"],
            [(m.split("/")[-1], f"{first.get(m, 0):.0%}", f"{three[m]:.0%}") for m in order],
        )


def partial(found: rr.Study) -> Iterator[str]:
    """Count the cells whose most consistent model has a partial score."""
    cells = found.cells[found.cells["n_models"] > 0]
    for task, group in cells.groupby(level=1):
        flagged = group["partial"].notna()
        if flagged.any():
            models = group.loc[flagged, "most_consistent_model"].str.split(" = ").explode()
            most = models.str.split("/").str[-1].value_counts()
            shown = ", ".join(f"{name} {number}" for name, number in most.head(4).items())
            yield f"- {task}: {flagged.sum()} of {len(group)} cells ({shown})"


def changes(summary: pd.DataFrame) -> Iterator[str]:
    """Show what each variant changes."""
    head = [
        "variant",
        "cells",
        "same q",
        "same level",
        "same first",
        "Kendall's τ",
        "same first over tasks",
    ]
    rows = [
        (
            name,
            row["cells"],
            f"{row['same_q']:.1%}",
            f"{row['same_level']:.1%}",
            f"{row['same_first']:.1%}",
            f"{row['kendall_tau']:.3f}",
            f"{row['languages_same_first']} of {row['languages']}",
        )
        for name, row in summary.astype(object).iterrows()
    ]
    yield from table(head, rows)


def page(folder: Path) -> Iterator[str]:
    """Write the page."""
    studies = {name: study(folder, snapshot) for name, snapshot in SNAPSHOTS.items()}
    base = studies["Dec 2025"]
    others = {
        "scores per language": study(folder, "dec2025", level="language"),
        "without partial scores": study(folder, "dec2025", partial_scores="drop"),
        "both": study(folder, "dec2025", level="language", partial_scores="drop"),
        "Aug 2026": studies["Aug 2026"],
    }
    yield HEAD
    for name, found in studies.items():
        ranked = int((found.cells["n_models"] > 0).sum())
        yield f"\n## Evidence, {name}\n"
        yield (
            f"{len(found.languages)} languages; {ranked} cells can be ranked, on "
            f"{len(found.blocks)} different tables of scores.\n"
        )
        yield from evidence(found)
    yield "\n## Who leads over task types\n"
    yield "Share of the languages, by coverage-weighted consistency (CW); all that tie count."
    yield from coverage(studies)
    yield "\n## Partial scores\n"
    yield (
        "Cells of December 2025 in which a most consistent model has a score that is the mean over "
        "a part of its dataset only, and the models that have it:\n"
    )
    yield from partial(base)
    yield "\n## What changes\n"
    yield (
        "December 2025 against itself with one choice changed, and against August 2026. Over the "
        "cells that both rank: the share with the same number of clusters, the same evidence level "
        "and the same most consistent models, ties included; Kendall's τ between mean ranks; and "
        "the languages whose most consistent models over task types stay the same.\n"
    )
    yield from changes(base.sensitivity(others=others).summary)
    yield (
        "\nWhich scores count changes more than thresholds, linkage or correlation do. `top_k` "
        "changes leaders because more of them tie: with η = 1, all that are always first. Without "
        "partial scores fewer models are ranked, so that correlations, and with them q, change."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true", help="into docs/whole_benchmark.md")
    options = parser.parse_args()
    text = "\n".join(page(options.data)) + "\n"
    if options.write:
        PAGE.write_text(text, "utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
