from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from robustrank.errors import EmptyMatrixError, NonNumericError, ParameterError
from robustrank.evaluators.hteb.ratings import gwet_ac2

NAN = math.nan
#: K. Krippendorff, *Computing Krippendorff's Alpha-Reliability* (2011), example C, and Gwet's
#: Handbook (2014); in the R package irrCAC as ``cac.raw4raters``.
FOUR_RATERS = [
    [1, 1, NAN, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [NAN, 5, 5, 5],
    [NAN, NAN, 1, 1],
    [NAN, NAN, 3, NAN],
]


def test_ac1_as_published():
    """The overview of irrCAC prints this row for ``gwet.ac1.raw(cac.raw4raters)``."""
    found = gwet_ac2(FOUR_RATERS, weights="identity")
    assert found.p_a == pytest.approx(0.8181818, abs=5e-8)
    assert found.p_e == pytest.approx(0.1903212, abs=5e-8)
    assert found.coefficient == pytest.approx(0.77544, abs=5e-6)
    assert found.se == pytest.approx(0.14295, abs=5e-6)
    assert found.low == pytest.approx(0.461, abs=5e-4)
    assert (found.high, found.n_items, found.n_raters) == (1.0, 12, 4)
    assert [note.code for note in found.notes] == ["single-ratings"]


@pytest.mark.parametrize(
    ("weights", "coefficient", "se"),
    [
        ("ordinal", 0.89894, 0.1069),
        ("quadratic", 0.914, 0.10396),
        ("linear", 0.85874, 0.11733),
    ],
)
def test_ac2_as_irrcac_computes_it(weights, coefficient, se):
    """Version 0.4.4 of irrCAC for Python, with ``categories=[1, 2, 3, 4, 5]``."""
    found = gwet_ac2(FOUR_RATERS, weights=weights)
    assert found.coefficient == pytest.approx(coefficient, abs=5e-6)
    assert found.se == pytest.approx(se, abs=5e-6)


def test_ac1_of_a_contingency_table_as_published():
    """The overview of irrCAC: 100 pregnancies, two abstractors (``cont3x3abstractors``)."""
    counts = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    pairs = [[i, j] for i in range(3) for j in range(3) for _ in range(counts[i][j])]
    assert gwet_ac2(pairs, weights="identity").coefficient == pytest.approx(0.8493305, abs=5e-8)


def naive(ratings, categories, weight, level=0.95):
    """AC2 by loops over pairs of raters, from the definitions."""
    rows = [[x for x in row if not math.isnan(x)] for row in ratings]
    rows = [row for row in rows if row]
    n, q = len(rows), len(categories)
    place = {value: i for i, value in enumerate(categories)}
    agree = []
    for row in rows:
        pairs = [(a, b) for i, a in enumerate(row) for j, b in enumerate(row) if i != j]
        shares = [weight(place[a], place[b]) for a, b in pairs]
        agree.append(sum(shares) / len(shares) if shares else None)
    known = [x for x in agree if x is not None]
    p_a = sum(known) / len(known)
    pi = [sum(row.count(k) / len(row) for row in rows) / n for k in categories]
    total = sum(weight(i, j) for i in range(q) for j in range(q))
    p_e = total / (q * (q - 1)) * sum(p * (1 - p) for p in pi)
    ac = (p_a - p_e) / (1 - p_e)
    parts = []
    for row, own in zip(rows, agree, strict=True):
        first = 0.0 if own is None else n / len(known) * (own - p_e) / (1 - p_e)
        chance = (
            total
            / (q * (q - 1))
            * sum(row.count(k) / len(row) * (1 - p) for k, p in zip(categories, pi, strict=True))
        )
        parts.append(first - 2 * (1 - ac) * (chance - p_e) / (1 - p_e))
    se = math.sqrt(sum((x - ac) ** 2 for x in parts) / (n * (n - 1)))
    reach = t.ppf(0.5 + level / 2, n - 1) * se
    return p_a, p_e, ac, se, max(-1, ac - reach), min(1, ac + reach)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("weights", ["ordinal", "quadratic", "linear", "identity"])
def test_the_definitions(seed, weights):
    rng = np.random.default_rng(seed)
    ratings = np.clip(rng.integers(1, 6, (15, 1)) + rng.integers(-1, 2, (15, 4)), 1, 5) * 1.0
    ratings[rng.random(ratings.shape) < 0.3] = NAN
    of = {
        "ordinal": lambda i, j: 1 - math.comb(abs(i - j) + 1, 2) / math.comb(5, 2),
        "quadratic": lambda i, j: 1 - (i - j) ** 2 / 16,
        "linear": lambda i, j: 1 - abs(i - j) / 4,
        "identity": lambda i, j: float(i == j),
    }[weights]
    found = gwet_ac2(ratings, categories=range(1, 6), weights=weights, confidence_level=0.9)
    values = (found.p_a, found.p_e, found.coefficient, found.se, found.low, found.high)
    assert values == pytest.approx(naive(ratings.tolist(), [1, 2, 3, 4, 5], of, 0.9))


def test_order_of_items_and_raters_and_unrated_items_change_nothing():
    rng = np.random.default_rng(1)
    table = pd.DataFrame(FOUR_RATERS)
    other = table.sample(frac=1, random_state=2)
    shuffled = pd.DataFrame([rng.permutation(row) for row in other.to_numpy()])
    empty = pd.DataFrame([[NAN] * 4])
    first = gwet_ac2(table)
    second = gwet_ac2(pd.concat([empty, shuffled]))
    assert second.coefficient == pytest.approx(first.coefficient, abs=1e-12)
    assert second.se == pytest.approx(first.se, abs=1e-12)
    assert second.n_items == 12


def test_raters_who_agree_on_everything():
    always = gwet_ac2([[5, 5], [5, 5], [4, 4]], categories=range(1, 6))
    assert (always.coefficient, always.se, always.low, always.high) == (1.0, 0.0, 1.0, 1.0)
    one = gwet_ac2([[5, 5], [5, 5]], categories=range(1, 6))
    assert (one.coefficient, one.notes) == (1.0, ())


def test_agreement_by_chance_is_near_0():
    draws = [np.random.default_rng(seed).integers(1, 6, (200, 3)) for seed in range(100)]
    found = [gwet_ac2(ratings, categories=range(1, 6)) for ratings in draws]
    assert abs(np.mean([each.coefficient for each in found])) < 0.015
    held = np.mean([each.low < 0.0 < each.high for each in found])
    assert 0.88 <= held < 1.0


@pytest.mark.parametrize(
    ("ratings", "code"),
    [
        ([[1.0], [2.0]], "no-agreement"),
        ([[1.0, NAN], [NAN, 2.0]], "no-agreement"),
        ([[3, 3], [3, 3]], "no-agreement"),
        ([[3, 4]], "one-item"),
    ],
)
def test_what_is_undefined_is_nan_and_noted(ratings, code):
    found = gwet_ac2(ratings)
    assert [note.code for note in found.notes] == [code]
    assert math.isnan(found.se)
    assert math.isnan(found.coefficient) == (code == "no-agreement")
    assert found.to_dict()["se"] is None
    if code == "no-agreement":
        assert str(found) == "AC2 undefined"


def test_wrong_input_is_named():
    with pytest.raises(ParameterError, match=r"ratings 6 are not among the categories 1, 2, 3"):
        gwet_ac2([[6, 5]], categories=range(1, 6))
    with pytest.raises(ParameterError, match="weights must be one of ordinal"):
        gwet_ac2([[1, 2]], weights="cubic")
    with pytest.raises(ParameterError, match="items × raters; got 1"):
        gwet_ac2([1, 2])
    with pytest.raises(EmptyMatrixError, match="no rating"):
        gwet_ac2([[NAN, NAN]])
    with pytest.raises(NonNumericError, match="ratings must be numbers"):
        gwet_ac2([["a", "b"]])
    with pytest.raises(NonNumericError, match="ratings must be numbers; some are infinite"):
        gwet_ac2([[1, math.inf], [2, 2]])
    with pytest.raises(NonNumericError, match="ratings must be numbers; some are true or false"):
        gwet_ac2(pd.DataFrame({"a": [1, 2], "b": [True, False]}))
    with pytest.raises(ParameterError, match="categories must be numbers: no rating is no cat"):
        gwet_ac2([[4, 5]], categories=[4, 5, NAN])
    with pytest.raises(ParameterError, match=r"categories must list .* range\(1, 6\)"):
        gwet_ac2([[4, 5]], categories=5)
