"""The page of a study: the map of evidence, with what each cell says, and its tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustrank.evidence import LEVELS
from robustrank.grid.evidence_map import cell_data, map_rows, short_level, split_name
from robustrank.grid.export import main_tables
from robustrank.grid.findings import caveats, count_values, field_name, findings
from robustrank.grid.tables import readable_table, text_columns
from robustrank.grid.text import LEGEND
from robustrank.report import html
from robustrank.report.findings import format_ess

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.grid.export import TableName
    from robustrank.grid.study import Study

TITLE = "Where does this benchmark hold?"


@dataclass(frozen=True)
class PageTable:
    """A table to sort: anchor, heading, columns with whether they hold text, rows of cells.

    A cell is its text and what it sorts by.
    """

    anchor: str
    heading: str
    columns: list[tuple[str, bool]]
    rows: list[list[tuple[str, str]]]


def study_page(study: Study, title: str | None = None) -> str:
    """Return the page of a study: one file that needs no other and no network.

    Parameters
    ----------
    study : Study
    title : str, optional
        The heading; a question by default.

    Returns
    -------
    str
        HTML. The same study gives the same page.
    """
    overview, *facts = findings(study)
    first, second = map(field_name, study.plan.by)
    return html.render(
        "study",
        own_script=True,
        title=TITLE if title is None else title,
        subtitle=_subtitle(study),
        overview=overview,
        facts=[line.split(maxsplit=1) for line in facts],
        caveats=[line.split(maxsplit=1)[1] for line in caveats(study)],
        keys=_keys(study),
        fields=(first, second),
        levels=[(place, short_level(level), LEVELS[level]) for place, level in enumerate(LEVELS)],
        task_types=[split_name(name) for name in study.plan.task_types],
        rows=map_rows(study),
        data=cell_data(study),
        legend=LEGEND,
        tables=[
            _table(study, "languages", f"By {first}"),
            _table(study, "tasks", f"By {second}"),
        ],
        eligibility=_eligibility(study.eligibility.report, second),
        notes=study.notes,
        settings=html.settings_rows(study.settings),
        methods=study.methods,
        downloads=html.embed_tables(main_tables(study)),
    )


def _subtitle(study: Study) -> str:
    first, second = study.plan.by
    return (
        f"{count_values(len(study.languages), first)} and "
        f"{count_values(len(study.tasks), second)}, studied with robustrank "
        f"{study.settings['versions']['robustrank']}"
    )


def _keys(study: Study) -> list[html.Key]:
    cells = study.cells
    return [
        html.Key(f"{len(cells):,}", "cells"),
        html.Key(f"{int((cells['n'] > 0).sum()):,}", "with datasets"),
        html.Key(f"{int((cells['n_models'] > 0).sum()):,}", "ranked"),
        html.Key(f"{int(cells['ds'].sum()):,}", "with full evidence"),
        html.Key(format_ess(float(study.languages["ess"].mean())), "mean ESS"),
    ]


def _table(study: Study, name: TableName, heading: str) -> PageTable:
    cells = readable_table(study, name)
    texts = {*text_columns(cells, name)} - {"Evidence"}
    columns = [(str(column), column in texts) for column in cells.columns]
    numbers = cells.assign(Evidence=cells["ESS"])  # words sort by the score that they stand for
    rows = [
        [(text, _sort(number)) for text, number in zip(own, by, strict=True)]
        for own, by in zip(cells.to_numpy().tolist(), numbers.to_numpy().tolist(), strict=True)
    ]
    return PageTable(name, heading, columns, rows)


def _sort(text: str) -> str:
    """Return the number that a cell sorts by: of ``"3/9"`` the first; empty if there is none."""
    number = text.partition("/")[0].replace(",", "")
    return number if number.replace(".", "", 1).isdigit() else ""


def _eligibility(report: pd.DataFrame, kind: str) -> PageTable:
    columns = [(kind.capitalize(), True), ("Condition", True)]
    columns += [(str(name).capitalize(), False) for name in report.columns]
    rows = [
        [*((str(label), "") for label in labels), *((f"{n:,}", str(n)) for n in numbers)]
        for labels, numbers in zip(report.index, report.to_numpy().tolist(), strict=True)
    ]
    return PageTable("eligibility", "Which models take part", columns, rows)
