from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.errors import UnknownLabelError
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES, count_words, find_errors
from robustrank.evaluators.hteb.texts.transformations import STAGES, TRANSFORMATIONS

EN = "The new card has not arrived at my address yet."

# transformation, original, output, and the errors as printed in the paper.
CASES = [
    # right in each language
    ("paraphrasing", EN, "My new card still has not come to my address.", ()),
    ("translation", EN, "La nueva tarjeta aún no ha llegado a mi dirección.", ()),
    ("translation", EN, "La nouvelle carte n'est pas encore arrivée à mon adresse.", ()),
    ("translation", EN, "Die neue Karte ist noch nicht an meiner Adresse angekommen.", ()),
    ("translation", EN, "Yeni kart adresime henüz ulaşmadı.", ()),
    ("translation", EN, "لم تصل البطاقة الجديدة إلى عنواني بعد.", ()),
    (
        "paraphrasing",
        "नया कार्ड अभी तक मेरे पते पर नहीं पहुँचा है।",
        "मेरे पते पर नया कार्ड अब तक नहीं आया।",
        (),
    ),
    ("paraphrasing", "新卡还没有寄到我的地址。", "我的地址还没有收到新卡。", ()),
    ("paraphrasing", "新しいカードはまだ届いていません。", "新しいカードがまだ来ていない。", ()),
    (
        "paraphrasing",
        "새 카드가 아직 제 주소로 오지 않았습니다.",
        "제 주소로 새 카드가 아직 도착하지 않았어요.",
        (),
    ),
    (
        "paraphrasing",
        "Nowa karta jeszcze nie dotarła na mój adres.",
        "Moja nowa karta wciąż nie przyszła.",
        (),
    ),
    # identical
    ("backtranslation", EN, EN, ("identical",)),
    ("paraphrasing", "¿Dónde ESTÁ?", " ¿dónde está? ", ("identical",)),
    ("paraphrasing", "Wo ist die STRASSE?", "Wo ist die Straße?", ("identical",)),
    ("paraphrasing", "ΠΟΎ ΕΊΝΑΙ", "πού είναι", ("identical",)),
    ("paraphrasing", "Card lost", "Card lost!", ()),
    # empty
    ("expansion", "Karte weg?", " \n\t\u00a0", ("empty",)),
    ("summarise", EN, "", ("empty",)),
    ("translation", EN, "", ("empty", "truncated")),
    ("paraphrasing", "Karta zginęła", "x", ()),
    # ellipsis
    ("summarise", EN, "...", ("ellipsis",)),
    ("paraphrasing", "Kart nerede?", "…", ("ellipsis",)),
    ("paraphrasing", "Kart nerede?", " .. ", ("ellipsis",)),
    ("style_change", EN, "......", ("ellipsis", "truncated")),
    ("paraphrasing", "Kart nerede?", ".", ()),
    ("paraphrasing", "Kart nerede?", "Kart...", ()),
    ("paraphrasing", "Kart nerede?", "?!", ()),
    # json_fragment
    ("paraphrasing", "Où est la carte ?", '{"text": "Où est ma carte ?"}', ("json_fragment",)),
    ("paraphrasing", "कार्ड कहाँ है?", " [कार्ड कहाँ", ("json_fragment",)),
    ("paraphrasing", "[Update] Card lost", "[Update] Card gone", ("json_fragment",)),
    ("paraphrasing", "Où est la carte ?", "La carte [bleue], où ?", ()),
    # reasoning_leak
    ("paraphrasing", "Where is it?", "Let me think. Where can it be?", ("reasoning_leak",)),
    ("paraphrasing", "Where is it?", "HERE ARE MY REASONING steps", ("reasoning_leak",)),
    ("paraphrasing", "I will look for it.", "I’ll be looking for it.", ("reasoning_leak",)),
    ("paraphrasing", "Mix, then bake it.", "Step 12: mix. Then bake.", ("reasoning_leak",)),
    ("paraphrasing", "Where is it?", "Step by step: where?", ()),
    ("paraphrasing", "Who is ill?", "Is Bali'll ill?", ()),
    # prefix_leak
    ("translation", "Where is it?", "Translation: ¿Dónde está?", ("prefix_leak",)),
    ("translation", "Where is it?", "\nTRANSLATED TEXT : Où est-ce ?", ("prefix_leak",)),
    ("summarise", EN, "Summary: card late", ("prefix_leak",)),
    ("paraphrasing", "Where is it?", "Paraphrase: Its place?", ("prefix_leak",)),
    ("paraphrasing", "Where is it?", "Paraphrased text: its place?", ("prefix_leak",)),
    ("paraphrasing", "Where is it?", "The translation: where?", ()),
    ("translation", "Where is it?", "Çeviri: Nerede?", ()),
    # runaway
    ("paraphrasing", "Card gone", "the card " * 5 + "gone", ("runaway",)),
    ("paraphrasing", "Card gone", "the card " * 5, ()),
    ("cross_translation", "카드 분실", "Karte " * 11, ("runaway",)),
    ("expansion", "Card gone", "the card " * 50, ()),
    ("summarised_expansion", "Card gone", "the card " * 50, ()),
    # truncated
    ("paraphrasing", "one two three four five six", "one", ("truncated",)),
    ("backtranslation", "one two three four five six", "one", ("truncated",)),
    ("summarised_expansion", "one two three four five six", "one", ("truncated",)),
    ("paraphrasing", "one two three four five", "one", ()),
    ("summarise", "one two three four five six", "one", ()),
    ("paraphrasing", "one two three", "", ("empty",)),
    # summary_too_long
    ("summarise", "Où est la carte ?", "Où donc est la nouvelle carte ?", ("summary_too_long",)),
    ("summarise", "Où est la carte ?", "La carte est où ?", ()),
    ("summarised_expansion", "Où est la carte ?", "Où donc est la nouvelle carte ?", ()),
    # several at once
    (
        "summarise",
        "Kart",
        'Summary: {"a": 1} Let me think',
        ("reasoning_leak", "prefix_leak", "runaway", "summary_too_long"),
    ),
]


@pytest.mark.parametrize(("transformation", "original", "output", "errors"), CASES)
def test_errors_are_those_of_the_paper(transformation, original, output, errors):
    assert find_errors(original, output, transformation=transformation) == errors


def test_the_cases_show_every_error_but_that_of_language():
    assert {error for *_, errors in CASES for error in errors} == set(ERROR_TYPES) - {
        "wrong_language"
    }


# What decisions follow: output, original, errors as printed, errors in practice.
PRACTICE = [
    ("[Update] Card gone", "[Update] Card lost", ("json_fragment",), ()),
    ("[Update] Card gone", "Card lost", ("json_fragment",), ("json_fragment",)),
    ("…", "...", ("ellipsis",), ()),
    ("I'll look for the card", "I will look for the card", ("reasoning_leak",), ()),
    ("I'll translate it: die Karte", "the card", ("reasoning_leak",), ("reasoning_leak",)),
    ("Step 1: stir", "Step 1: mix", ("reasoning_leak",), ()),
    ("<think>Hm", "Card lost", (), ("reasoning_leak",)),
    ("Okay, the user asks", "Card lost", (), ("reasoning_leak",)),
    ("Traducción: la tarjeta", "the card", (), ("prefix_leak",)),
    ("**Résumé :** la carte", "la carte rouge", (), ("prefix_leak",)),
    ("Übersetzung: die Karte", "the card", (), ("prefix_leak",)),
    ("Çeviri: kart nerede", "the card", (), ("prefix_leak",)),
    ("الترجمة: البطاقة", "the card", (), ("prefix_leak",)),
    ("翻译：卡丢了", "the card", (), ("prefix_leak",)),
    ("Here's the translation: die Karte", "the card", (), ("prefix_leak",)),
    ("Zusammenfassung: die Karte", "Summary: the card", (), ()),
    ("Summary: card", "Abstract: the card", ("prefix_leak",), ()),
    ("Answer me: where?", "Where is it?", (), ()),
]


@pytest.mark.parametrize(("output", "original", "printed", "practical"), PRACTICE)
def test_decisions_look_for_more_and_excuse_what_the_original_has(
    output, original, printed, practical
):
    settings = {"transformation": "paraphrasing"}
    assert find_errors(original, output, **settings) == printed
    assert find_errors(original, output, reading="practical", **settings) == practical


@pytest.mark.parametrize(
    ("text", "spaced", "in_scripts"),
    [
        ("", 0, 0),
        ("Where is my card?", 4, 4),
        ("Où est la carte ?", 5, 5),
        ("我的新卡在哪里？", 1, 4),
        ("私の新しい iPhone はどこですか。", 3, 7),
        ("บัตรใหม่ของฉันอยู่ที่ไหน", 1, 5),
        ("새 카드는 어디에 있나요?", 4, 4),
        ("नया कार्ड कहाँ है?", 4, 4),
        ("أين بطاقتي الجديدة؟", 3, 3),
    ],
)
def test_words_of_scripts_without_spaces_are_counted_by_their_characters(text, spaced, in_scripts):
    assert count_words(text) == spaced
    assert count_words(text, "scripts") == in_scripts


def test_a_translated_japanese_sentence_is_no_runaway_where_scripts_count():
    japanese = "新しいカードはまだ届いていません。"
    english = "The new card still has not arrived."
    settings = {"transformation": "translation"}
    assert find_errors(japanese, english, **settings) == ("runaway",)
    assert find_errors(japanese, english, words="scripts", **settings) == ()
    assert find_errors(english, japanese, **settings) == ("truncated",)
    assert find_errors(english, japanese, words="scripts", **settings) == ()
    assert find_errors(japanese, "English " * 46, words="scripts", **settings) == ("runaway",)


class Knows:
    """An identifier that knows a few texts by heart, and the languages that it may be asked of."""

    name, version = "knows", "1"

    def __init__(self, **languages):
        self.of = languages
        self.languages = frozenset(languages.values())

    def is_wrong(self, text, language):
        return None if text not in self.of else self.of[text] != language


KNOWS = Knows(hallo="German", hello="English", hola="Spanish", bonjour="French")


@pytest.mark.parametrize(
    ("transformation", "original", "output", "language", "wrong"),
    [
        ("translation", "hello", "hola", "Spanish", False),
        ("translation", "hello", "hola", "French", True),
        ("translation", "hello", "bonjour", "fra", False),
        ("cross_translation", "hello", "bonjour", "spa", True),
        ("paraphrasing", "hello", "hallo", "eng", True),
        ("paraphrasing", "hello", "hallo", "en-de", False),
        ("paraphrasing", "hello", "hallo", "English and German", False),
        ("paraphrasing", "hello", "hallo", "en-fr", True),
        ("backtranslate_forward", "hello", "hallo", "French", True),
        ("paraphrasing", "hello", "grüezi", "English", False),  # cannot be told
        ("paraphrasing", "hello", "hallo", None, False),
    ],
)
def test_languages_are_checked_by_name_or_label(transformation, original, output, language, wrong):
    for reading in ("paper", "practical"):
        errors = find_errors(
            original,
            output,
            transformation=transformation,
            expected_language=language,
            identify=KNOWS,
            reading=reading,
        )
        assert ("wrong_language" in errors) == wrong


def test_a_text_that_was_in_another_language_is_excused_in_practice():
    settings = {"expected_language": "English", "identify": KNOWS}
    odd = {"original": "hola", "output": "hallo", **settings}
    assert find_errors(**odd, transformation="paraphrasing") == ("wrong_language",)
    assert find_errors(**odd, transformation="paraphrasing", reading="practical") == ()
    assert find_errors(**odd, transformation="translation", reading="practical") == (
        "wrong_language",
    )


def test_languages_are_not_checked_without_an_identifier():
    assert (
        find_errors("hello", "hola", transformation="translation", expected_language="French") == ()
    )


@pytest.mark.parametrize("stage", STAGES)
def test_a_text_between_stages_is_judged_by_its_stage(stage):
    assert find_errors("Where is it?", "", transformation=stage) == ("empty",)
    runaway = find_errors("Where is it?", "where " * 16, transformation=stage)
    assert ("runaway" in runaway) == (stage != "expansion")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"transformation": "paraphrase"}, "transformation 'paraphrase': did you mean 'paraphr"),
        (
            {"transformation": "expansion", "reading": "lenient"},
            "reading of the error types 'lenient': known: paper, practical",
        ),
        (
            {"transformation": "expansion", "words": "spaces"},
            "way to count words 'spaces': did you mean 'whitespace'",
        ),
    ],
)
def test_unknown_settings_are_named(settings, message):
    with pytest.raises(UnknownLabelError, match=message):
        find_errors("a", "b", **settings)


@given(
    st.text(),
    st.text(alphabet="Step 1:{[.…I'll翻译\ud800\x00\u202e Summary"),
    st.sampled_from(sorted(TRANSFORMATIONS)),
)
def test_any_text_is_judged_and_in_the_order_of_the_table(original, output, transformation):
    for reading, words in (("paper", "whitespace"), ("practical", "scripts")):
        errors = find_errors(
            original, output, transformation=transformation, reading=reading, words=words
        )
        assert list(errors) == [error for error in ERROR_TYPES if error in errors]
        assert ("empty" in errors) == (not output.strip())


@pytest.mark.parametrize("piece", ["a: ", "“**", "..", "。", "i'll", "\u200d字", "- "])
def test_long_texts_are_judged_quickly(piece):
    text = piece * 50_000
    start = time.process_time()
    for reading, words in (("paper", "whitespace"), ("practical", "scripts")):
        find_errors(text, text + "x", transformation="summarise", reading=reading, words=words)
    assert time.process_time() - start < 3.0
