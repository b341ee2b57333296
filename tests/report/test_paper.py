"""Tables for a paper: what they hold, where the rules go, and names that LaTeX would read."""

from __future__ import annotations

import numpy as np
import pytest

from robustrank.errors import ParameterError
from tests.conftest import analyze, frame
from tests.test_planted import clean

HEAD = ["Rank", "Model", "Mean", "95% interval", "Tier", "P(best)", "Mean rank"]


@pytest.fixture(scope="module")
def board():
    """Three tiers, the first of two models that take turns; a constant step between tiers."""
    turns = np.tile([[0.7, 0.6], [0.6001, 0.7001]], 6)
    steps = np.add.outer([-0.3, -0.4], np.linspace(0.65, 0.7, 12))
    scores = frame(np.vstack([turns, steps]))
    return analyze(scores.rename(index={"m0": "a_b & 50%|c", "m2": "[x]"}))


def rows(markdown: str) -> list[list[str]]:
    lines = markdown.replace("\\|", "¦").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_markdown_for_a_paper(board):
    head, rule, *body = rows(board.to_markdown("paper"))
    assert head == HEAD
    assert rule == [":--", ":--", *["--:"] * 5]
    table = board.to_frame()
    low, high = table.iloc[1][["ci_low", "ci_high"]]
    assert [row[1] for row in body] == ["m1", "a_b & 50%¦c", "[x]", "m3"]
    assert body[0][0] == f"1 [{table['rank_low'].iloc[0]:.0f}, {table['rank_high'].iloc[0]:.0f}]"
    assert body[1][2:5] == ["0.650", f"[{low:.3f}, {high:.3f}]", "1"]
    assert body[2][5:] == ["0.00", f"{table['mean_rank'].iloc[2]:.1f}"]
    assert [row[4] for row in body] == ["1", "1", "2", "3"]


def test_latex_for_a_paper_has_a_rule_between_tiers(board):
    lines = board.to_latex("paper").splitlines()
    assert lines[:3] == [
        r"\begin{tabular}{llrrrrr}",
        r"\toprule",
        r"Rank & Model & Mean & 95\% interval & Tier & P(best) & Mean rank \\",
    ]
    kinds = ["rule" if line == r"\midrule" else "row" for line in lines[3:-2]]
    assert kinds == ["rule", "row", "row", "rule", "row", "rule", "row"]
    assert r" & a\_b \& 50\%|c & 0.650 & [" in lines[5]
    assert lines[7].startswith(r"3 [3, 3] & {[}x] & ")
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]


def test_top_models_only(board):
    for table in ("all", "paper"):
        assert len(board.to_markdown(table, top=2).splitlines()) == 2 + 2
        assert board.to_latex(table, top=2).count(r"\\") == 1 + 2
        assert board.to_markdown(table, top=99) == board.to_markdown(table)
    with pytest.raises(ParameterError, match="top must be"):
        board.to_markdown("paper", top=0)


def test_an_unknown_table_is_named_with_the_known_ones(board):
    for render in (board.to_markdown, board.to_latex):
        with pytest.raises(ParameterError, match="table must be one of 'all', 'paper'; got 'some'"):
            render("some")


def test_what_is_undefined_is_a_dash():
    scores = clean()
    scores.iloc[0, 0] = np.nan
    found = analyze(scores, missing="keep")
    last = rows(found.to_markdown("paper"))[-1]
    assert last[1] == "m0"
    assert [last[0], *last[2:]] == ["–"] * 6
    assert found.to_latex("paper").splitlines()[-3] == r"-- & m0 & -- & -- & -- & -- & -- \\"


def test_without_resampling_there_are_no_tiers_and_no_rules():
    found = analyze(clean()[["d0"]], confidence_level=0.9, aggregate="borda")
    head, _, best, *_ = rows(found.to_markdown("paper"))
    assert head[2:4] == ["borda", "90% interval"]
    assert best[:2] == ["1", "m9"]
    assert found.to_latex("paper").count(r"\midrule") == 1
