"""What unfolds below a model of the leaderboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import average_ranks
from robustrank._text import percent
from robustrank.notes import count, name_some
from robustrank.report.tables import format_value

if TYPE_CHECKING:
    from robustrank.result import Analysis

#: A term and what there is to say.
Detail = tuple[str, str]
#: How many models, and how many datasets at each end, are named.
_MODELS = 8
_DATASETS = 3


def details(analysis: Analysis) -> dict[str, list[Detail]]:
    """Return what there is to say of each model.

    Returns
    -------
    dict of str to list of (term, description)
        The models that it cannot be told apart from, those next to it in rank first; its best and
        worst places by dataset; the span of its ranks over schemes and compositions; what is known
        of it.
    """
    near = _neighbours(analysis)
    places = _places(analysis)
    spans = _spans(analysis)
    known = analysis.matrix.models
    return {
        str(model): [
            *near.get(str(model), []),
            *places[str(model)],
            *spans[str(model)],
            *_metadata(known.loc[model]),
        ]
        for model in known.index
    }


def _neighbours(analysis: Analysis) -> dict[str, list[Detail]]:
    """Name the models that a model neither beats nor loses to with enough probability."""
    bootstrap = analysis.bootstrap
    order = bootstrap.order
    chance = bootstrap.pairwise.loc[order, order].to_numpy()
    threshold = bootstrap.settings["tier_threshold"]
    open_pairs = ~(np.maximum(chance, chance.T) > threshold)
    np.fill_diagonal(open_pairs, val=False)
    found = {}
    for place, model in enumerate(order):
        others = np.flatnonzero(open_pairs[place])
        nearest = others[np.argsort(np.abs(others - place), kind="stable")]
        names = name_some((order[other] for other in nearest), _MODELS)
        text = f"{count(len(others), 'model')}: {names}" if len(others) else "no model"
        found[model] = [("Cannot be told apart from", text)]
    return found


def _places(analysis: Analysis) -> dict[str, list[Detail]]:
    """Name the datasets on which a model comes first and last among all, by its place there."""
    scores = analysis.matrix.scores
    found = {}
    for model, own in zip(scores.index, average_ranks(scores.to_numpy()), strict=True):
        known = np.flatnonzero(~np.isnan(own))
        order = known[np.argsort(own[known], kind="stable")]
        most = min(_DATASETS, len(order) // 2)
        ends = (("Best places", order[:most]), ("Worst places", order[::-1][:most]))
        found[str(model)] = [
            (term, ", ".join(_place(scores.columns[j], own[j]) for j in which))
            for term, which in ends
            if len(which)
        ]
    return found


def _place(dataset: str, rank: float) -> str:
    return f"{dataset} ({format_value('rank', float(rank))})"


def _spans(analysis: Analysis) -> dict[str, list[Detail]]:
    """Say between which ranks schemes and compositions put a model."""
    rankings = count(analysis.rankings.ranks.shape[1], "ranking")
    ends_of = analysis.to_frame()[["best_rank", "worst_rank"]]
    found: dict[str, list[Detail]] = {}
    for model, low, high in ends_of.itertuples():
        ends = [format_value("rank", float(end)) for end in (low, high)]
        span = ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
        text = "not ranked" if pd.isna(low) else f"{span} in {rankings}"
        found[str(model)] = [("Ranks over schemes and compositions", text)]
    return found


def _metadata(known: pd.Series) -> list[Detail]:
    """Return what the metadata say of a model."""
    found = []
    if pd.notna(known["n_parameters"]):
        found.append(("Parameters", _millions(float(known["n_parameters"]))))
    if pd.notna(known["open_weights"]):
        found.append(("Weights", "open" if known["open_weights"] else "closed"))
    if pd.notna(known["zero_shot"]):
        text = f"{percent(known['zero_shot'])} of the benchmark's datasets"
        found.append(("Not trained on", text))
    if pd.notna(known["price"]):
        found.append(("Price", f"{known['price']:g}"))
    return found


def _millions(number: float) -> str:
    return f"{number / 1e9:.3g} billion" if number >= 1e9 else f"{number / 1e6:.3g} million"
