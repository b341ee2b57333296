"""Which models can be first, and how often, over all weights of the datasets."""

from robustrank.acceptability.analysis import smaa
from robustrank.acceptability.result import Acceptability

__all__ = ["Acceptability", "smaa"]
