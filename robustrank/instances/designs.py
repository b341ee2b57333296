"""What is known about a dataset without scores per instance: its metric and their number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank.errors import ParameterError, unknown_label
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.matrix import ScoreMatrix

Kind = Literal["proportion", "pearson", "spearman"]

#: With fewer instances the variance of Fisher's z, with n - 3 below the bar, is undefined.
_FEWEST_FOR_CORRELATION = 4
_SIMILARITY = r"((cos(ine)?(_sim)?|dot|euclidean|manhattan|similarity|max)_)?"
_METRICS: dict[Kind, re.Pattern[str]] = {
    "proportion": re.compile(
        rf"{_SIMILARITY}(accuracy|acc)|proportion|exact_match|(hit_rate|success|hits)(_at_\d+)?"
        r"|precision_at_1"
    ),
    "pearson": re.compile(rf"{_SIMILARITY}pearson(_?r|_correlation)?"),
    "spearman": re.compile(rf"{_SIMILARITY}spearman(_?r|_rho|_correlation)?"),
}


@dataclass(frozen=True, slots=True)
class Design:
    """How the scores on a dataset come about.

    Attributes
    ----------
    n_instances : int
    kind : {"proportion", "pearson", "spearman"}
    """

    n_instances: int
    kind: Kind


def metric_kind(metric: object) -> Kind | None:
    """Return what kind of number a metric is by its name, `None` if no analytic error is known.

    Accuracies, exact matches, hit rates and precision at 1 are proportions of instances; Pearson
    and Spearman correlations may carry the similarity in their name (``cosine_spearman``). F1,
    average precision, nDCG, balanced accuracy and the like are neither.
    """
    key = re.sub(r"[\W_]+", "_", str(metric).casefold()).strip("_")
    return next((kind for kind, names in _METRICS.items() if names.fullmatch(key)), None)


def resolve_kind(kind: str) -> Kind:
    """Return the kind that a name means; raise if it means none."""
    found = metric_kind(kind)
    if found is None:
        raise ParameterError(
            f"kind must be one of {', '.join(get_args(Kind))}, or the name of such a metric; got "
            f"{kind!r}. For other metrics, scores per instance are needed: instance_intervals.",
            [kind],
        )
    return found


def fisher_deviation(correlation: FloatArray, n: int, kind: Kind) -> FloatArray:
    """Return the standard deviation of Fisher's z of correlations over n instances."""
    factor = 1.0 + correlation**2 / 2.0 if kind == "spearman" else np.ones_like(correlation)
    deviation: FloatArray = np.sqrt(factor / (n - 3))
    return deviation


def find_designs(
    matrix: ScoreMatrix,
    n_instances: float | Mapping[str, float] | pd.Series | None = None,
    kind: str | Mapping[str, str] | pd.Series | None = None,
) -> tuple[dict[str, Design], tuple[Note, ...]]:
    """Return number of instances and kind of metric of the datasets of which both are usable.

    Parameters
    ----------
    matrix : ScoreMatrix
    n_instances : int or mapping, optional
        For all datasets, or by dataset; else what ``matrix.datasets["n_instances"]`` says.
    kind : str or mapping, optional
        A kind or the name of a metric, for all datasets or by dataset; else what
        ``matrix.datasets["metric"]`` says.

    Returns
    -------
    designs : dict of str to Design
    notes : tuple of Note
        Why the other datasets have none.
    """
    sizes = _by_dataset("n_instances", n_instances, matrix)
    metrics = _by_dataset("metric", resolve_kind(kind) if isinstance(kind, str) else kind, matrix)
    backwards = matrix.datasets["direction"] == "min"
    designs: dict[str, Design] = {}
    left_out: dict[str, dict[str, str]] = {reason: {} for reason in _REASONS}
    for dataset in matrix.scores.columns:
        scores, metric, size = matrix.scores[dataset], metrics[dataset], sizes[dataset]
        found = None if pd.isna(metric) else metric_kind(metric)
        shown = f"{dataset} ({metric})"
        if pd.isna(metric):
            left_out["no-metric"][dataset] = dataset
        elif found is None or (backwards[dataset] and found != "proportion"):
            left_out["no-analytic-interval"][dataset] = shown
        elif pd.isna(size):
            left_out["no-sample-size"][dataset] = dataset
        elif scores.max() > 1.0 or scores.min() < (0.0 if found == "proportion" else -1.0):
            left_out["not-of-its-kind"][dataset] = shown
        elif _whole(size, dataset) < _FEWEST_FOR_CORRELATION and found != "proportion":
            left_out["too-few-instances"][dataset] = dataset
        else:
            designs[dataset] = Design(_whole(size, dataset), found)
    notes = tuple(
        Note(code, _REASONS[code].format(name_some(shown.values())), tuple(shown))
        for code, shown in left_out.items()
        if shown
    )
    return designs, notes


def known_sizes(
    matrix: ScoreMatrix, n_instances: float | Mapping[str, float] | pd.Series | None = None
) -> dict[str, int]:
    """Return the number of instances of each dataset of which it is known; see `find_designs`."""
    sizes = _by_dataset("n_instances", n_instances, matrix)
    return {str(name): _whole(size, str(name)) for name, size in sizes.dropna().items()}


_REASONS = {
    "no-metric": "No interval where the metric is unknown: {}. Pass kind=, or metadata with it.",
    "no-analytic-interval": (
        "No interval from a summary for metrics that are neither proportions nor correlations (or "
        "correlations that were reversed): {}. Scores per instance would give one."
    ),
    "no-sample-size": (
        "No interval where the number of instances is unknown: {}. Pass n_instances=, or metadata "
        "with it."
    ),
    "not-of-its-kind": "No interval where scores lie outside the range of their metric: {}.",
    "too-few-instances": "No interval for correlations over fewer than 4 instances: {}.",
}


def _by_dataset(field: str, given: object, matrix: ScoreMatrix) -> pd.Series:
    """Return a value per dataset: what was given, else what the metadata say."""
    known = matrix.datasets[field].astype("object")
    if given is None:
        return known
    if not isinstance(given, Mapping | pd.Series):
        return pd.Series([given] * len(known), index=known.index, dtype="object")
    for name in given.keys():  # noqa: SIM118 - a Series iterates over its values
        if name not in known.index:
            raise unknown_label("dataset", name, known.index)
    return pd.Series(
        [given[name] if name in given else known[name] for name in known.index],
        index=known.index,
        dtype="object",
    )


def _whole(size: object, dataset: str) -> int:
    number = float(size) if isinstance(size, Real) and not isinstance(size, bool) else 0.0
    if number < 1.0 or not number.is_integer():
        raise ParameterError(
            f"n_instances of {dataset!r} must be a whole number of at least 1; got {size!r}.",
            [dataset],
        )
    return int(number)
