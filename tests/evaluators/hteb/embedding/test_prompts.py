from __future__ import annotations

import pytest

from robustrank.errors import ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.embedding.prompts import check_prompt_names, find_prompt

ORDER = ["ArguAna-query", "ArguAna", "Retrieval-query", "Retrieval", "query"]


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_the_order_is_that_of_mteb(first):
    prompts = {key: f"{key}: " for key in ORDER[first:]}
    assert find_prompt(prompts, "retrieval", "ArguAna", "query") == f"{ORDER[first]}: "


def test_a_dataset_goes_by_both_of_its_names():
    assert find_prompt({"ArguAna": "a"}, "retrieval", "arguana", "query") == "a"
    assert find_prompt({"arguana": "b", "ArguAna": "a"}, "retrieval", "arguana", "query") == "b"


@pytest.mark.parametrize(
    ("task_type", "key"),
    [
        ("sts", "STS"),
        ("str", "STS"),
        ("pair_classification", "PairClassification"),
        ("summarisation", "Summarization"),
        ("classification", "Classification"),
        ("clustering", "Clustering"),
        ("reranking", "Reranking"),
    ],
)
def test_task_types_go_by_the_names_of_mteb(task_type, key):
    assert find_prompt({key: "p "}, task_type, "any", "text") == "p "


def test_a_plain_text_is_no_query():
    prompts = {"query": "query: ", "document": "passage: "}
    assert find_prompt(prompts, "sts", "any", "text") == ""
    assert find_prompt(prompts, "reranking", "any", "document") == "passage: "


@pytest.mark.parametrize("key", ["document", "passage", "corpus", "Reranking-passage"])
def test_documents_have_three_names(key):
    assert find_prompt({key: "p "}, "reranking", "any", "document") == "p "


def test_the_default_is_last_and_absence_is_empty():
    prompts = {"STS": "s ", "web": "w "}
    assert find_prompt(prompts, "sts", "any", "text", default="web") == "s "
    assert find_prompt(prompts, "clustering", "any", "text", default="web") == "w "
    assert find_prompt(prompts, "clustering", "any", "text") == ""
    assert find_prompt({}, "clustering", "any", "text", default="gone") == ""


def test_prompt_names_decide_where_they_say_something():
    prompts = {"STS": "s ", "special": "x "}
    names = {"sts": {"text": "special"}, "clustering": {"text": None}}
    assert find_prompt(prompts, "sts", "any", "text", names=names) == "x "
    assert find_prompt({"Clustering": "c"}, "clustering", "any", "text", names=names) == ""
    assert find_prompt(prompts, "str", "any", "text", names=names) == "s "


def test_prompt_names_that_do_not_exist_are_named():
    with pytest.raises(UnknownLabelError, match=r"my/model.*'stss'.*'sts'"):
        check_prompt_names({"stss": {}}, {}, "my/model")
    with pytest.raises(UnknownLabelError, match=r"role.*my/model.*'querry'.*'query'"):
        check_prompt_names({"sts": {"querry": None}}, {}, "my/model")
    with pytest.raises(ParameterError, match=r"my/model.*'gone'.*\(a, b\)"):
        check_prompt_names({"sts": {"text": "gone"}}, {"b": "", "a": ""}, "my/model")
    check_prompt_names({"sts": {"text": None, "query": "a"}}, {"a": ""}, "my/model")
