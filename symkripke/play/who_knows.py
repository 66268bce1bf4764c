"""Who knows of whom whether it knows the answer to the game's question."""

from __future__ import annotations

from collections.abc import Callable, Collection

from symkripke.engines import Engine, Mark
from symkripke.errors import Unsupported
from symkripke.language import Formula, M, negation
from symkripke.model import Scene, State
from symkripke.play.moment import Moment
from symkripke.play.rules import PublicT, SetupT

Insight = dict[tuple[str, str], Mark]
"""For a player i and a player j, what i can know of whether j knows the answer.

YES: i knows that j does; NO: i knows that j does not; OPEN: i does not know. What i knows of itself
is never open.
"""


def insight(
    moment: Moment[SetupT, PublicT],
    engine: Engine | None = None,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Insight:
    """What each player can know of whether each knows the answer to the game's question.

    Where only one player's record is known, only what that player can know. Asks at most two
    questions about a player, for all who may know of it: who considers possible that it knows, and
    who that it does not.

    Args:
        moment: when.
        engine: who answers; None: the moment's engine.
        tell: called after each pair with how many are done, and of how many.

    Raises:
        Unsupported: the game has no question that one can know the answer to.
        BudgetExceeded: the engine may not go on.
    """
    players = moment.setup.players
    knowing = {
        player: moment.game.knows_answer(moment.setup, moment.structure, player)
        for player in players
    }
    state, asked = moment.state, engine or moment.engine
    knowers = players if isinstance(state, Scene) else (state.agent,)
    found: Insight = {}
    for other, knows in knowing.items():
        if knows is None:
            raise Unsupported(
                f"{moment.game.title} has no question whose answer a player could know"
            )
        might = _allowing(asked, state, knows, knowers)
        might_not = _allowing(asked, state, negation(knows), might)
        for knower in knowers:
            mark = Mark.OPEN if knower in might_not else Mark.YES
            found[knower, other] = mark if knower in might else Mark.NO
            tell(len(found), len(knowers) * len(players))
    return {(knower, other): found[knower, other] for knower in knowers for other in players}


def _allowing(
    engine: Engine, state: State, formula: Formula, agents: Collection[str]
) -> frozenset[str]:
    """Which of the agents consider the formula possible."""
    if isinstance(state, Scene):
        return engine.possible_to(state, formula, agents)
    return frozenset(agent for agent in agents if engine.holds(state, M(agent, formula)))
