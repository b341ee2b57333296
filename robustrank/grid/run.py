"""Running the blocks of a grid, side by side where joblib has workers."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from robustrank._remarks import remarks
from robustrank.grid.block import Block, BlockSettings, rank_block
from robustrank.grid.store import BlockStore, block_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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
    known: Mapping[BlockId, Block],
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
    known : mapping of BlockId to Block
        Blocks that an earlier study with other settings made, and these would make alike.

    Returns
    -------
    dict
        In the order of `matrices`.
    """
    from joblib import delayed  # noqa: PLC0415 - loaded only when needed

    found = dict(known)
    todo: dict[BlockId, str] = {}
    for name, matrix in matrices.items():
        if name in found:
            continue
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
    jobs = (
        delayed(_rank_named)(place, matrices[name], settings) for place, name in enumerate(order)
    )
    for place, block in _as_they_come(jobs, n_jobs):
        name = order[place]
        found[name] = block
        if store is not None:
            store.put(todo[name], block)
        reporter.advance()
    return {name: found[name] for name in matrices}


def _as_they_come(jobs: Iterable[Any], n_jobs: int | None) -> Iterator[tuple[int, Block]]:
    """Run jobs side by side and yield each result when it is there."""
    from joblib import Parallel, effective_n_jobs  # noqa: PLC0415 - loaded only when needed

    try:
        parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:
        # A backend that returns results when all are there, such as Ray's, is asked for a few.
        parallel, left = Parallel(n_jobs=n_jobs), iter(jobs)
        while batch := list(islice(left, 4 * effective_n_jobs(n_jobs))):
            yield from parallel(batch)
    else:
        yield from parallel(jobs)


def reread_blocks(
    blocks: Mapping[BlockId, Block],
    matrices: Mapping[BlockId, ScoreMatrix],
    made: BlockSettings,
    wanted: BlockSettings,
) -> dict[BlockId, Block]:
    """Return the blocks that `wanted` ranks as `made` did, with what it remarks on them.

    Resamples are not drawn here: a block that needs some is left out.
    """
    same = _agree(made, wanted, _READINGS) and wanted.n_resamples == 0
    same_alone = _agree(made, wanted, (*_READINGS, *_CLUSTERING))
    return {
        name: _reread(block, matrices[name], made.top_k, wanted.top_k)
        for name, block in blocks.items()
        if (same_alone if len(name.datasets) == 1 else same)
    }


#: Settings that change how rankings are read and resampled, and not the rankings.
_READINGS = ("top_k", "consistency", "n_resamples", "confidence_level")
#: Settings that change nothing on a single dataset, which is not resampled either.
_CLUSTERING = ("tau", "correlation", "linkage", "n_compositions", "seed")


def _agree(made: BlockSettings, wanted: BlockSettings, apart_from: Iterable[str]) -> bool:
    return replace(made, **{name: getattr(wanted, name) for name in apart_from}) == wanted


def _reread(block: Block, matrix: ScoreMatrix, before: int, after: int) -> Block:
    if block.bootstrap is not None:
        block = replace(block, bootstrap=None)
    if len(matrix.scores) > max(before, after):
        return block  # no remark speaks of top_k
    said = remarks(matrix, block.n, before)
    new = [note for note in remarks(matrix, block.n, after) if note not in matrix.notes]
    rest = [note for note in block.notes if note not in said]
    return replace(block, notes=(*new, *rest))


def _rank_named(place: int, matrix: ScoreMatrix, settings: BlockSettings) -> tuple[int, Block]:
    return place, rank_block(matrix, settings)
