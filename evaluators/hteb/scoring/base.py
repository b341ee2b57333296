"""What the scoring of a dataset takes, an encoder, and what it gives, a score."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

import numpy as np
import pandas as pd

from robustrank.notes import Note, merge_notes, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from robustrank.evaluators.hteb.vectors import Vectors

#: What a text is to the model: some have prompts of their own for queries and documents.
Role = Literal["text", "query", "document"]


@runtime_checkable
class Encoder(Protocol):
    """A model, ready for the texts of one dataset.

    Attributes
    ----------
    name : str
        What to call the model in messages.
    """

    name: str

    def encode(self, texts: Sequence[str], *, role: Role) -> Vectors:
        """Return one vector per text, shape (n, d)."""
        ...

    def similarity(self, a: Vectors, b: Vectors) -> Vectors:
        """Return how similar each vector of `a` is to each of `b`, by the model's own function."""
        ...


@dataclass(frozen=True)
class Settings:
    """What a protocol leaves to the user.

    Attributes
    ----------
    seed : int
        Of classifiers, clusterings and samples of texts.
    kmeans_batch_size : int
        Texts per step of mini-batch k-means.
    ignore_identical_ids : bool
        Whether a document with the id of the query is left out of its results.
    """

    seed: int = 42
    kmeans_batch_size: int = 500
    ignore_identical_ids: bool = False


@dataclass(frozen=True, eq=False)
class Score:
    """How well a model does on a dataset.

    Attributes
    ----------
    metric : str
        ``"accuracy"``, ``"v_measure"``, ``"average_precision"``, ``"cosine_spearman"``, ``"map"``,
        ``"ndcg_at_10"`` and the like; ``"mean_cosine_spearman"`` is a mean of correlations, to
        which the standard error of a single one does not apply.
    value : float
        On 0..1, correlations on -1..1; NaN where it is undefined, and a note says why.
    n : int
        Number of instances: texts, pairs, queries or machine summaries.
    instances : DataFrame or None
        One row per instance. Where the score is the mean of something, ``instance`` (the number of
        the record, or the id of the query) and ``score``; for correlations, average precision over
        pairs and the like, ``predicted`` and ``gold`` instead of ``score``. ``subset`` is there if
        the dataset has several. None where there is nothing of the kind.
    subsets : mapping of str to float
        Score per subset (language), where the value is a mean over several.
    notes : tuple of Note
    """

    metric: str
    value: float
    n: int
    instances: pd.DataFrame | None = None
    subsets: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class Part:
    """The score of one subset; see `Score`."""

    value: float
    n: int
    instances: pd.DataFrame | None = None
    notes: tuple[Note, ...] = ()


def undefined(n: int, why: str) -> Part:
    """Return the score of a subset that has none; `why` is a sentence."""
    return Part(np.nan, n, notes=(Note("undefined-score", why),))


def split_subsets(labels: Sequence[str | None], *, pool: bool) -> dict[str, NDArray[np.intp]]:
    """Return which rows belong to which subset, in order of appearance; pooled, to one."""
    if pool or len(labels) == 0:
        return {"": np.arange(len(labels))}
    codes, names = pd.factorize(np.array([label or "" for label in labels], dtype="object"))
    return {str(name): np.flatnonzero(codes == code) for code, name in enumerate(names)}


def combine(metric: str, parts: Mapping[str, Part], *, mean_metric: str | None = None) -> Score:
    """Average the scores of subsets; undefined if one of them is.

    Leaving out a subset that is undefined for one model only would compare models on different
    data.
    """
    notes = merge_notes(*(part.notes for part in parts.values()))
    tables = [
        part.instances.assign(subset=name) if len(parts) > 1 else part.instances
        for name, part in parts.items()
        if part.instances is not None
    ]
    instances = pd.concat(tables, ignore_index=True) if len(tables) == len(parts) else None
    n = sum(part.n for part in parts.values())
    values = {name: part.value for name, part in parts.items()}
    if len(parts) == 1:
        [value] = values.values()
        return Score(metric, value, n, instances, notes=notes)
    missing = [name for name, value in values.items() if np.isnan(value)]
    if missing:
        sentence = f"The mean over subsets is undefined, because these are: {name_some(missing)}."
        notes = (*notes, Note("undefined-subsets", sentence, tuple(missing)))
    return Score(
        mean_metric or metric,
        float(np.mean(list(values.values()))),
        n,
        instances,
        subsets=values,
        notes=notes,
    )
