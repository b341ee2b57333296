"""`Decision`: one complete matrix, prepared once and ranked under many weightings and subsets."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, get_args

import numpy as np

from robustrank._numeric import correlation_matrix, varies
from robustrank.errors import ParameterError
from robustrank.mcdm import methods
from robustrank.mcdm.flows import gaussian_flows, usual_flows
from robustrank.mcdm.methods import Normalization, normalize
from robustrank.mcdm.weights import (
    contrasts,
    critic_from_parts,
    equal_weights,
    log_ratios,
    merec_from_log_ratios,
)
from robustrank.notes import name_some

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: The normalisations that a method takes, its default first.
NORMALIZATIONS: dict[str, tuple[Normalization, ...]] = {
    "wsm": get_args(Normalization),
    "topsis": ("minmax", "vector"),
}


class Decision:
    """A models × datasets block of scores, ready to be ranked by any scheme on any subset.

    Everything that depends on the scores alone (normalised matrices, regrets, net flows,
    correlations) is computed when first needed and kept, so that a further weighting or subset of
    the datasets costs one product.

    Parameters
    ----------
    values : ndarray, shape (m, n)
        Complete benefits on 0..1 (or -1..1).
    datasets : sequence of str
        The n column names, for error messages.
    normalization : str, optional
        Instead of the default of the method that is going to be used: for WSM ``"sum"``,
        ``"minmax"``, ``"max"``, ``"vector"`` or ``"none"``; for TOPSIS ``"minmax"`` or
        ``"vector"``.

    Attributes
    ----------
    varying : ndarray of bool, shape (n,)
        Datasets that tell at least two models apart. The others are set aside: weight 0.
    not_positive : ndarray of bool, shape (n,)
        Varying datasets with a score ≤ 0. There MEREC sees (x + 1) / 2, and WSM's sum
        normalisation sees the min-max values.
    fell_back : set of str
        Methods that a subclass could not compute itself.
    """

    def __init__(
        self,
        values: FloatArray,
        datasets: Sequence[str],
        normalization: Normalization | None = None,
    ) -> None:
        self.datasets = tuple(datasets)
        self.varying = varies(values)
        #: The varying columns alone: every array below has one column per varying dataset.
        self.x = np.ascontiguousarray(values[:, self.varying])
        self._normalization = normalization
        self._not_positive: NDArray[np.bool_] = np.asarray((self.x <= 0).any(axis=0))
        self.not_positive = np.zeros(len(self.datasets), dtype=bool)
        self.not_positive[self.varying] = self._not_positive
        self.fell_back: set[str] = set()

    # -- what depends on the scores alone -----------------------------------------------------

    @cached_property
    def positive(self) -> FloatArray:
        """The scores as MEREC sees them, mapped per column and for every subset alike."""
        return np.where(self._not_positive, (self.x + 1.0) / 2.0, self.x)

    @cached_property
    def log_ratios(self) -> FloatArray:
        """What MEREC weighs by; NaN for a column on which it is undefined."""
        defined = (self.positive > 0).all(axis=0)
        return np.where(defined, log_ratios(np.where(defined, self.positive, 1.0)), np.nan)

    @cached_property
    def contrasts(self) -> FloatArray:
        """CRITIC's contrasts."""
        return contrasts(self.x)

    @cached_property
    def correlation(self) -> FloatArray:
        """Pearson correlation between the columns."""
        return correlation_matrix(self.x)

    def normalization(self, method: str) -> Normalization:
        """Return the normalisation that a method uses here."""
        return self._normalization or NORMALIZATIONS[method][0]

    @cached_property
    def wsm(self) -> FloatArray:
        """The scores as WSM sums them."""
        how = self.normalization("wsm")
        if how == "sum":
            # Left at 0..1, a min-max column would outweigh the others, whose values are about 1/m,
            # some m times: on real boards WSM then ranks by that column alone.
            return normalize(np.where(self._not_positive, self.minmax, self.x), "sum")
        if how == "max":
            self._check_maxima()
        return normalize(self.x, how)

    @cached_property
    def minmax(self) -> FloatArray:
        """The min-max normalised scores."""
        return normalize(self.x, "minmax")

    @cached_property
    def topsis(self) -> FloatArray:
        """The scores as TOPSIS measures distances between them."""
        return normalize(self.x, self.normalization("topsis"))

    @cached_property
    def regrets(self) -> FloatArray:
        """VIKOR's regrets."""
        return methods.regrets(self.x)

    @cached_property
    def usual(self) -> FloatArray:
        """PROMETHEE II's net flows, usual function."""
        return usual_flows(self.x)

    @cached_property
    def gaussian(self) -> FloatArray:
        """PROMETHEE II's net flows, Gaussian function."""
        return gaussian_flows(self.x)

    def _check_maxima(self) -> None:
        names = np.asarray(self.datasets, dtype=object)[self.varying]
        bad = [str(name) for name in names[self.x.max(axis=0) <= 0]]
        if bad:
            raise ParameterError(
                f"normalization='max' is undefined where no score is positive: {name_some(bad)}. "
                "Use normalization='minmax', or leave these datasets out.",
                bad,
            )

    # -- weights and preferences --------------------------------------------------------------

    def weights(self, weighting: str, members: NDArray[np.bool_]) -> tuple[FloatArray, bool]:
        """Weigh a subset of the datasets.

        Parameters
        ----------
        weighting : str
            Key of `WEIGHTINGS`.
        members : ndarray of bool, shape (n,)
            The subset.

        Returns
        -------
        weights : ndarray, shape (n,)
            Sum 1; 0 outside the subset and for datasets set aside. All 0 if no dataset is left.
        defined : bool
            False if the weighting is undefined on the subset, which then has equal weights.
        """
        full = np.zeros(len(self.datasets))
        columns = members[self.varying]
        if not columns.any():
            return full, True
        found = self._weigh(weighting, columns)
        defined = not bool(np.isnan(found).any())
        full[members & self.varying] = found if defined else equal_weights(self.x[:, columns])
        return full, defined

    def _weigh(self, weighting: str, columns: NDArray[np.bool_]) -> FloatArray:
        """Return the weights of some varying columns, NaN if undefined."""
        if weighting == "merec":
            return merec_from_log_ratios(self.log_ratios[:, columns])
        if weighting == "critic":
            return critic_from_parts(
                self.contrasts[columns], self.correlation[np.ix_(columns, columns)]
            )
        return equal_weights(self.x[:, columns])

    def preferences(self, method: str, weights: FloatArray) -> FloatArray:
        """Apply a method under several weight vectors at once.

        Parameters
        ----------
        method : str
            Key of `METHODS`.
        weights : ndarray, shape (n, k)
            From `weights`.

        Returns
        -------
        ndarray, shape (m, k)
            Higher is better. With all weights 0, one value for all models.
        """
        return self._prefer(method, weights[self.varying])

    def _prefer(self, method: str, weights: FloatArray) -> FloatArray:
        if method == "wsm":
            return methods.wsm(self.wsm, weights)
        if method == "topsis":
            return methods.topsis(self.topsis, weights)
        if method == "vikor":
            return methods.vikor(self.regrets, weights)
        flows = self.usual if method == "promethee2-usual" else self.gaussian
        return methods.promethee2(flows, weights)
