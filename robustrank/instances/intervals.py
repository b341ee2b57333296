"""How far a score on a dataset could move if other instances had been drawn."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._percentiles import percentile_interval
from robustrank.errors import ParameterError, check_count, check_level, check_seed
from robustrank.instances.draws import draw_means
from robustrank.instances.tables import check_instances, sorted_moments
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank._numeric import FloatArray
    from robustrank.instances.tables import InstanceScores

IntervalMethod = Literal["bootstrap", "normal"]

#: With fewer instances, intervals that assume nothing about their distribution are too narrow.
FEW_INSTANCES = 20


@dataclass(frozen=True, eq=False)
class Intervals:
    """Scores on datasets with their uncertainty within the dataset.

    Attributes
    ----------
    table : DataFrame
        Index (``model``, ``dataset``): ``score``; ``standard_error``, ``ci_low`` and ``ci_high``,
        NaN where there is none; ``n_instances`` (``Int64``), how many of the dataset the model was
        scored on; of an analytic interval, how many the dataset is said to have, NA where unknown.
    method : str
        ``"bootstrap"``, ``"normal"`` or ``"analytic"``.
    confidence_level : float
    notes : tuple of Note
    """

    table: pd.DataFrame
    method: str
    confidence_level: float
    notes: tuple[Note, ...] = ()

    def mean_standard_error(self) -> pd.Series:
        """Return the standard error of each model's mean over datasets that comes from within them.

        √(Σ se²) / n over the n datasets that the model has a score on; NaN if the error of one of
        them is unknown. The choice of datasets, which it leaves out, usually matters far more.
        """
        scored = self.table[self.table["score"].notna()]
        squares = (scored["standard_error"] ** 2).groupby(level="model", sort=False)
        total = squares.sum(min_count=1).where(squares.count() == squares.size())
        models = self.table.index.unique("model")
        errors: pd.Series = (np.sqrt(total) / squares.size()).reindex(models)
        return errors.rename("standard_error")


def instance_intervals(
    instances: InstanceScores,
    *,
    method: IntervalMethod = "bootstrap",
    n_resamples: int = 10_000,
    confidence_level: float = 0.95,
    seed: int | np.random.Generator = 0,
) -> Intervals:
    """Give every score a confidence interval from the scores on its instances.

    Parameters
    ----------
    instances : InstanceScores
    method : {"bootstrap", "normal"}
        ``"bootstrap"``: percentiles of the mean over instances drawn with replacement.
        ``"normal"``: mean ± z standard errors.
    n_resamples : int
        Resamples of the bootstrap.
    confidence_level : float
    seed : int or numpy.random.Generator
        All datasets and models share their random numbers, so that no interval depends on other
        datasets, nor on any order or name.

    Returns
    -------
    Intervals
        Standard errors are s / √n under both methods.

    Notes
    -----
    Where a model lacks scores on some instances, a resample counts those that it has. A model with
    a single scored instance on a dataset has no interval there.
    """
    check_instances(instances)
    if method not in get_args(IntervalMethod):
        raise ParameterError(f"method must be 'bootstrap' or 'normal'; got {method!r}.")
    check_count("n_resamples", n_resamples, 1)
    tail = (1.0 - check_level(confidence_level)) / 2.0
    check_seed(seed)
    [rng] = np.random.default_rng(seed).spawn(1)
    z = NormalDist().inv_cdf(1.0 - tail)
    fields: dict[str, dict[str, FloatArray]] = {}
    for dataset in instances.datasets:
        ordered, score, error = sorted_moments(instances.values(dataset))
        low, high = score - z * error, score + z * error
        if method == "bootstrap":
            low, high = _percentiles(ordered, n_resamples, confidence_level, copy.deepcopy(rng))
            low[np.isnan(error)] = high[np.isnan(error)] = np.nan
        fields[dataset] = {
            "score": score,
            "standard_error": error,
            "ci_low": low,
            "ci_high": high,
            "n_instances": np.isfinite(ordered).sum(axis=1),
        }
    table = stack(fields, instances.models)
    return Intervals(table, method, confidence_level, merge_notes(instances.notes, _notes(table)))


def stack(fields: Mapping[str, Mapping[str, FloatArray]], models: list[str]) -> pd.DataFrame:
    """Return one row per (model, dataset) from the columns of each dataset.

    An unknown number of instances is NaN in `fields`, and NA in the table.
    """
    datasets = list(fields)
    index = pd.MultiIndex.from_product([models, datasets], names=["model", "dataset"])
    names = ("score", "standard_error", "ci_low", "ci_high", "n_instances")
    columns = {
        name: np.column_stack([fields[dataset][name] for dataset in datasets]).ravel()
        for name in names
    }
    return pd.DataFrame(columns, index=index).astype({"n_instances": "Int64"})


def _percentiles(
    ordered: FloatArray, n_resamples: int, confidence_level: float, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return the percentiles of the resampled mean of every row.

    An interval depends on the values in its row alone, not on their pairing with other rows: with
    each row sorted, and the rows in an order of their own, all arrangements give the same bytes.
    """
    n = ordered.shape[1]
    keys = [row.tobytes() for row in ordered]
    distinct = sorted(set(keys))
    rows = np.frombuffer(b"".join(distinct)).reshape(len(distinct), n)
    means = draw_means(rows, n_resamples, rng)
    bounds = percentile_interval(means, confidence_level)
    place = {key: position for position, key in enumerate(distinct)}
    low, high = bounds[:, [place[key] for key in keys]]
    return low, high


def _notes(table: pd.DataFrame) -> tuple[Note, ...]:
    notes = []
    n = table["n_instances"]
    for code, cells, fact in (
        ("single-instance", n == 1, "on a single instance have no interval"),
        (
            "few-instances",
            (n > 1) & (n < FEW_INSTANCES),
            f"on fewer than {FEW_INSTANCES} instances have intervals that tend to be too narrow",
        ),
        (
            "no-variation",
            (n > 1) & (table["standard_error"] == 0.0),
            "that are equal on all instances have intervals without width, which is no certainty",
        ),
    ):
        found = table.index[cells]
        if len(found):
            datasets = tuple(dict.fromkeys(found.get_level_values("dataset")))
            message = f"{count(len(found), 'score')} {fact}: {name_some(datasets)}."
            notes.append(Note(code, message, datasets))
    return tuple(notes)
