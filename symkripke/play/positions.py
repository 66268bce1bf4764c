"""Positions of a recorded game: the state of the rules, a player's view, and good moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symkripke.engines import Engine
from symkripke.engines import engine as find_engine
from symkripke.errors import InputError, Unsupported
from symkripke.play.game import Game
from symkripke.play.moment import Moment
from symkripke.play.options import chosen
from symkripke.play.player import WEIGHTING, Advice, View
from symkripke.play.rules import Outcome, PublicT, SetupT, State
from symkripke.play.session.record import Record


def suggest(
    record: Record[SetupT, PublicT],
    moment: Moment[SetupT, PublicT],
    player: str,
    number: int,
    engine: Engine | None = None,
    **options: Any,
) -> Sequence[Advice]:
    """The best moves for that player, at most so many, best first; none after the end of the game.

    Args:
        record: the game.
        moment: a moment of it.
        player: the player.
        number: the most moves to return.
        engine: the engine that answers; None for one that weighs worlds as reviews do
            (`WEIGHTING`).
        options: values for the game's `Advisor.options`; texts are read.

    Raises:
        Unsupported: the game has no advice.
        UnknownName: there is no such player, or no such option.
        InputError: the record does not have that player's observations, or `number` is below 1.
    """
    if number < 1:
        raise InputError(f"expected a number of moves from 1, got {number}")
    state, outcomes = state_at(record, moment)
    if state.result is not None:
        return ()
    view = _view(moment, player, state, outcomes)
    asked = adviser() if engine is None else engine
    return advised(moment.game, view, asked, number, options)


def adviser() -> Engine:
    """Return a new engine for advice, which weighs worlds as reviews do."""
    return find_engine("auto", WEIGHTING)


def state_at(
    record: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT]
) -> tuple[State[PublicT], list[Outcome[PublicT]]]:
    """The state of the rules at that moment, and the completed events before it."""
    outcomes = []
    state = moment.game.start(moment.setup, record.truth)
    for outcome in record.outcomes[: moment.events]:
        outcomes.append(moment.game.completed(state, outcome))
        state = state.follow(outcome)
    return state, outcomes


def view_at(
    record: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT], player: str
) -> View[SetupT, PublicT]:
    """The player's view at that moment, with its decision if it is its turn."""
    return _view(moment, player, *state_at(record, moment))


def _view(
    moment: Moment[SetupT, PublicT],
    player: str,
    state: State[PublicT],
    outcomes: Sequence[Outcome[PublicT]],
) -> View[SetupT, PublicT]:
    decision = state.decision
    return View(
        moment.setup,
        moment.perspective(player),
        tuple(outcome.public for outcome in outcomes),
        decision if decision is not None and decision.player == player else None,
    )


def advised(
    game: Game[SetupT, PublicT],
    view: View[SetupT, PublicT],
    engine: Engine,
    number: int,
    options: Mapping[str, Any],
) -> Sequence[Advice]:
    """The moves that are best for the viewer, at most so many; see `Advisor.advise`.

    Raises:
        Unsupported: the game has no advice, or the engine cannot count.
        InputError: there is no such option, or it does not have that value.
    """
    advisor = game.advisor
    if advisor is None:
        raise Unsupported(f"{game.title} has no advice")
    read = chosen(game.title, advisor.options, options)
    return advisor.advise(view, engine, number, **read)[:number]
