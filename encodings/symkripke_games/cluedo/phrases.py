"""What is said of the events of Cluedo: for printing and for reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.play import Outcome
from symkripke.play.dealing import location
from symkripke.play.editions import Piece
from symkripke.play.phrases import (
    Choice,
    Phrase,
    Speech,
    always,
    pieces_to_choose,
    seated,
)
from symkripke.play.rules import Decision
from symkripke.play.words import person
from symkripke_games.cluedo.editions import CATEGORIES, ENVELOPE
from symkripke_games.cluedo.rules import (
    CLASSIC,
    Accusation,
    Happening,
    NoAccusation,
    NoSuggestion,
    Setup,
    State,
    Suggestion,
    Triple,
    shown,
)

Talk = Speech[Setup, State]


def cards_of_categories(talk: Speech[Setup, Any], name: str, ask: str) -> Triple:
    """A suspect, a weapon and a room, in any order; printed in this one."""
    categories = talk.setup.edition.categories
    kinds = {card.id: kind for kind, cards in enumerate(categories) for card in cards}
    named: dict[int, str] = {}
    for number in range(len(CATEGORIES)):
        left = [kind for kind in range(len(CATEGORIES)) if kind not in named]
        if number:
            talk.words(",", "in the", "with the", "in", "with", "and")
        what = [CATEGORIES[kind].removesuffix("s") for kind in left]
        card = talk.pick(
            f"{name} {number + 1}",
            [choice for kind in left for choice in pieces_to_choose(categories[kind])],
            what=listed([f"a {kind}" for kind in what]).replace(" and ", " or "),
            ask=f"And which {' and which '.join(what)}?" if number else ask,
        )
        named[kinds[card]] = card
    return named[0], named[1], named[2]


# ---- a suggestion ---------------------------------------------------------------------------


def _suggestion(talk: Talk) -> Outcome[Happening]:
    turn = talk.fact("turn", lambda state: state.upcoming.turn)
    order = talk.fact("order", lambda state: state.upcoming.asked)
    asker = talk.player(
        "player",
        movers=lambda state: (state.upcoming.mover,),
        passed="no suggestion",
    )
    talk.words(
        "asks for",
        *("asks", "ask", "ask for", "asked", "asked for", "suggests", "suggest", "suggested"),
        *("says", "say", "said", "wants", "want", "wanted"),
        short=":",
    )
    cards = cards_of_categories(talk, "cards", f"What does {person(asker)} ask for?")
    talk.words(".", short=";")
    passes, shower = _answers(talk, asker, order, cards)
    secret = {}
    if shower is None:
        talk.words("Nobody shows a card.")
        talk.complete("all have answered")
    else:
        card = _shown(talk, asker, shower, cards)
        if card is not None:
            secret[shown(turn)] = card
        talk.words(".")
    public = Suggestion(turn=turn, player=asker, cards=cards, passes=passes, shower=shower)
    return Outcome(public, secret)


PASSES: Choice[bool] = Choice(
    False,
    "passes.",
    ("-", "passes", "pass", "passed", "no", "nope", "none", "nothing", "has none", "shows nothing"),
)
SHOWS: Choice[bool] = Choice(True, "shows", ("!", "show", "showed", "shown", "yes"))
NOBODY: Choice[str] = Choice(
    "",
    "All pass.",
    (
        "nobody",
        *("nobody shows a card", "nobody shows", "nobody showed", "nobody has it"),
        *("none", "no one", "all passed", "everybody passes"),
    ),
)
# What is printed if all pass stands behind their answers; so it is no title here.


def _answers(
    talk: Talk, asker: str, order: Sequence[str], cards: Triple
) -> tuple[tuple[str, ...], str | None]:
    """Who passes, and who shows a card then. Who is left out before somebody else has passed."""
    number = 0
    passed: list[str] = []
    while number < len(order):
        who = talk.pick(
            # In short, who passes before somebody shows a card is left out.
            "shower" if talk.brief() else f"answers {number + 1}",
            [*talk.people(order[number:]), NOBODY],
            what="who answers",
            implied=always(order[number]),
            spoken=True,
            barred=_cannot_answer(talk, asker, order, number, passed),
        )
        if who == NOBODY.value:
            break
        passed.append(who)
        number = order.index(who) + 1
        shows = talk.pick(
            f"shows {number}",
            (SHOWS, PASSES),
            what="'shows' or 'passes'",
            ask=f"Does {person(who)} show a card?",
        )
        if who == talk.seat:
            _check_own_answer(talk, who, cards, f"shows {number}", shows=shows)
        if shows:
            return tuple(order[: number - 1]), who
        talk.words("", short=";")
    return tuple(order), None


def _check_own_answer(talk: Talk, who: str, cards: Triple, place: str, *, shows: bool) -> None:
    """Refuse an answer of the seat's own that its hand does not allow."""
    hand = [piece for piece in talk.setup.edition.cards if talk.own(Atom(location(piece.id), who))]
    if not hand:  # it is not known
        return
    held = [piece.title for piece in hand if piece.id in cards]
    if shows and not held:
        asked = listed([piece.title for piece in talk.setup.edition.cards if piece.id in cards])
        talk.impossible(
            f"{person(who)} has none of {asked}, so cannot show one: expected "
            f"'{person(who)} passes'",
            place,
        )
    elif held and not shows:
        talk.impossible(
            f"{person(who)} has {listed(held)}, so cannot pass: expected '{person(who)} shows'",
            place,
        )


def _cannot_answer(
    talk: Talk, asker: str, order: Sequence[str], number: int, named: Sequence[str]
) -> Mapping[Choice[str], str]:
    """Why the others cannot answer when so many have passed: those that were named, or left out."""
    following = f"; {person(order[number])} answers next"
    said = {asker: f"{person(asker)} asks, and does not answer{following}"}
    for player in order[:number]:
        later = [other for other in named if order.index(other) > order.index(player)]
        why = f"was left out before {person(later[0])}, and so passed" if later else ""
        told = "has answered already" if player in named else why
        said[player] = f"{person(player)} {told}{following}"
    return {choice: said[choice.value] for choice in talk.people(said)}


def _shown(talk: Talk, asker: str, shower: str, cards: Triple) -> str | None:
    """The card that is shown, for the two who see it."""
    titles = {card.id: card for card in talk.setup.edition.cards}
    held = [card for card in cards if talk.own(Atom(location(card), shower))]
    possible = held or [card for card in cards if not talk.own(Atom(location(card), asker))]
    if not possible:
        talk.impossible(
            f"{person(asker)} has all three cards, so {person(shower)} cannot show one: expected "
            "'nobody'",
            "shower",
        )
    only = possible[0] if len(possible) == 1 else None
    mine = talk.seat == shower
    return talk.secret(
        "shown",
        pieces_to_choose(titles[card] for card in cards),
        seen_by=(asker, shower),
        unseen="a card",
        what="the card that is shown",
        ask="Which card do you show?" if mine else f"Which card does {person(shower)} show?",
        implied=always(only),
        hinted=pieces_to_choose(titles[card] for card in possible),
    )


def _values_of_suggestion(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Suggestion)
    order = (*public.passes, *(() if public.shower is None else (public.shower,)))
    return {
        "turn": public.turn,
        "player": public.player,
        "cards": public.cards,
        "order": order,
        "answers": order,
        "shower": public.shower or NOBODY.value,
        "shows": [player == public.shower for player in order],
        "shown": outcome.secret.get(shown(public.turn)),
    }


# ---- an accusation ---------------------------------------------------------------------------

RIGHT: Choice[bool] = Choice(True, "right!", ("right", "yes", "correct", "true"))
WRONG: Choice[bool] = Choice(False, "wrong.", ("wrong", "no", "false"))


def _accusation(talk: Talk) -> Outcome[Happening]:
    player = talk.player("player", movers=_accusers)
    turn = talk.fact(
        "turn", lambda state: state.turn if player == state.mover else state.upcoming.turn
    )
    talk.words("accuses", "accuse", "accused", needed=True)
    cards = cards_of_categories(
        talk, "cards", f"Whom does {person(player)} accuse, with what, and where?"
    )
    talk.words(":", short=":")
    right = talk.pick(
        "right", (RIGHT, WRONG), what="'right' or 'wrong'", ask="Is the accusation right or wrong?"
    )
    secret = {}
    looks = not right and talk.setup.rules == CLASSIC and talk.seat == player
    if looks and talk.known("envelope"):
        # Told by the accuser itself, who has looked into the envelope.
        talk.words("In the envelope:", "envelope", "the envelope has", short="envelope")
        inside = cards_of_categories(talk, "envelope", "Which cards are in the envelope?")
        talk.words(".")
        secret = {location(card): ENVELOPE for card in inside}
    public = Accusation(turn=turn, player=player, cards=cards, right=right)
    return Outcome(public, secret)


def _accusers(state: State) -> Sequence[str]:
    """Who may accuse now: whose turn it is, or who is next, and does not suggest first."""
    return tuple(dict.fromkeys((state.mover, state.upcoming.mover)))


def _values_of_accusation(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Accusation)
    inside = [
        card.id for card in setup.edition.cards if outcome.secret.get(location(card.id)) == ENVELOPE
    ]
    return {
        "turn": public.turn,
        "player": public.player,
        "cards": public.cards,
        "right": public.right,
        "envelope": inside or None,
    }


# ---- turns without -----------------------------------------------------------------------------


def _no_suggestion(talk: Talk) -> Outcome[Happening]:
    turn = talk.fact("turn", lambda state: state.upcoming.turn)
    player = talk.player("player", movers=lambda state: (state.upcoming.mover,))
    talk.words(
        "makes no suggestion.",
        *("no suggestion", "makes none", "made no suggestion", "made none", "skips", "skipped"),
        *("asks nothing", "asked nothing", "suggests nothing", "suggested nothing"),
        needed=True,
    )
    return Outcome(NoSuggestion(turn=turn, player=player), {})


def _no_accusation(talk: Talk) -> Outcome[Happening]:
    turn = talk.fact("turn", lambda state: state.turn)
    player = talk.player("player", movers=lambda state: (state.mover,))
    talk.words(
        "does not accuse.",
        *("no accusation", "did not accuse", "silent", "is silent", "was silent"),
        needed=True,
    )
    return Outcome(NoAccusation(turn=turn, player=player), {})


def _values_of_silence(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    return {"turn": outcome.public.turn, "player": outcome.public.player}


# ---- the deal ----------------------------------------------------------------------------------


def _hand(talk: Talk) -> tuple[str, ...]:
    player = talk.seat
    assert player is not None
    hand = talk.setup.hands[talk.setup.players.index(player)]
    talk.words(f"{person(player)} was dealt")
    cards = talk.several(
        "cards",
        pieces_to_choose(talk.setup.edition.cards),
        hand if isinstance(hand, int) else sum(hand),
        what="a card",
        ask=f"Which cards was {person(player)} dealt?",
    )
    talk.words(".")
    return cards


HAND: Phrase[Setup] = Phrase(
    tuple, _hand, lambda setup, cards: {"cards": cards}, typed={"rope, hall, white": "the cards"}
)


# ---- examples ------------------------------------------------------------------------------------


_CARDS = (("green", "white"), ("rope",), ("study", "hall"))
"""The cards of the examples, by category."""


def example_names(state: State, decision: Decision | None) -> dict[str, str]:
    """The names for examples: Plum asks, Scarlett and Mustard are the next; cards of the edition.

    Who shows a card is told one that it can show.
    """
    setup = state.setup
    found = seated(("Plum", "Scarlett", "Mustard"), setup.players, state.upcoming.mover)
    for names, cards in zip(_CARDS, setup.edition.categories, strict=True):
        titles = {name: _titled(name, cards) for name in names}
        left = iter([card.title for card in cards if card.title not in titles.values()])
        for name in names:
            # A title as the examples write it stays as it is.
            found[name.title()] = name.title() if titles[name] else next(left, "")
    if decision is not None and decision.kind == "show" and decision.options:
        found["Rope"] = next(
            card.title for card in setup.edition.cards if card.id == decision.options[0].card
        )
    return found


def _titled(name: str, cards: Iterable[Piece]) -> str:
    """The title of the card that has this word; empty if there is none."""
    words = ((card.title, card.title.casefold().split(" ")) for card in cards)
    return next((title for title, parts in words if name in parts), "")


# ---- all of them ---------------------------------------------------------------------------------


def _may_suggest(state: State) -> bool:
    return state.upcoming.phase == "act"


PHRASES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Suggestion,
        _suggestion,
        _values_of_suggestion,
        when=_may_suggest,
        typed={
            "plum: green rope study; scarlett -; mustard !": "a suggestion; Scarlett passes, "
            "Mustard shows a card",
            "plum: green rope study; mustard !": "the same: the players between Plum and Mustard "
            "pass",
            "plum: green rope study; mustard !rope": "the same, if you saw the card",
            "plum: green rope study; nobody": "all pass",
            "plum: green rope study": "only the question: its answers can follow, one by one",
        },
    ),
    Phrase(
        Accusation,
        _accusation,
        _values_of_accusation,
        when=lambda state: state.result is None,
        typed={"plum accuses green rope study: wrong": "an accusation; right or wrong"},
    ),
    Phrase(
        NoSuggestion,
        _no_suggestion,
        _values_of_silence,
        when=_may_suggest,
        typed={"plum: no suggestion": "a turn without a suggestion"},
    ),
    Phrase(
        NoAccusation,
        _no_accusation,
        _values_of_silence,
        when=lambda state: state.phase == "accuse" and state.mover in state.setup.accusers,
        typed={
            "plum: no accusation": "with the option silence_speaks: the turn ends without an "
            "accusation"
        },
    ),
)
