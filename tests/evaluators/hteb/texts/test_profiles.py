from __future__ import annotations

import json

import pytest

from robustrank.errors import FormatError, ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.generators.base import Sampling
from robustrank.evaluators.hteb.texts.profiles import PROFILES, load_profile
from robustrank.evaluators.hteb.texts.transformations import STAGES

TRANSLATING = [name for name, stage in STAGES.items() if stage.output != "same"]
KEEPING = [name for name, stage in STAGES.items() if stage.output == "same"]


@pytest.mark.parametrize("name", PROFILES)
def test_every_stage_has_a_prompt_and_a_sampling(name):
    profile = load_profile(name)
    assert set(profile.prompts) == set(profile.samplings) == set(STAGES)
    for stage in STAGES:
        text = profile.instruction(stage, source="Zulu", target="French")
        assert text.strip()
        assert "{" not in text


def test_the_papers_texts_are_decoded_greedily_whatever_the_seed():
    profile = load_profile("paper")
    assert not profile.seeded
    for stage in STAGES:
        most = 1024 if stage == "expansion" else 512
        assert profile.sampling(stage, seed=1337) == Sampling(
            temperature=0.0, top_p=1.0, max_tokens=most, seed=None, structured=False
        )


def test_the_released_tools_texts_are_drawn_with_the_seed_of_the_run():
    profile = load_profile("v1.1")
    for stage in STAGES:
        most = 1024 if stage == "expansion" else 512
        assert profile.sampling(stage, seed=1338) == Sampling(
            temperature=1.0, top_p=0.95, top_k=64, max_tokens=most, seed=1338, structured=True
        )


@pytest.mark.parametrize("stage", KEEPING)
def test_the_papers_prompts_name_the_language_to_keep(stage):
    profile = load_profile("paper")
    assert "MUST be in Zulu" in profile.instruction(stage, source="Zulu")
    assert "MUST be in the language of the text" in profile.instruction(stage, source=None)
    assert "NOT turn" in profile.instruction(stage, source="Zulu")


@pytest.mark.parametrize("stage", KEEPING)
def test_the_released_prompts_name_no_language_to_keep(stage):
    assert "Zulu" not in load_profile("v1.1").instruction(stage, source="Zulu")


@pytest.mark.parametrize("stage", ["expansion", "summarise"])
def test_the_papers_prompts_forbid_to_answer_questions(stage):
    text = load_profile("paper").instruction(stage, source="English").lower()
    assert "question" in text
    assert "do not" in text
    assert "answer" in text


def test_the_papers_summaries_are_shown_two_examples():
    text = load_profile("paper").instruction("summarise", source="English")
    assert text.count("(NOT ") == 2
    assert text.endswith("The text to summarise:")


@pytest.mark.parametrize("stage", TRANSLATING)
def test_translations_name_their_languages(stage):
    paper = load_profile("paper").instruction(stage, source="Zulu", target="French")
    assert "French" in paper
    assert "Zulu" not in paper
    released = load_profile("v1.1").instruction(stage, source="Zulu", target="French")
    assert "from Zulu to French" in released


def test_unknown_languages_are_circumscribed():
    profile = load_profile("v1.1")
    assert "from the input language to French" in profile.instruction(
        "translation", source=None, target="French"
    )
    assert "from French to the original language" in profile.instruction(
        "backtranslate_backward", source="French"
    )


@pytest.mark.parametrize("stage", ["translation", "cross_translation", "backtranslate_forward"])
def test_a_language_that_was_not_drawn_is_missed(stage):
    with pytest.raises(ParameterError, match=f"language that {stage} translates into"):
        load_profile().instruction(stage, source="English")


def test_the_papers_translations_share_one_request():
    prompts = load_profile("paper").prompts
    assert len({prompts[stage] for stage in TRANSLATING}) == 1


def test_own_prompts_replace_some(tmp_path):
    path = tmp_path / "prompts.yaml"
    path.write_text(
        "expansion: 'Say more, in {target_language}, with {{braces}}\u200fش'\n", "utf-8"
    )
    profile = load_profile("paper", prompts=path)
    assert (
        profile.instruction("expansion", source="Zulu") == "Say more, in Zulu, with {braces}\u200fش"
    )
    assert profile.prompts["summarise"] == load_profile("paper").prompts["summarise"]
    same = load_profile("paper", prompts={"expansion": profile.prompts["expansion"]})
    assert same == profile


def test_the_wording_has_a_digest():
    plain, again = load_profile("paper").describe(), load_profile("paper").describe()
    own = load_profile("paper", prompts={"expansion": "Say more."}).describe()
    assert plain == again == json.loads(json.dumps(plain))
    assert plain["wording"] != own["wording"]
    assert own["prompts"]["expansion"] == "Say more."
    assert plain["sampling"]["expansion"]["max_tokens"] == 1024


def test_a_profile_cannot_be_changed_for_others():
    with pytest.raises(TypeError):
        load_profile("paper").prompts["expansion"] = "Say more."


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("paraphrase: Reword.", UnknownLabelError, "prompts.yaml 'paraphrase'.*'paraphrasing'"),
        ("1: Reword.", UnknownLabelError, "stage in .*prompts.yaml '1'"),
        ("expansion: Say {more}.", FormatError, "'expansion' in .*prompts.yaml names {more}.*Use"),
        ("expansion: 'Say {}.'", FormatError, "names {}, which nothing fills in"),
        (
            "expansion: 'In {target_language!r}.'",
            FormatError,
            "names {target_language!r}, which nothing",
        ),
        (
            "expansion: 'In {target_language.upper}.'",
            FormatError,
            "names {target_language.upper}",
        ),
        ("expansion: 'Say } more.'", FormatError, "brace that is not closed.*Double braces"),
        ("expansion: 'Say {more'", FormatError, "brace that is not closed.*Double braces"),
        ("translation: Translate.", FormatError, "'translation' in .*Write {target_language}"),
        ("expansion: ''", FormatError, "'expansion' in .* must be a text"),
        ("expansion: [a]", FormatError, "must be a text; it is"),
        ("- expansion", FormatError, "prompts.yaml holds list.*'paraphrasing: Reword"),
        ("", FormatError, "holds NoneType"),
        ("expansion: [", FormatError, "prompts.yaml is not YAML: .*line 1.*paraphrasing: R"),
    ],
)
def test_a_file_of_prompts_that_cannot_be_used_is_explained(tmp_path, text, error, message):
    path = tmp_path / "prompts.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(error, match=message):
        load_profile("paper", prompts=path)


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(FormatError, match=r"absent.yaml cannot be read: No such file"):
        load_profile("paper", prompts=tmp_path / "absent.yaml")
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("expansion: Höher".encode("latin-1"))
    with pytest.raises(FormatError, match=r"latin.yaml is not YAML: .*in UTF-8"):
        load_profile("paper", prompts=latin)


def test_unknown_profiles_and_stages_are_named():
    with pytest.raises(UnknownLabelError, match="profile 'papers': did you mean 'paper'"):
        load_profile("papers")
    with pytest.raises(UnknownLabelError, match=r"stage 'expand'.*'expansion'"):
        load_profile().instruction("expand", source=None)
    with pytest.raises(UnknownLabelError, match="stage 'backtranslation'"):
        load_profile().sampling("backtranslation", seed=1)
