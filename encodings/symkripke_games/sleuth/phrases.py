"""The sentences for the events of Sleuth: for printing and for reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from symkripke.play.phrases import (
    END,
    Choice,
    Phrase,
    Speech,
    always,
    fold,
    pieces_to_choose,
)

from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.play import Outcome
from symkripke.play.dealing import location
from symkripke.play.editions import Piece
from symkripke.play.words import person
from symkripke_games.sleuth.answers import NO_MORE, Talk, answer
from symkripke_games.sleuth.gems import FREE, HIDDEN, TABLE, Elements
from symkripke_games.sleuth.naming import cards_to_choose, gems_to_choose
from symkripke_games.sleuth.rules import (
    Declaration,
    Happening,
    Opening,
    Question,
    State,
)
from symkripke_games.sleuth.setup import ROW, STUDY, Setup, answer_name


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
                ask=talk.asked_on(ask, choices, found, number),
                implied=always(implied(place)),
            )
        )
    talk.complete(f"{number} are told already")
    return tuple(found)


# ---- the opening -------------------------------------------------------------------------------


def _opening(talk: Talk) -> Outcome[Happening]:
    setup = talk.setup
    up: tuple[str, ...] = ()
    if setup.left:
        talk.words("Face up:", "face up", "up", "face up are", "face up is")
        known = [gem.id for gem in setup.edition.gems if talk.own(Atom(location(gem.id), TABLE))]
        up = _listed(
            talk,
            "up",
            gems_to_choose(setup.edition.gems),
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
    named = talk.people([player])[0]
    talk.words(f"{person(player)} may ask for", person(player), player, *named.loosely)
    ask = f"Which question cards lie before {person(player)}?"
    cards: list[str] = []
    for place in range(ROW):
        if place:
            talk.words(";", short=",")
        card = talk.pick(
            f"row {player} {place + 1}",
            cards_to_choose(talk.setup.edition),
            what="a question card",
            ask=talk.asked_on(
                ask + " ('-' if you do not write them down)" * first,
                cards_to_choose(talk.setup.edition),
                cards,
                ROW,
            ),
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
    row = None if last else talk.by_rules(lambda state: _row_of(state, asker))
    asks = f"For which gems does {person(asker)} ask {person(asked)}?"
    elements = elements_named(talk, row, asks)
    talk.words("gems", "gem")
    card = _card(talk, asker, elements) if _has_cards(talk) and not last else None
    number, secret = answer(talk, turn, asker, asked, elements)
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


def elements_named(talk: Speech[Setup, Any], row: Sequence[str] | None, ask: str) -> Elements:
    """One element, or two of different kinds, in any order; printed in the order of the kinds.

    Args:
        talk: the sentence that names the elements.
        row: the question cards that the asker can use; None or empty: any card.
        ask: the prompt for the first element.
    """
    kinds = talk.setup.edition.kinds
    names = ("a colour", "a type", "a quantity")
    free = not row or FREE in row
    wanted = {element for card in row or () for element in card.split(" ")}
    every = [element for kind in kinds for element in kind]
    first = talk.pick(
        "element",
        _elements_to_choose(every),
        what=_either(names),
        ask=ask,
        hinted=pieces_to_choose(e for e in every if free or e.id in wanted),
    )
    number = next(n for n, kind in enumerate(kinds) if first in {element.id for element in kind})
    others = [element for n, kind in enumerate(kinds) if n != number for element in kind]
    second = talk.pick(
        "more",
        [*_elements_to_choose(others), NO_MORE],
        what=_either([name for n, name in enumerate(names) if n != number]),
        implied=always(END),
        hinted=pieces_to_choose(
            e for e in others if free or any({first, e.id} == set(c.split(" ")) for c in row or ())
        ),
    )
    found = {first} if second is END else {first, second}
    return tuple(element.id for element in every if element.id in found)


def _elements_to_choose(elements: Sequence[Piece]) -> tuple[Choice[str], ...]:
    """Colours, types and quantities by title, also for several gems: "diamonds"."""
    return tuple(
        replace(choice, loosely=(f"{fold(choice.title)}s",))
        for choice in pieces_to_choose(elements)
    )


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
    choices = cards_to_choose(talk.setup.edition)
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
        talk.people(talk.setup.players),
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
        gems_to_choose(talk.setup.edition.gems),
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
            gems_to_choose(talk.setup.edition.gems),
            what="the hidden gem",
            ask="Which gem is hidden?",
        )
        talk.words(".")
        secret = {location(hidden): HIDDEN}
    public = Declaration(turn=turn, player=player, gem=gem, right=right, instead=instead)
    return Outcome(public, secret)


def _verdict(talk: Talk, state: State, gem: str) -> bool | None:
    """Whether a declaration of the gem is right, if the seat can conclude that; else None."""
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
        gems_to_choose(talk.setup.edition.gems),
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
