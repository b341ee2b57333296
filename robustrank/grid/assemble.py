"""From a plan to a `Study`: rank the blocks, then tell the cells what they say."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from robustrank._progress import Silent
from robustrank.errors import EmptyMatrixError, unknown_label
from robustrank.grid.across import coverage_weighted, language_table, task_table
from robustrank.grid.cells import cell_table
from robustrank.grid.layout import block_matrices, block_of
from robustrank.grid.run import reread_blocks, run_blocks
from robustrank.grid.study import Study
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from robustrank._progress import Reporter
    from robustrank.grid.block import Block, BlockSettings
    from robustrank.grid.eligibility import Eligibility
    from robustrank.grid.layout import BlockId
    from robustrank.grid.plan import Plan
    from robustrank.grid.source import Source
    from robustrank.grid.store import BlockStore
    from robustrank.matrix import ScoreMatrix


def assemble(
    source: Source,
    plan: Plan,
    eligibility: Eligibility,
    settings: dict[str, Any],
    how: BlockSettings,
    *,
    notes: tuple[Note, ...],
    store: BlockStore | None,
    n_jobs: int | None,
    reporter: Reporter,
    matrices: dict[BlockId, ScoreMatrix] | None = None,
    known: Mapping[BlockId, Block] = MappingProxyType({}),
) -> Study:
    """Rank every block of a plan that is not known yet, and collect the tables."""
    level, top_k, kind = settings["level"], how.top_k, how.consistency
    if matrices is None:
        matrices = _matrices(source, plan, eligibility, settings)
    found = run_blocks(matrices, how, store=store, n_jobs=n_jobs, reporter=reporter, known=known)
    # Where no dataset tells two models apart, there is no ranking.
    blocks = {name: block for name, block in found.items() if block.n > 0}
    cells = cell_table(
        plan,
        lambda cell: blocks.get(block_of(cell, level)),
        lambda cell: matrices.get(block_of(cell, level)),
        top_k=top_k,
        kind=kind,
        saturation=settings["saturation"],
    )
    of_block = {name: block.consistency(top_k, kind) for name, block in blocks.items()}
    consistency = {
        (cell.language, cell.task_type): of_block[block_of(cell, level)]
        for cell in plan.cells
        if block_of(cell, level) in of_block
    }
    weighted = coverage_weighted(
        consistency,
        source.matrix.scores.index,
        plan.languages,
        len(plan.task_types),
        plan.by[0],
    )
    return Study(
        cells=cells,
        languages=language_table(cells, weighted, plan.sizes),
        tasks=task_table(cells, eligibility.models.sum()),
        coverage_weighted=weighted,
        eligibility=eligibility,
        notes=merge_notes(notes, _notes(cells)),
        settings=settings,
        plan=plan,
        source=source,
        blocks=blocks,
        matrices=matrices,
        remake=partial(
            _remake,
            source,
            plan,
            eligibility,
            settings,
            how,
            notes=notes,
            store=store,
            n_jobs=n_jobs,
            matrices=matrices,
            blocks=found,
        ),
    )


def _remake(
    source: Source,
    plan: Plan,
    eligibility: Eligibility,
    settings: dict[str, Any],
    how: BlockSettings,
    *,
    notes: tuple[Note, ...],
    store: BlockStore | None,
    n_jobs: int | None,
    matrices: dict[BlockId, ScoreMatrix],
    blocks: dict[BlockId, Block],
    **changes: Any,
) -> Study:
    """Assemble a study with other settings of its blocks, from what is the same under them."""
    for name in changes:
        if name not in asdict(how):
            raise unknown_label("setting of the rankings", name, asdict(how))
    wanted = replace(how, **changes)
    return assemble(
        source,
        plan,
        eligibility,
        settings | asdict(wanted),
        wanted,
        notes=notes,
        store=store,
        n_jobs=n_jobs,
        reporter=Silent(),
        matrices=matrices,
        known=reread_blocks(blocks, matrices, how, wanted),
    )


def _matrices(
    source: Source, plan: Plan, eligibility: Eligibility, settings: dict[str, Any]
) -> dict[BlockId, ScoreMatrix]:
    if not any(cell.scored for cell in plan.cells):
        raise EmptyMatrixError("No dataset of these cells has results: name other ones.")
    matrices = block_matrices(plan, source, eligibility, settings["level"])
    if not matrices:
        raise EmptyMatrixError(
            "No cell has two models that meet the filter and have all scores: "
            f"{_describe_filter(settings)}. Loosen it, or look at what read() says of the scores."
        )
    return matrices


def _describe_filter(settings: dict[str, Any]) -> str:
    parts = [f"{name}={value!r}" for name, value in settings["filters"].items()]
    return ", ".join(parts) or "no filter was set"


def _notes(cells: pd.DataFrame) -> list[Note]:
    notes = []
    bare = cells[(cells["n_scored"] > 0) & (cells["n_models"] == 0)]
    if len(bare):
        shown = [" ".join(cell) for cell in bare.index.to_list()]
        message = (
            f"{count(len(bare), 'cell')} with results, but fewer than two models that meet the "
            f"filter and have all scores, or none that differ, so not ranked: {name_some(shown)}."
        )
        notes.append(Note("unranked-cells", message, tuple(shown)))
    doubtful = cells[cells["partial"].notna()]
    if len(doubtful):
        shown = [
            f"{' '.join(cell)}: {model} ({scores})"
            for cell, model, scores in zip(
                doubtful.index.to_list(),
                doubtful["most_consistent_model"],
                doubtful["partial"],
                strict=True,
            )
        ]
        message = (
            f"In {count(len(doubtful), 'cell')} a most consistent model has a score that averages "
            f"only a part of its dataset, which it may owe its place to: {name_some(shown, 4)}. "
            "partial_scores='drop' (--partial drop) leaves such scores out."
        )
        labels = tuple(" ".join(cell) for cell in doubtful.index.to_list())
        notes.append(Note("partial-leaders", message, labels))
    return notes
