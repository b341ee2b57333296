from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank._json import json_safe
from robustrank.errors import InputError, ParameterError
from robustrank.grid.export import study_tables, study_to_dict
from tests.conftest import random_scores
from tests.grid.planted import long_table, model_metadata, study, task_metadata

#: Names that break careless tables: separators, markup, control characters, LaTeX arguments.
NASTY = {
    "org/m11": "[a|b]_c&d",
    "org/m10": "<script>alert(1)</script>",
    "org/m09": '*two, "words"$',
    "org/m08": r"c:\%temp",
}
LABELS = {"aaa": "nan", "bbb": "a|b", "Retrieval": "Q&A|<b>", "STS": "*_s"}


def nasty_study(**settings) -> rr.Study:
    """The planted benchmark under nasty names; ``nan`` is the code of Min Nan Chinese."""
    table, tasks, models = long_table(), task_metadata(), model_metadata()
    table["model"] = table["model"].replace(NASTY)
    models["model"] = models["model"].replace(NASTY)
    for frame in (table, tasks):
        frame["task_type"] = frame["task_type"].replace(LABELS)
        frame["languages"] = frame["languages"].replace(LABELS, regex=True)
    return rr.study(table, tasks=tasks, models=models, **settings)


@pytest.fixture(scope="module")
def found() -> rr.Study:
    return study(filters=rr.ModelFilter(open_weights=True, known="n_parameters"))


@pytest.fixture(scope="module")
def saved(found, tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    return folder, found.save(folder, ["csv", "parquet", "latex", "markdown"])


@pytest.fixture(scope="module")
def nasty() -> rr.Study:
    return nasty_study()


def cells_of(table: pd.DataFrame) -> list[list[object]]:
    """The cells of a table, whatever the dtypes: numbers as float, missing as None."""
    rows = table.astype(object).where(table.notna(), None).to_numpy().tolist()
    return [[_plain(cell) for cell in row] for row in rows]


def _plain(cell: object) -> object:
    try:
        return float(cell) if not isinstance(cell, bool) else str(cell)
    except (TypeError, ValueError):
        return cell


def read_csv(path) -> pd.DataFrame:
    return pd.read_csv(path, keep_default_na=False, na_values=[""], dtype=str)


def test_what_is_written_is_what_is_returned(saved):
    folder, paths = saved
    assert {path.name for path in folder.iterdir()} == {path.name for path in paths}
    assert len({*paths}) == len(paths)
    of = {
        suffix: {path.stem for path in paths if path.suffix == suffix}
        for suffix in (".csv", ".parquet", ".tex", ".md", ".json", ".html")
    }
    assert of[".csv"] == of[".parquet"]
    assert of[".tex"] == of[".md"] == {"cells", "languages", "tasks"}
    assert of[".json"] == {"settings"}
    assert of[".html"] == {"report"}


def test_tables_read_back_are_the_same_to_the_last_digit(found, saved):
    folder, _ = saved
    tables = study_tables(found)
    assert {"cells", "standings", "cross_task", "coverage_weighted", "baseline", "notes"} <= {
        *tables
    }
    for name, table in tables.items():
        for read in (read_csv(folder / f"{name}.csv"), pd.read_parquet(folder / f"{name}.parquet")):
            assert list(read.columns) == list(table.columns)
            assert cells_of(read) == cells_of(table), name


def test_csv_is_utf8_with_plain_line_ends(saved):
    for path in saved[1]:
        if path.suffix != ".parquet":
            content = path.read_bytes()
            assert b"\r" not in content
            assert content.decode("utf-8").endswith("\n")
            assert not content.endswith(b"\n\n")


def test_the_same_study_gives_the_same_bytes(found, saved, tmp_path):
    _, paths = saved
    for path in found.save(tmp_path, ("csv", "parquet", "latex", "markdown")):
        assert path.read_bytes() == next(p for p in paths if p.name == path.name).read_bytes()


def test_standings_and_cross_task_are_those_of_the_study(found):
    tables = study_tables(found)
    standings = tables["standings"].set_index(["language", "task_type"])
    ranked = found.cells.index[found.cells["n_models"] > 0]
    assert list(dict.fromkeys(standings.index)) == list(ranked)
    for cell in ranked:
        own = standings.loc[[cell]].set_index("model")
        pd.testing.assert_frame_equal(own, found.standings(*cell), check_names=False)
    long = tables["cross_task"].set_index(["language", "model", "scheme"]).squeeze()
    for language in ("aaa", "bbb"):
        expected = found.cross_task(language)
        mine = long[language].unstack("scheme").loc[expected.index, expected.columns]
        np.testing.assert_allclose(mine, expected)
        assert len(long[language]) == expected.size
    assert "ccc" not in long.index.get_level_values("language")


def test_notes_of_cells_are_told_from_those_of_the_study(found):
    notes = study_tables(found)["notes"]
    whole = notes[notes["language"].isna()]
    assert [note.message for note in found.notes] == list(whole["message"])[: len(found.notes)]
    own = notes[(notes["language"] == "aaa") & (notes["task_type"] == "Retrieval")]
    assert list(own["code"]) == [note.code for note in found.notes_of("aaa", "Retrieval")]
    unscored = notes[notes["code"] == "unscored-datasets"].iloc[0]
    assert json.loads(unscored["labels"]) == ["ghost"]


def test_page_and_settings_are_always_there(found, tmp_path):
    paths = found.save(tmp_path, "markdown")
    assert sorted(path.name for path in paths) == [
        "cells.md",
        "languages.md",
        "report.html",
        "settings.json",
        "tasks.md",
    ]
    content = json.loads((tmp_path / "settings.json").read_text("utf-8"))
    assert content == json_safe(found.settings)
    assert content["filters"] == {"open_weights": True, "known": ["n_parameters"]}
    assert (tmp_path / "report.html").read_text("utf-8") == found.to_html()


def test_latex_is_as_the_papers_print():
    found = study(level="language")
    head, *_ = [line for line in found.to_latex("cells").splitlines() if "ESS" in line]
    assert head == (
        r"Language & Task type & Level & ESS & $n$ & $q$ & $U$ & \#Ranks & TC & "
        r"Most consistent model \\"
    )
    rows = {tuple(line.split(" & ")[:2]): line for line in found.to_latex("cells").splitlines()}
    # Three datasets, two of them copies: ESS = (3/5)/4 + (2/3)/4 + 1/2 = 0.8167, and 2 × 15 ranks.
    best = found.cells.loc[("aaa", "Retrieval")]
    consistency = f"{best['consistency']:.2f} & {best['most_consistent_model']}"
    assert rows["aaa", "Retrieval"] == (
        rf"aaa & Retrieval & $E_{{RS+DS}}$ & 0.82 & 3 & 2 & 2 & 30 & {consistency} \\"
    )
    assert rows["ccc", "Retrieval"] == (
        r"ccc & Retrieval & $E_{0}$ & 0.00 & 0 & 0 & 0 & 0 & -- & -- \\"
    )
    assert "$E_{1}$" in rows["bbb", "STS"]
    assert found.to_latex().splitlines()[2].startswith("Language & Datasets & Evidence & ESS & T")
    assert found.to_latex("cells").startswith("\\begin{tabular}{lllrrrrrrl}\n\\toprule\n")


def test_ess_is_rounded_as_its_paper_does():
    # n = 4, q = 2: 0.825, which binary digits make a little less than that.
    table = pd.concat([long_table(), long_table().query("task == 'twin'").replace("twin", "four")])
    tasks = task_metadata()
    tasks.loc[len(tasks)] = ["four", "Retrieval", "aaa", "test", 1]
    found = rr.study(table, tasks=tasks, languages="aaa", level="language")
    assert found.cells["ess"].iloc[0] == pytest.approx(0.825)
    assert "& 0.83 &" in found.to_latex("cells")
    assert "| 0.83 |" in found.to_markdown("cells")


@pytest.mark.parametrize("table", ["cells", "languages", "tasks"])
def test_names_cannot_break_a_table(nasty, table):
    lines = nasty.to_markdown(table).splitlines()
    assert len(lines) == 2 + len(getattr(nasty, table))
    bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
    assert len(bars) == 1
    assert not re.search(r"(?<!\\)<", "\n".join(lines))

    rows = nasty.to_latex(table).splitlines()
    body = rows[4:-2]
    assert len(body) == len(getattr(nasty, table))
    assert {len(re.findall(r"(?<!\\)&", row)) for row in body} == {bars.pop() - 2}
    for row in body:
        assert row.endswith(r" \\")
        assert not re.match(r"[\[*]", row), "LaTeX would take it as an argument of the row before"
        assert not re.search(r"(?<!\\)[%#]", row)


def test_the_nasty_names_are_all_there(nasty, tmp_path):
    nasty.save(tmp_path)
    assert list(nasty.languages.index) == ["a|b", "ccc", "nan"]
    assert list(read_csv(tmp_path / "languages.csv")["language"]) == ["a|b", "ccc", "nan"]
    assert {*NASTY.values()} <= {*read_csv(tmp_path / "standings.csv")["model"]}
    assert r"Q\&A|<b> &" in nasty.to_latex("tasks")
    assert "| Q&A\\|\\<b> |" in nasty.to_markdown("tasks")


def test_a_field_named_like_a_column_stays_apart(tmp_path):
    fields = {"level": ["p", "q", "q"], "category": ["long", "long", "short"]}
    scores = random_scores(6, 3)
    matrix = rr.ScoreMatrix(scores, pd.DataFrame(fields, index=scores.columns))
    found = rr.study(matrix, by=("level", "category"))
    found.save(tmp_path, ["csv", "parquet"])
    for read in (read_csv(tmp_path / "cells.csv"), pd.read_parquet(tmp_path / "cells.parquet")):
        assert list(read["by_category"]) == ["long", "short"] * 2
        assert list(read["category"]) == list(found.cells["category"])
        assert list(read["by_level"]) == ["p", "p", "q", "q"]
        assert list(read["level"]) == ["E1", "E0", "E1", "E1"]
    assert found.to_markdown("cells").startswith("| Level (field) | Category | Level | ESS |")


def test_dict_is_json_safe_and_complete(found):
    content = json.loads(json.dumps(study_to_dict(found), allow_nan=False))
    assert len(content["cells"]) == len(found.cells)
    assert content["cells"][0]["task_type"] == "Retrieval"
    assert content["cells"][0]["ess"] == found.cells["ess"].iloc[0]
    empty = next(row for row in content["cells"] if row["n_models"] == 0)
    assert empty["most_consistent_model"] is None
    assert empty["w_schemes"] is None
    assert [row["language"] for row in content["languages"]] == list(found.languages.index)
    assert [row["task_type"] for row in content["tasks"]] == list(found.tasks.index)
    assert {row["condition"] for row in content["eligibility"]} == {
        "open_weights",
        "known n_parameters",
    }
    assert content["notes"] == [note.to_dict() for note in found.notes]
    assert content["methods"] == found.methods
    assert content["settings"] == json_safe(found.settings)


def test_unknown_formats_and_tables_are_refused_with_the_known_ones(found, tmp_path):
    with pytest.raises(ParameterError, match=r"'xlsx'; choose among 'csv', 'parquet', 'latex'"):
        found.save(tmp_path / "new", ["csv", "xlsx"])
    assert not (tmp_path / "new").exists()
    for render in (found.to_markdown, found.to_latex):
        with pytest.raises(ParameterError, match="'models'; choose among 'cells', 'languages'"):
            render("models")


def test_a_file_in_the_way_is_named_with_the_remedy(found, tmp_path):
    (tmp_path / "file").write_text("here first")
    with pytest.raises(InputError, match=r"file.*cannot be written.*name another place"):
        found.save(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "here first"
