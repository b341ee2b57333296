"""Running the blocks of a grid, side by side where joblib has workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank.grid.block import Block, BlockSettings, rank_block
from robustrank.grid.store import BlockStore, block_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank._progress import Reporter
    from robustrank.grid.layout import BlockId
    from robustrank.matrix import ScoreMatrix


def run_blocks(
    matrices: Mapping[BlockId, ScoreMatrix],
    settings: BlockSettings,
    *,
    store: BlockStore | None,
    n_jobs: int | None,
    reporter: Reporter,
) -> dict[BlockId, Block]:
    """Rank every matrix, or find it among those ranked before.

    Parameters
    ----------
    matrices : mapping of BlockId to ScoreMatrix
        Complete ones.
    settings : BlockSettings
    store : BlockStore, optional
        Where blocks are looked for, and written as they come.
    n_jobs : int, optional
        As in joblib: None is 1, or what `joblib.parallel_config` says.
    reporter : Reporter

    Returns
    -------
    dict
        In the order of `matrices`.
    """
    from joblib import Parallel, delayed  # noqa: PLC0415 - loaded only when needed

    found: dict[BlockId, Block] = {}
    todo: dict[BlockId, str] = {}
    for name, matrix in matrices.items():
        key = block_key(matrix, settings)
        earlier = None if store is None else store.get(key)
        if earlier is None:
            todo[name] = key
        else:
            found[name] = earlier
    reporter.begin("Ranking", len(matrices))
    reporter.advance(len(found))
    # The largest first: the last one then keeps no worker waiting for long.
    order = sorted(todo, key=lambda name: matrices[name].scores.size, reverse=True)
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    jobs = (
        delayed(_rank_named)(place, matrices[name], settings) for place, name in enumerate(order)
    )
    for place, block in parallel(jobs):
        name = order[place]
        found[name] = block
        if store is not None:
            store.put(todo[name], block)
        reporter.advance()
    return {name: found[name] for name in matrices}


def _rank_named(place: int, matrix: ScoreMatrix, settings: BlockSettings) -> tuple[int, Block]:
    return place, rank_block(matrix, settings)
