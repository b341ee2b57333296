"""`make_survey` and `make_pair_survey`: the forms that raters get, and the key that they do not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from robustrank._atomic import replacing
from robustrank.errors import DuplicateError
from robustrank.evaluators.hteb.long_tables import to_csv
from robustrank.evaluators.hteb.ratings import items as single
from robustrank.evaluators.hteb.ratings import pairs
from robustrank.evaluators.hteb.ratings.forms import CONTENTS, Form
from robustrank.evaluators.hteb.ratings.naming import file_names, form_keys, title
from robustrank.evaluators.hteb.ratings.questions import (
    CRITERIA,
    JOINT,
    QUESTIONS,
    SIMILARITY,
    choose,
    questions,
    task_of,
)
from robustrank.notes import Note, count, name_some
from robustrank.presenting import to_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

FormKind = Literal["csv", "html"]
KINDS: tuple[FormKind, ...] = get_args(FormKind)
#: The key, and the folders of the forms to hand out and of the files that come back.
KEY, FORMS, RATINGS = "items.csv", "forms", "ratings"


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
    criteria: str | Iterable[str] = CRITERIA,
    forms: FormKind | Iterable[FormKind] = KINDS,
    generator: str | None = None,
    datasets: str | Iterable[str] | None = None,
    languages: str | Iterable[str] | None = None,
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
        where it has them, ``axis``, ``dataset``, ``generator``, ``source`` and ``target``
        (languages) are used.
    folder : str or Path
        Is made. ``items.csv`` is the key, which raters must not see; ``forms`` holds what they
        get; what they hand in belongs into ``ratings``, which `read_ratings` reads.
    per_transformation : int
        How many texts of each transformation are drawn, evenly over datasets, each original once.
    criteria : {"quality", "fluency"} or iterable of them
        What is rated, from 1 to 5.
    forms : {"csv", "html"} or iterable of them
        Tables for a spreadsheet, each with a file that says what to do, or pages for a browser.
    generator : str, optional
        Whose texts are rated; needed where the table has those of several.
    datasets, languages : str or iterable of str, optional
        Which to draw from; languages are those of the originals. All by default.
    seed : int

    Returns
    -------
    Survey

    Raises
    ------
    InputError
        If there is nothing to draw from, a name is unknown, or the folder holds another survey,
        or this one with other forms.

    References
    ----------
    *HTEB* (2026), §2.4 and appendix A.4.
    """
    asked = questions(criteria)
    drawn, notes = single.draw_items(
        single.all_texts(source),
        per_transformation=per_transformation,
        seed=seed,
        generator=generator,
        datasets=datasets,
        languages=languages,
    )
    keys = [(JOINT.get(name, name), source, target) for name, source, target in form_keys(drawn)]
    titles = [title(*key) for key in keys]
    drawn.insert(1, "form", file_names(keys, titles))
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
    return _write(folder, drawn, made, forms, notes)


def make_pair_survey(
    source: str | Path | pd.DataFrame,
    folder: str | Path,
    *,
    per_transformation: int = 50,
    generator: str | None = None,
    transformations: str | Iterable[str] | None = None,
    forms: FormKind | Iterable[FormKind] = KINDS,
    seed: int = 0,
) -> Survey:
    """Write forms for people to rate how similar two texts are, before and after a transformation.

    A form has each pair of one transformation twice, as it was and transformed, in random order.
    Neither the form nor its name says what the transformation is, or which of the two is which.
    The same rater gives both ratings, so that `label_preservation` compares like with like.

    Parameters
    ----------
    source : str, Path or DataFrame
        The folder of a run, whose datasets of type ``sts`` and ``str`` are used, or a table with
        ``transformation``, ``original_1``, ``original_2``, ``text_1`` and ``text_2``; where it has
        them, ``gold``, ``dataset``, ``generator``, ``source`` and ``target`` are used.
    folder : str or Path
        As for `make_survey`.
    per_transformation : int
        How many pairs are drawn: the same ones for all transformations, as far as they have them.
    generator : str, optional
        As for `make_survey`.
    transformations : str or iterable of str, optional
        Which; all by default.
    forms : {"csv", "html"} or iterable of them
    seed : int

    Returns
    -------
    Survey

    Raises
    ------
    InputError
        If there is nothing to draw from, a name is unknown, or the folder holds another survey,
        or this one with other forms.

    References
    ----------
    *HTEB* (2026), appendix A.4, for STS-B.
    """
    drawn, notes = pairs.draw_pairs(
        pairs.all_pairs(source),
        per_transformation=per_transformation,
        seed=seed,
        generator=generator,
        transformations=transformations,
    )
    keys = form_keys(drawn)
    # A name says the languages, which who hands the forms out must know, and not what was done.
    names = file_names(keys, [title("pairs", *languages) for _, *languages in keys])
    drawn.insert(1, "form", names)
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
    return _write(folder, drawn, made, forms, notes)


def _write(
    folder: str | Path,
    items: pd.DataFrame,
    forms: list[Form],
    wanted: str | Iterable[str],
    notes: list[Note],
) -> Survey:
    """Write the key and the forms, unless the folder holds something else under their names.

    What is there may be another survey, or a form that was filled in where it lies.
    """
    kinds = choose("forms", "kind of form", wanted, CONTENTS)
    target = Path(folder).expanduser()
    key = target / KEY
    own = {key: to_csv(items).encode()}
    paths = [key]
    for form in forms:
        for kind, contents in CONTENTS.items():
            for suffix, content in contents(form).items():
                path = target / FORMS / f"{form.name}{suffix}"
                own[path] = content
                paths += [path] if kind in kinds else []
    other = [path for path, content in own.items() if _differs(path, content)]
    if key in other:
        raise DuplicateError(
            f"{target} holds another survey, whose ratings could not be read without its key. "
            "Choose another folder.",
            [target],
        )
    if other:
        raise DuplicateError(
            f"{target} holds this survey with other forms, or they were filled in there: "
            f"{name_some(path.name for path in other)}. Move them away, or choose another folder.",
            other,
        )
    for path in paths:
        with replacing(path) as file:
            file.write(own[path])
    (target / RATINGS).mkdir(exist_ok=True)
    return Survey(items, paths, tuple(notes))


def _differs(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() != content
