"""Names in what goes to stderr are text, whatever rich would make of them."""

from __future__ import annotations

import pytest
import typer

from robustrank.cli.streams import errors_in_one_line, print_notes, progress
from robustrank.errors import InputError
from robustrank.notes import Note

NAME = "a:x:b [red]c[/red] :smile:"


def test_notes(capsys):
    print_notes([Note("odd", f"Left out: {NAME}.")])
    assert capsys.readouterr().err == f"note: Left out: {NAME}.\n"


def test_errors(capsys):
    with pytest.raises(typer.Exit), errors_in_one_line():
        raise InputError(f"Unknown model {NAME}.")
    assert capsys.readouterr().err == f"error: Unknown model {NAME}.\n"


@pytest.mark.parametrize("terminal", [False, True])
def test_progress(capsys, monkeypatch, terminal):
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm")
    with progress(quiet=False) as announce:
        announce(f"Scoring {NAME}")
    assert f"Scoring {NAME} …" in capsys.readouterr().err
