"""`python -m benchmarks NAME`."""

from __future__ import annotations

from importlib import import_module
from typing import cast

import click

COMMANDS = (
    "advice",
    "counts",
    "engines",
    "families",
    "game",
    "growth",
    "insight",
    "nested",
    "outliers",
    "peers",
    "questions",
    "readme",
    "start",
    "unnoticed",
    "versus-explicit",
    "work",
)
"""Each command is defined in the module of the same name."""


class _Late(click.Group):
    """A group that imports each command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        return cast(click.Command, getattr(import_module(f"benchmarks.{name}"), name))


@click.command(
    cls=_Late, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
def main() -> None:
    """Run a measurement; it checks its answers before it shows a time, and stops at a wrong one."""


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
