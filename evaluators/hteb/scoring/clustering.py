"""Clustering: whether k-means on embeddings finds the labels."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank.evaluators.hteb.scoring.base import Part, combine, split_subsets, undefined
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from robustrank.evaluators.hteb.scoring.base import Encoder, Score
    from robustrank.evaluators.hteb.views import Cluster

#: The settings of MTEB's bootstrapped clustering.
_FRACTION, _SAMPLE_SIZE, _N_SAMPLES, _BATCH_SIZE = 0.04, 16_384, 10, 512


def score_groups(
    groups: Sequence[Cluster], encoder: Encoder, *, seed: int, batch_size: int, pool: bool
) -> Score:
    """Cluster each group of texts into as many clusters as it has labels; average the v-measures.

    Parameters
    ----------
    groups : sequence of Cluster
    encoder : Encoder
    seed, batch_size : int
        Of mini-batch k-means.
    pool : bool
        Whether all groups count alike; else, the mean of each subset does.
    """
    parts: dict[str, Part] = {}
    for name, rows in split_subsets([group.subset for group in groups], pool=pool).items():
        chosen = [groups[row] for row in rows]
        values = [_v_measure(group, encoder, seed, batch_size) for group in chosen]
        trivial = [group.id for group in chosen if len(set(group.labels)) < 2]
        if len(trivial) == len(chosen):
            parts[name] = undefined(
                len(chosen),
                "The v-measure is undefined: no group of texts has more than one label.",
            )
            continue
        instances = pd.DataFrame({"instance": [group.id for group in chosen], "score": values})
        parts[name] = Part(float(np.mean(values)), len(chosen), instances, _trivial(trivial))
    return combine("v_measure", parts)


def score_samples(groups: Sequence[Cluster], encoder: Encoder, *, seed: int) -> Score:
    """Cluster samples of the texts of each subset; average their v-measures, as MTEB does now.

    A share of 4% of the texts is embedded, and ten samples of these, with replacement, are
    clustered. There is nothing per instance.
    """
    rng = random.Random(seed)  # noqa: S311 - the generator that MTEB draws with
    parts: dict[str, Part] = {}
    for name, rows in split_subsets([group.subset for group in groups], pool=False).items():
        texts = [text for row in rows for text in groups[row].texts]
        labels = np.array([label for row in rows for label in groups[row].labels], dtype="object")
        chosen = rng.sample(range(len(texts)), k=int(_FRACTION * len(texts)))
        codes, names = pd.factorize(labels[chosen])
        if len(names) < 2:
            parts[name] = undefined(
                len(texts),
                f"The v-measure is undefined: the sample of 4% of {count(len(texts), 'text')} "
                f"has {count(len(names), 'label')}.",
            )
            continue
        vectors = encoder.encode([texts[row] for row in chosen], role="text")
        values = []
        for _ in range(_N_SAMPLES):
            sample = rng.choices(range(len(vectors)), k=_SAMPLE_SIZE)
            found = _k_means(vectors[sample], len(names), seed, _BATCH_SIZE, n_init=1)
            values.append(_compare(codes[sample], found))
        parts[name] = Part(float(np.mean(values)), len(texts))
    return combine("v_measure", parts)


def _v_measure(group: Cluster, encoder: Encoder, seed: int, batch_size: int) -> float:
    codes, names = pd.factorize(np.array(group.labels, dtype="object"))
    if len(names) < 2:
        return 1.0  # by its definition, whatever the clusters
    vectors = encoder.encode(list(group.texts), role="text")
    return _compare(codes, _k_means(vectors, len(names), seed, batch_size, n_init="auto"))


def _k_means(
    vectors: NDArray[Any], k: int, seed: int, batch_size: int, *, n_init: Any
) -> NDArray[np.int32]:
    import warnings  # noqa: PLC0415 - only here

    from sklearn.cluster import MiniBatchKMeans  # noqa: PLC0415 - slow to import
    from sklearn.exceptions import ConvergenceWarning  # noqa: PLC0415 - slow to import

    model = MiniBatchKMeans(n_clusters=k, batch_size=batch_size, n_init=n_init, random_state=seed)
    with warnings.catch_warnings():
        # Texts whose vectors are equal leave fewer points than clusters: the score shows it.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found: NDArray[np.int32] = model.fit_predict(vectors)
    return found


def _compare(gold: NDArray[Any], found: NDArray[Any]) -> float:
    from sklearn.metrics import v_measure_score  # noqa: PLC0415 - slow to import

    return float(v_measure_score(gold, found))


def _trivial(ids: Sequence[str]) -> tuple[Note, ...]:
    if not ids:
        return ()
    sentence = (
        f"{count(len(ids), 'group')} of texts with fewer than two labels counted as 1, whatever "
        f"the model: {name_some(ids)}."
    )
    return (Note("one-label-groups", sentence, tuple(ids)),)
