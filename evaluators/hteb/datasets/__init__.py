"""Datasets: where they come from, what is left out of them, and parts of them."""

from robustrank.evaluators.hteb.datasets.loading import load_dataset

__all__ = ["load_dataset"]
