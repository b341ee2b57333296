"""How each task type is scored, by protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from robustrank.errors import check_count, unknown_label
from robustrank.evaluators.hteb import views
from robustrank.evaluators.hteb.scoring import (
    classification,
    clustering,
    pairs,
    reranking,
    retrieval,
    summarisation,
)
from robustrank.evaluators.hteb.scoring.base import Encoder, Score, Settings
from robustrank.evaluators.hteb.scoring.checks import CheckedEncoder
from robustrank.notes import merge_notes

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.records import Dataset

#: Takes the dataset, the encoder, the user's settings and the options that the protocol names.
Scorer = Callable[..., Score]


@dataclass(frozen=True)
class Protocol:
    """One way to score every task type.

    Attributes
    ----------
    options : mapping of str to mapping
        Task type → options of its function.
    exceptions : mapping of str to mapping
        Dataset → options that differ from those of its task type.
    """

    options: Mapping[str, Mapping[str, Any]]
    exceptions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


#: ``"hteb-v1.1"`` is that of the released HTEB tool; ``"mteb"`` that of the package mteb 2.26.
PROTOCOLS: dict[str, Protocol] = {
    "hteb-v1.1": Protocol(
        {
            "classification": {
                "samples_per_label": None,
                "n_experiments": 1,
                "measure": "accuracy",
                "pool": True,
            },
            "clustering": {"sampled": False, "pool": True},
            "pair_classification": {"similarities": ("cosine",), "pool": True},
            "sts": {"pool": True},
            "str": {"pool": True},
            "reranking": {"queries": "best", "pessimistic": False, "pool": True},
            "retrieval": {"own_similarity": False},
            "summarisation": {"by_article": False},
        }
    ),
    "mteb": Protocol(
        {
            "classification": {
                "samples_per_label": 8,
                "n_experiments": 10,
                "measure": "accuracy",
                "pool": False,
            },
            "clustering": {"sampled": None, "pool": False},
            "pair_classification": {
                "similarities": ("own", "cosine", "manhattan", "euclidean", "dot"),
                "pool": False,
            },
            "sts": {"pool": False},
            "str": {"pool": False},
            "reranking": {"queries": "joined", "pessimistic": True, "pool": False},
            "retrieval": {"own_similarity": True},
            "summarisation": {"by_article": True},
        },
        {
            "AmazonCounterfactualClassification": {"samples_per_label": 32},
            "SentimentAnalysisHindi.v2": {"measure": "f1"},
            "PlscClusteringS2S.v2": {"sampled": True},
        },
    ),
}


def score(
    dataset: Dataset,
    encoder: Encoder,
    *,
    protocol: str = "hteb-v1.1",
    seed: int = 42,
    ignore_identical_ids: bool | None = None,
    kmeans_batch_size: int = 500,
) -> Score:
    """Score a model on a dataset.

    Parameters
    ----------
    dataset : Dataset
    encoder : Encoder
    protocol : str
        One of `PROTOCOLS`.
    seed : int
        Of classifiers, clusterings and samples of texts.
    ignore_identical_ids : bool, optional
        Whether retrieval leaves a document with the id of the query out of its results; by
        default, what the dataset says.
    kmeans_batch_size : int
        Texts per step of k-means; the bootstrapped clustering of ``"mteb"`` has its own.

    Returns
    -------
    Score

    Raises
    ------
    InputError
        If the model gives something else than one finite vector per text, or the dataset cannot
        be read.

    Notes
    -----
    ``"mteb"`` differs from the package where that knows more or is known to err. Settings and main
    scores of its own tasks hold for the datasets in HTEB only; elsewhere, its defaults do. What a
    task does to its data before scoring, such as the sample of 2,048 texts that
    PlscClusteringS2S.v2 takes, is the dataset's business. The first version of SummEval averages
    correlations with their p-values; here, as in its second, correlations alone are. A zero vector
    has the cosine 0 with a pair's other text, not 0.5 as through distances.
    """
    if protocol not in PROTOCOLS:
        raise unknown_label("protocol", protocol, PROTOCOLS)
    if ignore_identical_ids is None:
        ignore_identical_ids = dataset.ignore_identical_ids
    settings = Settings(
        check_count("seed", seed, 0),
        check_count("kmeans_batch_size", kmeans_batch_size, 1),
        ignore_identical_ids,
    )
    chosen = PROTOCOLS[protocol]
    options = {**chosen.options[dataset.task_type], **chosen.exceptions.get(dataset.name, {})}
    checked = CheckedEncoder(encoder, dataset.name)
    result = _SCORERS[dataset.task_type](dataset, checked, settings, **options)
    return replace(result, notes=merge_notes(result.notes, checked.notes()))


def _classification(
    dataset: Dataset, encoder: Encoder, settings: Settings, **options: Any
) -> Score:
    return classification.score_classification(
        views.labelled_texts(dataset), encoder, seed=settings.seed, **options
    )


def _clustering(
    dataset: Dataset, encoder: Encoder, settings: Settings, *, sampled: bool | None, pool: bool
) -> Score:
    groups = views.clusters(dataset)
    if sampled is None:  # MTEB samples unless its dataset comes in groups
        sampled = dataset.clustering_format == "flat" or len(groups) == 1
    if sampled:
        return clustering.score_samples(groups, encoder, seed=settings.seed)
    return clustering.score_groups(
        groups, encoder, seed=settings.seed, batch_size=settings.kmeans_batch_size, pool=pool
    )


def _relatedness(dataset: Dataset, encoder: Encoder, _: Settings, **options: Any) -> Score:
    return pairs.score_relatedness(views.pairs(dataset), encoder, **options)


def _pair_classification(dataset: Dataset, encoder: Encoder, _: Settings, **options: Any) -> Score:
    return pairs.score_pair_classification(views.pairs(dataset), encoder, **options)


def _reranking(dataset: Dataset, encoder: Encoder, _: Settings, **options: Any) -> Score:
    return reranking.score_reranking(views.rerankings(dataset), encoder, **options)


def _retrieval(dataset: Dataset, encoder: Encoder, settings: Settings, **options: Any) -> Score:
    return retrieval.score_retrieval(
        views.retrieval(dataset),
        encoder,
        ignore_identical_ids=settings.ignore_identical_ids,
        **options,
    )


def _summarisation(dataset: Dataset, encoder: Encoder, _: Settings, *, by_article: bool) -> Score:
    articles = views.summaries(dataset)
    if by_article:
        return summarisation.score_summaries_by_article(articles, encoder)
    return summarisation.score_pooled_summaries(articles, encoder)


_SCORERS: dict[str, Scorer] = {
    "classification": _classification,
    "clustering": _clustering,
    "pair_classification": _pair_classification,
    "sts": _relatedness,
    "str": _relatedness,
    "reranking": _reranking,
    "retrieval": _retrieval,
    "summarisation": _summarisation,
}
