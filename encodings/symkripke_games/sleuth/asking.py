"""A question and its answer as parts of a sentence, for an event or a person's move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.play import Outcome
from symkripke.play.acts import (
    END,
    Check,
    Choice,
    Flag,
    Given,
    Part,
    Slot,
    Then,
    Unseen,
    Words,
    a_player,
    always,
    fold,
    pieces_to_choose,
)
from symkripke.play.acts import Said as BaseSaid
from symkripke.play.dealing import location
from symkripke.play.editions import Piece
from symkripke.play.words import person
from symkripke_games.sleuth.gems import FREE, Elements
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.naming import cards_to_choose, gems_to_choose, how_many
from symkripke_games.sleuth.players.basic import row_of
from symkripke_games.sleuth.rules import NOTHING, SOME, Ask, AskLast, Question
from symkripke_games.sleuth.setup import STUDY, Setup, answer_name

Said: TypeAlias = BaseSaid[Setup]

_NO_MORE: Choice[Any] = Choice(END, "")
"""The end of a list, for which people type nothing."""

ASKS = Words("asks", ("ask", "asked"), short=":")


def row(said: Said) -> Sequence[str]:
    """Return the question cards in front of the asker; empty if they are not recorded."""
    if said.is_move:
        return row_of(said.state) or ()
    deck = said.state.deck
    return () if deck is None else deck.rows[said["player"]]


# ---- who is asked --------------------------------------------------------------------------------


WHOM = a_player(
    "asked",
    among=lambda said: said.setup.after(said.me),
    ask=lambda said: f"Whom {said.does} ask?",
    itself="ask",
)

# ---- for which gems ------------------------------------------------------------------------------


def _element(said: Said, first: str | None = None) -> Sequence[Part]:
    """Return the part for the first element, or for an element of another kind than `first`."""
    kinds = zip(("a colour", "a type", "a quantity"), said.setup.edition.kinds, strict=True)
    left = {what: kind for what, kind in kinds if first not in [element.id for element in kind]}
    named = () if first is None else (first,)
    elements = [element for kind in left.values() for element in kind]

    def hinted(said: Said) -> Sequence[Choice[str]]:
        cards = () if said.get("last") else row(said)
        if not cards or FREE in cards:
            return pieces_to_choose(elements)
        able = [set(card.split(" ")) for card in cards]
        return pieces_to_choose(e for e in elements if any({e.id, *named} <= card for card in able))

    slot = Slot(
        "element 1",
        _elements_to_choose(elements),
        what=listed(list(left)).replace(" and ", " or "),
        ask=lambda said: f"For which gems {said.does} ask {person(said['asked'])}?",
        hinted=hinted,
    )
    if not named:
        return (slot,)
    choices = (*_elements_to_choose(elements), _NO_MORE)
    return (replace(slot, name="element 2", choices=choices, implied=always(END)),)


def _elements_to_choose(elements: Sequence[Piece]) -> tuple[Choice[str], ...]:
    """Return choices of elements by title, also in the plural: "diamonds"."""
    return tuple(
        replace(choice, loosely=(f"{fold(choice.title)}s",))
        for choice in pieces_to_choose(elements)
    )


def _in_order(said: Said) -> Elements:
    """Return the named elements, in the order of the kinds."""
    named = (said["element 1"], said["element 2"])
    kinds = said.setup.edition.kinds
    return tuple(element.id for kind in kinds for element in kind if element.id in named)


FOR_GEMS: tuple[Part, ...] = (
    Words("for"),
    Then(_element),
    Then(lambda said: _element(said, said["element 1"])),
    Given("elements", _in_order),
    Words("gems", ("gem",)),
)
"""The parts for one element, or for two elements of different kinds in any order.

They are printed in the order of the kinds. A last question, with the value "last", needs no
question card.
"""

# ---- with which question card --------------------------------------------------------------------


def _exact(said: Said) -> str:
    """Return the question card for exactly these gems."""
    return " ".join(said["elements"])


def _not_there(said: Said) -> str | None:
    """Return an error message if the asker does not have the question card, else None."""
    exact, cards = _exact(said), row(said)
    if said["card"] in cards:
        return None
    titles = {choice.value: choice.title for choice in cards_to_choose(said.setup.edition)}
    lacking = "no free choice" if exact in cards else f"no question card for {titles[exact]}"
    if not said.is_move:
        return f"{lacking} lies before {person(said['player'])}"
    gems = "" if exact in cards else " gems"
    mine = listed([titles[card] for card in cards])
    return f"you have {lacking}{gems}: your cards are {mine}"


WITH_CARD: tuple[Part, ...] = (
    Flag(
        "free",
        "with a free choice",
        ("free", "with free", "free choice", "with a free choice card"),
        implied=lambda said: _exact(said) not in row(said),
    ),
    Given("card", lambda said: FREE if said["free"] else _exact(said)),
    Check("element 1", _not_there),
)
"""The parts for the used question card: the card for exactly these gems, or a free choice."""

# ---- the answer ----------------------------------------------------------------------------------

_UNTOLD = "what they have"
"""The words for shown gems that the record does not contain."""

_FEW = range(1, 4)
"""The numbers of places where naming an unseen gem gives a helpful error."""

_SHOWS = ("shows", "show", "showed", "sees", "saw")
_COUNTED = Words("", ("gems", "gem"))


def _answer(said: Said) -> Sequence[Part]:
    """Return the parts for the announced number, and for the shown gems that the seat sees."""
    asker, asked, study = said["player"], said["asked"], said.setup.rules == STUDY
    if len(said["elements"]) == 1 and not study:
        return (Words(":"), _number("have", "0"))
    me = said.people([asked])[0].loosely
    mine = (f"{who} {verb}" for who in me for verb in _SHOWS)
    shows = Words(f". {person(asked)} shows", (*_SHOWS, *mine))
    if said.sees(asker, asked) and said["told"]:
        return (shows, *_shown(said))
    gems, who = _gems(said), listed([person(asker), person(asked)])

    def unseen(name: str, number: int, text: str = "") -> Unseen:
        return Unseen(f"{name} {number}", text, gems, who)

    if study:
        return (shows, *(unseen("shown", n, _UNTOLD if n == 1 else "") for n in _FEW))
    return (
        shows,
        *(unseen("seen", n) for n in _FEW),
        _number("show", "no gem"),
        Then(lambda said: [unseen("shown", n + 1) for n in range(said["number"])]),
        _COUNTED,
    )


ANSWER: tuple[Part, ...] = (Given("told", always(True)), Then(_answer))
"""The parts for the answer to a question with the values "player", "asked" and "elements"."""


def gems_told(said: Said) -> Mapping[str, str]:
    """Return the secret of an answer, for the players who see the gems: the shown gems."""
    shown = {location(gem): said["asked"] for gem in _named(said)}
    if said.setup.rules != STUDY:
        return shown
    # The record of the asked player need not name the shown gems, because that player knows them.
    seen = {answer_name(said["turn"]): SOME if shown else NOTHING, **shown}
    return seen if said.sees(said["player"]) else {}


def _named(said: Said) -> list[str]:
    """Return the named gems."""
    named = [value for name, value in said.values.items() if name.startswith("shown ")]
    return [gem for gem in said.setup.edition.matching(said["elements"]) if gem in named]


def _gems(said: Said) -> tuple[Choice[str], ...]:
    """Return the choices of requested gems."""
    edition, elements = said.setup.edition, said["elements"]
    matching = edition.matching(elements)
    return gems_to_choose([gem for gem in edition.gems if gem.id in matching], elements)


def _numbers(said: Said, none: str) -> list[Choice[int]]:
    """Return the choices for a number of requested gems."""
    edition = said.setup.edition
    return how_many(edition, len(edition.matching(said["elements"])), none)


def _number(verb: str, none: str) -> Slot:
    """Return the slot for the number of gems that the asked player has or shows."""

    def ask(said: Said) -> str:
        what = asked_for(said.setup.edition, said["elements"])
        return f"How many {what} does {person(said['asked'])} {verb}?"

    def implied(said: Said) -> int | None:
        gems = _known(said)
        return None if gems is None else len(gems)

    choices = partial(_numbers, none=none)
    return Slot("number", choices, what="how many", ask=ask, implied=implied)


def _known(said: Said, number: int | None = None) -> list[str] | None:
    """Return the asked player's gems, or None if they do not follow from the seat's observations.

    Args:
        said: the values so far.
        number: the number of gems, if it is known.
    """
    setup, asked = said.setup, said["asked"]
    gems = setup.edition.matching(said["elements"])
    sure = [gem for gem in gems if said.own(Atom(location(gem), asked))]
    possible = sure
    if sum(said.own(Atom(location(gem.id), asked)) for gem in setup.edition.gems) < setup.hand:
        elsewhere = [place for place in setup.places if place != asked]
        possible = [
            gem
            for gem in gems
            if gem not in said.state.up
            and not any(said.own(Atom(location(gem), place)) for place in elsewhere)
        ]
    if len(possible) == len(sure) or number == len(sure):
        return sure
    return possible if number == len(possible) else None


# ---- the gems, for the two who see them ----------------------------------------------------------


def _shown(said: Said) -> Sequence[Part]:
    """Return the parts for the shown gems, or for their number followed by the gems.

    The asked player knows their own gems, and need not name them.
    """
    is_own, study = _is_own(said), said.setup.rules == STUDY
    untold = (Choice(_UNTOLD, _UNTOLD),) if is_own and study else ()

    def implied(said: Said) -> str | int | None:
        if untold:
            return _UNTOLD
        gems = _known(said)
        if gems is None:
            return None
        return len(gems) if is_own else next(iter(gems), 0)

    first = Slot(
        "shown 1",
        [*_gems(said), *_numbers(said, "no gem"), *untold],
        what="a gem that is shown, or how many",
        ask=_which(said),
        implied=implied,
    )
    last = Check("shown 1", _not_so) if study else Given("number", _number_shown)
    return (first, Then(_behind_first), last)


def _is_own(said: Said) -> bool:
    """Return whether the player at this seat is the asked player."""
    return bool(said.seat == said["asked"])


def _not_so(said: Said) -> str | None:
    """Return an error message if the gems contradict the asked player's hand, else None."""
    is_told = _is_own(said) and said["shown 1"] != _UNTOLD
    if not is_told or (_known(said) or []) == _named(said):
        return None
    return f"that is not what {person(said['asked'])} has"


def _number_shown(said: Said) -> int:
    first = said["shown 1"]
    return first if isinstance(first, int) else len(_named(said))


def _which(said: Said) -> str:
    """Return the prompt for the shown gems."""
    who = "do you" if _is_own(said) else f"does {person(said['asked'])}"
    return f"Which {asked_for(said.setup.edition, said['elements'])} {who} show?"


def _behind_first(said: Said) -> Sequence[Part]:
    """Return the parts that follow the first gem or the number."""
    first = said["shown 1"]
    if isinstance(first, int):
        is_all = not first or (_is_own(said) and said.setup.rules != STUDY)
        return (_COUNTED, *(() if is_all else _so_many(first)))
    return () if first == _UNTOLD else _more(said, 2)


def _left(said: Said, place: int) -> list[Choice[str]]:
    """Return the choices of gems that are not named before this slot."""
    before = _before(said, place)
    return [choice for choice in _gems(said) if choice.value not in before]


def _before(said: Said, place: int) -> list[Any]:
    """Return the values of the slots before this one: gems, or a number and gems."""
    return [said[f"shown {number}"] for number in range(1, place)]


def _so_many(number: int) -> Sequence[Part]:
    """Return the parts for the gems that follow their number."""

    def gem(filled: int) -> Slot:
        def implied(said: Said) -> str | None:
            return next(iter((_known(said, number) or [])[filled:]), None)

        more = f" ({number - filled} more)" if filled else ""
        return Slot(
            f"shown {filled + 2}",
            lambda said: _left(said, filled + 2),
            what="a gem that is shown",
            ask=lambda said: _which(said) + more,
            implied=implied,
        )

    return (Words("", ("sees", "shows", "see", "show")), *map(gem, range(number)))


def _more(said: Said, place: int) -> Sequence[Part]:
    """Return the parts for the remaining gems, from this slot on, after a named first gem."""
    total = said.count("shown")  # includes the end of the list
    if total is not None and place >= total:
        return ()
    name, before = f"shown {place}", _before(said, place)

    def implied(said: Said) -> str:
        shown = _known(said) or []
        return next(iter(shown[place - 1 :]), END) if shown[: place - 1] == before else END

    return (
        Words("and" if total in (None, place + 1) else ","),
        Slot(name, [*_left(said, place), _NO_MORE], what="a gem that is shown", implied=implied),
        Then(lambda said: () if said[name] is END else _more(said, place + 1)),
    )


# ---- the places ----------------------------------------------------------------------------------


def places_asked(setup: Setup, asks: Ask | AskLast | Question) -> Mapping[str, Any]:
    """Return the values of a question: the elements in order, and whether a free choice is used."""
    free = not isinstance(asks, AskLast) and asks.card == FREE
    return {"element": (*asks.elements, END), "free": free}


def places_answered(setup: Setup, outcome: Outcome[Question]) -> Mapping[str, Any]:
    """Return the values of an answer: the shown gems, or none, if the record contains them."""
    question = outcome.public
    matching = setup.edition.matching(question.elements)
    gems = [gem for gem in matching if location(gem) in outcome.secret]
    if gems or question.number == 0 or answer_name(question.turn) in outcome.secret:
        return {"told": True, "shown": [*gems, END] if gems else [0]}
    return {"told": False}
