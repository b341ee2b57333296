"""`study`: read a benchmark, lay out the grid, rank every cell, collect the tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from robustrank._progress import show_progress
from robustrank._versions import library_versions
from robustrank.errors import ParameterError, check_count
from robustrank.grid.assemble import assemble
from robustrank.grid.block import BlockSettings
from robustrank.grid.eligibility import apply_filter, filter_notes
from robustrank.grid.filters import ModelFilter
from robustrank.grid.layout import Level
from robustrank.grid.plan import plan_grid, scored_in_language
from robustrank.grid.source import Source
from robustrank.grid.store import BlockStore
from robustrank.mcdm import SCHEMES, resolve_schemes
from robustrank.readers.dispatch import load
from robustrank.readers.partial import Partial

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    import pandas as pd

    from robustrank._linkage import Linkage
    from robustrank._numeric import Correlation
    from robustrank.consistency import ConsistencyKind
    from robustrank.grid.study import Study
    from robustrank.matrix import ScoreMatrix
    from robustrank.mcdm import Engine
    from robustrank.readers.duplicates import OnDuplicate

    Table = str | os.PathLike[str] | pd.DataFrame


@dataclass(frozen=True)
class Preset:
    """A published protocol: which models and languages take part.

    Attributes
    ----------
    filters : ModelFilter
    min_datasets : int
        Languages with fewer are left out.
    """

    filters: ModelFilter = field(default_factory=ModelFilter)
    min_datasets: int = 1


#: The protocol of *Robustness* and *Slavic*, as inferred from their figures, under ``"papers"``.
PRESETS = {
    "papers": Preset(
        ModelFilter(
            open_weights=True,
            zero_shot=True,
            known=("n_parameters", "embed_dim", "max_tokens"),
            complete="task-type",
        ),
        min_datasets=2,
    )
}


def study(
    results: Table | ScoreMatrix,
    *,
    by: tuple[str, str] = ("language", "task_type"),
    tasks: Table | None = None,
    models: Table | None = None,
    preset: str | None = None,
    languages: str | Iterable[str] | None = None,
    task_types: str | Iterable[str] | None = None,
    level: Level = "task",
    filters: ModelFilter | None = None,
    min_datasets: int | None = None,
    min_coverage: float = 0.1,
    partial_scores: Partial = "keep",
    on_duplicate: OnDuplicate = "error",
    tau: float = 0.9,
    correlation: Correlation = "pearson",
    linkage: Linkage = "single",
    n_compositions: int = 3,
    schemes: str | Iterable[str] = tuple(SCHEMES),
    engine: Engine = "numpy",
    top_k: int = 10,
    consistency: ConsistencyKind = "rank-weighted",
    saturation: int = 5,
    n_resamples: int = 0,
    confidence_level: float = 0.95,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Study:
    """Analyse every language and task type of a benchmark.

    Each cell of the grid ranks the models by every scheme, on the datasets of a task type that
    include a language.

    Parameters
    ----------
    results : path, DataFrame or ScoreMatrix
        A long table (one row per model, dataset, split and subset), a folder of MTEB results, or
        anything else that `robustrank.read` understands.
    by : tuple of str
        The two fields of the dataset metadata that the grid is laid out by. What is said here of
        languages and task types then holds for their values.
    tasks, models : path or DataFrame, optional
        Metadata, one row per dataset or model. A dataset exists if it is there: one without
        results counts in n, and a note names it.
    preset : {"papers"}, optional
        The protocol of the papers: models with open weights, zero-shot on all of the task type,
        with known parameters, dimensions and tokens, complete on all datasets of the task type;
        languages with two datasets or more.
    languages, task_types : str or iterable of str, optional
        Codes (ISO 639-3) and task types; all by default.
    level : {"task", "language"}
        Whether a score is the mean over all languages of its dataset, so that a language only
        selects the datasets (as in the papers), or over the subsets in that language.
    filters : ModelFilter, optional
        Which models take part, besides the preset's conditions.
    min_datasets : int, optional
        Languages with fewer datasets, over all task types that exist, are left out, unless named;
        1, or what the preset says.
    min_coverage : float
        A dataset is without results if a smaller share of the models has a score on it, among those
        with any score on its task type.
    partial_scores : {"keep", "drop"}
        Whether a score that averages only a part of its dataset is kept or missing.
    on_duplicate : {"error", "latest", "mean"}
        See `robustrank.read`.
    tau, correlation, linkage, n_compositions, schemes, engine, top_k, consistency
        As in `robustrank.analyze`; `top_k` is η.
    saturation : int
        Number of datasets from which more add nothing to the first term of the Evidence Strength
        Score.
    n_resamples : int
        Resamples of the datasets of each cell, under which every scheme ranks anew; none by
        default.
    confidence_level : float
        Of the rank intervals under resampling.
    seed : int
        Drives the draws of compositions and resamples, in every cell alike.
    folder : path, optional
        Rankings are written there as they come, and found again by a later run.
    n_jobs : int, optional
        As in joblib: processes to use, -1 for all cores; None is one, or what
        `joblib.parallel_config` says, such as a Dask or Ray cluster.
    progress : bool
        Show a progress bar on stderr.

    Returns
    -------
    Study

    Raises
    ------
    InputError
        A `ValueError` that names what is wrong and the remedy.

    References
    ----------
    Gjorgjevikj et al., *On the Robustness of Multilingual Text Embedding Rankings* (2026), §3-§5;
    the same authors, *Dataset Scarcity Limits Robust Evaluation of Multilingual Embedding Models*
    (2026).

    Examples
    --------
    >>> import robustrank as rr
    >>> found = rr.study(rr.load_example(), languages=["slv", "pol"])
    >>> found.languages["evaluable_tasks"].to_dict()
    {'slv': 5, 'pol': 7}
    """
    chosen = _preset(preset)
    if level not in get_args(Level):
        raise ParameterError(f"level must be 'task' or 'language'; got {level!r}.", [level])
    fewest = chosen.min_datasets if min_datasets is None else min_datasets
    fewest = check_count("min_datasets", fewest, 0)
    saturation = check_count("saturation", saturation, 1)
    _check(min_coverage=min_coverage, n_jobs=n_jobs, filters=filters)
    if partial_scores not in get_args(Partial):
        raise ParameterError(f"partial_scores must be 'keep' or 'drop'; got {partial_scores!r}.")
    block = BlockSettings(
        tau=tau,
        correlation=correlation,
        linkage=linkage,
        n_compositions=n_compositions,
        schemes=tuple(scheme.id for scheme in resolve_schemes(schemes)),
        engine=engine,
        top_k=top_k,
        consistency=consistency,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        seed=seed,
    )
    wanted = chosen.filters if filters is None else chosen.filters & filters
    with show_progress(quiet=not progress) as reporter:
        reporter.begin("Reading", 1)
        loaded = load(
            results,
            tasks=tasks,
            models=models,
            on_duplicate=on_duplicate,
            partial=partial_scores,
            summary="error",
            direction=None,
            scale="auto",
            progress=None,
        )
        reporter.advance()
        source = Source.of(loaded, drop_partial=partial_scores == "drop")
        plan = plan_grid(
            source,
            by,
            languages=languages,
            task_types=task_types,
            min_datasets=fewest,
            min_coverage=min_coverage,
        )
        if level == "language" and not (source.knows_languages and plan.by[0] == "language"):
            raise ParameterError(
                "level='language' needs scores per language, and languages as the first field of "
                "by=: give a long table with a column of languages or a folder of MTEB results, or "
                "use level='task'."
            )
        if level == "language":
            plan = scored_in_language(plan, source, min_coverage)
        eligibility = apply_filter(wanted, source.matrix, plan.groups, plan.by[1])
        settings: dict[str, Any] = {
            "by": list(plan.by),
            "preset": preset,
            "languages": plan.languages,
            "task_types": plan.task_types,
            "level": level,
            "filters": wanted.to_dict(),
            "min_datasets": fewest,
            "min_coverage": min_coverage,
            "partial_scores": partial_scores,
            "on_duplicate": on_duplicate,
            **asdict(block),
            "saturation": saturation,
            "versions": library_versions(),
        }
        return assemble(
            source,
            plan,
            eligibility,
            settings,
            block,
            notes=(*source.matrix.notes, *plan.notes, *filter_notes(eligibility)),
            store=None if folder is None else BlockStore(Path(folder) / "blocks"),
            n_jobs=n_jobs,
            reporter=reporter,
        )


def _preset(name: str | None) -> Preset:
    if name is None:
        return Preset()
    if name not in PRESETS:
        known = ", ".join(map(repr, PRESETS))
        raise ParameterError(f"Unknown preset {name!r}; known: {known}.", [name])
    return PRESETS[name]


def _check(*, min_coverage: object, n_jobs: object, filters: object) -> None:
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or n_jobs == 0):
        raise ParameterError(
            f"n_jobs is a number of processes, or -1 for all cores; got {n_jobs!r}."
        )
    if not isinstance(min_coverage, Real) or not 0.0 <= float(min_coverage) <= 1.0:
        raise ParameterError(f"min_coverage is a share between 0 and 1; got {min_coverage!r}.")
    if filters is not None and not isinstance(filters, ModelFilter):
        raise ParameterError(
            "filters must be a ModelFilter, such as ModelFilter(open_weights=True); got "
            f"{filters!r}."
        )
