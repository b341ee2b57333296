"""`make_survey` and `make_pair_survey`: the forms that raters get, and the key that they do not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from robustrank._atomic import replacing
from robustrank.errors import DuplicateError, unknown_label
from robustrank.evaluators.hteb.presenting import to_text
from robustrank.evaluators.hteb.ratings import items as single
from robustrank.evaluators.hteb.ratings import pairs
from robustrank.evaluators.hteb.ratings.forms import Form, write_csv, write_html
from robustrank.evaluators.hteb.ratings.questions import (
    CRITERIA,
    JOINT,
    QUESTIONS,
    SIMILARITY,
    questions,
    task_of,
)
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from robustrank.notes import Note, count

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

FormKind = Literal["csv", "html"]
#: The key, and the folders of the forms to hand out and of the files that come back.
KEY, FORMS, RATINGS = "items.csv", "forms", "ratings"
_WRITERS = {"csv": write_csv, "html": write_html}


@dataclass(frozen=True, eq=False)
class Survey:
    """A survey that was written.

    Attributes
    ----------
    items : DataFrame
        The key: a row per item with its ``form``, what is known of it, and its texts.
    paths : list of Path
        The key and the forms.
    notes : tuple of Note
    """

    items: pd.DataFrame
    paths: list[Path]
    notes: tuple[Note, ...] = ()

    def summary(self) -> str:
        """Return what each form holds and what to do next, as text for a terminal."""
        sizes = self.items.groupby("form", sort=True).size().rename("items").to_frame()
        folder = self.paths[0].parent
        return (
            f"{to_text(sizes)}\n\n"
            f"Hand out what is in {folder / FORMS}, to several people each.\n"
            f"Put what comes back into {folder / RATINGS}, then: robustrank hteb ratings {folder}\n"
            f"Keep {self.paths[0]} to yourself: it says what each item is."
        )

    def __repr__(self) -> str:
        n_forms = self.items["form"].nunique()
        return f"Survey({count(len(self.items), 'item')} in {count(n_forms, 'form')})"


def make_survey(
    source: str | Path | pd.DataFrame,
    folder: str | Path,
    *,
    per_transformation: int = 100,
    criteria: Iterable[str] = CRITERIA,
    forms: Iterable[FormKind] = get_args(FormKind),
    datasets: Iterable[str] | None = None,
    languages: Iterable[str] | None = None,
    seed: int = 0,
) -> Survey:
    """Write forms for people to rate single texts: an original and what was made of it.

    A form holds one task in one language, or from one language into another, so that each can go
    to people who know these. Translation and cross-translation are the same task for a single text
    and share their forms, as in *HTEB* §2.4.

    Parameters
    ----------
    source : str, Path or DataFrame
        The folder that a run left, or a table with ``transformation``, ``original`` and ``text``;
        where it has them, ``axis``, ``dataset``, ``source`` and ``target`` (languages) are used.
    folder : str or Path
        Is made. ``items.csv`` is the key, which raters must not see; ``forms`` holds what they
        get; what they hand in belongs into ``ratings``, which `read_ratings` reads.
    per_transformation : int
        How many texts of each transformation are drawn, evenly over datasets, each original once.
    criteria : iterable of {"quality", "fluency"}
        What is rated, from 1 to 5.
    forms : iterable of {"csv", "html"}
        Tables for a spreadsheet, or pages for a browser.
    datasets, languages : iterable of str, optional
        Which to draw from; languages are those of the originals. All by default.
    seed : int

    Returns
    -------
    Survey

    Raises
    ------
    InputError
        If there is nothing to draw from, a name is unknown, or the folder holds another survey.

    References
    ----------
    *HTEB* (2026), §2.4 and appendix A.4.
    """
    asked = questions(criteria)
    drawn, notes = single.draw_items(
        single.all_texts(source),
        per_transformation=per_transformation,
        seed=seed,
        datasets=datasets,
        languages=languages,
    )
    titles = [
        _title(JOINT.get(name, name), source, target if _leaves_language(name) else None)
        for name, source, target in drawn[["transformation", "source", "target"]].itertuples(
            index=False
        )
    ]
    drawn.insert(1, "form", _file_names(titles))
    made = [
        Form(
            name=str(name),
            title=titles[own.index[0]],
            task=task_of(own["transformation"].iloc[0]),
            questions=asked,
            captions=("Original", "New text"),
            columns=("original", "text"),
            items=own,
        )
        for name, own in drawn.groupby("form", sort=False)
    ]
    return _write(folder, drawn, made, _kinds(forms), notes)


def make_pair_survey(
    source: str | Path | pd.DataFrame,
    folder: str | Path,
    *,
    per_transformation: int = 50,
    transformations: Iterable[str] | None = None,
    forms: Iterable[FormKind] = get_args(FormKind),
    seed: int = 0,
) -> Survey:
    """Write forms for people to rate how similar two texts are, before and after a transformation.

    A form has each pair of one transformation twice, as it was and transformed, in random order and
    without saying which is which. The same rater gives both ratings, so that `label_preservation`
    compares like with like.

    Parameters
    ----------
    source : str, Path or DataFrame
        The folder of a run, whose datasets of type ``sts`` and ``str`` are used, or a table with
        ``transformation``, ``original_1``, ``original_2``, ``text_1`` and ``text_2``; where it has
        them, ``gold``, ``dataset``, ``source`` and ``target`` are used.
    folder : str or Path
        As for `make_survey`.
    per_transformation : int
        How many pairs are drawn: the same ones for all transformations, as far as they have them.
    transformations : iterable of str, optional
        Which; all by default.
    forms : iterable of {"csv", "html"}
    seed : int

    Returns
    -------
    Survey

    Raises
    ------
    InputError
        If there is nothing to draw from, a name is unknown, or the folder holds another survey.

    References
    ----------
    *HTEB* (2026), appendix A.4, for STS-B.
    """
    drawn, notes = pairs.draw_pairs(
        pairs.all_pairs(source),
        per_transformation=per_transformation,
        seed=seed,
        transformations=transformations,
    )
    titles = [
        _title(name, source, target if _leaves_language(name) else None)
        for name, source, target in drawn[["transformation", "source", "target"]].itertuples(
            index=False
        )
    ]
    drawn.insert(1, "form", [f"pairs-{name}" for name in _file_names(titles)])
    made = [
        Form(
            name=str(name),
            title="Similarity of texts",  # the transformation would say which pairs are which
            task="Each item is two texts. Say how close they are in meaning, whatever their style, "
            "length or language.",
            questions=(QUESTIONS[SIMILARITY],),
            captions=("First text", "Second text"),
            columns=pairs.TEXTS,
            items=own,
        )
        for name, own in drawn.groupby("form", sort=False)
    ]
    return _write(folder, drawn, made, _kinds(forms), notes)


def _leaves_language(transformation: str) -> bool:
    known = TRANSFORMATIONS.get(transformation)
    return known is not None and not known.keeps_language


def _title(task: str, source: str | None, target: str | None) -> str:
    languages = " to ".join(name for name in (source, target) if name)
    title = f"{task.replace('_', ' ')}, {languages}" if languages else task.replace("_", " ")
    return title[:1].upper() + title[1:]


def _file_names(titles: list[str]) -> list[str]:
    """Name a form for each title, of letters that every file system and mail program takes."""
    names: dict[str, str] = {}
    for title in dict.fromkeys(titles):
        plain = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "form"
        taken = names.values()
        number = next(i for i in range(1, len(titles) + 2) if _numbered(plain, i) not in taken)
        names[title] = _numbered(plain, number)
    return [names[title] for title in titles]


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"


def _kinds(forms: Iterable[str]) -> list[str]:
    kinds = [forms] if isinstance(forms, str) else list(dict.fromkeys(forms))
    for kind in kinds:
        if kind not in _WRITERS:
            raise unknown_label("kind of form", kind, _WRITERS)
    return kinds


def _write(
    folder: str | Path,
    items: pd.DataFrame,
    forms: list[Form],
    kinds: list[str],
    notes: list[Note],
) -> Survey:
    target = Path(folder).expanduser()
    key = target / KEY
    content = items.to_csv(index=False, lineterminator="\n").encode("utf-8", "replace")
    if key.is_file() and key.read_bytes() != content:
        raise DuplicateError(
            f"{target} holds another survey, whose ratings could not be read without its key. "
            "Choose another folder.",
            [target],
        )
    with replacing(key) as file:
        file.write(content)
    paths = [key]
    for form in forms:
        for kind in kinds:
            paths.append(target / FORMS / f"{form.name}.{kind}")
            _WRITERS[kind](form, paths[-1])
    (target / RATINGS).mkdir(exist_ok=True)
    return Survey(items, paths, tuple(notes))
