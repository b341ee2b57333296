"""YAML files of keys with values: configurations, prompts, descriptions of datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustrank.errors import FormatError, ParameterError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path


def read_mapping(path: Path | Traversable, example: str) -> dict[str, Any]:
    """Read a YAML file that holds keys with values.

    Parameters
    ----------
    path : path
    example : str
        A line that such a file may have, for messages.

    Raises
    ------
    FormatError
        If the file cannot be read, or is no such YAML.
    ParameterError
        Without PyYAML.
    """
    try:
        import yaml  # noqa: PLC0415 - part of the extra
    except ImportError as error:
        raise ParameterError(
            f"{path} is read with PyYAML, which is not installed. Run: "
            "pip install 'robustrank[hteb]'"
        ) from error
    try:
        values = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise FormatError(
            f"{path} cannot be read: {error.strerror}. Correct the path.", [path]
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        where = " ".join(str(error).split())
        raise FormatError(
            f"{path} is not YAML: {where}. Write keys with values, such as {example!r}, in UTF-8.",
            [path],
        ) from error
    if not isinstance(values, dict):
        raise FormatError(
            f"{path} holds {type(values).__name__}, not keys with values, such as {example!r}.",
            [path],
        )
    return values
