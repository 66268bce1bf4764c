"""How probable things are to a player, exactly; and possible deals, drawn by weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from symkripke.engines import Engine
from symkripke.engines.weighting import bits
from symkripke.language import Atom
from symkripke.model import KnowledgeStructure, Perspective, World
from symkripke.play.game import PublicT, SetupT
from symkripke.play.moment import Moment


@dataclass(frozen=True)
class Odds:
    """How probable things are to a player.

    Attributes:
        player: to whom.
        cells: the probability of each row and column of the note sheet.
        answers: the possible answers to the game's question, each as the atoms that are true, with
            its probability, most probable first; empty if the game asks none.
        entropy: how much is unknown of the answer, in bits; None if the game asks nothing.
        deals: how many deals the player considers possible: no weighting matters here.
    """

    player: str
    cells: Mapping[tuple[str, str], Fraction]
    answers: tuple[tuple[tuple[Atom, ...], Fraction], ...]
    entropy: float | None
    deals: int


def odds(moment: Moment[SetupT, PublicT], player: str, engine: Engine | None = None) -> Odds:
    """How probable everything is to that player, by the weighting of the engine.

    Args:
        moment: when.
        player: to whom.
        engine: who counts; None: the moment's engine.

    Raises:
        UnknownName: there is no such player.
        InputError: the moment is of a record that has only what another player saw.
        BudgetExceeded: there are too many answers, or no room to count.
    """
    counting = engine or moment.engine
    view = moment.perspective(player)
    asked = moment.game.answers(moment.setup)
    # The answers first: what is asked about few fluents is quick, and the rest is built on it.
    answers = answer_odds(view, asked, counting) if asked else ()
    return Odds(
        player,
        cell_odds(moment, player, counting),
        answers,
        bits(share for _, share in answers) if asked else None,
        deals(counting, view),
    )


def cell_odds(
    moment: Moment[SetupT, PublicT], player: str, engine: Engine | None = None
) -> dict[tuple[str, str], Fraction]:
    """The probability of each row and column of the note sheet; raises as `odds` does."""
    cells = moment.layout.cells
    shares = (engine or moment.engine).marginals(moment.perspective(player), cells.values())
    return {place: shares[atom] for place, atom in cells.items()}


def answer_odds(
    view: Perspective, asked: tuple[Atom, ...], engine: Engine
) -> tuple[tuple[tuple[Atom, ...], Fraction], ...]:
    """Which of these atoms can be true together, with its probability; most probable first."""
    found = [
        (tuple(atom for atom in asked if atom in true), share)
        for true, share in engine.distribution(view, asked).items()
    ]
    places = {atom: place for place, atom in enumerate(asked)}
    return tuple(sorted(found, key=lambda one: (-one[1], [places[atom] for atom in one[0]])))


def deals(engine: Engine, state: KnowledgeStructure | Perspective) -> int:
    """How many deals there are, or how many an agent considers possible: an exact integer.

    A deal is a value for each fluent of the first structure, as it is now: where the cards are.
    """
    return engine.worlds(state, deal_fluents(state))


def deal_fluents(state: KnowledgeStructure | Perspective) -> tuple[str, ...]:
    """The names of the fluents that are dealt."""
    structure = state if isinstance(state, KnowledgeStructure) else state.structure
    return tuple(structure.root.vocabulary.fluents)


def sample(
    moment: Moment[SetupT, PublicT],
    player: str,
    number: int,
    seed: int,
    engine: Engine | None = None,
) -> list[World]:
    """So many deals that the player considers possible, drawn by weight, independently.

    The same seed gives the same deals on every machine. Raises as `Engine.sample` and
    `Moment.perspective` do.
    """
    view = moment.perspective(player)
    return (engine or moment.engine).sample(
        view, number, Random(f"{seed}/sample"), deal_fluents(view)
    )
