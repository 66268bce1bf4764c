"""`python -m tests.soak NAME`."""

from __future__ import annotations

from importlib import import_module
from typing import cast

import click

from tests.soak.common import Found

NAMES = (
    *("determinism", "events", "fuzz", "kills", "memory", "numbers", "overruns"),
    *("peeking", "perudo-invariants", "planning", "reasons", "secrecy", "slips", "statistics"),
    *("threads", "web-leaks", "web-load", "web-pages", "web-wrong"),
)


class _Late(click.Group):
    """A group that imports each command only when it is called, and prints its result."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in NAMES:
            return None
        name = cmd_name.replace("-", "_")
        return cast(click.Command, getattr(import_module(f"tests.soak.{name}"), name))

    def invoke(self, ctx: click.Context) -> None:
        cast(Found, super().invoke(ctx)).report()


@click.command(
    cls=_Late, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
def main() -> None:
    """Run checks that take minutes. The exit code is 1 if something is wrong."""


if __name__ == "__main__":
    main(prog_name="python -m tests.soak")
