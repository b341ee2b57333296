from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest
from matplotlib import pyplot as plt

import robustrank as rr
from robustrank.errors import InputError
from tests.conftest import analyze
from tests.test_planted import clean

FILES = [
    "report.html",
    "analysis.json",
    "ranking.csv",
    "pairwise.csv",
    "tiers.csv",
    "ranking.md",
    "ranking.tex",
]


@pytest.fixture(scope="module")
def analysis():
    return analyze(clean())


@pytest.fixture(scope="module")
def saved(analysis, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "deep" / "er"
    open_before = plt.get_fignums()
    paths = analysis.save(folder)
    assert plt.get_fignums() == open_before
    return folder, paths


def test_everything_is_written_and_named(analysis, saved):
    folder, paths = saved
    assert [path.relative_to(folder).as_posix() for path in paths[: len(FILES)]] == FILES
    assert {path for path in folder.rglob("*") if path.is_file()} == set(paths)
    drawn = {path.stem for path in paths[len(FILES) :]}
    # The sizes of these models are unknown, and there is only one composition.
    assert drawn == set(analysis.plot.kinds()) - {"pareto", "composition_variance"}
    assert all(path.parent == folder / "figures" for path in paths[len(FILES) :])
    assert all(path.suffix == ".svg" for path in paths[len(FILES) :])


def test_files_hold_what_the_analysis_says(analysis, saved):
    folder, _ = saved
    content = json.loads((folder / "analysis.json").read_text(encoding="utf-8"))
    left_out = content.pop("figures_left_out")
    assert content == json.loads(json.dumps(analysis.to_dict()))
    assert {*left_out} == {"pareto", "composition_variance"}
    for kind, reason in left_out.items():
        with pytest.raises(InputError) as caught:
            analysis.plot(kind)
        assert str(caught.value) == reason
    ranking = pd.read_csv(folder / "ranking.csv", dtype=str)
    assert ranking["mean"].map(float).tolist() == analysis.to_frame()["mean"].tolist()
    for name, text in (
        ("ranking.md", f"{analysis.to_markdown('paper')}\n"),
        ("ranking.tex", analysis.to_latex("paper")),
    ):
        assert (folder / name).read_text(encoding="utf-8") == text
    assert analysis.verdict.headline in (folder / "report.html").read_text(encoding="utf-8")
    assert ">m4<" in (folder / "figures" / "forest.svg").read_text(encoding="utf-8")


def test_figures_of_an_earlier_analysis_do_not_stay(analysis, tmp_path):
    sizes = pd.DataFrame({"n_parameters": range(1, 25)}, index=analysis.matrix.models.index)
    earlier = replace(analysis, matrix=rr.ScoreMatrix(clean(), models=sizes))
    pareto = tmp_path / "figures" / "pareto.svg"
    assert pareto in earlier.save(tmp_path)
    own = tmp_path / "figures" / "mine.svg"
    own.write_text("mine", encoding="utf-8")
    paths = analysis.save(tmp_path)
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == {*paths, own}
    assert not pareto.exists()
    assert own.read_text(encoding="utf-8") == "mine"


def test_what_cannot_be_removed_is_named_with_the_remedy(analysis, tmp_path):
    (tmp_path / "figures" / "pareto.svg").mkdir(parents=True)
    with pytest.raises(InputError, match=r"pareto\.svg.*cannot be removed.*name another folder"):
        analysis.save(tmp_path)


def test_a_file_is_no_folder(analysis, tmp_path):
    path = tmp_path / "taken"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"taken is a file\. Name a folder"):
        analysis.save(path)
    assert path.read_text(encoding="utf-8") == "mine"
