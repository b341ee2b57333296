"""Run the study of both papers, and set every figure beside the published one.

python docs/reproduce_tables.py DATA_FOLDER            prints the page ``reproduced.md``
python docs/reproduce_tables.py DATA_FOLDER --write    writes it

The folder holds the public MTEB results of December 2025 and August 2026 as long tables, with the
metadata of tasks and models.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd
from markdown_tables import Row, Section, line, models, show
from published import (
    BY_COMPOSITION,
    BY_SCHEME,
    LANGUAGE_FIELDS,
    ROBUSTNESS,
    ROBUSTNESS_LANGUAGES,
    ROBUSTNESS_TASKS,
    ROW_FIELDS,
    SLAVIC,
    SLAVIC_LANGUAGES,
    SLAVIC_TASKS,
    TABLE_11,
    TASK_AGNOSTIC,
    WEIGHTED_SUM,
    Spearman,
)
from snapshot_changes import changed_agnostic, changed_language, changed_row, on_top

import robustrank as rr
from robustrank.grid.cells import ROBUST_SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).with_name("reproduced.md")
NAMED, ROBUST = "named as most robust", "robust here"
AROUND_ZERO = {  # scores of both signs, and why correlations with them differ
    ("eng", "InstructionReranking"): "[on purpose](inferred.md#the-weighted-sum-around-zero)"
}
AROUND = 0.01  # what "around" may mean: correlations are read off figures
IN_ORDER = list(dict.fromkeys(task_type for _, task_type in ROBUSTNESS))  # of Tables 2-10
Cell = tuple[str, str]  # language, task type


class Studies(NamedTuple):
    """The grids of both papers in one snapshot."""

    robustness: rr.Study
    slavic: rr.Study


def run(folder: Path, snapshot: str) -> Studies:
    def study(languages: tuple[str, ...], task_types: tuple[str, ...]) -> rr.Study:
        return rr.study(
            folder / f"mteb_multilingual_v2_{snapshot}.parquet",
            tasks=folder / f"tasks_multilingual_v2_{snapshot}.csv",
            models=folder / f"models_{snapshot}.parquet",
            preset="papers",
            languages=languages,
            task_types=task_types,
        )

    return Studies(
        study(ROBUSTNESS_LANGUAGES, ROBUSTNESS_TASKS),
        study((*SLAVIC_LANGUAGES, "pol"), SLAVIC_TASKS),
    )


# -- published beside reproduced ----------------------------------------------------------------


def robustness_row(key: Cell, cell: pd.Series) -> Row:
    """Compare a row of *Robustness*, Tables 2-10."""
    stated = ROBUSTNESS[key]
    row = Row({"language": key[0]})
    for name in ("n", "q", "ds", "rs"):
        row.pair(name, getattr(stated, name), cell[name])
    row.cells[NAMED] = ", ".join(sorted(stated.models)) or show(None)
    first = models(cell["leader"])
    if stated.models:
        row.check("first here", ", ".join(first), bool(stated.models & {*first}))
    else:
        row.cells["first here"] = ", ".join(first) or show(None)
    row.cells[ROBUST] = ", ".join(sorted(models(cell["robust_models"]))) or show(None)
    return explained(row, cell["unscored"])


def slavic_row(key: Cell, cell: pd.Series) -> Row:
    """Compare a row of *Slavic*, Tables 3-10."""
    stated = SLAVIC[key]
    row = Row({"language": key[0]})
    for name, column in ROW_FIELDS.items():
        row.pair(name, getattr(stated, column), cell[column])
    row.model("most consistent model", stated.model, models(cell["most_consistent_model"]))
    if pd.notna(cell["partial"]):
        parts = dict.fromkeys(cell["partial"].split(", "))  # once if tied models share them
        row.reasons.append(f"rests on partial scores ({', '.join(parts)})")
    return explained(row, cell["unscored"])


def explained(row: Row, unscored: object) -> Row:
    """Name the datasets without results where figures differ; other reasons are not known."""
    if not row.same:
        row.reasons.insert(
            0, "not known" if pd.isna(unscored) else f"hardly any results for {unscored}"
        )
    return row


def table_11_row(language: str, study: rr.Study) -> Row:
    """Compare a row of *Slavic*, Table 11."""
    stated, found = TABLE_11[language], study.languages.loc[language]
    row = Row({"language": language})
    for name, column in LANGUAGE_FIELDS.items():
        row.pair(name, getattr(stated, column), found[column])
    row.model("model", stated.model, models(found["most_consistent_model"]))
    unscored = study.cells.loc[language, "unscored"].dropna()
    return explained(row, unscored.iloc[0] if len(unscored) else None)


def agnostic_row(language: str, study: rr.Study) -> Row:
    """Compare the models that stay on top over task types (*Robustness*, Figure 4)."""
    stated = TASK_AGNOSTIC[language]
    top = on_top(study, language, len(stated))
    row = Row({"language": language, "published": ", ".join(sorted(stated))})
    here = ", ".join(f"{name} ({number:.2f})" for name, number in top.items())
    row.check("highest counts here", here, stated <= {*top.index})
    if row.same and len(top) > len(stated):
        row.reasons.append("tied on the last place")
    return explained(row, None)


def spearman_rows(table: pd.DataFrame, over: str) -> Iterator[Row]:
    """Compare stated ranges of correlations with those of means over compositions or schemes."""
    stated, other = BY_COMPOSITION, BY_SCHEME
    if over == "scheme":
        stated, other = other, stated
    groups = dict(iter(table.set_index(over).groupby(["language", "task_type"])["mean"]))
    for key, limits in stated.items():
        found = groups[key]
        reason = AROUND_ZERO[key] if key in AROUND_ZERO and over == "composition" else ""
        if key in AROUND_ZERO and over == "scheme":
            weighted = found.index.str.startswith("wsm/")
            alone = (key[0], f"{key[1]}, weighted sum")
            yield spearman_row(alone, WEIGHTED_SUM, found[weighted], AROUND_ZERO[key])
            found = found[~weighted]
        elif not limits.meets(other.get(key, limits)):
            reason = reason or f"the paper also states {other[key]}"
        yield spearman_row(key, limits, found, reason)


def spearman_row(key: Cell, stated: Spearman, found: pd.Series, reason: str) -> Row:
    """Compare a stated range of correlations, with the reason why another one is found."""
    here = Spearman(found.min(), found.max())
    row = Row({"language": key[0], "task type": key[1], "published": str(stated)})
    row.cells["here"] = str(here)
    row.agrees |= {"within": stated.holds(here, AROUND), "overlapping": stated.meets(here, AROUND)}
    if reason and not row.same:
        row.reasons.append(reason)
    return row


# -- the page -------------------------------------------------------------------------------------

HEAD = """# The papers' figures, reproduced

Made by `python docs/reproduce_tables.py DATA_FOLDER --write` from the public MTEB results of
December 2025, the snapshot of both papers, and of August 2026.

Every figure that *Robustness* and *Slavic* state is set beside the one that
`robustrank.study(…, preset="papers")` gives. It is written once where both agree, and otherwise as
published / **reproduced**. The first column marks rows in which all agree, the last one says why
others differ. Figures with decimals agree if they do when rounded to two. How the protocol was
found is under [what is inferred](inferred.md).
"""


def sections(now: Studies) -> Iterator[Section]:
    """Set what the papers state beside the study."""
    cells = now.robustness.cells
    tables = {
        f"{task_type} (Table {number})": [
            robustness_row((language, task_type), cells.loc[(language, task_type)])
            for language in ROBUSTNESS_LANGUAGES
        ]
        for number, task_type in enumerate(IN_ORDER, 2)
    }
    named = [row for rows in tables.values() for row in rows if row.cells[NAMED] != show(None)]
    alike = sum(row.cells[NAMED] == row.cells[ROBUST] for row in named)
    yield Section(
        "Robustness, Tables 2–10",
        "ds and rs: robustness over dataset compositions and over ranking schemes is assessed.\n"
        "First here: the best mean rank over all schemes and compositions; it agrees if the paper\n"
        f"names it. Robust here: first in at least {ROBUST_SHARE:.0%} of the rankings; these are\n"
        f"just the models that the paper names in {alike} of {len(named)} cells.",
        tables,
    )
    yield Section(
        "Robustness, Figure 4",
        "Models that stay on top over task types, with the number of task types on which they\n"
        "are in the top 10 (CT, averaged over schemes): as many as the paper names, and ties.",
        {"": [agnostic_row(language, now.robustness) for language in ROBUSTNESS_LANGUAGES]},
    )
    found = now.robustness.baseline("language-mean")
    for section, table, over in (
        ("K.1", found.by_composition, "composition"),
        ("K.2", found.by_scheme, "scheme"),
    ):
        yield Section(
            f"Robustness, Appendix {section}",
            "Spearman correlation with the leaderboard's ranking by mean score in the language:\n"
            f"the lowest and the highest mean of a {over}. The published ranges were read off\n"
            f"figures, so {AROUND} more on either side is allowed. The first column marks what\n"
            "lies within. Where no reason is given, none is known.",
            {"": list(spearman_rows(table, over))},
        )
    cells = now.slavic.cells
    yield Section(
        "Slavic, Tables 3–10",
        "U: distinct picks. TC: transfer consistency of the most consistent model.",
        {
            f"{task_type} (Table {number})": [
                slavic_row((language, task_type), cells.loc[(language, task_type)])
                for language in SLAVIC_LANGUAGES
            ]
            for number, task_type in enumerate(SLAVIC_TASKS, 3)
        },
    )
    yield Section(
        "Slavic, Table 11",
        "CW: coverage-weighted consistency over the eight task types.",
        {"": [table_11_row(language, now.slavic) for language in TABLE_11]},
    )


def changes(old: Studies, new: Studies) -> Iterator[Section]:
    """Set the first snapshot beside the second."""
    pairs = {
        cell: (before, after)
        for before, after in zip(old, new, strict=True)
        for cell in before.cells.index
    }
    yield Section(
        "August 2026: cells",
        "December 2025 / **August 2026**. First: the best mean rank over schemes and compositions.",
        {
            task_type: [
                changed_row(cell, *pair) for cell, pair in pairs.items() if cell[1] == task_type
            ]
            for task_type in IN_ORDER
        },
    )
    yield Section(
        "August 2026: over task types",
        "December 2025 / **August 2026**: the three models with the highest counts, and ties, as\n"
        "in Figure 4 of *Robustness*.",
        {
            "": [
                changed_agnostic(language, old.robustness, new.robustness)
                for language in ROBUSTNESS_LANGUAGES
            ]
        },
    )
    yield Section(
        "August 2026: languages",
        "December 2025 / **August 2026**, as in Table 11 of *Slavic*.",
        {"": [changed_language(language, old.slavic, new.slavic) for language in TABLE_11]},
    )


def page(folder: Path) -> Iterator[str]:
    old, new = run(folder, "dec2025"), run(folder, "aug2026")
    parts = [*sections(old), *changes(old, new)]
    yield HEAD
    yield line(["", "equal"])
    yield line(["---", "---"])
    yield from (part.summary() for part in parts)
    for part in parts:
        yield from part.lines()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the long tables and their metadata")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    arguments = parser.parse_args()
    text = "\n".join(page(arguments.data)) + "\n"
    if arguments.write:
        PAGE.write_text(text, "utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
