"""Blocks: what one matrix says, however many cells of the grid share it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank._ranked import rank_everything
from robustrank.agreement import Agreement, assess_agreement
from robustrank.consistency import ConsistencyKind, transfer_consistency
from robustrank.mcdm import SCHEMES
from robustrank.resampling import paired_bootstrap

if TYPE_CHECKING:
    from robustrank._linkage import Linkage
    from robustrank._numeric import Correlation
    from robustrank.matrix import ScoreMatrix
    from robustrank.mcdm import Engine
    from robustrank.notes import Note


@dataclass(frozen=True, kw_only=True)
class BlockSettings:
    """How a block is analysed: parameters of `analyze`, and resamples of every scheme."""

    tau: float
    correlation: Correlation
    linkage: Linkage
    n_compositions: int
    schemes: tuple[str, ...]
    engine: Engine
    top_k: int
    consistency: ConsistencyKind
    n_resamples: int
    confidence_level: float
    seed: int


@dataclass(frozen=True, eq=False)
class Block:
    """The rankings of the models of one matrix, and what they rest on.

    Attributes
    ----------
    n, q, n_unique : int
        Numbers of datasets that tell models apart, of their clusters, and of distinct picks.
    clusters : Series of int
        Dataset → cluster.
    compositions : DataFrame of bool
        Composition × dataset.
    merges : DataFrame
        Merges of clusters, strongest first; see `Redundancy`.
    mean : Series
        Mean score of each model.
    ranks : DataFrame, model × (composition, scheme)
    bootstrap : DataFrame or None
        Model × (scheme, statistic): ``rank_low``, ``rank_high``, ``p_best`` and ``p_top`` under
        resampled datasets. None if there were no resamples, or is a single dataset.
    notes : tuple of Note
        Those of the matrix, which speak of the whole source, left out.
    """

    n: int
    q: int
    n_unique: int
    clusters: pd.Series
    compositions: pd.DataFrame
    merges: pd.DataFrame
    mean: pd.Series
    ranks: pd.DataFrame
    bootstrap: pd.DataFrame | None
    notes: tuple[Note, ...]

    @property
    def picks(self) -> list[str]:
        """Compositions that rankings are counted over: the picks, or ``all`` unless U > 1."""
        return list(self.compositions.index[1:]) if self.n_unique > 1 else ["all"]

    @property
    def n_rankings(self) -> int:
        """Number of rankings behind W and consistency; 1 on a single dataset, where all agree."""
        return 1 if self.n <= 1 else self.ranks[self.picks].shape[1]

    @cached_property
    def agreement(self) -> Agreement:
        """Kendall's W and rank variances."""
        return assess_agreement(self.ranks, self.picks)

    def consistency(self, top_k: int, kind: ConsistencyKind) -> pd.Series:
        """Return how consistently each model is in the top of the counted rankings."""
        return transfer_consistency(self.ranks[self.picks], top_k, kind=kind)


def rank_block(matrix: ScoreMatrix, settings: BlockSettings) -> Block:
    """Rank the models of a complete matrix by every scheme and composition."""
    found = rank_everything(
        matrix,
        tau=settings.tau,
        correlation=settings.correlation,
        linkage=settings.linkage,
        n_compositions=settings.n_compositions,
        schemes=tuple(SCHEMES[name] for name in settings.schemes),
        engine=settings.engine,
        top_k=settings.top_k,
        consistency=settings.consistency,
        seed=settings.seed,
        tell=_say_nothing,
    )
    redundancy = found.redundancy
    resampled = settings.n_resamples > 0 and redundancy.n > 1
    return Block(
        n=redundancy.n,
        q=redundancy.q,
        n_unique=redundancy.n_unique,
        clusters=redundancy.clusters,
        compositions=redundancy.compositions,
        merges=redundancy.merges,
        mean=matrix.scores.mean(axis=1),
        ranks=found.rankings.ranks,
        bootstrap=_resample(matrix, settings) if resampled else None,
        notes=tuple(note for note in found.notes if note not in matrix.notes),
    )


def _say_nothing(_: str) -> None:
    pass


def _resample(matrix: ScoreMatrix, settings: BlockSettings) -> pd.DataFrame:
    """Resample the datasets, the same draws for every scheme."""
    parts: dict[Any, pd.Series] = {}
    for scheme in settings.schemes:
        found = paired_bootstrap(
            matrix,
            aggregate=scheme,
            n_resamples=settings.n_resamples,
            confidence_level=settings.confidence_level,
            top_k=settings.top_k,
            seed=settings.seed,
        )
        parts[scheme, "rank_low"] = found.rank_interval["low"]
        parts[scheme, "rank_high"] = found.rank_interval["high"]
        parts[scheme, "p_best"] = found.p_best
        parts[scheme, "p_top"] = found.p_top
    return pd.DataFrame(parts).rename_axis(columns=["scheme", "statistic"])
