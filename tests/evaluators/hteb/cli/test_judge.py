"""``robustrank hteb judge`` as a person uses it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from robustrank.cli import app
from tests.evaluators.hteb.judging.planted import ratings
from tests.evaluators.hteb.judging.test_items import texts
from tests.evaluators.hteb.misbehaving import MisbehavingServer, answer

CONFIG = """\
texts: texts.csv
judges:
  - {{model: m, name: A, endpoints: {url}, concurrency: 2, max_tries: 1}}
per_transformation: 3
output: judged
"""


def call(*arguments):
    return CliRunner().invoke(app, ["hteb", "judge", *map(str, arguments)])


@pytest.fixture
def server():
    def script(call):
        return answer("4" if '"A ' in call.text else "Rating: 2")

    with MisbehavingServer(script) as running:
        yield running


@pytest.fixture
def config(tmp_path, server):
    texts().to_csv(tmp_path / "texts.csv", index=False)
    path = tmp_path / "judges.yaml"
    path.write_text(CONFIG.format(url=server.url))
    return path


def test_judges_rate_and_what_is_rated_is_not_asked_for_again(config, server):
    done = call(config, "--n-resamples", 200)
    assert done.exit_code == 0, done.stderr
    assert "A is rated highest" in done.stdout
    assert "note: One judge alone" in done.stderr
    assert len(server.calls) == 12
    folder = config.parent / "judged"
    assert {path.name for path in folder.iterdir()} >= {
        "judgements.csv",
        "judgements.sqlite",
        "summary.txt",
        "results.json",
        "figures",
    }
    kept = json.loads((folder / "results.json").read_text("utf-8"))
    assert kept["settings"]["judgements"]["judges"]["A"]["model"] == "m"
    again = call(config, "--n-resamples", 200, "-q")
    assert again.stdout == done.stdout
    assert again.stderr == ""
    assert len(server.calls) == 12
    from_table = call(folder / "judgements.csv", "--n-resamples", 200)
    assert from_table.stdout == done.stdout


def test_a_table_alone_writes_nothing_unless_asked(tmp_path):
    path = tmp_path / "ratings.csv"
    ratings({"A": 4.0, "B": 2.0}).to_csv(path, index=False)
    done = call(path, "--n-resamples", 100, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["average"][0]["generator"] == "A"
    assert list(tmp_path.iterdir()) == [path]
    assert call(path, "--n-resamples", 100, "-o", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "average.csv").exists()


def test_a_judge_that_stops_is_named_and_what_it_said_is_kept(config, server):
    from tests.evaluators.hteb.misbehaving import cut

    n_good = 5
    server.script = lambda call: answer("4") if call.index < n_good else cut()
    from robustrank.evaluators.hteb.generators import failing

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(failing, "MOST_FAILURES", 3)
        done = call(config)
    assert done.exit_code == 1
    assert "m left 3 requests in a row unanswered" in done.stderr
    server.script = lambda call: answer("4")
    before = len(server.calls)
    assert call(config, "--n-resamples", 50).exit_code == 0
    assert len(server.calls) - before == 12 - n_good


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("texts: texts.csv", "text: texts.csv", "did you mean 'texts'"),
        ("texts: texts.csv", "texts: none.csv", "none.csv"),
        ("texts: texts.csv\n", "", "lacks texts"),
        ("texts: texts.csv", "texts: 3", "3 where a path is expected"),
        ("model: m,", "modl: m,", "'modl'"),
        ("per_transformation: 3", "per_transformation: 0", "per_transformation must be"),
        ("per_transformation: 3", "prompt: none.yaml", "none.yaml cannot be read"),
        ("judges:", "judges: [a]\nx:", "'x'"),
        ("output: judged", "output: texts.csv", "texts.csv is a file"),
        ("output: judged", "output: judged\nstore: texts.csv/x", "texts.csv"),
    ],
)
def test_a_mistake_is_one_line_on_stderr(config, server, old, new, problem):
    config.write_text(config.read_text().replace(old, new))
    done = call(config)
    assert done.exit_code == 1
    assert problem in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
    assert not server.calls


def test_two_judges_of_one_name_are_refused(config):
    text = config.read_text()
    line = next(line for line in text.splitlines() if "model: m" in line)
    config.write_text(text.replace(line, f"{line}\n{line}"))
    assert "Two judges in judges.yaml are called 'A'" in call(config).stderr


def test_help_imports_nothing_that_the_extra_brings():
    code = (
        "import sys; from typer.testing import CliRunner; from robustrank.cli import app;"
        "CliRunner().invoke(app, ['hteb', 'judge', '--help']);"
        "heavy = {'torch', 'sqlalchemy', 'httpx', 'yaml', 'matplotlib.pyplot'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
