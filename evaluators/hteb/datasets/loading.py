"""From the name of a dataset, or the path of what describes it, to its rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robustrank.errors import unknown_label
from robustrank.evaluators.hteb import views
from robustrank.evaluators.hteb.datasets.definitions import load_definitions, read_definition
from robustrank.evaluators.hteb.datasets.filtering import filter_rows
from robustrank.evaluators.hteb.datasets.hub import load_from_hub
from robustrank.evaluators.hteb.datasets.local import load_local
from robustrank.evaluators.hteb.datasets.mteb_tasks import load_mteb
from robustrank.evaluators.hteb.datasets.subsets import take_languages, take_sample
from robustrank.evaluators.hteb.fields import PAIRED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robustrank.evaluators.hteb.records import Dataset

_MTEB = "mteb:"
_VIEWS: dict[str, Callable[[Dataset], object]] = {
    "classification": views.labelled_texts,
    "clustering": views.clusters,
    **dict.fromkeys(PAIRED, views.pairs),
    "reranking": views.rerankings,
    "retrieval": views.retrieval,
    "summarisation": views.summaries,
}


def load_dataset(
    source: str | Path,
    *,
    limit: int | None = None,
    languages: Sequence[str] | None = None,
    seed: int = 0,
) -> Dataset:
    """Load a dataset, leave out what cannot be scored, and take a part of it.

    Parameters
    ----------
    source : str or Path
        The name of a definition of HTEB 1.1 (``"banking77"``), ``"mteb:"`` and the name of a task
        of MTEB (``"mteb:STS17"``), the path of a YAML that describes files (see `load_local`), or
        that of a definition, ``<name>.JSON``.
    limit : int, optional
        The most that is taken of it; see `take_sample`.
    languages : sequence of str, optional
        The languages that are taken of it; see `take_languages`.
    seed : int
        Of the sample.

    Returns
    -------
    Dataset
        Every row has been read once in the way in which it is scored, so that what is wrong with
        one is said here.

    Raises
    ------
    InputError
        If the name is unknown, the data cannot be had, or a row is not what it should be.
    """
    dataset = filter_rows(_load(source))
    if languages:
        dataset = take_languages(dataset, languages)
    if limit is not None:
        dataset = take_sample(dataset, limit, seed=seed)
    _VIEWS[dataset.task_type](dataset)
    return dataset


def _load(source: str | Path) -> Dataset:
    name = str(source)
    suffix = Path(source).suffix.lower()
    if name.startswith(_MTEB):
        return load_mteb(name.removeprefix(_MTEB))
    if suffix in {".yaml", ".yml"}:
        return load_local(source)
    if suffix == ".json":
        return load_from_hub(read_definition(source))
    definitions = load_definitions()
    if name not in definitions:
        raise unknown_label("dataset", name, definitions)
    return load_from_hub(definitions[name])
