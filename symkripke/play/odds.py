"""Exact probabilities for a player, and random deals that the player considers possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from symkripke.engines import Counter, Engine, counter
from symkripke.engines.count.weighting import bits
from symkripke.model import KnowledgeStructure, Perspective, World
from symkripke.play.information import Answer, answer_odds, chances
from symkripke.play.moment import Moment
from symkripke.play.rules import PublicT, SetupT


@dataclass(frozen=True)
class Odds:
    """Probabilities for a player.

    Attributes:
        player: the player.
        cells: the probability of each row and column of the note sheet.
        answers: the possible answers to the game's question, as true formulas with a probability,
            most probable first; empty if the game has no question.
        entropy: the entropy of the answer in bits; None if the game has no question.
        deals: the number of deals that the player considers possible, without weighting.
    """

    player: str
    cells: Mapping[tuple[str, str], Fraction]
    answers: tuple[Answer, ...]
    entropy: float | None
    deals: int


def odds(moment: Moment[SetupT, PublicT], player: str, engine: Engine | None = None) -> Odds:
    """Return all probabilities for a player, with the weighting of the engine.

    Args:
        moment: the moment.
        player: the player.
        engine: the engine that counts; None for the moment's engine.

    Raises:
        UnknownName: there is no such player.
        InputError: the moment belongs to a record of another player's observations.
        BudgetExceeded: there are too many answers, or counting needs too much memory.
        Unsupported: the engine does not count.
    """
    view = moment.perspective(player)
    counting = counter(engine or moment.engine)
    asked = moment.game.answers(moment.setup, moment.structure, player)
    # Answers come first, because counts over few fluents are quick and other counts reuse them.
    answers = answer_odds(view, asked, counting) if asked else ()
    return Odds(
        player,
        cell_odds(moment, player, counting),
        answers,
        bits(share for _, share in answers) if asked else None,
        deals(counting, view),
    )


def cell_odds(
    moment: Moment[SetupT, PublicT], player: str, engine: Counter | None = None
) -> dict[tuple[str, str], Fraction]:
    """Return the probability of each cell of the note sheet. Raise the errors of `odds`."""
    cells = moment.layout.cells
    shares = chances(moment.perspective(player), cells.values(), engine or moment.engine)
    return {place: shares[cell] for place, cell in cells.items()}


def deals(engine: Counter, state: KnowledgeStructure | Perspective) -> int:
    """Return the exact number of deals, or of the deals that an agent considers possible.

    A deal consists of the current values of the fluents of the first structure, such as the
    locations of cards.
    """
    return engine.worlds(state, deal_fluents(state))


def deal_fluents(state: KnowledgeStructure | Perspective) -> tuple[str, ...]:
    """Return the names of the fluents of the deal."""
    structure = state if isinstance(state, KnowledgeStructure) else state.structure
    return tuple(structure.root.vocabulary.fluents)


def sample(
    moment: Moment[SetupT, PublicT],
    player: str,
    number: int,
    seed: int,
    engine: Engine | None = None,
) -> list[World]:
    """Return `number` independent random deals that the player considers possible, by weight.

    The same seed gives the same deals on every machine. Raise the errors of `Counter.sample` and
    `Moment.perspective`.
    """
    view = moment.perspective(player)
    return (engine or moment.engine).sample(
        view, number, Random(f"{seed}/sample"), deal_fluents(view)
    )
