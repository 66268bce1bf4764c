"""Slips at the table: corrections that an entry in a log of Old Maid may need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from symkripke.play import Outcome
from symkripke.play.slips import Alternative, instead
from symkripke.play.words import person
from symkripke_games.old_maid.knowledge import pairs_in_words, title
from symkripke_games.old_maid.rules import (
    CLASSIC,
    Discards,
    Draw,
    Happening,
    Setup,
    State,
    drawn_name,
)

Found = Iterator[Alternative[Happening]]


def alternatives(
    setup: Setup, state: State, outcome: Outcome[Happening], viewer: str
) -> Iterator[Alternative[Happening]]:
    """See `Game.alternatives`."""
    public = outcome.public
    if isinstance(public, Discards):
        yield from _discards(setup, public)
        return
    for meant, words, weight in _draws(setup, state, public):
        for secret, seen in _views(setup, state, meant, outcome.secret, viewer):
            told = state.recounted(Outcome(meant, secret))
            if (told.public, dict(told.secret)) != (public, dict(outcome.secret)):
                yield Alternative(told, words or seen, weight)


def _draws(setup: Setup, state: State, public: Draw) -> Iterator[tuple[Draw, str, float]]:
    """The draw itself, of which another card may have been seen, and other draws."""

    def other(**changed: Any) -> Draw:
        return msgspec.structs.replace(public, **changed)

    yield public, "", 1.0
    if public.turn != state.turn:
        yield other(turn=state.turn), f"turn {state.turn}", 2.0
    if public.player != state.mover:
        words = instead(person(state.mover), person(public.player))
        yield other(player=state.mover), words, 2.0
        for giver in state.givers:
            yield other(player=state.mover, giver=giver), f"{words}, from {person(giver)}", 2.0
    for giver in state.givers:
        if giver != public.giver:
            yield other(giver=giver), f"from {instead(person(giver), person(public.giver))}", 2.0
    old = "nothing" if public.discard is None else title(public.discard)
    for rank in setup.deck:
        if rank != public.discard:
            words = f"{person(public.player)} discarded {instead(title(rank), old)}"
            yield other(discard=rank), words, 1.0
    if public.discard is not None:
        yield other(discard=None), f"{person(public.player)} kept the card", 1.0


def _views(
    setup: Setup, state: State, public: Draw, secret: Mapping[str, str], viewer: str
) -> Iterator[tuple[dict[str, str], str]]:
    """What the viewer can have seen of a draw, each with that in words."""
    if public.discard is not None or viewer not in (public.player, public.giver):
        yield {}, ""
        return
    name = drawn_name(public.turn)
    now = secret.get(name)
    for rank in setup.deck:
        told = title(rank) if now is None else instead(title(rank), title(now))
        yield {name: rank}, f"{told} was drawn"


def _discards(setup: Setup, public: Discards) -> Found:
    """Another pair was discarded, one less or one more; or another player begins."""
    for player, ranks in public.pairs.items():
        others: list[tuple[str, ...]] = []
        for place in range(len(ranks)):
            rest = (*ranks[:place], *ranks[place + 1 :])
            others += [rest, *((*rest, rank) for rank in setup.deck if rank != ranks[place])]
        others += [(*ranks, rank) for rank in setup.deck]
        for meant in dict.fromkeys(others):
            if any(2 * meant.count(rank) > setup.deck[rank] for rank in meant):
                continue
            pairs = {**public.pairs, player: meant}
            changed = Discards(turn=public.turn, pairs=pairs, first=public.first)
            sizes, _ = changed.leaves(setup)
            able = [other for other in setup.players if sizes[other] > 0]
            if able and (setup.rules == CLASSIC or public.first not in able):
                changed = msgspec.structs.replace(changed, first=able[0])
            words = f"{person(player)} discarded {pairs_in_words(meant)}"
            if changed.first != public.first:
                words += f", and {person(changed.first)} began"
            # A pair is rather named wrongly than forgotten.
            weight = 1.0 if len(meant) == len(ranks) else 0.5
            yield Alternative(Outcome(changed, {}), words, weight)
    for first in setup.players:
        if first != public.first:
            changed = msgspec.structs.replace(public, first=first)
            words = f"{instead(person(first), person(public.first))} began"
            yield Alternative(Outcome(changed, {}), words, 2.0)
