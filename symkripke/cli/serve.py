"""`symkripke serve`."""

from __future__ import annotations

from pathlib import Path

import click

from symkripke.cli.commands import command, flag, option
from symkripke.errors import InputError

_FOLDER = click.Path(file_okay=False, path_type=Path)


@command()
def serve(
    host: str = option(
        "--host",
        "ADDRESS",
        "The address to listen on; 0.0.0.0 lets other machines connect.",
        default="127.0.0.1",
    ),
    port: int = option("--port", "N", None, type=click.IntRange(0, 65_535), default=8000),
    data: Path | None = option(
        "--data",
        "FOLDER",
        "The folder of the tables; by default, in your data folder.",
        type=_FOLDER,
    ),
    seconds: float = option(
        "--seconds",
        "S",
        "Time limit for each step, sheet, question and reason.",
        type=click.FloatRange(min=0.1),
        default=20.0,
    ),
    behind_proxy: bool = flag(
        "--behind-proxy",
        "Require the key, because a reverse proxy on this machine forwards requests.",
    ),
    no_open: bool = flag("--no-open", "Do not open a browser."),
) -> None:
    r"""Open the tables in a browser: watch, play, ask, review.

    \b
    symkripke serve

    Each table is a log in the data folder, which the other commands can read and continue. Only
    this machine can reach the server, unless --host allows others; then the printed link contains
    a key.
    """
    try:
        from symkripke.web.server import serve as run
        from symkripke.web.settings import Settings, usual_folder
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("symkripke"):
            raise
        raise InputError(
            f"the page needs the package {error.name}: pip install 'symkripke[web]'"
        ) from error
    folder = usual_folder() if data is None else data
    settings = Settings(folder, host, port, behind_proxy=behind_proxy, seconds=seconds)
    run(settings, click.echo, opens=not no_open)
