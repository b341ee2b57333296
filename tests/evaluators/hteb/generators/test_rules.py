from __future__ import annotations

import asyncio
import json

import py3langid
import pytest

from robustrank.evaluators.hteb.generators.base import Request, Sampling
from robustrank.evaluators.hteb.generators.rules import RulesGenerator, rewrite

SENTENCES = [
    "Scientists discovered a new species of frog living in the rain forest canopy of Ecuador.",
    "I lost my card, how do I get a new one?",
    "The stock market fell sharply on Monday as investors worried about inflation.",
    "Why is my top-up not working?",
    "Deep learning for protein folding",
    "Police arrested two people after the robbery in the city centre.",
    "My cat likes to sleep on the warm windowsill all day long.",
]
LANGUAGES = {"Spanish": "es", "French": "fr", "German": "de", "Turkish": "tr", "Arabic": "ar"}
REPHRASE, EXPAND, SHORTEN = "Rephrase the text.", "Expand the text.", "SUMMARIZE the text."
INSTRUCTIONS = [REPHRASE, EXPAND, SHORTEN, *(f"Translate it to {name}." for name in LANGUAGES)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_translation_passes_for_the_language_and_comes_back_as_english(language, sentence):
    there = rewrite(f"Translate the text from English to {language}.", sentence, 1)
    assert py3langid.classify(there)[0] == LANGUAGES[language]
    back = rewrite(f"Translate the text from {language} to English.", there, 1)
    assert py3langid.classify(back)[0] == "en"
    assert back.lower() != sentence.lower()
    assert len(back.split()) <= 1.5 * len(sentence.split())


@pytest.mark.parametrize("sentence", SENTENCES)
def test_same_language_rules_change_the_text_and_its_length_as_asked(sentence):
    length = len(sentence.split())
    rephrased, longer, shorter = (rewrite(ask, sentence) for ask in (REPHRASE, EXPAND, SHORTEN))
    assert len({sentence, rephrased, longer, shorter}) == 4
    assert {py3langid.classify(text)[0] for text in (rephrased, longer)} == {"en"}
    assert length / 2 <= len(rephrased.split()) <= 1.5 * length
    assert 1.5 * length < len(longer.split()) < 3 * length
    assert 1 <= len(shorter.split()) < length
    assert longer.endswith("?") == shorter.endswith("?") == sentence.endswith("?")


def test_it_depends_on_text_instruction_and_seed_alone():
    sentence = SENTENCES[0]
    assert rewrite(REPHRASE, sentence, 1) == rewrite(REPHRASE, sentence, 1)
    assert len({rewrite(REPHRASE, sentence, seed) for seed in range(20)}) > 5
    assert len({rewrite(f"Rephrase it, {i}.", sentence) for i in range(20)}) > 5


@pytest.mark.parametrize("instruction", INSTRUCTIONS)
@pytest.mark.parametrize(
    "text",
    [
        "word",
        "?",
        "",
        "  ",
        "\ud800",
        "a\0b",
        "שלום עולם",
        "👩‍👩‍👧 👍🏽",
        "x " * 50_000,
        "y" * 100_000,
    ],
)
def test_any_text_but_a_blank_one_is_answered_with_one_that_can_be_encoded(instruction, text):
    assert bool(rewrite(instruction, text).encode()) == bool(text.strip())


def test_a_structured_answer_is_json():
    async def ask(**sampling):
        generator = RulesGenerator(model="dry")
        await generator.start()
        request = Request(REPHRASE, SENTENCES[0], Sampling(**sampling))
        response = await generator.complete(request)
        await generator.close()
        return response

    plain, structured = asyncio.run(ask()), asyncio.run(ask(structured=True))
    assert json.loads(structured.text) == {"transformed_text": plain.text}
    assert plain.finish_reason == structured.finish_reason == "stop"
