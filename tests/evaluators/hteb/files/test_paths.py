from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.errors import FormatError, ParameterError
from robustrank.evaluators.hteb.files.paths import (
    generator_directory,
    generator_of,
    pair_directory,
    pair_hash,
)

GENERATOR = "cyankiwi/gemma-4-31B-it-AWQ-4bit"


@pytest.mark.parametrize(
    ("model", "directory"),
    [
        (GENERATOR, "cyankiwi~2Fgemma-4-31B-it-AWQ-4bit"),
        ("a~b", "a~7Eb"),
        ("a%b", "a~25b"),
        ("~2F", "~7E2F"),
        ("end.", "end~2E"),
        ("v1.5...", "v1.5~2E~2E~2E"),
        ("..", "~2E~2E"),
        ("a b:c\\d", "a~20b~3Ac~5Cd"),
        ("con", "~63on"),
        ("NUL.txt", "~4EUL.txt"),
        ("com1", "~63om1"),
        ("console", "console"),
        ("模型", "~E6~A8~A1~E5~9E~8B"),
    ],
)
def test_generator_directory(model, directory):
    assert generator_directory(model) == directory
    assert generator_of(directory) == model


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_every_name_comes_back_from_its_folder(model):
    directory = generator_directory(model)
    assert generator_of(directory) == model
    assert directory.isascii()
    assert not set(directory) & set('/\\:*?"<>|% ')
    assert not directory.endswith(".")


@pytest.mark.parametrize("model", ["", "x" * 256, "ü" * 43, "half \ud83d"])
def test_names_that_no_folder_can_have(model):
    with pytest.raises(ParameterError, match="name"):
        generator_directory(model)


def test_the_longest_name():
    assert len(generator_directory("x" * 255)) == 255


@pytest.mark.parametrize("directory", ["a~2", "a~", "a~zz", "a%2Fb", "~FF"])
def test_folders_that_are_no_generators(directory):
    with pytest.raises(FormatError, match=r"is not called after a generator: .*Rename it\."):
        generator_of(directory)


@pytest.mark.parametrize(
    ("transformation", "time", "expected"),
    [
        (
            "translation",
            "2026-09-15T11:32:54Z",
            "c46cda2f3acfbe0d5f1ea05c2a33086824fd705ca4f29dd6b867ef6390d45fc9",
        ),
        (
            "backtranslation",
            "2026-09-15T11:18:02Z",
            "9be5eb2759c8d8d2d5dcf9b985835a3080069636b0de63bbdcaff9b4e458950f",
        ),
    ],
)
def test_hashes_of_published_files(transformation, time, expected):
    found = pair_hash(
        generator_model=GENERATOR,
        transformation=transformation,
        dataset="banking77",
        seed=1337,
        generation_datetime=time,
    )
    assert found == expected


@pytest.mark.parametrize(
    "time", ["2026-09-15", "2026-09-15T11:32:54+00:00", "2026-9-15T11:32:54Z", "", 5]
)
def test_times_are_written_as_hteb_writes_them(time):
    with pytest.raises(ParameterError, match="must be UTC such as '2026-09-15T11:32:54Z'"):
        pair_hash(
            generator_model=GENERATOR,
            transformation="translation",
            dataset="banking77",
            seed=1337,
            generation_datetime=time,
        )


def test_the_place_of_a_pair(tmp_path):
    place = {"generator_model": GENERATOR, "transformation": "translation", "seed": 1337}
    folder = pair_directory(tmp_path, dataset="banking77", **place)
    parts = ("cyankiwi~2Fgemma-4-31B-it-AWQ-4bit", "banking77", "translation", "1337")
    assert folder.relative_to(tmp_path).parts == parts
    inside = pair_directory(tmp_path, dataset="../..", **place)
    assert inside.resolve().is_relative_to(tmp_path.resolve())
    assert len(inside.relative_to(tmp_path).parts) == 4


def test_names_of_datasets_stay_as_they_are(tmp_path):
    for name in ["IsiZuluNewsClassification.v2", "stsbenchmark-sts", "Ko-StrategyQA"]:
        assert generator_directory(name) == name
