from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from robustrank.errors import ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.texts import identify
from robustrank.evaluators.hteb.texts.identify import LEAST_BYTES, Identifier, load_identifier
from robustrank.evaluators.hteb.texts.languages import POOLS, names_of

TEXTS = {
    "English": "Where has my new bank card been all this time?",
    "Spanish": "¿Dónde ha estado mi nueva tarjeta todo este tiempo?",
    "French": "Où était donc ma nouvelle carte pendant tout ce temps ?",
    "German": "Wo war denn meine neue Karte die ganze Zeit über?",
    "Turkish": "Yeni kartım bunca zamandır neredeydi acaba?",
    "Arabic": "أين كانت بطاقتي الجديدة طوال هذا الوقت؟",
    "Hindi": "मेरा नया कार्ड इतने समय से कहाँ था?",
    "Chinese": "我的新卡这段时间到底在哪里？",
    "Japanese": "私の新しいカードは今までどこにあったのですか。",
    "Korean": "제 새 카드는 그동안 어디에 있었나요?",
    "Polish": "Gdzie przez cały ten czas była moja nowa karta?",
    "Zulu": "Likuphi ikhadi lami elisha sonke lesi sikhathi?",
    "Indonesian": "Di mana kartu baru saya selama ini berada?",
    "Swahili": "Kadi yangu mpya ilikuwa wapi muda huu wote?",
}


@pytest.fixture(scope="module")
def identifier():
    return load_identifier()


def test_one_identifier_serves_all(identifier):
    assert isinstance(identifier, Identifier)
    assert load_identifier("py3langid") is load_identifier()
    assert identifier.name == "py3langid"
    assert identifier.version


@pytest.mark.parametrize("language", TEXTS)
def test_texts_are_right_in_their_own_language_and_wrong_in_all_others(identifier, language):
    verdicts = {name: identifier.is_wrong(TEXTS[language], name) for name in TEXTS}
    assert verdicts == {name: name != language for name in TEXTS}


def test_the_languages_of_all_definitions_can_be_judged(identifier):
    labels = (
        "afr-amh-arb-arq-ary-eng-esp-hau-hin-ind-kin-mar-pan-tel-fra-ibo-lin-lug-orm-pcm-run-sna-"
        "som-swa-tir-xho-yor-zul-pol-deu-ita-jpn-ara-dan-kor-asm-ben-guj-kan-mal-ory-tam-urd-nld"
    )
    assert set(names_of(labels)) <= identifier.languages
    assert set(POOLS["pivot"]) <= identifier.languages


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (TEXTS["Arabic"], "Moroccan Arabic"),
        (TEXTS["Arabic"], "Algerian Arabic"),
        (TEXTS["Arabic"], "Modern Standard Arabic"),
        ("Abantu bose bavuka bishira bakizana kandi bangana mu gateka.", "Rundi"),
        ("ሰላም ከመይ ኣለኻ ሎሚ መዓልቲ ጽቡቕ እዩ", "Tigrinya"),
        ("Hvor har mitt nye kort vært i hele denne tiden?", "Norwegian Bokmål"),
        (TEXTS["Zulu"], "Xhosa"),
        (TEXTS["English"], "Nigerian Pidgin"),
        ("ﺃﻳﻦ ﻛﺎﻧﺖ ﺑﻄﺎﻗﺘﻲ ﺍﻟﺠﺪﻳﺪﺓ؟", "Arabic"),
    ],
)
def test_varieties_relatives_and_presentation_forms_are_not_wrong(identifier, text, language):
    assert identifier.is_wrong(text, language) is False


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (TEXTS["English"], "Klingon"),
        (TEXTS["English"], "Wolof"),
        ("", "German"),
        ("OK, taxi!", "German"),
        ("2026-01-01 12:30", "German"),
        ("👩‍👩‍👧" * 20, "German"),
        ("\ud800\x00" * 20, "German"),
    ],
)
def test_nothing_is_said_where_nothing_can_be_told(identifier, text, language):
    assert identifier.is_wrong(text, language) is None


def test_texts_are_judged_from_a_number_of_bytes(identifier):
    text = "我的新卡在哪里"
    assert identifier.is_wrong(text[: LEAST_BYTES // 3 - 1], "German") is None
    assert identifier.is_wrong(text[: LEAST_BYTES // 3], "German") is True


@pytest.mark.parametrize("text", ["x" * 100_000, TEXTS["Arabic"] * 2000, "\x00\ud83d a" * 9999])
def test_strange_and_long_texts_do_no_harm(identifier, text):
    assert identifier.is_wrong(text, "Turkish") in (True, False, None)


def test_threads_get_the_same_answers(identifier):
    questions = [(text, name) for text in TEXTS.values() for name in TEXTS] * 5
    alone = [identifier.is_wrong(*question) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda question: identifier.is_wrong(*question), questions)) == alone


def test_unknown_identifiers_are_named():
    with pytest.raises(UnknownLabelError, match="language identifier 'langid': did you mean 'py3l"):
        load_identifier("langid")


def test_a_missing_package_names_the_extra_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    identify._py3langid.cache_clear()
    with pytest.raises(ParameterError, match=r"py3langid, which is not.*robustrank\[hteb\]"):
        load_identifier()


def test_the_model_is_loaded_only_when_asked_for():
    code = (
        "import sys; "
        "from robustrank.evaluators.hteb.texts import identify, profiles, quality, retries;"
        " sys.exit(bool({'py3langid', 'yaml', 'torch'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
