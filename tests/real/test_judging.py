"""A crossover with a real language model as the judge, from the command line."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pandas as pd
import pytest

from robustrank.evaluators.hteb.judging.parsing import parse_rating
from tests.real.demo import robustrank
from tests.real.llm_server import serving

TEXTS = {
    "paraphrasing": {"The train to Cork leaves at nine.": "At nine the train departs for Cork."},
    "translation": {"The train to Cork leaves at nine.": "El tren a Cork sale a las nueve."},
}
CONFIG = """\
texts: texts.csv
judges:
  - name: held
    model: {model}
    endpoints: {url}
    concurrency: 2
    extra_body: {{grammar: 'root ::= [1-5]'}}
  - {{name: free, model: {model}, endpoints: {url}, concurrency: 2}}
prompt: prompt.yaml
output: judged
"""

#: Of few tokens, so that it is read quickly.
PROMPT = """\
instruction: 'The task was to {task} Rate the rewritten text from 1 to 5. Answer with one digit.'
sampling: {max_tokens: 8}
"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judging")
    rows = [
        (generator, transformation, f"text {number}", original, text, "Spanish")
        for transformation, pairs in TEXTS.items()
        for number, (original, good) in enumerate(pairs.items())
        for generator, text in (("good", good), ("bad", "I am a language model."))
    ]
    columns = ["generator", "transformation", "item", "original", "text", "target"]
    pd.DataFrame(rows, columns=columns).to_csv(folder / "texts.csv", index=False)
    folder.joinpath("prompt.yaml").write_text(PROMPT)
    config = folder / "judges.yaml"
    with serving(parallel=2) as server:
        config.write_text(CONFIG.format(model=server.model, url=server.url))
        done = robustrank("hteb", "judge", config, "--quiet", "--json", capture_output=True)
    return config, json.loads(done.stdout)


def n_stored(config):
    with closing(sqlite3.connect(config.parent / "judged" / "judgements.sqlite")) as database:
        [(number,)] = database.execute("SELECT count(*) FROM hteb_generations").fetchall()
    return number


def test_every_judge_answers_about_every_text_and_one_held_to_digits_rates_it(judged):
    config, found = judged
    table = pd.read_csv(config.parent / "judged" / "judgements.csv")
    assert len(table) == 2 * 2 * 2
    assert table["failure"].isna().all()
    assert table["answer"].fillna("").str.strip().ne("").mean() > 0.5
    # 135 million parameters do not answer with a digit unless a grammar holds them to it.
    assert table.loc[table["judge"] == "held", "rating"].between(1, 5).all()
    rated = table.dropna(subset="rating")
    assert [parse_rating(str(answer)) for answer in rated["answer"]] == list(rated["rating"])
    assert sum(row["asked"] for row in found["invalid"]) == len(table)
    assert sum(row["invalid"] for row in found["invalid"]) == table["rating"].isna().sum()


def test_a_second_run_asks_nothing_and_needs_no_server(judged):
    config, found = judged
    before = n_stored(config)
    done = robustrank("hteb", "judge", config, "--quiet", "--json", capture_output=True)
    assert json.loads(done.stdout) == found
    assert n_stored(config) == before
