"""The sentences for the events of Perudo: for printing and for reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from symkripke.errors import RuleError
from symkripke.language import Atom
from symkripke.play import Decision, Outcome
from symkripke.play.phrases import (
    END,
    Choice,
    Phrase,
    Speech,
    always,
    numbers_to_choose,
    players_to_choose,
)
from symkripke.play.words import person
from symkripke_games.perudo.rules import (
    CALZA,
    DUDO,
    Bid,
    Call,
    Happening,
    Raise,
    Rolled,
    Round,
    State,
    Verdict,
)
from symkripke_games.perudo.throws import Setup, dice_name, die_name
from symkripke_games.perudo.words import dice_in_words, faces_in_words

Talk = Speech[Setup, State]


def _dice(
    talk: Talk, name: str, number: int, *, ask: str, known: Sequence[int] | None = None
) -> tuple[int, ...]:
    """So many dice, in any order, with or without blanks between them."""
    faces = talk.setup.faces
    found: list[int] = []
    for place in range(number):
        die = talk.pick(
            f"{name} {place + 1}",
            numbers_to_choose(1, faces),
            what="a die",
            ask=talk.asked_on(ask, numbers_to_choose(1, faces), found, number),
            implied=None if known is None else always(known[place]),
            # With dice of more faces, "12" could be one die or two.
            glued=faces <= 9,
        )
        found.append(die)
    talk.complete(f"there {'is' if number == 1 else 'are'} only {dice_in_words(number)}")
    return tuple(sorted(found))


def _own_dice(talk: Talk, player: str, number: int) -> tuple[int, ...] | None:
    """What the player's dice show, if that is known; None if not."""
    found = []
    for die in range(1, number + 1):
        faces = range(1, talk.setup.faces + 1)
        seen = [face for face in faces if talk.own(Atom(die_name(player, die), str(face)))]
        if not seen:
            return None
        found += seen
    return tuple(sorted(found))


def _followed(state: State, outcome: Outcome[Happening]) -> Outcome[Happening]:
    """The event with the parts that follow from it; unchanged if the rules forbid the event.

    The error is reported where the event is entered: an earlier entry may be wrong instead.
    """
    with suppress(RuleError):
        return state.completed(outcome)
    return outcome


# ---- a bid ---------------------------------------------------------------------------------------


def _bid(talk: Talk) -> Outcome[Happening]:
    setup = talk.setup
    turn = talk.fact("turn", lambda state: state.turn)
    player = talk.player("player", movers=lambda state: (state.mover,))
    talk.words("bids", "bid", "says", "say", "said", "bidded", "raises to", "raise to", "raised to")
    standing = talk.by_rules(lambda state: state.standing)
    hints = talk.by_rules(lambda state: bids_to_hint(state.decision, state.now))
    calls = " or calza" if setup.calza else ""
    quantity = talk.pick(
        "quantity",
        numbers_to_choose(1, setup.dice * len(setup.players)),
        what=f"a number of dice from 1 to {setup.dice * len(setup.players)}",
        ask=f"What does {person(player)} bid" + (f", or is it dudo{calls}?" if standing else "?"),
        hinted=None if hints is None else hints.quantities(),
    )
    talk.words("", "x", "times", "dice of", "dice that show")
    face = talk.pick(
        "face",
        faces_to_choose(quantity, setup.faces),
        what="a face",
        ask=f"{person(player)} bids {quantity} of which face?",
        hinted=None if hints is None else hints.faces(quantity, setup.faces),
    )
    talk.words(".")
    bare = Bid(turn=turn, player=player, quantity=quantity, face=face)
    claim = talk.fact("claim", lambda state: _claim(state, bare))
    return Outcome(msgspec.structs.replace(bare, claim=claim), {})


def _claim(state: State, bid: Bid) -> Any:
    public = _followed(state, Outcome(bid, {})).public
    assert isinstance(public, Bid)
    return public.claim


@dataclass(frozen=True)
class BidsToHint:
    """The bids that can be made now.

    Attributes:
        least: for each face that can be bid on the least quantity.
        most: the number of dice in play.
    """

    least: Mapping[int, int]
    most: int

    def quantities(self) -> tuple[Choice[int], ...]:
        """The quantities that can be bid on some face."""
        return numbers_to_choose(min(self.least.values(), default=self.most + 1), self.most)

    def faces(self, quantity: int, faces: int) -> tuple[Choice[int], ...]:
        """Those of so many faces on which this quantity can be bid."""
        return tuple(
            choice
            for choice in faces_to_choose(quantity, faces)
            if self.least.get(choice.value, quantity + 1) <= quantity
        )


def bids_to_hint(decision: Decision | None, now: Round) -> BidsToHint | None:
    """The bids that can be made; None if something else is to be decided first."""
    options = None if decision is None else decision.options
    if not options:
        return None
    least = {option.face: option.quantity for option in options if isinstance(option, Raise)}
    return BidsToHint(least, sum(now.dice.values()))


def faces_to_choose(quantity: int, faces: int) -> tuple[Choice[int], ...]:
    """Faces, as so many dice show them: "six", or "sixes"."""
    found = []
    for face in range(1, faces + 1):
        one, many = (faces_in_words(number, face).partition(" ")[2] for number in (1, 2))
        names = dict.fromkeys((str(face), one, many, f"{face}s", f"{face}'s", f"{one}s"))
        more = ("one", "ones", "1s", "1's") if face == 1 else ()
        title = one if quantity == 1 else many
        found.append(Choice(face, title, (*names, *more)))
    return tuple(found)


def _values_of_bid(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Bid)
    return {
        "turn": public.turn,
        "player": public.player,
        "quantity": public.quantity,
        "face": public.face,
        "claim": public.claim,
    }


# ---- a call --------------------------------------------------------------------------------------

_SAYS = ("calls", "says", "call", "called", "said")


def _called(*words: str) -> tuple[str, ...]:
    """Words for a call, also with "calls" or "says" before them."""
    return (*words, *(f"{says} {word}" for word in words for says in _SAYS))


DOUBT: Choice[str] = Choice(
    DUDO,
    "doubts it: dudo!",
    (
        *_called("dudo!", "dudo", "liar!", "liar"),
        *("doubts", "doubts it", "doubt", "doubt it", "doubted", "doubted it"),
    ),
)
EXACT: Choice[str] = Choice(
    CALZA,
    "says it is exact: calza!",
    (*_called("calza!", "calza", "exact", "exactly"), "it is exact", "says it is exact"),
)
CALL: Choice[str] = replace(
    DOUBT,
    also=(*DOUBT.also, "call", "call!", "call it", "calls", "calls it", "called", "called it"),
)
"""Where calza cannot be called: then every call is a doubt."""
NO_EXACT: Choice[str] = Choice(CALZA, "calza!", ("calza", "calls calza", "says calza"))
"""Where calza cannot be called: only the word itself is understood, to say so."""


def calls_to_choose(*, calza: bool) -> tuple[Choice[str], ...]:
    """Return the calls that can be typed, by whether calza can be called."""
    return (DOUBT, EXACT) if calza else (CALL, NO_EXACT)


def _call(talk: Talk) -> Outcome[Happening]:
    turn = talk.fact("turn", lambda state: state.turn)
    player = talk.player("player", movers=lambda state: (state.mover,))
    calza = talk.setup.calza
    kind = talk.pick(
        "kind",
        calls_to_choose(calza=calza),
        what="'dudo' or 'calza'" if calza else "'dudo'",
        hinted=(DOUBT, EXACT) if calza else (CALL,),
    )
    standing = talk.by_rules(lambda state: state.standing)
    if kind == DUDO and standing is not None:
        named = talk.pick(
            "doubted",
            talk.people(talk.setup.players),
            what="a player",
            implied=always(END),
            hinted=(),
        )
        if named is not END and named != standing.player:
            wrong = f"the bid is {person(standing.player)}'s, not {person(named)}'s"
            # Behind "dudo" a name may also be that of who shows dice: then dice follow.
            (talk.unclear if talk.ended() else talk.refuse)(wrong, "doubted")
    if talk.by_rules(lambda state: state.standing is None):
        talk.refuse("there is no bid to be called yet", "kind")
    if kind == CALZA and talk.by_rules(lambda state: not state.setup.calza):
        talk.refuse("calza cannot be called: it is an option of the setup", "kind")
    talk.words("All show:", "show", "all show", "all showed", "showed", "shows")
    shown = _shown(talk, talk.fact("numbers", lambda state: state.now.dice))
    bare = Call(turn=turn, player=player, kind=kind, dice=shown)
    verdict = talk.fact("verdict", lambda state: _verdict(state, bare))
    talk.words(".")
    if verdict is not None:
        talk.words(_verdict_in_words(player, verdict))
    return Outcome(msgspec.structs.replace(bare, verdict=verdict), {})


def _shown(talk: Talk, numbers: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """What all show, in any order. Dice without a name are those of the next player still open."""
    own = {player: _own_dice(talk, player, number) for player, number in numbers.items()}
    left = sorted(numbers, key=lambda player: own[player] is not None)
    shown: dict[str, tuple[int, ...]] = {}
    asked: set[str] = set()
    while left:
        if shown:
            talk.words(";", short="" if own[left[0]] else ";")
        # Others may be named before the one whose turn it is to be told: each has its own place.
        place = f"for {left[0]}"
        while place in asked:
            place += " again"
        asked.add(place)
        player = talk.pick(
            place,
            talk.people(numbers),
            what="a player",
            ask="Who shows the next dice?",
            implied=always(left[0]),
            hinted=talk.people(left),
        )
        if player in shown:
            talk.refuse(f"the dice of {person(player)} are told already", place)
        shown[player] = _dice(
            talk,
            f"dice({player})",
            numbers[player],
            ask=f"What do the dice of {person(player)} show?",
            known=own[player],
        )
        mine = own[player]
        if mine is not None and shown[player] != mine:
            threw = " ".join(map(str, mine))
            talk.impossible(f"{person(player)} threw {threw}: expected these dice", place)
        left = [other for other in left if other != player]
    return {player: shown[player] for player in numbers}


def _verdict(state: State, call: Call) -> Verdict | None:
    public = _followed(state, Outcome(call, {})).public
    assert isinstance(public, Call)
    return public.verdict


def _verdict_in_words(caller: str, verdict: Verdict) -> str:
    bid = faces_in_words(verdict.quantity, verdict.face)
    count = f"{'is' if verdict.count == 1 else 'are'} {verdict.count}"
    told = f"{person(verdict.bidder)} bid {bid}; there {count}: "
    told += f"{person(caller)} is {'right' if verdict.right else 'wrong'}"
    if verdict.loser is not None:
        return f"{told}, and {person(verdict.loser)} loses a die."
    if verdict.gainer is not None:
        return f"{told}, and {person(verdict.gainer)} regains a die."
    return f"{told}, and nobody loses a die."


def _values_of_call(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Call)
    return {
        "turn": public.turn,
        "player": public.player,
        "kind": public.kind,
        "numbers": {player: len(dice) for player, dice in public.dice.items()},
        "verdict": public.verdict,
        **{f"for {player}": player for player in public.dice},
        **{f"dice({player})": dice for player, dice in public.dice.items()},
    }


# ---- a throw -------------------------------------------------------------------------------------


def _throw(talk: Talk) -> Outcome[Happening]:
    turn = talk.fact("turn", lambda state: state.turn)
    now = talk.fact("round", lambda state: state.now)
    if now.fixed:
        talk.words("Palifico.")
    thrown = ("throw", "throws", "threw", "all throw", "rolls", "roll", "rolled")
    talk.words("All throw:", *thrown)
    secret: dict[str, str] = {}
    for player, number in now.dice.items():
        name = dice_name(player)
        if not (talk.sees(player) and talk.known(name)):
            continue
        if secret:
            talk.words(";", short=";")
        own = players_to_choose([player], talk.seat)[0]
        talk.words(person(player), *own.also, *own.loosely)
        talk.words("", *thrown)
        whose = "your dice" if player == talk.seat else f"the dice of {person(player)}"
        dice = _dice(talk, name, number, ask=f"What do {whose} show?")
        secret[name] = " ".join(map(str, dice))
    if not secret:
        left = ", ".join(f"{person(player)} {number}" for player, number in now.dice.items())
        talk.words(f"{left} dice")
    talk.words(".")
    talk.words(f"{person(now.first)} begins.")
    return Outcome(Rolled(turn=turn, round=now), secret)


def _values_of_throw(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Rolled)
    dice = {name: tuple(map(int, told.split())) for name, told in outcome.secret.items()}
    return {"turn": public.turn, "round": public.round, **dice}


# ---- the first throw -----------------------------------------------------------------------------


def _hand(talk: Talk) -> tuple[str, ...]:
    player = talk.seat
    assert player is not None
    talk.words(f"{person(player)} throws")
    dice = _dice(talk, "dice", talk.setup.dice, ask=f"What do the dice of {person(player)} show?")
    talk.words(".")
    return tuple(map(str, dice))


HAND: Phrase[Setup] = Phrase(
    tuple,
    _hand,
    lambda setup, dice: {"dice": tuple(map(int, dice))},
    typed={"12256": "the dice of the first throw"},
)

PHRASES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Bid,
        _bid,
        _values_of_bid,
        when=lambda state: not state.open and state.result is None,
        typed={
            "bob 3 fours": "a bid",
            "3x4": "the same: it is Bob's turn",
            "3 4": "the same",
        },
    ),
    Phrase(
        Call,
        _call,
        _values_of_call,
        when=lambda state: not state.open and state.result is None,
        typed={
            "bob dudo; ann 12256; cath 334": "a call, and what the others show; your own dice "
            "need not be told",
            "dudo 12256; 334": "the same: in the order of the seats",
            "dudo": "only the call: the dice can follow, one player after another",
            "calza": "a call where that is an option",
        },
    ),
    Phrase(
        Rolled,
        _throw,
        _values_of_throw,
        when=lambda state: state.open and state.result is None,
        typed={"26115": "your dice of a new round"},
    ),
)
