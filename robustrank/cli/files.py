"""What commands write to the path after ``-o``."""

from collections.abc import Callable
from pathlib import Path

import typer

import robustrank as rr
from robustrank.errors import InputError
from robustrank.notes import count


def is_page(path: Path) -> bool:
    """Say whether a path is that of a page; any other is a folder."""
    return path.suffix.lower() in (".html", ".htm")


def check_output(path: Path) -> None:
    """Raise, before work is done for it, for a path that cannot be written or is not meant."""
    if str(path) == "-":
        raise InputError(
            "A report does not go to stdout. Name a file ending in .html, or a folder."
        )
    files = [parent for parent in path.parents if parent.is_file()]
    if files:
        raise InputError(f"{files[0]} is a file, not a folder: {path} cannot be in it.", files)
    if is_page(path) and path.is_dir():
        raise InputError(f"{path} is a folder. Name a file there, or another folder.", [path])
    if not is_page(path) and path.is_file():
        raise InputError(f"{path} is a file. Name a folder, or a file ending in .html.", [path])
    # A folder may be called v2.0, but one called report.pdf would surprise.
    if not is_page(path) and path.suffix[1:].isalpha() and not path.exists():
        raise InputError(
            f"Reports are written as .html, not {path.suffix}: name {path.with_suffix('.html')}, "
            "or a folder.",
            [path],
        )


def write_report(
    analysis: rr.Analysis,
    output: Path,
    tell: Callable[[str], None],
    title: str | None = None,
) -> list[Path]:
    """Write the report, with its tables and figures if into a folder; return it first."""
    tell("Writing the report")
    if is_page(output):
        return [analysis.to_html(output, title=title)]
    return analysis.save(output, title=title)


def say_written(paths: list[Path], output: Path) -> None:
    """Say on stderr what was written."""
    what = str(output) if is_page(output) else f"{count(len(paths), 'file')} to {output}"
    typer.echo(f"Wrote {what}.", err=True)
