"""What an `Acceptability` says, draws and saves."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from robustrank import figures
from robustrank.acceptability import smaa
from robustrank.errors import InputError
from tests.conftest import frame, random_scores


@pytest.fixture(scope="module")
def found():
    scores = random_scores(12, 6, seed=1)
    return smaa(scores, by={f"d{j}": "xyz"[j % 3] for j in range(6)}, n_draws=1000)


def test_the_best_come_first_everywhere(found):
    order = found.table.sort_values(["p_best", "holistic"], ascending=False).index
    assert found.table.index.equals(order)
    assert found.rank_acceptability.index.equals(order)
    assert found.pairwise.index.equals(order)
    assert list(found.pairwise.columns) == list(order)
    assert found.central_weights.index.tolist() == [m for m in order if found.p_best[m] > 0]
    assert found.first_weights.index.tolist() == [m for m in order if found.can_be_first[m]]
    assert list(found.central_weights.columns) == found.groups == ["x", "y", "z"]
    assert found.rank_acceptability.columns.tolist() == list(range(1, 13))


def test_the_summary_says_the_answer_then_the_models_then_what_favours_them(found):
    text = found.summary(3)
    lines = text.splitlines()
    assert text.startswith(found.headline[:60])
    assert "… and 9 more" in lines
    assert "Shares over 1,000 draws, ± 0.031 at most." in lines
    assert "Mean weight by group in the draws with a model first:" in lines
    assert max(map(len, lines)) <= 100
    assert repr(found) == f"Acceptability: {found.headline}"


def test_a_model_that_is_favoured_by_a_group_is_said_to_be():
    # Of two of three exchangeable weights the larger has mean 1/2, the smaller 1/6.
    scores = frame([[0.9, 0.5, 0.5], [0.5, 0.5, 0.9]])
    lines = smaa(scores, n_draws=2000).summary().splitlines()
    (line,) = (line for line in lines if line.startswith("m0: "))
    assert re.fullmatch(r"m0: more on d0 \((0\.\d+)\); less on d2 \((0\.\d+)\)", line)
    weights = [float(number) for number in re.findall(r"0\.\d+", line)]
    assert weights == pytest.approx([1 / 2, 1 / 6], abs=0.02)


def test_few_draws_favour_nothing_that_is_worth_saying(found):
    scores = frame([[0.9, 0.5], [0.5, 0.9]])
    assert "Mean weight" not in smaa(scores, n_draws=20).summary()


def test_everything_is_json_and_has_a_name(found):
    content = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert content["table"][0]["model"] == found.table.index[0]
    assert content["settings"]["n_draws"] == 1000
    assert content["settings"]["by"]["d0"] == "x"
    assert list(found.tables()) == [
        "acceptability",
        "rank_acceptability",
        "central_weights",
        "pairwise_winning",
        "first_weights",
    ]
    assert list(found.figures()) == ["central_weights", "first_places", "rank_acceptability"]


def test_many_groups_have_no_figure_of_weights():
    found = smaa(random_scores(3, 31), n_draws=20)
    with pytest.raises(InputError, match="31 datasets cannot be told apart"):
        found.plot.central_weights()


def test_names_are_text(tmp_path):
    names = ["<script>", "a$b$", "x & y", "two\nlines", "n" * 80, "模型"]
    scores = pd.DataFrame(random_scores(6, 3).to_numpy(), index=names, columns=["$d$", "<b>", "集"])
    found = smaa(scores, n_draws=200)
    assert "two\nlines" not in found.summary()
    assert figures.save(found.plot.central_weights(), tmp_path / "weights.svg")


def test_the_table_tells_confidence_only_where_it_varies(found):
    assert "confidence_factor" not in found.summary()
    scores = random_scores(6, 3)
    assert "confidence_factor" in smaa(scores, n_draws=200, noise=0.05).summary()
