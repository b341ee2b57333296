"""Run the examples in the documentation: ``pycon`` blocks, and ``console`` blocks of robustrank.

python docs/outputs.py            says which outputs differ from what is written
python docs/outputs.py --write    puts the real ones in place
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(r"^```(pycon|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMANDS = ("$ robustrank", "$ head")


def run_pycon(block: str, names: dict[str, Any]) -> str:
    """Return the block with what each of its statements prints."""
    parts = []
    for source in re.findall(r"^>>> .*\n(?:^\.\.\.(?: .*)?\n)*", block, re.MULTILINE):
        code = "".join(line[4:] or "\n" for line in source.splitlines(keepends=True))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                exec(compile(code, "<documentation>", "single"), names)  # noqa: S102
            except Exception as error:  # shown as a session shows it
                kind = f"{type(error).__module__}.{type(error).__name__}"
                print(f"Traceback (most recent call last):\n  ...\n{kind}: {error}")
        parts.append(source + out.getvalue())
    return "".join(parts)


def run_console(block: str) -> str:
    """Return the block with what its commands print; they run in the root of the checkout."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    parts = []
    for command in re.findall(r"^\$ .*\n(?:(?<=\\\n).*\n)*", block, re.MULTILINE):
        done = subprocess.run(  # noqa: S603
            ["bash", "-c", "exec 2>&1\n" + command.removeprefix("$ ")],  # noqa: S607
            cwd=ROOT,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        parts.append(command + done.stdout)
    return "".join(parts)


def refresh(text: str) -> str:
    """Return a page with real outputs; the ``pycon`` blocks of a page share their names."""
    names: dict[str, Any] = {}

    def replaced(match: re.Match[str]) -> str:
        language, block = match.groups()
        if language == "console" and not block.startswith(_COMMANDS):
            return match.group()
        new = run_pycon(block, names) if language == "pycon" else run_console(block)
        lines = "\n".join(line.rstrip() for line in new.rstrip().splitlines())
        return f"```{language}\n{lines}\n```"

    return _BLOCK.sub(replaced, text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, help="all by default")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    pd.set_option("display.width", 110)
    pd.set_option("display.max_columns", 20)
    pages = arguments.pages or [Path("README.md"), *sorted(Path("docs").rglob("*.md"))]
    stale = []
    for page in pages:
        old = page.read_text("utf-8")
        new = refresh(old)
        if new != old:
            stale.append(str(page))
            if arguments.write:
                page.write_text(new, "utf-8")
    if stale and not arguments.write:
        sys.exit(f"Outputs differ from what is written in {', '.join(stale)}; see --write.")


if __name__ == "__main__":
    main()
