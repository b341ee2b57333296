"""Run every benchmark; ``--smoke`` is handed on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARKS = ("mcdm", "analysis")


def main() -> None:
    for name in BENCHMARKS:
        print(f"--- {name}", flush=True)
        script = Path(__file__).with_name(f"{name}.py")
        subprocess.run([sys.executable, script, *sys.argv[1:]], check=True)  # noqa: S603


if __name__ == "__main__":
    main()
