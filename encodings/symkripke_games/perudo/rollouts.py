"""How often a player keeps its dice: rounds simulated from the current position.

The dice of the others are drawn at random among the throws that agree with the beliefs drawn from
their bids. Then players that believe bids (`Believer`) finish the round, once for each move that is
compared. All moves get the same dice, so that the comparison is fair. The simulation has its own
seed: the same position gives the same numbers.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement
from math import factorial, prod
from random import Random

from symkripke.engines import Engine
from symkripke.limits import look
from symkripke.play import Outcome
from symkripke_games.perudo.bidding import ACE, Manner, Offer
from symkripke_games.perudo.chances import Bounds
from symkripke_games.perudo.players.basic import PerudoView, Situation
from symkripke_games.perudo.players.believing import Believer
from symkripke_games.perudo.rules import CALZA, Bid, Doubt, Raise, State, moves
from symkripke_games.perudo.throws import Throw

Move = Raise | Doubt

ROUNDS = 60
"""So many rounds are played on after each move."""

_HIGHER = 2
"""How many quantities above the least bid on a face are compared, too."""


@dataclass(frozen=True)
class Weighed:
    """A move, and what came of it.

    Attributes:
        move: the move.
        kept: in how many rounds the player lost no die.
        rounds: of how many.
        called: in how many the move was a bid that was called at once.
    """

    move: Move
    kept: int
    rounds: int
    called: int


def weighed(view: PerudoView, engine: Engine, rounds: int = ROUNDS) -> list[Weighed]:
    """The moves of the player whose turn it is, those first after which it most often keeps a die.

    Of equally good ones calls, then lower bids, come first.

    Raises:
        BudgetExceeded: this takes longer than the limit around it allows.
    """
    situation = Situation.of(view)
    root = _Node(position(view), situation.bids)
    mind = _Opponent(engine, Random())
    chance = Random(f"{view.player}/{len(view.record)}/{rounds}")
    throws = [_thrown(situation, chance) for _ in range(rounds)]
    found = []
    for move in candidates(view, situation):
        kept = called = 0
        for number, throw in enumerate(throws):
            mind.chance.seed(number)
            loser, at_once = _played_on(root, throw, move, mind)
            kept += loser != view.player
            called += at_once
        found.append(Weighed(move, kept, rounds, called))
    found.sort(
        key=lambda tried: (-tried.kept, isinstance(tried.move, Raise), _quantity(tried.move))
    )
    return found


def _quantity(move: Move) -> int:
    return move.quantity if isinstance(move, Raise) else 0


def position(view: PerudoView) -> State:
    """The position as everybody sees it, as if it were the viewer's turn."""
    state = State.first(view.setup, None)
    for public in view.record:
        state = state.follow(Outcome(public, {}))
    return replace(state, mover=view.player)


def candidates(view: PerudoView, situation: Situation) -> list[Move]:
    """The least bid on each face, a few higher ones, and the calls."""
    total = sum(situation.now.dice.values())
    found: list[Move] = []
    for move in moves(view.setup, situation.now, situation.standing, view.player):
        found.append(move)
        if isinstance(move, Raise):
            most = min(total, _expected(situation, move.face) + 1)
            last = most if situation.standing is None else min(most, move.quantity + _HIGHER)
            found += [Raise(bid, move.face) for bid in range(move.quantity + 1, last + 1)]
    return found


def _expected(situation: Situation, face: int) -> int:
    """How many dice count as a face, as far as is to be expected by one's own."""
    unknown = sum(situation.others.values())
    own = situation.manner.counted(situation.own, face)
    return own + round(unknown * situation.manner.share(face))


# ---- dice ----------------------------------------------------------------------------------------


def _thrown(situation: Situation, chance: Random) -> Throw:
    """The dice of all: the player's own, and for the others a throw that fits the beliefs."""
    found = {situation.me: situation.own}
    for player, number in situation.others.items():
        bounds = situation.bounds.get(player, ())
        if bounds:
            trust = min(said.trust for said in situation.believed if said.player == player)
            bounds = bounds if chance.randrange(100) < trust else ()
        found[player] = _drawn(number, situation.manner, bounds, chance)
    return {player: found[player] for player in situation.now.dice}


def _drawn(number: int, manner: Manner, bounds: Bounds, chance: Random) -> tuple[int, ...]:
    hands, sums = _hands(number, manner, bounds)
    return hands[bisect(sums, chance.randrange(sums[-1]))]


@lru_cache(maxsize=1 << 12)
def _hands(
    number: int, manner: Manner, bounds: Bounds
) -> tuple[Sequence[tuple[int, ...]], Sequence[int]]:
    """The throws of so many dice within the bounds; and how many orders they have, summed up."""
    hands = [
        dice
        for dice in combinations_with_replacement(range(ACE, manner.faces + 1), number)
        if all(manner.counted(dice, face) >= least for face, least in bounds)
    ]
    orders = [
        factorial(number) // prod(factorial(dice.count(face)) for face in set(dice))
        for dice in hands
    ]
    return hands, list(accumulate(orders))


# ---- rounds --------------------------------------------------------------------------------------


class _Opponent(Believer):
    """A believer that is asked about a situation, and not about a view."""

    def best(self, situation: Situation, options: Sequence[Move]) -> list[Move]:
        """The moves that this opponent considers equally good."""
        bids = [move for move in options if isinstance(move, Raise)]
        calls = [move for move in options if isinstance(move, Doubt)]
        prospects = self.prospects(situation, bids, calls)
        most = max(prospects.values())
        best = [move for move, share in prospects.items() if share == most]
        return [move for move in best if isinstance(move, Raise)] or best


class _Node:
    """The public state after some bids, shared by all simulated rounds that begin with them."""

    def __init__(self, state: State, bids: tuple[Bid, ...]) -> None:
        """Nothing asked yet."""
        self.state = state
        self._bids = bids
        self._options = moves(state.setup, state.now, _standing(bids), state.mover)
        self._after: dict[Raise, _Node] = {}
        self._best: dict[tuple[int, ...], list[Move]] = {}

    def best(self, mind: _Opponent, dice: tuple[int, ...]) -> list[Move]:
        """The best moves of the player to move, if it holds these dice."""
        found = self._best.get(dice)
        if found is None:
            look()
            state = self.state
            situation = Situation(state.mover, state.now, state.manner, dice, self._bids)
            found = self._best[dice] = mind.best(situation, self._options)
        return found

    def after(self, bid: Raise) -> _Node:
        """What all know after that bid."""
        node = self._after.get(bid)
        if node is None:
            state, outcome = self.state.play(bid)
            assert outcome is not None
            assert isinstance(outcome.public, Bid)
            node = self._after[bid] = _Node(state, (*self._bids, outcome.public))
        return node

    def loser(self, throw: Throw, call: Doubt) -> str | None:
        """Who loses a die by that call; None: nobody."""
        last, caller = self._bids[-1], self.state.mover
        count = sum(self.state.manner.counted(dice, last.face) for dice in throw.values())
        if call.kind == CALZA:
            return None if count == last.quantity else caller
        return last.player if count < last.quantity else caller


def _standing(bids: Sequence[Bid]) -> Offer | None:
    return bids[-1].offer if bids else None


def _played_on(root: _Node, throw: Throw, move: Move, mind: _Opponent) -> tuple[str | None, bool]:
    """Who loses a die if that move is made; and whether it was called at once."""
    node, steps = root, 0
    while isinstance(move, Raise):
        node, steps = node.after(move), steps + 1
        best = node.best(mind, throw[node.state.mover])
        move = best[0] if len(best) == 1 else mind.chance.choice(best)
    return node.loser(throw, move), steps == 1
