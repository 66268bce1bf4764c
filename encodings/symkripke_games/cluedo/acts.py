"""The events and moves of Cluedo, each with its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.play import Outcome, View
from symkripke.play.acts import (
    RIGHT_OR_WRONG,
    Act,
    Check,
    Choice,
    Complete,
    Given,
    Part,
    Slot,
    Then,
    Words,
    a_player,
    allowed,
    always,
    hand_act,
    move_act,
    mover,
    of,
    only,
    pieces_to_choose,
    secret,
)
from symkripke.play.acts import Said as BaseSaid
from symkripke.play.dealing import location
from symkripke.play.people import People
from symkripke.play.words import person
from symkripke_games.cluedo.editions import CATEGORIES, ENVELOPE
from symkripke_games.cluedo.rules import (
    CLASSIC,
    Accusation,
    Accuse,
    Done,
    Happening,
    NoAccusation,
    NoSuggestion,
    Setup,
    Show,
    State,
    Suggest,
    Suggestion,
    shown,
)

Said: TypeAlias = BaseSaid[Setup]
CluedoView = View[Setup, Happening]


# ---- three cards ---------------------------------------------------------------------------------


def _three_cards(name: str, ask: str | Callable[[Said], str], column: str = "") -> Then:
    """Return the part for a suspect, a weapon and a room, which people can type in any order."""

    def place(said: Said, named: Mapping[int, str]) -> Sequence[Part]:
        if len(named) == len(CATEGORIES):
            return (Given(name, always((named[0], named[1], named[2]))),)
        number = len(named)
        categories = said.setup.edition.categories
        left = [kind for kind in range(len(CATEGORIES)) if kind not in named]
        left = left[:1] if said.is_menu else left
        what = [CATEGORIES[kind].removesuffix("s") for kind in left]
        slot = Slot(
            f"{name} {number + 1}",
            [choice for kind in left for choice in pieces_to_choose(categories[kind])],
            what=listed([f"a {kind}" for kind in what]).replace(" and ", " or "),
            ask=f"And which {' and which '.join(what)}?" if number else of(ask, said),
            column=column,
        )
        kinds = {card.id: kind for kind, cards in enumerate(categories) for card in cards}

        def named_now(said: Said) -> Sequence[Part]:
            card = said[slot.name]
            return place(said, {**named, kinds[card]: card})

        joined = Words(",", ("in the", "with the", "in", "with", "and"))
        return (joined, slot, Then(named_now)) if number else (slot, Then(named_now))

    return Then(lambda said: place(said, {}))


# ---- a suggestion --------------------------------------------------------------------------------

_ASKS = Words(
    "asks for",
    (
        *("asks", "ask", "ask for", "asked", "asked for", "suggests", "suggest", "suggested"),
        *("says", "say", "said", "wants", "want", "wanted"),
    ),
    short=":",
)
_ASKED = (_ASKS, _three_cards("cards", lambda said: f"What {said.does} ask for?"))
_PASSES: Choice[bool] = Choice(
    False,
    "passes.",
    ("-", "passes", "pass", "passed", "no", "nope", "none", "nothing", "has none", "shows nothing"),
)
_SHOWS: Choice[bool] = Choice(True, "shows", ("!", "show", "showed", "shown", "yes"))
_NOBODY: Choice[str] = Choice(
    "",
    "All pass.",
    (
        "nobody",
        *("nobody shows a card", "nobody shows", "nobody showed", "nobody has it"),
        *("none", "no one", "all passed", "everybody passes"),
    ),
)
# `_nobody_shows` adds the sentence for the case that all pass, after their answers.


def _answers(said: Said, named: Sequence[str] = ()) -> Sequence[Part]:
    """Return the parts for passing players and the shower; omitted players have passed.

    Args:
        said: the values so far.
        named: the players named so far, who have passed.
    """
    order = said["order"]
    number = order.index(named[-1]) + 1 if named else 0
    if number == len(order):
        return _nobody_shows(said)
    # The short form omits the players who pass before somebody shows a card.
    name = "shower" if said.is_brief else f"answers {number + 1}"
    slot = Slot(
        name,
        [*said.people(order[number:]), _NOBODY],
        what="who answers",
        implied=always(order[number]),
        spoken=True,
        barred=lambda said: _cannot_answer(said, number, named),
    )
    return (slot, Then(lambda said: _answer(said, said[name], named)))


def _answer(said: Said, who: str, named: Sequence[str]) -> Sequence[Part]:
    if who == _NOBODY.value:
        return _nobody_shows(said)
    name = f"shows {said['order'].index(who) + 1}"

    def following(said: Said) -> Sequence[Part]:
        if not said[name]:
            return (Words("", short=";"), *_answers(said, (*named, who)))
        order = said["order"]
        passes = order[: order.index(who)]
        return (Given("passes", always(passes)), Given("shower", always(who)), *_CARD_SHOWN)

    return (
        Slot(
            name,
            (_SHOWS, _PASSES),
            what="'shows' or 'passes'",
            ask=f"Does {person(who)} show a card?",
        ),
        Check(
            name,
            lambda said: _own_answer(said, who, name) if who == said.seat else None,
            is_denied=True,
        ),
        Then(following),
    )


def _nobody_shows(said: Said) -> Sequence[Part]:
    return (
        Given("passes", lambda said: said["order"]),
        Given("shower", always(None)),
        Words("Nobody shows a card."),
        Complete("all have answered"),
    )


def _own_answer(said: Said, who: str, place: str) -> str | None:
    """Return an error message if the hand at this seat forbids the answer, else None."""
    cards = said.setup.edition.cards
    hand = [piece for piece in cards if said.own(Atom(location(piece.id), who))]
    if not hand:  # the hand is unknown
        return None
    held = [piece.title for piece in hand if piece.id in said["cards"]]
    if said[place] and not held:
        asked = listed([piece.title for piece in cards if piece.id in said["cards"]])
        problem = f"{person(who)} has none of {asked}, so cannot show one: expected "
        return f"{problem}'{person(who)} passes'"
    if held and not said[place]:
        problem = f"{person(who)} has {listed(held)}, so cannot pass: expected "
        return f"{problem}'{person(who)} shows'"
    return None


def _cannot_answer(said: Said, number: int, named: Sequence[str]) -> Mapping[Choice[str], str]:
    """Return, for each player who cannot answer after these passes, the reason in words."""
    order, asker = said["order"], said["player"]
    following = f"; {person(order[number])} answers next"
    why = {asker: f"{person(asker)} asks, and does not answer{following}"}
    for other in order[:number]:
        later = [one for one in named if order.index(one) > order.index(other)]
        passed = f"was left out before {person(later[0])}, and so passed" if later else ""
        reason = "has answered already" if other in named else passed
        why[other] = f"{person(other)} {reason}{following}"
    return {choice: why[choice.value] for choice in said.people(why)}


def _can_be_shown(said: Said) -> list[str]:
    """Return the cards that may have been shown, to the knowledge of the player at this seat."""
    asker, shower, cards = said["player"], said["shower"], said["cards"]
    held = [card for card in cards if said.own(Atom(location(card), shower))]
    return held or [card for card in cards if not said.own(Atom(location(card), asker))]


def _has_all_three(said: Said) -> str | None:
    if _can_be_shown(said):
        return None
    asker, shower = person(said["player"]), person(said["shower"])
    return f"{asker} has all three cards, so {shower} cannot show one: expected 'nobody'"


def _pieces(said: Said, cards: Iterable[str]) -> tuple[Choice[str], ...]:
    titles = {card.id: card for card in said.setup.edition.cards}
    return pieces_to_choose(titles[card] for card in cards)


def _ask_for_card(said: Said) -> str:
    shower = said["shower"]
    return f"Which card {'do you' if said.seat == shower else f'does {person(shower)}'} show?"


_CARD_SHOWN: tuple[Part, ...] = (
    Check("shower", _has_all_three, is_denied=True),
    secret(
        Slot(
            "shown",
            lambda said: _pieces(said, said["cards"]),
            what="the card that is shown",
            ask=_ask_for_card,
            implied=lambda said: only(_can_be_shown(said)),
            hinted=lambda said: _pieces(said, _can_be_shown(said)),
        ),
        seen_by=lambda said: (said["player"], said["shower"]),
        unseen="a card",
    ),
    Words("."),
)


def _places_of_suggestion(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Suggestion)
    order = (*public.passes, *(() if public.shower is None else (public.shower,)))
    return {
        "order": order,
        "answers": order,
        "shower": public.shower or _NOBODY.value,
        "shows": [player == public.shower for player in order],
        "shown": outcome.secret.get(shown(public.turn)),
    }


def _next(said: Said) -> State:
    """Return the state in which the next suggestion is made."""
    state: State = said.state
    return state.upcoming


def _suggests(state: State) -> bool:
    return state.upcoming.phase == "act"


SUGGESTION: Act[Setup] = Act(
    Suggestion,
    (
        *mover(passed="no suggestion", at=_next),
        Given("order", lambda said: _next(said).asked),
        *_ASKED,
        Words(".", short=";"),
        Then(_answers),
    ),
    secret=lambda said: {shown(said["turn"]): said["shown"]} if said.get("shown") else {},
    more=_places_of_suggestion,
    when=_suggests,
    typed={
        "plum: green rope study; scarlett -; mustard !": "a suggestion; Scarlett passes, "
        "Mustard shows a card",
        "plum: green rope study; mustard !": "the same: the players between Plum and Mustard pass",
        "plum: green rope study; mustard !rope": "the same, if you saw the card",
        "plum: green rope study; nobody": "everybody passes",
        "plum: green rope study": "only the question; you can enter the answers one by one",
    },
)

# ---- an accusation -------------------------------------------------------------------------------

_ACCUSES = Words("accuses", ("accuse", "accused"), needed=True)
_ACCUSED = (
    _ACCUSES,
    _three_cards("cards", lambda said: f"Whom {said.does} accuse, with what, and where?", ENVELOPE),
)


def _turn_of_accusation(said: Said) -> int:
    state: State = said.state
    return state.turn if said["player"] == state.mover else state.upcoming.turn


def _accusers(said: Said) -> Sequence[str]:
    """Return the players who may accuse now: the mover, and the next player before suggesting."""
    return tuple(dict.fromkeys((said.state.mover, said.state.upcoming.mover)))


def _in_the_envelope(said: Said) -> Sequence[Part]:
    """Return the parts for the cards in the envelope, which only the accuser sees."""
    looks = not said["right"] and said.setup.rules == CLASSIC and said.seat == said["player"]
    if not (looks and said.tells("envelope")):
        return ()
    return (
        Words("In the envelope:", ("envelope", "the envelope has"), short="envelope"),
        _three_cards("envelope", "Which cards are in the envelope?"),
        Words("."),
    )


def _places_of_accusation(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    names = [card.id for card in setup.edition.cards]
    inside = [card for card in names if outcome.secret.get(location(card)) == ENVELOPE]
    return {"envelope": inside or None}


ACCUSATION: Act[Setup] = Act(
    Accusation,
    (
        *a_player("player", movers=_accusers),
        Given("turn", _turn_of_accusation),
        *_ACCUSED,
        Words(":", short=":"),
        Slot(
            "right",
            RIGHT_OR_WRONG,
            what="'right' or 'wrong'",
            ask="Is the accusation right or wrong?",
        ),
        Then(_in_the_envelope),
    ),
    secret=lambda said: {location(card): ENVELOPE for card in said.get("envelope") or ()},
    more=_places_of_accusation,
    when=lambda state: state.result is None,
    typed={"plum accuses green rope study: wrong": "an accusation and its result (right or wrong)"},
)

# ---- turns without -------------------------------------------------------------------------------

NO_SUGGESTION: Act[Setup] = Act(
    NoSuggestion,
    (
        *mover(at=_next),
        Words(
            "makes no suggestion.",
            (
                *("no suggestion", "makes none", "made no suggestion", "made none"),
                *("skips", "skipped"),
            ),
            needed=True,
        ),
    ),
    when=_suggests,
    typed={"plum: no suggestion": "a turn without a suggestion"},
)
NO_ACCUSATION: Act[Setup] = Act(
    NoAccusation,
    (
        *mover(),
        Words(
            "does not accuse.",
            ("no accusation", "did not accuse", "silent", "is silent", "was silent"),
            needed=True,
        ),
    ),
    when=lambda state: state.phase == "accuse" and state.mover in state.setup.accusers,
    typed={
        "plum: no accusation": "with the option silence_speaks: the turn ends without an accusation"
    },
)
ACTS: tuple[Act[Setup], ...] = (SUGGESTION, ACCUSATION, NO_SUGGESTION, NO_ACCUSATION)

# ---- the deal ------------------------------------------------------------------------------------


HAND: Act[Setup] = hand_act(
    lambda said: pieces_to_choose(said.setup.edition.cards),
    typed={"rope, hall, white": "the cards"},
)

# ---- moves of people -----------------------------------------------------------------------------


def _to_whom(said: Said) -> str:
    return f"Which card do you show to {person(said.state.decision.pending.player)}?"


class _CluedoPeople(People[Setup, Happening]):
    moves = (
        move_act(
            Suggest,
            *_ASKED,
            at="act",
            typed={"green rope study": "a suggestion: the others answer at once"},
        ),
        move_act(
            Done,
            Words(
                "does not accuse",
                (
                    *("no accusation", "do not accuse", "no", "done", "end", "end turn"),
                    *("end the turn", "pass", "-"),
                ),
                needed=True,
            ),
            at="accuse",
            typed={"no": "you do not accuse: your turn ends"},
            title="end the turn",
        ),
        move_act(
            Accuse,
            *_ACCUSED,
            at=("act", "accuse"),
            typed={"accuse green rope study": "an accusation: if it is wrong, you are out"},
            title="accuse somebody",
        ),
        move_act(
            Show,
            Words("shows", ("show", "!")),
            *allowed(
                Slot(
                    "card",
                    lambda said: pieces_to_choose(said.setup.edition.cards),
                    what="the card that you show",
                    ask=_to_whom,
                ),
                "show",
                lambda said: said.options("card"),
            ),
            at="show",
            typed={"rope": "the card that you show; only the asking player sees it"},
            title="show a card",
        ),
    )


PEOPLE = _CluedoPeople()
