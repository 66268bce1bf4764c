"""The events and moves of Sleuth, each with its sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from symkripke.engines import Engine
from symkripke.errors import RuleError
from symkripke.language import Atom, K
from symkripke.play import Outcome
from symkripke.play.acts import (
    RIGHT_OR_WRONG,
    Act,
    Choice,
    Flag,
    Given,
    Part,
    Slot,
    Then,
    Words,
    always,
    everybody,
    hand_act,
    move_act,
    mover,
    only,
    players_to_choose,
    several,
)
from symkripke.play.dealing import location
from symkripke.play.menu import Action, choices_by_title
from symkripke.play.menu import Part as MenuPart
from symkripke.play.people import People
from symkripke.play.words import person
from symkripke_games.sleuth.asking import (
    ANSWER,
    ASKS,
    FOR_GEMS,
    WHOM,
    WITH_CARD,
    Said,
    gems_told,
    places_answered,
    places_asked,
    row,
)
from symkripke_games.sleuth.gems import FREE, HIDDEN, TABLE
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.naming import cards_to_choose, gems_to_choose
from symkripke_games.sleuth.players.basic import SleuthView, row_of
from symkripke_games.sleuth.rules import (
    Ask,
    AskLast,
    Declaration,
    Declare,
    Happening,
    Opening,
    Question,
    Silent,
    State,
)
from symkripke_games.sleuth.setup import CLASSIC, ROW, STUDY, Setup


def _gems(said: Said) -> Sequence[Choice[str]]:
    return gems_to_choose(said.setup.edition.gems)


def _question_cards(said: Said) -> Sequence[Choice[str]]:
    return cards_to_choose(said.setup.edition)


# ---- the opening ---------------------------------------------------------------------------------


def _face_up(said: Said) -> Sequence[Part]:
    number = said.setup.left
    if not number:
        return ()

    def implied(said: Said, place: int) -> str | None:
        gems = [gem.id for gem in said.setup.edition.gems]
        known = [gem for gem in gems if said.own(Atom(location(gem), TABLE))]
        return known[place] if len(known) == number else None

    ask = "Which gems lie face up?" if number > 1 else "Which gem lies face up?"
    return (
        Words("Face up:", ("face up", "up", "face up are", "face up is")),
        several(Slot("up", _gems, what="a gem", ask=ask), number, implied=implied),
        Words(".", short=";"),
    )


def _rows(said: Said) -> Sequence[Part]:
    """Return the parts for the question cards in front of each player."""
    if said["unwritten"]:
        return ()
    players = said.setup.players
    return (
        *(part for player in players for part in _row(said, player)),
        Given("rows", lambda said: {player: said[f"row {player}"] for player in players}),
    )


def _row(said: Said, player: str) -> Sequence[Part]:
    ask = f"Which question cards lie before {person(player)}?"
    if player == said.setup.players[0]:
        ask += " ('-' if you do not write them down)"
    card = Slot(f"row {player}", _question_cards, what="a question card", ask=ask, separated=True)
    me = said.people([player])[0].loosely
    return (
        Words(f"{person(player)} may ask for", (person(player), player, *me)),
        several(card, ROW, twice=True, between=(";",), short=",", after=None),
        Words(".", short=";"),
    )


def _places_of_opening(setup: Setup, outcome: Outcome[Opening]) -> Mapping[str, Any]:
    rows = outcome.public.rows
    return {"unwritten": not rows, **{f"row {player}": cards for player, cards in rows.items()}}


OPENING: Act[Setup] = Act(
    Opening,
    (
        Given("turn", always(0)),
        Then(_face_up),
        Flag(
            "unwritten",
            "Question cards are not written down.",
            ("-", "not written down", "no question cards", "none", "no"),
        ),
        Then(_rows),
    ),
    more=_places_of_opening,
    when=lambda state: state.phase == "open",
    typed={
        "rps goc; -": "the gems that lie face up; you do not record question cards",
        "rps goc; ann: rd d gpe free; bob: ...": "the gems that lie face up, and the question "
        "cards in front of each player, as codes or in words (`red diamond, diamond, green "
        "pearl, a free choice`)",
    },
)

# ---- a question ----------------------------------------------------------------------------------

_LAST = "as a last question"


def _asking(said: Said) -> State:
    """Return the state in which the next question is asked."""
    state: State = said.state
    return state.in_turn(state.turn + 1)


def _drawable(said: Said) -> Sequence[str]:
    """Return the question cards that can be drawn to replace the used card."""
    deck, asker, card = said.state.deck, said["player"], said["card"]
    return deck.use(asker, card).next if card in row(said) else ()


def _drawn(said: Said) -> Sequence[Part]:
    """Return the parts for the drawn question card, which is implied if only one is possible."""
    asker = person(said["player"])
    return (
        Words(f"{asker} draws", ("+", "draws", "draw", "drew"), short="+"),
        Slot(
            "drawn",
            _question_cards,
            what="a question card",
            ask=f"Which question card does {asker} draw?",
            implied=lambda said: only(list(dict.fromkeys(_drawable(said)))),
            hinted=lambda said: [c for c in _question_cards(said) if c.value in _drawable(said)],
        ),
        Words("."),
    )


def _if_card(*parts: Part) -> Then:
    """Return parts that a question has only if its question card is recorded."""
    return Then(lambda said: parts if said["has card"] else ())


def _places_of_question(setup: Setup, outcome: Outcome[Question]) -> Mapping[str, Any]:
    question = outcome.public
    asked, answered = places_asked(setup, question), places_answered(setup, outcome)
    return {**asked, **answered, "has card": question.card is not None}


QUESTION: Act[Setup] = Act(
    Question,
    (
        *mover("Who asks?", at=_asking),
        ASKS,
        *WHOM,
        Flag("last", _LAST, ("last", "last question")),
        *FOR_GEMS,
        Given("has card", lambda said: said.state.deck is not None and not said["last"]),
        _if_card(*WITH_CARD),
        *ANSWER,
        Words("."),
        _if_card(Then(_drawn)),
    ),
    secret=gems_told,
    more=_places_of_question,
    when=lambda state: state.phase in ("ask", "declare"),
    typed={
        "ann: bob red 3": "a question about one element; Bob has three such gems",
        "ann: bob red pearl 2": "a question about two elements; the others see how many gems Bob"
        " shows",
        "ann: bob red pearl rps rpp": "the same, if you saw the gems",
        "ann: bob red pearl -": "Bob has none",
        "ann: bob red pearl": "by the study's rules, a question to which you do not see the "
        "answer; also any question whose answer follows from what you saw (your own gems, if "
        "you are asked)",
        "ann: bob red pearl 2 +gpe": "if you record question cards: Ann draws Green Pearl for "
        "the card that she used",
        "ann: bob red pearl free 2 +gpe": "the same, if Ann used a free choice although she has "
        "a card for Red Pearl",
        "ann: bob last red pearl 2": "a last question",
    },
)

# ---- a declaration -------------------------------------------------------------------------------

_GEM = Slot(
    "gem", _gems, what="a gem", ask=lambda said: f"Which gem {said.does} declare?", column=HIDDEN
)
_DECLARES: Choice[bool] = Choice(True, "declares", ("declares", "declare", "declared"))


def _must_declare(said: Said) -> bool:
    """Return whether the mover has asked a last question, and must declare."""
    return bool(said.state.phase == "last")


def _verdict(said: Said) -> bool | None:
    """Return whether the declaration is right; None if the player at this seat cannot know."""
    gem, setup = location(said["gem"]), said.setup
    if setup.rules == STUDY or said.own(Atom(gem, HIDDEN)):
        return True
    elsewhere = any(said.own(Atom(gem, place)) for place in setup.places if place != HIDDEN)
    return False if elsewhere or said["gem"] in said.state.up else None


def _looked_at(said: Said) -> Sequence[Part]:
    """Return the parts for the hidden gem, which only the player who declared wrongly sees."""
    looks = not said["right"] and said.setup.rules != STUDY and said.seat == said["player"]
    if not (looks and said.tells("hidden")):
        return ()
    return (
        Words("Hidden:", ("hidden", "it is", "sees"), short="hidden"),
        Slot("hidden", _gems, what="the hidden gem", ask="Which gem is hidden?"),
        Words("."),
    )


def _places_of_declaration(setup: Setup, outcome: Outcome[Declaration]) -> Mapping[str, Any]:
    gems = (gem.id for gem in setup.edition.gems)
    hidden = next((gem for gem in gems if location(gem) in outcome.secret), None)
    return {"does": True, "hidden": hidden}


DECLARATION: Act[Setup] = Act(
    Declaration,
    (
        Slot(
            "player",
            everybody,
            what="a player",
            implied=lambda said: said.state.mover if _must_declare(said) else None,
            spoken=True,
        ),
        Slot(
            "does",
            (_DECLARES,),
            what="'declares'",
            ask=lambda said: f"What {said.does} do?",
            implied=lambda said: _must_declare(said) or None,
            spoken=True,
        ),
        _GEM,
        Flag(
            "instead",
            "instead of asking",
            ("instead",),
            implied=lambda said: (said.state.phase, said.state.mover) == ("ask", said["player"]),
        ),
        Given("turn", lambda said: (_asking(said) if said["instead"] else said.state).turn),
        Words(":", short=":"),
        Slot(
            "right",
            RIGHT_OR_WRONG,
            what="'right' or 'wrong'",
            ask="Is that right or wrong?",
            implied=_verdict,
        ),
        Then(_looked_at),
    ),
    secret=lambda said: {location(said["hidden"]): HIDDEN} if said.get("hidden") else {},
    more=_places_of_declaration,
    when=lambda state: state.phase in ("ask", "declare", "last"),
    typed={
        "ann declares rps: wrong": "a declaration and its result (right or wrong)",
        "ann declares rps: wrong, hidden goc": "your own declaration, after which you have "
        "looked at the hidden gem",
        "ann declares rps instead: wrong": "a declaration on the player's own turn, instead of a"
        " question",
    },
)

ACTS: tuple[Act[Setup], ...] = (OPENING, QUESTION, DECLARATION)

HAND: Act[Setup] = hand_act(
    _gems,
    what="a gem",
    many="gems",
    typed={"rps goc ydp": "the gems, by their letters or in words"},
)

# ---- moves of people -----------------------------------------------------------------------------


def _with_cards(view: SleuthView) -> list[Action]:
    """Return one action for each of the player's question cards."""
    asked, anything = _asked_and_gems(view)
    cards = {choice.value: choice.title for choice in cards_to_choose(view.setup.edition)}
    actions = []
    for card in dict.fromkeys(row_of(view) or ()):
        if card == FREE:
            make = partial(Ask, card=FREE)
            actions.append(Action("ask with a free choice card", make, (asked, anything)))
        else:
            make = partial(Ask, elements=tuple(card.split(" ")), card=card)
            actions.append(Action(f"ask with the card {cards[card]}", make, (asked,)))
    return actions


def _without_card(view: SleuthView) -> list[Action]:
    if view.setup.rules != CLASSIC:
        return []
    return [Action("ask a last question, and declare then", AskLast, _asked_and_gems(view))]


def _asked_and_gems(view: SleuthView) -> tuple[MenuPart, MenuPart]:
    """Return the parts of a question in a menu: the player to ask, and the gems."""
    edition = view.setup.edition
    titles = {asks: asked_for(edition, asks) for asks in edition.questions}
    others = players_to_choose(view.setup.after(view.player))
    return (
        MenuPart("asked", "Which player?", others, question="Whom do you ask for which gems?"),
        MenuPart("elements", "Which gems?", choices_by_title(titles)),
    )


class _SleuthPeople(People[Setup, Happening]):
    moves = (
        move_act(
            Ask,
            *(ASKS, *WHOM, *FOR_GEMS, *WITH_CARD),
            more=places_asked,
            at="ask",
            typed={
                "bob red pearl": "ask Bob for red pearls, with the question card for them; without "
                "one, with a free choice",
                "bob red pearl free": "with a free choice, though there is a card for it",
            },
            offered=_with_cards,
        ),
        move_act(
            AskLast,
            ASKS,
            Words(_LAST, ("last question", "last"), needed=True),
            Given("last", always(True)),
            *(*WHOM, *FOR_GEMS),
            more=places_asked,
            at="ask",
            typed={"last bob red pearl": "a last question, after which you must declare"},
            offered=_without_card,
        ),
        move_act(
            Silent,
            Words(
                "stays silent",
                ("silent", "stay silent", "no", "nothing", "pass", "done", "-"),
                needed=True,
            ),
            at="declare",
            typed={"no": "you do not declare"},
            title="stay silent",
        ),
        move_act(
            Declare,
            Words(
                "declares",
                ("declare", "hidden is", "it is", "hidden"),
                needed=lambda said: said.state.decision.kind != "last",
            ),
            _GEM,
            at=("ask", "declare", "last"),
            typed={"declare rps": "name the hidden gem: if you are wrong, you are out"},
            title="declare the hidden gem",
        ),
    )
    automatic_decisions = frozenset(("open", "draw"))

    def note(self, view: SleuthView) -> str:
        """Return the player's question cards."""
        assert view.decision is not None
        titles = {choice.value: choice.title for choice in cards_to_choose(view.setup.edition)}
        cards = ", ".join(titles[card] for card in row_of(view) or ())
        return f"Your question cards: {cards}." if view.decision.kind == "ask" else ""

    def check(self, view: SleuthView, move: Any, engine: Engine) -> None:
        """Raise `RuleError` if a player declares without being certain (study rules)."""
        if not isinstance(move, Declare) or view.setup.rules != STUDY:
            return
        if not engine.holds(view.perspective, K(view.player, Atom(location(move.gem), HIDDEN))):
            raise RuleError(
                "in the study's rules, only a player who is certain declares: you "
                "cannot know yet that this gem is hidden"
            )


PEOPLE = _SleuthPeople()
