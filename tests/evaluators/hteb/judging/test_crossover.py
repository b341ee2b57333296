from __future__ import annotations

import json

import pandas as pd
import pytest

from robustrank.errors import DuplicateError, ParameterError, UnknownLabelError
from robustrank.evaluators import hteb
from robustrank.evaluators.hteb.generators.base import Response, Sampling
from robustrank.evaluators.hteb.judging import Judgements, judge, judge_scores
from robustrank.evaluators.hteb.store.store import Store
from tests.evaluators.hteb.judging.test_asking import Scripted
from tests.evaluators.hteb.judging.test_items import texts
from tests.evaluators.hteb.misbehaving import MisbehavingServer, answer


class Critic(Scripted):
    """Likes the texts of A better, and says so differently for every other text."""

    def __init__(self, model, offset=0):
        super().__init__(self.rate)
        self.model, self.offset = model, offset

    def rate(self, request):
        text = json.loads(request.text)["rewritten"]
        return f"Rating: {(4 if text.startswith('A') else 2) + self.offset}"


def test_a_crossover_has_every_judge_and_text():
    found = judge(texts(), {"A": Critic("a"), "C": Critic("c", 1)})
    assert list(found.table.columns) == [
        "judge",
        "generator",
        "transformation",
        "item",
        "rating",
        "answer",
        "failure",
    ]
    assert len(found.table) == 2 * 24
    means = found.table.groupby(["judge", "generator"])["rating"].mean()
    assert means.to_dict() == {("A", "A"): 4, ("A", "B"): 2, ("C", "A"): 5, ("C", "B"): 3}
    assert (found.n_invalid, found.n_unanswered) == (0, 0)
    assert "48 ratings" in found.summary()
    scores = judge_scores(found, n_resamples=200)
    assert scores.by_judge.loc["C", "B"] == 3
    assert list(scores.average["letters"]) == ["a", "b"]
    assert hteb.judge is judge
    assert hteb.judge_scores is judge_scores


def test_judges_do_not_see_who_wrote_a_text():
    critic = Critic("c")
    table = texts()
    table["generator"] = table["generator"].map({"A": "gemma", "B": "qwen"})
    judge(table, {"c": critic})
    for request in critic.asked:
        assert "gemma" not in request.instruction + request.text
        assert "qwen" not in request.instruction + request.text


def test_a_store_makes_a_second_run_free_and_gives_the_same_table(tmp_path):
    place = tmp_path / "kept.sqlite"
    first = judge(texts(), {"c": Critic("c")}, store=place)
    idle = Critic("c")
    with Store(place) as store:
        second = judge(texts(), {"c": idle}, store=store)
    assert not idle.asked
    pd.testing.assert_frame_equal(first.table, second.table)


def test_a_draw_is_part_of_what_was_asked(tmp_path):
    place = tmp_path / "kept.sqlite"
    judge(texts(), {"c": Critic("c")}, store=place, per_transformation=2)
    more = Critic("c")
    found = judge(texts(), {"c": more}, store=place, per_transformation=5)
    assert len(found.table) == 20
    assert sum(more.asked.values()) == 12  # those of the smaller draw are among them


def test_invalid_answers_and_failures_are_told_apart(tmp_path):
    def script(request):
        text = json.loads(request.text)["rewritten"]
        if text == "A 0":
            return "no idea"
        return Response("", failure="timeout") if text == "B 1" else "3"

    found = judge(texts(transformations=["paraphrasing"]), {"c": Scripted(script)})
    assert (found.n_invalid, found.n_unanswered) == (1, 1)
    [note] = found.notes
    assert note.code == "unanswered"
    assert "1 request of 12 brought no answer (timeout)" in note.message
    scores = judge_scores(found, n_resamples=50)
    assert scores.invalid["invalid"].to_dict() == {("c", "A"): 1, ("c", "B"): 0}
    assert scores.invalid["unanswered"].to_dict() == {("c", "A"): 0, ("c", "B"): 1}
    assert scores.n_items == 4
    assert note in scores.notes
    *_, table = found.save(tmp_path)
    again = judge_scores(table, n_resamples=50)
    pd.testing.assert_frame_equal(again.invalid, scores.invalid)
    assert set(again.notes) == set(scores.notes)


def test_what_is_saved_can_be_read_again(tmp_path):
    found = judge(texts(), {"c": Critic("c")})
    written = {path.name: path for path in found.save(tmp_path / "out")}
    assert list(written) == ["summary.txt", "results.json", "judgements.csv"]
    again = judge_scores(written["judgements.csv"], n_resamples=50)
    pd.testing.assert_frame_equal(again.average, judge_scores(found, n_resamples=50).average)
    content = json.loads(written["results.json"].read_text("utf-8"))
    assert content["settings"]["judges"]["c"] == {"model": "c", "revision": None, "settings": {}}
    assert content["settings"]["prompt"]["sampling"]["temperature"] == 0
    # Scores of the same folder keep them.
    assert judge_scores(found, n_resamples=50).settings["judgements"] == content["settings"]
    assert again.settings["judgements"] is None
    assert len(found.to_dict()["judgements"]) == len(found.table)
    assert isinstance(found, Judgements)
    assert repr(found) == "Judgements(1 judge × 2 generators: 24 judgements, 0 invalid)"


def test_judges_are_created_from_options_and_asked_over_http():
    with MisbehavingServer(lambda call: answer("4")) as server:
        options = {"endpoints": server.url, "model": "m", "concurrency": 4, "extra_body": {}}
        found = judge(texts(), {"m": options}, per_transformation=1, sampling=Sampling(seed=3))
        assert {call.payload["seed"] for call in server.calls} == {3}
        assert len(server.calls) == 4
    assert (found.table["rating"] == 4).all()


@pytest.mark.parametrize(
    ("judges", "error", "problem"),
    [
        ({}, ParameterError, "name one at least"),
        (["gemma"], ParameterError, "must map names"),
        ({"c": "gemma"}, ParameterError, "'c' must be a generator"),
        ({"c": {"type": "opnai"}}, UnknownLabelError, "did you mean 'openai'"),
        ({"c": {"endpoint": "x", "model": "m"}}, UnknownLabelError, "'endpoint'"),
    ],
)
def test_bad_judges_are_refused_before_anything_is_read(judges, error, problem):
    with pytest.raises(error, match=problem):
        judge("nowhere", judges)


def test_sampling_that_no_server_can_follow_is_refused_before_anything_is_asked():
    critic = Critic("c")
    with pytest.raises(ParameterError, match="max_tokens must be a whole number from 1 on"):
        judge(texts(), {"c": critic}, sampling=Sampling(max_tokens=0))
    assert not critic.asked


def test_one_model_is_no_two_judges():
    with pytest.raises(DuplicateError, match=r"'one' and 'two' are one model, m.*Leave one out"):
        judge(texts(), {"one": Critic("m"), "two": Critic("m")})
    options = {"endpoints": "http://127.0.0.1:9", "model": "m"}
    with pytest.raises(DuplicateError, match="'one' and 'two'"):
        judge(texts(), {"one": options, "two": {**options, "concurrency": 3}})
    held = Critic("m")
    held.settings = {"extra_body": {"grammar": "x"}}
    found = judge(texts(), {"one": Critic("m"), "two": held}, per_transformation=1)
    assert list(found.table["judge"].unique()) == ["one", "two"]


@pytest.mark.parametrize(
    "said", ["4\rfine", "4\x00fine", '4\r\nfine, "very"', "4 " + "x" * 140_000, " 4"]
)
def test_an_answer_of_any_kind_is_saved_so_that_it_can_be_read(said, tmp_path):
    table = pd.DataFrame(
        [("j", g, "expansion", i, 4.0, said, None) for g in "AB" for i in ("1", "2")],
        columns=["judge", "generator", "transformation", "item", "rating", "answer", "failure"],
    )
    *_, path = Judgements(table, {}).save(tmp_path)
    again = judge_scores(path, n_resamples=20)
    assert again.n_ratings == 4
    assert again.invalid["unanswered"].sum() == 0


def test_structured_answers_are_no_ratings():
    with pytest.raises(ParameterError, match="structured"):
        judge(texts(), {"c": Critic("c")}, sampling=Sampling(structured=True))
