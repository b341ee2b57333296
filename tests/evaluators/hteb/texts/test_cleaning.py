from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.evaluators.hteb.texts.cleaning import KEY, Cleaned, clean


def free(raw, original="Where is my card?"):
    return clean(raw, structured=False, original=original)


def structured(raw, original="Where is my card?"):
    return clean(raw, structured=True, original=original)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("  Wo ist meine Karte?\n", "Wo ist meine Karte?"),
        ("<think>They ask for it.</think>\n\nأين بطاقتي؟", "أين بطاقتي؟"),
        ("<think></think>Kart nerede?<think>done</think>", "Kart nerede?"),
        ('"Summary: **Card?**"', '"Summary: **Card?**"'),
        ('{"transformed_text": "x"}', '{"transformed_text": "x"}'),
        ("👩‍👩‍👧 カードはどこ", "👩‍👩‍👧 カードはどこ"),
        ("", ""),
    ],
)
def test_free_text_is_taken_as_it_is_but_for_reasoning(raw, text):
    assert free(raw) == Cleaned(text)


@pytest.mark.parametrize("raw", ["<think>Okay, the user", "They ask.</think>Wo ist sie?"])
def test_reasoning_without_an_end_or_a_beginning_is_told_and_not_cut(raw):
    assert free(raw) == Cleaned(raw, ("reasoning_leak",))


def test_marks_of_reasoning_that_the_original_has_are_text():
    raw = "The tag <think>x</think> is new."
    assert free(raw, original="<think> is a new tag.") == Cleaned(raw)


@pytest.mark.parametrize(
    "raw",
    [
        '{"transformed_text": "Dove, dov\'è?\\n\\"Qui\\"."}',
        ' \n{"transformed_text":\t"Dove, dov\'è?\\n\\"Qui\\"." } ',
        '{"transformed_text": "Dove, dov\'è?\n\\"Qui\\"."}',
        '```json\n{"transformed_text": "Dove, dov\'è?\\n\\"Qui\\"."}\n```',
        'Here it is: {"transformed_text": "Dove, dov\'è?\\n\\"Qui\\"."} Enjoy!',
        "{'transformed_text': 'Dove, dov\\'è?\\n\"Qui\".'}",
        "```\n{'transformed_text': 'Dove, dov\\'\\u00e8?\\n\"Qui\".',}\n```",
        '{"transformed_text": "Dove, dov\'è?\\n"Qui"."}',
        '{"transformed_text": "Dove, dov\'è?\\n"Qui"."',
        '<think>{"a": 1}</think>{"transformed_text": "Dove, dov\'è?\\n\\"Qui\\"."}',
    ],
)
def test_the_text_is_taken_out_of_its_object_and_mistakes_are_repaired(raw):
    assert structured(raw) == Cleaned('Dove, dov\'è?\n"Qui".')


@pytest.mark.parametrize(
    "raw",
    [
        "Wo ist meine Karte?",
        '{"text": "Wo ist meine Karte?"}',
        '{"transformed_text": ["Wo", "ist"]}',
        '{"transformed_text": null}',
        '"Wo ist meine Karte?"',
        '{"transformed_text": "Wo ist mei',
        '{"transformed_text": "A"}{"transformed_text": "B"}',
        "{'transformed_text': 'A', 'note': 'B'}",
        "[1, " * 100_000,
        '{"transformed_text": ' + "9" * 10_000 + "}",
    ],
)
def test_what_is_beyond_repair_is_left_whole_and_told(raw):
    assert structured(raw) == Cleaned(raw.strip(), ("invalid_json",))


def test_pairs_of_escaped_surrogates_are_one_character_and_halves_are_replaced():
    assert structured('{"transformed_text": "\\ud83d\\ude00 x"}').text == "😀 x"
    assert structured("{'transformed_text': '\\ud83d\\ude00 x'}").text == "😀 x"
    assert structured('{"transformed_text": "x \\ud83d"}').text == "x \ufffd"
    assert free("a\ud800b").text == "a\ufffdb"


@pytest.mark.parametrize("raw", ["[text]", "<TEXT>", "Placeholder", "n/a", " None ", "?!", "- -"])
def test_placeholders_are_told_unless_the_text_was_one(raw):
    assert free(raw).defects == ("placeholder",)
    assert free(raw, original="N/A").defects == ()
    assert free(raw, original="???").defects == ()


@pytest.mark.parametrize("raw", ["None of these.", "Текст", "n", "7", "ใช่", "नहीं"])
def test_short_texts_are_no_placeholders(raw):
    assert free(raw).defects == ()


def test_a_placeholder_within_an_object_is_told():
    assert structured('{"transformed_text": "N/A"}') == Cleaned("N/A", ("placeholder",))
    assert structured('{"transformed_text": ""}') == Cleaned("")


@given(st.text())
def test_any_text_survives_its_object(text):
    raw = json.dumps({KEY: text})
    expected = text.strip().encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if not any(mark in raw for mark in ("<think>", "</think>")):
        assert structured(raw, original="x").text == expected


@given(st.text(alphabet="<>think/{}[]\"'\\:,.u0 \ud800transformed_text\n"), st.booleans())
def test_nothing_a_model_writes_is_too_strange(raw, as_object):
    cleaned = clean(raw, structured=as_object, original="Where?")
    cleaned.text.encode("utf-8")


@pytest.mark.parametrize(
    "piece", ["<think>", "<think></think>", '"transformed_text": "', " ", "\\", '"', "',"]
)
def test_long_outputs_take_no_time(piece):
    start = time.process_time()
    for raw in (piece * (100_000 // len(piece)), '{"transformed_text": "' + piece * 20_000):
        structured(raw)
    assert time.process_time() - start < 2.0
