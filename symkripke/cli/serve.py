"""`symkripke serve`."""

from __future__ import annotations

from pathlib import Path

import click

from symkripke.errors import InputError


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen; 0.0.0.0 lets other machines in.",
)
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8000, show_default=True, metavar="N"
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where the tables are; without it, with your other data.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.1),
    default=20.0,
    show_default=True,
    metavar="S",
    help="Limit for each step, sheet, question and reason.",
)
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="A reverse proxy on this machine passes requests on: ask for the key.",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
def serve(
    host: str, port: int, data: Path | None, seconds: float, behind_proxy: bool, no_open: bool
) -> None:
    """Open the tables in a browser: watch, sit, ask, look back.

    Every table is a log in the data folder: the other commands can read it, and go on with it.
    Only this machine can reach the server, unless --host says otherwise; then the link that is
    printed has a key.
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
