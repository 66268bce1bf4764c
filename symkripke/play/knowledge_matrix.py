"""The players' knowledge of each other's knowledge: of the answer, or of their own things."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from symkripke.engines import Engine, Mark
from symkripke.errors import Unsupported
from symkripke.language import Formula, K, M, negation
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
    state, asked, knowers = moment.state, engine or moment.engine, _knowers(moment)
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


def own_things(
    moment: Moment[SetupT, PublicT], tell: Callable[[int, int], None] = lambda done, of: None
) -> Mapping[str, Mapping[tuple[str, str], Mark]]:
    """Return what players know of their own things, and know that the others know of theirs.

    This is the knowledge about knowledge in a game like Hanabi, whose note sheet describes the
    cards of each player, who does not see them. For a record of one seat, return only the knowledge
    of its player.

    Args:
        moment: the moment of such a game (`Layout.describes`).
        tell: a function called after each player with the numbers of finished and of all players.

    Returns:
        for each player, the marks of `own_things_of`.
    """
    knowers, found = _knowers(moment), {}
    for knower in knowers:
        found[knower] = own_things_of(moment, knower)
        tell(len(found), len(knowers))
    return found


def own_things_of(moment: Moment[SetupT, PublicT], knower: str) -> Mapping[tuple[str, str], Mark]:
    """Return what a player knows of their own things, and knows that the others know of theirs.

    Returns:
        the mark of each row and column of the note sheet. In the column of player j, YES means that
        the knower knows that j knows that the cell is true, NO means that they know that j knows
        that it is false, and OPEN means neither.
    """
    layout, state, marks = moment.layout, moment.state, moment.marks(knower)
    known: dict[tuple[str, str], Mark] = {}
    for (row, column), cell in layout.cells.items():
        known[row, column] = mark = marks[cell]
        # Only what the knower knows can be known to be known.
        if column != knower and mark is not Mark.OPEN:
            fact = cell if mark is Mark.YES else negation(cell)
            if not moment.engine.holds(state, K(knower, K(column, fact))):
                known[row, column] = Mark.OPEN
    return known


def _knowers(moment: Moment[SetupT, PublicT]) -> tuple[str, ...]:
    """Return the players whose knowledge can be computed: all, or the player of a seat."""
    state = moment.state
    return moment.setup.players if isinstance(state, Scene) else (state.agent,)


def _allowing(
    engine: Engine, state: EpistemicState, formula: Formula, agents: Collection[str]
) -> frozenset[str]:
    """Return the agents who consider the formula possible."""
    if isinstance(state, Scene):
        return engine.possible_to(state, formula, agents)
    return frozenset(agent for agent in agents if engine.holds(state, M(agent, formula)))
