"""The schemes through pymcdm, the library that the field uses, wherever pymcdm defines them.

pymcdm 1.4 has no Gaussian preference function, divides 0 by 0 in VIKOR where no model differs in S
or in R, and rejects or spoils constant columns and scores ≤ 0 in several places. The rules of
`Decision` (which columns count, what MEREC and WSM see, when a weighting is undefined) hold for
both engines, so that pymcdm is only asked what it defines; the rest falls back to `Decision`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._numeric import TIE_DECIMALS
from robustrank.mcdm.decision import Decision
from robustrank.mcdm.methods import no_range, vikor_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Methods that pymcdm does not have.
WITHOUT_PYMCDM = frozenset({"promethee2-gaussian"})


class PymcdmDecision(Decision):
    """A `Decision` whose weights and preferences come from pymcdm where it defines them.

    `fell_back` holds the methods of which at least one ranking had to come from `Decision`.
    """

    def _weigh(self, weighting: str, columns: NDArray[np.bool_]) -> FloatArray:
        own = super()._weigh(weighting, columns)
        if np.isnan(own).any():
            return own
        from pymcdm import weights as pymcdm_weights  # noqa: PLC0415 - imports matplotlib

        types = np.ones(int(columns.sum()), dtype=int)
        if weighting == "merec":
            found = pymcdm_weights.merec_weights(self.positive[:, columns], types)
        elif weighting == "critic":
            found = pymcdm_weights.critic_weights(self.x[:, columns])
        else:
            found = pymcdm_weights.equal_weights(self.x[:, columns])
        return np.asarray(found, dtype=np.float64)

    def _prefer(self, method: str, weights: FloatArray) -> FloatArray:
        result = super()._prefer(method, weights)
        undefined = np.asarray(~weights.any(axis=0))
        if method == "vikor":
            utility, worst = vikor_terms(self.regrets, weights)
            undefined |= no_range(utility) | no_range(worst)
        if method in WITHOUT_PYMCDM:
            undefined[:] = True
        for k in np.flatnonzero(~undefined):
            used: NDArray[np.bool_] = weights[:, k] != 0
            result[:, k] = self._call(method, used, weights[used, k])
        if undefined.any():
            self.fell_back.add(method)
        return result

    def _call(self, method: str, used: NDArray[np.bool_], weights: FloatArray) -> FloatArray:
        from pymcdm import methods as pymcdm_methods  # noqa: PLC0415 - imports matplotlib

        x = self.x[:, used]
        # A new object for each call: one of PROMETHEE II with parameters works only once.
        body: Any
        if method == "wsm":
            body = pymcdm_methods.WSM(self._normalizers(method, used))
        elif method == "topsis":
            body = pymcdm_methods.TOPSIS(self._normalizers(method, used))
        elif method == "vikor":
            body = pymcdm_methods.VIKOR()
        else:
            body = pymcdm_methods.PROMETHEE_II("usual")
            x = np.round(x, TIE_DECIMALS)  # scores that are tied here are tied there
        # Validation would warn about every model that is best or worst everywhere.
        found = body(x, weights, np.ones(len(weights), dtype=int), validation=False)
        return np.asarray(1.0 - found if method == "vikor" else found, dtype=np.float64)

    def _normalizers(self, method: str, used: NDArray[np.bool_]) -> list[Any]:
        """Return pymcdm's function for each column."""
        from pymcdm import normalizations  # noqa: PLC0415 - imports matplotlib

        def unchanged(column: FloatArray, cost: bool = False) -> FloatArray:  # noqa: ARG001
            return column

        def minmax_sum(column: FloatArray, cost: bool = False) -> FloatArray:
            spread = normalizations.minmax_normalization(column, cost=cost)
            return np.asarray(spread / spread.sum())

        how = self.normalization(method)
        if how == "none":
            return [unchanged] * int(used.sum())
        function = getattr(normalizations, f"{how}_normalization")
        if how != "sum":
            return [function] * int(used.sum())
        return [minmax_sum if bad else function for bad in self._not_positive[used]]
