"""``python -m robustrank`` is the command line."""

from robustrank.cli import app

if __name__ == "__main__":  # a process that this one spawns imports it too
    app(prog_name="robustrank")
