"""The events and moves of Old Maid, each with its sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.play import Outcome, View
from symkripke.play.acts import (
    END,
    Act,
    Check,
    Flag,
    Given,
    Part,
    Slot,
    Then,
    Unseen,
    Words,
    allowed,
    always,
    everybody,
    hand_act,
    move_act,
    mover,
    only,
)
from symkripke.play.acts import Said as BaseSaid
from symkripke.play.people import People
from symkripke.play.words import number_of, person
from symkripke_games.old_maid import naming
from symkripke_games.old_maid.knowledge import a_card_of, cards_of
from symkripke_games.old_maid.naming import KEEPS, NOTHING, UNSEEN, Pairs
from symkripke_games.old_maid.players import Notes, own_ranks
from symkripke_games.old_maid.rules import (
    Discards,
    Draw,
    DrawFrom,
    Happening,
    Setup,
    drawn_name,
    pairs_name,
)

Said: TypeAlias = BaseSaid[Setup]
OldMaidView = View[Setup, Happening]


# ---- discards of the deal ------------------------------------------------------------------------

_HOW = "(44: two fours; 44 44: four; -: none)"
_AS_DEALT: Any = object()
"""The implied value for pairs that the seat has seen and that need not be named."""


def _all_discard(said: Said, ranks: tuple[str, ...], *, ended: bool) -> Sequence[Part]:
    """Return the parts for the pairs of the remaining players, in any order.

    Players whose pairs the seat has seen come last.

    Args:
        said: the values so far.
        ranks: the players whose pairs have been named.
        ended: whether the preceding list of pairs has ended, so that no name need follow.
    """
    left = [player for player in said.setup.players if player not in ranks]
    if not left:
        return ()
    left.sort(key=lambda player: _own_pairs(said, player) is not None)
    due = left[0]
    is_known = _own_pairs(said, due) is not None
    # If nothing ends a list of pairs, only a name begins the next list, unless the seat has seen
    # the pairs of all remaining players.
    implied = due if ended else END if is_known else None
    slot = Slot(
        f"for {due} {len(ranks) + 1}",
        everybody,
        what="a player",
        ask="Who discards pairs next?",
        implied=always(implied),
        spoken=not is_known,
        hinted=said.people(left),
    )
    following = Then(lambda said: _discards(said, said[slot.name], ranks, slot.name))
    joined = Words("", short="" if is_known else ";")
    return (joined, slot, following) if ranks else (slot, following)


def _discards(said: Said, player: str, ranks: tuple[str, ...], place: str) -> Sequence[Part]:
    """Return the parts for the discards of this player, and then of the remaining players."""
    if player is END:
        return ()
    again = f"the pairs of {person(player)} are already entered"

    def others(said: Said) -> Sequence[Part]:
        ended = said.ends or said.is_printed
        return (Words("."), *_all_discard(said, (*ranks, player), ended=ended))

    return (
        Check(place, again if player in ranks else None),
        Words("discards", ("discard", "discarded", "has", "had", "lays down", "lay down")),
        *_pairs(said, player, ()),
        Check(place, lambda said: _not_dealt(said, player), is_denied=True),
        Then(others),
    )


def _own_pairs(said: Said, player: str) -> tuple[str, ...] | None:
    """Return the pairs that the player was dealt; None if the seat has not seen them."""
    ranks: list[str] = []
    for rank, number in said.setup.deck.items():
        name = pairs_name(player, rank)
        numbers = range(number // 2 + 1)
        seen = [pairs for pairs in numbers if said.own(Atom(name, str(pairs)))]
        if not seen:
            return None
        ranks += seen[0] * [rank]
    return tuple(ranks)


def _list_of(player: str) -> str:
    """Return the name of the value for a player's list of pairs."""
    return f"pairs({player})"


def _ranks(said: Said, player: str) -> tuple[str, ...]:
    """Return the pairs of a player as entered, or as the seat has seen them."""
    stated = said.get(_list_of(player))
    if stated is None:
        return _own_pairs(said, player) or ()
    ranks = [rank for pairs in stated for rank in pairs.ranks]
    return tuple(sorted(ranks, key=list(said.setup.deck).index))


def _pairs(said: Said, player: str, before: tuple[Pairs, ...]) -> Sequence[Part]:
    """Return the parts for more pairs, in any order. Pairs that the seat has seen are optional."""
    name, own = _list_of(player), _own_pairs(said, player)
    total = said.count(name)
    if not before and total is not None and own == _ranks(said, player):
        return ()
    if len(before) == total or (before and said.ends):
        return (Given(name, always(before)),)
    choices = naming.pairs(said.setup)
    likely = [choice for choice in choices if not choice.value.readings]
    nothing = () if before else (NOTHING,)
    slot = Slot(
        f"{name} {len(before) + 1}",
        (*choices, *nothing),
        what="a pair" if before else "a pair, or 'nothing'",
        ask=f"Which pairs does {person(player)} discard? {_HOW}",
        implied=always(END if before else None if own is None else _AS_DEALT),
        hinted=(*likely, *nothing),
    )

    def others(said: Said) -> Sequence[Part]:
        pairs = said[slot.name]
        if pairs is _AS_DEALT:
            return ()
        if pairs is END or pairs == NOTHING.value:
            return (Given(name, always(before or (pairs,))),)
        unclear = Check(slot.name, _unclear(pairs, before), is_unclear=True)
        return (unclear, *_pairs(said, player, (*before, pairs)))

    joined = Words("and" if len(before) + 1 == total else ",")
    return (joined, slot, Then(others)) if before else (slot, Then(others))


def _unclear(pairs: Pairs, before: Sequence[Pairs]) -> str | None:
    if pairs.readings:
        return f"this can be {pairs.readings}"
    if any(rank in other.ranks for other in before for rank in pairs.ranks):
        rank = pairs.ranks[0]
        return f"{naming.several_of(rank)} are named twice: is that {naming.one_or_two(rank)}?"
    return None


def _not_dealt(said: Said, player: str) -> str | None:
    own = _own_pairs(said, player)
    if own is None or _ranks(said, player) == own:
        return None
    dealt = listed([cards_of(rank, 2) for rank in own]) or "nothing"
    return f"according to the hand, {person(player)} discards {dealt}"


def _starters(said: Said) -> Sequence[str]:
    """Return the players who may begin after the discards."""
    sizes, _ = Discards(turn=0, pairs=said["pairs"], first="").leaves(said.setup)
    return tuple(said.state.starters(sizes))


def _places_of_discards(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Discards)
    return {
        # Players can be named in any order, so each has the values "for PLAYER 1" and so on.
        **{f"for {player}": [player] * len(setup.players) for player in setup.players},
        **{_list_of(player): naming.by_rank(ranks) for player, ranks in public.pairs.items()},
    }


DISCARDS: Act[Setup] = Act(
    Discards,
    (
        Given("turn", always(0)),
        Then(lambda said: _all_discard(said, (), ended=True)),
        Given("pairs", lambda said: {name: _ranks(said, name) for name in said.setup.players}),
        Words("", short=";"),
        Slot(
            "first",
            everybody,
            what="a player",
            ask="Who begins?",
            implied=lambda said: only(_starters(said)),
            hinted=lambda said: said.people(_starters(said)),
        ),
        Words("begins.", ("begins", "begin", "began", "first")),
    ),
    more=_places_of_discards,
    when=lambda state: state.turn == 0,
    typed={
        "ann k 10; bob -; cath jj jj; cath begins": "the pairs that the others discard (Cath "
        "discards two pairs of jacks), and the first player; you can omit your own pairs",
        "k 10; -; jj jj": "the same, in seat order; in classic rules the first player with cards"
        " begins",
        "ann k 10": "only Ann's pairs; you can enter the others one by one",
    },
)

# ---- a draw --------------------------------------------------------------------------------------


def _giver(givers: Callable[[Said], Sequence[str]]) -> Slot:
    """Return the slot for the player from whom a card is drawn."""
    return Slot(
        "giver",
        everybody,
        what="a player to draw from",
        ask=lambda said: f"From whom {said.does} draw{' a card' if said.is_move else ''}?",
        implied=lambda said: said.seat if said.get("mine") else only(givers(said)),
        hinted=lambda said: said.people(givers(said)),
    )


def _names_card(said: Said) -> bool:
    """Return whether the card can be named: it is seen or public, or the giver is unclear."""
    giver = said["from"]
    return giver is None or bool(said["known"]) or said.sees(said["player"], giver)


def _card(said: Said) -> Sequence[Part]:
    cards = naming.cards(said.setup)
    if _names_card(said):
        return (Slot("card", (*cards, UNSEEN), what="a card", implied=always(UNSEEN.value)),)
    return (Unseen("card", UNSEEN.title, cards, _both(said, said["from"])),)


def _both(said: Said, giver: str) -> str:
    return f"{person(said['player'])} and {person(giver)}"


def _wrong_giver(said: Said) -> str | None:
    drawer, giver = said["player"], said["giver"]
    return f"{person(drawer)} cannot draw from themselves" if giver == drawer else None


def _not_mine(said: Said) -> str | None:
    if not said.get("mine") or said["giver"] == said.seat:
        return None
    return f"{person(said['player'])} draws from {person(said['giver'])}, not from you"


def _wrong_result(said: Said) -> str | None:
    """Return an error message if the named card does not make the named pair, else None."""
    named, pair = said["card"], said["discard"]
    if not named or named == said["known"] or pair in (None, named):
        return None
    return f"{a_card_of(named)} makes no pair of {naming.several_of(pair)}"


def _wrong_card(said: Said) -> str | None:
    """Return an error message if the named card is impossible or unseen by the seat, else None."""
    named, known, giver = said["card"], said["known"], said["giver"]
    if not named or named == known:
        return None
    if known is not None:
        return f"it can only be {a_card_of(known)}"
    if said.sees(said["player"], giver):
        return None
    return f"{person(said.seat)} does not see this: only {_both(said, giver)}"


def _is_secret(said: Said) -> bool:
    """Return whether only the drawer and the giver see the card."""
    return said["discard"] is None and said["known"] is None


def _card_kept(said: Said) -> Sequence[Part]:
    """Return the part for a kept card that the seat sees and has not named before."""
    drawer, giver = said["player"], said["giver"]
    is_told = said.is_printed or said["card"] or not _is_secret(said)
    if is_told or not said.sees(drawer, giver):
        return ()
    cards, possible = naming.cards(said.setup), said.state.ranks(giver)
    who = "do you" if said.seat == drawer else f"does {person(drawer)}"
    return (
        Slot(
            "card",
            cards,
            what="the card that is drawn",
            ask=f"Which card {who} draw?",
            hinted=[choice for choice in cards if choice.value in possible],
        ),
    )


def _drawn(said: Said) -> Mapping[str, str]:
    is_told = said["card"] and _is_secret(said)
    return {drawn_name(said["turn"]): said["card"]} if is_told else {}


def _places_of_draw(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    event = outcome.public
    assert isinstance(event, Draw)
    left = [] if event.count is None or event.discard is not None else list(event.count.left)
    return {
        "from": event.giver,
        "known": only(left),
        "card": only(left) or outcome.secret.get(drawn_name(event.turn), UNSEEN.value),
        "mine": False,
        "result": event.discard or KEEPS.value,
    }


DRAW: Act[Setup] = Act(
    Draw,
    (
        *mover(),
        Words("draws", ("draw", "drew", "takes", "take", "took", "pulls", "pulled")),
        Then(lambda said: () if said.seat is None else (Flag("mine", "", ("my",)),)),
        # When a sentence is read, the giver may be unclear at this point. Then it is also unclear
        # whether everybody knows the card.
        Given("from", lambda said: only(said.state.givers)),
        Given("known", lambda said: said["from"] and only(said.state.ranks(said["from"]))),
        Then(_card),
        Words("from", ("of",)),
        _giver(lambda said: said.state.givers),
        Check("giver", _wrong_giver),
        Check("mine", _not_mine),
        Words("and", ("and then",)),
        Slot(
            "result",
            lambda said: naming.results(said.setup),
            what="'keeps it', or a pair",
            ask=lambda said: f"Does {person(said['player'])} keep the card, or discard a pair?",
            # A named card is kept unless a pair is named.
            implied=lambda said: KEEPS.value if _names_card(said) and said["card"] else None,
        ),
        Given("discard", lambda said: said["result"] or None),
        Given("count", lambda said: said.state.count_after(said["giver"], said["discard"])),
        Given(
            "known", lambda said: None if said["discard"] else only(said.state.ranks(said["giver"]))
        ),
        Check("result", _wrong_result),
        Check("card", _wrong_card),
        Then(_card_kept),
    ),
    secret=_drawn,
    more=_places_of_draw,
    when=lambda state: state.turn > 0 and state.result is None,
    typed={
        "ann bob -": "Ann draws a card from Bob, and keeps it",
        "-": "the same: it is Ann's turn, and the classic rules determine whom she draws from",
        "kk": "the card makes a pair of kings, which is discarded",
        "k": "the card is a king and is kept; use this if you draw it, or if it is drawn from you",
        "ann k bob": "the same, if the player may choose whom to draw from",
    },
)
ACTS: tuple[Act[Setup], ...] = (DISCARDS, DRAW)

# ---- the deal ------------------------------------------------------------------------------------


HAND: Act[Setup] = hand_act(
    lambda said: naming.hand(said.setup),
    twice=True,
    typed={"a k k q 10 9 9 2": "the cards; pairs twice"},
)

# ---- moves of people -----------------------------------------------------------------------------


def _able(said: Said) -> Sequence[str]:
    return said.options("giver")


class _OldMaidPeople(People[Setup, Happening]):
    moves = (
        move_act(
            DrawFrom,
            Words(
                "draws from",
                ("draws", "draw", "draw from", "draw a card from", "take", "take from"),
            ),
            *allowed(_giver(_able), "draw from", _able),
            at="draw",
            typed={
                "bob": "draw a card from Bob",
                "draw": "if there is only one player to draw from",
            },
            title="draw a card",
        ),
    )
    automatic_decisions = frozenset(("start", "give"))

    def note(self, view: OldMaidView) -> str:
        """Return the player's cards, and the numbers of cards of the players to draw from."""
        assert view.decision is not None
        sizes = Notes.of(view).sizes
        own = listed([a_card_of(rank) for rank in own_ranks(view)])
        givers = [option.giver for option in view.decision.options or ()]
        others = [f"{person(giver)} {number_of(sizes[giver], 'card')}" for giver in givers]
        return f"You hold {own}; {', '.join(others)}."


PEOPLE = _OldMaidPeople()
