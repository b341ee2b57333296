"""What goes wrong with transformed texts, by generator (*HTEB*, appendix A.2)."""

from robustrank.evaluators.hteb.error_analysis.rates import ErrorRates, error_rates
from robustrank.evaluators.hteb.error_analysis.selection import Selection

__all__ = ["ErrorRates", "Selection", "error_rates"]
