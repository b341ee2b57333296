"""Axes of transformations: which there are, and what they may be called."""

from __future__ import annotations

import pytest

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.statistics import read_scores
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from tests.evaluators.hteb.statistics.boards import planted, small


def test_axes_of_hteb_and_their_order_whatever_that_of_the_table():
    scores = read_scores(planted(2, 2).iloc[::-1])
    assert scores.axes == AXES
    assert scores.transformations == list(TRANSFORMATIONS)


def test_axes_of_the_table():
    table = small().replace({"transformation": {"paraphrasing": "typos"}})
    axis = {"typos": "Noise", "expansion": "Length", "translation": "Language"}
    scores = read_scores(table.assign(axis=table["transformation"].map(axis)))
    assert scores.axes == {
        "Length": ("expansion",),
        "Language": ("translation",),
        "Noise": ("typos",),
    }


def test_axes_of_the_caller_leave_out_and_say_so():
    scores = read_scores(small(), axes={"mine": ["translation", "absent"], "none": ["gone"]})
    assert scores.axes == {"mine": ("translation",)}
    (note,) = scores.notes
    assert note.code == "left-out-transformations"
    assert note.labels == ("paraphrasing", "expansion")
    assert set(scores.runs["transformation"]) == {"translation"}


def test_a_transformation_on_no_axis():
    table = small().replace({"transformation": {"expansion": "typos"}})
    with pytest.raises(UnknownLabelError) as caught:
        read_scores(table)
    assert "Unknown transformation 'typos': the axes have paraphrasing" in str(caught.value)
    assert "pass axes={'My axis': ['typos']}" in str(caught.value)
    assert caught.value.labels == ("typos",)


def test_a_transformation_on_two_axes():
    with pytest.raises(DuplicateError, match="'expansion' is on two axes; put it on one"):
        read_scores(small(), axes={"one": ["expansion"], "two": ["expansion"]})


@pytest.mark.parametrize("name", ["total", "original", "expansion"])
def test_an_axis_needs_a_name_of_its_own(name):
    with pytest.raises(DuplicateError, match=rf"The axis '{name}' is named like"):
        read_scores(small(), axes={name: ["expansion"]})


def test_an_axis_needs_a_list():
    with pytest.raises(ParameterError, match=r"The axis 'mine' .* as in \['expansion'\]"):
        read_scores(small(), axes={"mine": "expansion"})


def test_axes_without_a_score():
    with pytest.raises(EmptyMatrixError, match=r"on the axes mine; the table has 'paraphrasing'"):
        read_scores(small(), axes={"mine": ["typos"]})


def test_axes_of_scores_that_were_read():
    with pytest.raises(ParameterError, match="Pass axes where the table is read"):
        read_scores(read_scores(small()), axes=AXES)


@pytest.mark.parametrize("name", ["total", "original", "total without Language"])
def test_a_transformation_needs_a_name_of_its_own(name):
    with pytest.raises(DuplicateError, match=rf"The transformation '{name}' is named like a total"):
        read_scores(small(), axes={"mine": [name]})
    with pytest.raises(DuplicateError, match=rf"The axis '{name}' is named like a transformation"):
        read_scores(small(), axes={name: ["expansion"]})


@pytest.mark.parametrize("axes", [["expansion"], {}, 5, "expansion"])
def test_axes_are_a_mapping(axes):
    with pytest.raises(ParameterError) as caught:
        read_scores(small(), axes=axes)
    assert "axes must map at least one axis to its transformations" in str(caught.value)
    assert str(caught.value).endswith(f"got {axes!r}.")


def test_an_axis_of_a_number():
    with pytest.raises(ParameterError, match=r"The axis 'mine' needs a list .* got 5"):
        read_scores(small(), axes={"mine": 5})
