"""English words in the dress of other languages: enough for a language identifier, not for people.

Function words of the language replace English ones and stand between the other words, which Arabic
has in its own script, letter by letter. All this can be undone, roughly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

#: What may stand around a word.
_MARKS = ".,;:!?\"'()[]…–"

#: Function words: a column per meaning.
_FUNCTION_WORDS = {
    "English": "the a of and to in is for that on with as are was not but from this they which by "
    "we you it or have be has will all",
    "Spanish": "el una de y para en es por que sobre con como son era no pero desde este ellos "
    "cual según nosotros usted ello o tienen ser ha será todos",
    "French": "le une de et à dans est pour que sur avec comme sont était pas mais depuis cette "
    "ils laquelle par nous vous cela ou ont être a sera tous",
    "German": "der eine von und zu in ist für dass auf mit wie sind war nicht aber aus diese sie "
    "welche durch wir Sie es oder haben sein hat wird alle",
    "Turkish": "bu bir ın ve için içinde dır diye ki üzerinde ile gibi lar idi değil ama den şu "
    "onlar hangi tarafından biz siz o veya sahip olmak vardır olacak bütün",
    "Arabic": "هذه إحدى من و إلى في هو لأجل أن على مع كما هم كان ليس لكن منذ هذا هؤلاء التي عند "
    "نحن أنت هي أو لديهم يكون له سوف كل",
}
#: Words that stand between others, and by which a text in this dress is recognised.
_FILLERS = {
    language: words.split()
    for language, words in {
        "Spanish": "también además aquello ahora entonces mucho nuestro después",
        "French": "aussi alors leurs toujours ainsi quelques c'était après",
        "German": "auch schließlich zwischen während noch eigentlich über nämlich",
        "Turkish": "çok şimdi olduğu sonra böylece çünkü birlikte olarak",
        "Arabic": "أيضا حيث بعد قبل ذلك عندما كانت الذين",
    }.items()
}
#: What may stand around a word.
_MARKS = ".,;:!?\"'()[]…–"

_LATIN, _ARABIC = "abcdefghijklmnopqrstuvwxyz", "ابثدهفغحيجكلمنوصقرستعشخذظز"
_TO_ARABIC = str.maketrans(_LATIN + _LATIN.upper(), _ARABIC * 2)
_FROM_ARABIC = str.maketrans(_ARABIC, _LATIN)
_INTO = {
    language: dict(
        zip(_FUNCTION_WORDS["English"].split(), _FUNCTION_WORDS[language].split(), strict=True)
    )
    for language in _FILLERS
}
_FROM = {
    language: {foreign: english for english, foreign in table.items()}
    | dict.fromkeys(_FILLERS[language], "")
    for language, table in _INTO.items()
}
_FILLER_SETS = {language: frozenset(words) for language, words in _FILLERS.items()}


def into_foreign(text: str, language: str, rng: random.Random) -> str:
    """Dress a text in one of the five languages; which words are added depends on `rng`."""
    table, fillers = _INTO[language], _FILLERS[language]
    start = rng.randrange(len(fillers))
    words: list[str] = []
    for i, word in enumerate(text.split()):
        bare = word.strip(_MARKS)
        known = table.get(bare.lower())
        if known is not None:
            words.append(word.replace(bare, known, 1))
        else:
            words += (
                word.translate(_TO_ARABIC) if language == "Arabic" else word,
                fillers[(start + i) % len(fillers)],
            )
    return " ".join(words)


def from_foreign(text: str) -> str:
    """Take the dress of a language off a text that wears one; return another as it is."""
    words = text.split()
    worn = [
        language
        for language, fillers in _FILLER_SETS.items()
        if 4 * sum(word in fillers for word in words) >= len(words) > 1
    ]
    if not worn:
        return text
    language, table = worn[0], _FROM[worn[0]]
    plain: list[str] = []
    for word in words:
        bare = word.strip(_MARKS)
        known = table.get(bare)
        if known is not None:
            plain.append(word.replace(bare, known, 1) if bare else word)
        else:
            plain.append(word.translate(_FROM_ARABIC) if language == "Arabic" else word)
    return " ".join(filter(None, plain))
