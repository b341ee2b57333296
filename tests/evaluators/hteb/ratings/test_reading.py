from __future__ import annotations

import pandas as pd
import pytest

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    FormatError,
    InputError,
    NonNumericError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.ratings import make_survey, read_ratings

from .conftest import HOSTILE, fill


def long(**columns):
    base = {"item": ["i1", "i2"], "rater": ["anna", "anna"], "criterion": "quality"}
    return pd.DataFrame({**base, "rating": [4, 5], **columns})


@pytest.fixture
def filled(run_folder, tmp_path):
    folder = tmp_path / "s"
    survey = make_survey(run_folder, folder, per_transformation=4)
    fill(
        survey,
        folder,
        ["anna", "bo"],
        lambda item, criterion, rater: len(rater) % 5 + (item < "t8"),
    )
    return folder


def test_what_was_filled_in_comes_back_with_the_facts_of_the_key(filled):
    found = read_ratings(filled)
    assert found.notes == ()
    assert len(found.table) == 8 * 4 * 2 * 2
    assert found.criteria == ["quality", "fluency"]
    key = pd.read_csv(filled / "items.csv").set_index("item")
    row = found.table.iloc[17]
    assert row["rating"] == len(row["rater"]) % 5 + (row["item"] < "t8")
    assert row["transformation"] == key.loc[row["item"], "transformation"]
    assert not {"original", "text"} & set(found.table.columns)
    matrix = found.matrix("fluency")
    assert (matrix.shape, set(matrix.columns)) == ((32, 2), {"anna", "bo"})
    with pytest.raises(UnknownLabelError, match="criterion 'clarity'"):
        found.matrix("clarity")
    assert repr(found) == "Ratings(128 ratings of 32 items by 2 raters: quality, fluency)"


def test_files_with_a_key_are_the_same_as_their_folder(filled):
    files = sorted((filled / "ratings").iterdir())
    found = read_ratings(*files, key=filled / "items.csv")
    pd.testing.assert_frame_equal(found.table, read_ratings(filled).table)


def test_hostile_texts_do_not_keep_ratings_from_being_read(tmp_path):
    texts = {"original": HOSTILE, "text": HOSTILE[::-1]}
    table = pd.DataFrame({"transformation": "x", **texts}, dtype=object)
    survey = make_survey(table, tmp_path / "s")
    fill(survey, tmp_path / "s", ['<b>"é, 価'], lambda *_: 3)
    found = read_ratings(tmp_path / "s")
    assert len(found.table) == 2 * len(HOSTILE)
    assert list(found.table["rater"].unique()) == ['<b>"é, 価']


def test_spreadsheets_with_semicolons_are_read(tmp_path):
    (tmp_path / "eva.csv").write_bytes(b"\xef\xbb\xbfitem;quality;fluency\r\ni1;4;5\r\ni2;3;\r\n")
    found = read_ratings(tmp_path / "eva.csv")
    assert found.table[["item", "rater", "criterion", "rating"]].to_numpy().tolist() == [
        ["i1", "eva", "quality", 4],
        ["i2", "eva", "quality", 3],
        ["i1", "eva", "fluency", 5],
    ]
    assert [note.message for note in found.notes] == ["1 rating left empty, by eva (1)."]


def test_a_rater_is_named_once_or_by_the_file(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text("item,rater,quality\ni1,,4\ni2,Eva,3\n")
    assert set(read_ratings(path).table["rater"]) == {"Eva"}
    path.write_text("item,rater,quality\ni1,,4\ni2,,3\n")
    assert set(read_ratings(path).table["rater"]) == {"c"}
    path.write_text("item,rater,quality\ni1,Eva,4\ni2,Ada,3\ni3,,3\n")
    with pytest.raises(FormatError, match=r"by Eva, Ada, but row 3 .* column rater"):
        read_ratings(path)


@pytest.mark.parametrize("cell", [0, 6, 3.5, "good", -1])
def test_ratings_off_the_scale_are_named(cell):
    table = long(rating=pd.Series([4, cell], dtype=object))
    with pytest.raises(NonNumericError, match=r"i2 \(quality, anna\) .* whole number from 1 to 5"):
        read_ratings(table)


def test_similarity_has_a_scale_of_its_own():
    assert read_ratings(long(criterion="similarity", rating=[0, 5])).table["rating"].tolist() == [
        0,
        5,
    ]


def test_copies_count_once_and_contradictions_are_refused():
    again = read_ratings(long(), long())
    assert len(again.table) == 2
    assert [note.message for note in again.notes] == ["2 ratings handed in twice, counted once."]
    with pytest.raises(DuplicateError, match="two different ratings of quality for i1 by anna"):
        read_ratings(long(), long(rating=[3, 5]))


def test_items_of_another_survey_are_refused(filled, tmp_path):
    other = long(item=["t00000000000", "t1"])
    with pytest.raises(
        UnknownLabelError, match=r"item 't00000000000 \(the table\)'.*another survey"
    ):
        read_ratings(other, key=filled / "items.csv")
    key = pd.DataFrame({"item": ["i1", "i1"]})
    with pytest.raises(DuplicateError, match="key has the item 'i1' twice"):
        read_ratings(long(), key=key)


def test_nothing_to_read_is_said(filled, tmp_path, run_folder):
    with pytest.raises(EmptyMatrixError, match="name a folder or files"):
        read_ratings()
    make_survey(run_folder, tmp_path / "new", per_transformation=2)
    with pytest.raises(EmptyMatrixError, match=r"ratings holds no CSV file\. Put what the raters"):
        read_ratings(tmp_path / "new")
    with pytest.raises(
        EmptyMatrixError, match=r"No rating is filled in, in paraphrasing-english.csv"
    ):
        read_ratings(filled / "forms" / "paraphrasing-english.csv")
    with pytest.raises(FormatError, match="no ratings: it needs a column quality, fluency"):
        read_ratings(pd.DataFrame({"item": ["a"], "grade": [1]}))
    with pytest.raises(InputError, match="no file or folder"):
        read_ratings(tmp_path / "nowhere.csv")


def test_files_in_folders_and_with_other_endings_count(tmp_path):
    where = tmp_path / "ratings"
    (where / "Dora").mkdir(parents=True)
    row = "item,quality\ni1,{}\n"
    (where / "UP.CSV").write_text(row.format(3))
    (where / "Dora" / "a.csv").write_text(row.format(4))
    (where / "b.tsv").write_text("item\tquality\ni1\t5\n")
    (where / ".hidden.csv").write_text("not a table")
    (where / "remarks.docx").write_text("")
    found = read_ratings(tmp_path)
    assert found.table.set_index("rater")["rating"].to_dict() == {"UP": 3, "Dora": 4, "b": 5}
    assert [note.message for note in found.notes] == [
        "Not read, since only CSV and TSV files are: remarks.docx."
    ]
    (where / "eve.xlsx").write_text("")
    with pytest.raises(FormatError, match=r"holds eve.xlsx, .* Save it as CSV"):
        read_ratings(tmp_path)


@pytest.mark.parametrize("column", ["rater", "rating", "criterion"])
def test_keys_with_columns_of_answers_are_refused(column):
    key = pd.DataFrame({"item": ["i1", "i2"], column: "x"})
    with pytest.raises(FormatError, match=f"key has a column {column}, which only answers have"):
        read_ratings(long(), key=key)


def test_a_key_may_have_a_column_called_file():
    key = pd.DataFrame({"item": ["i1", "i2"], "file": ["a", "b"]})
    assert read_ratings(long(), key=key).table["file"].tolist() == ["a", "b"]


def test_tables_that_could_be_read_two_ways_are_refused():
    both = pd.DataFrame({"item": ["i1"], "quality": [4], "rating": [3]})
    with pytest.raises(FormatError, match=r"ratings in quality and also a column rating\. Rename"):
        read_ratings(both)
    with pytest.raises(FormatError, match="also a column criterion, rating"):
        read_ratings(both.assign(criterion="fluency"))


def test_rows_are_a_table_and_a_number_is_none():
    rows = [{"item": "i1", "rater": "anna", "quality": 4}]
    assert read_ratings(rows).table["rating"].tolist() == [4]
    with pytest.raises(FormatError, match="a list of rows"):
        read_ratings(5)
    with pytest.raises(NonNumericError, match="whole number from 1 to 5"):
        read_ratings([{"item": "i1", "quality": float("inf")}])
