"""`python -m benchmarks NAME`."""

from __future__ import annotations

from importlib import import_module
from typing import cast

import click

# Where each command is. One that is called imports only what it needs: else all would pay for the
# page, the test runner and numpy.
_COMMANDS = {
    "versus-explicit": "benchmarks.versus_explicit:versus_explicit",
    "questions": "benchmarks.questions:questions",
    "game": "benchmarks.game:game",
    "study": "benchmarks.study:study",
    "studies": "benchmarks.studies:studies_command",
    "growth": "benchmarks.growth:growth",
    "nested": "benchmarks.nested:nested",
    "outliers": "benchmarks.outliers:outliers",
    "insight": "benchmarks.insight:insight",
    "reviews": "benchmarks.reviews:reviews",
    "rivals": "benchmarks.rivals:rivals",
    "families": "benchmarks.families:families",
    "engines": "benchmarks.engines:engines",
    "unnoticed": "benchmarks.unnoticed:unnoticed",
    "peers": "benchmarks.peers:peers",
    "work": "benchmarks.work:work",
    "scale": "benchmarks.scale:scale",
    "advice": "benchmarks.advice:advice",
    "puzzles": "benchmarks.puzzles:puzzles",
    "counts": "benchmarks.counts:counts",
    "perudo-questions": "benchmarks.perudo:questions",
    "perudo-robin": "benchmarks.perudo:robin",
    "sleuth": "benchmarks.sleuth:sleuth",
    "draws": "benchmarks.draws:draws",
    "table": "benchmarks.table:table",
}


class _Late(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name].partition(":")
        return cast(click.Command, getattr(import_module(module), name))


@click.command(
    cls=_Late, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
def main() -> None:
    """Benchmarks. Answers are checked before a time is shown; a wrong one ends it."""


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
