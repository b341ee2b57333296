"""How far rankings agree, as rows of the page: Kendall's W per composition and per scheme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustrank.report.tables import format_value

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.result import Analysis


@dataclass(frozen=True)
class AgreementTable:
    """Values of W: what each is over, what it is of, and rows of label and value."""

    heading: str
    label: str
    rows: list[tuple[str, str]]


def agreement_tables(analysis: Analysis) -> list[AgreementTable]:
    """Return W over schemes for each composition, and over compositions for each scheme."""
    found = analysis.agreement
    return [
        _table("Kendall's W over ranking schemes", "Composition", found.w_schemes),
        _table("Kendall's W over dataset compositions", "Scheme", found.w_compositions),
    ]


def _table(heading: str, label: str, values: pd.Series) -> AgreementTable:
    rows = [(str(name), format_value("consistency", w)) for name, w in values.items()]
    return AgreementTable(heading, label, rows)
