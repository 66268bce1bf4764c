"""The encoding: the information in the throws, bids and calls of Perudo, and who observes it.

Fluents: `die(p, k)` is the face that a die of a player shows. Each player observes their own dice.
All dice are independent, so the only law is that each die shows one face. A world is a throw. There
are 6^15 equally likely throws for three players with five dice. The order of a player's dice does
not matter. Formulas state numbers of dice with a face, and are computed without listing worlds.

Every throw begins a new structure. All dice have been shown when the dice are thrown again, so
nothing remains to be known or believed about earlier rounds.

Atoms, as in the study (`dT` to `eA` do not count wild aces):

    dT(x)       there are x dice in the game          dA(m, x)     m has x dice
    eT(x, y)    at least x dice show y                eA(m, x, y)  at least x dice of m show y
    met(x, y)   the bid of x dice on y is met, with aces counted if they are wild
    has(m, x, y)    at least x dice of m count as y, with aces counted if they are wild

All atoms are about the dice of the round. After a call, and until the dice are thrown again, they
are about the shown dice, including the lost die.

Bids give no knowledge. Each bid adds two soft constraints (see `symkripke.model.beliefs`). One
states the number of dice of the face that the bidder holds by the study's rule (`bidding.meaning`);
all players believe it to the degree that they trust the bidder. The other states that the bid is
met; the bidder is assumed to believe it. A call shows all dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from symkripke.errors import InputError
from symkripke.language import FALSE, TRUE, Atom, Formula, atleast, conjunction
from symkripke.model import (
    Constraint,
    Definition,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Origin,
    Soft,
    Vocabulary,
)
from symkripke.play.words import person
from symkripke_games.perudo.bidding import ACE, Manner
from symkripke_games.perudo.rules import (
    CALZA,
    DUDO,
    Bid,
    Call,
    Happening,
    Round,
    first_round,
)
from symkripke_games.perudo.throws import Setup, die_name
from symkripke_games.perudo.words import dice_in_words, faces_in_words

# The size of the cache of structures. Rounds with the same numbers of dice share a structure and
# the results that engines cache for it.
_KEPT = 256

# The rank of a bidder's assumed belief in their own bid: below their beliefs in the others' bids.
_OWN_BID = -1

# ---- a throw -------------------------------------------------------------------------------


def dice(left: Mapping[str, int], face: int) -> tuple[Atom, ...]:
    """Return the atoms stating that a die shows the face, for all dice of these players."""
    return tuple(
        Atom(die_name(player, number), str(face))
        for player, has in left.items()
        for number in range(1, has + 1)
    )


def shows(left: Mapping[str, int], least: int, faces: tuple[int, ...]) -> Formula:
    """Return the formula that at least `least` dice of these players show one of these faces."""
    return _shows(tuple(left.items()), least, faces)


@lru_cache(maxsize=1 << 14)
def _shows(left: tuple[tuple[str, int], ...], least: int, faces: tuple[int, ...]) -> Formula:
    number = dict(left)
    if least <= 0:
        return TRUE
    if least > sum(number.values()):
        return FALSE
    # A die shows only one face, so the atoms of several faces can be counted together.
    return atleast(least, [atom for face in faces for atom in dice(number, face)])


def structure(setup: Setup, now: Round | None = None) -> KnowledgeStructure:
    """Return the structure after a throw, in which only the numbers of dice are known.

    Equal numbers of dice give the same object, so that engines can reuse their results.
    """
    known = first_round(setup) if now is None else now
    dice = tuple(known.dice.items())
    return _structure(setup.players, setup.dice, setup.faces, known.wild, dice)


@lru_cache(maxsize=_KEPT)
def _structure(
    players: tuple[str, ...],
    most: int,
    faces: int,
    wild: bool,
    left: tuple[tuple[str, int], ...],
) -> KnowledgeStructure:
    number = dict(left)
    values = tuple(map(str, range(1, faces + 1)))
    fluents = [
        Fluent(die_name(player, place), values, f"each die of {person(player)} shows one face")
        for player, has in left
        for place in range(1, has + 1)
    ]
    observables = {player: _own(player, has, faces) for player, has in left}
    vocabulary = Vocabulary.of(
        fluents,
        players,
        definitions=_definitions(players, most, Manner(faces, wild), number),
        wording=_words,
    )
    return KnowledgeStructure.of(vocabulary, (), observables)


@lru_cache(maxsize=1 << 10)
def _own(player: str, has: int, faces: int) -> tuple[Observable, ...]:
    """Return the observables of a player, which are their own dice."""
    return tuple(
        Observable(atom, Origin("own dice", None, (player,), "hand"))
        for face in range(1, faces + 1)
        for atom in dice({player: has}, face)
    )


@dataclass(frozen=True)
class _Meanings:
    """The formulas of a round's definitions, as methods, because methods can be pickled."""

    left: Mapping[str, int]
    manner: Manner

    def shown(self, number: str, face: str) -> Formula:
        return shows(self.left, int(number), (int(face),))

    def shown_by(self, player: str, number: str, face: str) -> Formula:
        return shows(self._mine(player), int(number), (int(face),))

    def met(self, number: str, face: str) -> Formula:
        return shows(self.left, int(number), self.manner.counts_as(int(face)))

    def has(self, player: str, number: str, face: str) -> Formula:
        return shows(self._mine(player), int(number), self.manner.counts_as(int(face)))

    def total(self, number: str) -> Formula:
        return TRUE if int(number) == sum(self.left.values()) else FALSE

    def number(self, player: str, number: str) -> Formula:
        return TRUE if int(number) == self.left.get(player, 0) else FALSE

    def in_game(self, *_: str) -> str:
        total = sum(self.left.values())
        return f"there {'is' if total == 1 else 'are'} {dice_in_words(total)}"

    def in_hand(self, player: str, *_: str) -> str:
        return f"{person(player)} has {dice_in_words(self.left.get(player, 0))}"

    def _mine(self, player: str) -> dict[str, int]:
        return {player: self.left.get(player, 0)}


def _definitions(
    players: tuple[str, ...], most: int, manner: Manner, left: Mapping[str, int]
) -> tuple[Definition, ...]:
    mean = _Meanings(left, manner)
    who = ("player", players)
    all_dice = ("number of dice", tuple(map(str, range(most * len(players) + 1))))
    some_dice = ("number of dice", tuple(map(str, range(most + 1))))
    face = ("face", tuple(map(str, range(1, manner.faces + 1))))
    titles = {"face": {name: faces_in_words(2, int(name))[2:] for name in face[1]}}
    return (
        Definition(
            "eT",
            (all_dice, face),
            mean.shown,
            "at least this many dice show the face",
            mean.in_game,
            sentence=(
                "{number of dice} or more of all dice show {face}",
                "fewer than {number of dice} of all dice show {face}",
            ),
            titles=titles,
        ),
        Definition(
            "eA",
            (who, some_dice, face),
            mean.shown_by,
            "at least this many of the player's dice show the face",
            mean.in_hand,
            sentence=(
                "{number of dice} or more of {player}'s dice show {face}",
                "fewer than {number of dice} of {player}'s dice show {face}",
            ),
            titles=titles,
        ),
        Definition(
            "met",
            (all_dice, face),
            mean.met,
            "that bid is met" + (" (aces are wild)" if manner.wild else ""),
            mean.in_game,
            sentence=(
                "the bid of {number of dice} on {face} is met",
                "the bid of {number of dice} on {face} is not met",
            ),
            titles=titles,
        ),
        Definition(
            "has",
            (who, some_dice, face),
            mean.has,
            "at least this many of the player's dice count as the face",
            mean.in_hand,
            sentence=(
                "{number of dice} or more of {player}'s dice count as {face}",
                "fewer than {number of dice} of {player}'s dice count as {face}",
            ),
            titles=titles,
        ),
        Definition(
            "dT",
            (all_dice,),
            mean.total,
            "the number of dice in the game (after a call, still those that were shown)",
            mean.in_game,
            sentence=(
                "the number of dice in the game is {number of dice}",
                "the number of dice in the game is not {number of dice}",
            ),
        ),
        Definition(
            "dA",
            (who, some_dice),
            mean.number,
            "the number of the player's dice (after a call, still those that were shown)",
            mean.in_hand,
            sentence=(
                "the number of {player}'s dice is {number of dice}",
                "the number of {player}'s dice is not {number of dice}",
            ),
        ),
    )


def _words(atom: Atom, truth: bool) -> str:
    player, number = atom.fluent.arguments
    face = faces_in_words(1, int(atom.value))[2:]
    return f"die {number} of {person(player)} {'shows' if truth else 'does not show'} {face}"


def own_die_words(atom: Atom, truth: bool) -> str:
    """Return the face of one of the player's dice, in words that address the player."""
    _, number = atom.fluent.arguments
    face = faces_in_words(1, int(atom.value))[2:]
    return f"your die {number} {'shows' if truth else 'does not show'} {face}"


# ---- events --------------------------------------------------------------------------------


def event(setup: Setup, public: Happening, now: Round) -> Event:
    """Return the event of a bid or a call; raise `InputError` for a throw.

    A throw begins a new structure instead (see `structure`).
    """
    if isinstance(public, Bid):
        return _bid(setup, public, now)
    if isinstance(public, Call):
        return _call(public, now)
    raise InputError("a throw is not an event of a structure: it begins a new one")


def asked(public: Bid, now: Round, faces: int) -> Formula:
    """Return the formula stating that a bid is met."""
    return shows(now.dice, public.quantity, Manner(faces, now.wild).counts_as(public.face))


def _bid(setup: Setup, public: Bid, now: Round) -> Event:
    manner = Manner(setup.faces, now.wild)
    bidder = person(public.player)
    source = Origin(
        f"turn {public.turn}: {bidder} bid {faces_in_words(public.quantity, public.face)}",
        public.turn,
        (public.player,),
        "bid",
    )
    met = asked(public, now, setup.faces)
    soft = [Soft(met, {public.player: _OWN_BID}, source)]
    claim = public.claim
    if claim is not None and claim.holds:
        own = {public.player: now.dice[public.player]}
        held = shows(own, claim.holds, manner.counts_as(public.face))
        aces = "" if public.face == ACE or not now.wild else ", aces counted"
        words = f"{source}: taken to hold {faces_in_words(claim.holds, public.face)}{aces}"
        soft.insert(0, Soft(held, claim.trust, replace(source, text=words)))
    return Event(source, soft=tuple(soft), asks=met)


def _call(public: Call, now: Round) -> Event:
    doubt = {DUDO: "doubted the bid", CALZA: "said that the bid is exactly met"}[public.kind]
    source = Origin(
        f"turn {public.turn}: {person(public.player)} {doubt}",
        public.turn,
        (public.player,),
        "call",
    )
    law = tuple(
        Constraint(
            conjunction(
                Atom(die_name(player, number), str(face))
                for number, face in enumerate(public.dice[player], 1)
            ),
            Origin(
                f"{source}, and {person(player)} showed {' '.join(map(str, public.dice[player]))}",
                public.turn,
                (player,),
                "show",
            ),
        )
        for player in now.dice
    )
    return Event(source, law)
