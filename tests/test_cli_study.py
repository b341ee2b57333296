from __future__ import annotations

import io
import json
import os

import pandas as pd
import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank.cli import app
from robustrank.grid.export import study_to_dict
from tests.grid import planted

runner = CliRunner()


def invoke(*arguments: object):
    return runner.invoke(app, ["study", *map(str, arguments)])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The planted benchmark as files: arguments that read all of it."""
    folder = tmp_path_factory.mktemp("benchmark")
    tables = {
        "results": planted.long_table(),
        "tasks": planted.task_metadata(),
        "models": planted.model_metadata(),
    }
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    tasks = ("--task-metadata", folder / "tasks.csv")
    return (folder / "results.csv", *tasks, "--model-metadata", folder / "models.csv")


@pytest.fixture(scope="module")
def whole() -> rr.Study:
    return planted.study()


def read(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""])


def test_the_summary_goes_to_stdout_and_the_rest_to_stderr(files, whole):
    result = invoke(*files, "--top", "2")
    assert result.exit_code == 0
    assert result.stdout == whole.summary(2) + "\n"
    assert result.stdout.startswith("3 languages × 2 task types: 6 cells, 5 with datasets")
    assert "Ranking: 3 of 3" in result.stderr
    assert "note: 1 dataset without results" in result.stderr
    assert invoke(*files, "--quiet").stderr == ""


def test_without_results_the_bundled_example_is_studied():
    result = invoke("--language", "slv", "--task-type", "STS", "--task-type", "Clustering", "-q")
    expected = rr.study(rr.load_example(), languages="slv", task_types=["STS", "Clustering"])
    assert result.stdout == expected.summary() + "\n"


def test_csv_and_markdown_are_the_cells(files, whole):
    cells = read(invoke(*files, "--csv", "-q").stdout).set_index(["language", "task_type"])
    expected = whole.cells
    assert list(cells.columns) == list(expected.columns)
    assert list(cells["ess"]) == list(expected["ess"])
    assert list(cells["level"]) == list(expected["level"])
    markdown = invoke(*files, "--markdown", "-q").stdout
    assert markdown == whole.to_markdown("cells") + "\n"


def test_json_is_everything_and_settings_reach_the_study(files):
    arguments = ["--language", "bbb", "--language", "aaa", "--task-type", "Retrieval"]
    arguments += ["--level", "language", "--open-weights", "--zero-shot", "--known", "embed_dim"]
    arguments += ["--known", "n_parameters", "--unknown-training-data", "keep"]
    arguments += ["--complete", "task-type", "--released-from", "2023-12-01"]
    arguments += ["--released-until", "2026-01-01", "--min-parameters", "1e8"]
    arguments += ["--max-parameters", "2e9", "--min-datasets", "0", "--min-coverage", "0.05"]
    arguments += ["--partial", "drop", "--on-duplicate", "mean", "--tau", "0.8"]
    arguments += ["--correlation", "spearman", "--linkage", "average", "--n-compositions", "2"]
    arguments += ["--schemes", "wsm/*", "--schemes", "topsis/equal", "--top-k", "3"]
    arguments += ["--consistency", "membership", "--saturation", "4", "--n-resamples", "20"]
    arguments += ["--confidence-level", "0.8", "--seed", "3", "--jobs", "1"]
    content = json.loads(invoke(*files, *arguments, "--json").stdout)
    expected = planted.study(
        languages=["bbb", "aaa"],
        task_types="Retrieval",
        level="language",
        filters=rr.ModelFilter(
            open_weights=True,
            zero_shot=True,
            known=("embed_dim", "n_parameters"),
            unknown_training_data="keep",
            complete="task-type",
            released_from="2023-12-01",
            released_until="2026-01-01",
            min_parameters=1e8,
            max_parameters=2e9,
        ),
        min_datasets=0,
        min_coverage=0.05,
        partial_scores="drop",
        on_duplicate="mean",
        tau=0.8,
        correlation="spearman",
        linkage="average",
        n_compositions=2,
        schemes=["wsm/*", "topsis/equal"],
        top_k=3,
        consistency="membership",
        saturation=4,
        n_resamples=20,
        confidence_level=0.8,
        seed=3,
    )
    assert content == json.loads(json.dumps(study_to_dict(expected)))
    assert content["settings"]["languages"] == ["bbb", "aaa"]


def test_the_preset_and_other_fields(files):
    content = json.loads(invoke(*files, "--preset", "papers", "--json", "-q").stdout)
    assert content == json.loads(json.dumps(study_to_dict(planted.study(preset="papers"))))
    result = invoke(*files, "--by", "task_type", "--by", "n_subsets", "--csv", "-q")
    assert list(read(result.stdout).columns[:2]) == ["task_type", "n_subsets"]


def test_one_cell_is_its_standings(files, whole):
    cell, expected = ("aaa", "Retrieval"), whole.standings("aaa", "Retrieval")
    result = invoke(*files, "--cell", *cell, "--top", "3")
    lines = result.stdout.splitlines()
    row = whole.cells.loc[cell]
    assert lines[0].startswith(f"aaa × Retrieval: {row['level']}, ESS {row['ess']:.2f} (")
    assert lines[0].endswith(f"12 models, {row['n_rankings']} rankings counted")
    assert [line.split()[0] for line in lines[2:]] == list(expected.index[:3])
    table = read(invoke(*files, "--cell", *cell, "--csv", "-q").stdout)
    pd.testing.assert_frame_equal(table.set_index("model"), expected)
    markdown = invoke(*files, "--cell", *cell, "--markdown", "-q").stdout
    assert len(markdown.splitlines()) == 2 + len(expected)


def test_sensitivity_follows_the_findings(files):
    result = invoke(*files, "--task-type", "STS", "--sensitivity", "-q")
    found = planted.study(task_types="STS")
    assert result.stdout == f"{found.summary()}\n\n{found.sensitivity()}\n"


def test_tables_are_written_and_an_interrupted_study_resumes(files, tmp_path, monkeypatch):
    folder = tmp_path / "out"
    first = invoke(*files, "-o", folder)
    assert first.exit_code == 0
    blocks = sorted((folder / "blocks").iterdir())
    assert len(blocks) == 3
    assert f"files to {folder}." in first.stderr
    tables = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert {"cells.csv", "standings.csv", "settings.json"} <= {*tables}
    assert not any(name.endswith((".parquet", ".tex")) for name in tables)

    for block in blocks:
        os.utime(block, ns=(1, 1))
    monkeypatch.setattr("robustrank.grid.run.rank_block", None)  # nothing is ranked again
    second = invoke(*files, "-o", folder)
    assert second.exit_code == 0
    assert second.stdout == first.stdout
    assert [path.stat().st_mtime_ns for path in sorted((folder / "blocks").iterdir())] == [1] * 3
    again = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert again == tables


def test_formats_are_those_asked_for(files, tmp_path):
    asked = ["--format", "latex", "--format", "parquet"]
    assert invoke(*files, "-o", tmp_path, *asked, "-q").exit_code == 0
    suffixes = {path.suffix for path in tmp_path.iterdir() if path.is_file()}
    assert suffixes == {".tex", ".parquet", ".json", ".html"}


def test_names_with_markup_and_bars_reach_no_table(tmp_path):
    names = {"org/m11": "<script>|", "org/m10": "[red]|x"}
    table = planted.long_table()
    table["model"] = table["model"].replace(names)
    table.to_csv(tmp_path / "results.csv", index=False)
    cell = ("--cell", "aaa", "STS", "-q")
    markdown = invoke(tmp_path / "results.csv", *cell, "--markdown").stdout
    assert "\n| \\<script>\\| |" in markdown
    assert "\n| [red]\\|x |" in markdown
    text = invoke(tmp_path / "results.csv", *cell, "--top", "12").stdout
    assert {"<script>|", "[red]|x"} <= {line.split()[0] for line in text.splitlines()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--language", "aab"], "Unknown language 'aab': did you mean 'aaa'"),
        (["--task-type", "Retreival"], "did you mean 'Retrieval'"),
        (["--cell", "aaa", "STS2"], "Unknown task_type 'STS2': did you mean 'STS'"),
        (["--cell", "ccc", "STS"], "ccc × STS could not be ranked: 1 dataset, 0 of them with"),
        (["--preset", "paper"], "Unknown preset 'paper'; known: 'papers'"),
        (["--by", "task_type"], "by must name two fields of the dataset metadata"),
        (["--by", "task_type", "--by", "genre"], "Unknown field of the dataset metadata 'genre'"),
        (["--min-parameters", "1e12"], "No cell has two models that meet the filter"),
        (["--known", "price_per_token"], "which the model metadata do not have"),
        (["--released-from", "soon"], "released_from must be a date"),
        (["--tau", "2"], "between 0 and 1"),
        (["--seed", "-1"], "seed must be a whole number"),
        (["--schemes", "saw"], "Unknown scheme 'saw'"),
        (["-o", "new", "--format", "xlsx"], "Unknown format 'xlsx'; choose among 'csv', 'parquet'"),
    ],
)
def test_errors_are_one_line_on_stderr(files, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = invoke(*files, *arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("error: ")
    assert message in last
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_results_without_metadata_say_what_to_pass(tmp_path):
    path = tmp_path / "results.csv"
    planted.long_table()[["model", "task", "score"]].groupby(
        ["model", "task"], as_index=False
    ).mean().to_csv(path, index=False)
    result = invoke(path)
    assert result.exit_code == 1
    assert "--task-metadata" in result.stderr
    assert "no-such.csv" in invoke("no-such.csv").stderr


def test_bad_options_are_usage_errors(files):
    assert invoke(*files, "--json", "--csv").exit_code == 2
    assert invoke(*files, "--json", "--cell", "aaa", "STS").exit_code == 2
    assert invoke(*files, "--cell", "aaa").exit_code == 2
    assert invoke(*files, "--sensitivity", "--csv").exit_code == 2
    assert invoke(*files, "--level", "dialect").exit_code == 2
    assert invoke(*files, "--jobs", "0").exit_code == 2
    assert invoke(*files, "--top", "0").exit_code == 2
    unplaced = invoke(*files, "--format", "csv")
    assert unplaced.exit_code == 2
    assert "name a folder" in " ".join(unplaced.stderr.split())
