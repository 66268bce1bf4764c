"""The events and moves of Perudo, each with its sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from symkripke.errors import RuleError
from symkripke.language import Atom
from symkripke.play import Decision, Outcome, View
from symkripke.play.acts import (
    END,
    Act,
    Check,
    Choice,
    Given,
    Part,
    Slot,
    Then,
    Words,
    always,
    everybody,
    move_act,
    mover,
    numbers_to_choose,
    players_to_choose,
    several,
)
from symkripke.play.acts import Said as BaseSaid
from symkripke.play.menu import Action, alone
from symkripke.play.menu import Part as MenuPart
from symkripke.play.people import People
from symkripke.play.words import person
from symkripke_games.perudo.bidding import Offer
from symkripke_games.perudo.players.basic import Situation
from symkripke_games.perudo.rules import (
    CALZA,
    DUDO,
    Bid,
    Call,
    Doubt,
    Happening,
    Raise,
    Rolled,
    Round,
    State,
    Verdict,
)
from symkripke_games.perudo.throws import Setup, dice_name, die_name
from symkripke_games.perudo.words import dice_in_words, faces_in_words

Said: TypeAlias = BaseSaid[Setup]
PerudoView = View[Setup, Happening]


# ---- dice ----------------------------------------------------------------------------------------


def _dice(
    name: str, number: int, setup: Setup, ask: str, known: Sequence[int] | None = None
) -> tuple[Part, ...]:
    """Return the parts for this number of dice, in any order, with or without spaces."""
    faces = numbers_to_choose(1, setup.faces)
    # If a die has more than nine faces, "12" could be one die or two.
    die = Slot(name, faces, what="a die", ask=ask, glued=setup.faces <= 9)
    return (
        several(
            die,
            number,
            twice=True,
            between=("", ""),
            implied=None if known is None else lambda said, place: known[place],
            after=f"there {'is' if number == 1 else 'are'} only {dice_in_words(number)}",
        ),
        Given(name, lambda said: tuple(sorted(said[name]))),
    )


def _own_dice(said: Said, player: str, number: int) -> tuple[int, ...] | None:
    """Return the faces of the player's dice; None if they are unknown."""
    dice = []
    for die in range(1, number + 1):
        faces = range(1, said.setup.faces + 1)
        seen = [face for face in faces if said.own(Atom(die_name(player, die), str(face)))]
        if not seen:
            return None
        dice += seen
    return tuple(sorted(dice))


def _followed(state: State, event: Bid | Call) -> Any:
    """Return the event with its derived parts, or unchanged if the rules forbid it.

    The error is reported later, when the event is entered, because an earlier entry may be wrong.
    """
    with suppress(RuleError):
        return state.with_derived_parts(Outcome(event, {})).public
    return event


# ---- a bid ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BidsToHint:
    """The legal bids in a position.

    Attributes:
        least: the least quantity for each face on which a bid is legal.
        most: the number of dice in play.
    """

    least: Mapping[int, int]
    most: int

    def quantities(self) -> tuple[Choice[int], ...]:
        """Return choices of the quantities that can be bid on some face."""
        return numbers_to_choose(min(self.least.values(), default=self.most + 1), self.most)

    def faces(self, quantity: int, faces: int) -> tuple[Choice[int], ...]:
        """Return choices of the faces on which this quantity can be bid."""
        return tuple(
            choice
            for choice in faces_to_choose(quantity, faces)
            if self.least.get(choice.value, quantity + 1) <= quantity
        )


def bids_to_hint(decision: Decision | None, now: Round) -> BidsToHint | None:
    """Return the legal bids of a decision; None if it offers no bids or calls."""
    options = None if decision is None else decision.options
    if not options:
        return None
    least = {option.face: option.quantity for option in options if isinstance(option, Raise)}
    return BidsToHint(least, sum(now.dice.values()))


def faces_to_choose(quantity: int, faces: int) -> tuple[Choice[int], ...]:
    """Return choices of faces for a number of dice: "six" or "sixes"."""
    choices = []
    for face in range(1, faces + 1):
        one, many = (faces_in_words(number, face).partition(" ")[2] for number in (1, 2))
        names = dict.fromkeys((str(face), one, many, f"{face}s", f"{face}'s", f"{one}s"))
        more = ("one", "ones", "1s", "1's") if face == 1 else ()
        title = one if quantity == 1 else many
        choices.append(Choice(face, title, (*names, *more)))
    return tuple(choices)


def _most(said: Said) -> int:
    return said.setup.dice * len(said.setup.players)


def _now(said: Said) -> Round:
    return Situation.of(said.state).now if said.is_move else said.state.now


def _standing(said: Said) -> Bid | Offer | None:
    """Return the standing bid, which can be called; None without one."""
    return Situation.of(said.state).standing if said.is_move else said.state.standing


def _hints(said: Said) -> BidsToHint | None:
    return bids_to_hint(said.state.decision, _now(said))


def _quantities(said: Said) -> Sequence[Choice[int]] | None:
    bids = _hints(said)
    return None if bids is None else bids.quantities()


def _faces(said: Said) -> Sequence[Choice[int]] | None:
    bids = _hints(said)
    return None if bids is None else bids.faces(said["quantity"], said.setup.faces)


def _bid_or_call(said: Said) -> str:
    """Return the prompt for a bid, or for a bid or a call if there is a standing bid."""
    calls = " or calza" if said.setup.calza else ""
    return f"What {said.does} bid" + (f", or is it dudo{calls}?" if _standing(said) else "?")


def _of_which(said: Said) -> str:
    bids = "" if said.is_move else f"{person(said.me)} bids "
    return f"{bids}{said['quantity']} of which face?"


_DICE: tuple[Part, ...] = (
    Slot(
        "quantity",
        lambda said: numbers_to_choose(1, _most(said)),
        what=lambda said: f"a number of dice from 1 to {_most(said)}",
        ask=_bid_or_call,
        hinted=_quantities,
    ),
    Words("", ("x", "times", "dice of", "dice that show")),
    Slot(
        "face",
        lambda said: faces_to_choose(said["quantity"], said.setup.faces),
        what="a face",
        ask=_of_which,
        hinted=_faces,
    ),
    Words("."),
)
"""The parts for a number of dice with one face."""


def _claim(said: Said) -> Any:
    named = {name: said[name] for name in ("turn", "player", "quantity", "face")}
    return _followed(said.state, Bid(**named)).claim


BID: Act[Setup] = Act(
    Bid,
    (
        *mover(),
        Words(
            "bids",
            ("bid", "says", "say", "said", "bidded", "raises to", "raise to", "raised to"),
        ),
        *_DICE,
        Given("claim", _claim),
    ),
    when=lambda state: not state.open and state.result is None,
    typed={
        "ann 3 fours": "a bid",
        "3x4": "the same: it is Ann's turn",
        "3 4": "the same",
    },
)

# ---- a call --------------------------------------------------------------------------------------

_SAYS = ("calls", "says", "call", "called", "said")


def _called(*words: str) -> tuple[str, ...]:
    """Return these words for a call, with and without verbs such as "calls" before them."""
    return (*words, *(f"{says} {word}" for word in words for says in _SAYS))


_DOUBT: Choice[str] = Choice(
    DUDO,
    "doubts it: dudo!",
    (
        *_called("dudo!", "dudo", "liar!", "liar"),
        *("doubts", "doubts it", "doubt", "doubt it", "doubted", "doubted it"),
    ),
)
_EXACT: Choice[str] = Choice(
    CALZA,
    "says it is exact: calza!",
    (*_called("calza!", "calza", "exact", "exactly"), "it is exact", "says it is exact"),
)
_CALL: Choice[str] = replace(
    _DOUBT,
    also=(*_DOUBT.also, "call", "call!", "call it", "calls", "calls it", "called", "called it"),
)
"""The doubt in a game without calza, in which every call is a doubt."""
_NO_EXACT: Choice[str] = Choice(CALZA, "calza!", ("calza", "calls calza", "says calza"))
"""Calza in a game without it, which is recognised only in order to give a helpful error."""

_KIND: tuple[Part, ...] = (
    Slot(
        "kind",
        lambda said: (_DOUBT, _EXACT) if said.setup.calza else (_CALL, _NO_EXACT),
        what=lambda said: "'dudo' or 'calza'" if said.setup.calza else "'dudo'",
        hinted=lambda said: (_DOUBT, _EXACT) if said.setup.calza else (_CALL,),
    ),
    Check("kind", lambda said: None if _standing(said) else "there is no bid to call yet"),
    Check("kind", lambda said: _NO_CALZA if _is_no_option(said) else None),
)
_NO_CALZA = "calza cannot be called: this game was set up without it"


def _is_no_option(said: Said) -> bool:
    return bool(said["kind"] == CALZA and not said.setup.calza)


def _doubted(said: Said) -> Sequence[Part]:
    """Return the part for the player whose bid is doubted, which people may omit."""
    if said.is_printed or said["kind"] != DUDO or said.state.standing is None:
        return ()
    doubted = Slot("doubted", everybody, what="a player", implied=always(END), hinted=())
    # A name after "dudo" may instead be the player who shows dice, if dice follow.
    return (doubted, Check("doubted", _not_its_bid, is_unclear=lambda said: said.ends))


def _not_its_bid(said: Said) -> str | None:
    named, bidder = said["doubted"], said.state.standing.player
    if named is END or named == bidder:
        return None
    return f"the bid is {person(bidder)}'s, not {person(named)}'s"


def _shown(said: Said, shown: Sequence[str] = (), asked: frozenset[str] = frozenset()) -> Any:
    """Return the parts for the shown dice, in any order of players.

    Dice without a name belong to the next player.

    Args:
        said: the values so far.
        shown: the players whose dice have been named.
        asked: the names of the slots for players so far.
    """
    numbers = said["numbers"]
    own = {player: _own_dice(said, player, number) for player, number in numbers.items()}
    left = sorted((p for p in numbers if p not in shown), key=lambda p: own[p] is not None)
    if not left:
        return (Given("dice", lambda said: {p: said[f"dice({p})"] for p in numbers}),)
    # Other players may be named before this player, so each slot needs its own name.
    place = f"for {left[0]}"
    while place in asked:
        place += " again"

    def dice(said: Said) -> Sequence[Part]:
        player = said[place]
        mine, name = own[player], f"dice({player})"
        problem = f"the dice of {person(player)} are already entered"
        threw = " ".join(map(str, mine or ()))
        wrong = f"{person(player)} threw {threw}: expected these dice"
        ask = f"What do the dice of {person(player)} show?"
        return (
            Check(place, problem if player in shown else None),
            *_dice(name, numbers[player], said.setup, ask, mine),
            Check(
                place,
                lambda said: wrong if mine not in (None, said[name]) else None,
                is_denied=True,
            ),
            Then(lambda said: _shown(said, (*shown, player), asked | {place})),
        )

    named = Slot(
        place,
        said.people(numbers),
        what="a player",
        ask="Who shows the next dice?",
        implied=always(left[0]),
        hinted=said.people(left),
    )
    between = (Words(";", short="" if own[left[0]] else ";"),) if shown else ()
    return (*between, named, Then(dice))


def _verdict(said: Said) -> Verdict | None:
    named = {name: said[name] for name in ("turn", "player", "kind", "dice")}
    verdict: Verdict | None = _followed(said.state, Call(**named)).verdict
    return verdict


def _verdict_in_words(said: Said) -> Sequence[Part]:
    verdict, caller = said["verdict"], said["player"]
    if verdict is None:
        return ()
    bid = faces_in_words(verdict.quantity, verdict.face)
    count = f"{'is' if verdict.count == 1 else 'are'} {verdict.count}"
    words = f"{person(verdict.bidder)} bid {bid}; there {count}: "
    words += f"{person(caller)} is {'right' if verdict.right else 'wrong'}"
    if verdict.loser is not None:
        return (Words(f"{words}, and {person(verdict.loser)} loses a die."),)
    if verdict.gainer is not None:
        return (Words(f"{words}, and {person(verdict.gainer)} regains a die."),)
    return (Words(f"{words}, and nobody loses a die."),)


def _places_of_call(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Call)
    return {
        "numbers": {player: len(dice) for player, dice in public.dice.items()},
        **{f"for {player}": player for player in public.dice},
        **{f"dice({player})": dice for player, dice in public.dice.items()},
    }


CALL: Act[Setup] = Act(
    Call,
    (
        *mover(),
        *_KIND,
        Then(_doubted),
        Words("All show:", ("show", "all show", "all showed", "showed", "shows")),
        Given("numbers", lambda said: said.state.now.dice),
        Then(_shown),
        Given("verdict", _verdict),
        Words("."),
        Then(_verdict_in_words),
    ),
    more=_places_of_call,
    when=lambda state: not state.open and state.result is None,
    typed={
        "ann dudo; bob 12256; cath 334": "a call, and the dice that the others show; you can "
        "omit your own dice",
        "dudo 12256; 334": "the same, in seat order",
        "dudo": "only the call; you can enter the dice for one player after another",
        "calza": "a call, if the option is set",
    },
)

# ---- a throw -------------------------------------------------------------------------------------

_THROWN = ("throw", "throws", "threw", "all throw", "rolls", "roll", "rolled")


def _throws(said: Said) -> Sequence[Part]:
    """Return the parts for the dice that the seat sees, or else for the numbers of dice."""
    now: Round | None = said["round"]
    if now is None:  # a log may omit the round
        return (Words("All throw.", _THROWN),)
    parts: list[Part] = [Words("Palifico.")] if now.fixed else []
    parts.append(Words("All throw:", _THROWN))
    seen = [who for who in now.dice if said.sees(who) and said.tells(dice_name(who))]
    for who in seen:
        if who != seen[0]:
            parts.append(Words(";", short=";"))
        own = players_to_choose([who], said.seat)[0]
        whose = "your dice" if who == said.seat else f"the dice of {person(who)}"
        parts += [
            Words(person(who), (*own.also, *own.loosely)),
            Words("", _THROWN),
            *_dice(dice_name(who), now.dice[who], said.setup, f"What do {whose} show?"),
        ]
    if not seen:
        left = ", ".join(f"{person(who)} {number}" for who, number in now.dice.items())
        parts.append(Words(f"{left} dice"))
    return (*parts, Words("."), Words(f"{person(now.first)} begins."))


def _places_of_throw(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    return {name: tuple(map(int, dice.split())) for name, dice in outcome.secret.items()}


def _thrown(said: Said) -> Mapping[str, str]:
    names = [dice_name(player) for player in said["round"].dice]
    return {name: " ".join(map(str, said[name])) for name in names if said.get(name)}


THROW: Act[Setup] = Act(
    Rolled,
    (
        Given("turn", lambda said: said.state.turn),
        Given("round", lambda said: said.state.now),
        Then(_throws),
    ),
    secret=_thrown,
    more=_places_of_throw,
    when=lambda state: state.open and state.result is None,
    typed={"26115": "your dice for a new round"},
)
ACTS: tuple[Act[Setup], ...] = (BID, CALL, THROW)

# ---- the first throw -----------------------------------------------------------------------------


def _first_dice(said: Said) -> Sequence[Part]:
    ask = f"What do the dice of {person(said.seat)} show?"
    return _dice("dice", said.setup.dice, said.setup, ask)


HAND: Act[Setup] = Act(
    tuple,
    (Words(lambda said: f"{person(said.seat)} throws"), Then(_first_dice), Words(".")),
    made=lambda said: tuple(map(str, said["dice"])),
    more=lambda setup, dice: {"dice": tuple(map(int, dice))},
    typed={"12256": "the dice of the first throw"},
)

# ---- moves of people -----------------------------------------------------------------------------


def least_bid(situation: Situation, face: int) -> int | None:
    """Return the least quantity that the player may bid on a face; None if no bid is legal."""
    alone_with_one = situation.now.dice.get(situation.me) == 1
    return situation.manner.least(situation.standing, face, free=alone_with_one)


def _cannot_bid(said: Said) -> str:
    return _forbidden(Situation.of(said.state), Offer(said["quantity"], said["face"]))


def _forbidden(situation: Situation, bid: Offer) -> str:
    """Return the reason why a bid is illegal, in words; empty if it is legal."""
    most, standing = sum(situation.now.dice.values()), situation.standing
    if bid.quantity > most:
        return f"there are only {most} dice in play"
    least = least_bid(situation, bid.face)
    if least is None and standing is None:
        return "no round is opened with a bid on aces"
    if least is None:
        assert standing is not None
        fixed = faces_in_words(2, standing.face).partition(" ")[2]
        return f"the face is fixed in a palifico round: bid on {fixed}"
    if bid.quantity < least:
        assert standing is not None
        problem = f"{faces_in_words(*bid)} is not a higher bid than {faces_in_words(*standing)}"
        if least > most:
            return f"{problem}; there are not enough dice for a higher bid on this face"
        return f"{problem}: at least {faces_in_words(least, bid.face)}"
    return ""


def _bids(view: PerudoView) -> list[Action]:
    """Return one action for the bids on each face."""
    situation = Situation.of(view)
    most = sum(situation.now.dice.values())
    actions = []
    for face in range(1, view.setup.faces + 1):
        least = least_bid(situation, face)
        if least is not None and least <= most:
            part = MenuPart("quantity", "How many?", numbers_to_choose(least, most))
            title = f"bid {faces_in_words(2, face).partition(' ')[2]}"
            actions.append(Action(title, partial(Raise, face=face), (part,)))
    return actions


def _calls(view: PerudoView) -> list[Action]:
    options = () if view.decision is None else view.decision.options or ()
    return [alone(option.kind, option) for option in options if isinstance(option, Doubt)]


class _PerudoPeople(People[Setup, Happening]):
    moves = (
        move_act(
            Raise,
            Words("bids", ("bid", "says", "say", "raises to", "raise to")),
            *_DICE,
            Check("quantity", _cannot_bid),
            at="bid",
            typed={"3 fours": "a bid", "3x4": "the same", "3 4": "the same"},
            offered=_bids,
            stop="",
        ),
        move_act(
            Doubt,
            *_KIND,
            at="bid",
            typed={
                "dudo": "you doubt the bid: all show their dice",
                "calza": "where it is an option",
            },
            offered=_calls,
            stop="",
        ),
    )

    def ask(self, view: PerudoView, actions: Sequence[Action]) -> str:
        """Return the question whether to bid, or to bid higher or call."""
        bid = Situation.of(view).standing
        if bid is None:
            return "What do you bid?"
        return f"Do you bid higher than {faces_in_words(bid.quantity, bid.face)}, or call it?"

    def note(self, view: PerudoView) -> str:
        """Return the player's dice, and the numbers of dice of the others, in words."""
        situation = Situation.of(view)
        dice = " ".join(map(str, situation.own))
        others = ", ".join(f"{person(who)} has {n}" for who, n in situation.others.items())
        wild = "; aces count as any face" if situation.now.wild else ""
        return f"Your dice show {dice}; {others}{wild}."


PEOPLE = _PerudoPeople()
