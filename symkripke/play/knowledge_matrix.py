"""The players' knowledge of each other's knowledge of the answer."""

from __future__ import annotations

from collections.abc import Callable, Collection

from symkripke.engines import Engine, Mark
from symkripke.errors import Unsupported
from symkripke.language import Formula, M, negation
from symkripke.model import EpistemicState, Scene
from symkripke.play.moment import Moment
from symkripke.play.rules import PublicT, SetupT

Insight = dict[tuple[str, str], Mark]
"""The mark for each pair of players (i, j): whether i knows if j knows the answer.

YES means that i knows that j knows it. NO means that i knows that j does not know it. OPEN means
that i does not know either. The mark of a pair (i, i) is never OPEN.
"""


def insight(
    moment: Moment[SetupT, PublicT],
    engine: Engine | None = None,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Insight:
    """Return, for each pair of players, whether the first knows if the second knows the answer.

    For a record of one seat, return only the pairs whose first player has that seat. The engine
    answers at most two questions about each player j: which players consider it possible that j
    knows the answer, and which consider it possible that j does not.

    Args:
        moment: the moment.
        engine: the engine that answers; None for the moment's engine.
        tell: a function called after each pair with the numbers of finished pairs and of all pairs.

    Raises:
        Unsupported: the game has no question.
        BudgetExceeded: the budget of the engine ran out.
    """
    players = moment.setup.players
    knowing = {
        player: moment.game.knows_answer(moment.setup, moment.structure, player)
        for player in players
    }
    state, asked = moment.state, engine or moment.engine
    knowers = players if isinstance(state, Scene) else (state.agent,)
    marks: Insight = {}
    for other, knows in knowing.items():
        if knows is None:
            title, ask = moment.game.title, f"symkripke games {moment.game.name}"
            raise Unsupported(
                f"{title} has no hidden answer that its players look for; ask formulas instead "
                f"(`{ask}` has examples)"
            )
        might = _allowing(asked, state, knows, knowers)
        might_not = _allowing(asked, state, negation(knows), might)
        for knower in knowers:
            mark = Mark.OPEN if knower in might_not else Mark.YES
            marks[knower, other] = mark if knower in might else Mark.NO
            tell(len(marks), len(knowers) * len(players))
    return {(knower, other): marks[knower, other] for knower in knowers for other in players}


def _allowing(
    engine: Engine, state: EpistemicState, formula: Formula, agents: Collection[str]
) -> frozenset[str]:
    """Return the agents who consider the formula possible."""
    if isinstance(state, Scene):
        return engine.possible_to(state, formula, agents)
    return frozenset(agent for agent in agents if engine.holds(state, M(agent, formula)))
