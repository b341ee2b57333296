"""Commands of evaluators, which are found by entry point: nothing here imports an evaluator."""

from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer
from typer.core import TyperGroup

GROUP = "robustrank.evaluators"


class WithEvaluators(TyperGroup):
    """A group of commands that also has those of the installed evaluators.

    An evaluator that has commands returns them as a `typer.Typer` from its method
    ``command_line``. It is imported when its command is asked for, or listed.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Name the commands: first the package's own."""
        own = super().list_commands(ctx)
        return [*own, *sorted(name for name in _announced() if name not in own)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None where there is none of that name."""
        own = super().get_command(ctx, cmd_name)
        entry = _announced().get(cmd_name)
        return own if own is not None or entry is None else _load(entry)


def _announced() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _load(entry: EntryPoint) -> Any:
    try:
        evaluator = entry.load()()
        if not hasattr(evaluator, "command_line"):
            return None
        commands = evaluator.command_line()
    except Exception as error:
        typer.echo(f"note: evaluator {entry.name!r} does not load: {error}", err=True)
        return None
    command = typer.main.get_command(commands)
    command.name = entry.name
    return command
