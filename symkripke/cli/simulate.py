"""`symkripke simulate`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli import options
from symkripke.cli.commands import argument, command, flag, option, path
from symkripke.cli.styled_lines import write_table
from symkripke.errors import PlayerError, SymkripkeError

if TYPE_CHECKING:
    from symkripke.play.runs.run import Done, RunStopped
    from symkripke.play.runs.statistics import Share
    from symkripke.play.runs.tournament import Plan, Played

# Up to this turn a curve is printed for every turn; after it, for every tenth turn.
_TURNS = 30


@command()
def simulate(
    game_name: str = argument("GAME"),
    games: int = option(
        "--games", "N", "The number of games.", type=click.IntRange(1, 1_000_000), default=100
    ),
    seats: options.Seats = options.SEATS,
    rotate: bool = flag("--rotate", "Rotate the players by one seat from game to game."),
    seed: int = option(
        "--seed", "S", "The random seed.", type=click.IntRange(0, 2**32 - 1), default=0
    ),
    turns: int = option(
        "--turns",
        "N",
        "Abandon a game after this many turns.",
        type=click.IntRange(1, 1_000_000),
        default=1000,
    ),
    workers: int | None = options.WORKERS,
    results_only: bool = flag(
        "--results-only",
        "Do not assess players after every event: much quicker; no event rows, no curve.",
    ),
    worlds: bool = flag(
        "--worlds",
        "Count the deals that each player considers possible, for event rows: much slower.",
    ),
    out: str | None = path("--out", "DIR", "Write the rows and the run to this folder."),
    form: str | None = option(
        "--format",
        None,
        "The format of the rows; by default, csv or the format of the resumed run.",
        type=click.Choice(["csv", "parquet"]),
    ),
    force: bool = flag("--force", "Replace the files of an earlier run in DIR."),
    resume: bool = flag(
        "--resume", "Continue the run in DIR, if there is one: play only the missing games."
    ),
    limits: options.Limits = options.LIMITS,
    as_json: bool = options.JSON,
) -> None:
    r"""Play many seeded games, and count winners, turns and knowledge.

    \b
    symkripke simulate cluedo --rules study --players 2 --minds first-order,higher-order --rotate

    Game g (from 0) of a run with seed S has the seed S * 1000000 + g. `symkripke play GAME --seed`
    with this seed and the players of its row plays it again.

    DIR receives three files, which do not depend on the number of workers:

    \b
    games      one row for each game
    events     one row for each player after each event
    run.json   everything that the run depends on, and whether it is complete

    Ctrl-C and SIGTERM end a run early; the files contain all finished games. A second Ctrl-C does
    not wait for the current game. If a player fails, the run ends early, with exit code 1. If a
    step of a game exceeds --seconds, or a process exceeds --memory, it ends with exit code 3. No
    result depends on the clock.

    During a run, DIR/unfinished.jsonl contains the finished games. The same command with --resume
    continues a run, however it ended. --resume with a larger --games adds games.
    """
    if results_only and worlds:
        raise click.UsageError("--results-only and --worlds cannot be combined")
    if worlds and out is None:
        raise click.UsageError("--worlds adds counts to the event rows: it needs --out DIR")
    if resume and out is None:
        raise click.UsageError("--resume continues the run in a folder: it needs --out DIR")
    if resume and force:
        raise click.UsageError("--resume and --force cannot be combined")
    from symkripke.cli.progress import counting
    from symkripke.play.runs.run import RunStopped, carry_out
    from symkripke.play.runs.tournament import plan

    run = plan(
        game_name,
        seats.setup,
        games=games,
        minds=seats.minds or (),
        rotate=rotate,
        seed=seed,
        turns=turns,
        assess=not results_only,
        worlds=worlds,
        seconds=limits.seconds,
        memory=limits.memory,
    )
    stopped: RunStopped | None = None
    with counting(games) as bar:

        def tell(finished: int, played: Played | None) -> None:
            if bar is not None:
                bar(finished, played is None, "games")

        try:
            done = carry_out(
                run,
                workers=workers,
                folder=out,
                form=form,
                force=force,
                resume=resume,
                tell=tell,
            )
        except RunStopped as error:
            stopped, done = error, error.done
    if as_json:
        options.put_json(_told(run, done), indent=2)
    elif done.summary.games:
        _show(run, done)
    for file in done.files:
        click.echo(f"written to {file}", err=True)
    if stopped is not None:
        raise _with_command(stopped, run, seats.setup)
    if done.interrupted:
        click.echo(f"interrupted: {done.kept(run)}", err=True)
        sys.exit(128 + done.signal)


def _with_command(stopped: RunStopped, run: Plan, setup: dict[str, Any]) -> SymkripkeError:
    """Return the error with the command that replays the game in which a player failed."""
    failed = stopped.__cause__
    if not isinstance(failed, PlayerError):
        return stopped
    minds = run.minds_of(run.number_of(failed.seed))
    command = options.play_command(run.game, setup, minds, failed.seed)
    return SymkripkeError(f"{stopped}\nto play that game again: {command}")


def _told(run: Plan, done: Done) -> dict[str, Any]:
    summary = asdict(done.summary)
    for kind, counted in zip(summary["kinds"], done.summary.kinds, strict=True):
        for share in ("games", "seats", "lost_games", "lost_seats"):
            kind[share]["rate"] = getattr(counted, share).rate
    for seat, sat in zip(summary["seats"], done.summary.seats, strict=True):
        seat["games"]["rate"], seat["lost"]["rate"] = sat.games.rate, sat.lost.rate
        seat["seat"] += 1
    return {
        "game": run.game,
        "rules": run.setup.rules,
        "players": run.setup.players,
        **{name: getattr(run, name) for name in ("minds", "rotate", "seed")},
        "planned": run.games,
        "earlier": done.earlier,
        "interrupted": done.interrupted,
        **summary,
        "seconds": done.seconds,
        "workers": done.workers,
        "files": [str(path) for path in done.files],
    }


# ---- the summary for people --------------------------------------------------------------


def _show(run: Plan, done: Done) -> None:
    from symkripke.play.registry import game

    summary = done.summary
    played = game(run.game)
    minds = f"all {run.minds[0]}" if len(set(run.minds)) == 1 else ", ".join(run.minds)
    click.echo(
        f"{summary.games} game{'' if summary.games == 1 else 's'} of {played.title}, "
        f"{run.setup.rules} rules, {len(run.setup.players)} players, seed {run.seed}: "
        f"{minds}{', rotating' if run.rotate else ''}"
    )
    wins = not played.loser
    said, word = ("Wins", "won") if wins else (f"Players {played.loser}", "lost")
    write_table(
        ("mind", "games", word, "share", "interval", "seat-games", word, "share", "interval"),
        [
            (
                kind.mind,
                *_share(kind.games if wins else kind.lost_games),
                *_share(kind.seats if wins else kind.lost_seats),
            )
            for kind in summary.kinds
        ],
        f"{said} by kind of player, with 95% intervals (Wilson)",
    )
    click.echo(
        "games: games with a player of this kind; seat-games: seats of such players in them."
    )
    if wins and sum(seat.games.hits for seat in summary.seats) > summary.games:
        click.echo("Joint winners all count as winners, so the shares add up to over 100%.")
    write_table(
        ("seat", "games", word, "share", "interval"),
        [
            (f"{seat.seat + 1} {seat.player}", *_share(seat.games if wins else seat.lost))
            for seat in summary.seats
        ],
        f"{said} by seat",
    )
    if summary.length is not None:
        length = summary.length
        click.echo(
            f"\nTurns to the end: mean {length.mean:.2f}, median {length.median:g}, "
            f"90% within {length.most90:g}, longest {length.longest}."
        )
    click.echo(f"Abandoned: {summary.unfinished}. Ended without a winner: {summary.nobody}.")
    if summary.curve:
        _curve(done, f"{played.question} {played.counted}")
    new = summary.games - done.earlier
    if done.earlier:
        click.echo(f"\n{done.earlier} of these games were finished before, {new} are new.")
    if new:
        click.echo(
            f"\n{done.seconds:.1f} s with {done.workers} worker{'s' if done.workers > 1 else ''}: "
            f"{new / done.seconds:.1f} games a second, "
            f"{summary.cpu:.3f} s of processor time a game."
        )


def _curve(done: Done, counted: str) -> None:
    kinds = [kind.mind for kind in done.summary.kinds]
    rows = []
    for point in done.summary.curve:
        if point.turn <= _TURNS or point.turn % 10 == 0:
            means = [point.running.get(mind) for mind in kinds]
            shown = ["" if mean is None else f"{mean:.2f}" for mean in means]
            rows.append((str(point.turn), str(point.games), *shown))
    write_table(
        ("turn", "games", *kinds),
        rows,
        f"After each turn, {counted} (mean of the unfinished games)",
    )


def _share(share: Share) -> tuple[str, str, str, str]:
    rate = "" if share.rate is None else f"{share.rate:.1%}"
    return str(share.of), str(share.hits), rate, f"{share.low:.1%} to {share.high:.1%}"
