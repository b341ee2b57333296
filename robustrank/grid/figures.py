"""What the papers' figures show, as tidy tables: one observation per row."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._dendrogram import cluster_models
from robustrank.agreement import assess_agreement
from robustrank.errors import ParameterError, check_count
from robustrank.evidence import LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable

    from robustrank.grid.study import Study

FigureKind = Literal[
    "consistency",
    "coverage",
    "dendrogram",
    "ess",
    "evidence",
    "merges",
    "n",
    "ranks",
    "variance",
]


def figure_table(study: Study, kind: FigureKind, **which: Any) -> pd.DataFrame:
    """Return what a figure shows as a tidy table.

    Models that are ordered come in the order of the leaves of a dendrogram (average linkage on
    Euclidean distances), where ``order`` is a column, else by mean rank over all rankings.
    Columns ``language`` and ``task_type`` have the names of the study's two fields.

    Parameters
    ----------
    study : Study
    kind : {"consistency", "coverage", "dendrogram", "ess", "evidence", "merges", "n", "ranks",
            "variance"}

        - ``"consistency"`` (`language`, `top_k` = the study's): on how many task types a model is
          in the top η of a scheme on a composition (CT): order, model, composition, scheme,
          consistency. *Robustness* Appendix E.
        - ``"coverage"`` (`top` = 1): whether a model is among the `top` most transfer-consistent
          ones of a language, and for which share of the languages: model, language, leads, share.
          *Slavic* Figure 5.
        - ``"dendrogram"`` (`language`, `task_type`, `top_k` = the study's): every rank of the
          models that are anywhere in the top η: order, model, composition, scheme, rank.
          *Robustness* Figures 5, 10-16.
        - ``"ess"``: language, task_type, ess. *Slavic* Figure 3.
        - ``"evidence"``: language, task_type, level, level_order (0 for E0, 4 for E_RS+DS).
          *Slavic* Figure 2.
        - ``"merges"`` (as ``"dendrogram"``): the tree beside it: cluster, left, right, height,
          size, left_model, right_model; see `robustrank._dendrogram.Dendrogram`.
        - ``"n"``: numbers of datasets: language, task_type, n. *Slavic* Figure 1.
        - ``"ranks"`` (`language`, `task_type`, `top` = 6): every rank of the `top` models by mean
          rank: model, composition, scheme, rank. *Robustness* Figure 2.
        - ``"variance"`` (`language`, `task_type`): variance of a model's ranks over schemes, per
          composition (kind ``"ST"``), and over compositions, per scheme (``"SN"``, NaN where there
          is one composition): model, kind, name, value. *Robustness* Figures 6 and 7.
    **which
        What the figure is of, as named above.

    Returns
    -------
    DataFrame

    Raises
    ------
    ParameterError
        For an unknown kind, or an argument that a kind needs or does not take.
    UnknownLabelError
        For an unknown language or task type.
    """
    if kind not in get_args(FigureKind):
        raise ParameterError(
            f"Unknown kind of figure {kind!r}; known: {', '.join(get_args(FigureKind))}.", [kind]
        )
    make = _KINDS[kind]
    _check_arguments(kind, make, which)
    return make(study, **which)


def _check_arguments(kind: str, make: Callable[..., pd.DataFrame], which: dict[str, Any]) -> None:
    required = {
        name: setting.default is Parameter.empty
        for name, setting in list(signature(make).parameters.items())[1:]
    }
    missing = [name for name, needed in required.items() if needed and name not in which]
    extra = [name for name in which if name not in required]
    if not missing and not extra:
        return
    shown = [name if needed else f"{name} (optional)" for name, needed in required.items()]
    wrong = f"needs {', '.join(missing)}" if missing else f"does not take {', '.join(extra)}"
    raise ParameterError(
        f"The figure {kind!r} {wrong}; it takes {', '.join(shown) or 'no arguments'}.",
        [*missing, *extra],
    )


def _consistency(study: Study, *, language: str, top_k: int | None = None) -> pd.DataFrame:
    table = study.cross_task(language, top_k, by_composition=True)
    # Upside down, as the most consistent models have the highest values and should come first.
    return _in_order(table, cluster_models(-table).order, "consistency")


def _coverage(study: Study, *, top: int = 1) -> pd.DataFrame:
    leads = study.coverage(top)
    table = _tidy(leads, "leads")
    table["share"] = table["model"].map(leads.mean(axis=1))
    return table


def _dendrogram(
    study: Study, *, language: str, task_type: str, top_k: int | None = None
) -> pd.DataFrame:
    ranks = _top_ranks(study, language, task_type, top_k)
    return _in_order(ranks, cluster_models(ranks).order, "rank")


def _ess(study: Study) -> pd.DataFrame:
    return study.cells[["ess"]].reset_index()


def _evidence(study: Study) -> pd.DataFrame:
    table = study.cells[["level"]].reset_index()
    table["level_order"] = table["level"].map(list(LEVELS).index)
    return table


def _merges(
    study: Study, *, language: str, task_type: str, top_k: int | None = None
) -> pd.DataFrame:
    return cluster_models(_top_ranks(study, language, task_type, top_k)).merges


def _n(study: Study) -> pd.DataFrame:
    return study.cells[["n"]].reset_index()


def _ranks(study: Study, *, language: str, task_type: str, top: int = 6) -> pd.DataFrame:
    check_count("top", top, 1)
    ranks = _by_mean_rank(study, language, task_type)
    return _tidy(ranks.iloc[:top], "rank")


def _variance(study: Study, *, language: str, task_type: str) -> pd.DataFrame:
    order = _by_mean_rank(study, language, task_type).index
    # The picks matter to Kendall's W alone.
    agreement = assess_agreement(study.ranks(language, task_type), ["all"])
    parts = []
    for kind, table in (
        ("ST", agreement.scheme_variance),
        ("SN", agreement.composition_variance),
    ):
        part = _tidy(table.loc[order].rename_axis(columns="name"), "value")
        part.insert(1, "kind", kind)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


_KINDS: dict[str, Callable[..., pd.DataFrame]] = {
    "consistency": _consistency,
    "coverage": _coverage,
    "dendrogram": _dendrogram,
    "ess": _ess,
    "evidence": _evidence,
    "merges": _merges,
    "n": _n,
    "ranks": _ranks,
    "variance": _variance,
}


def _top_ranks(study: Study, language: str, task_type: str, top_k: int | None) -> pd.DataFrame:
    """Return the ranks of the models that any ranking has in the top η."""
    depth = study.settings["top_k"] if top_k is None else check_count("top_k", top_k, 1)
    ranks = study.ranks(language, task_type)
    return ranks[(ranks <= depth).any(axis=1)]


def _by_mean_rank(study: Study, language: str, task_type: str) -> pd.DataFrame:
    """Return the ranks of a cell, the lowest mean first, ties by name."""
    ranks = study.ranks(language, task_type).sort_index()
    return ranks.loc[ranks.mean(axis=1).sort_values(kind="stable").index]


def _in_order(table: pd.DataFrame, order: list[str], value: str) -> pd.DataFrame:
    tidy = _tidy(table.loc[order], value)
    place = {model: i for i, model in enumerate(order)}
    tidy.insert(0, "order", tidy["model"].map(place))
    return tidy


def _tidy(table: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return one row per cell of a table of models, row by row."""
    labels = table.columns.to_frame(index=False)
    long = labels.iloc[np.tile(np.arange(len(labels)), len(table))].reset_index(drop=True)
    long.insert(0, "model", np.repeat(table.index.to_numpy(), len(labels)))
    long[value] = table.to_numpy().ravel()
    return long
