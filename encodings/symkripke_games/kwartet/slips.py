"""Slips at the table: what may have been meant by an entry of a log of Kwartet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from symkripke.play import Outcome
from symkripke.play.slips import Alternative, instead
from symkripke.play.words import person
from symkripke_games.kwartet.knowledge import title
from symkripke_games.kwartet.rules import Happening, Opening, Question, Setup, State

Found = Iterator[Alternative[Happening]]


def alternatives(setup: Setup, state: State, public: Happening) -> Found:
    """See `Game.alternatives`; nothing that happens is seen by one player only."""
    if public.turn != state.turn:
        yield _other(public, f"turn {state.turn}", 2.0, turn=state.turn)
    if isinstance(public, Opening):
        yield from _laid_down(setup, public)
        return
    if public.player != state.mover:
        words = instead(person(state.mover), person(public.player))
        yield _other(public, words, 2.0, player=state.mover)
        if public.asked == state.mover:
            words = f"{person(state.mover)} asked {person(public.player)}"
            yield _other(public, words, 2.0, player=state.mover, asked=public.player)
    answers = ((False, False), (True, False), (True, True))
    for given, down in answers:
        if (given, down) != (public.given, public.down):
            words = _answer(setup, public, given=given, down=down)
            yield _other(public, words, 3.0, given=given, down=down)
    for player in setup.players:
        if player not in (public.player, public.asked):
            words = f"{instead(person(player), person(public.asked))} was asked"
            yield _other(public, words, asked=player)
    yield from _other_cards(setup, public)


def _other(public: Happening, words: str, weight: float = 1.0, **changed: Any) -> Alternative[Any]:
    return Alternative(Outcome(msgspec.structs.replace(public, **changed), {}), words, weight)


def _answer(setup: Setup, public: Question, *, given: bool, down: bool) -> str:
    group = title(setup, setup.group_of.get(public.card, public.card))
    if given != public.given:
        laid = f", and {group} was laid down" if down else ""
        return f"the answer was {'yes' if given else 'no'}{laid}"
    return f"{group} was {'' if down else 'not '}laid down"


def _other_cards(setup: Setup, public: Question) -> Found:
    """Another card was asked for: cards of the same group are easily confused."""
    group = setup.group_of.get(public.card)
    old = title(setup, public.card) if group is not None else public.card
    for card in setup.cards:
        if card.id == public.card:
            continue
        alike = setup.group_of[card.id] == group
        words = instead(title(setup, card.id), old)
        for down in {public.down, False}:
            weight = 0.5 if alike else 0.05
            yield _other(public, words, weight, card=card.id, down=down)


def _laid_down(setup: Setup, public: Opening) -> Found:
    """Another group was laid down, one less or one more, or by another player."""
    for group in setup.cards_of:
        owner = public.down.get(group)
        rest = {other: player for other, player in public.down.items() if other != group}
        name = title(setup, group)
        if owner is not None:
            yield _other(public, f"{name} was not laid down", down=rest)
            for other in setup.cards_of:
                if other not in public.down:
                    down = {**rest, other: owner}
                    yield _other(public, instead(title(setup, other), name), 0.3, down=down)
        for player in setup.players:
            if player != owner:
                words = f"{person(player)} laid down {name}"
                yield _other(public, words, 0.3, down={**rest, group: player})
