"""What changes when a setting does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank.errors import ParameterError, check_count, unknown_label
from robustrank.grid.changes import check_layout, compare_studies, tied
from robustrank.notes import count
from robustrank.redundancy import check_clustering

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.grid.study import Study

_BASE = "base"
_SETTINGS = ("tau", "top_k", "correlation", "linkage")
_OF_LANGUAGES = ["most_consistent_model", "coverage_weighted", "ess"]


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity:
    """How far the findings of a study hold under other settings, and in other studies.

    Attributes
    ----------
    cells : DataFrame
        Index (variant, language, task_type), a variant being named as in ``"tau=0.8"``; columns
        as in `Study.compare`, ``_other`` being the variant.
    summary : DataFrame
        One row per variant: the number of ``cells`` that it and the study both rank, and of those
        ranked by the study alone (``cells_lost``) or the variant alone (``cells_gained``). Over
        the former, the share with the ``same_q``, the ``same_level`` and the same most consistent
        models (``same_first``; that share at least one, ``overlap``), the mean ``ess_change`` and
        the mean Kendall's τ
        (``kendall_tau``). The number of ``languages`` with a most consistent model in both
        (by CW), and of those where it stays the same (``languages_same_first``).
    languages : DataFrame
        Index (variant, language), the study itself being ``"base"``: ``most_consistent_model``,
        ``coverage_weighted`` consistency (CW) and ``ess``. Variants of ``top_k`` measure
        consistency on other scales: compare who leads, not by how much.
    """

    cells: pd.DataFrame
    summary: pd.DataFrame
    languages: pd.DataFrame

    def __repr__(self) -> str:
        lines = [f"Sensitivity: {count(len(self.summary), 'variant')}"]
        lines += [f"  {name}: {_describe(row)}" for name, row in self.summary.iterrows()]
        return "\n".join(lines)


def assess_sensitivity(
    study: Study, settings: Mapping[str, Any], others: Mapping[str, Study]
) -> Sensitivity:
    """Change one setting at a time, and say what changes.

    Parameters
    ----------
    study : Study
        The base. Variants differ from it in one setting and use as many processes; they draw no
        resamples, which nothing here rests on.
    settings : mapping
        Name → values, of ``tau``, ``top_k``, ``correlation`` and ``linkage``. A single value will
        do, and none leaves the setting as it is. The study's own value is left out: nothing would
        change.
    others : mapping of str to Study
        Name → a study to compare with as it is: of a later snapshot, for example.

    Returns
    -------
    Sensitivity

    Raises
    ------
    ParameterError
        If a value is out of range, a study is laid out by other fields, or nothing is left to
        vary. Nothing is ranked before all is checked.
    """
    variants = _variants(study, settings)
    for name, other in others.items():
        if name in variants or name == _BASE:
            raise ParameterError(
                f"{name!r} names a variant already; give the study another name.", [name]
            )
        check_layout(study, other)
    if not variants and not others:
        raise ParameterError(
            "Nothing to vary: give a setting a value that the study does not have, or a study to "
            "compare with as others=."
        )
    cells: dict[str, pd.DataFrame] = {}
    languages = {_BASE: study.languages[_OF_LANGUAGES]}
    for name in [*variants, *others]:
        variant = others[name] if name in others else study.again(**variants[name], n_resamples=0)
        cells[name] = compare_studies(study, variant)
        languages[name] = variant.languages[_OF_LANGUAGES]
    rows = {
        name: _summarize(table) | _summarize_languages(languages[_BASE], languages[name])
        for name, table in cells.items()
    }
    return Sensitivity(
        cells=pd.concat(cells, names=["variant"]),
        summary=pd.DataFrame.from_dict(rows, orient="index").rename_axis("variant"),
        languages=pd.concat(languages, names=["variant"]),
    )


def _variants(study: Study, settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the settings of each variant by its name, checked."""
    found: dict[str, dict[str, Any]] = {}
    for name, given in settings.items():
        if name not in _SETTINGS:
            raise unknown_label("setting", name, _SETTINGS)
        several = isinstance(given, Iterable) and not isinstance(given, str)
        for value in given if several else [given]:
            checked = _check(name, value)
            if checked != study.settings[name]:
                found[f"{name}={checked}"] = {name: checked}
    return found


def _check(name: str, value: Any) -> Any:
    """Return a value as the settings of a study hold it; raise what `analyze` would."""
    if name == "top_k":
        return check_count(name, value, 1)
    check_clustering(**{name: value})
    return float(value) if name == "tau" else value


def _summarize(table: pd.DataFrame) -> dict[str, Any]:
    ranked = table["n_models"].fillna(0) > 0
    ranked_other = table["n_models_other"].fillna(0) > 0
    both = table[ranked & ranked_other]
    return {
        "cells": len(both),
        "cells_lost": int((ranked & ~ranked_other).sum()),
        "cells_gained": int((ranked_other & ~ranked).sum()),
        **{
            name: both[name].astype(float).mean()
            for name in ("same_q", "same_level", "same_first", "overlap")
        },
        "ess_change": (both["ess_other"] - both["ess"]).mean(),
        "kendall_tau": both["kendall_tau"].mean(),
    }


def _summarize_languages(base: pd.DataFrame, other: pd.DataFrame) -> dict[str, int]:
    first, first_other = (
        table["most_consistent_model"].dropna().map(tied) for table in (base, other)
    )
    shared = first.index.intersection(first_other.index)
    return {
        "languages": len(shared),
        "languages_same_first": sum(first[name] == first_other[name] for name in shared),
    }


def _describe(row: pd.Series) -> str:
    if not row["cells"]:
        return "no cell in common"
    return (
        f"same most consistent model in {100 * row['same_first']:.0f}% of "
        f"{count(int(row['cells']), 'cell')} and in {row['languages_same_first']:.0f} of "
        f"{count(int(row['languages']), 'language')}"
    )
