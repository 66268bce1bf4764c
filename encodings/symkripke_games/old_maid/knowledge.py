"""The encoding: the information in the setup and the events of Old Maid, and who observes it.

Fluents: `pairs(p, r)` is the number of pairs of a rank that a player is dealt. `holds(p, r)` states
whether the player holds a further card of this rank; after the discards, no hand has two cards of a
rank. Each player observes their own fluents. The discards make all `pairs` public.

A draw creates a fluent `drawn(t)` for the rank, which only the drawer and the giver see, and new
versions of `holds` for their hands and the ranks that may have moved. If the drawer discards a
pair, the rank is public and leaves both hands, so no new fluents are needed. If the drawer keeps
the card, everybody learns that they did not hold that rank.

Likelihoods: all deals of cards are equally likely, but a world records only ranks. The number of
deals of a world is proportional to the product of `1/n!` over all numbers n of cards of one rank in
one hand. The likelihoods of the first structure express this. After the discards, one case remains:
for a player who has discarded a pair of a rank, holding a third card of it is a third as likely as
not holding one (3!/2! = 3). A draw takes each card of a hand with the same probability, and the
size of the hand is public. All histories of draws are therefore equally likely. (The choice of the
giver may depend on the drawer's knowledge, but nobody draws conclusions from it.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import factorial

from symkripke.explain.text import listed
from symkripke.language import (
    Atom,
    Formula,
    Implies,
    conjunction,
    disjunction,
    exactly,
    negation,
)
from symkripke.model import (
    Change,
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Likelihood,
    Observable,
    Origin,
    Vocabulary,
)
from symkripke.play.hands import holds_number, own_hand
from symkripke.play.words import number_of, person
from symkripke_games.old_maid.rules import (
    Count,
    Discards,
    Draw,
    Happening,
    Setup,
    drawn_name,
    holds_name,
    pairs_name,
)

_NUMBERS = ("no", "one", "two", "three", "four")


def holds(player: str, rank: str) -> Atom:
    """Return the atom stating that the player holds a card of this rank."""
    return Atom(holds_name(player, rank))


def drawn(turn: int, rank: str) -> Atom:
    """Return the atom stating that the card drawn in this turn has this rank."""
    return Atom(drawn_name(turn), rank)


def title(rank: str) -> str:
    """Return the title of a rank."""
    return rank.title()


def cards_of(rank: str, number: int) -> str:
    """Return a number of cards of a rank in words: "two jacks"."""
    plural = f"{rank}es" if rank == "six" else f"{rank}s"
    return f"{_NUMBERS[number]} {rank if number == 1 else plural}"


def a_card_of(rank: str) -> str:
    """Return one card of a rank in words: "an ace"."""
    return f"{'an' if rank in ('ace', 'eight') else 'a'} {rank}"


def pairs_in_words(ranks: Sequence[str]) -> str:
    """Return pairs of these ranks in words: "two jacks and four kings"."""
    pairs = [cards_of(rank, 2 * ranks.count(rank)) for rank in dict.fromkeys(ranks)]
    return listed(pairs) or "nothing"


def _words(atom: Atom, truth: bool) -> str:
    kind, arguments = atom.fluent.functor, atom.fluent.arguments
    no = "" if truth else "not "
    if kind == "drawn":
        return f"the card drawn in turn {arguments[0]} was {no}{a_card_of(atom.value)}"
    player, rank = arguments
    if kind == "pairs":
        number = cards_of(rank, 2 * int(atom.value))
        return f"{person(player)} was {no}dealt {number} to discard"
    if atom.fluent.is_version:
        return f"{person(player)} {'held' if truth else 'did not hold'} {a_card_of(rank)}"
    return f"{person(player)} {'holds' if truth else 'does not hold'} {a_card_of(rank)}"


def dealt_words(atom: Atom, truth: bool) -> str:
    """Return an atom of the player's own deal, in words that address the player."""
    _, rank = atom.fluent.arguments
    if atom.fluent.functor == "pairs":
        number = cards_of(rank, 2 * int(atom.value))
        return f"you were {'' if truth else 'not '}dealt {number} to discard"
    card = a_card_of(rank) if truth else f"no {rank}"
    return f"you were dealt {card} without a partner"


# ---- the setup -----------------------------------------------------------------------------


@cache
def structure(setup: Setup) -> KnowledgeStructure:
    """Return the first structure, before the discards.

    Only the sizes of hands, and the number of cards of each rank, are common knowledge. Equal
    setups give the same object, so that engines can reuse their results.
    """
    fluents: list[Fluent] = []
    for rank, number in setup.deck.items():
        values = tuple(str(pairs) for pairs in range(number // 2 + 1))
        for player in setup.players:
            text = f"{person(player)} is dealt some number of pairs of rank {rank}"
            source = Origin(text, None, (player,), "deal")
            fluents.append(Fluent(holds_name(player, rank)))
            fluents.append(Fluent(pairs_name(player, rank), values, source))
    law = [
        Constraint(
            exactly(number, _dealt(setup, ((player, rank) for player in setup.players))),
            Origin(f"the deck has {cards_of(rank, number)}", kind="rule"),
        )
        for rank, number in setup.deck.items()
    ]
    law += [
        holds_number(
            player,
            number,
            _dealt(setup, ((player, rank) for rank in setup.deck)),
            f"{person(player)} is dealt {number_of(number, 'card')}",
        )
        for player, number in setup.sizes.items()
    ]
    observables = {
        player: [
            Observable(atom, Origin("own hand", None, (player,), "hand"))
            for rank, number in setup.deck.items()
            for atom in (
                holds(player, rank),
                *(Atom(pairs_name(player, rank), str(n)) for n in range(number // 2 + 1)),
            )
        ]
        for player in setup.players
    }
    vocabulary = Vocabulary.of(fluents, setup.players, wording=_words)
    likelihoods = [
        _likelihood(player, rank, number)
        for rank, number in setup.deck.items()
        for player in setup.players
        if number > 1
    ]
    return KnowledgeStructure.of(vocabulary, law, observables, likelihoods=likelihoods)


def _likelihood(player: str, rank: str, number: int) -> Likelihood:
    """Return the relative number of deals for each number of cards of a rank in a hand."""
    held, several = holds(player, rank), range(1, number // 2 + 1)
    cases: list[tuple[Formula, Fraction]] = [(Atom(pairs_name(player, rank), "0"), Fraction(1))]
    for pairs in several:
        dealt = Atom(pairs_name(player, rank), str(pairs))
        two = Fraction(1, factorial(2 * pairs))
        if 2 * pairs == number:  # no further card of the rank is left
            cases.append((dealt, two))
        else:
            cases.append((conjunction((dealt, negation(held))), two))
            cases.append((conjunction((dealt, held)), two / (2 * pairs + 1)))
    text = f"{person(player)} is dealt many of a rank less often than few"
    return Likelihood(tuple(cases), Origin(text, None, (player,), "deal"))


def _dealt(setup: Setup, places: Iterable[tuple[str, str]]) -> list[Formula]:
    """Return formulas of which as many are true as these hands were dealt cards of these ranks."""
    formulas: list[Formula] = []
    for player, rank in places:
        formulas.append(holds(player, rank))
        for pairs in range(1, setup.deck[rank] // 2 + 1):
            # A formula that is listed n times counts n times.
            formulas.extend([Atom(pairs_name(player, rank), str(pairs))] * (2 * pairs))
    return formulas


@cache
def hands(players: tuple[str, ...], ranks: tuple[str, ...]) -> KnowledgeStructure:
    """Return a structure of hands with at most one card of each rank and no constraints."""
    fluents = [Fluent(holds_name(player, rank)) for rank in ranks for player in players]
    vocabulary = Vocabulary.of(fluents, players, wording=_words)
    return KnowledgeStructure.of(vocabulary, [], own_hand(players, ranks, holds))


def counted(sizes: Mapping[str, int], left: Mapping[str, int]) -> tuple[Constraint, ...]:
    """Return the constraints on the sizes of hands and on the cards of each rank in play."""
    return (
        *(
            holds_number(
                player,
                number,
                [holds(player, rank) for rank in left],
                f"{person(player)} holds {number_of(number, 'card')}",
                "count",
            )
            for player, number in sizes.items()
        ),
        *(
            Constraint(
                exactly(number, [holds(player, rank) for player in sizes]),
                Origin(
                    f"{cards_of(rank, number)} {'is' if number == 1 else 'are'} in play",
                    kind="count",
                ),
            )
            for rank, number in left.items()
        ),
    )


# ---- events ----------------------------------------------------------------------------------


def event(setup: Setup, public: Happening) -> Event:
    """Return the event of the model for an event of the game."""
    if isinstance(public, Discards):
        return _discards(setup, public)
    if public.discard is not None:
        return _pair(setup, public, public.discard)
    ranks = tuple(setup.deck if public.count is None else public.count.left)
    if len(ranks) == 1:
        return _public_draw(setup, public, ranks[0])
    return _draw(setup, public, ranks)


def _discards(setup: Setup, public: Discards) -> Event:
    law = [
        Constraint(
            conjunction(
                Atom(pairs_name(player, rank), str(ranks.count(rank))) for rank in setup.deck
            ),
            Origin(
                f"{person(player)} discarded {pairs_in_words(ranks)} of the deal",
                None,
                (player,),
                "discard",
            ),
        )
        for player, ranks in public.pairs.items()
    ]
    return Event(
        Origin("the pairs of the deal were discarded", kind="discard"),
        (*law, *counted(*public.leaves(setup))),
    )


def _said(public: Draw, more: str = "") -> Origin:
    text = f"turn {public.turn}: {person(public.player)} drew from {person(public.giver)}{more}"
    return Origin(text, public.turn, (public.player, public.giver), "draw")


def _pair(setup: Setup, public: Draw, rank: str) -> Event:
    """Return the event of a draw that made a pair: both players held the rank, and lose it."""
    source = _said(public, f" and discarded {cards_of(rank, 2)}")
    drawer, giver = public.player, public.giver
    law = [Constraint(holds(giver, rank) & holds(drawer, rank), source)]
    changes = tuple(Change(holds_name(player, rank), "false", source) for player in (giver, drawer))
    if public.count is not None:
        now: dict[Atom, Formula] = {}
        gone = {holds(giver, rank), holds(drawer, rank)}
        law += _count(setup, public, public.count, now, gone)
    return Event(source, tuple(law), changes=changes)


def _public_draw(setup: Setup, public: Draw, rank: str) -> Event:
    """Return the event of a kept card that can have only one rank."""
    source = _said(public, f", and it can only be {a_card_of(rank)}")
    drawer, giver = public.player, public.giver
    law = [Constraint(holds(giver, rank) & negation(holds(drawer, rank)), source)]
    changes = (
        Change(holds_name(giver, rank), "false", source),
        Change(holds_name(drawer, rank), "true", source),
    )
    return Event(source, tuple(law), changes=changes)


def _draw(setup: Setup, public: Draw, ranks: tuple[str, ...]) -> Event:
    """Return the event of a kept card: its rank is one of `ranks` that the drawer did not hold."""
    source = _said(public, " and discarded nothing")
    drawer, giver, turn = public.player, public.giver, public.turn
    fluent = Fluent(drawn_name(turn), ranks, _said(public, " exactly one card"))
    law = [
        Constraint(
            conjunction(
                Implies(drawn(turn, rank), holds(giver, rank) & negation(holds(drawer, rank)))
                for rank in ranks
            ),
            source,
        )
    ]
    now: dict[Atom, Formula] = {}
    for rank in ranks:
        now[holds(giver, rank)] = conjunction((holds(giver, rank), negation(drawn(turn, rank))))
        now[holds(drawer, rank)] = disjunction((holds(drawer, rank), drawn(turn, rank)))
    changes = tuple(
        Change(atom.fluent, (("true", formula),), source) for atom, formula in now.items()
    )
    if public.count is not None:
        law += _count(setup, public, public.count, now, set())
    by_both = replace(source, text=f"turn {turn}, seen by {person(drawer)} and {person(giver)}")
    seen = tuple(Observable(atom, by_both) for atom in fluent.atoms)
    return Event(source, tuple(law), (fluent,), {drawer: seen, giver: seen}, changes)


def _count(
    setup: Setup,
    public: Draw,
    count: Count,
    now: Mapping[Atom, Formula],
    gone: set[Atom],
) -> list[Constraint]:
    """Return constraints that state the public counts after the draw.

    They follow from the counts before the draw. They are stated because a solver would need many
    steps to derive that a sum has not changed, and the explanation would be long. `now` maps the
    atoms before the draw to formulas for their values after it. The atoms in `gone` are false.
    """

    def held(places: Iterable[tuple[str, str]]) -> list[Formula]:
        atoms = (holds(player, rank) for player, rank in places)
        return [now.get(atom, atom) for atom in atoms if atom not in gone]

    turn = f"after turn {public.turn}"
    return [
        *(
            Constraint(
                exactly(number, held((player, rank) for rank in setup.deck)),
                Origin(
                    f"{turn} {person(player)} held {number_of(number, 'card')}",
                    public.turn,
                    (player,),
                    "count",
                ),
            )
            for player, number in ((public.giver, count.giver), (public.player, count.drawer))
        ),
        *(
            Constraint(
                exactly(number, held((player, rank) for player in setup.players)),
                Origin(
                    f"{turn} {cards_of(rank, number)} {'was' if number == 1 else 'were'} in play",
                    public.turn,
                    kind="count",
                ),
            )
            for rank, number in count.left.items()
        ),
    ]
