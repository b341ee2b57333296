"""`DecisionSupport`: what would change the answer, question by question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from robustrank._atomic import write_text
from robustrank._json import json_safe
from robustrank._text import printable, wrap
from robustrank.presenting import as_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

    from robustrank.acceptability import Acceptability
    from robustrank.confidence_sets import ConfidenceSet, RankSets
    from robustrank.flips import SmallestChange
    from robustrank.influence import Influence
    from robustrank.notes import Note
    from robustrank.planning import DatasetsNeeded
    from robustrank.presenting import Answer
    from robustrank.short_suites import ShortSuite
    from robustrank.winners import Winner

#: The questions by the attribute that holds the answer, in the order of a report.
QUESTIONS: Final = {
    "acceptability": "Who can be first under some weighting?",
    "change": "What is the smallest change that puts another model first?",
    "influence": "Which datasets decide the top?",
    "ranks": "Which ranks are certain?",
    "best": "Which models may be the best?",
    "needed": "How many datasets would it take to tell the first two apart?",
    "suite": "How few datasets keep the ranking?",
    "winner": "How good is the leader, given that it was chosen for leading?",
}


@dataclass(frozen=True, eq=False, repr=False)
class DecisionSupport:
    """Answers to what a person who has to choose by a ranking asks next.

    Attributes
    ----------
    acceptability : Acceptability or None
        Who can be first, over all weightings: see `smaa`. None, here and below, for a question that
        the matrix cannot answer; `left_out` says why.
    change : SmallestChange or None
        The smallest change for any model to pass the leader: see `smallest_change`.
    influence : Influence or None
        What leaving out each dataset does: see `dataset_influence`.
    ranks : RankSets or None
        Ranks of all models with joint confidence: see `rank_confidence_sets`.
    best : ConfidenceSet or None
        Models that may be the best: see `model_confidence_set`.
    needed : DatasetsNeeded or None
        Datasets that it takes to tell the leader from the runner-up: see `datasets_needed`.
    suite : ShortSuite or None
        The fewest datasets that keep the ranking: see `short_suite`.
    winner : Winner or None
        The leader's mean, corrected for selection: see `correct_winner`.
    left_out : dict of str to str
        Attribute → why the matrix cannot answer.
    settings : dict
    notes : tuple of Note
    """

    acceptability: Acceptability | None
    change: SmallestChange | None
    influence: Influence | None
    ranks: RankSets | None
    best: ConfidenceSet | None
    needed: DatasetsNeeded | None
    suite: ShortSuite | None
    winner: Winner | None
    left_out: dict[str, str]
    settings: dict[str, Any]
    notes: tuple[Note, ...] = ()

    def answers(self) -> Iterator[tuple[str, Answer]]:
        """Yield the attribute and the answer of each question that has one."""
        for name in QUESTIONS:
            answer = getattr(self, name)
            if answer is not None:
                yield name, answer

    def summary(self) -> str:
        """Return each question with its answer in a few sentences, for a terminal."""
        said = {name: f"Not answered: {reason}" for name, reason in self.left_out.items()}
        said |= {name: answer.headline for name, answer in self.answers()}
        return "\n\n".join(
            f"{question}\n{wrap(printable(said[name]))}" for name, question in QUESTIONS.items()
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values; a question without an answer has None."""
        answered = {name: answer.to_dict() for name, answer in self.answers()}
        safe: dict[str, Any] = json_safe(
            {
                **{name: answered.get(name) for name in QUESTIONS},
                "left_out": self.left_out,
                "settings": self.settings,
                "notes": [note.to_dict() for note in self.notes],
            }
        )
        return safe

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the summary, and what each answer saves into a folder of its own.

        Parameters
        ----------
        folder : path
            Made if needed. Files of the same names are replaced.

        Returns
        -------
        list of Path
            ``summary.txt``, ``results.json`` and the files of each answer.

        Raises
        ------
        InputError
            If `folder` is no path or a file, or a file cannot be written.
        """
        target = as_folder(folder)
        written = [path for name, answer in self.answers() for path in answer.save(target / name)]
        whole = json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        return [
            write_text(target / "summary.txt", self.summary()),
            write_text(target / "results.json", whole),
            *written,
        ]

    def __repr__(self) -> str:
        return f"DecisionSupport\n\n{self.summary()}"
