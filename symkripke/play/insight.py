"""Who knows of whom whether it knows the answer to the game's question."""

from __future__ import annotations

from collections.abc import Callable

from symkripke.engines import Engine, Mark
from symkripke.errors import Unsupported
from symkripke.language import K, M
from symkripke.model import Scene
from symkripke.play.game import PublicT, SetupT
from symkripke.play.moment import Moment

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
    questions a pair: `M[i] aim`, and `K[i] aim`.

    Args:
        moment: when.
        engine: who answers; None: the moment's engine.
        tell: called after each pair with how many are done, and of how many.

    Raises:
        Unsupported: the game has no question that one can know the answer to.
        BudgetExceeded: the engine may not go on.
    """
    players = moment.setup.players
    aims = {
        player: moment.game.aim_at(moment.setup, player, moment.structure) for player in players
    }
    knowers = players if isinstance(moment.state, Scene) else (moment.state.agent,)
    found: Insight = {}
    for knower in knowers:
        for other, aim in aims.items():
            if aim is None:
                raise Unsupported(
                    f"{moment.game.title} has no question whose answer a player could know"
                )
            if not moment.ask(M(knower, aim), engine=engine):
                mark = Mark.NO
            else:
                mark = Mark.YES if moment.ask(K(knower, aim), engine=engine) else Mark.OPEN
            found[knower, other] = mark
            tell(len(found), len(knowers) * len(players))
    return found
