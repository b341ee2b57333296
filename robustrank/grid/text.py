"""A study in words: the short form, the summary, a paragraph for a paper, a notebook's fragment."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from robustrank._text import align, wrap
from robustrank.errors import check_count
from robustrank.grid.findings import caveats, count_values, field_name, findings
from robustrank.grid.tables import readable_table, text_columns
from robustrank.notes import count
from robustrank.report.text import clustering_rule, ranking_rule

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.grid.export import TableName
    from robustrank.grid.study import Study

LEGEND = (
    "Evidence, ESS: Evidence Strength Score, the mean over all task types. Tasks: task types that "
    "could be evaluated, of all. CW: consistency of the most consistent model, summed over them "
    "and divided by the number of all. DS: cells in which stability over dataset compositions can "
    "be assessed. Share: of the cells that could be ranked."
)


def short_summary(study: Study) -> str:
    """Return the findings, one a line: the repr."""
    first, *rest = findings(study)
    return "\n".join([f"Study of {first}", *(f"  {line}" for line in rest)])


def study_summary(study: Study, top: int) -> str:
    """Return findings, the `top` languages with the strongest evidence and all task types.

    Parameters
    ----------
    study : Study
    top : int
        At least 1.
    """
    first, *rest = [*findings(study), *caveats(study)]
    languages = strongest(study, check_count("top", top, 1))
    field, kind = map(field_name, study.plan.by)
    shown = f"{len(languages):,} of {len(study.languages):,}"
    blocks = [
        [first, *(wrap(line, 11) for line in rest)],
        [f"Strongest evidence: {shown}, by {field}", *_lines(languages, "languages")],
        [f"By {kind}", *_lines(readable_table(study, "tasks"), "tasks")],
        [wrap(LEGEND, 0)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


def strongest(study: Study, top: int) -> pd.DataFrame:
    """Return the readable table of the `top` languages with the strongest evidence."""
    order = study.languages["ess"].reset_index(drop=True)
    places = order.round(9).sort_values(ascending=False, kind="stable").index[:top]
    return readable_table(study, "languages").iloc[places]


def _lines(cells: pd.DataFrame, table: TableName) -> list[str]:
    texts = text_columns(cells, table)
    left = [place for place, name in enumerate(cells.columns) if name in texts]
    return align([list(cells.columns), *cells.to_numpy().tolist()], left)


def study_to_html(study: Study, top: int = 10) -> str:
    """Return findings, the languages with the strongest evidence and the notes for a notebook."""
    lines = "<br>".join(html.escape(line) for line in [*findings(study), *caveats(study)])
    table = strongest(study, top).to_html(index=False, border=0, escape=True)
    notes = "".join(f"<li>{html.escape(str(note))}</li>" for note in study.notes)
    return (
        f"<div><p>{lines}</p>{table}"
        f"<details><summary>Notes ({len(study.notes)})</summary><ul>{notes}</ul></details></div>"
    )


def methods_paragraph(study: Study) -> str:
    """Say what was done, from the settings."""
    settings, (field, kind) = study.settings, study.plan.by
    tables = [matrix.scores for matrix in study.matrices.values()]
    models, datasets = ({name for table in tables for name in table.axes[k]} for k in (0, 1))
    one, other = field_name(field), field_name(kind)
    level = {
        "task": "over all languages of the dataset",
        "language": f"over the subsets of the dataset in that {one}",
    }[settings["level"]]
    kept = "kept" if settings["partial_scores"] == "keep" else "left out"
    parts = [
        (
            f"We studied {count(len(models), 'model')} on {count(len(datasets), 'dataset')} with "
            f"robustrank {settings['versions']['robustrank']}, in "
            f"{count_values(len(study.languages), field)} and "
            f"{count_values(len(study.tasks), kind)}. A cell is a {one} and a {other}: models are "
            f"ranked on the datasets that have both, by scores that are means {level}."
        ),
        _models(study, other),
        (
            f"Scores that average only a part of their dataset were {kept}; datasets on which less "
            f"than {100 * settings['min_coverage']:g}% of the models with a score on the same "
            f"{other} have one count as existing, and in no ranking."
        ),
        f"{clustering_rule(settings)} made the clusters of each cell.",
        _compositions(settings),
        ranking_rule(settings),
        _definitions(settings),
        _resampling(settings),
    ]
    return " ".join(filter(None, parts))


def _models(study: Study, kind: str) -> str:
    """Say which models take part in a cell."""
    settings, filters = study.settings, study.settings["filters"]
    conditions = ["have scores on all datasets of the cell"]
    if filters.get("complete") == "task-type":
        conditions = [f"have scores on all datasets of the {kind}"]
    if "open_weights" in filters:
        conditions.append(f"have {'open' if filters['open_weights'] else 'closed'} weights")
    if "zero_shot" in filters:
        apart = any(str(name).startswith("zs_") for name in study.source.matrix.models)
        which = f"the datasets of the {kind}" if apart else "the benchmark's datasets"
        some = "none" if filters["zero_shot"] else "some"
        unknown = "kept" if filters.get("unknown_training_data") == "keep" else "left out"
        conditions.append(
            f"were trained on {some} of {which} (models whose training data are unknown were "
            f"{unknown})"
        )
    if "known" in filters:
        conditions.append(f"have a known {', '.join(filters['known'])}")
    limits = {
        "released_from": "were released on {} or later",
        "released_until": "were released on {} or earlier",
        "min_parameters": "have at least {:,.0f} parameters",
        "max_parameters": "have at most {:,.0f} parameters",
    }
    conditions += [text.format(filters[name]) for name, text in limits.items() if name in filters]
    source = ", after Gjorgjevikj et al. (2026)" if settings["preset"] == "papers" else ""
    *rest, last = conditions
    joined = f"{'; '.join(rest)}; and {last}" if rest else last
    return f"Models take part that {joined}{source}."


def _compositions(settings: dict[str, Any]) -> str:
    most = settings["n_compositions"]
    if not most:
        return "Models were ranked on all datasets of a cell."
    return (
        f"Besides all datasets of a cell, up to {count(most, 'distinct composition')} of one "
        f"dataset per cluster, drawn at random (seed {settings['seed']}), were ranked; where there "
        "are several, agreement and consistency are those over them."
    )


def _definitions(settings: dict[str, Any]) -> str:
    saturation, top_k = settings["saturation"], settings["top_k"]
    return (
        "Evidence levels, the Evidence Strength Score (ESS) of n datasets in q clusters, "
        f"min(n/{saturation}, 1)/4 + q/(4n) + R/2 with R = 1/2 if only stability over ranking "
        "schemes and 1 if also stability over dataset compositions can be assessed, and "
        "coverage-weighted consistency (CW), the consistency summed over the cells that could be "
        "evaluated and divided by the number of all, follow Gjorgjevikj et al., Dataset Scarcity "
        "Limits Robust Evaluation of Multilingual Embedding Models (2026), the formulas as "
        "inferred from its tables; rank variances and cross-task consistency "
        f"CT({top_k}), the same authors, On the Robustness of Multilingual Text Embedding Rankings "
        "(2026)."
    )


def _resampling(settings: dict[str, Any]) -> str:
    if not settings["n_resamples"]:
        return ""
    return (
        f"Rank intervals ({100 * settings['confidence_level']:g}%) and chances of being first are "
        f"from {count(settings['n_resamples'], 'resample')} of the datasets of each cell (seed "
        f"{settings['seed']})."
    )
