"""`judge`: every judge rates the texts of every generator."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank._json import json_safe
from robustrank._progress import Silent
from robustrank.errors import DuplicateError, ParameterError, describe_seed
from robustrank.evaluators.hteb.generators.base import Generator
from robustrank.evaluators.hteb.generators.chat import well_formed
from robustrank.evaluators.hteb.generators.registry import create_generator
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.judging.asking import ask
from robustrank.evaluators.hteb.judging.items import choose_items
from robustrank.evaluators.hteb.judging.prompts import JudgePrompt, check_sampling, load_prompt
from robustrank.evaluators.hteb.judging.remarks import unanswered
from robustrank.evaluators.hteb.long_tables import write_table
from robustrank.evaluators.hteb.store.store import Store
from robustrank.notes import count
from robustrank.presenting import records, save, to_text

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    import numpy as np

    from robustrank._progress import Reporter
    from robustrank.evaluators.hteb.generators.base import Sampling
    from robustrank.evaluators.hteb.judging.asking import Answer
    from robustrank.evaluators.hteb.judging.items import Items
    from robustrank.notes import Note

#: What a request is made of.
_ASKED = ("transformation", "original", "text", "target")


@dataclass(frozen=True, eq=False)
class Judgements:
    """Ratings that language models gave texts.

    Attributes
    ----------
    table : DataFrame
        One row per judge and text: ``judge``, ``generator``, ``transformation``, ``item``,
        ``rating`` (1 to 5, higher is better; NaN where there is none), ``answer`` as it was written
        and ``failure``: why there is no answer, None where there is one. An answer without a
        failure and without a rating is invalid.
    settings : dict
        What the ratings depend on, JSON-safe: the judges, the prompt and how texts were drawn.
    notes : tuple of Note
    """

    table: pd.DataFrame
    settings: dict[str, Any]
    notes: tuple[Note, ...] = ()

    @property
    def n_invalid(self) -> int:
        """Answers in which no rating was found, after they were asked for twice."""
        return int((self.table["rating"].isna() & self.table["failure"].isna()).sum())

    @property
    def n_unanswered(self) -> int:
        """Requests that the transport brought no answer to."""
        return int(self.table["failure"].notna().sum())

    def summary(self) -> str:
        """Return how many ratings there are, and their means by judge and generator."""
        means = self.table.pivot_table(
            index="judge", columns="generator", values="rating", sort=False, dropna=False
        )
        head = (
            f"{count(int(self.table['rating'].notna().sum()), 'rating')}, {self.n_invalid:,} "
            f"invalid answers, {self.n_unanswered:,} requests without an answer."
        )
        return f"{head}\n\nMean rating, judge × generator\n{to_text(means, 2)}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values."""
        content: dict[str, Any] = json_safe(
            {
                "settings": self.settings,
                "notes": [note.to_dict() for note in self.notes],
                "judgements": records(self.table.set_index("judge")),
            }
        )
        return content

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write ``judgements.csv``, which `judge_scores` reads, the summary and the settings.

        Returns
        -------
        list of Path
        """
        content = {name: value for name, value in self.to_dict().items() if name != "judgements"}
        written = save(
            folder,
            text=self.summary(),
            content=content,
            tables={},
            plots={},
        )
        return [*written, write_table(self.table, Path(folder).expanduser() / "judgements.csv")]

    def __repr__(self) -> str:
        judges, generators = (self.table[name].nunique() for name in ("judge", "generator"))
        return (
            f"Judgements({count(judges, 'judge')} × {count(generators, 'generator')}: "
            f"{count(len(self.table), 'judgement')}, {self.n_invalid:,} invalid)"
        )


def judge(
    items: Items,
    judges: Mapping[str, Generator | Mapping[str, Any]],
    *,
    store: Store | str | os.PathLike[str] | None = None,
    per_transformation: int | None = 100,
    prompt: JudgePrompt | str | os.PathLike[str] | None = None,
    sampling: Sampling | None = None,
    seed: int | np.random.Generator = 0,
    reporter: Reporter | None = None,
) -> Judgements:
    """Let language models rate transformed texts from 1 to 5, each judge all texts (*HTEB*, A.3).

    One criterion is rated: how well the text does what the transformation asks for and keeps the
    meaning. Judges see the original and the text, not who wrote it. They work one after the other,
    each with the concurrency of its generator. An answer in which no rating is found is asked for
    once more, and is then invalid; a request that brought no answer is not.

    Parameters
    ----------
    items : DataFrame, path, sequence or mapping
        The folder of a run; several of them, one per generator, in a list or as
        ``{generator: folder}``; or a long table, or a file of one, with the columns ``generator``,
        ``transformation``, ``item``, ``original`` and ``text``, and, if there are any, ``dataset``
        and ``target``, the language to translate into.
    judges : mapping
        Name → a generator, or the options of `create_generator` with its name as ``type``:
        ``{"type": "openai", "endpoints": …, "model": …}``. A judge with the name of a generator
        is taken to be the same model.
    store : Store, path or URL, optional
        Where every answer is kept from the moment that it is there, so that a run that was
        interrupted goes on where it was. Without one, an interrupted run is lost.
    per_transformation : int or None
        How many originals of each transformation are judged, the same for every generator; None
        for all.
    prompt : JudgePrompt or path, optional
        In place of the packaged wording; see `load_prompt`.
    sampling : Sampling, optional
        In place of the prompt's, which is greedy.
    seed : int or numpy.random.Generator
        Draws the originals.
    reporter : Reporter, optional
        Is told of the progress.

    Returns
    -------
    Judgements

    Raises
    ------
    InputError
        A subclass that names what is wrong with the texts, the judges or the prompt.
    GeneratorDownError
        If a judge leaves many requests in a row unanswered.
    """
    wording = prompt if isinstance(prompt, JudgePrompt) else load_prompt(prompt)
    if sampling is not None:
        wording = replace(wording, sampling=sampling)
    check_sampling(wording.sampling)
    if wording.sampling.structured:
        raise ParameterError("structured asks for a transformed text; judges give a rating.")
    chosen = _create(judges)
    described = describe_seed(seed)
    texts, notes = choose_items(items, per_transformation=per_transformation, seed=seed)
    requests = [
        wording.request(transformation, original, text, _or_none(target))
        for transformation, original, text, target in zip(
            *(texts[name] for name in _ASKED), strict=True
        )
    ]
    shown = reporter or Silent()
    parts = []
    with _opened(store) as kept:
        for name, generator in chosen.items():
            shown.begin(f"Judge {name}", len(set(requests)))
            answers = asyncio.run(ask(requests, generator, kept, shown.advance))
            notes += generator.notes
            parts.append(_rows(name, texts, [answers[request] for request in requests]))
    table = pd.concat(parts, ignore_index=True)
    settings = {
        "judges": {
            name: {
                "model": generator.model,
                "revision": generator.revision,
                "settings": dict(generator.settings),
            }
            for name, generator in chosen.items()
        },
        "prompt": wording.describe(),
        "per_transformation": per_transformation,
        "seed": described,
    }
    return Judgements(table, settings, tuple(dict.fromkeys([*notes, *unanswered(table)])))


def _create(judges: Mapping[str, Generator | Mapping[str, Any]]) -> dict[str, Generator]:
    if not isinstance(judges, Mapping) or not judges:
        raise ParameterError(
            "judges must map names to generators or their options, and name one at least, such as "
            "{'gemma': {'type': 'openai', 'endpoints': 'http://127.0.0.1:8000/v1', 'model': …}}."
        )
    created = {}
    for name, given in judges.items():
        if isinstance(given, Mapping):
            options = {"type": "openai", **given}
            created[str(name)] = create_generator(options.pop("type"), **options)
        elif isinstance(given, Generator):
            created[str(name)] = given
        else:
            raise ParameterError(
                f"The judge {name!r} must be a generator or the options of one; got "
                f"{type(given).__name__}.",
                [name],
            )
    _check_distinct(created)
    return created


def _check_distinct(judges: Mapping[str, Generator]) -> None:
    """Refuse a model that would be asked once and counted twice."""
    names: dict[str, str] = {}
    for name, given in judges.items():
        known = digest([given.model, given.revision, dict(given.settings)])
        first = names.setdefault(known, name)
        if first != name:
            raise DuplicateError(
                f"The judges {first!r} and {name!r} are one model, {given.model}, with the same "
                "settings: their ratings would be the same, and count twice. Leave one out.",
                [first, name],
            )


@contextmanager
def _opened(store: Store | str | os.PathLike[str] | None) -> Iterator[Store]:
    if isinstance(store, Store):
        yield store
    elif store is not None:
        with Store(store) as opened:
            yield opened
    else:
        with (
            tempfile.TemporaryDirectory() as folder,
            Store(Path(folder) / "judgements.sqlite") as opened,
        ):
            yield opened


def _rows(name: str, texts: pd.DataFrame, answers: list[Answer]) -> pd.DataFrame:
    table = texts[["generator", "transformation", "item"]].copy()
    table.insert(0, "judge", name)
    table["rating"] = [float("nan") if each.rating is None else each.rating for each in answers]
    table["answer"] = [well_formed(each.text) for each in answers]
    table["failure"] = pd.Series([each.failure for each in answers], dtype=object)
    return table


def _or_none(value: object) -> str | None:
    return None if value is None or pd.isna(value) else str(value)  # type: ignore[call-overload]
