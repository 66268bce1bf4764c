"""The sentences for the events of Old Maid: for printing and for reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from symkripke.play.phrases import (
    END,
    Choice,
    Phrase,
    Speech,
    always,
)

from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.play import Outcome
from symkripke.play.words import person
from symkripke_games.old_maid.knowledge import a_card_of, cards_of, title
from symkripke_games.old_maid.rules import (
    Discards,
    Draw,
    Happening,
    Setup,
    State,
    drawn_name,
    pairs_name,
)

Talk = Speech[Setup, State]

_SIGNS = {
    **{"ace": "a", "king": "k", "queen": "q", "jack": "j", "ten": "10", "nine": "9"},
    **{"eight": "8", "seven": "7", "six": "6", "five": "5", "four": "4", "three": "3", "two": "2"},
}
"""What stands on the corner of a card."""


def _many(rank: str) -> str:
    """Several cards of a rank: "kings"."""
    return cards_of(rank, 2).partition(" ")[2]


@cache
def _one_of(setup: Setup) -> tuple[Choice[str], ...]:
    """Cards, as a sentence names one: "a king"."""
    return tuple(Choice(rank, a_card_of(rank), (_SIGNS[rank], rank)) for rank in setup.deck)


# ---- what the deal discards ----------------------------------------------------------------------

_Pairs = tuple[str, ...]
"""The ranks of pairs; a rank twice for four of a kind."""


@dataclass(frozen=True)
class _Unclear:
    """Words for pairs that have several readings: "4 4", or "2 kings"."""

    readings: str


@cache
def _pairs_of(setup: Setup) -> tuple[Choice[_Pairs | _Unclear], ...]:
    """One pair or two pairs of each rank."""
    found: list[Choice[_Pairs | _Unclear]] = []
    for rank, number in setup.deck.items():
        sign, many = _SIGNS[rank], _many(rank)
        # "Two" and "four" are numbers here: "two kings" are one pair.
        alone = () if rank in ("two", "four") else (rank,)
        if rank != "ace":
            alone = (*alone, f"{sign}s", f"{sign}'s")
        found.append(
            Choice(
                (rank,),
                cards_of(rank, 2),
                (sign, 2 * sign, many, f"pair of {many}", f"a pair of {many}", *alone),
            )
        )
        if number == 4:
            pairs = f"two pairs of {many}"
            cards = " ".join(4 * [sign])
            twice = (f"{2 * sign} {2 * sign}", 4 * sign, f"{2 * sign}, {2 * sign}", cards, pairs)
            found.append(Choice((rank, rank), cards_of(rank, 4), twice))
        signs = f"{sign} {sign}", f"{sign}, {sign}", f"{sign} and {sign}"
        found.append(Choice(_Unclear(_pair_or_two(rank)), signs[0], signs))
        for digit, other in (("2", "two"), ("4", "four")):
            if other in setup.deck and other != rank:
                both = f"{cards_of(rank, int(digit))}, or a pair of {digit}s and a pair of {many}"
                found.append(
                    Choice(_Unclear(f"{both} ({2 * digit} {2 * sign})"), f"{digit} {many}")
                )
            else:
                pairs_meant = (rank,) * (int(digit) // 2)
                found.append(Choice(pairs_meant, f"{digit} {many}"))
    return tuple(found)


def _pair_or_two(rank: str) -> str:
    """What a rank that is named twice can mean."""
    sign, many = _SIGNS[rank], _many(rank)
    return f"one pair of {many} ({2 * sign}) or two pairs ({2 * sign} {2 * sign})"


_AS_DEALT: Any = object()
"""What is implied of pairs that are known: no pair need be named."""

NOTHING: Choice[_Pairs] = Choice(
    (), "nothing", ("-", "no pair", "no pairs", "none", "no", "nobody", "nope")
)


def _discards(talk: Talk) -> Outcome[Happening]:
    own = {player: _own_pairs(talk, player) for player in talk.setup.players}
    left = sorted(talk.setup.players, key=lambda player: own[player] is not None)
    every = talk.people(talk.setup.players)
    pairs: dict[str, _Pairs] = {}
    ended = True
    asked: set[str] = set()
    while left:
        due = left[0]
        # Others may be named before the one whose turn it is to be told: each has its own place.
        place = f"for {due}"
        while place in asked:
            place += " again"
        asked.add(place)
        if pairs:
            talk.words("", short="" if own[due] is not None else ";")
        # Where nothing ends a list of pairs, only a name tells that somebody else's begins; or it
        # is known what all others discard.
        implied: Any = due if ended else _AS_DEALT if own[due] is not None else None
        player = talk.pick(
            place,
            every,
            what="a player",
            ask="Who discards pairs next?",
            implied=None if implied is None else always(implied),
            spoken=own[due] is None,
            hinted=talk.people(left),
        )
        if player is _AS_DEALT:
            pairs |= {other: own[other] or () for other in left}
            break
        if player in pairs:
            talk.refuse(f"the pairs of {person(player)} are told already", place)
        talk.words("discards", "discard", "discarded", "has", "had", "lays down", "lay down")
        pairs[player] = _pairs(talk, player, own[player])
        mine = own[player]
        if mine is not None and pairs[player] != mine:
            dealt = listed([cards_of(rank, 2) for rank in mine]) or "nothing"
            talk.impossible(f"by its hand, {person(player)} discards {dealt}", place)
        ended = talk.ended() or talk.count(f"pairs({player})") is not None
        talk.words(".")
        left = [other for other in left if other != player]
    public = Discards(turn=0, pairs={p: pairs[p] for p in talk.setup.players}, first="")
    sizes, _ = public.leaves(talk.setup)
    starters = talk.by_rules(lambda state: state.starters(sizes))
    talk.words("", short=";")
    first = talk.pick(
        "first",
        every,
        what="a player",
        ask="Who begins?",
        implied=lambda state: _only(state.starters(sizes)),
        hinted=None if starters is None else talk.people(starters),
    )
    talk.words("begins.", "begins", "begin", "began", "first")
    return Outcome(Discards(turn=0, pairs=public.pairs, first=first), {})


def _own_pairs(talk: Talk, player: str) -> _Pairs | None:
    """The pairs that the player was dealt, if that is known; None if not."""
    found: list[str] = []
    for rank, number in talk.setup.deck.items():
        name = pairs_name(player, rank)
        numbers = range(number // 2 + 1)
        seen = [pairs for pairs in numbers if talk.own(Atom(name, str(pairs)))]
        if not seen:
            return None
        found += seen[0] * [rank]
    return tuple(found)


_HOW = " (44: two fours; 44 44: four; -: none)"


def _pairs(talk: Talk, player: str, own: _Pairs | None) -> _Pairs:
    """What a player discards: pairs, in any order. If it is known it need not be told."""
    name = f"pairs({player})"
    total = talk.count(name)
    if own is not None and own == talk.fact(f"all {name}", always(own)) and total is not None:
        return own
    found: list[str] = []
    places = 0
    while total is None or places < max(total, 1):
        if places and total is None and talk.ended():
            break
        if places:
            talk.words("and" if places + 1 == total else ",")
        choices = _pairs_of(talk.setup)
        hinted = [choice for choice in choices if not isinstance(choice.value, _Unclear)]
        implied = END if places and total is None else None
        if own is not None and not places:
            implied = _AS_DEALT
        ranks = talk.pick(
            f"{name} {places + 1}",
            choices if places else [*choices, NOTHING],
            what="a pair" if places else "a pair, or 'nothing'",
            ask=f"Which pairs does {person(player)} discard?" + _HOW * (not places),
            implied=None if implied is None else always(implied),
            hinted=hinted if places else [*hinted, NOTHING],
        )
        if ranks is _AS_DEALT:
            assert own is not None
            return own
        if ranks is END:
            break
        place = f"{name} {places + 1}"
        if isinstance(ranks, _Unclear):
            talk.unclear(f"this can be {ranks.readings}", place)
            places += 1
            continue
        if any(rank in found for rank in ranks):
            told = f"{_many(ranks[0])} are named twice"
            talk.unclear(f"{told}: is that {_pair_or_two(ranks[0])}?", place)
        found += ranks
        places += 1
        if not ranks:
            break
    return tuple(sorted(found, key=list(talk.setup.deck).index))


def _values_of_discards(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Discards)
    values: dict[str, Any] = {"first": public.first}
    for player, ranks in public.pairs.items():
        values[f"for {player}"] = player
        values[f"all pairs({player})"] = ranks
        alike = [(rank,) * ranks.count(rank) for rank in dict.fromkeys(ranks)]
        values[f"pairs({player})"] = alike or [()]
    return values


def _only(players: Sequence[str]) -> str | None:
    return players[0] if len(players) == 1 else None


# ---- a draw --------------------------------------------------------------------------------------

_DISCARDS = ("discards", "discard", "discarded", "lays down", "lay down", "laid down")
UNSEEN: Choice[str] = Choice("", "a card", ("card",))
KEEPS: Choice[str] = Choice(
    "",
    "keeps it.",
    (
        "-",
        "keeps",
        "keep",
        "keep it",
        "kept",
        "kept it",
        "no pair",
        "no",
        "nothing",
        "it is",
        "it was",
    ),
)


@cache
def _results(setup: Setup) -> tuple[Choice[str], ...]:
    """The results of a draw: the card is kept, or makes a pair, which is discarded."""
    pairs = [
        Choice(
            rank,
            f"discards {cards_of(rank, 2)}.",
            (
                *(2 * _SIGNS[rank], _many(rank), f"pair of {_many(rank)}"),
                *(f"{verb} {_many(rank)}" for verb in _DISCARDS),
                *(f"{verb} {cards_of(rank, 2)}" for verb in _DISCARDS),
            ),
        )
        for rank in setup.deck
    ]
    return (KEEPS, *pairs)


def _draw(talk: Talk) -> Outcome[Happening]:
    setup = talk.setup
    turn = talk.fact("turn", lambda state: state.turn)
    drawer = talk.player("player", movers=lambda state: (state.mover,))
    talk.words("draws", "draw", "drew", "takes", "take", "took", "pulls", "pulled")
    mine = talk.seat is not None and talk.flag("mine", "", "my")
    # Where the sentence is read, it may not be clear yet from whom the card is.
    likely = talk.fact("from", lambda state: _only(state.givers))
    public = talk.fact("public", lambda state: None if likely is None else state.public(likely))
    named = UNSEEN.value
    if likely is None or public or talk.sees(drawer, likely):
        named = talk.pick(
            "card", [*_one_of(setup), UNSEEN], what="a card", implied=always(UNSEEN.value)
        )
    else:
        who = f"{person(drawer)} and {person(likely)}"
        talk.unseen("card", UNSEEN.title, _one_of(setup), who)
    talk.words("from", "of")
    givers = talk.by_rules(lambda state: state.givers)
    giver = talk.pick(
        "giver",
        talk.people(setup.players),
        what="a player to draw from",
        ask=f"From whom does {person(drawer)} draw?",
        implied=lambda state: talk.seat if mine else _only(state.givers),
        hinted=None if givers is None else talk.people(givers),
    )
    if giver == drawer:
        talk.refuse(f"{person(drawer)} cannot draw from itself", "giver")
    if mine and giver != talk.seat:
        talk.refuse(f"{person(drawer)} draws from {person(giver)}, not from you", "mine")
    return _drawn(talk, turn, drawer, giver, named)


def _drawn(talk: Talk, turn: int, drawer: str, giver: str, named: str) -> Outcome[Happening]:
    """The outcome of the draw; a card that is named is kept unless a pair is named."""
    setup = talk.setup
    talk.words("and", "and then")
    pair = talk.pick(
        "result",
        _results(setup),
        what="'keeps it', or a pair",
        ask=f"Does {person(drawer)} keep the card, or discard a pair?",
        implied=always(KEEPS.value) if named else None,
    )
    kept = pair == KEEPS.value
    if named and not kept and named != pair:
        talk.refuse(f"{a_card_of(named)} makes no pair of {_many(pair)}", "result")
    count = talk.fact("count", lambda state: state.count_after(giver, None if kept else pair))
    public = kept and count is not None and len(count.left) == 1
    sees = talk.sees(drawer, giver)
    if named and not sees and not public:
        assert talk.seat is not None
        who = f"{person(drawer)} and {person(giver)}"
        talk.refuse(f"{person(talk.seat)} does not see this: only {who}", "card")
    if public and named and named not in count.left:
        talk.refuse(f"it can only be {a_card_of(next(iter(count.left)))}", "card")
    if kept and sees and not public and not named and talk.known("drawn"):
        draws = "do you" if talk.seat == drawer else f"does {person(drawer)}"
        possible = talk.by_rules(lambda state: state.ranks(giver))
        named = talk.pick(
            "drawn",
            _one_of(setup),
            what="the card that is drawn",
            ask=f"Which card {draws} draw?",
            hinted=None
            if possible is None
            else [choice for choice in _one_of(setup) if choice.value in possible],
        )
    secret = {drawn_name(turn): named} if kept and named and sees and not public else {}
    discard = None if kept else pair
    event = Draw(turn=turn, player=drawer, giver=giver, discard=discard, count=count)
    return Outcome(event, secret)


def _values_of_draw(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    event = outcome.public
    assert isinstance(event, Draw)
    left = [] if event.count is None or event.discard is not None else list(event.count.left)
    public = len(left) == 1
    known = left[0] if public else outcome.secret.get(drawn_name(event.turn), UNSEEN.value)
    return {
        "turn": event.turn,
        "player": event.player,
        "from": event.giver,
        "public": public,
        "card": known,
        "mine": False,
        "giver": event.giver,
        "result": KEEPS.value if event.discard is None else event.discard,
        "count": event.count,
    }


# ---- the deal ------------------------------------------------------------------------------------


def _hand(talk: Talk) -> tuple[str, ...]:
    player = talk.seat
    assert player is not None
    talk.words(f"{person(player)} was dealt")
    cards = talk.several(
        "cards",
        [Choice(rank, title(rank), (_SIGNS[rank],)) for rank in talk.setup.deck],
        talk.setup.dealt[player],
        what="a card",
        ask=f"Which cards was {person(player)} dealt?",
        twice=True,
    )
    talk.words(".")
    return cards


HAND: Phrase[Setup] = Phrase(
    tuple,
    _hand,
    lambda setup, cards: {"cards": cards},
    typed={"a k k q 10 9 9 2": "the cards; pairs twice"},
)

PHRASES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Discards,
        _discards,
        _values_of_discards,
        when=lambda state: state.turn == 0,
        typed={
            "ann k 10; bob -; cath jj jj; cath begins": "the pairs that the others discard (two "
            "pairs of jacks are Cath's), and who begins; your own pairs need not be told",
            "k 10; -; jj jj": "the same, in the order of the seats; in classic rules the first "
            "player with cards begins",
            "ann k 10": "only Ann's pairs: the others can follow, one by one",
        },
    ),
    Phrase(
        Draw,
        _draw,
        _values_of_draw,
        when=lambda state: state.turn > 0 and state.result is None,
        typed={
            "bob ann -": "Bob draws a card from Ann, and keeps it",
            "-": "the same: it is Bob's turn, and classic rules say from whom",
            "kk": "the card makes a pair of kings, which is discarded",
            "k": "the card is a king, and is kept: if you draw it, or it is drawn from you",
            "bob k ann": "the same, where the drawer chooses from whom",
        },
    ),
)
