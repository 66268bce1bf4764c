"""Cycles: swaps of any length as clauses, where cards pass their places round.

That somebody does not know f is shown by a swap that leads to a world with ~f. Where hands are
counted by kind ("two of Plum's are red") it may need three, four or more cards, and there are
thousands of such swaps. But most of them are made of single steps. Let g take the place p of h.
Everything that the law says is true as before if it says the same of "g is at p" as of "h is at p":
the same things are counted, and the same clauses have them as literals. So for cards c_1, ..., c_n
that pass their places round, each step can be looked at alone, and the swaps need not be listed:
it is enough to say which cards can be *set free*.

Let b be at v, and let variables U mean that a card can be set free by steps that begin with b, and
that somebody does not see (neither "g is at p" nor "h is at p" is observed):

    b is at v -> U_b,      U_g & (h is at p) -> U_h,  if the law says the same of g and h at p.

Where U_a is true, there is a shortest way from b to a, and no card is on it twice; if the law says
the same of a and b at v, a can take the place of b, and the world after all these steps is one of
the law, which the agents cannot tell from the one before. What these cards are not part of is as
before. Hence, if f is a clause with the literal "a is not at v", and its other literals are false
before, and their cards on no way: U_a implies that f is not known. If it has "b is at v" instead:
that any other card can take its place implies it.

The U mean something in one direction only. A world at which f is known can have them as false as
the clauses let them be; so the clauses exclude no world.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from symkripke.engines.sat.bits import variables_of
from symkripke.engines.sat.swaps.law import Law
from symkripke.language import Atom, Formula, negation
from symkripke.language import formulas as f
from symkripke.language.walk import negation_normal_form

# Formulas with more literals than this are left alone.
_LITERALS = 6


@dataclass(slots=True)
class _FreeCards:
    """Which cards can be set free by steps that begin at a place.

    Attributes:
        free: for each card the variable that says so.
        other: a variable: one that is not at that place can go there.
    """

    free: dict[str, int]
    other: int


class Cycles:
    """What the law says of each card at each place, and the clauses about cyclic swaps.

    Attributes:
        law: the law.
        kinds: for each variable a number: the same if the law says the same of it.
    """

    def __init__(self, law: Law) -> None:
        """For a law to which nothing is added any more."""
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
                # Whatever it says, it may say it of this one only.
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
        """Clauses that say where a fact is not known, because of cyclic swaps.

        The literal `known` says that it is; the knowers observe the variables `fixed` (bits).
        """
        literals = self._literals(fact)
        for number, literal in enumerate(literals or ()):
            name = self.law.name(abs(literal))
            others = [*literals[:number], *literals[number + 1 :]]
            held = frozenset(self.law.name(abs(other)) for other in others)
            if name in held or not self._moves(name) or fixed >> abs(literal) & 1:
                continue
            # It is to come to that place, or to leave it.
            begin = None if literal < 0 or self._single(literal) else name
            free_cards = yield from self._cards_freed_from(abs(literal), begin, fixed, held, fresh)
            leaves = [-literal, -free_cards.other] if literal > 0 else [-free_cards.free[name]]
            yield [*leaves, *others, -known]

    def _literals(self, formula: Formula) -> list[int]:
        """The literals of a clause about what the law speaks of; none if it is something else."""
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
        """Steps that begin at the place of this variable, with the card `begin`.

        If that is None, with any of which the law says the same there. The variables `fixed` (bits)
        are observed, and the fluents `held` are to stay as they are.
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
    """Take down that this is said of each of these variables (bits)."""
    for variable in variables_of(variables):
        said.setdefault(variable, set()).add(what)
