"""What is said of the events of Sleuth: for printing and for reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from symkripke.language import Atom
from symkripke.play import Outcome
from symkripke.play.dealing import location
from symkripke.play.phrases import (
    END,
    FILLERS,
    Choice,
    Phrase,
    Speech,
    always,
    fold,
    numbers_to_choose,
    pieces_to_choose,
    players_to_choose,
)
from symkripke.play.words import listed, person
from symkripke_games.sleuth.gems import FREE, HIDDEN, TABLE, Edition, Elements, Gem
from symkripke_games.sleuth.rules import (
    NOTHING,
    SOME,
    Declaration,
    Happening,
    Opening,
    Question,
    State,
)
from symkripke_games.sleuth.setup import ROW, STUDY, Setup, answer_name

Talk = Speech[Setup, State]

UNTOLD = "what it has"
"""What is shown, where the record does not tell it."""

_FEW = 3
"""So many gems may be named by who does not see them, before it is no more understood."""

NO_MORE: Choice[Any] = Choice(END, "")
"""The end of a list: nothing is typed for it."""


# ---- gems and question cards -------------------------------------------------------------------


def _gems_to_choose(gems: Sequence[Gem], asked_for: Elements = ()) -> tuple[Choice[str], ...]:
    """Gems by title or by letters; if all have two elements, by the third one, too."""
    found = []
    for gem in gems:
        others = [element for element in gem.elements if element not in asked_for]
        third = others if len(others) == 1 else ()
        found.append(Choice(gem.id, gem.title, (gem.id, *third), "the"))
    return tuple(found)


@cache
def _cards_to_choose(edition: Edition) -> tuple[Choice[str], ...]:
    """Question cards by title, or by letters: "rd" for Red Diamond, "pe" for Pearl."""
    titles = edition.titles
    codes = _codes(edition)
    found = [
        Choice(
            " ".join(asked),
            " ".join(titles[element] for element in asked),
            (*codes.get(asked, ()), " ".join(asked).replace("_", " ")),
        )
        for asked in edition.questions
    ]
    return (*found, Choice(FREE, "free choice", (FREE,), "a"))


def _codes(edition: Edition) -> Mapping[Elements, tuple[str, ...]]:
    """For each question the fewest letters that tell it from others, if these are letters alone."""
    ids = [element.id for kind in edition.kinds for element in kind]
    least = {
        name: next(
            name[:length]
            for length in range(1, len(name) + 1)
            if length == len(name) or sum(other.startswith(name[:length]) for other in ids) == 1
        )
        for name in ids
    }
    codes = {asked: "".join(least[element] for element in asked) for asked in edition.questions}
    taken = {*ids, FREE, *FILLERS}
    plain = [code for code in codes.values() if code.isalpha() and code not in taken]
    return {asked: (code,) for asked, code in codes.items() if plain.count(code) == 1}


def _listed(
    talk: Talk,
    name: str,
    choices: Sequence[Choice[str]],
    number: int,
    *,
    ask: str,
    implied: Callable[[int], str | None],
) -> tuple[str, ...]:
    """So many gems: "the A, the B and the C"."""
    found: list[str] = []
    for place in range(number):
        if place:
            talk.words("and" if place == number - 1 else ",")
        found.append(
            talk.pick(
                f"{name} {place + 1}",
                [choice for choice in choices if choice.value not in found],
                what="a gem",
                ask=f"{ask} ({number - place} more)" if place else ask,
                implied=always(implied(place)),
            )
        )
    return tuple(found)


# ---- the opening -------------------------------------------------------------------------------


def _opening(talk: Talk) -> Outcome[Happening]:
    setup = talk.setup
    up: tuple[str, ...] = ()
    if setup.left:
        talk.words("Face up:", "face up", "up")
        known = [gem.id for gem in setup.edition.gems if talk.own(Atom(location(gem.id), TABLE))]
        up = _listed(
            talk,
            "up",
            _gems_to_choose(setup.edition.gems),
            setup.left,
            ask="Which gems lie face up?" if setup.left > 1 else "Which gem lies face up?",
            implied=lambda place: known[place] if len(known) == setup.left else None,
        )
        talk.words(".", short=";")
    rows: dict[str, tuple[str, ...]] = {}
    if not talk.flag(
        "unwritten",
        "Question cards are not written down.",
        "-",
        "not written down",
        "no question cards",
        "none",
        "no",
    ):
        rows = {player: _row(talk, player) for player in setup.players}
    return Outcome(Opening(turn=0, up=up, rows=rows), {})


def _row(talk: Talk, player: str) -> tuple[str, ...]:
    """The question cards before a player."""
    first = player == talk.setup.players[0]
    talk.words(f"{person(player)} may ask for", person(player), player)
    ask = f"Which question cards lie before {person(player)}?"
    cards = []
    for place in range(ROW):
        if place:
            talk.words(";", short=",")
        card = talk.pick(
            f"row {player} {place + 1}",
            _cards_to_choose(talk.setup.edition),
            what="a question card",
            ask=f"{ask} ({ROW - place} more)"
            if place
            else ask + " ('-' if you do not write them down)" * first,
            separated=True,
        )
        cards.append(card)
    talk.words(".", short="" if player == talk.setup.players[-1] else ";")
    return tuple(cards)


def _values_of_opening(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Opening)
    rows = {f"row {player}": row for player, row in public.rows.items()}
    return {"up": public.up, "unwritten": not public.rows, **rows}


# ---- a question --------------------------------------------------------------------------------


def _question(talk: Talk) -> Outcome[Happening]:
    setup = talk.setup
    turn = talk.fact("turn", lambda state: _asking(state).turn)
    asker = talk.player("player", movers=lambda state: (_asking(state).mover,), ask="Who asks?")
    talk.words("asks", "ask", "asked", short=":")
    asked = talk.player("asked", among=setup.after(asker), ask=f"Whom does {person(asker)} ask?")
    if asked == asker:
        talk.refuse(f"{person(asker)} cannot ask itself", "asked")
    last = talk.flag("last", "as a last question", "last", "last question")
    talk.words("for")
    elements = _elements(talk, asker, asked, last=last)
    talk.words("gems", "gem")
    card = _card(talk, asker, elements) if _has_cards(talk) and not last else None
    number, secret = _answer(talk, turn, asker, asked, elements)
    talk.words(".")
    drawn = None if card is None else _drawn(talk, asker, card)
    public = Question(
        turn=turn,
        player=asker,
        asked=asked,
        elements=elements,
        number=number,
        card=card,
        drawn=drawn,
        last=last,
    )
    return Outcome(public, secret)


def _asking(state: State) -> State:
    """The position in which the next question is asked."""
    return state.in_turn(state.turn + 1)


def _has_cards(talk: Talk) -> bool:
    """Whether question cards are written down."""
    return talk.fact("cards", lambda state: state.deck is not None)


def _row_of(state: State, player: str) -> tuple[str, ...]:
    return () if state.deck is None else state.deck.rows[player]


def _elements(talk: Talk, asker: str, asked: str, *, last: bool) -> Elements:
    """One element, or two of different kinds, in any order; printed in the order of the kinds."""
    kinds = talk.setup.edition.kinds
    names = ("a colour", "a type", "a quantity")
    row = None if last else talk.by_rules(lambda state: _row_of(state, asker))
    free = not row or FREE in row
    wanted = {element for card in row or () for element in card.split(" ")}
    every = [element for kind in kinds for element in kind]
    first = talk.pick(
        "element",
        pieces_to_choose(every),
        what=_either(names),
        ask=f"For which gems does {person(asker)} ask {person(asked)}?",
        hinted=pieces_to_choose(e for e in every if free or e.id in wanted),
    )
    number = next(n for n, kind in enumerate(kinds) if first in {element.id for element in kind})
    others = [element for n, kind in enumerate(kinds) if n != number for element in kind]
    second = talk.pick(
        "more",
        [*pieces_to_choose(others), NO_MORE],
        what=_either([name for n, name in enumerate(names) if n != number]),
        implied=always(END),
        hinted=pieces_to_choose(
            e for e in others if free or any({first, e.id} == set(c.split(" ")) for c in row or ())
        ),
    )
    found = {first} if second is END else {first, second}
    return tuple(element.id for element in every if element.id in found)


def _either(names: Sequence[str]) -> str:
    return listed(names).replace(" and ", " or ")


def _card(talk: Talk, asker: str, elements: Elements) -> str:
    """The question card that is used: the one for these gems if it is there, or a free choice."""
    exact = " ".join(elements)
    free = talk.flag(
        "free",
        "with a free choice",
        "free",
        "with free",
        "free choice",
        implied=lambda state: state.deck is not None and exact not in _row_of(state, asker),
    )
    row = talk.by_rules(lambda state: _row_of(state, asker))
    if row is not None and (FREE if free else exact) not in row:
        what = " ".join(talk.setup.edition.titles[element] for element in elements)
        for_it = "no free choice" if exact in row else f"no question card for {what}"
        talk.refuse(f"{for_it} lies before {person(asker)}", "element")
    return FREE if free else exact


def _drawn(talk: Talk, asker: str, card: str) -> str:
    """The question card that is drawn; it follows when all have been seen before."""
    drawable = talk.by_rules(lambda state: _drawable(state, asker, card))
    choices = _cards_to_choose(talk.setup.edition)
    talk.words(f"{person(asker)} draws", "+", "draws", "draw", "drew", short="+")
    drawn = talk.pick(
        "drawn",
        choices,
        what="a question card",
        ask=f"Which question card does {person(asker)} draw?",
        implied=lambda state: _only(_drawable(state, asker, card)),
        hinted=None if drawable is None else [c for c in choices if c.value in drawable],
    )
    talk.words(".")
    return drawn


def _drawable(state: State, asker: str, card: str) -> Sequence[str]:
    """The question cards that can be drawn when this one has been used."""
    if state.deck is None or card not in state.deck.rows[asker]:
        return ()
    return state.deck.use(asker, card).next


def _only(cards: Sequence[str]) -> str | None:
    return cards[0] if len(set(cards)) == 1 else None


# ---- its answer --------------------------------------------------------------------------------


def _answer(
    talk: Talk, turn: int, asker: str, asked: str, elements: Elements
) -> tuple[int | None, Mapping[str, str]]:
    """The number that is said, and what is told of the gems that are shown."""
    study = talk.setup.rules == STUDY
    gems = talk.setup.edition.matching(elements)
    what = " ".join(talk.setup.edition.titles[element] for element in elements)
    if len(elements) == 1 and not study:
        talk.words(":")
        number = talk.pick(
            "number",
            _numbers(talk.setup.edition, len(gems), "0"),
            what="how many",
            ask=f"How many {what} gems does {person(asked)} have?",
            implied=lambda state: _number(_Known(talk, state, asked, gems)),
        )
        return number, {}
    talk.words(f". {person(asked)} shows", "shows", "show", "sees")
    told = talk.sees(asker, asked) and talk.fact("told", always(True))
    if told:
        shown = _shown(talk, asked, elements)
        if not isinstance(shown, tuple):
            return shown, {}
        if study and talk.seat == asked:
            # Its record does not say what it has shown: who is asked knows that.
            if talk.by_rules(lambda state: set(_Known(talk, state, asked, gems).sure)) != set(
                shown
            ):
                talk.refuse(f"that is not what {person(asked)} has", "shown 1")
            return None, {}
        secret = {location(gem): asked for gem in gems if gem in shown}
        if study:
            secret = {answer_name(turn): SOME if shown else NOTHING, **secret}
        return None if study else len(shown), secret
    named = _gems_to_choose([gem for gem in talk.setup.edition.gems if gem.id in gems], elements)
    who = listed([person(asker), person(asked)])
    if study:
        for place in range(_FEW):
            talk.unseen(f"shown {place + 1}", "" if place else UNTOLD, named, who)
        return None, {}
    for place in range(_FEW):
        talk.unseen(f"seen {place + 1}", "", named, who)
    number = talk.pick(
        "number",
        _numbers(talk.setup.edition, len(gems), "no gem"),
        what="how many",
        ask=f"How many {what} gems does {person(asked)} show?",
        implied=lambda state: _number(_Known(talk, state, asked, gems)),
    )
    for place in range(number):
        talk.unseen(f"shown {place + 1}", "", named, who)
    return number, {}


def _numbers(edition: Edition, most: int, none: str) -> list[Choice[int]]:
    """How many gems; a word that is the title of an element is none of a number."""
    zero = Choice(0, none, ("0", "-", "no", "none", "nothing", "no gems", "zero"))
    taken = {fold(element.title) for kind in edition.kinds for element in kind}
    return [
        replace(choice, also=tuple(form for form in choice.also if form not in taken))
        for choice in (zero, *numbers_to_choose(1, most))
    ]


class _Known:
    """What the seat has seen of some gems: which of them a player has, and which it may have."""

    def __init__(self, talk: Talk, state: State, player: str, gems: Sequence[str]) -> None:
        others = [place for place in talk.setup.places if place != player]
        self.sure = [gem for gem in gems if talk.own(Atom(location(gem), player))]
        self.possible = list(self.sure)
        whole = [gem for gem in talk.setup.edition.gems if talk.own(Atom(location(gem.id), player))]
        if len(whole) < talk.setup.hand:
            self.possible = [
                gem
                for gem in gems
                if gem not in state.up
                and not any(talk.own(Atom(location(gem), place)) for place in others)
            ]

    def shown(self, number: int | None = None) -> Sequence[str] | None:
        """The gems that the player has, if that follows, or follows from how many they are."""
        if len(self.possible) == len(self.sure) or number == len(self.sure):
            return self.sure
        return self.possible if number == len(self.possible) else None


def _number(known: _Known) -> int | None:
    return len(known.sure) if len(known.possible) == len(known.sure) else None


def _shown(talk: Talk, asked: str, elements: Elements) -> tuple[str, ...] | int | None:
    """The gems that are shown, for the two who see them.

    Who is asked knows its gems, and need not tell them: then how many they are, or None where
    that is not told, either.
    """
    setup = talk.setup
    gems = setup.edition.matching(elements)
    named = _gems_to_choose([gem for gem in setup.edition.gems if gem.id in gems], elements)
    own = talk.seat == asked
    untold: list[Choice[Any]] = [Choice(UNTOLD, UNTOLD)] if own and setup.rules == STUDY else []
    what = " ".join(setup.edition.titles[element] for element in elements)
    who = "do you" if own else f"does {person(asked)}"

    def implied(state: State) -> str | int | None:
        known = _Known(talk, state, asked, gems)
        if own:
            return UNTOLD if untold else _number(known)
        shown = known.shown()
        if shown is None:
            return None
        return shown[0] if shown else 0

    first: str | int = talk.pick(
        "shown 1",
        [*named, *_numbers(setup.edition, len(gems), "no gem"), *untold],
        what="a gem that is shown, or how many",
        ask=f"Which {what} gems {who} show?",
        implied=implied,
    )
    if first == UNTOLD:
        return None
    if isinstance(first, int) and own and not untold:
        return first
    if first == 0:
        return ()
    if isinstance(first, int):
        return _so_many(talk, asked, gems, named, first, f"{what} gems {who} show")
    return _more(talk, asked, gems, named, first)


def _so_many(
    talk: Talk,
    asked: str,
    gems: Sequence[str],
    named: Sequence[Choice[str]],
    number: int,
    what: str,
) -> tuple[str, ...]:
    """The gems that are shown, where it is typed first how many."""
    shown = talk.by_rules(lambda state: _Known(talk, state, asked, gems).shown(number)) or ()
    talk.words("", "sees", "shows", "see", "show")
    found: list[str] = []
    for place in range(number):
        found.append(
            talk.pick(
                f"shown {place + 2}",
                [choice for choice in named if choice.value not in found],
                what="a gem that is shown",
                ask=f"Which {what}? ({number - place} more)" if place else f"Which {what}?",
                implied=always(shown[place] if place < len(shown) else None),
            )
        )
    return tuple(found)


def _more(
    talk: Talk, asked: str, gems: Sequence[str], named: Sequence[Choice[str]], first: str
) -> tuple[str, ...]:
    """The other gems that are shown, where the first is named."""
    found = [first]

    def implied(state: State) -> str:
        shown = _Known(talk, state, asked, gems).shown() or ()
        goes_on = len(shown) > len(found) and list(shown[: len(found)]) == found
        return shown[len(found)] if goes_on else END

    total = talk.count("shown")
    while total is None or len(found) < total - 1:
        talk.words("and" if total in (None, len(found) + 2) else ",")
        gem = talk.pick(
            f"shown {len(found) + 1}",
            [*(choice for choice in named if choice.value not in found), NO_MORE],
            what="a gem that is shown",
            implied=implied,
        )
        if gem is END:
            break
        found.append(gem)
    return tuple(found)


def _values_of_question(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Question)
    gems = [
        gem for gem in setup.edition.matching(public.elements) if location(gem) in outcome.secret
    ]
    told = gems or public.number == 0 or answer_name(public.turn) in outcome.secret
    return {
        "turn": public.turn,
        "player": public.player,
        "asked": public.asked,
        "last": public.last,
        "element": public.elements[0],
        "more": public.elements[1] if len(public.elements) > 1 else END,
        "free": public.card == FREE,
        "number": public.number,
        "cards": public.card is not None,
        "drawn": public.drawn,
        "told": bool(told),
        **({"shown": [*gems, END] if gems else [0]} if told else {}),
    }


# ---- a declaration -----------------------------------------------------------------------------

RIGHT: Choice[bool] = Choice(True, "right!", ("right", "yes", "correct", "true"))
WRONG: Choice[bool] = Choice(False, "wrong.", ("wrong", "no", "false"))


def _declaration(talk: Talk) -> Outcome[Happening]:
    player = talk.pick(
        "player",
        players_to_choose(talk.setup.players),
        what="a player",
        implied=lambda state: state.mover if state.phase == "last" else None,
        spoken=True,
    )
    talk.pick(
        "does",
        (Choice(True, "declares", ("declares", "declare", "declared")),),
        what="'declares'",
        ask=f"What does {person(player)} do?",
        # After a last question nothing else can happen.
        implied=lambda state: state.phase == "last" or None,
        spoken=True,
    )
    gem = talk.pick(
        "gem",
        _gems_to_choose(talk.setup.edition.gems),
        what="a gem",
        ask=f"Which gem does {person(player)} declare?",
    )
    instead = talk.flag(
        "instead",
        "instead of asking",
        "instead",
        implied=lambda state: state.phase == "ask" and player == state.mover,
    )
    turn = talk.fact("turn", lambda state: _asking(state).turn if instead else state.turn)
    talk.words(":", short=":")
    right = talk.pick(
        "right",
        (RIGHT, WRONG),
        what="'right' or 'wrong'",
        ask="Is that right or wrong?",
        implied=lambda state: _verdict(talk, state, gem),
    )
    secret = {}
    looks = not right and talk.setup.rules != STUDY and talk.seat == player
    if looks and talk.known("hidden"):
        # Told by who has declared, and looked at the hidden gem.
        talk.words("Hidden:", "hidden", "it is", "sees", short="hidden")
        hidden = talk.pick(
            "hidden",
            _gems_to_choose(talk.setup.edition.gems),
            what="the hidden gem",
            ask="Which gem is hidden?",
        )
        talk.words(".")
        secret = {location(hidden): HIDDEN}
    public = Declaration(turn=turn, player=player, gem=gem, right=right, instead=instead)
    return Outcome(public, secret)


def _verdict(talk: Talk, state: State, gem: str) -> bool | None:
    """Whether a declaration of the gem is right, if that follows from what the seat has seen."""
    if talk.setup.rules == STUDY or talk.own(Atom(location(gem), HIDDEN)):
        return True
    elsewhere = any(
        talk.own(Atom(location(gem), place)) for place in talk.setup.places if place != HIDDEN
    )
    return False if elsewhere or gem in state.up else None


def _values_of_declaration(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Declaration)
    hidden = [gem.id for gem in setup.edition.gems if location(gem.id) in outcome.secret]
    return {
        "turn": public.turn,
        "player": public.player,
        "does": True,
        "gem": public.gem,
        "instead": public.instead,
        "right": public.right,
        "hidden": hidden[0] if hidden else None,
    }


# ---- the deal ----------------------------------------------------------------------------------


def _hand(talk: Talk) -> tuple[str, ...]:
    player = talk.seat
    assert player is not None
    talk.words(f"{person(player)} was dealt")
    gems = _listed(
        talk,
        "gems",
        _gems_to_choose(talk.setup.edition.gems),
        talk.setup.hand,
        ask=f"Which gems was {person(player)} dealt?",
        implied=lambda place: None,
    )
    talk.words(".")
    return gems


HAND: Phrase[Setup] = Phrase(
    tuple,
    _hand,
    lambda setup, gems: {"gems": gems},
    typed={"rps goc ydp": "the gems, by their letters or in words"},
)


# ---- all of them -------------------------------------------------------------------------------

PHRASES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Opening,
        _opening,
        _values_of_opening,
        when=lambda state: state.phase == "open",
        typed={
            "rps goc; -": "the gems that lie face up; question cards are not written down",
            "rps goc; ann: rd d gpe free; bob: ...": "and the question cards before each player, "
            "by letters or in words (`red diamond, diamond, green pearl, a free choice`)",
        },
    ),
    Phrase(
        Question,
        _question,
        _values_of_question,
        when=lambda state: state.phase in ("ask", "declare"),
        typed={
            "ann: bob red 3": "a question for one element; Bob has three",
            "ann: bob red pearl 2": "for two: others see how many gems are shown",
            "ann: bob red pearl rps rpp": "the same, if you saw the gems",
            "ann: bob red pearl -": "Bob has none",
            "ann: bob red pearl": "by the study's rules, for others; and wherever the answer "
            "follows from what you saw (your own gems, if you are asked)",
            "ann: bob red pearl 2 +gpe": "if question cards are written down: Ann draws Green "
            "Pearl for the card that she used",
            "ann: bob red pearl free 2 +gpe": "the same, if Ann used a free choice and has a "
            "card for Red Pearl, too",
            "ann: bob last red pearl 2": "a last question",
        },
    ),
    Phrase(
        Declaration,
        _declaration,
        _values_of_declaration,
        when=lambda state: state.phase in ("ask", "declare", "last"),
        typed={
            "ann declares rps: wrong": "a declaration; right or wrong",
            "ann declares rps: wrong, hidden goc": "your own: you have looked at the hidden gem",
            "ann declares rps instead: wrong": "in place of its question, on its own turn",
        },
    ),
)
