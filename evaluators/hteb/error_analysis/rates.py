"""`error_rates`: how often generators go wrong, in which ways, and which of them least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import check_count, check_level, check_seed, describe_seed
from robustrank.evaluators.hteb.error_analysis.counting import (
    count_per_text,
    rates_by_transformation,
    shared_transformations,
)
from robustrank.evaluators.hteb.error_analysis.finding import TOTAL, Attempts, find_all
from robustrank.evaluators.hteb.error_analysis.intervals import total_intervals
from robustrank.evaluators.hteb.error_analysis.plots import ErrorPlots
from robustrank.evaluators.hteb.error_analysis.reading import STORED, Source, read_outputs
from robustrank.evaluators.hteb.error_analysis.resampling import resample_totals
from robustrank.evaluators.hteb.error_analysis.selection import Selection, select
from robustrank.evaluators.hteb.error_analysis.wording import summarise
from robustrank.notes import Note, count
from robustrank.presenting import records, save

if TYPE_CHECKING:
    from pathlib import Path

    from robustrank.evaluators.hteb.texts.identify import Identifier
    from robustrank.evaluators.hteb.texts.quality import Reading, Words


@dataclass(frozen=True, eq=False, repr=False)
class ErrorRates:
    """Shares of outputs with errors, by generator, 0..1; generators with the fewest come first.

    Attributes
    ----------
    rates : DataFrame, generator × ten types and ``"total"``
        Means over the `transformations`, each with the same weight. The total is the share of
        outputs with any error, so that it is at most the sum of the types. ``wrong_language`` is
        NaN where no language was checked.
    by_transformation : DataFrame, (generator, transformation) × ten types and ``"total"``
    totals : DataFrame
        Per generator: ``total`` with its interval ``low`` to ``high`` (see `error_rates`),
        ``difference`` (total of the next generator minus its own) with its percentile interval
        ``difference_low`` to ``difference_high`` over resampled texts, ``probability`` (share of
        resamples in which it has fewer errors than the next), ``n_texts`` and ``n_outputs``. NaN
        where there is no next, or one text.
    draws : DataFrame, generator × resample
        Totals over resampled texts; the draw is the same for all generators.
    transformations : list of str
        Those of the means: the ones that every generator has.
    n_texts : int
        Different texts, of whichever generators.
    settings : dict
        ``attempts`` is None where no source is a run.
    notes : tuple of Note
    """

    rates: pd.DataFrame
    by_transformation: pd.DataFrame
    totals: pd.DataFrame
    draws: pd.DataFrame
    transformations: list[str]
    n_texts: int
    settings: dict[str, Any]
    notes: tuple[Note, ...] = ()

    @property
    def plot(self) -> ErrorPlots:
        """Figures: ``plot.rates()``, ``plot.totals()``, ``plot.transformations()``."""
        return ErrorPlots(self.rates, self.by_transformation, self.totals)

    def best(self, n: int = 5) -> Selection:
        """Return the generators with the lowest totals, and whether the next is really worse.

        Parameters
        ----------
        n : int
            How many; *HTEB* goes on with five.

        Raises
        ------
        ParameterError
            If there are not so many.
        """
        return select(self.totals["total"], self.draws, n, self.settings["confidence_level"])

    def summary(self, best: int = 5) -> str:
        """Return the rates in percent as *HTEB*'s Table 9 has them, and what they show.

        Parameters
        ----------
        best : int
            How many generators are chosen; one, where there are not more than that.
        """
        check_count("best", best, 1)
        number = best if best < len(self.rates) else 1
        return summarise(
            self.rates,
            self.by_transformation,
            self.totals,
            self.n_texts,
            self.best(number),
            self.settings,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as JSON-safe values."""
        return {
            "totals": records(self.totals),
            "rates": records(self.rates),
            "by_transformation": records(self.by_transformation),
            "transformations": self.transformations,
            "n_texts": self.n_texts,
            "settings": self.settings,
            "notes": [note.to_dict() for note in self.notes],
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write the summary, the tables and the figures; return the files."""
        return save(
            folder,
            text=self.summary(),
            content=self.to_dict(),
            tables={
                "rates": self.rates,
                "by_transformation": self.by_transformation,
                "totals": self.totals,
            },
            plots={kind: getattr(self.plot, kind) for kind in ErrorPlots.kinds()},
        )

    def __repr__(self) -> str:
        return (
            f"ErrorRates({count(len(self.rates), 'generator')} × "
            f"{count(len(self.transformations), 'transformation')}: {self.rates.index[0]} "
            f"{self.rates[TOTAL].iloc[0]:.1%})"
        )


def error_rates(
    source: Source,
    *,
    generator: str | None = None,
    attempts: Attempts = "first",
    reading: Reading = "paper",
    words: Words = "whitespace",
    identifier: str | Identifier | None = "py3langid",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int | np.random.Generator = 0,
) -> ErrorRates:
    """Say how often generators go wrong when they rewrite texts, and which of them least.

    Parameters
    ----------
    source : path, DataFrame, or several of them as a sequence or a mapping
        The folder of a run (its generator is that of its settings); or a table, also as a file or
        a list of rows, with the columns ``generator``, ``transformation``, ``original`` and
        ``output``, and optionally ``dataset`` and the language that the output should have,
        ``language``, or ``source`` and ``target``. A mapping goes from names of generators to
        sources, each of one generator.
    generator : str, optional
        What to call the generator of a single source.
    attempts : {"first", "last"}
        Which answers of a run to look at: the first to each text, which compare with *HTEB*'s
        Table 9 and show what the generator does on its own; or those that were left after retries,
        which is what models are scored on. A table has one output per row.
    reading, words
        As in `find_errors`. With other values than these, errors are found anew, in last answers.
    identifier : str, Identifier or None
        What tells languages where errors are not stored; None does not check them.
    confidence_level : float
        Of the intervals.
    n_resamples : int
    seed : int or numpy.random.Generator

    Returns
    -------
    ErrorRates

    Raises
    ------
    InputError
        A subclass that names what is wrong and the remedy.

    Notes
    -----
    All outputs under one transformation weigh the same, from whichever dataset and seed. Resampled
    are texts, with all their outputs: a text's errors under several transformations and of several
    generators go together. The intervals do not cover how a generator would do on other datasets.
    Those of totals are not from resampling, in which errors that few texts have are often lost, and
    which finds no doubt where all texts fare alike.

    References
    ----------
    Error types, total and the mean over transformations: *HTEB*, appendix A.2 and Table 9.
    Intervals of totals: Agresti & Coull, *The American Statistician* 52 (1998), with texts for
    observations. Differences: Efron & Tibshirani (1993), *An Introduction to the Bootstrap*.

    Examples
    --------
    >>> import pandas as pd
    >>> from robustrank.evaluators import hteb
    >>> table = pd.DataFrame(
    ...     {
    ...         "generator": ["A", "A", "B", "B"],
    ...         "transformation": "paraphrasing",
    ...         "original": ["A cat sat.", "Dogs bark."] * 2,
    ...         "output": ["A cat was sitting.", "Dogs bark.", "...", ""],
    ...     }
    ... )
    >>> found = hteb.error_rates(table, identifier=None)
    >>> found.rates["total"].to_dict()
    {'A': 0.5, 'B': 1.0}
    >>> found.rates["ellipsis"].to_dict()
    {'A': 0.0, 'B': 0.5}
    """
    level = check_level(confidence_level)
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)
    parts = read_outputs(source, generator)
    of_runs = any(STORED["first"] in part.columns for part in parts)
    settings = {
        "attempts": attempts if of_runs else None,
        "reading": reading,
        "words": words,
        "identifier": identifier
        if identifier is None or isinstance(identifier, str)
        else identifier.name,
        "confidence_level": level,
        "n_resamples": int(n_resamples),
        "seed": describe_seed(seed),
    }
    table, notes = find_all(
        parts,
        attempts=attempts,
        reading=reading,
        words=words,
        identifier=identifier,
    )
    by_transformation = rates_by_transformation(table)
    shared, unequal = shared_transformations(by_transformation)
    rates = _means(by_transformation, shared)
    counts, different = count_per_text(table, list(rates.index), shared)
    draws = resample_totals(counts, n_resamples, np.random.default_rng(seed))
    totals = _totals(rates[TOTAL], draws, level)
    totals["n_texts"] = (counts.outputs.sum(axis=2) > 0).sum(axis=0)
    totals["n_outputs"] = counts.outputs.sum(axis=(0, 2))
    totals["low"], totals["high"] = total_intervals(counts, level)
    return ErrorRates(
        rates=rates,
        by_transformation=by_transformation.loc[list(rates.index)],
        totals=totals,
        draws=draws,
        transformations=shared,
        n_texts=len(counts.outputs),
        settings=settings,
        notes=(*notes, *unequal, *different, *_single(len(counts.outputs))),
    )


def _means(by_transformation: pd.DataFrame, shared: list[str]) -> pd.DataFrame:
    """Average over transformations, generators with the fewest errors first.

    Generators with one total are in the order of their rates, so that neither the order of rows nor
    names decide what is drawn; only where all rates are equal, too, names are in the order given.
    """
    kept = by_transformation[by_transformation.index.isin(shared, level="transformation")]
    means = kept.groupby(level="generator", sort=False).mean().round(TIE_DECIMALS)
    return means.sort_values([TOTAL, *means.columns.drop(TOTAL)], kind="stable")


def _totals(totals: pd.Series, draws: pd.DataFrame, level: float) -> pd.DataFrame:
    """Compare every generator with the next."""
    chosen = [select(totals, draws, place, level) for place in range(1, len(totals) + 1)]
    return pd.DataFrame(
        {
            "total": totals,
            "low": np.nan,
            "high": np.nan,
            "difference": [each.difference for each in chosen],
            "difference_low": [each.low for each in chosen],
            "difference_high": [each.high for each in chosen],
            "probability": [each.probability for each in chosen],
        },
        index=totals.index,
    )


def _single(n_texts: int) -> list[Note]:
    if n_texts > 1:
        return []
    return [Note("one-text", "One text cannot tell how much rates depend on the texts.")]
