"""Progress messages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

import click

# The waiting time in seconds after which progress is shown.
_SILENT = 1.0


@contextmanager
def patient(
    what: str, words: Callable[[int, int], str] | None = None
) -> Iterator[Callable[[int, int], None]]:
    """Show the task of the body, and its duration, once it has run for a second.

    Nothing is shown with --plain, or if the standard error is not a terminal. The body can call the
    yielded function with the number of finished parts and the number of all parts. Then the
    remaining time is shown, too. With `words`, a function of two other numbers, its text is shown.
    """
    context = click.get_current_context(silent=True)
    plain = context is not None and context.params.get("plain")
    if plain or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich import progress as shown

    from symkripke.cli.console import console

    progress = shown.Progress(
        shown.SpinnerColumn(),
        shown.TextColumn("{task.description}"),
        shown.BarColumn(),
        shown.TimeElapsedColumn(),
        shown.TimeRemainingColumn(),
        console=console(stderr=True),
        transient=True,
        redirect_stdout=False,  # keep output out of the standard error
    )
    task = progress.add_task(what, total=None)
    timer = Timer(_SILENT, progress.start)
    timer.daemon = True
    timer.start()
    try:
        if words is None:
            yield lambda done, of: progress.update(task, completed=done, total=of)
        else:
            yield lambda one, other: progress.update(task, description=words(one, other))
    finally:
        timer.cancel()
        timer.join()
        progress.stop()


@contextmanager
def counting(games: int) -> Iterator[Callable[[int, bool, str], None] | None]:
    """Show a progress bar over many games; without a terminal, yield None.

    The yielded function takes the number of finished games, whether they all come from an earlier
    run, and the name of the current task.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as shown

    from symkripke.cli.console import console

    with shown.Progress(
        shown.TextColumn("{task.description}"),
        shown.BarColumn(),
        shown.MofNCompleteColumn(),
        shown.TimeRemainingColumn(),
        console=console(stderr=True),
        transient=True,
    ) as progress:
        task = progress.add_task("games", total=games)

        def tell(finished: int, earlier: bool, what: str) -> None:
            # Reset: games of an earlier run must not count in the estimate of the time left.
            change = progress.reset if earlier else progress.update
            change(task, completed=finished, description=what)

        yield tell
