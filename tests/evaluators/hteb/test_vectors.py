from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from robustrank.evaluators.hteb.vectors import cosine, unit_rows


def test_cosine_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=(n, 7)).astype(np.float32) for n in (4, 6))
    assert cosine(a, b) == pytest.approx(cosine_similarity(a, b), abs=1e-6)


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_lengths_outside_the_range_of_squares_do_no_harm(scale):
    rows = unit_rows(np.array([[3.0, 4.0], [0.0, -2.0]], dtype=np.float32) * np.float32(scale))
    assert rows == pytest.approx(np.array([[0.6, 0.8], [0.0, -1.0]]), abs=1e-6)
    assert rows.dtype == np.float32


def test_zero_vectors_stay_and_have_no_cosine_with_anything():
    vectors = np.array([[0.0, 0.0], [1.0, 2.0]], dtype=np.float32)
    given = vectors.copy()
    assert cosine(vectors, vectors) == pytest.approx(np.array([[0.0, 0.0], [0.0, 1.0]]), abs=1e-6)
    assert (vectors == given).all()  # the caller's array is the caller's


def test_no_vectors():
    empty = np.empty((0, 3), dtype=np.float32)
    assert cosine(empty, np.ones((2, 3), dtype=np.float32)).shape == (0, 2)
