"""HTEB as an evaluator: what entry point and registry find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

    from robustrank.evaluators.base import Evaluation


class HTEB:
    """Scores embedding models on texts as they are and as a language model rewrites them.

    Every dataset is rewritten by eight transformations on three axes: wording and style, length,
    and language. A model's HTEB total on a dataset is the mean of its scores over the axes.

    References
    ----------
    Frank and Afli, *The Harder Text Embedding Benchmark (HTEB)*, 2026, arXiv:2605.28190.

    Examples
    --------
    >>> from robustrank.evaluators.hteb import HTEB
    >>> evaluation = HTEB().run(
    ...     ["sentence-transformers/all-MiniLM-L6-v2"],
    ...     ["stsbenchmark-sts"],
    ...     generator={"model": "google/gemma-3-27b-it", "endpoints": "http://127.0.0.1:8000/v1"},
    ...     limit=100,
    ... )  # doctest: +SKIP
    """

    def run(self, models: Sequence[Any], datasets: Sequence[Any], **options: Any) -> Evaluation:
        """Rewrite the datasets, as far as that is not done yet, and score the models on them.

        Parameters
        ----------
        models : sequence of str, mapping or object
            Hub ids or folders of sentence-transformers, mappings with their options, or objects
            with a method ``encode(texts)`` that returns an array of texts × dimensions.
        datasets : sequence of str or mapping
            Names of datasets or groups, ``mteb:TASK``, paths of descriptions, or mappings.
        **options
            The other keys of `robustrank.evaluators.hteb.study.config.Config`.

        Returns
        -------
        Evaluation
            The matrix holds the HTEB totals, 0..1; the table has a row per score.

        Raises
        ------
        ParameterError
            If a setting is unknown or has a wrong value; nothing has been requested then.
        """
        from robustrank.evaluators.hteb.study.reading import load_config  # noqa: PLC0415 - needs the extra
        from robustrank.evaluators.hteb.study.runner import run  # noqa: PLC0415 - needs the extra

        models = [models] if isinstance(models, str | dict) else models
        datasets = [datasets] if isinstance(datasets, str | dict) else datasets
        objects = [model for model in models if not isinstance(model, str | dict)]
        named = [model for model in models if isinstance(model, str | dict)]
        config = load_config({"models": named, "datasets": [*datasets], **options})
        return run(config, objects=objects)

    def command_line(self) -> typer.Typer:
        """Return the commands of ``robustrank hteb``."""
        from robustrank.evaluators.hteb.cli import app  # noqa: PLC0415 - keeps the import light

        return app
