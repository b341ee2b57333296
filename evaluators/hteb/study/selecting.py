"""Which datasets a configuration means, and loading them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank.errors import DuplicateError, ParameterError
from robustrank.evaluators.hteb.datasets import load_dataset
from robustrank.evaluators.hteb.datasets.definitions import group_names, load_group

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.records import Dataset
    from robustrank.evaluators.hteb.study.config import Config, DatasetConfig


def select(config: Config) -> list[DatasetConfig]:
    """Return one part per dataset: groups become their members, with the group's settings."""
    parts: list[DatasetConfig] = []
    for part in config.datasets:
        if part.name in group_names():
            members = load_group(part.name)
            parts += [part.model_copy(update={"name": member}) for member in members]
        else:
            parts.append(part)
    # The two groups share a dataset; with the same settings it is meant once.
    return list({part.model_dump_json(): part for part in parts}.values())


def load_datasets(config: Config) -> list[tuple[Dataset, DatasetConfig]]:
    """Load every dataset of a configuration, with the part that it was named in."""
    loaded = [
        (
            load_dataset(
                part.name or part.path or "",
                limit=config.limit if part.limit is None else part.limit,
                languages=part.languages or config.languages,
                seed=config.sample_seed,
            ),
            part,
        )
        for part in select(config)
    ]
    names = [dataset.name for dataset, _ in loaded]
    if "model" in names:
        raise ParameterError(
            "A dataset cannot be called 'model': tables call their models so. Rename it.", ["model"]
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DuplicateError(
            f"{', '.join(twice)} would be in the study more than once. List each dataset once, "
            "those of groups included.",
            twice,
        )
    return loaded
