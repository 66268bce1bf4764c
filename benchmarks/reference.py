"""Independent answers to check against: closed forms, and a solver that shares no code with ours.

This module does not use the package's encodings or engines, only the rules' own record of the setup
and the events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import factorial, prod
from types import TracebackType
from typing import Self

from pysat.card import CardEnc, EncType
from pysat.solvers import Cadical153, Gluecard4

from benchmarks.cluedo import setup_of
from benchmarks.common import check
from symkripke.engines import Mark
from symkripke.language import Atom
from symkripke.model import Perspective
from symkripke.play.dealing import location
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.rules import (
    Happening,
    NoAccusation,
    NoSuggestion,
    Setup,
    Suggestion,
    shown,
)

PUBLISHED_DEALS = {
    3: 5_557_616_064,
    4: 250_092_722_880,
    5: 4_168_212_048_000,
    6: 44_460_928_512_000,
}
"""Deals of the classic 6/6/9 game, by number of players."""


def verify_worlds() -> None:
    """Raise `WrongAnswer` unless the closed form gives the published numbers of deals."""
    for players, deals in PUBLISHED_DEALS.items():
        found = worlds_at_start(setup_of("classic", players))
        check(found == deals, f"{players} players: {found:,} deals, published {deals:,}")


def worlds_at_start(setup: Setup) -> int:
    """Return the number of deals that the rules allow.

    For classic games with n cards in all, a, b and c of each category, and hands of h_1, ..., h_p
    cards:

        a b c (n - 3)! / (h_1! ... h_p!)

    That is the number of solutions, times the ways to deal the other cards into hands of these
    sizes. In the study's games, everybody knows how many cards of each category each player holds,
    so the factors are independent. With n_k cards of category k and h_ik of them held by player i,
    the number is the product over all k of

        n_k (n_k - 1)! / (h_1k! ... h_pk!)
    """
    sizes = [len(cards) for cards in setup.edition.categories]
    hands = setup.hands
    plain = [hand for hand in hands if isinstance(hand, int)]
    if plain:
        return prod(sizes) * factorial(sum(sizes) - 3) // prod(map(factorial, plain))
    worlds = 1
    for kind, size in enumerate(sizes):
        held = [hand[kind] for hand in hands if not isinstance(hand, int)]
        worlds *= factorial(size) // prod(map(factorial, held))
    return worlds


class ReferenceSolver:
    """A solver for what a player of Cluedo knows, over clauses written directly from the rules.

    The law and the public events are clauses, and hand sizes are sequential counters (C. Sinz,
    2005). What a player has seen becomes assumptions, so a single CaDiCaL solver serves all
    players. This is the usual design. Beyond a few hundred cards it takes minutes per question;
    for more, use `large`, which gives hand sizes to Gluecard as native constraints. Use it as a
    context manager.
    """

    def __init__(self, setup: Setup, events: Iterable[Happening], *, large: bool = False) -> None:
        """Add the clauses of a game after these events."""
        self.setup = setup
        self._variables: dict[tuple[str, str], int] = {}
        self._top = 0
        self._large = large
        self._atmosts: list[tuple[list[int], int]] = []
        self.clauses: list[list[int]] = []
        self._deal()
        for event in events:
            self._event(event)
        self.solver = Gluecard4() if large else Cadical153()
        for clause in self.clauses:
            self.solver.add_clause(clause)
        for literals, bound in self._atmosts:
            self.solver.add_atmost(literals, bound)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.solver.delete()

    def variable(self, fluent: str, value: str) -> int:
        """Return the variable of "the fluent has the value"."""
        key = (fluent, value)
        if key not in self._variables:
            self._top += 1
            self._variables[key] = self._top
        return self._variables[key]

    def _exactly(self, literals: Sequence[int], number: int) -> None:
        """Add clauses: exactly `number` of these literals are true."""
        if number == 1:
            self.clauses.append(list(literals))
        if self._large:
            self._atmosts.append((list(literals), number))
            if number > 1:
                rest = len(literals) - number
                self._atmosts.append(([-literal for literal in literals], rest))
            return
        made = (CardEnc.atmost if number == 1 else CardEnc.equals)(
            lits=list(literals), bound=number, top_id=self._top, encoding=EncType.seqcounter
        )
        self._top = max(self._top, made.nv)
        self.clauses.extend(made.clauses)

    def _deal(self) -> None:
        setup = self.setup
        places = (*setup.players, ENVELOPE)
        cards = [location(card.id) for card in setup.edition.cards]
        for card in cards:
            for place in places:
                self.variable(card, place)
        for card in cards:
            self._exactly([self.variable(card, place) for place in places], 1)
        kinds = [[location(card.id) for card in kind] for kind in setup.edition.categories]
        for kind in kinds:
            self._exactly([self.variable(card, ENVELOPE) for card in kind], 1)
        for player, hand in zip(setup.players, setup.hands, strict=True):
            parts = [(cards, hand)] if isinstance(hand, int) else zip(kinds, hand, strict=True)
            for among, number in parts:
                self._exactly([self.variable(card, player) for card in among], number)

    def _event(self, event: Happening) -> None:
        if isinstance(event, NoSuggestion | NoAccusation):
            return
        cards = [location(card) for card in event.cards]
        if not isinstance(event, Suggestion):
            sign = 1 if event.right else -1
            claim = [sign * self.variable(card, ENVELOPE) for card in cards]
            self.clauses.extend([[one] for one in claim] if event.right else [claim])
            return
        for player in event.passes:
            self.clauses.extend([-self.variable(card, player)] for card in cards)
        if event.shower is None:
            return
        seen = [self.variable(shown(event.turn), card) for card in event.cards]
        self._exactly(seen, 1)
        for one, card in zip(seen, cards, strict=True):
            self.clauses.append([-one, self.variable(card, event.shower)])

    def assumptions(self, perspective: Perspective) -> list[int]:
        """Return the player's observation as literals."""
        return [
            variable if truth else -variable
            for observable, truth in perspective.observation
            for variable in [self.variable(observable.atom.fluent, observable.atom.value)]
        ]

    def mark(self, perspective: Perspective, atom: Atom) -> Mark:
        """Return the mark of an atom on the player's sheet."""
        if self.knows(perspective, atom):
            return Mark.YES
        return Mark.NO if self.knows(perspective, atom, False) else Mark.OPEN

    def knows(self, perspective: Perspective, atom: Atom, truth: bool = True) -> bool:
        """Return whether the player knows that `atom` is true (or that it is false)."""
        variable = self.variable(atom.fluent, atom.value)
        refuted = -variable if truth else variable
        return not self.solver.solve([*self.assumptions(perspective), refuted])
