"""Reports from the command line: what is written, what is said about it, and bad paths."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank._atomic import write_text
from robustrank.cli import app
from robustrank.cli.analysis import analyze_matrix
from robustrank.cli.analyze import analyze
from robustrank.cli.matrix import read_matrix
from robustrank.cli.report import report
from robustrank.report.plots import AnalysisPlots
from tests.conftest import random_scores
from tests.grid import planted

runner = CliRunner()
FEW = ("--n-resamples", "100", "--n-refits", "4")


def invoke(*arguments):
    return runner.invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A table with a missing score, in the current folder."""
    monkeypatch.chdir(tmp_path)
    scores = random_scores(6, 4).rename_axis("model")
    scores.iloc[2, 0] = float("nan")
    scores.to_csv("scores.csv")
    return "scores.csv"


@pytest.fixture
def quick(monkeypatch):
    """Stand in for drawing, which takes seconds: a page that tells which analysis it is of."""

    def to_html(self, path=None, *, title=None):
        text = json.dumps([title, self.to_dict()])
        return text if path is None else write_text(Path(path), text)

    monkeypatch.setattr(rr.Analysis, "to_html", to_html)
    monkeypatch.setattr(AnalysisPlots, "kinds", staticmethod(lambda: ["forest"]))


def read_page(path: str) -> list:
    return json.loads(Path(path).read_text(encoding="utf-8"))


def page(table: str, title: str | None = None, **settings) -> list:
    found = rr.analyze(table, n_resamples=100, n_refits=4, **{"decision": True, **settings})
    return json.loads(json.dumps([title, found.to_dict()]))


def test_a_page_for_people(table):
    assert invoke("report", table, *FEW, "--title", "Ours <b>").exit_code == 0
    text = Path("report.html").read_text(encoding="utf-8")
    assert text.lower().startswith("<!doctype html>")
    assert "Ours &lt;b&gt;" in text
    assert rr.analyze(table, n_resamples=100, n_refits=4).verdict.headline in text


@pytest.mark.usefixtures("quick")
def test_a_page_is_written_in_the_current_folder_and_its_path_printed(table):
    result = invoke("report", table, *FEW)
    assert result.exit_code == 0
    assert result.stdout == "report.html\n"
    assert "note: 1 of 6 models dropped for missing scores: m2." in result.stderr
    assert "Writing the report …" in result.stderr
    assert read_page("report.html") == page(table)
    again = invoke("report", table, *FEW, "-o", "new/board.HTML", "-q", "--title", "Ours <b>")
    assert again.stdout == f"{Path('new/board.HTML')}\n"
    assert again.stderr == ""
    assert read_page("new/board.HTML") == page(table, "Ours <b>")


@pytest.mark.usefixtures("quick")
def test_settings_reach_the_report(table):
    arguments = ("--missing", "keep", "--aggregate", "borda-mteb", "--seed", "3", "--tau", "0.7")
    assert invoke("report", table, *FEW, *arguments, "-q").exit_code == 0
    expected = page(table, missing="keep", aggregate="borda-mteb", seed=3, tau=0.7)
    assert read_page("report.html") == expected


@pytest.mark.usefixtures("quick")
def test_a_folder_gets_everything(table):
    result = invoke("report", table, *FEW, "-o", "all", "-q", "--title", "Ours")
    paths = [Path(line) for line in result.stdout.splitlines()]
    assert paths[0] == Path("all/report.html")
    assert {path for path in Path("all").rglob("*") if path.is_file()} == set(paths)
    assert {"analysis.json", "ranking.csv", "pairwise.csv"} <= {path.name for path in paths}
    assert Path("all/figures/forest.svg") in paths
    assert read_page("all/report.html") == page(table, "Ours")


@pytest.mark.usefixtures("quick")
def test_what_would_change_the_answer_can_be_left_out(table):
    assert invoke("report", table, *FEW, "--no-decision", "-q").exit_code == 0
    assert read_page("report.html") == page(table, decision=False)


@pytest.mark.usefixtures("quick")
def test_open_shows_the_page_and_nothing_else_does(table, monkeypatch):
    shown = []
    monkeypatch.setattr("webbrowser.open", lambda address: not shown.append(address))
    invoke("report", table, *FEW)
    assert shown == []
    assert invoke("report", table, *FEW, "--open", "-o", "a b.html").exit_code == 0
    assert shown == [(Path.cwd() / "a b.html").as_uri()]
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    result = invoke("report", table, *FEW, "--open")
    assert result.exit_code == 0
    assert result.stderr.splitlines()[-1] == "No browser could be started; open report.html in one."


@pytest.mark.usefixtures("quick")
def test_analyze_writes_a_report_besides(table):
    plain = invoke("analyze", table, *FEW)
    result = invoke("analyze", table, *FEW, "-o", "board.html")
    assert result.stdout == plain.stdout
    assert result.stderr.splitlines()[-1] == "Wrote board.html."
    assert read_page("board.html") == page(table)
    result = invoke("analyze", table, *FEW, "-o", "all", "--json")
    assert json.loads(result.stdout)["n_models"] == 5
    files = [path for path in Path("all").rglob("*") if path.is_file()]
    assert result.stderr.splitlines()[-1] == f"Wrote {len(files)} files to all."


def test_a_study_writes_a_page(tmp_path):
    planted.long_table().to_csv(tmp_path / "results.csv", index=False)
    planted.task_metadata().to_csv(tmp_path / "tasks.csv", index=False)
    files = ("study", tmp_path / "results.csv", "--task-metadata", tmp_path / "tasks.csv")
    target = tmp_path / "study.html"
    result = invoke(*files, "-o", target)
    assert result.exit_code == 0
    assert result.stderr.splitlines()[-1] == f"Wrote {target}."
    assert target.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert {path.name for path in tmp_path.iterdir()} == {"results.csv", "tasks.csv", "study.html"}
    result = invoke(*files, "-o", target, "--format", "csv")
    assert result.exit_code == 2
    assert "name a folder there" in " ".join(result.stderr.split())


@pytest.mark.parametrize("command", ["report", "analyze", "study"])
def test_a_path_that_something_else_takes_is_refused_before_any_work(command, tmp_path):
    (tmp_path / "page.html").mkdir()
    (tmp_path / "taken").write_text("mine", encoding="utf-8")
    for name, message in (
        ("page.html", "is a folder. Name a file there, or another folder."),
        ("taken", "is a file. Name a folder, or a file ending in .html."),
    ):
        result = invoke(command, "-o", tmp_path / name)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr == f"error: {tmp_path / name} {message}\n"
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("-", "A report does not go to stdout. Name a file ending in .html, or a folder."),
        ("taken/a/page.html", "taken is a file, not a folder: taken/a/page.html cannot be in it."),
        ("r.pdf", "Reports are written as .html, not .pdf: name r.html, or a folder."),
    ],
)
def test_a_path_that_is_not_meant_is_refused_before_any_work(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    Path("taken").write_text("mine", encoding="utf-8")
    result = invoke("report", "-o", name)
    assert result.exit_code == 1
    assert result.stderr == f"error: {message}\n"
    assert [path.name for path in Path.cwd().iterdir()] == ["taken"]


@pytest.mark.usefixtures("quick")
def test_a_folder_may_have_a_dot_in_its_name(table):
    assert invoke("report", table, *FEW, "-o", "v2.0").exit_code == 0
    assert Path("v2.0/report.html").is_file()


@pytest.mark.usefixtures("quick")
def test_a_path_that_cannot_be_written_is_one_line(table, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = invoke("report", table, *FEW, "-q", "-o", "page.html")
    assert result.exit_code == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: page.html cannot be written: No space left on device.")


def test_both_commands_have_all_options_of_an_analysis_in_one_order():
    shared = [
        name
        for source in (read_matrix, analyze_matrix)
        for name, parameter in inspect.signature(source).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    for command in (analyze, report):
        names = list(inspect.signature(command).parameters)
        assert names[: len(shared)] == shared
        assert names[-1] == "quiet"
        assert "no_decision" in names
    settings = set(inspect.signature(rr.analyze).parameters) - {"matrix", "progress", "decision"}
    assert settings <= set(shared)


def test_help_names_the_options_of_both_kinds():
    text = invoke("report", "--help").stdout
    assert text.index("--task-type") < text.index("--tau") < text.index("--output")
    for option in ("--title", "--open", "--quiet"):
        assert option in text
    assert "--json" not in text
    assert "--output" in invoke("analyze", "--help").stdout
