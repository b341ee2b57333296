"""A configuration of judges: which texts they rate, who they are, and where answers are kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustrank.errors import DuplicateError, FormatError, ParameterError, unknown_label
from robustrank.evaluators.hteb.judging.crossover import Judgements, judge
from robustrank.evaluators.hteb.yaml_files import read_mapping

if TYPE_CHECKING:
    import os

    from robustrank._progress import Reporter

_KEYS = ("texts", "judges", "per_transformation", "seed", "prompt", "store", "output")


@dataclass(frozen=True)
class JudgeConfig:
    """What `judge` is called with.

    Attributes
    ----------
    texts : path, list of path, or mapping of str to path
        Folders of runs, or a table of texts; see `judge`.
    judges : mapping of str to mapping
        Options of generators. In the file, a list; a judge is called by its ``name``, or else by
        its ``model``.
    per_transformation : int or None
    seed : int
    prompt : Path or None
    store : str
        A path or a URL; by default ``judgements.sqlite`` in `output`.
    output : Path
    """

    texts: Any
    judges: dict[str, dict[str, Any]]
    per_transformation: int | None
    seed: int
    prompt: Path | None
    store: str
    output: Path

    def run(self, reporter: Reporter | None = None) -> Judgements:
        """Ask what the store does not have, and write all judgements to the output."""
        found = judge(
            self.texts,
            self.judges,
            store=self.store,
            per_transformation=self.per_transformation,
            prompt=self.prompt,
            seed=self.seed,
            reporter=reporter,
        )
        found.save(self.output)
        return found


def load_config(path: str | os.PathLike[str], output: Path | None = None) -> JudgeConfig:
    """Read a configuration.

    Parameters
    ----------
    path : path-like
        A YAML file. Paths in it are relative to its folder.
    output : Path, optional
        In place of the file's output; relative to the working directory.

    Returns
    -------
    JudgeConfig

    Raises
    ------
    UnknownLabelError
        For a key that does not exist.
    FormatError, ParameterError
        For a file that is no YAML mapping, or lacks texts or judges, and for an output that is a
        file.
    """
    source = Path(path).expanduser()
    values, folder = read_mapping(source, "texts: [results]"), source.parent
    for key in values:
        if key not in _KEYS:
            raise unknown_label(f"key in {source.name}:", key, _KEYS)
    absent = [key for key in ("texts", "judges") if not values.get(key)]
    if absent:
        raise ParameterError(
            f"{source.name} lacks {' and '.join(absent)}. Write 'texts: [results]', the folder of "
            "a run per generator, and 'judges: [{type: openai, endpoints: …, model: …}]'.",
            absent,
        )

    def place(given: object) -> Path:
        if not isinstance(given, str):
            raise FormatError(f"{source.name} has {given!r} where a path is expected.", [given])
        return folder / Path(given).expanduser()

    target = output or place(values.get("output", "judgements"))
    if target.exists() and not target.is_dir():
        raise ParameterError(
            f"The output {target} is a file. Name a folder, which is made if needed.", [target]
        )
    store = values.get("store")
    return JudgeConfig(
        texts=_texts(values["texts"], place),
        judges=_judges(values["judges"], source.name),
        per_transformation=values.get("per_transformation", 100),
        seed=values.get("seed", 0),
        prompt=place(values["prompt"]) if values.get("prompt") else None,
        store=str(target / "judgements.sqlite")
        if store is None
        else (store if "://" in str(store) else str(place(store))),
        output=target,
    )


def _texts(given: Any, place: Any) -> Any:
    if isinstance(given, dict):
        return {str(name): place(each) for name, each in given.items()}
    return [place(each) for each in given] if isinstance(given, list) else place(given)


def _judges(given: Any, source: str) -> dict[str, dict[str, Any]]:
    listed = [given] if isinstance(given, dict) else given
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise FormatError(
            f"judges in {source} must be a list of generators with their options, such as "
            "'- {type: openai, endpoints: …, model: …}'.",
            ["judges"],
        )
    judges: dict[str, dict[str, Any]] = {}
    for each in listed:
        options = {str(key): value for key, value in each.items()}
        name = str(options.pop("name", None) or options.get("model") or options.get("type"))
        if name in judges:
            raise DuplicateError(
                f"Two judges in {source} are called {name!r}. Give each a name of its own.", [name]
            )
        judges[name] = options
    return judges
