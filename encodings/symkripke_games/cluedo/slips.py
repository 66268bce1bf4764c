"""Slips at the table: what may have been meant by an entry of a log of Cluedo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from symkripke.play import Outcome
from symkripke.play.dealing import location
from symkripke.play.slips import Alternative, instead
from symkripke.play.words import person
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.knowledge import title
from symkripke_games.cluedo.rules import (
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

Found = Iterator[Alternative[Happening]]


def alternatives(
    setup: Setup, state: State, outcome: Outcome[Happening], viewer: str
) -> Iterator[Alternative[Happening]]:
    """See `Game.alternatives`."""
    public = outcome.public
    state = state.ready_for(public.turn)
    if public.turn != state.turn:
        meant = msgspec.structs.replace(public, turn=state.turn)
        yield Alternative(Outcome(meant, outcome.secret), f"turn {state.turn}", 2.0)
    if public.player != state.mover:
        meant = msgspec.structs.replace(public, player=state.mover)
        words = instead(person(state.mover), person(public.player))
        yield Alternative(Outcome(meant, outcome.secret), words, 2.0)
    if isinstance(public, Suggestion):
        yield from _answers(setup, state, public, outcome.secret, viewer)
        yield from _asked(setup, public, outcome.secret)
        if not public.passes or public.shower is None:
            silent = NoSuggestion(turn=public.turn, player=public.player)
            yield Alternative(Outcome(silent, {}), "no suggestion", 0.1)
    elif isinstance(public, Accusation):
        yield from _accused(setup, public, outcome.secret, viewer)
    elif isinstance(public, NoSuggestion | NoAccusation):
        other = NoAccusation if isinstance(public, NoSuggestion) else NoSuggestion
        meant_silence = other(turn=public.turn, player=public.player)
        yield Alternative(Outcome(meant_silence, {}), "another kind of silence", 0.5)


def _answers(
    setup: Setup, state: State, public: Suggestion, secret: Mapping[str, str], viewer: str
) -> Found:
    """Others passed or showed, or another card was shown."""
    others = setup.after(public.player)
    if state.mover == public.player:
        others = state.asked
    for number, shower in enumerate((*others, None)):
        meant = msgspec.structs.replace(public, passes=others[:number], shower=shower)
        if meant == public:
            now = secret.get(shown(public.turn))
            for card in public.cards:
                if now is not None and card != now:
                    words = instead(title(setup, card), title(setup, now))
                    seen = {shown(public.turn): card}
                    yield Alternative(Outcome(meant, seen), f"{words} was shown", 2.0)
            continue
        words = f"{_shower(shower)} showed a card"
        if public.shower is not None:
            words += f", not {_shower(public.shower)}"
        # The next one in the order of seats is soon taken for another.
        weight = 2.0 if abs(number - len(public.passes)) == 1 else 1.0
        for seen in _views(meant, viewer):
            yield Alternative(Outcome(meant, seen), words, weight)


def _shower(shower: str | None) -> str:
    return "nobody" if shower is None else person(shower)


def _views(public: Suggestion, viewer: str) -> list[dict[str, str]]:
    """What the viewer can have seen of a suggestion."""
    if public.shower is None or viewer not in (public.shower, public.player):
        return [{}]
    return [{shown(public.turn): card} for card in public.cards]


def _asked(setup: Setup, public: Suggestion, secret: Mapping[str, str]) -> Found:
    """One of the three cards was another."""
    for cards, new, old in _other_cards(setup, public.cards):
        meant = msgspec.structs.replace(public, cards=cards)
        seen = {name: new if card == old else card for name, card in secret.items()}
        words = instead(title(setup, new), title(setup, old))
        yield Alternative(Outcome(meant, seen), words, 0.3)


def _other_cards(setup: Setup, cards: Triple) -> Iterator[tuple[Triple, str, str]]:
    """The triples with one other card, with that card and the one in whose place it is."""
    for place, category in enumerate(setup.edition.categories):
        for card in category:
            if card.id != cards[place]:
                other = tuple(card.id if n == place else c for n, c in enumerate(cards))
                yield (other[0], other[1], other[2]), card.id, cards[place]


def _accused(setup: Setup, public: Accusation, secret: Mapping[str, str], viewer: str) -> Found:
    """The accusation was right, or wrong, or another; or other cards were in the envelope."""
    flipped = msgspec.structs.replace(public, right=not public.right)
    words = "the accusation was " + ("wrong" if public.right else "right")
    if flipped.right or viewer != public.player:
        yield Alternative(Outcome(flipped, {}), words, 2.0)
    for cards, new, old in _other_cards(setup, public.cards):
        meant = msgspec.structs.replace(public, cards=cards)
        yield Alternative(
            Outcome(meant, secret), instead(title(setup, new), title(setup, old)), 0.3
        )
    inside = [card.id for card in setup.edition.cards if location(card.id) in secret]
    for category in setup.edition.categories:
        names = [card.id for card in category]
        for old in (card for card in inside if card in names):
            for new in (card for card in names if card != old):
                seen = {location(new if card == old else card): ENVELOPE for card in inside}
                words = f"{instead(title(setup, new), title(setup, old))}, in the envelope"
                yield Alternative(Outcome(public, seen), words)
