"""Classification: a logistic regression on embeddings of labelled texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from robustrank.evaluators.hteb.scoring.base import Part, combine, split_subsets, undefined
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank.evaluators.hteb.scoring.base import Encoder, Score
    from robustrank.evaluators.hteb.vectors import Vectors
    from robustrank.evaluators.hteb.views import LabelledTexts

Measure = Literal["accuracy", "f1"]


def score_classification(
    texts: LabelledTexts,
    encoder: Encoder,
    *,
    seed: int,
    samples_per_label: int | None,
    n_experiments: int,
    measure: Measure,
    pool: bool,
) -> Score:
    """Train on one part of the texts and predict the labels of the other.

    Parameters
    ----------
    texts : LabelledTexts
    encoder : Encoder
    seed : int
    samples_per_label : int, optional
        Texts per label in a training sample; by default, all of the training split is used.
    n_experiments : int
        Number of training samples, over which the score is averaged.
    measure : {"accuracy", "f1"}
        ``"f1"`` is the macro average, of which there is no score per instance.
    pool : bool
        Whether the subsets are one; else each has a classifier of its own.
    """
    labels = np.empty(len(texts.labels), dtype="object")
    labels[:] = texts.labels
    is_train = np.array(texts.is_train, dtype=bool)
    parts: dict[str, Part] = {}
    for name, rows in split_subsets(texts.subsets, pool=pool).items():
        train, test = rows[is_train[rows]], rows[~is_train[rows]]
        known, gold = labels[train], labels[test]
        if len(set(known)) < 2 or len(test) == 0:
            parts[name] = undefined(
                len(test),
                f"Classification{_of(name)} is undefined: it needs two labels to train on and a "
                f"text to classify; there are {count(len(set(known)), 'label')} and "
                f"{count(len(test), 'text')}.",
            )
            continue
        # Only what some experiment uses is worth embedding.
        samples = draw_samples(known, samples_per_label, n_experiments, seed)
        used = np.unique(np.concatenate(samples))
        vectors = encoder.encode([texts.texts[row] for row in train[used]], role="text")
        unseen = encoder.encode([texts.texts[row] for row in test], role="text")
        predicted = [
            _fit_predict(vectors[np.searchsorted(used, sample)], known[sample], unseen, seed)
            for sample in samples
        ]
        parts[name] = _part(
            predicted,
            gold,
            [texts.ids[row] for row in test],
            measure,
            _unseen(name, known, gold),
        )
    return combine(measure, parts)


def draw_samples(
    labels: NDArray[Any], per_label: int | None, n_experiments: int, seed: int
) -> list[NDArray[np.intp]]:
    """Return the rows of each training sample, in the order in which MTEB draws them.

    Each experiment shuffles the order that the one before left behind, with a generator that is
    seeded anew, and takes the first `per_label` of every label.
    """
    if per_label is None:
        return [np.arange(len(labels))] * n_experiments
    codes, _ = pd.factorize(labels)
    order = np.arange(len(labels))
    samples = []
    for _ in range(n_experiments):
        np.random.RandomState(seed).shuffle(order)
        place = pd.Series(codes[order]).groupby(codes[order]).cumcount().to_numpy()
        samples.append(order[place < per_label].copy())
    return samples


def _fit_predict(
    vectors: Vectors, labels: NDArray[Any], unseen: Vectors, seed: int
) -> NDArray[Any]:
    import warnings  # noqa: PLC0415 - only here

    from sklearn.exceptions import ConvergenceWarning  # noqa: PLC0415 - slow to import
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - slow to import

    classifier = LogisticRegression(max_iter=100, random_state=seed)
    codes, names = pd.factorize(labels, sort=True)
    with warnings.catch_warnings():
        # 100 steps are what both protocols say, converged or not.
        warnings.simplefilter("ignore", ConvergenceWarning)
        classifier.fit(vectors, codes)
    predicted: NDArray[Any] = np.asarray(names, dtype="object")[classifier.predict(unseen)]
    return predicted


def _part(
    predicted: list[NDArray[Any]],
    gold: NDArray[Any],
    ids: list[str],
    measure: Measure,
    notes: tuple[Note, ...],
) -> Part:
    if measure == "f1":
        from sklearn.metrics import f1_score  # noqa: PLC0415 - slow to import

        text = gold.astype(str)
        values = [f1_score(text, labels.astype(str), average="macro") for labels in predicted]
        return Part(float(np.mean(values)), len(gold), notes=notes)
    right = np.mean([labels == gold for labels in predicted], axis=0)
    instances = pd.DataFrame({"instance": ids, "score": right})
    return Part(float(right.mean()), len(gold), instances, notes)


def _unseen(subset: str, known: NDArray[Any], gold: NDArray[Any]) -> tuple[Note, ...]:
    new = sorted(set(gold) - set(known), key=str)
    if not new:
        return ()
    sentence = (
        f"{count(len(new), 'label')} of the texts to classify{_of(subset)} did not occur among "
        f"those to train on and can never be right: {name_some(new)}."
    )
    return (Note("unseen-labels", sentence, tuple(map(str, new))),)


def _of(subset: str) -> str:
    return f" of {subset}" if subset else ""
