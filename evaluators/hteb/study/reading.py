"""Reading a configuration, and saying everything that is wrong with it at once."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.study.config import (
    Config,
    DatasetConfig,
    ImportConfig,
    Part,
    QualityConfig,
    SamplingConfig,
)
from robustrank.evaluators.hteb.yaml_files import read_mapping

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: What the released tool's files must have, and no others do.
_V1_1 = "load_existing_transformations"


def load_config(source: str | os.PathLike[str] | Mapping[str, Any], **overrides: Any) -> Config:
    """Read and check a configuration.

    Parameters
    ----------
    source : path or mapping
        A YAML file, or what would be in one. Paths in a file are relative to its folder. A file of
        HTEB 1.1 is translated; its paths are relative to the working directory, as they were.
    **overrides
        Keys that replace those of the file; None is ignored.

    Returns
    -------
    Config

    Raises
    ------
    FormatError
        If the file is no YAML mapping.
    ParameterError
        With every key that is unknown or has a wrong value.
    """
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        values = read_mapping(path, "datasets: [stsbenchmark-sts]")
        where, folder = path.name, path.parent
    else:
        where, folder, values = "the configuration", Path(), dict(source)
    if _V1_1 in values:
        from robustrank.evaluators.hteb.study.config_v11 import translate  # noqa: PLC0415 - rarely needed

        values, folder = translate(values, where), Path()
    values |= {key: value for key, value in overrides.items() if value is not None}
    try:
        config = Config.model_validate(values)
    except ValidationError as error:
        problems = [*_describe(error)]
        raise ParameterError(
            f"{where} has {'a mistake' if len(problems) == 1 else f'{len(problems)} mistakes'}: "
            + "; ".join(problem for _, problem in problems)
            + ".",
            [key for key, _ in problems],
        ) from error
    if overrides.get("limit") is not None:
        parts = [part.model_copy(update={"limit": None}) for part in config.datasets]
        config = config.model_copy(update={"datasets": parts})
    return _resolve(config, folder, overrides)


def _describe(error: ValidationError) -> Iterator[tuple[str, str]]:
    """Say for every problem where it is, what is wrong and what would be right."""
    for problem in error.errors():
        parts = [str(part) for part in problem["loc"]]
        key = ".".join(parts)
        if problem["type"] == "extra_forbidden":
            known = _keys_at(problem["loc"][:-1])
            close = get_close_matches(parts[-1], known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            yield key, f"unknown key {key!r} ({hint})"
        elif problem["type"] == "missing":
            yield key, f"{key!r} is missing"
        else:
            message = problem["msg"].removeprefix("Value error, ")
            yield key, f"{key}: {message}, got {problem['input']!r}" if key else message


def _keys_at(location: tuple[int | str, ...]) -> list[str]:
    parts: dict[str, type[Part]] = {
        "datasets": DatasetConfig,
        "import_from": ImportConfig,
        "sampling": SamplingConfig,
        "quality": QualityConfig,
    }
    part: type[Part] = parts[str(location[0])] if location else Config
    return list(part.model_fields)


def _resolve(config: Config, folder: Path, overrides: Mapping[str, Any]) -> Config:
    """Make the file's paths relative to the working directory."""

    def place(path: Path, key: str) -> Path:
        given = key in overrides and overrides[key] is not None
        return path if given else folder / path.expanduser()

    changes: dict[str, Any] = {"output": place(config.output, "output")}
    for key in ("prompts", "export_to"):
        path = getattr(config, key)
        changes[key] = path and place(path, key)
    if config.store and "://" not in config.store:
        changes["store"] = str(place(Path(config.store), "store"))
    if config.import_from:
        directory = folder / config.import_from.directory.expanduser()
        changes["import_from"] = config.import_from.model_copy(update={"directory": directory})
    changes["datasets"] = [
        part.model_copy(update={"path": str(folder / Path(part.path).expanduser())})
        if part.path
        else part
        for part in config.datasets
    ]
    changes["models"] = [
        part.model_copy(update={"model": str(folder / Path(part.model).expanduser())})
        if part.model.startswith((".", "/", "~"))
        else part
        for part in config.models
    ]
    return config.model_copy(update=changes)
