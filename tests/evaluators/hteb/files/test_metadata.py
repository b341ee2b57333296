from __future__ import annotations

import pytest

from robustrank.errors import FormatError
from robustrank.evaluators.hteb.files.metadata import FALLBACK_REASONS, check_metadata
from tests.evaluators.hteb.pair_examples import GENERATOR, TIME, statistics


def make(**changes):
    return {
        "generator_model": GENERATOR,
        "transformation": "translation",
        "dataset": "banking77",
        "seed_transform": 1337,
        "generation_datetime": TIME,
        "max_model_length": 4096,
        "max_tokens": 512,
        "max_retries": 3,
        "generation_statistics": statistics(),
        **changes,
    }


FILTERING = {"version": 2, "task_type": "retrieval", "input_scope": "stored_records"}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"generation_datetime": None},
        {"source_revision": "0123456789abcdef" * 2 + "01234567"},
        {"translation_language_selection": "dataset"},
        {"transformation": "summarised_expansion", "max_tokens_expansion": 1024},
        {"transform_corpus": False},
        {"clustering_format": "per_language"},
        {"data_filtering": FILTERING},
        {"data_filtering": {"version": 1}},
        {
            "generation_statistics": statistics(
                records_with_fallback=2,
                text_fields_with_fallback=5,
                unchanged_outputs=15,
                retried_text_fields=7,
                recovered_after_retry_text_fields=2,
                fallback_reasons=dict.fromkeys(FALLBACK_REASONS, 1),
            )
        },
    ],
)
def test_what_hteb_accepts(changes):
    check_metadata(make(**changes), "file")


@pytest.mark.parametrize("key", make())
def test_every_key_is_needed(key):
    metadata = make()
    del metadata[key]
    with pytest.raises(FormatError, match=f"^file: '{key}' is missing. Add it") as caught:
        check_metadata(metadata, "file")
    assert caught.value.labels == (key,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"prompt": "x"}, "^file: HTEB knows no 'prompt'"),
        ({"generator_model": " "}, "generator_model must be a name; it is ' '"),
        (
            {"transformation": "rot13"},
            "transformation must be one of paraphrasing, .* it is 'rot13'",
        ),
        ({"seed_transform": True}, "seed_transform must be a whole number from 0; it is True"),
        ({"seed_transform": "1337"}, "seed_transform must be"),
        ({"max_tokens": 0}, "max_tokens must be a whole number from 1; it is 0"),
        ({"max_tokens": 512.0}, "max_tokens must be"),
        ({"generation_datetime": "yesterday"}, "^file: generation_datetime must be UTC such as"),
        ({"source_revision": "main"}, "source_revision must be a commit of 40 hexadecimal digits"),
        ({"transform_corpus": 1}, "transform_corpus must be true or false; it is 1"),
        ({"clustering_format": "deep"}, "clustering_format must be 'flat', 'nested' or"),
        ({"translation_language_selection": "text"}, "selection must be 'dataset'; it is 'text'"),
        ({"max_tokens_expansion": 9}, "is only for summarised_expansion, not translation"),
        (
            {"transformation": "expansion", "translation_language_selection": "dataset"},
            "is only for translation, not expansion",
        ),
        ({"max_tokens": 5000}, "max_tokens must be less than max_model_length, 4,096"),
        (
            {"transformation": "summarised_expansion", "max_tokens_expansion": 4096},
            "max_tokens_expansion must be less than",
        ),
        (
            {"data_filtering": {"version": 2, "reason": "x"}},
            "data_filtering: HTEB knows no 'reason'",
        ),
        ({"data_filtering": {"task_type": "sts"}}, "data_filtering: 'version' is missing"),
        ({"data_filtering": {**FILTERING, "excluded": {}}}, "excluded must be a list"),
        ({"data_filtering": {**FILTERING, "counts_after": []}}, "counts_after must be an object"),
        ({"data_filtering": {**FILTERING, "input_scope": "x"}}, "input_scope must be 'source_rec"),
    ],
)
def test_what_hteb_refuses(changes, message):
    with pytest.raises(FormatError, match=message):
        check_metadata(make(**changes), "file")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mean": 1}, "file, generation_statistics: HTEB knows no 'mean'"),
        ({"records_total": -1}, "records_total must be a whole number from 0; it is -1"),
        ({"fallback_reasons": []}, r"fallback_reasons must be an object; it is \[\]"),
        ({"fallback_reasons": {"tired": 1}}, "fallback_reasons: HTEB knows no 'tired'"),
        ({"records_targeted": 10}, r"records_targeted \(10\) is more than records_total \(9\)"),
        (
            {"text_fields_with_fallback": 6, "unchanged_outputs": 15},
            r"text_fields_with_fallback \(6\) \+ unchanged_outputs \(15\) is more than text_fields",
        ),
        ({"retried_text_fields": 21}, r"retried_text_fields \(21\) is more than text_fields_total"),
        ({"recovered_after_retry_text_fields": 1}, "is more than retried_text_fields"),
        ({"records_with_fallback": 1}, "is more than text_fields_with_fallback"),
        (
            {"text_fields_with_fallback": 2, "fallback_reasons": {"prompt_too_long": 1}},
            r"add up to 1, not text_fields_with_fallback \(2\)",
        ),
    ],
)
def test_counts_that_contradict_each_other(changes, message):
    with pytest.raises(FormatError, match=message):
        check_metadata(make(generation_statistics=statistics(**changes)), "file")


@pytest.mark.parametrize(
    ("task_type", "key", "value"),
    [
        ("retrieval", "transform_corpus", True),
        ("reranking", "transform_corpus", False),
        ("clustering", "clustering_format", "flat"),
    ],
)
def test_what_some_task_types_need(task_type, key, value):
    with pytest.raises(FormatError, match=f"{key} is missing; {task_type} datasets need it"):
        check_metadata(make(), "file", task_type=task_type)
    check_metadata(make(**{key: value}), "file", task_type=task_type)
    check_metadata(make(), "file", task_type="sts")
