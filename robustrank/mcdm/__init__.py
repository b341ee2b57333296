"""Multi-criteria decision making: weightings, ranking methods and the registry of schemes."""

from robustrank.mcdm.rankings import Engine, Rankings, rank, rank_schemes
from robustrank.mcdm.schemes import SCHEMES, Scheme, resolve_schemes

__all__ = ["SCHEMES", "Engine", "Rankings", "Scheme", "rank", "rank_schemes", "resolve_schemes"]
