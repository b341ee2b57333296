from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from robustrank.errors import FormatError
from robustrank.evaluators.hteb.embedding.cache import EmbeddingCache

ODD = ["", " ", "\x00", "a\x00b", "\ud800", "👩‍👩‍👧", "שלום", "x" * 100_000]


def vectors(n: int, d: int = 5, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


@pytest.fixture
def cache(tmp_path):
    with EmbeddingCache(tmp_path / "deep" / "cache.sqlite") as opened:
        yield opened


def test_what_was_put_is_got_to_the_last_bit(cache):
    values = vectors(len(ODD))
    cache.put("space", ODD, values)
    found = cache.get("space", [*ODD, "unknown"])
    assert set(found) == set(ODD)
    for text, value in zip(ODD, values, strict=True):
        assert found[text].tobytes() == value.tobytes()


def test_spaces_are_apart_and_may_have_other_dimensions(cache):
    cache.put("a", ["text"], vectors(1, 3))
    cache.put("b", ["text"], vectors(1, 7))
    assert cache.get("a", ["text"])["text"].shape == (3,)
    assert cache.get("b", ["text"])["text"].shape == (7,)
    assert cache.get("c", ["text"]) == {}


def test_the_first_vector_stays(cache):
    first, second = vectors(1, seed=1), vectors(1, seed=2)
    cache.put("space", ["text"], first)
    cache.put("space", ["text"], second)
    assert (cache.get("space", ["text"])["text"] == first[0]).all()


def test_more_texts_than_a_query_has_room_for(cache):
    texts = [f"text {number}" for number in range(25_000)]
    values = vectors(len(texts), 2)
    cache.put("space", texts, values)
    found = cache.get("space", texts)
    assert np.array_equal(np.stack([found[text] for text in texts]), values)


def test_size_counts_vectors_and_bytes(cache):
    assert cache.size().n_vectors == 0
    cache.put("space", ["a", "b"], vectors(2, 1000))
    size = cache.size()
    assert size.n_vectors == 2
    assert size.n_bytes > 2 * 1000 * 4


def test_a_cache_outlives_the_program(tmp_path):
    path = tmp_path / "cache.sqlite"
    with EmbeddingCache(path) as first:
        first.put("space", ["text"], vectors(1))
    with EmbeddingCache(path) as second:
        assert "text" in second.get("space", ["text"])


def test_a_mismatch_of_texts_and_vectors_keeps_nothing(cache):
    with pytest.raises(ValueError, match="zip"):
        cache.put("space", ["a", "b", "c"], vectors(2))
    assert cache.size().n_vectors == 0
    cache.put("space", ["a"], vectors(1))  # and the file is not left locked


def test_threads_share_a_cache(cache):
    def work(number: int) -> None:
        texts = [f"{number}-{n}" for n in range(50)] + ["common"]
        cache.put("space", texts, vectors(51, seed=number))
        assert len(cache.get("space", texts)) == 51

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(16)))
    assert cache.size().n_vectors == 16 * 50 + 1


WRITER = """
    import sys
    import numpy as np
    from robustrank.evaluators.hteb.embedding.cache import EmbeddingCache

    path, name, forever = sys.argv[1], sys.argv[2], sys.argv[3] == "forever"
    cache = EmbeddingCache(path)
    number = 0
    while forever or number < 20:
        texts = [f"{name} {number} {n}" for n in range(20)] + [f"common {number}"]
        cache.put("space", texts, np.full((21, 8), number, dtype=np.float32))
        print(number, flush=True)
        number += 1
"""


def writer(path, name: str, until: str) -> subprocess.Popen:
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(path), name, until]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_write_at_once(tmp_path):
    path = tmp_path / "cache.sqlite"
    both = [writer(path, name, "end") for name in ("a", "b")]
    for process in both:
        process.communicate(timeout=60)
    assert [process.returncode for process in both] == [0, 0]
    with EmbeddingCache(path) as cache:
        assert cache.size().n_vectors == 2 * 20 * 20 + 20


def test_a_killed_process_loses_nothing_that_put_returned_from(tmp_path):
    path = tmp_path / "cache.sqlite"
    process = writer(path, "a", "forever")
    for _ in range(15):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    acknowledged = 14
    acknowledged = max([acknowledged, *map(int, process.stdout.read().split())])
    process.wait()
    process.stdout.close()
    with EmbeddingCache(path) as cache:
        texts = [f"a {number} {n}" for number in range(acknowledged + 1) for n in range(20)]
        assert len(cache.get("space", texts)) == len(texts)
        # Whole calls only: 21 texts each.
        assert cache.size().n_vectors % 21 == 0
        cache.put("space", ["new"], vectors(1, 8))


@pytest.mark.parametrize("damage", ["text", "folder"])
def test_what_cannot_be_a_cache_is_named_with_the_remedy(tmp_path, damage):
    path = tmp_path / "cache.sqlite"
    if damage == "folder":
        path.mkdir()
    else:
        path.write_text("no database at all, " * 100)
    with pytest.raises(FormatError, match=r"cache\.sqlite cannot be used.*deleting it is safe"):
        EmbeddingCache(path)
