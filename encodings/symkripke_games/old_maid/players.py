"""Strategies: whom to draw from. Each strategy sees only its view.

The drawn card is random. By classic rules, the giver is the next player with cards, so strategies
matter only if the rules let the drawer choose. `Epistemic` and `Logic` maximise the same value, the
expected number of ranks in common with the giver. They differ in their knowledge.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from symkripke.engines import Engine, Mark
from symkripke.errors import BudgetExceeded, NoAnswerWithin, OutOfMemory
from symkripke.language import TRUE, Atom, negation
from symkripke.model import Constraint, Event, Perspective
from symkripke.play import Assessment, View
from symkripke.play.player import EnginePlayer
from symkripke_games.old_maid.knowledge import counted, hands, holds
from symkripke_games.old_maid.rules import (
    QUEEN,
    Discards,
    DrawFrom,
    Happening,
    Setup,
    drawn_name,
)

if TYPE_CHECKING:
    from symkripke.engines.bdd import BddEngine

OldMaidView = View[Setup, Happening]

# The limits on the number of nodes in diagrams that count hands, or histories of hands. The last
# limit is the greatest for one decision; smaller limits come first, because they suffice for most
# games. (With the last limit alone, `simulate old_maid --players 6 --minds epistemic --set
# choose=yes --games 3` takes 91 s instead of 72 s.)
_HANDS = (1 << 14, 1 << 17, 1 << 21)
_HISTORIES = (1 << 15, 1 << 18)

# The greatest product of the numbers of players and ranks at a small table. The study's table has
# 12, and its diagrams have a few hundred nodes.
_SMALL = 16


class Drawer(EnginePlayer):
    """The base of all players, which choose the giver and leave everything else to chance."""

    def choose(self, view: OldMaidView) -> Any:
        """Return the choice of a giver, or a random choice in other decisions."""
        decision = view.decision
        assert decision is not None
        assert decision.options is not None
        options = decision.options
        if decision.kind == "draw" and len(options) > 1:
            givers = self.givers(view, tuple(option.giver for option in options))
            options = tuple(map(DrawFrom, givers))
        return self.chance.choice(options)

    def givers(self, view: OldMaidView, able: tuple[str, ...]) -> tuple[str, ...]:
        """Return the best givers of those in `able`, which are equally good to this player."""
        return able

    @abstractmethod
    def knowledge(self, view: OldMaidView) -> Perspective:
        """Return the player's knowledge as a perspective on all hands."""

    def assess(self, view: OldMaidView) -> Assessment:
        """Return the number of possible holders of a queen, and the cards with known holders."""
        queens: list[Mark] = []
        located: dict[str, str] = {}
        for atom, mark in self.engine.sheet(self.knowledge(view), _cells(view)):
            if mark is Mark.YES:
                located[atom.fluent] = atom.value
            if atom.fluent in (holds(player, QUEEN).fluent for player in view.setup.players):
                queens.append(mark)
        possible = sum(mark is not Mark.NO for mark in queens)
        return Assessment(possible, located, Mark.OPEN not in queens)


class Counter:
    """An exact counter that keeps its diagrams as small as possible, which makes it faster."""

    def __init__(self, rooms: tuple[int, ...]) -> None:
        """Create a counter.

        Args:
            rooms: the limits on the number of nodes, which the counter tries in this order.
        """
        self.rooms = rooms

    @cached_property
    def _engine(self) -> BddEngine:
        from symkripke.engines.bdd import BddEngine

        return BddEngine(max_nodes=self.rooms[0], weighting="bayes")

    def expected(
        self, known: Perspective, ranks: Sequence[str], players: tuple[str, ...]
    ) -> Mapping[str, Fraction]:
        """Return the expected number of these ranks that each of the players holds.

        Raises:
            BudgetExceeded: no limit on the number of nodes suffices.
        """
        atoms = {player: [holds(player, rank) for rank in ranks] for player in players}
        share = self.shares(known, list(chain.from_iterable(atoms.values())))
        return {p: sum((share[a] for a in atoms[p]), Fraction(0)) for p in players}

    def shares(self, known: Perspective, atoms: Sequence[Atom]) -> Mapping[Atom, Fraction]:
        """Return the probability of each atom; raise the errors of `expected`."""
        while True:
            try:
                return self._engine.marginals(known, atoms)
            except (NoAnswerWithin, OutOfMemory):
                raise  # the time or memory of the whole game is used up, so do not retry
            except BudgetExceeded:
                if len(self.rooms) == 1:
                    raise
                self.rooms = self.rooms[1:]
                del self._engine


_SHARED: WeakKeyDictionary[Engine, dict[tuple[int, ...], Counter]] = WeakKeyDictionary()
"""The counters of players at small tables, by engine."""


def counter_for(setup: Setup, engine: Engine, rooms: tuple[int, ...]) -> Counter:
    """Return the counter for a player with this engine.

    At a small table, all players and games with the same engine share a counter, because most of
    their diagrams are the same. Such a counter never reaches its limit, so no answer depends on
    earlier questions. At a large table, each player has their own counter.
    """
    if len(setup.players) * len(setup.deck) > _SMALL:
        return Counter(rooms)
    return _SHARED.setdefault(engine, {}).setdefault(rooms, Counter(rooms))


class Thinker(Drawer):
    """Draws from a player with whom it expects the most ranks in common, given its knowledge.

    The expected number of common ranks with a player is the sum, over the ranks in its own hand, of
    the probability that this player holds the rank. It is computed exactly, without listing worlds.
    Ties are broken by the larger hand, then at random.
    """

    _hands: Counter | None = None

    def givers(self, view: OldMaidView, able: tuple[str, ...]) -> tuple[str, ...]:
        """Return the players with the most expected common ranks, then the largest hand."""
        sizes = Notes.of(view).sizes
        expected = self.expected(view, able)
        best = max((expected[player], sizes[player]) for player in able)
        return tuple(p for p in able if (expected[p], sizes[p]) == best)

    def expected(self, view: OldMaidView, players: tuple[str, ...]) -> Mapping[str, Fraction]:
        """Return the expected number of ranks in common with each of these players."""
        return self.counts_hands(view, self.knowledge(view), own_ranks(view), players)

    def counts_hands(
        self, view: OldMaidView, known: Perspective, ranks: Sequence[str], players: tuple[str, ...]
    ) -> Mapping[str, Fraction]:
        """Return the expected number of these ranks in each hand, by counting hands."""
        if self._hands is None:
            self._hands = counter_for(view.setup, self.engine, _HANDS)
        return self._hands.expected(known, ranks, players)


class Epistemic(Thinker):
    """Knows all consequences of its observations, including events between other players.

    With many players and long histories of secret draws, counting histories exceeds any diagram.
    The player then counts the hands that agree with its complete knowledge of single cards.
    """

    histories: Counter | None = None
    """The counter of histories."""

    def knowledge(self, view: OldMaidView) -> Perspective:
        """Return the player's perspective, which is complete knowledge."""
        return view.perspective

    def expected(self, view: OldMaidView, players: tuple[str, ...]) -> Mapping[str, Fraction]:
        """Return the expected number of ranks in common with each of these players."""
        return self.holding(view, own_ranks(view), players)

    def holding(
        self, view: OldMaidView, ranks: Sequence[str], players: tuple[str, ...]
    ) -> Mapping[str, Fraction]:
        """Return the expected number of these ranks that each of the players holds."""
        shares = self.shares(view, [holds(player, rank) for player in players for rank in ranks])
        return {
            player: sum((shares[holds(player, rank)] for rank in ranks), Fraction(0))
            for player in players
        }

    def shares(self, view: OldMaidView, atoms: Sequence[Atom]) -> Mapping[Atom, Fraction]:
        """Return the probability of each atom, exactly if a diagram can count the histories."""
        if self.histories is None:
            self.histories = counter_for(view.setup, self.engine, _HISTORIES)
        try:
            return self.histories.shares(view.perspective, atoms)
        except (NoAnswerWithin, OutOfMemory):
            raise
        except BudgetExceeded:
            sheet = self.engine.sheet(view.perspective, _cells(view))
            marks = {atom: mark is Mark.YES for atom, mark in sheet if mark is not Mark.OPEN}
            known = noted(view, Notes.of(view), marks)
            if self._hands is None:
                self._hands = counter_for(view.setup, self.engine, _HANDS)
            return self._hands.shares(known, atoms)


class Logic(Thinker):
    """Knows the rules, its hand, the discards, and the draws that it took part in.

    It notes the number of cards of each player and of each rank in play (see `Notes`). It also
    notes which players do not hold a rank, because they discarded it or gave it away, and which
    players hold a card that they took. It crosses out a note when a draw between others may have
    made it wrong. These notes are sound but incomplete: if a drawer discards nothing, the player
    concludes only that hands have changed.
    """

    def knowledge(self, view: OldMaidView) -> Perspective:
        """Return the notes as a perspective whose law contains nothing else."""
        if not view.record:
            # Before the discards, a player can note only their own cards and public information.
            return view.perspective
        notes = Notes.of(view)
        return noted(view, notes, notes.marks)


class RandomDrawer(Logic):
    """Draws from anybody; keeps the same notes as `logic`, but does not use them."""

    def givers(self, view: OldMaidView, able: tuple[str, ...]) -> tuple[str, ...]:
        """Return all possible givers."""
        return able


@dataclass(frozen=True)
class Notes:
    """The notes of a player that draws conclusions only from the draws that it took part in.

    Attributes:
        sizes: the number of cards that each player holds.
        left: the number of cards of each rank in play.
        marks: for atoms stating that another player holds a rank, whether they are true.
    """

    sizes: Mapping[str, int]
    left: Mapping[str, int]
    marks: Mapping[Atom, bool]

    @classmethod
    def of(cls, view: OldMaidView) -> Notes:
        """Return the notes of the viewer."""
        me, ranks = view.player, tuple(view.setup.deck)
        sizes, left = dict(view.setup.sizes), dict(view.setup.deck)
        marks: dict[Atom, bool] = {}
        mine: dict[str, str] = {atom.fluent: atom.value for atom in view.perspective.seen}
        for public in view.record:
            if isinstance(public, Discards):
                sizes, left = public.leaves(view.setup)
                continue
            giver, drawer = public.giver, public.player
            sizes[giver] -= 1
            sizes[drawer] += 1
            if public.discard is not None:
                sizes[drawer] -= 2
                left[public.discard] -= 2
                marks[holds(giver, public.discard)] = False
                marks[holds(drawer, public.discard)] = False
            elif me in (giver, drawer):
                # If the rank is no secret, everybody knows that only one rank is possible.
                public_ranks = () if public.count is None else public.count.left
                rank = mine.get(drawn_name(public.turn)) or next(iter(public_ranks))
                marks[holds(giver, rank)] = False
                marks[holds(drawer, rank)] = True
            else:
                # The giver may have lost a marked card, and the drawer may hold a new card.
                for player, outdated in ((giver, True), (drawer, False)):
                    for rank in ranks:
                        if marks.get(holds(player, rank)) is outdated:
                            del marks[holds(player, rank)]
        others = {atom: held for atom, held in marks.items() if not _of(me, atom)}
        return cls(sizes, left, others)


def noted(view: OldMaidView, notes: Notes, marks: Mapping[Atom, bool]) -> Perspective:
    """Return a perspective whose law contains these marks, the counts and the viewer's hand."""
    start = hands(view.setup.players, tuple(view.setup.deck))
    law = [Constraint(atom if held else negation(atom), "noted") for atom, held in marks.items()]
    now = start.update(Event("noted", (*law, *counted(notes.sizes, notes.left))))
    own = [holds(view.player, rank) for rank in own_ranks(view)]
    return Perspective.of(now, view.player, own)


def own_ranks(view: OldMaidView) -> tuple[str, ...]:
    """Return the ranks in the viewer's own hand."""
    structure = view.perspective.structure
    held = {rank: structure.resolve(holds(view.player, rank)) for rank in view.setup.deck}
    return tuple(r for r, now in held.items() if now is TRUE or now in view.perspective.seen)


def _cells(view: OldMaidView) -> list[Atom]:
    return [holds(player, rank) for player in view.setup.players for rank in view.setup.deck]


def _of(player: str, atom: Atom) -> bool:
    return atom.fluent.arguments[0] == player
