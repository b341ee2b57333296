from __future__ import annotations

import joblib
import pandas as pd
import pytest
from joblib._parallel_backends import ThreadingBackend

from robustrank.errors import InputError
from robustrank.grid import run
from robustrank.grid.block import rank_block
from tests.grid.planted import long_table, study

SAME = ("cells", "languages", "tasks", "coverage_weighted")


def assert_same(one, two):
    for name in SAME:
        pd.testing.assert_frame_equal(getattr(one, name), getattr(two, name))
    for block, found in one.blocks.items():
        other = two.blocks[block]
        pd.testing.assert_frame_equal(found.ranks, other.ranks, check_exact=True)
        pd.testing.assert_frame_equal(found.compositions, other.compositions)
        pd.testing.assert_series_equal(found.clusters, other.clusters)
        pd.testing.assert_frame_equal(found.merges, other.merges)
        assert found.notes == other.notes
        assert (found.bootstrap is None) == (other.bootstrap is None)
        if found.bootstrap is not None:
            pd.testing.assert_frame_equal(found.bootstrap, other.bootstrap, check_exact=True)


@pytest.fixture
def counted(monkeypatch):
    """Counts the blocks that are computed; `counted.most` is where it fails."""

    class Counter:
        n = 0
        most = 10**9

    def rank(matrix, settings):
        if Counter.n >= Counter.most:
            raise KeyboardInterrupt
        Counter.n += 1
        return rank_block(matrix, settings)

    monkeypatch.setattr(run, "rank_block", rank)
    return Counter


def test_an_interrupted_study_goes_on_where_it_stopped(tmp_path, counted):
    counted.most = 2
    with pytest.raises(KeyboardInterrupt):
        study(folder=tmp_path, n_resamples=20)
    written = sorted((tmp_path / "blocks").iterdir())
    assert len(written) == 2  # what was done was written as it came
    counted.most = 10**9
    resumed = study(folder=tmp_path, n_resamples=20)
    assert counted.n == len(resumed.blocks) == 3
    assert_same(resumed, study(n_resamples=20))


def test_nothing_is_computed_twice(tmp_path, counted):
    first = study(folder=tmp_path)
    assert counted.n == 3
    assert_same(first, study(folder=tmp_path))
    assert counted.n == 3


@pytest.mark.parametrize(
    "settings", [{"tau": 0.5}, {"seed": 1}, {"n_resamples": 10}, {"top_k": 3}, {"schemes": "wsm/*"}]
)
def test_other_settings_are_other_blocks(tmp_path, counted, settings):
    study(folder=tmp_path)
    assert_same(study(folder=tmp_path, **settings), study(**settings))
    assert counted.n == 3 + 3 + 3


def test_settings_that_change_no_ranking_find_all_blocks(tmp_path, counted):
    study(folder=tmp_path)
    changed = {"consistency": "membership", "confidence_level": 0.9, "saturation": 3}
    assert_same(study(folder=tmp_path, **changed), study(**changed))
    assert counted.n == 3 + 3


def test_other_scores_are_other_blocks(tmp_path, counted):
    study(folder=tmp_path)
    table = long_table()
    table.loc[(table["task"] == "solo").idxmax(), "score"] += 1e-9
    assert_same(study(table, folder=tmp_path), study(table))
    assert counted.n == 3 + 1 + 3


def test_a_damaged_file_is_computed_again(tmp_path, counted):
    study(folder=tmp_path)
    for path in (tmp_path / "blocks").iterdir():
        path.write_bytes(path.read_bytes()[:100])
    assert_same(study(folder=tmp_path), study())
    assert counted.n == 3 + 3 + 3
    study(folder=tmp_path)
    assert counted.n == 9


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        study(folder=tmp_path / "file")


@pytest.mark.parametrize("settings", [{"n_jobs": 2}, {"n_jobs": 2, "n_resamples": 20}])
def test_processes_side_by_side_say_the_same(settings):
    more = {name: value for name, value in settings.items() if name != "n_jobs"}
    assert_same(study(**settings), study(**more))


class AllAtOnce(ThreadingBackend):
    """A backend that returns results when all are there, as Ray's does."""

    supports_retrieve_callback = False


def test_a_backend_that_returns_all_at_once_says_the_same(tmp_path, counted):
    joblib.register_parallel_backend("all-at-once", AllAtOnce)
    with joblib.parallel_config(backend="all-at-once", n_jobs=2):
        with pytest.raises(ValueError, match="return_as"):
            joblib.Parallel(return_as="generator_unordered")
        assert_same(study(folder=tmp_path), study())
    assert counted.n == 6


@pytest.mark.filterwarnings("default")  # of a cluster that is coming up or going down
def test_a_dask_cluster_says_the_same(tmp_path):
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=tmp_path
        ) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        there = study(n_resamples=20, folder=tmp_path / "study")
        seen = client.run(lambda dask_worker: len(dask_worker.state.log))
    assert sum(seen.values()) > 0  # the workers did something
    assert len(list((tmp_path / "study" / "blocks").iterdir())) == 3
    assert_same(there, study(n_resamples=20))
