"""Fixtures and strategies shared by all tests."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import hypothesis.extra.numpy as hnp
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import robustrank as rr

SHARED = Path(__file__).resolve().parents[1].parent / "shared"

# One deterministic profile: a test suite whose outcome depends on the day helps nobody.
settings.register_profile(
    "robustrank",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("robustrank")


@pytest.fixture(autouse=True)
def close_figures():
    """Close figures of pyplot, which warns of many open ones; tests without it do not pay."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the repository; only its absence is a reason to skip."""
    if not SHARED.is_dir():
        pytest.skip("the shared data folder is not beside this checkout")
    return SHARED


def frame(values, *, prefix: str = "m") -> pd.DataFrame:
    """Label an array: models m0, m1, … and datasets d0, d1, …"""
    array = np.asarray(values, dtype=float)
    return pd.DataFrame(
        array,
        index=[f"{prefix}{i}" for i in range(array.shape[0])],
        columns=[f"d{j}" for j in range(array.shape[1])],
    )


#: All of `analyze`, with as few draws as make sense, for tests that call it many times.
analyze = partial(rr.analyze, n_resamples=200, n_refits=8)

#: Columns of `Analysis.to_frame` that are defined for every complete matrix.
NUMBERS = ["mean", "rank", "borda_rank", "mean_rank", "scheme_variance", "consistency"]


def note_codes(analysis) -> list[str]:
    """The codes of the notes, in order."""
    return [note.code for note in analysis.notes]


def random_scores(models: int, datasets: int, seed: int = 0, noise: float = 0.08) -> pd.DataFrame:
    """Scores of models of one ability on datasets of different difficulty."""
    rng = np.random.default_rng(seed)
    ability = rng.uniform(0.2, 0.8, models)
    difficulty = rng.uniform(-0.15, 0.15, datasets)
    noisy = ability[:, None] + difficulty + rng.normal(0, noise, (models, datasets))
    return frame(np.clip(noisy, 0.01, 0.99))


@st.composite
def score_frames(
    draw, min_models: int = 2, max_models: int = 12, min_datasets: int = 1, max_datasets: int = 6
) -> pd.DataFrame:
    """Complete matrices in 0..1 with two decimals, so that ties and constant columns occur."""
    shape = (
        draw(st.integers(min_models, max_models)),
        draw(st.integers(min_datasets, max_datasets)),
    )
    cells = draw(hnp.arrays(np.int64, shape, elements=st.integers(1, 100)))
    values = cells / 100.0
    values[0, 0] = 1.0  # pins the scale: percent and unit cannot be confused
    return frame(values)
