from __future__ import annotations

import io
import json
import subprocess
import sys

import pandas as pd
import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank.cli import app
from tests.conftest import random_scores

runner = CliRunner()


def invoke(*arguments: str):
    return runner.invoke(app, list(arguments))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "scores.csv"
    scores = random_scores(12, 3).rename_axis("model")
    scores.iloc[2, 0] = float("nan")
    scores.to_csv(path)
    return path


def test_without_arguments_the_bundled_example_is_analysed():
    result = invoke("analyze", "--quiet")
    assert result.exit_code == 0
    for part in ("Evidence", "ESS", "Clusters of datasets", "Kendall's W", "Best 10 of"):
        assert part in result.stdout
    assert result.stderr == ""


def test_tables_go_to_stdout_and_the_rest_to_stderr(table):
    result = invoke("analyze", str(table), "--csv")
    read_back = pd.read_csv(io.StringIO(result.stdout), index_col="model")
    expected = rr.analyze(table).to_frame()
    read_back["tier"] = read_back["tier"].astype("Int64")
    pd.testing.assert_frame_equal(read_back, expected, check_index_type=False)
    assert "Clustering datasets …" in result.stderr
    assert "note: 1 of 12 models dropped for missing scores: m2." in result.stderr
    assert invoke("analyze", str(table), "--csv", "-q").stderr == ""


def test_json_is_the_whole_analysis(table):
    content = json.loads(invoke("analyze", str(table), "--json").stdout)
    expected = rr.analyze(table).to_dict()
    expected["settings"]["seed"] = 0
    assert content == json.loads(json.dumps(expected))


def test_markdown(table):
    assert invoke("analyze", str(table), "--markdown").stdout.startswith("| model | mean |")


def test_selection_and_settings_reach_the_analysis():
    arguments = ["--task-type", "sts", "--language", "eng", "--open-weights", "--zero-shot"]
    arguments += ["--models", "*e5*", "--models", "*Qwen*", "--tau", "0.8", "--seed", "4"]
    arguments += ["--max-parameters", "1e10", "--top-k", "3", "--correlation", "spearman"]
    arguments += ["--linkage", "complete"]
    arguments += ["--schemes", "wsm/*", "--missing", "keep", "--borda", "mteb"]
    content = json.loads(invoke("analyze", "--json", *arguments).stdout)
    expected = rr.analyze(
        rr.load_example().select(
            task_type="STS",
            language="eng",
            open_weights=True,
            zero_shot=True,
            models=["*e5*", "*Qwen*"],
            max_parameters=1e10,
        ),
        tau=0.8,
        seed=4,
        top_k=3,
        correlation="spearman",
        linkage="complete",
        schemes="wsm/*",
        missing="keep",
        borda="mteb",
    )
    assert content == json.loads(json.dumps(expected.to_dict()))
    assert content["n_models"] >= 2


def test_resampling_settings_reach_the_analysis(table):
    arguments = ["--aggregate", "borda-mteb", "--n-resamples", "300", "--confidence-level", "0.9"]
    arguments += ["--resampling", "clusters", "--tier-threshold", "0.8", "--n-refits", "5"]
    content = json.loads(invoke("analyze", str(table), "--json", *arguments).stdout)
    expected = rr.analyze(
        table,
        aggregate="borda-mteb",
        n_resamples=300,
        confidence_level=0.9,
        resampling="clusters",
        tier_threshold=0.8,
        n_refits=5,
    )
    assert content == json.loads(json.dumps(expected.to_dict()))


def test_instances(table, tmp_path):
    scores = pd.read_csv(table, index_col="model").dropna()
    rows = [
        (model, dataset, k, float(k < 100 * score))
        for dataset in scores
        for model, score in scores[dataset].items()
        for k in range(100)
    ]
    path = tmp_path / "instances.parquet"
    pd.DataFrame(rows, columns=["model", "dataset", "instance", "score"]).to_parquet(path)
    result = invoke("analyze", str(table), "--instances", str(path), "--n-refits", "0", "--json")
    content = json.loads(result.stdout)
    assert content["bootstrap"]["two_level"]
    assert "and of instances within datasets" in content["methods"]
    result = invoke("analyze", str(table), "--instances", str(table))
    assert result.exit_code == 1
    assert "share no dataset with the board" in result.stderr


def test_direction_and_datasets(table):
    result = invoke("analyze", str(table), "--direction", "d0=none", "--direction", "d1=min")
    assert "Left out of the ranking" in result.stderr
    assert "Lower is better on d1" in result.stderr
    result = invoke("analyze", str(table), "--datasets", "d[01]", "--json")
    assert json.loads(result.stdout)["n_datasets"] == 2


def test_metadata_tables(table, tmp_path):
    tasks = tmp_path / "tasks.csv"
    tasks.write_text("task,task_type,languages\nd0,STS,eng\nd1,STS,fra\nd2,Retrieval,eng\n")
    result = invoke(
        "analyze", str(table), "--task-metadata", str(tasks), "--language", "fra", "--json"
    )
    assert json.loads(result.stdout)["n_datasets"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-file.csv"], "no-such-file.csv"),
        (["--task-type", "Retreival"], "did you mean 'Retrieval'"),
        (["--language", "english"], "Unknown language 'english'"),
        (["--models", "gpt-9"], "Unknown model 'gpt-9'"),
        (["--tau", "2"], "between 0 and 1"),
        (["--direction", "STS12"], "DATASET=min"),
        (["--direction", "STS99=min"], "Unknown dataset 'STS99'"),
        (["--schemes", "saw"], "Unknown scheme 'saw'"),
        (["--aggregate", "irt-ability"], "Choose another aggregate"),
        (["--confidence-level", "95"], "between 0 and 1"),
        (["--models", "*bge-m3"], "a ranking needs"),
    ],
)
def test_errors_are_one_line_on_stderr(arguments, message):
    result = invoke("analyze", *arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("error: ")
    assert message in last
    assert "Traceback" not in result.stderr


def test_bad_options_are_usage_errors():
    assert invoke("analyze", "--json", "--csv").exit_code == 2
    assert invoke("analyze", "--missing", "zero").exit_code == 2
    assert invoke("analyse").exit_code == 2


def test_schemes_lists_all_fifteen():
    lines = invoke("schemes").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(rr.SCHEMES)


def test_aggregates_lists_all():
    lines = invoke("aggregates").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(rr.AGGREGATES)


def test_version_and_module():
    from importlib.metadata import version

    expected = f"robustrank {version('robustrank')}"
    assert invoke("--version").stdout.strip() == expected
    done = subprocess.run(
        [sys.executable, "-m", "robustrank", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected
