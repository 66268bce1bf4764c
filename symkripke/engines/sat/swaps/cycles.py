"""Cycles: cyclic swaps of any length, stated by clauses.

A swap that leads to a world with ~f shows that somebody does not know f. Where hands are counted by
kind ("two of Plum's are red"), a swap may need three, four or more cards, and there are thousands
of such swaps. Most of them consist of single steps. In a step, card g takes the place p of card h.
The step preserves the law if the law says the same of "g is at p" as of "h is at p": both occur in
the same counts and the same clauses. If cards c_1, ..., c_n pass their places round, each step can
be checked alone. So the swaps need not be listed: it is enough to state which cards can be *set
free*.

Let b be at v. Let variables U mean that a card can be set free by steps that begin with b and that
somebody does not see (neither "g is at p" nor "h is at p" is observed):

    b is at v -> U_b,      U_g & (h is at p) -> U_h,  if the law says the same of g and h at p.

If U_a is true, there is a shortest way from b to a, on which no card occurs twice. If the law says
the same of a and b at v, a can take the place of b. The world after all these steps is a world of
the law, and the agents cannot tell it from the one before. Other cards stay where they were. Now
let f be a clause with the literal "a is not at v", and let its other literals be false and their
cards on no way. Then U_a implies that f is not known. If f has the literal "b is at v" instead, f
is not known if any other card can take the place of b.

The clauses define the U in one direction only: a U may be false even if the card can be set free.
So they exclude no world.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from symkripke.engines.sat.bits import variables_of
from symkripke.engines.sat.swaps.law import Law
from symkripke.language import Atom, Formula, negation
from symkripke.language import formulas as f
from symkripke.language.walk import negation_normal_form

# For formulas with more literals than this, no clauses are made.
_LITERALS = 6


@dataclass(slots=True)
class _FreeCards:
    """Which cards can be set free by steps that begin at a place.

    Attributes:
        free: for each card the variable that says that it can be set free.
        other: a variable that says that some card from another place can go to that place.
    """

    free: dict[str, int]
    other: int


class Cycles:
    """The clauses about cyclic swaps.

    Attributes:
        law: the law.
        kinds: a number for each variable; variables of which the law says the same have the same.
    """

    def __init__(self, law: Law) -> None:
        """For a law that is complete."""
        self.law = law
        said: dict[int, set[object]] = {}
        for name, occurrences in law.occurrences.items():
            own = law.masks[name]
            for counting in occurrences.counting:
                if counting[0] != own:
                    _note(said, counting[0] & own, counting)
            for clause in occurrences.clauses:
                key = clause.positive, clause.negative
                _note(said, clause.positive & own, (key, True))
                _note(said, clause.negative & own, (key, False))
            for other in occurrences.others:
                # The formula may say this of no other variable.
                _note(said, own, (other, name))
        kinds: dict[frozenset[object], int] = {}
        self.kinds = {
            variable: kinds.setdefault(frozenset(said.get(variable, ())), len(kinds))
            for variables in law.fluents.values()
            for variable in variables
        }
        self._free_cards: dict[tuple[object, ...], _FreeCards] = {}

    def clauses(
        self, known: int, fact: Formula, fixed: int, fresh: Callable[[], int]
    ) -> Iterator[list[int]]:
        """Clauses that imply that a fact is not known, because of cyclic swaps.

        The literal `known` says that it is known. The knowers observe the variables `fixed` (bits).
        """
        literals = self._literals(fact)
        for number, literal in enumerate(literals or ()):
            name = self.law.name(abs(literal))
            others = [*literals[:number], *literals[number + 1 :]]
            held = frozenset(self.law.name(abs(other)) for other in others)
            if name in held or not self._moves(name) or fixed >> abs(literal) & 1:
                continue
            # The card comes to that place, or leaves it.
            begin = None if literal < 0 or self._single(literal) else name
            free_cards = yield from self._cards_freed_from(abs(literal), begin, fixed, held, fresh)
            leaves = [-literal, -free_cards.other] if literal > 0 else [-free_cards.free[name]]
            yield [*leaves, *others, -known]

    def _literals(self, formula: Formula) -> list[int]:
        """The literals of a clause over variables of the law; empty for another formula."""
        refuted = negation_normal_form(negation(formula))
        parts = refuted.operands if isinstance(refuted, f.And) else (refuted,)
        found = []
        for part in parts:
            atom = part.operand if isinstance(part, f.Not) else part
            if not isinstance(atom, Atom) or atom.fluent not in self.law.masks:
                return []
            literal = self.law.encoding.atom(atom)
            found.append(literal if isinstance(part, f.Not) else -literal)
        return found if len(found) <= _LITERALS else []

    def _moves(self, name: str) -> bool:
        return len(self.law.fluents[name]) > 1

    def _single(self, variable: int) -> bool:
        """Whether there is never more than one card at the place of this variable."""
        here = self.law.beside(variable)
        counting = self.law.constraints.counting
        return (here, "exactly", 1) in counting or (here, "atmost", 1) in counting

    def _cards_freed_from(
        self,
        variable: int,
        begin: str | None,
        fixed: int,
        held: frozenset[str],
        fresh: Callable[[], int],
    ) -> Generator[list[int], None, _FreeCards]:
        """Clauses for steps that begin at the place of this variable, with the card `begin`.

        If `begin` is None, with any card of which the law says the same there. The variables
        `fixed` (bits) are observed. The fluents `held` keep their values.
        """
        law, kinds = self.law, self.kinds
        name = law.name(variable)
        alike, place = law.alike[name], law.fluents[name].index(variable)
        key = (id(alike), place, kinds[variable], begin, fixed, held)
        free_cards = self._free_cards.get(key)
        if free_cards is not None:
            return free_cards
        cards = [card for card in alike if card in law.masks and card not in held]
        free_cards = self._free_cards[key] = _FreeCards({card: fresh() for card in cards}, fresh())
        slots: dict[tuple[int, int], int] = {}
        for card in cards:
            free = free_cards.free[card]
            for where, variable_there in enumerate(law.fluents[card]):
                if fixed >> variable_there & 1:
                    continue
                slot = slots.get((where, kinds[variable_there]))
                if slot is None:
                    slot = slots[where, kinds[variable_there]] = fresh()
                if card != begin or where != place:
                    yield [-free, slot]
                yield [-slot, -variable_there, free]
            there = law.fluents[card][place]
            if kinds[there] != kinds[variable] or fixed >> there & 1:
                continue
            if begin in (None, card):
                yield [-there, free]
            if begin is None:
                yield [-free, there, free_cards.other]
            elif begin != card:
                yield [-free, free_cards.other]
        return free_cards


def _note(said: dict[int, set[object]], variables: int, what: object) -> None:
    """Note that `what` is said of each of these variables (bits)."""
    for variable in variables_of(variables):
        said.setdefault(variable, set()).add(what)
