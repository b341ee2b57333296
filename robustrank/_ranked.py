"""What rankings alone say of a matrix: clusters, every scheme and composition, agreement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from robustrank._arrange import by_content
from robustrank._complete import rank_complete
from robustrank._remarks import remarks
from robustrank.agreement import Agreement, assess_agreement
from robustrank.notes import Note, merge_notes
from robustrank.redundancy import Redundancy, find_redundancy

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import pandas as pd

    from robustrank._linkage import Linkage
    from robustrank._numeric import Correlation
    from robustrank.matrix import ScoreMatrix
    from robustrank.mcdm import Engine, Rankings, Scheme


@dataclass(frozen=True, eq=False)
class Ranked:
    """Clusters of the datasets, all rankings of the models, and whether these agree."""

    redundancy: Redundancy
    rankings: Rankings
    agreement: Agreement
    notes: tuple[Note, ...]


def rank_everything(
    matrix: ScoreMatrix,
    *,
    tau: float,
    correlation: Correlation,
    linkage: Linkage,
    n_compositions: int,
    schemes: tuple[Scheme, ...],
    engine: Engine,
    top_k: int,
    seed: int | np.random.Generator,
    tell: Callable[[str], None],
) -> Ranked:
    """Cluster datasets, and rank models by every scheme on every composition.

    `matrix` is that after the missing-data policy; the parameters are those of `analyze`.
    """
    # Statistics see rows and columns in an order of content: how the table was arranged and named
    # then changes no bit of the result.
    work = by_content(matrix)
    tell("Clustering datasets")
    redundancy = find_redundancy(
        work,
        tau,
        correlation=correlation,
        linkage=linkage,
        n_compositions=n_compositions,
        seed=seed,
    )
    tell("Ranking by every scheme and composition")
    rankings = rank_complete(work, redundancy.compositions, schemes, engine, matrix.scores)
    agreement = assess_agreement(rankings.ranks, redundancy.picks)
    return Ranked(
        redundancy=_in_order(redundancy, matrix.scores.columns),
        rankings=rankings,
        agreement=agreement,
        notes=merge_notes(
            matrix.notes,
            remarks(matrix, redundancy.n, top_k),
            redundancy.notes,
            rankings.notes,
            agreement.notes,
        ),
    )


def _in_order(redundancy: Redundancy, datasets: pd.Index) -> Redundancy:
    """Return the tables with datasets in the order of the matrix that was given."""
    return replace(
        redundancy,
        correlation=redundancy.correlation.loc[datasets, datasets],
        clusters=redundancy.clusters.loc[datasets],
        compositions=redundancy.compositions[datasets],
    )
