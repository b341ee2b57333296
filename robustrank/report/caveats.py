"""What limits the verdict of an analysis, the most serious first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from robustrank._text import percent
from robustrank.evidence import assess_evidence
from robustrank.notes import count
from robustrank.redundancy import FRAGILE_WIDTH
from robustrank.report.words import contenders, leaders, listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robustrank.notes import Note
    from robustrank.resampling import Bootstrap
    from robustrank.result import Analysis

#: Fewer resamples than this leave more than a hundredth of play at a probability of 0.95.
ENOUGH_RESAMPLES = 1000

#: Telling models apart below this probability is worth a word.
USUAL_THRESHOLD = 0.9


def find_caveats(analysis: Analysis) -> tuple[str, ...]:
    """Return one short sentence for each thing that limits what the analysis says."""
    notes = {note.code: note for note in analysis.notes}
    return (
        *_gaps(analysis, notes),
        *_chosen_leader(analysis.bootstrap),
        *_resamples(analysis, notes),
        *_clusters(analysis, notes),
        *_first_places(analysis),
        *_data(notes),
        *_left_out(notes),
        *_weights(analysis, notes),
        *_settings(analysis),
    )


def _chosen_leader(bootstrap: Bootstrap) -> Iterator[str]:
    """Say how many of the models that the leader seems to beat are due to comparing so many."""
    others, seen = len(bootstrap.order) - 1, len(bootstrap.leads)
    if others < 2 or not seen or bootstrap.by_dataset is None:
        return
    test = bootstrap.compare("leader")
    found = int(test.table["significant"].sum())
    if test.floor > test.alpha:
        yield f"There are too few datasets for a test that allows for {others} comparisons."
    elif found < seen:
        apart = count(found, "model") if found else "no model"
        yield (
            f"Allowing for {others} comparisons, a test tells the leader apart from {apart}, not "
            f"{seen}; even that does not allow for choosing the leader by the same scores."
        )


def _resamples(analysis: Analysis, notes: dict[str, Note]) -> Iterator[str]:
    """Say where resampling the datasets shows less than it seems to."""
    settings = analysis.bootstrap.settings
    units = settings["n_units"]
    kind = "cluster" if settings["resampling"] == "clusters" else "dataset"
    n = analysis.redundancy.n
    if n <= 1 < analysis.matrix.shape[1]:
        if n == 1:
            yield "All models tie on every dataset but one."
    elif "nothing-to-resample" in notes:
        if units > 1:
            yield "All resamples hold the same datasets: draw more of them."
        else:
            yield f"One {kind} cannot be resampled: there is no interval, tier or probability."
    elif "few-datasets" in notes:
        yield f"With {count(units, kind)}, intervals and tiers are too narrow."


def _clusters(analysis: Analysis, notes: dict[str, Note]) -> Iterator[str]:
    """Say where the strength of the evidence itself is in doubt."""
    redundancy, merges = analysis.redundancy, analysis.redundancy.merges
    n = redundancy.n
    if n < 2 or "few-models" in notes:  # of those, the verdict itself speaks
        return
    if redundancy.q == 1:
        yield f"All {n} datasets repeat each other and say little more than one of them."
    for shift in (-FRAGILE_WIDTH, FRAGILE_WIDTH):
        tau = min(max(redundancy.tau + shift, 0.0), 1.0)
        other = assess_evidence(n, n - int((merges["correlation"] > tau).sum()))
        if other.category != analysis.evidence.category:
            yield (
                f"Clusters are fragile: with a tau of {tau:g}, the evidence would be "
                f"{other.category}."
            )


def _first_places(analysis: Analysis) -> Iterator[str]:
    """Say where ranking in other ways puts other models first."""
    shares, first = analysis.winners, leaders(analysis)
    if shares.empty or len(first) == len(analysis.bootstrap.order):
        return
    rankings = count(analysis.n_rankings, "ranking")
    own, others = float(shares.reindex(first).sum()), shares.drop(first, errors="ignore")
    leader = "the leader" if len(first) == 1 else "one of the leaders"
    if len(others) and others.iloc[0] > own:
        rival = listing(others.index[:1])
        yield (
            f"Other ways of ranking disagree: {percent(others.iloc[0])} of {rankings} put {rival} "
            f"first, {percent(own)} {leader}."
        )
    elif own < 0.5:
        yield f"Ways of ranking disagree: only {percent(own)} of {rankings} put {leader} first."


def _data(notes: dict[str, Note]) -> Iterator[str]:
    """Say which scores may not mean what they seem to."""
    if "reversed-datasets" in notes:
        names = listing(notes["reversed-datasets"].labels)
        yield f"The better models score lower on {names}: is lower better there?"
    if "partial-models" in notes:
        models = count(len(notes["partial-models"].labels), "model")
        yield f"Some scores of {models} average only a part of their dataset."


def _left_out(notes: dict[str, Note]) -> Iterator[str]:
    """Say what missing scores took away before anything was ranked."""
    if "lost-task-types" in notes:
        yield f"Missing scores leave no dataset of {listing(notes['lost-task-types'].labels)}."
    if "dropped-models" in notes:
        models = count(len(notes["dropped-models"].labels), "model")
        ahead = notes.get("dropped-leaders")
        which = f"; ahead of all others on what they ran: {listing(ahead.labels)}" if ahead else ""
        yield f"Missing scores exclude {models}{which}."
    if "dropped-datasets" in notes:
        yield f"Missing scores exclude {count(len(notes['dropped-datasets'].labels), 'dataset')}."


def _gaps(analysis: Analysis, notes: dict[str, Note]) -> Iterator[str]:
    """Say which models stayed with missing scores."""
    bootstrap = analysis.bootstrap
    unranked = bootstrap.models.difference(bootstrap.order, sort=False)
    if len(unranked):
        models = count(len(unranked), "model")
        which = ""
        if ahead := _ahead_of_leader(bootstrap, unranked):
            which = f"; ahead of the leader on what both ran: {listing(ahead)}"
        yield f"Missing scores leave {models} without a rank{which}."
    if "partly-ranked-models" in notes:
        partly = notes["partly-ranked-models"].labels
        which = ", the leader among them" if set(partly) & set(leaders(analysis)) else ""
        models = count(len(partly), "model")
        yield f"Missing scores leave {models} ranked on only some of the datasets{which}."


def _ahead_of_leader(bootstrap: Bootstrap, unranked: pd.Index) -> list[str]:
    if not bootstrap.order:
        return []
    chance = bootstrap.pairwise.loc[unranked, bootstrap.order[0]]
    return list(unranked[(chance > bootstrap.settings["tier_threshold"]).to_numpy()])


def _weights(analysis: Analysis, notes: dict[str, Note]) -> Iterator[str]:
    """Say which datasets and models count for more, or less, than one."""
    n = analysis.matrix.shape[1]
    if "dependent-columns" in notes and analysis.bootstrap.settings["resampling"] != "clusters":
        yield (
            "Columns of one dataset go together, which makes intervals too narrow; draw whole "
            "datasets: paired_bootstrap(m, resampling='clusters', clusters=m.datasets['dataset'])."
        )
    if "constant-datasets" in notes and analysis.redundancy.n > 1:
        yield f"On {len(notes['constant-datasets'].labels)} of {n} datasets, all models tie."
    if "repeated-datasets" in notes and analysis.redundancy.q > 1:
        yield (
            f"{len(notes['repeated-datasets'].labels)} of {n} datasets repeat others, which makes "
            "intervals too narrow; resampling='clusters' allows for that."
        )
    if "lone-task-types" in notes:
        names = listing(notes["lone-task-types"].labels)
        yield f"The uncertainty leaves out what is alone in its task type: {names}."
    if "identical-models" in notes:
        copies = set(notes["identical-models"].labels) & set(contenders(analysis))
        if copies:
            yield (
                f"{len(copies)} of the models not told apart from the leader have the same scores "
                "as another throughout, copies perhaps."
            )


def _settings(analysis: Analysis) -> Iterator[str]:
    """Say which settings make the answer rough or lenient."""
    bootstrap = analysis.bootstrap
    n_resamples, threshold = (bootstrap.settings[k] for k in ("n_resamples", "tier_threshold"))
    shows = analysis.redundancy.n > 1 and not pd.isna(bootstrap.resolved)
    if shows and n_resamples < ENOUGH_RESAMPLES:
        yield f"Probabilities from {count(n_resamples, 'resample')} are rough."
    if threshold < USUAL_THRESHOLD:
        yield f"A probability above {threshold:g} counts as telling models apart."
