"""Blocks: what one matrix says, however many cells of the grid share it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, get_args

import pandas as pd

from robustrank._numeric import row_means
from robustrank._ranked import rank_everything
from robustrank.consistency import ConsistencyKind, transfer_consistency
from robustrank.errors import ParameterError, check_count, check_level
from robustrank.mcdm import SCHEMES, Engine, resolve_schemes
from robustrank.redundancy import check_clustering, counted_compositions
from robustrank.resampling import paired_bootstrap

if TYPE_CHECKING:
    from robustrank._linkage import Linkage
    from robustrank._numeric import Correlation
    from robustrank.agreement import Agreement
    from robustrank.matrix import ScoreMatrix
    from robustrank.notes import Note


#: What is kept of the resamples of each scheme.
STATISTICS = ("rank_low", "rank_high", "p_best", "p_top")


@dataclass(frozen=True, kw_only=True)
class BlockSettings:
    """How a block is analysed: parameters of `analyze`, and resamples of every scheme.

    All are checked, so that no worker meets a wrong one.
    """

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

    def __post_init__(self) -> None:
        check_clustering(tau=self.tau, correlation=self.correlation, linkage=self.linkage)
        for name, allowed in (("engine", Engine), ("consistency", ConsistencyKind)):
            value = getattr(self, name)
            if value not in get_args(allowed):
                known = " or ".join(map(repr, get_args(allowed)))
                raise ParameterError(f"{name} must be {known}; got {value!r}.", [value])
        plain = {
            "tau": float(self.tau),
            "confidence_level": check_level(self.confidence_level),
            "schemes": tuple(scheme.id for scheme in resolve_schemes(self.schemes)),
            "top_k": check_count("top_k", self.top_k, 1),
            **{
                name: check_count(name, getattr(self, name), 0)
                for name in ("n_compositions", "n_resamples", "seed")
            },
        }
        for name, value in plain.items():  # numbers of numpy become those of Python
            object.__setattr__(self, name, value)


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
    agreement : Agreement
        Kendall's W and rank variances.
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
    agreement: Agreement
    bootstrap: pd.DataFrame | None
    notes: tuple[Note, ...]

    @property
    def picks(self) -> list[str]:
        """Compositions that rankings are counted over: the picks, or ``all`` unless U > 1."""
        return counted_compositions(list(self.compositions.index), self.n_unique)

    @property
    def n_rankings(self) -> int:
        """Number of rankings behind W and consistency; 1 on a single dataset, where all agree."""
        return 1 if self.n <= 1 else self.ranks[self.picks].shape[1]

    def consistency(self, top_k: int, kind: ConsistencyKind) -> pd.Series:
        """Return how consistently each model is in the top of the counted rankings."""
        return transfer_consistency(self.ranks[self.picks], top_k, kind=kind)

    @cached_property
    def statistics(self) -> pd.DataFrame:
        """One row per model, by name: what does not depend on how far down the top goes.

        ``mean_rank``, ``best_rank`` and ``worst_rank`` over all schemes and compositions,
        ``share_first``, the share of these rankings that put it first (all that tie), ``mean``
        score, ``scheme_variance`` (ST, averaged over compositions), ``composition_variance`` (SN,
        averaged over schemes); with resamples, ``rank_low`` and ``rank_high`` (the widest over
        schemes), ``p_best`` and ``p_top`` (averaged over schemes).
        """
        ranks, agreement = self.ranks, self.agreement
        table = pd.DataFrame(
            {
                "mean_rank": ranks.mean(axis=1),
                "best_rank": ranks.min(axis=1),
                "worst_rank": ranks.max(axis=1),
                "share_first": ranks.eq(ranks.min()).mean(axis=1),
                "mean": self.mean,
                "scheme_variance": agreement.scheme_variance.mean(axis=1),
                "composition_variance": agreement.composition_variance.mean(axis=1),
            }
        )
        if self.bootstrap is not None:
            low, high, first, top = (
                self.bootstrap.loc[:, (slice(None), name)] for name in STATISTICS
            )
            table["rank_low"], table["rank_high"] = low.min(axis=1), high.max(axis=1)
            table["p_best"], table["p_top"] = first.mean(axis=1), top.mean(axis=1)
        return table.sort_index().rename_axis("model")


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
        mean=pd.Series(row_means(matrix.scores.to_numpy()), index=matrix.scores.index, name="mean"),
        ranks=found.rankings.ranks,
        agreement=found.agreement,
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
        interval = found.rank_interval
        columns = (interval["low"], interval["high"], found.p_best, found.p_top)
        parts |= {(scheme, name): part for name, part in zip(STATISTICS, columns, strict=True)}
    return pd.DataFrame(parts).rename_axis(columns=["scheme", "statistic"])
