"""``python -m robustrank`` is the command line."""

from robustrank.cli import app

app(prog_name="robustrank")
