"""`reviews`: ten played games looked back over, two of each game, with the processor time.

What some questions of full-size Cluedo could be expected to tell is checked first: the engine that
counts is asked for the entropy of the solution after each answer, one by one.
"""

from __future__ import annotations

import time
from math import fsum
from pathlib import Path
from typing import Any

import click
import msgspec

from benchmarks.common import check, duration, show
from symkripke.engines import Engine, engine
from symkripke.language import Atom
from symkripke.model import Perspective
from symkripke.play import Record, Table, game
from symkripke.play.positions import Past
from symkripke.play.review import Review, Reviewing
from symkripke.play.review.page import page
from symkripke_games.cluedo.knowledge import envelope_atoms, event
from symkripke_games.cluedo.questions import Survey
from symkripke_games.cluedo.rules import Suggestion, shown

# Each with its rule set, its players and their minds; chosen before anything was looked at.
GAMES: tuple[tuple[str, str, int | None, tuple[str, ...]], ...] = (
    ("cluedo", "classic", 6, ()),
    ("cluedo", "study", None, ("first-order", "first-order", "higher-order", "higher-order")),
    ("sleuth", "classic", 5, ("gain", "study", "lead", "random", "gain")),
    ("sleuth", "study", None, ()),
    ("kwartet", "classic", 4, ("first-order", "second-order", "patient", "random")),
    ("kwartet", "study", None, ("first-order", "first-order", "second-order")),
    ("old_maid", "classic", 4, ()),
    ("old_maid", "study", None, ("logic", "epistemic", "random")),
    ("perudo", "classic", 4, ("believer", "odds", "bluffer", "random")),
    ("perudo", "study", None, ("study", "believer", "odds")),
)


def played(
    name: str, rules: str, players: int | None, minds: tuple[str, ...], seed: int
) -> Record[Any, Any]:
    """The log of such a game."""
    table = Table.of(game(name), minds=minds, seed=seed, rules=rules, players=players)
    for _ in table:
        pass
    return table.record


def verify(record: Record[Any, Any], asked: Engine, questions: int) -> int:
    """What so many questions could be expected to tell; raises `WrongAnswer`."""
    past = Past(record, record.replay(answering=asked))
    atoms = envelope_atoms(record.setup)
    suggestions = [
        (number, outcome.public)
        for number, outcome in enumerate(past.outcomes)
        if isinstance(outcome.public, Suggestion)
    ]
    chosen = suggestions[:: max(1, len(suggestions) // questions)][:questions]
    for number, public in chosen:
        view = past.at(number).view(public.player)
        survey = Survey(asked, view)
        left = []
        for reply in survey.replies(public.cards):
            told = msgspec.structs.replace(public, passes=reply.passes, shower=reply.shower)
            after = view.perspective.structure.update(event(record.setup, told))
            seen = view.perspective.seen
            if reply.card is not None:
                seen = seen | {Atom(shown(public.turn), reply.card)}
            entropy = asked.entropy(Perspective(after, public.player, seen), atoms)
            left.append(reply.probability * entropy)
            found = survey.left(public.cards, reply.shower, reply.card)
            check(abs(found - entropy) < 1e-6, f"turn {public.turn}: {reply}: bits left")
        gain = asked.entropy(view.perspective, atoms) - fsum(left)
        check(abs(gain - survey.gains[public.cards]) < 1e-6, f"turn {public.turn}: bits expected")
    return len(chosen)


def reviewed(record: Record[Any, Any]) -> tuple[float, Review]:
    """Seconds of processor time that a review takes, and the review."""
    start = time.process_time()
    work = Reviewing(record)
    for _ in work:
        pass
    told = work.review()
    return time.process_time() - start, told


@click.command(short_help="Ten played games looked back over.")
@click.option("--seed", type=int, default=7, help="Where the games come from.")
@click.option("--checks", type=click.IntRange(0), default=4, help="Questions to check first.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for the reviews, as text and as HTML.",
)
def reviews(seed: int, checks: int, out: Path | None) -> None:
    """Ten played games, two of each game, looked back over."""
    records = {
        f"{name}, {rules}": played(name, rules, players, minds, seed)
        for name, rules, players, minds in GAMES
    }
    checked = verify(records["cluedo, classic"], engine("auto", "bayes"), checks) if checks else 0
    reviewed(records["cluedo, study"])  # imports and first-time costs of the interpreter
    rows = []
    for title, record in records.items():
        seconds, told = reviewed(record)
        rows.append([title, str(len(told.players)), str(len(told.events)), duration(seconds)])
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            file = title.replace(", ", "-")
            (out / f"{file}.txt").write_text(f"{told}\n", encoding="utf-8")
            (out / f"{file}.html").write_text(page(told), encoding="utf-8")
    show(
        f"Reviews of games with seed {seed}",
        ("game", "players", "events", "processor time"),
        rows,
        [f"{checked} questions of Cluedo checked by counting after each of their answers"],
    )
