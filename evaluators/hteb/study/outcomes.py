"""What became of every text of a dataset under one transformation and seed, as a file."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from robustrank._atomic import replacing
from robustrank.evaluators.hteb.fields import with_texts
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.store.rows import escape, unescape
from robustrank.evaluators.hteb.study.chains import Outcome
from robustrank.evaluators.hteb.survivors import drop_incomplete, matching_original
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from robustrank.evaluators.hteb.records import Dataset, Slot

_KEY = b"robustrank-hteb"


@dataclass(frozen=True, eq=False)
class Variant:
    """A dataset as one transformation and seed left it.

    Attributes
    ----------
    original : Dataset
    slots : sequence of Slot
    outcomes : sequence of Outcome
        One per slot.
    corpus : bool
        Whether documents and candidates are among the slots.
    """

    original: Dataset
    slots: Sequence[Slot]
    outcomes: Sequence[Outcome]
    corpus: bool

    @property
    def texts(self) -> list[str | None]:
        """The transformed texts; None where there is none."""
        return [outcome.text for outcome in self.outcomes]

    @property
    def n_failed(self) -> int:
        """How many texts there is no transformed text for."""
        return sum(text is None for text in self.texts)

    @property
    def targets(self) -> list[str]:
        """The languages that were drawn, sorted."""
        return sorted({outcome.target for outcome in self.outcomes if outcome.target})

    def transformed(self) -> Dataset:
        """Return the dataset with None for texts that failed."""
        return with_texts(self.original, self.texts, corpus=self.corpus)

    def with_fallbacks(self) -> Dataset:
        """Return the dataset with the original in place of a text that failed."""
        texts = [
            slot.text if outcome.text is None else outcome.text
            for slot, outcome in zip(self.slots, self.outcomes, strict=True)
        ]
        return with_texts(self.original, texts, corpus=self.corpus)

    def without_fallbacks(self) -> tuple[Dataset, Dataset]:
        """Return what is complete without texts that failed, and the same part of the original."""
        transformed = self.transformed()
        return drop_incomplete(transformed), matching_original(self.original, transformed)

    def rates(self) -> dict[str, float]:
        """Return the shares of texts that fell back, stayed as they were or have errors.

        ``error_rate`` counts texts with any of the ten types, as *HTEB* Table 9 does; a text that
        fell back counts with the errors of its last answer.
        """
        n = max(len(self.outcomes), 1)
        unchanged = sum(
            outcome.text == slot.text
            for slot, outcome in zip(self.slots, self.outcomes, strict=True)
        )
        counts: Counter[str] = Counter()
        for outcome in self.outcomes:
            for error in outcome.errors:
                counts[error] += 1
        return {
            "fallback_rate": self.n_failed / n,
            "unchanged_rate": unchanged / n,
            "error_rate": sum(bool(outcome.errors) for outcome in self.outcomes) / n,
            **{f"{error}_rate": counts[error] / n for error in ERROR_TYPES},
        }


@dataclass(frozen=True)
class Header:
    """What a file of outcomes says of itself.

    Attributes
    ----------
    identity : str
        The settings that it belongs to; see `jobs.Job.identity`.
    digest : str
        A hash of the texts.
    n_pending : int
        Texts that failed for want of an answer, so that the next run asks again.
    """

    identity: str
    digest: str
    n_pending: int


def write_outcomes(path: Path, variant: Variant, identity: str) -> Header:
    """Write a table with a row per text."""
    outcomes = variant.outcomes
    pending = sum(outcome.pending for outcome in outcomes)
    header = Header(identity, digest([identity, variant.texts]), pending)
    columns: dict[str, Any] = {
        "ordinal": np.arange(len(outcomes)),
        "original": [escape(slot.text) for slot in variant.slots],
        "text": [outcome.text and escape(outcome.text) for outcome in outcomes],
        "output": [escape(outcome.output) for outcome in outcomes],
        "source": [outcome.source for outcome in outcomes],
        "target": [outcome.target for outcome in outcomes],
        "retries": [outcome.retries for outcome in outcomes],
        "reasons": [list(outcome.reasons) for outcome in outcomes],
        "errors": [list(outcome.errors) for outcome in outcomes],
        "first_errors": [list(outcome.first_errors) for outcome in outcomes],
    }
    lists = pa.list_(pa.string())
    types = {
        **dict.fromkeys(columns, pa.string()),
        **dict.fromkeys(("ordinal", "retries"), pa.int64()),
        **dict.fromkeys(("reasons", "errors", "first_errors"), lists),
    }
    table = pa.table({name: pa.array(columns[name], types[name]) for name in columns})
    table = table.replace_schema_metadata({_KEY: json.dumps(asdict(header)).encode()})
    with replacing(path) as file:
        pq.write_table(table, file, compression="zstd")
    return header


def read_header(path: Path) -> Header | None:
    """Read what a file of outcomes says of itself; None where there is no such file."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowInvalid):
        return None
    try:
        return Header(**json.loads(metadata[_KEY]))
    except (KeyError, TypeError, ValueError):  # another program's, or another version's
        return None


def read_outcomes(path: Path) -> list[Outcome]:
    """Read the outcomes in such a file."""
    return [
        Outcome(
            row["text"] and unescape(row["text"]),
            unescape(row["output"]),
            tuple(row["reasons"]),
            tuple(row["errors"]),
            tuple(row["first_errors"]),
            row["retries"],
            row["source"],
            row["target"],
        )
        for row in pq.read_table(path).to_pylist()
    ]
