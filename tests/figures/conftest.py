"""Figures of pyplot are closed after each test: it warns of many open ones."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")
