"""`next_dataset`: which of the datasets that a model has not run says most about its ability."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from robustrank import presenting
from robustrank._arrange import by_content
from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import check_count, check_level, unknown_label
from robustrank.irt import fit_2pl
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.planning.next_wording import next_headline, next_summary
from robustrank.planning.plots import NextPlots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray
    from robustrank.irt import TaskIRT

#: Models with every score that it takes to see how far abilities move as datasets are added.
_FEWEST = 10
#: A distance this many standard errors long is more than the model of ability allows for.
_FAR = 1.5


@dataclass(frozen=True, eq=False, repr=False)
class NextDataset(presenting.Answer):
    """In which order the datasets that a model has not run say most about its ability.

    Attributes
    ----------
    table : DataFrame
        Index ``dataset``, the one to run next first; each row is for running it and those above.
        ``task_type``; ``information``: Fisher's, of the dataset, about the ability; expected
        ``standard_error`` of the ability; ``reduction``: the share of the present variance that is
        removed; ``distance``: root mean square, over the models with every score, of the ability
        that these datasets and those run already give, minus that which all give; and the ranks
        ``rank_low`` to ``rank_high`` that the model may hold, by the larger of the two errors.
    now : Series
        The same with the datasets that have been run: ``ability``, ``standard_error``,
        ``distance``, ``rank_low``, ``rank_high``.
    model : str
    n_run, n_datasets : int
        Datasets that the model has run, and that there are.
    n_models : int
        Models with an ability, and this one.
    settings : dict
    notes : tuple of Note
    """

    table: pd.DataFrame
    now: pd.Series
    model: str
    n_run: int
    n_datasets: int
    n_models: int
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """What to run next, and what that would tell."""
        return next_headline(self)

    @property
    def plot(self) -> NextPlots:
        """The figure."""
        return NextPlots(self)

    def summary(self) -> str:
        """Return the datasets in order, for a terminal."""
        return next_summary(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the datasets in order."""
        return {"next_dataset": self.table}


def next_dataset(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    model: str,
    *,
    n: int | None = 10,
    confidence_level: float = 0.95,
) -> NextDataset:
    """Say which dataset a model should run next, to know its ability best.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets, with gaps; `fit_2pl` is fitted to all of it.
    model : str
        A model with missing scores.
    n : int, optional
        How many datasets to name; None for all that the model has not run.
    confidence_level : float
        Of the ranks that the model may hold.

    Returns
    -------
    NextDataset
        Without a row where the model has every score. The numbers are NaN where nothing can be
        fitted, and a note says why.

    Raises
    ------
    UnknownLabelError
        If there is no such model.
    ParameterError
        If a setting is out of range.

    Notes
    -----
    A score on dataset j has the information (a s (1 - s))² / σ² about an ability, with s the
    predicted score, a the discrimination and σ² the residual variance of the dataset. Information
    adds up, so that the dataset with most of it is the best next one at every step. To it comes
    that of a normal prior with the mean, 0, and the variance, 1, of the abilities fitted.

    References
    ----------
    Lord, *Applications of Item Response Theory to Practical Testing Problems* (1980), ch. 5 and 10;
    van der Linden & Glas (eds.), *Elements of Adaptive Testing* (2010), ch. 1.

    Examples
    --------
    >>> import robustrank as rr
    >>> board = rr.load_example()
    >>> rr.next_dataset(board, "mongodb/voyage-3").table.index[0]
    'GreekLegalCodeClassification'
    """
    matrix = ScoreMatrix.coerce(scores)
    if str(model) not in matrix.scores.index:
        raise unknown_label("model", model, matrix.scores.index)
    if n is not None:
        check_count("n", n, 1)
    check_level(confidence_level)
    name = str(model)
    work = by_content(matrix)
    fit = fit_2pl(work, n_refits=0)
    ran = work.scores.loc[[name]].notna().to_numpy()[0]
    known = fit.discrimination.notna().to_numpy()
    datasets = work.scores.columns
    run = list(datasets[ran & known])
    ability, precision = _ability(fit, work, name, run)
    told = fit.information(pd.Series({name: ability}))[name][~ran]
    order = np.argsort(-told.round(TIE_DECIMALS).to_numpy(), kind="stable")[:n]  # NaN last
    chosen = told.iloc[order]
    added = [str(each) for each in chosen.index[chosen.notna()]]
    errors = (precision + np.cumsum([0.0, *chosen.fillna(0.0)])) ** -0.5
    distances = _distances(fit, work, name, run, added)
    # A dataset of which nothing is known changes nothing.
    distances += distances[-1:] * (len(errors) - len(distances))
    steps = pd.DataFrame({"standard_error": errors, "distance": distances})
    others = fit.ability.drop(name).dropna().to_numpy()
    steps[["rank_low", "rank_high"]] = _ranks(ability, steps, others, confidence_level)
    notes = _notes(chosen, steps) if known.any() else []
    return NextDataset(
        table=_table(work, chosen, steps),
        now=pd.Series(
            {"ability": ability, **steps.astype(object).iloc[0]}, name="now", dtype=object
        ),
        model=name,
        n_run=int(ran.sum()),
        n_datasets=len(ran),
        n_models=len(others) + 1,
        settings={"model": name, "n": n, "confidence_level": confidence_level},
        notes=merge_notes(fit.notes, notes),
    )


def _ability(fit: TaskIRT, matrix: ScoreMatrix, model: str, run: list[str]) -> tuple[float, float]:
    """Return the ability of a model, and its precision, with the prior."""
    if fit.ability.isna().all():
        return np.nan, np.nan
    if not run:
        return 0.0, 1.0
    ability, error = _with_prior(fit, matrix.arrange(models=[model], datasets=run))
    return float(ability[0]), float(error[0] ** -2)


def _with_prior(fit: TaskIRT, part: ScoreMatrix) -> tuple[FloatArray, FloatArray]:
    """Return abilities and their errors, with a normal prior of mean 0 and deviation 1."""
    alone = fit.score_new(part)["ability"]
    told = fit.information(alone).loc[part.scores.columns].sum().to_numpy()
    return alone.to_numpy() * told / (told + 1.0), (told + 1.0) ** -0.5


def _ranks(
    ability: float, steps: pd.DataFrame, others: FloatArray, confidence_level: float
) -> pd.DataFrame:
    """Return between which ranks a model may be, by the larger of the two errors."""
    if np.isnan(ability):
        return pd.DataFrame({"low": pd.NA, "high": pd.NA}, steps.index, dtype="Int64")
    error = np.fmax(steps["standard_error"].to_numpy(), steps["distance"].to_numpy())
    reach = -float(ndtri((1.0 - confidence_level) / 2.0)) * error[:, None]
    low = 1 + (others > ability + reach).sum(axis=1)
    high = 1 + (others >= ability - reach).sum(axis=1)
    return pd.DataFrame({"low": low, "high": high}, dtype="Int64")


def _table(matrix: ScoreMatrix, chosen: pd.Series, steps: pd.DataFrame) -> pd.DataFrame:
    after = steps.iloc[1:].set_axis(chosen.index)
    table = pd.DataFrame(
        {"task_type": matrix.datasets["task_type"][chosen.index], "information": chosen}
    )
    table["standard_error"] = after["standard_error"]
    table["reduction"] = 1.0 - (after["standard_error"] / steps["standard_error"].iloc[0]) ** 2
    table.index.name = "dataset"
    return table.join(after[["distance", "rank_low", "rank_high"]])


def _notes(chosen: pd.Series, steps: pd.DataFrame) -> list[Note]:
    notes = []
    unjudged = tuple(str(name) for name in chosen.index[chosen.isna()])
    if unjudged:
        message = (
            f"{count(len(unjudged), 'dataset')} of which too little is known to say what it would "
            f"tell, listed last: {name_some(unjudged)}."
        )
        notes.append(Note("unknown-information", message, unjudged))
    if (steps["distance"] > _FAR * steps["standard_error"]).any():
        message = (
            "The abilities of models with every score are farther from those by these datasets "
            "alone than the standard error says, which takes residuals for independent and gives "
            "each dataset its best weight. Ranks are by how far those are."
        )
        notes.append(Note("distance-above-error", message))
    return notes


def _distances(
    fit: TaskIRT, matrix: ScoreMatrix, model: str, run: Sequence[str], added: Sequence[str]
) -> list[float]:
    """Return how far abilities by some datasets are from those by all, before and after each.

    Over the other models with a score on every dataset fitted; NaN with fewer than ten.
    """
    used = fit.discrimination.index[fit.discrimination.notna()]
    whole = matrix.scores[used].notna().all(axis=1).drop(model)
    models = list(whole.index[whole])
    if len(models) < _FEWEST or not len(used):
        return [np.nan] * (len(added) + 1)
    final = fit.ability[models].to_numpy()
    found = []
    for k in range(len(added) + 1):
        datasets = [*run, *added[:k]]
        ability = np.zeros(len(models))
        if datasets:
            ability, _ = _with_prior(fit, matrix.arrange(models=models, datasets=datasets))
        found.append(float(np.sqrt(np.mean((ability - final) ** 2))))
    return found
