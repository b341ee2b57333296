"""`rank`, `rank_schemes`, compositions and the registry."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from robustrank import ScoreMatrix
from robustrank.errors import ParameterError, UnknownLabelError
from robustrank.mcdm import SCHEMES, Scheme, rank, rank_schemes, resolve_schemes
from robustrank.mcdm.schemes import METHODS, WEIGHTINGS
from tests.conftest import frame, random_scores

TABLE = random_scores(12, 5)


def compositions(*rows):
    members = np.array(rows, dtype=bool)
    return pd.DataFrame(
        members, index=["all", "c1", "c2"][: len(rows)], columns=TABLE.columns[: members.shape[1]]
    )


def test_registry():
    assert list(SCHEMES) == [f"{m}/{w}" for m in METHODS for w in WEIGHTINGS]
    assert len(SCHEMES) == 15
    assert SCHEMES["topsis/critic"] == Scheme("topsis", "critic")
    for name, scheme in SCHEMES.items():
        assert scheme.id == str(scheme) == name
        assert len({s.name for s in SCHEMES.values()}) == 15
        assert scheme.description
        assert "\n" not in scheme.description
        assert scheme.source.count("(") >= 2
    with pytest.raises(TypeError):
        SCHEMES["mine"] = SCHEMES["topsis/critic"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("topsis/critic", ["topsis/critic"]),
        ("TOPSIS/Critic", ["topsis/critic"]),
        (Scheme("wsm", "equal"), ["wsm/equal"]),
        ("topsis/*", ["topsis/equal", "topsis/merec", "topsis/critic"]),
        ("*/critic", [f"{m}/critic" for m in METHODS]),
        (
            ["vikor/equal", "wsm/*", "wsm/equal"],
            ["wsm/equal", "wsm/merec", "wsm/critic", "vikor/equal"],
        ),
        (SCHEMES, list(SCHEMES)),
        (SCHEMES.values(), list(SCHEMES)),
    ],
)
def test_resolve_schemes(asked, found):
    assert [scheme.id for scheme in resolve_schemes(asked)] == found


def test_unknown_schemes_get_a_suggestion():
    with pytest.raises(UnknownLabelError, match="topsis/critic") as error:
        resolve_schemes("topsis/critc")
    assert error.value.labels == ("topsis/critc",)
    with pytest.raises(UnknownLabelError, match="Unknown scheme"):
        rank_schemes(TABLE, schemes=["wsm/equal", "electre/*"])
    with pytest.raises(ParameterError, match="No scheme"):
        resolve_schemes([])


def test_rank_lists_the_best_first():
    table = rank(TABLE, "topsis/critic")
    assert list(table.columns) == ["preference", "rank"]
    assert table.index.name == "model"
    assert table["preference"].is_monotonic_decreasing
    assert table["rank"].tolist() == list(range(1, 13))
    whole = rank_schemes(TABLE)
    np.testing.assert_array_equal(
        table["rank"].sort_index(), whole.ranks["all", "topsis/critic"].sort_index()
    )


def test_rank_keeps_the_order_of_ties():
    table = rank(frame([[0.5], [0.9], [0.5], [0.9]]), "wsm/equal")
    assert table["rank"].to_dict() == {"m1": 1.5, "m3": 1.5, "m0": 3.5, "m2": 3.5}
    assert list(table.index) == ["m1", "m3", "m0", "m2"]


def test_rank_notes_survive_export(tmp_path):
    table = rank(TABLE * 100, "wsm/equal")
    assert [note["code"] for note in table.attrs["notes"]] == ["scale"]
    json.dumps(table.attrs)
    table.to_parquet(tmp_path / "ranks.parquet")


def test_rank_takes_one_scheme_and_its_own_normalizations():
    with pytest.raises(ParameterError, match="rank_schemes"):
        rank(TABLE, "topsis/*")
    with pytest.raises(ParameterError, match="minmax, vector"):
        rank(TABLE, "topsis/equal", normalization="sum")
    with pytest.raises(ParameterError, match="normalises nothing"):
        rank(TABLE, "vikor/equal", normalization="minmax")
    with pytest.raises(ParameterError, match="sum, minmax"):
        rank(TABLE, "wsm/equal", normalization="zscore")
    default = rank(TABLE, "wsm/equal")
    assert rank(TABLE, "wsm/equal", normalization="sum").equals(default)
    assert not rank(TABLE, "wsm/equal", normalization="minmax").equals(default)


@pytest.mark.parametrize("engine", ["numpy", "pymcdm"])
def test_max_normalisation_needs_a_positive_score(engine):
    table = TABLE.assign(below=-TABLE["d0"])
    with pytest.raises(ParameterError, match="below") as error:
        rank(table, "wsm/equal", normalization="max", engine=engine)
    assert error.value.labels == ("below",)


def test_input_is_left_alone_and_a_score_matrix_is_taken():
    before = TABLE.copy()
    matrix = ScoreMatrix(TABLE)
    result = rank_schemes(matrix)
    pd.testing.assert_frame_equal(TABLE, before)
    assert list(result.ranks.index) == list(TABLE.index)
    assert result.ranks.index.name == "model"
    assert result.weights.index.name == "dataset"
    assert result.ranks.columns.names == ["composition", "scheme"]
    assert result.weights.columns.names == ["composition", "weighting"]
    assert repr(result) == "Rankings(12 models, 15 rankings)"


def test_notes_of_the_matrix_are_carried_along():
    codes = [note.code for note in rank_schemes(TABLE * 100).notes]
    assert codes == ["scale"]


def test_lower_is_better_reverses_a_dataset():
    errors = TABLE.assign(d0=1 - TABLE["d0"])
    turned = rank_schemes(ScoreMatrix(errors, direction={"d0": "min"}))
    np.testing.assert_allclose(turned.preferences, rank_schemes(TABLE).preferences, atol=1e-12)


@pytest.mark.parametrize("engine", ["numpy", "pymcdm"])
def test_a_composition_is_ranked_as_its_datasets_alone(engine):
    table = TABLE.assign(d1=TABLE["d1"] - 0.5, d4=0.5)  # one column ≤ 0, one constant
    chosen = compositions([1, 1, 1, 1, 1], [1, 0, 1, 0, 0], [0, 1, 0, 1, 1])
    result = rank_schemes(table, chosen, engine=engine)
    assert result.ranks.shape == (12, 45)
    for name, members in chosen.iterrows():
        alone = rank_schemes(table.loc[:, members.to_numpy()])
        np.testing.assert_allclose(result.preferences[name], alone.preferences["all"], atol=1e-12)
        assert result.ranks[name].equals(alone.ranks["all"])
        np.testing.assert_allclose(
            result.weights[name][members.to_numpy()], alone.weights["all"], atol=1e-12
        )
        assert result.weights[name][~members.to_numpy()].isna().all(axis=None)
        assert result.weights[name].loc["d4"].eq(0).all() or not members["d4"]
    codes = [note.code for note in result.notes]
    assert len(codes) == len(set(codes))


def test_a_dataset_without_a_column_is_in_no_composition():
    chosen = compositions([1, 1, 0])
    result = rank_schemes(TABLE, chosen)
    assert result.weights["all", "equal"].isna().tolist() == [False, False, True, True, True]


def test_notes_name_only_datasets_of_a_composition():
    table = TABLE.assign(d3=TABLE["d3"] - 0.6, d4=0.5)
    assert rank_schemes(table, compositions([1, 1, 1, 0, 0])).notes == ()
    named = {note.code: note.labels for note in rank_schemes(table).notes}
    assert named == {
        "constant-datasets": ("d4",),
        "wsm-minmax": ("d3",),
        "merec-shift": ("d3",),
    }


def test_a_composition_of_constant_datasets_ties_everyone():
    table = TABLE.assign(d0=0.5)
    result = rank_schemes(table, compositions([1, 1, 1, 1, 1], [1, 0, 0, 0, 0]))
    assert (result.ranks["c1"] == 6.5).all(axis=None)
    assert result.weights["c1"].loc["d0"].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.rename(columns={"d0": "dO"}), "Unknown dataset 'dO'"),
        (lambda c: c.astype(int), "True and False"),
        (lambda c: c.iloc[:0], "True and False"),
        (lambda c: pd.concat([c, c]), "'all' occurs twice"),
        (lambda c: c & (c.index != "c1")[:, None], "'c1' holds no dataset"),
    ],
)
def test_bad_compositions(change, message):
    chosen = compositions([1, 1, 1, 1, 1], [1, 0, 1, 0, 0])
    with pytest.raises(ValueError, match=message):
        rank_schemes(TABLE, change(chosen))


def test_some_schemes_equal_all_of_them():
    whole = rank_schemes(TABLE)
    some = rank_schemes(TABLE, schemes=["promethee2-gaussian/critic", "wsm/merec"])
    assert list(some.ranks["all"]) == ["wsm/merec", "promethee2-gaussian/critic"]
    assert list(some.weights["all"]) == ["merec", "critic"]
    for scheme in some.ranks["all"]:
        np.testing.assert_array_equal(
            some.preferences["all", scheme], whole.preferences["all", scheme]
        )


def test_gaussian_through_pymcdm():
    for call in (
        lambda: rank(TABLE, "promethee2-gaussian/merec", engine="pymcdm"),
        lambda: rank_schemes(TABLE, schemes="promethee2-gaussian/*", engine="pymcdm"),
    ):
        with pytest.raises(ParameterError, match="engine='numpy'"):
            call()
    (note,) = rank_schemes(TABLE, engine="pymcdm").notes
    assert note.code == "engine-fallback"
    assert "PROMETHEE II (Gaussian)" in note.message
    assert "VIKOR" not in note.message


def test_unknown_engine():
    with pytest.raises(ParameterError, match="numpy, pymcdm"):
        rank_schemes(TABLE, engine="jax")


def test_pymcdm_and_matplotlib_are_not_imported_until_asked_for():
    code = (
        "import sys, numpy, robustrank.mcdm as m; m.rank_schemes(numpy.eye(3)); "
        "print([n for n in ('pymcdm', 'matplotlib', 'scipy.stats') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"
