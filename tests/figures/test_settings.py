"""What is the process's, and the user's, stays so: settings, threads, axes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from robustrank import figures
from robustrank.errors import ParameterError


def table() -> pd.DataFrame:
    return pd.DataFrame(
        {"estimate": [0.9, 0.8], "low": [0.8, 0.7], "high": [1.0, 0.9]}, index=["a", "b"]
    )


def svg(_: object = None) -> bytes:
    with figures.detached():
        return figures.style.render(figures.intervals(table()), "svg")


def test_threads_get_the_same_bytes_and_leave_the_settings_alone():
    before = dict(mpl.rcParams)
    with ThreadPoolExecutor(4) as pool:
        pages = set(pool.map(svg, range(12)))
    assert pages == {svg()}
    assert dict(mpl.rcParams) == before


def test_settings_of_the_user_change_no_byte():
    plain = svg()
    theirs = {"savefig.facecolor": "red", "xtick.labelsize": 20, "svg.fonttype": "path"}
    with mpl.rc_context(theirs):
        assert svg() == plain


@pytest.mark.parametrize(
    ("make", "got"),
    [
        (lambda: plt.subplots(2, 2)[1], "ndarray"),
        (plt.figure, "Figure"),
        (lambda: plt.figure().add_subplot(projection="polar"), "polar axes"),
        (lambda: "axes", "str"),
    ],
)
def test_anything_but_plane_axes_is_refused(make, got):
    with pytest.raises(
        ParameterError, match=rf"ax must be plane axes .*; got {got}\..*axes\[0, 0\]"
    ):
        figures.intervals(table(), make())


def test_a_file_of_no_known_kind_is_refused(tmp_path):
    for name in ("forest.jpg", "forest"):
        with pytest.raises(ParameterError, match=rf"\.svg, \.png or \.pdf; '{name}' ends in none"):
            figures.save(figures.intervals(table()), tmp_path / name)
    assert list(tmp_path.iterdir()) == []
