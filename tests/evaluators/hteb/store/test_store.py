from __future__ import annotations

import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.errors import InputError, ParameterError
from robustrank.evaluators.hteb.store.claims import Owner
from robustrank.evaluators.hteb.store.queries import insert_rows
from robustrank.evaluators.hteb.store.rows import escape, to_row, unescape
from robustrank.evaluators.hteb.store.store import Store
from tests.evaluators.hteb.making import key, make

ODD_TEXTS = {
    "nul": "before\x00after",
    "surrogate": "half a pair \ud83d, and the other \udca9",
    "escape": "\x1a \x1a0000 \x1ad83d",
    "right to left": "מה שלומך؟ \u202eabc\u202c",
    "emoji": "👩‍👩‍👧 \U0010ffff \ufffe",
    "quotes": "'; DROP TABLE hteb_generations; -- %s :name ? \\",
    "long": "ü" * 100_000,
    "empty": "",
    "spaces": " \t\r\n ",
}


def test_what_is_put_is_what_is_found(store):
    generation = make(1)
    store.put(generation)
    assert store.get([key(1), key(2)]) == {key(1): generation}


def test_fields_that_may_be_missing(store):
    generation = make(
        1, revision=None, seed=None, finish_reason=None, prompt_tokens=None, completion_tokens=None
    )
    store.put(generation)
    assert store.get([key(1)]) == {key(1): generation}


@pytest.mark.parametrize("name", ODD_TEXTS)
def test_any_text_in_any_field(store, name):
    odd = ODD_TEXTS[name]
    generation = make(
        1,
        model=odd,
        revision=odd,
        stage=odd,
        instruction=odd,
        text=odd,
        output=odd,
        finish_reason=odd,
        failure=odd,
        detail=odd,
        sampling={odd: odd},
    )
    store.put(generation)
    assert store.get([key(1)]) == {key(1): generation}


@given(st.text(st.characters(exclude_categories=[])))
def test_escaped_texts_can_be_stored_and_come_back(text):
    written = escape(text)
    assert "\x00" not in written
    written.encode("utf-8")  # no surrogates
    assert unescape(written) == text


def test_only_what_databases_refuse_is_escaped():
    assert escape("a\x00b\ud800c\x1a") == "a\x1a0000b\x1ad800c\x1a001a"
    assert escape("\\x00 \x1b 😀") == "\\x00 \x1b 😀"


def test_times_come_back_in_utc(store):
    local = datetime(2026, 9, 15, 13, 32, 54, tzinfo=timezone(timedelta(hours=2)))
    store.put(make(1, created=local))
    found = store.get([key(1)])[key(1)].created
    assert found == local
    assert found.tzinfo == UTC


def test_numbers_of_numpy_are_numbers(store):
    store.put(make(1, seed=np.int64(3), seconds=np.float32(0.5), prompt_tokens=np.int32(4)))
    found = store.get([key(1)])[key(1)]
    assert (found.seed, found.seconds, found.prompt_tokens) == (3, 0.5, 4)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"output": None}, "output"),
        ({"text": b"bytes"}, "text"),
        ({"seconds": float("nan")}, "seconds"),
        ({"seed": 2**63}, "seed"),
        ({"attempt": 0.5}, "attempt"),
        ({"sampling": {"temperature": float("inf")}}, "sampling"),
        ({"sampling": {"stop": object()}}, "sampling"),
        ({"created": "today"}, "created"),
    ],
)
def test_what_cannot_be_stored_is_refused_at_once(store, change, name):
    with pytest.raises(ParameterError, match=f"its {name} is") as caught:
        store.put(make(1, **change))
    assert caught.value.labels == (key(1), name)
    store.put(make(2))  # and does no harm to others
    assert set(store.get([key(1), key(2)])) == {key(2)}


def test_a_failure_is_replaced_by_a_text_and_a_text_by_nothing(store):
    failure = make(1, output="", failure="timeout", detail="60 s")
    later_failure = replace(failure, failure="connection")
    text, other_text = make(1), make(1, output="Another answer.")
    for generation, expected in [
        (failure, failure),
        (later_failure, later_failure),
        (text, text),
        (other_text, text),
        (failure, text),
    ]:
        store.put(generation)
        assert store.get([key(1)]) == {key(1): expected}
    assert store.statistics()["texts"].tolist() == [1]


def test_the_same_holds_within_one_transaction(store):
    failure, text = make(1, output="", failure="timeout"), make(1)
    together = [failure, text, make(1, output="Another answer."), failure]
    items = [(to_row(generation), generation.instruction) for generation in together]
    store._database.write(insert_rows, items)
    assert store.get([key(1)]) == {key(1): text}


def test_many_keys(store):
    generations = [make(number) for number in range(1_234)]
    for generation in generations:
        store.put(generation)
    found = store.get(key(number) for number in range(2_000))
    assert found == {generation.key: generation for generation in generations}


def test_a_store_outlives_its_process_object(place):
    with Store(place) as store:
        store.put(make(1))
    with Store(place) as store:
        assert store.get([key(1)]) == {key(1): make(1)}


def test_two_stores_see_each_other(place):
    with Store(place) as one, Store(place) as other:
        one.put(make(1))
        one.flush()
        other.put(make(1, output="Too late."))
        other.put(make(2))
        other.flush()
        for store in (one, other):
            assert store.get([key(1), key(2)]) == {key(1): make(1), key(2): make(2)}


def test_put_from_many_threads(store):
    def put(first: int) -> None:
        for number in range(first, 400, 8):
            store.put(make(number, instruction=f"Wording {number % 5}"))

    threads = [threading.Thread(target=put, args=(first,)) for first in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = store.get(map(key, range(400)))
    assert {row.text for row in found.values()} == {f"Text {number}." for number in range(400)}
    assert {row.instruction for row in found.values()} == {f"Wording {i}" for i in range(5)}


def test_a_closed_store_says_so(place):
    store = Store(place)
    store.close()
    store.close()
    with pytest.raises(InputError, match=r"The store is closed. Open it again"):
        store.put(make(1))
    with pytest.raises(InputError, match="The store is closed"):
        store.get([key(1)])


def test_statistics(store):
    store.put(make(1, seconds=1.0, completion_tokens=10))
    store.put(make(2, seconds=3.0, completion_tokens=None))
    store.put(make(3, failure="timeout", output="", seconds=60.0, completion_tokens=None))
    store.put(make(4, stage="expansion", prompt_tokens=None))
    store.put(make(5, model="other"))
    table = store.statistics("owner/name")
    expected = pd.DataFrame(
        {
            "model": ["owner/name"] * 2,
            "revision": ["a" * 40] * 2,
            "stage": ["expansion", "paraphrasing"],
            "texts": [1, 2],
            "failures": [0, 1],
            "seconds": [0.25, 2.0],
            "prompt_tokens": [np.nan, 30.0],
            "completion_tokens": [10.0, 10.0],
        }
    )
    pd.testing.assert_frame_equal(table, expected, check_dtype=False)
    assert store.statistics()["model"].tolist() == ["other", "owner/name", "owner/name"]


def test_statistics_of_an_empty_store(store):
    assert store.statistics().empty


def test_export_is_a_table_for_pandas(store, tmp_path):
    day = timedelta(days=1)
    rows = [make(1), make(2, output=ODD_TEXTS["surrogate"], created=make(1).created - day)]
    for row in rows:
        store.put(row)
    path = store.export(tmp_path / "new" / "all.parquet")
    table = pd.read_parquet(path)
    assert table["key"].tolist() == [key(2), key(1)]  # the oldest first
    assert table["instruction"].tolist() == [rows[0].instruction] * 2
    assert unescape(table["output"][0]) == ODD_TEXTS["surrogate"]
    assert table["created"][1] == rows[0].created
    assert table["sampling"][0].startswith('{"seed":1337,')
    assert list(tmp_path.joinpath("new").iterdir()) == [path]


def test_an_empty_store_is_exported_with_its_columns(store, tmp_path):
    table = pd.read_parquet(store.export(tmp_path / "all.parquet"))
    assert len(table) == 0
    assert {"key", "output", "created"} <= set(table.columns)


KEYS = [key(number) for number in range(5)]


def test_a_key_is_claimed_once(store):
    one, other = Owner.here(), Owner.here()
    assert store.claim(KEYS[:3], one, 60) == set(KEYS[:3])
    assert store.claim(KEYS, other, 60) == set(KEYS[3:])
    assert store.claim(KEYS, one, 60) == set(KEYS[:3])  # prolonged, not lost


def test_released_keys_are_free_again(store):
    one, other = Owner.here(), Owner.here()
    store.claim(KEYS, one, 60)
    store.release(KEYS[:2], other)  # not the other's to give up
    assert store.claim(KEYS, other, 60) == set()
    store.release(KEYS[:2], one)
    assert store.claim(KEYS, other, 60) == set(KEYS[:2])


def test_a_text_ends_its_claim_and_is_nobodys(store):
    one, other = Owner.here(), Owner.here()
    store.claim(KEYS, one, 60)
    store.put(make(0))
    store.put(make(1, output="", failure="timeout"))
    assert store.claim(KEYS, other, 60) == set()
    store.release(KEYS, one)
    assert store.claim(KEYS, other, 60) == set(KEYS[1:])  # a failure may be tried again


def test_a_lease_ends(store):
    one, other = Owner.here(), Owner.here()
    store.claim(KEYS, one, 0.05)
    assert store.claim(KEYS, other, 60) == set()
    time.sleep(0.06)
    assert store.claim(KEYS, other, 60) == set(KEYS)
    assert store.claim(KEYS, one, 60) == set()


def test_a_dead_process_of_this_host_holds_nothing_another_host_does(store):
    here = Owner.here()
    dead = replace(here, started="an earlier boot")
    away = replace(dead, host="elsewhere")
    store.claim(KEYS[:2], dead, 3600)
    store.claim(KEYS[2:], away, 3600)
    assert store.claim(KEYS, here, 60) == set(KEYS[:2])


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_lease_lasts(store, seconds):
    with pytest.raises(ParameterError, match="lease_seconds must be greater than 0"):
        store.claim(KEYS, Owner.here(), seconds)
