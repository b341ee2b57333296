from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from robustrank.evaluators.hteb.texts.transformations import AXES, STAGES, TRANSFORMATIONS


def test_axes_and_transformations_are_in_the_order_of_the_released_tool():
    assert AXES == {
        "Lexical/Stylistic": ("paraphrasing", "backtranslation", "style_change"),
        "Length": ("expansion", "summarise", "summarised_expansion"),
        "Language": ("translation", "cross_translation"),
    }
    assert list(TRANSFORMATIONS) == [name for names in AXES.values() for name in names]
    assert all(TRANSFORMATIONS[name].axis == axis for axis, names in AXES.items() for name in names)


def test_a_text_takes_ten_calls_over_all_transformations():
    assert sum(len(each.stages) for each in TRANSFORMATIONS.values()) == 10


def test_summarised_expansion_begins_with_the_request_of_expansion():
    stages = TRANSFORMATIONS["summarised_expansion"].stages
    assert stages[0] == TRANSFORMATIONS["expansion"].stages[0]
    assert stages[1] == TRANSFORMATIONS["summarise"].stages[0]


def test_stages_are_what_prompts_are_needed_for():
    assert set(STAGES) == {
        "paraphrasing",
        "backtranslate_forward",
        "backtranslate_backward",
        "style_change",
        "expansion",
        "summarise",
        "translation",
        "cross_translation",
    }


def test_only_the_language_axis_changes_the_language():
    changed = {name for name, each in TRANSFORMATIONS.items() if not each.keeps_language}
    assert changed == set(AXES["Language"])


def test_languages_are_drawn_for_three_transformations():
    drawn = {name: each.language_choice for name, each in TRANSFORMATIONS.items()}
    assert {name: choice for name, choice in drawn.items() if choice} == {
        "backtranslation": "pivot",
        "translation": "translation",
        "cross_translation": "cross_translation",
    }


def test_transformations_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        TRANSFORMATIONS["expansion"].id = "other"
