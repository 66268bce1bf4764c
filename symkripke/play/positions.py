"""Positions of a recorded game: what the rules and a player see at a moment, and good moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symkripke.engines import Engine
from symkripke.errors import InputError
from symkripke.play.moment import Moment
from symkripke.play.player import Advice, View
from symkripke.play.record import Record
from symkripke.play.rules import Outcome, PublicT, SetupT, State


def suggest(
    record: Record[SetupT, PublicT],
    moment: Moment[SetupT, PublicT],
    player: str,
    number: int,
    engine: Engine | None = None,
    **options: Any,
) -> Sequence[Advice]:
    """The best moves for that player, at most so many, best first.

    Args:
        record: what was played.
        moment: a moment of it.
        player: to whom.
        number: how many at most.
        engine: who answers; None: the moment's engine.
        options: values for the game's `advice_options`; texts are read.

    Raises:
        Unsupported: the game has no advice.
        UnknownName: there is no such player, or no such option.
        InputError: nobody knows what that player has seen, or `number` is less than 1.
    """
    if number < 1:
        raise InputError(f"expected a number of moves from 1, got {number}")
    view = view_at(record, moment, player)
    return moment.game.advise(view, engine or moment.engine, number, **options)[:number]


def state_at(
    record: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT]
) -> tuple[State[PublicT], list[Outcome[PublicT]]]:
    """The position at that moment, as the rules see it, and what has happened, completed."""
    outcomes = []
    state = moment.game.start(moment.setup, record.truth)
    for outcome in record.outcomes[: moment.events]:
        outcomes.append(moment.game.completed(state, outcome))
        state = state.follow(outcome)
    return state, outcomes


def view_at(
    record: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT], player: str
) -> View[SetupT, PublicT]:
    """All that the player had at that moment, and what it must decide, if it is its turn."""
    state, outcomes = state_at(record, moment)
    decision = state.decision
    return View(
        moment.setup,
        moment.perspective(player),
        tuple(outcome.public for outcome in outcomes),
        decision if decision is not None and decision.player == player else None,
    )
