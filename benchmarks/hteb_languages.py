"""How often HTEB's checks of language and length are wrong, on translations that people made.

The texts are the messages of Django in 98 locales. A false alarm is a text said not to be in the
language that it is in; a detection is one left in English, Spanish, French, German, Turkish or
Arabic where another of these is expected. Needs Django and py3langid; eldc is compared if present.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

from robustrank.evaluators.hteb.texts.identify import LEAST_BYTES, load_identifier
from robustrank.evaluators.hteb.texts.languages import POOLS, names_of
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES, find_errors

SIZES = (12, 20, 40, 80, 10**9)  # exclusive upper ends, in letters
POOL = POOLS["pivot"]
MARKUP = re.compile(r"[%{}<>&\n]|https?:")
ENTRY = re.compile(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n)+)', re.MULTILINE)


def read_bitext(folder: Path) -> dict[str, dict[str, str]]:
    """Return, by language, the translations of English messages that hold no markup."""
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    for path in sorted(folder.glob("**/locale/*/LC_MESSAGES/*.po")):
        names = names_of(path.parts[-3], rule="balanced")
        for block in path.read_text("utf-8").split("\n\n"):
            found = ENTRY.search(block + "\n")
            if found is None or "#, fuzzy" in block or "#~" in block or not names:
                continue
            english, other = ("".join(re.findall(r'"(.*)"', part)) for part in found.groups())
            if english and other and english != other and not MARKUP.search(english + other):
                texts[names[0]].setdefault(english, other)
                texts["English"].setdefault(english, english)
    return texts


def size(text: str) -> int:
    """Return which of `SIZES` a text belongs to."""
    letters = sum(map(str.isalpha, text))
    return next(i for i, end in enumerate(SIZES) if letters < end)


def judges() -> dict[str, object]:
    """Return functions of a text and a language: True where it is called wrong, None unknown."""
    identifier = load_identifier()
    found = {f"py3langid {identifier.version}": identifier.is_wrong}
    if importlib.util.find_spec("eldc"):
        import eldc  # noqa: PLC0415 - optional

        eldc.init()

        def is_wrong(text: str, language: str) -> bool | None:
            if language not in {names_of(code)[0] for code in eldc.LANGUAGES}:
                return None
            details = eldc.detect_details(text)
            top = names_of(details.language)
            return bool(details.reliable and top and top[0] != language)

        found["eldc, if reliable"] = is_wrong
    return found


def identification(samples: dict[str, list[str]]) -> None:
    """Print false alarms and detections by length."""
    ends = [f"< {end}" for end in SIZES[:-1]] + [f">= {SIZES[-2]}"]
    print(f"{'letters':<34}" + "".join(f"{end:>9}" for end in ends))
    for name, is_wrong in judges().items():
        alarms, detections = Counter(), Counter()
        of_alarms, of_detections = Counter(), Counter()
        by_language: dict[str, list[int]] = {}
        for language, texts in samples.items():
            by_language[language] = [0, 0]
            for text in texts:
                length = size(text)
                verdict = is_wrong(text, language)
                of_alarms[length] += verdict is not None
                alarms[length] += verdict is True
                by_language[language][0] += verdict is True
                by_language[language][1] += verdict is not None
                for other in POOL if language in POOL else ():
                    if other != language:
                        of_detections[length] += 1
                        detections[length] += is_wrong(text, other) is True
        for kind, hits, of in (
            ("false alarms", alarms, of_alarms),
            ("detected", detections, of_detections),
        ):
            shares = "".join(f"{hits[i] / max(of[i], 1):9.2%}" for i in range(len(SIZES)))
            print(f"{name:<20}{kind:<14}{shares}")
        judged = {language: rest for language, rest in by_language.items() if rest[1]}
        worst = sorted(judged, key=lambda language: -judged[language][0] / judged[language][1])[:8]
        print(f"  judges {len(judged)} of {len(samples)} languages; most false alarms: ", end="")
        print(", ".join(f"{each} {judged[each][0]}/{judged[each][1]}" for each in worst))


def objections(bitext: dict[str, dict[str, str]], most: int) -> None:
    """Print how many translations from English the error types object to."""
    identifier = load_identifier()
    for reading, words in (("paper", "whitespace"), ("practical", "scripts")):
        found, number = Counter(), 0
        back, back_number = Counter(), 0
        for language, texts in bitext.items():
            if language == "English":
                continue
            for english, other in list(texts.items())[:most]:
                settings = {"transformation": "translation", "reading": reading, "words": words}
                found.update(
                    find_errors(
                        english,
                        other,
                        expected_language=language,
                        identify=identifier,
                        **settings,
                    )
                )
                number += 1
                if language in ("Chinese", "Japanese", "Thai", "Khmer", "Burmese"):
                    back.update(find_errors(other, english, **settings))
                    back_number += 1
        for title, counts, of in (
            ("from English", found, number),
            ("from unspaced scripts", back, back_number),
        ):
            shares = ", ".join(
                f"{error} {counts[error] / of:.2%}" for error in ERROR_TYPES if counts[error]
            )
            print(f"{reading:<10}{title:<22}{of:>6} translations: {shares or 'none'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="few texts of few languages")
    smoke = parser.parse_args().smoke
    spec = importlib.util.find_spec("django")
    if spec is None or spec.origin is None:
        raise SystemExit("The texts are Django's: pip install django")
    bitext = read_bitext(Path(spec.origin).parent)
    if smoke:
        bitext = {name: bitext[name] for name in (*POOL, "Japanese")}
    draw = random.Random(0)  # noqa: S311 - a sample, no secret
    samples = {}
    for language, texts in bitext.items():
        messages = draw.sample(list(texts.values()), min(len(texts), 20 if smoke else 10**9))
        joined = [" ".join(messages[i : i + 4]) for i in range(0, len(messages) - 3, 4)]
        samples[language] = messages + joined
    print(
        sum(map(len, samples.values())), "texts; no verdict under", LEAST_BYTES, "bytes of letters"
    )
    identification(samples)
    objections(bitext, 20 if smoke else 10**9)


if __name__ == "__main__":
    main()
