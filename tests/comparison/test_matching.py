from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.comparison.matching import full_key, match_models, short_key, suggestions
from robustrank.errors import DuplicateError, UnknownLabelError


def codes(matches) -> list[str]:
    return [note.code for note in matches.notes]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("BAAI/bge-m3", "bge-m3"),
        ("bge-m3", "BAAI/BGE_M3"),
        ("intfloat/multilingual-e5-large", "Multilingual E5 Large"),
        ("text-embedding-3.small", "text_embedding_3-small"),
        ("voyageai/voyage-3.5", "voyage 3_5"),
    ],
)
def test_spellings_of_one_name_match(one, other):
    matches = match_models([one, "zebra"], ["yak", other])
    assert matches.pairs == {one: other}
    assert (matches.unmatched_a, matches.unmatched_b) == (("zebra",), ("yak",))
    assert matches.notes == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [("bge-m3", "bge-m"), ("e5-base", "e5base"), ("v1.5", "v15"), ("a/bge", "bge/a")],
)
def test_other_names_do_not(one, other):
    assert match_models([one], [other]).pairs == {}


def test_exact_names_win_over_spellings():
    matches = match_models(["BGE-M3", "bge-m3"], ["bge-m3", "x/bge_m3"])
    assert matches.pairs == {"bge-m3": "bge-m3"}
    # What is left over could belong together, but the key is not that of one model.
    note = matches.notes[0]
    assert note.code == "ambiguous-models"
    assert note.labels == ("BGE-M3", "x/bge_m3")


def test_the_organisation_decides_where_both_give_it():
    a, b = ["one/encoder", "two/encoder"], ["Two/Encoder", "One/Encoder"]
    matches = match_models(a, b)
    assert matches.pairs == {"one/encoder": "One/Encoder", "two/encoder": "Two/Encoder"}
    assert matches.notes == ()


def test_a_name_of_several_organisations_is_not_guessed():
    matches = match_models(["one/encoder", "two/encoder", "x"], ["encoder", "x"])
    assert matches.pairs == {"x": "x"}
    assert codes(matches) == ["ambiguous-models"]
    assert set(matches.notes[0].labels) == {"one/encoder", "two/encoder", "encoder"}
    for name in ("one/encoder", "two/encoder"):
        by_hand = match_models(["one/encoder", "two/encoder"], ["encoder"], {name: "encoder"})
        assert by_hand.pairs == {name: "encoder"}
        assert by_hand.notes == ()


def test_another_organisation_is_noted_and_can_be_undone():
    matches = match_models(["voyageai/voyage-3"], ["mongodb/voyage-3"])
    assert matches.pairs == {"voyageai/voyage-3": "mongodb/voyage-3"}
    assert codes(matches) == ["other-organisation"]
    undone = match_models(["voyageai/voyage-3"], ["mongodb/voyage-3"], {"voyageai/voyage-3": None})
    assert undone.pairs == {}
    assert undone.unmatched_a == ("voyageai/voyage-3",)
    assert undone.notes == ()


def test_matches_by_hand_come_first():
    matches = match_models(["a", "b"], ["a", "b"], {"a": "b"})
    assert matches.pairs == {"a": "b"}
    assert (matches.unmatched_a, matches.unmatched_b) == (("b",), ("a",))


@pytest.mark.parametrize(
    ("by_hand", "error", "message"),
    [
        ({"bge": "bge-m3"}, UnknownLabelError, "board A 'bge'.*did you mean 'bge-m3'"),
        ({"bge-m3": "bge-m4"}, UnknownLabelError, "board B 'bge-m4'.*'bge-m3'"),
        ({"bge-m3": "bge-m3", "e5": "bge-m3"}, DuplicateError, "'bge-m3' of board B to two"),
    ],
)
def test_bad_matches_by_hand(by_hand, error, message):
    with pytest.raises(error, match=message):
        match_models(["bge-m3", "e5"], ["bge-m3", "gte"], by_hand)


@given(st.lists(st.text("aB/-._ 1", min_size=1, max_size=6), unique=True, max_size=8), st.data())
def test_matches_are_one_to_one_and_nothing_is_lost(names_a, data):
    names_b = data.draw(
        st.lists(st.text("aB/-._ 1", min_size=1, max_size=6), unique=True, max_size=8)
    )
    matches = match_models(names_a, names_b)
    assert [*matches.pairs, *matches.unmatched_a] == sorted(
        names_a, key=lambda n: (n not in matches.pairs, names_a.index(n))
    )
    assert sorted([*matches.pairs.values(), *matches.unmatched_b]) == sorted(names_b)
    assert all(short_key(a) == short_key(b) for a, b in matches.pairs.items())
    assert set(names_a) & set(names_b) == {a for a, b in matches.pairs.items() if a == b}
    back = match_models(names_b, names_a)
    assert back.pairs == {b: a for a, b in matches.pairs.items()}


def test_keys():
    assert full_key("Org_X/My.Model - v2") == "org-x/my-model-v2"
    assert short_key("Org_X/My.Model - v2") == "my-model-v2"


def test_suggestions_name_the_closest():
    found = suggestions(["bge-m3", "org/multilingual-e5"], ["multilingual-e5-x", "bgem3", "zebra"])
    assert found == ["'bgem3' for 'bge-m3'", "'multilingual-e5-x' for 'org/multilingual-e5'"]
    assert suggestions(["abc"], ["xyz"]) == []
