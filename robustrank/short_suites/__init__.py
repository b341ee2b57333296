"""The fewest datasets that keep a ranking."""

from robustrank.short_suites.search import short_suite
from robustrank.short_suites.suite import ShortSuite
from robustrank.short_suites.transfer import Transfer

__all__ = ["ShortSuite", "Transfer", "short_suite"]
