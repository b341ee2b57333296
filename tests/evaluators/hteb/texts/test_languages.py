from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from robustrank.errors import UnknownLabelError
from robustrank.evaluators.hteb.texts.languages import (
    POOLS,
    codes_of,
    draw_language,
    join_names,
    known_names,
    names_of,
)

SEEDS = (1337, 1338, 1339)

# What released HTEB translates into with these seeds, by the label of a row.
TRANSLATIONS = {
    ("AmazonCounterfactualClassification", "eng"): "Arabic French Turkish",
    ("banking77", "eng"): "Turkish Turkish Arabic",
    ("MassiveIntentClassification", "eng"): "Spanish Arabic French",
    ("BiorxivClusteringS2S", "eng"): "German French German",
    ("MedrxivClusteringS2S", "eng"): "Spanish Spanish French",
    ("TwentyNewsgroupsClustering", "eng"): "German Spanish French",
    ("SprintDuplicateQuestions", "eng"): "French French German",
    ("twittersemeval2015-pairclassification", "eng"): "Spanish German Arabic",
    ("TwitterURLCorpus", "eng"): "Turkish Turkish Spanish",
    ("askubuntudupquestions-reranking", "eng"): "French French Turkish",
    ("SciDocsRR", "eng"): "Arabic Turkish French",
    ("StackOverflowDupQuestions", "eng"): "Spanish Spanish French",
    ("arguana", "eng"): "Arabic French Arabic",
    ("CQADupstackGamingRetrieval", "eng"): "Turkish German German",
    ("SciFact", "eng"): "Arabic German German",
    ("biosses-sts", "eng"): "Spanish French German",
    ("stsbenchmark-sts", "eng"): "Arabic Arabic Arabic",
    ("summeval", "eng"): "German Turkish Turkish",
    ("IsiZuluNewsClassification.v2", "zul"): "Turkish Arabic French",
    ("SentimentAnalysisHindi.v2", "hin"): "Spanish German Arabic",
    ("PlscClusteringS2S.v2", "pol"): "Turkish Spanish Turkish",
    ("indonli", "ind"): "Arabic Spanish German",
    ("VoyageMMarcoReranking", "jpn"): "Turkish French German",
    ("TwitterHjerneRetrieval", "dan"): "Arabic Turkish German",
    ("Ko-StrategyQA", "kor"): "French Arabic Turkish",
    ("NamaaMrTydiReranking", "ara"): "German Spanish Turkish",
    ("semrel2024", "eng"): "Turkish Arabic German",
    ("semrel2024", "ary"): "Turkish Arabic German",
    ("semrel2024", "esp"): "Arabic French Arabic",
    ("rte3", "en"): "French Turkish French",
    ("rte3", "it"): "French Turkish French",
    ("rte3", "de"): "Spanish Spanish Arabic",
    ("rte3", "fr"): "Spanish Spanish Arabic",
    ("MasakhaNEWSClusteringS2S", "swa"): "Turkish Spanish Arabic",
    ("MasakhaNEWSClusteringS2S", "fra"): "Arabic Arabic Turkish",
    ("IndicCrosslingualSTS", "en-as"): "Spanish Arabic Arabic",
    ("sts17-crosslingual-sts", "en-en"): "Spanish Spanish Arabic",
    ("sts17-crosslingual-sts", "ko-ko"): "Spanish Spanish Arabic",
    ("sts17-crosslingual-sts", "en-ar"): "Spanish German Spanish",
    ("sts17-crosslingual-sts", "en-de"): "Spanish Turkish Spanish",
    ("sts17-crosslingual-sts", "en-tr"): "Spanish German Spanish",
    ("sts17-crosslingual-sts", "es-en"): "French Turkish French",
    ("sts17-crosslingual-sts", "fr-en"): "Spanish Turkish Spanish",
}
ENGLISH_TARGETS = [
    "Arabic",
    "German",
    "French",
    "German",
    "Turkish",
    "Spanish",
    "German",
    "Turkish",
    "Spanish",
    "German",
]
ZULU_PIVOTS = [
    "Turkish",
    "Arabic",
    "Arabic",
    "French",
    "German",
    "English",
    "French",
    "German",
    "English",
    "French",
]


def draw(choice, *, dataset="banking77", seed=1337, ordinal=0, label="eng", rule="v1.1", **rest):
    labels = {"record_label": label, "field_label": label} | rest
    return draw_language(
        choice, dataset=dataset, seed=seed, seeds=SEEDS, ordinal=ordinal, rule=rule, **labels
    )


@pytest.mark.parametrize(("dataset", "label"), TRANSLATIONS)
def test_translations_go_where_the_released_tool_sends_them(dataset, label):
    drawn = [draw("translation", dataset=dataset, label=label, seed=seed) for seed in SEEDS]
    assert drawn == TRANSLATIONS[dataset, label].split()


@pytest.mark.parametrize("choice", ["cross_translation", "pivot"])
def test_texts_of_english_datasets_draw_the_released_tools_languages(choice):
    assert [draw(choice, ordinal=i) for i in range(10)] == ENGLISH_TARGETS


def test_texts_from_outside_the_pool_draw_the_released_tools_pivots():
    assert [draw("pivot", ordinal=i, label="zul") for i in range(10)] == ZULU_PIVOTS


def test_translations_leave_out_the_row_and_the_others_the_text():
    both = {"record_label": "es-en", "field_label": "en"}
    for rule in ("v1.1", "balanced"):
        drawn = {
            choice: {
                draw(choice, dataset=f"d{i}", ordinal=i, rule=rule, **both) for i in range(200)
            }
            for choice in POOLS
        }
        assert drawn["translation"] == set(POOLS["translation"]) - {"Spanish"}
        assert drawn["cross_translation"] == set(POOLS["cross_translation"])
        assert drawn["pivot"] == set(POOLS["pivot"]) - {"English"}


@pytest.mark.parametrize("rule", ["v1.1", "balanced"])
def test_all_may_be_drawn_where_the_label_leaves_none(rule):
    label = "spa-fra-deu-tur-ara"
    drawn = {draw("translation", dataset=f"d{i}", label=label, rule=rule) for i in range(100)}
    assert drawn == set(POOLS["translation"])


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("eng", ("English",)),
        ("en-asm", ("English", "Assamese")),
        ("ar-ar", ("Arabic",)),
        ("zho_Hans", ("Chinese",)),
        ("eng/Latn", ("English",)),
        ("arb", ("Modern Standard Arabic",)),
        ("arq", ("Algerian Arabic",)),
        ("ary", ("Moroccan Arabic",)),
        ("esp", ("Spanish",)),
        ("tg", ("Tagalog",)),
        ("tgk", ("Tajik",)),
        ("DEU", ("German",)),
        ("default", ()),
        ("", ()),
        (None, ()),
        ("\ud800-\x00", ()),
    ],
)
def test_labels_are_read_as_the_released_tool_reads_them(label, names):
    assert names_of(label) == names


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("es-AR", ("Spanish",)),
        ("pt_BR", ("Portuguese",)),
        ("zh-CN", ("Chinese",)),
        ("EN-DE", ("English", "German")),
        ("en-ar", ("English", "Arabic")),
        ("German", ("German",)),
        ("norwegian bokmål", ("Norwegian Bokmål",)),
        ("tg", ("Tajik",)),
    ],
)
def test_balanced_draws_also_read_names_and_regions(label, names):
    assert names_of(label, rule="balanced") == names


@pytest.mark.parametrize(
    "labels",
    [
        "afr-amh-arb-arq-ary-eng-esp-hau-hin-ind-kin-mar-pan-tel",
        "fra-ibo-lin-lug-orm-pcm-run-sna-som-swa-tir-xho-yor-zul",
        "pol-deu-ita-jpn-ara-dan-kor",
        "en-as-bn-gu-hi-kn-ml-mr-or-pa-ta-te-ur",
        "ar-de-en-es-fr-it-ko-nl-tr",
    ],
)
def test_every_language_of_the_definitions_has_a_name(labels):
    assert len(names_of(labels)) == len(labels.split("-"))


def test_no_code_stands_for_two_languages():
    codes = Counter(code for name in known_names() for code in codes_of(name))
    assert set(codes.values()) == {1}
    assert all(codes_of(name) for name in known_names())
    assert set(POOLS["pivot"]) <= set(known_names())


def test_names_are_joined_as_prompts_say_them():
    assert join_names(names_of("eng-asm")) == "English and Assamese"
    assert join_names(["German"]) == "German"
    assert join_names(()) is None


# The weaknesses of the released draws, each shown to be there and not to be there any more.
DATASETS = [f"dataset-{i}" for i in range(400)]


def translations(rule):
    return [
        [draw("translation", dataset=name, seed=seed, rule=rule) for seed in SEEDS]
        for name in DATASETS
    ]


def chi_square(pairs):
    """Pearson's statistic of independence between the two members of pairs."""
    joint = Counter(pairs)
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    total = len(pairs)
    return sum(
        (joint[a, b] - left[a] * right[b] / total) ** 2 / (left[a] * right[b] / total)
        for a in left
        for b in right
    )


#: Independent draws exceed this about once in 200,000 times, with 4 · 4 degrees of freedom.
SURPRISING = 52.0


def test_no_dataset_is_stuck_with_a_language_for_several_seeds():
    assert any(len(set(drawn)) == 1 for drawn in translations("v1.1"))
    assert all(len(set(drawn)) == len(SEEDS) for drawn in translations("balanced"))


def test_balanced_translations_use_all_languages_alike():
    for position in range(len(SEEDS)):
        uses = Counter(drawn[position] for drawn in translations("balanced"))
        equal = len(DATASETS) / len(POOLS["translation"])
        excess = sum((uses[name] - equal) ** 2 / equal for name in POOLS["translation"])
        assert excess < 23.5  # once in 10,000 times with 4 degrees of freedom


def test_as_many_seeds_as_languages_see_each_once_and_more_begin_again():
    seeds = range(7)
    drawn = [
        draw_language(
            "translation",
            dataset="d",
            seed=seed,
            seeds=seeds,
            ordinal=0,
            record_label="fra",
            field_label="fra",
            rule="balanced",
        )
        for seed in seeds
    ]
    assert sorted(drawn[:4]) == ["Arabic", "German", "Spanish", "Turkish"]
    assert drawn[4:] == drawn[:3]


@pytest.mark.parametrize("choice", ["cross_translation", "pivot"])
def test_seeds_are_no_shifted_copies_of_each_other(choice):
    def sequence(seed, rule):
        return [draw(choice, seed=seed, ordinal=i, rule=rule) for i in range(1001)]

    assert sequence(1338, "v1.1")[:-1] == sequence(1337, "v1.1")[1:]
    for shift in (0, 1, 2):
        for one, two in combinations(SEEDS, 2):
            pairs = zip(sequence(one, "balanced")[shift:], sequence(two, "balanced"), strict=False)
            assert chi_square(list(pairs)) < SURPRISING


def test_pivots_do_not_follow_the_targets_of_cross_translation():
    def pairs(rule):
        return [
            tuple(draw(choice, ordinal=i, rule=rule) for choice in ("cross_translation", "pivot"))
            for i in range(1000)
        ]

    assert all(target == pivot for target, pivot in pairs("v1.1"))
    assert chi_square(pairs("balanced")) < SURPRISING


def test_two_texts_of_a_pair_meet_in_one_language_by_chance_alone():
    texts = [draw("cross_translation", ordinal=i, rule="balanced") for i in range(4000)]
    same = sum(left == right for left, right in zip(texts[:2000], texts[2000:], strict=True))
    assert 0.17 < same / 2000 < 0.23


@pytest.mark.parametrize("label", ["arb", "arq", "ary", "ara", "arb-Arab"])
def test_varieties_of_arabic_are_not_translated_into_arabic(label):
    for choice in POOLS:
        drawn = {
            draw(choice, dataset=name, ordinal=i, label=label, rule="balanced")
            for i, name in enumerate(DATASETS)
        }
        assert drawn == set(POOLS[choice]) - {"Arabic"}
    released = {draw("cross_translation", ordinal=i, label="ary") for i in range(100)}
    assert "Arabic" in released


def test_unknown_choices_rules_and_seeds_are_named():
    with pytest.raises(UnknownLabelError, match=r"choice of language 'translate'.*'translation'"):
        draw("translate")
    with pytest.raises(UnknownLabelError, match="rule for drawing languages 'fair'"):
        draw("translation", rule="fair")
    with pytest.raises(UnknownLabelError, match="seed of the study '7': known: 1337, 1338, 1339"):
        draw("translation", seed=7, rule="balanced")
