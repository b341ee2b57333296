from __future__ import annotations

import re

import pandas as pd
import pytest

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.ratings import make_pair_survey, make_survey

from .conftest import HOSTILE, write_texts


def hostile_table():
    rows = [
        {"transformation": name, "original": text, "text": f"{text} {name}", "dataset": text[:12]}
        for name in ["paraphrasing", "<b>my own</b>"]
        for text in HOSTILE
    ]
    return pd.DataFrame(rows, dtype=object)


def small_table():
    rows = [
        {"transformation": "expansion", "original": f"o{i}", "text": f"t{i}", "dataset": name}
        for i, name in enumerate(["news", "mail"] * 4)
    ]
    return pd.DataFrame(rows).assign(source="English")


def test_draws_are_even_over_datasets_and_take_each_original_once(run_folder, tmp_path):
    found = make_survey(run_folder, tmp_path / "s", per_transformation=15)
    assert found.notes == ()
    sizes = found.items.groupby("transformation")["dataset"].value_counts().unstack()
    assert (sizes.sum(axis=1) == 15).all()
    assert (sizes["mail"] == 5).all()
    assert (sizes[["news", "pairs"]] == 5).all(axis=None)
    assert not found.items.duplicated(["transformation", "original"]).any()
    assert found.items["item"].is_unique
    assert found.items["item"].str.fullmatch("t[0-9a-f]{11}").all()


def test_small_datasets_give_all_they_have(run_folder, tmp_path):
    found = make_survey(run_folder, tmp_path / "s", per_transformation=24)
    own = found.items[found.items["transformation"] == "expansion"]["dataset"].value_counts()
    assert own.to_dict() == {"news": 10, "pairs": 8, "mail": 6}
    few = make_survey(run_folder, tmp_path / "t", per_transformation=30)
    assert [note.code for note in few.notes] == ["few-texts"]
    assert len(few.items) == 8 * 26


def test_other_runs_of_an_original_are_no_other_original(run_folder, tmp_path):
    for seed in (7, 8):
        rows = [
            {
                "original": f"mail text {i}",
                "text": f"{seed} {i}",
                "output": "",
                "source": "English",
                "target": None,
            }
            for i in range(6)
        ]
        write_texts(run_folder, "mail", "expansion", rows, seed)
    found = make_survey(run_folder, tmp_path / "s", datasets=["mail"])
    own = found.items[found.items["transformation"] == "expansion"]
    assert sorted(own["original"]) == [f"mail text {i}" for i in range(6)]


def test_the_same_seed_gives_the_same_files_and_another_does_not(run_folder, tmp_path):
    first, again, other = (
        make_survey(run_folder, tmp_path / name, per_transformation=4, seed=seed)
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert [p.read_bytes() for p in first.paths] == [p.read_bytes() for p in again.paths]
    assert set(first.items["item"]) != set(other.items["item"])


def test_forms_are_by_task_and_languages_and_translations_share_theirs(run_folder, tmp_path):
    found = make_survey(run_folder, tmp_path / "s", per_transformation=26, forms="csv")
    names = {path.name for path in (tmp_path / "s" / "forms").glob("*.csv")}
    assert names == {
        *(f"{name}-english.csv" for name in ("paraphrasing", "backtranslation", "style-change")),
        *(f"{name}-english.csv" for name in ("expansion", "summarise", "summarised-expansion")),
        "cross-translation-english-to-german.csv",
        "cross-translation-english-to-arabic.csv",
    }
    shared = found.items[found.items["form"] == "cross-translation-english-to-arabic"]
    assert set(shared["transformation"]) == {"translation", "cross_translation"}
    assert set(shared["target"]) == {"Arabic"}


def test_raters_do_not_see_where_texts_come_from(run_folder, tmp_path):
    found = make_survey(run_folder, tmp_path / "s", per_transformation=3)
    form = pd.read_csv(tmp_path / "s" / "forms" / "expansion-english.csv")
    assert list(form.columns) == ["item", "original", "text", "rater", "quality", "fluency"]
    assert form[["rater", "quality", "fluency"]].isna().all(axis=None)
    key = pd.read_csv(tmp_path / "s" / "items.csv").set_index("item")
    assert (key.loc[form["item"], "text"].to_numpy() == form["text"].to_numpy()).all()
    assert "dataset" in key.columns
    assert len(found.paths) == 1 + 3 * found.items["form"].nunique()


def test_texts_are_text(tmp_path):
    made = make_survey(hostile_table(), tmp_path / "s")
    pages = [path.read_text("utf-8") for path in made.paths if path.suffix == ".html"]
    assert len(pages) == 2
    for page in pages:
        assert page.count("<script>") == 1
        assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &#34;quotes&#34;" in page
        assert re.search(r"<p class=\"text\" dir=\"auto\">two\nlines, and a comma", page)
        assert "half a pair: ?" in page
    assert any("&lt;b&gt;my own&lt;/b&gt;" in page for page in pages)
    assert sorted(path.stem for path in made.paths if path.suffix == ".csv") == [
        "b-my-own-b",
        "items",
        "paraphrasing",
    ]
    raw = (tmp_path / "s" / "forms" / "paraphrasing.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    table = pd.read_csv(tmp_path / "s" / "forms" / "paraphrasing.csv")
    assert '\'=HYPERLINK("http://example.org")' in set(table["original"])
    assert {"two\nlines, and a comma; a semicolon\tand a tab", "مرحبا بالعالم"} < set(
        table["original"]
    )


def test_pages_run_their_own_script_and_ask_for_nothing(run_folder, tmp_path):
    made = make_survey(run_folder, tmp_path / "s", per_transformation=2)
    for page in (path.read_text("utf-8") for path in made.paths if path.suffix == ".html"):
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1]
        assert policy.startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
        assert not re.search(r"(src|href)=\"(?!#)", page)


def test_failed_and_blank_texts_are_not_drawn(tmp_path):
    table = pd.DataFrame(
        {
            "transformation": "expansion",
            "original": ["a", "b", "c", " "],
            "text": ["A", None, " ", "d"],
        }
    )
    made = make_survey(table, tmp_path / "s")
    assert list(made.items["original"]) == ["a"]
    assert made.notes[0].message == "3 failed texts cannot be drawn."
    with pytest.raises(EmptyMatrixError, match="all transformations failed"):
        make_survey(table.iloc[1:], tmp_path / "t")


def test_tables_come_with_what_to_do(tmp_path):
    make_survey(small_table(), tmp_path / "s", per_transformation=3, forms="csv")
    said = (tmp_path / "s" / "forms" / "expansion-english.txt").read_bytes().decode("utf-8-sig")
    assert said.startswith("Expansion, English\r\n\r\nThe new text should be longer")
    assert "Column quality: How well was the task carried out" in said
    assert "1 = very bad, 2 = bad, 3 = acceptable, 4 = good, 5 = very good." in said
    assert "expansion-english.csv" in said


def test_transformations_with_one_title_have_forms_of_their_own(tmp_path):
    table = pd.DataFrame(
        {"transformation": ["style_change", "style change"], "original": "a", "text": "b"}
    )
    made = make_survey(table, tmp_path / "s", forms="csv")
    forms = made.items.set_index("transformation")["form"]
    assert set(forms) == {"style-change", "style-change-2"}
    said = (tmp_path / "s" / "forms" / f"{forms['style change']}.txt").read_text("utf-8-sig")
    assert "made from the original: style change" in said


def test_texts_of_several_generators_are_not_mixed(tmp_path):
    table = pd.DataFrame(
        {"transformation": "expansion", "original": ["a", "b"], "text": ["c", "d"]}
    )
    both = pd.concat([table.assign(generator=name, text=table["text"] + name) for name in "xy"])
    with pytest.raises(ParameterError, match=r"texts of x, y\. Choose whose are rated"):
        make_survey(both, tmp_path / "s")
    made = make_survey(both, tmp_path / "s", generator="y", forms="csv")
    assert sorted(made.items["text"]) == ["cy", "dy"]
    assert set(made.items["generator"]) == {"y"}
    with pytest.raises(UnknownLabelError, match="Unknown generator 'z': known: x, y"):
        make_survey(both, tmp_path / "t", generator="z")
    with pytest.raises(UnknownLabelError, match="no column generator"):
        make_survey(table, tmp_path / "t", generator="x")
    pairs = both.rename(columns={"original": "original_1", "text": "text_1"})
    pairs = pairs.assign(original_2="e", text_2="f")
    with pytest.raises(ParameterError, match="texts of x, y"):
        make_pair_survey(pairs, tmp_path / "p")
    assert len(make_pair_survey(pairs, tmp_path / "p", generator="x", forms="csv").items) == 4


def test_forms_that_are_there_are_kept(tmp_path):
    folder = tmp_path / "s"
    made = make_survey(small_table(), folder, per_transformation=3, forms="csv")
    later = make_survey(small_table(), folder, per_transformation=3, forms="html")
    assert all(path.is_file() for path in (*made.paths, *later.paths))
    with pytest.raises(DuplicateError, match=r"with other forms, or they were filled in there: "):
        make_survey(small_table(), folder, per_transformation=3, criteria="quality", forms="html")
    form = folder / "forms" / "expansion-english.csv"
    pd.read_csv(form).assign(quality=4).to_csv(form, index=False)
    filled = form.read_bytes()
    with pytest.raises(DuplicateError, match=r"expansion-english\.csv\. Move them away"):
        make_survey(small_table(), folder, per_transformation=3)
    assert form.read_bytes() == filled


def test_one_name_is_a_name_and_none_is_none(tmp_path):
    table = small_table()
    made = make_survey(table, tmp_path / "s", datasets="news", languages="English", forms="csv")
    assert set(made.items["dataset"]) == {"news"}
    both = pd.concat([table, table.assign(transformation="x")])
    both = both.rename(columns={"original": "original_1", "text": "text_1"})
    both = both.assign(original_2="e", text_2="f")
    pairs = make_pair_survey(both, tmp_path / "p", transformations="expansion", forms="csv")
    assert set(pairs.items["transformation"]) == {"expansion"}
    for options in ({"datasets": []}, {"languages": []}, {"forms": []}):
        with pytest.raises(ParameterError, match=f"{next(iter(options))} must name at least one"):
            make_survey(table, tmp_path / "t", **options)
    with pytest.raises(UnknownLabelError, match="kind of form 'None': known: csv, html"):
        make_survey(table, tmp_path / "t", forms=None)
    assert not (tmp_path / "t").exists()


def test_a_folder_keeps_its_survey(tmp_path):
    make_survey(small_table(), tmp_path / "s", per_transformation=3)
    make_survey(small_table(), tmp_path / "s", per_transformation=3)
    with pytest.raises(DuplicateError, match=r"holds another survey.*Choose another folder"):
        make_survey(small_table(), tmp_path / "s", per_transformation=3, seed=1)


def test_wrong_settings_are_named(tmp_path):
    with pytest.raises(
        UnknownLabelError, match="Unknown criterion 'clarity': known: fluency, qual"
    ):
        make_survey(small_table(), tmp_path / "s", criteria=["clarity"])
    with pytest.raises(ParameterError, match="at least one of quality, fluency"):
        make_survey(small_table(), tmp_path / "s", criteria=[])
    with pytest.raises(UnknownLabelError, match="Unknown kind of form 'pdf'"):
        make_survey(small_table(), tmp_path / "s", forms=["pdf"])
    with pytest.raises(UnknownLabelError, match="Unknown dataset 'newz': did you mean 'news'"):
        make_survey(small_table(), tmp_path / "s", datasets=["newz"])
    with pytest.raises(UnknownLabelError, match="language of originals 'Spanish': known: English"):
        make_survey(small_table(), tmp_path / "s", languages=["Spanish"])
    with pytest.raises(ParameterError, match="per_transformation must be a whole number"):
        make_survey(small_table(), tmp_path / "s", per_transformation=0)
    with pytest.raises(UnknownLabelError, match="has no column 'original'"):
        make_survey(pd.DataFrame({"transformation": ["a"], "text": ["b"]}), tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_pairs_come_twice_in_a_form_and_are_the_same_for_all_transformations(run_folder, tmp_path):
    made = make_pair_survey(run_folder, tmp_path / "p", per_transformation=3)
    items = made.items
    assert items["item"].is_unique
    assert (items.groupby(["transformation", "pair"])["version"].nunique() == 2).all()
    assert items["pair"].nunique() == 3
    gold = items.drop_duplicates("pair").set_index("pair")["gold"]
    original = items[items["version"] == "original"]
    for _, row in original.iterrows():
        i = int(row["text_1"].rsplit(" ", 1)[1])
        assert row["text_2"] == f"pairs text {i + 4}"
        assert gold[row["pair"]] == [0.0, 2.5, 4.0, 5.0][i]
    changed = items[items["version"] == "transformed"]
    assert all(
        row["text_1"] == f"{row['transformation']} of pairs text {row['text_1'][-1]}"
        for _, row in changed.iterrows()
    )
    form = items.set_index("transformation")["form"]["expansion"].iloc[0]
    assert re.fullmatch("pairs-english(-[2-8])?", form)
    page = (tmp_path / "p" / "forms" / f"{form}.html").read_text("utf-8")
    assert "expansion" not in re.sub(r'<p class="text".*?</p>', "", page)
    assert len(re.findall("<section", page)) == 6


def test_pairs_of_a_table(tmp_path):
    table = pd.DataFrame(
        {
            "transformation": ["x", "x", "y"],
            "original_1": ["a", "b", "a"],
            "original_2": ["c", "d", "c"],
            "text_1": ["A", "B", "AA"],
            "text_2": ["C", None, "CC"],
        }
    )
    made = make_pair_survey(table, tmp_path / "p")
    assert len(made.items) == 4
    assert [note.code for note in made.notes] == ["failed-texts", "few-pairs"]
    assert made.items["pair"].nunique() == 1
    with pytest.raises(UnknownLabelError, match="transformation 'z': known: x, y"):
        make_pair_survey(table, tmp_path / "q", transformations=["z"])
    with pytest.raises(UnknownLabelError, match="no column 'text_2'"):
        make_pair_survey(table.drop(columns="text_2"), tmp_path / "q")


def test_a_run_without_pairs_says_so(run_folder, tmp_path):
    (run_folder / "settings.json").write_text(
        '{"generator": null, "identifier": null, "datasets": [{"name": "news", "task_type": "x"}]}'
    )
    with pytest.raises(EmptyMatrixError, match=r"No dataset of .* is of graded similarity"):
        make_pair_survey(run_folder, tmp_path / "p")
