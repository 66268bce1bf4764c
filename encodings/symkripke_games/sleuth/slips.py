"""Slips at the table: corrections that an entry in a log of Sleuth may need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from symkripke.play import Outcome
from symkripke.play.dealing import location
from symkripke.play.slips import Alternative, instead, near
from symkripke.play.words import person
from symkripke_games.sleuth.gems import FREE, HIDDEN, Elements
from symkripke_games.sleuth.rules import (
    NOTHING,
    SOME,
    Declaration,
    Happening,
    Opening,
    Question,
    State,
)
from symkripke_games.sleuth.setup import STUDY, Setup, answer_name

Found = Iterator[Alternative[Happening]]


def alternatives(
    setup: Setup, state: State, outcome: Outcome[Happening], viewer: str
) -> Iterator[Alternative[Happening]]:
    """See `Game.alternatives`."""
    public = outcome.public
    state = state.ready_for(public.turn)
    if public.turn != state.turn:
        yield _other(public, outcome.secret, f"turn {state.turn}", 2.0, turn=state.turn)
    if isinstance(public, Opening):
        yield from _face_up(setup, public)
        return
    if public.player != state.mover:
        words = instead(person(state.mover), person(public.player))
        yield _other(public, outcome.secret, words, 2.0, player=state.mover)
    if isinstance(public, Declaration):
        yield from _declared(setup, public, outcome.secret, viewer)
    else:
        yield from _asked(setup, state, public, outcome.secret, viewer)


def _other(
    public: Happening, secret: Mapping[str, str], words: str, weight: float = 1.0, **changed: Any
) -> Alternative[Any]:
    meant = msgspec.structs.replace(public, **changed)
    return Alternative(Outcome(meant, dict(secret)), words, weight)


def _face_up(setup: Setup, public: Opening) -> Found:
    """Another gem lies face up."""
    titles = setup.edition.titles
    for place, old in enumerate(public.up):
        for gem in setup.edition.gems:
            if gem.id not in public.up:
                up = (*public.up[:place], gem.id, *public.up[place + 1 :])
                yield _other(public, {}, instead(gem.title, titles[old]), up=up)


def _declared(setup: Setup, public: Declaration, secret: Mapping[str, str], viewer: str) -> Found:
    """The declaration was right, or wrong, or of another gem; or another gem was hidden."""
    titles = setup.edition.titles
    if public.right or viewer != public.player:
        words = f"the declaration was {'wrong' if public.right else 'right'}"
        yield _other(public, {}, words, 2.0, right=not public.right)
    for gem in setup.edition.gems:
        if gem.id != public.gem:
            words = instead(gem.title, titles.get(public.gem, public.gem))
            yield _other(public, secret, words, 0.3, gem=gem.id)
        if secret and location(gem.id) not in secret:
            words = f"the {gem.title} was hidden"
            yield Alternative(Outcome(public, {location(gem.id): HIDDEN}), words, 0.3)
    for player in setup.players:
        if player != public.player:
            words = instead(person(player), person(public.player))
            yield _other(public, {}, words, 0.5, player=player)


def _asked(
    setup: Setup, state: State, public: Question, secret: Mapping[str, str], viewer: str
) -> Found:
    """Another number, other gems were shown, another player was asked, or for something else."""
    gems = tuple(name for name in secret if name != answer_name(public.turn))
    yield from _numbers(setup, state, public, gems, viewer)
    yield from _other_gems(setup, public, secret, gems)
    for player in setup.players:
        if player not in (public.player, public.asked):
            words = f"{instead(person(player), person(public.asked))} was asked"
            shown = {
                name: value if name == answer_name(public.turn) else player
                for name, value in secret.items()
            }
            yield _other(public, shown, words, asked=player)
    for elements, words in _other_elements(setup, public.elements):
        changed: dict[str, Any] = {"elements": elements}
        if public.card not in (None, FREE):
            changed["card"] = " ".join(elements)
        yield _other(public, secret, words, 0.5, **changed)


def _numbers(
    setup: Setup, state: State, public: Question, gems: tuple[str, ...], viewer: str
) -> Found:
    """Another number was said; if the viewer saw the gems, one gem less or more was shown."""
    seen = viewer == public.player and state.shows(public.elements)
    if seen:
        for gem in setup.edition.matching(public.elements):
            name = location(gem)
            shown = [other for other in gems if other != name] if name in gems else [*gems, name]
            words = f"{setup.edition.titles[gem]} was {'not ' if name in gems else ''}shown"
            yield Alternative(_showing(setup, public, shown), words)
    elif public.number is not None:
        for number in range(setup.hand + 1):
            if number != public.number:
                words = instead(number, public.number)
                weight = 2 * near(number, public.number)
                yield _other(public, {}, words, weight, number=number)


def _showing(setup: Setup, public: Question, gems: list[str]) -> Outcome[Happening]:
    """The question, with these gems shown to who asks."""
    shown = dict.fromkeys(gems, public.asked)
    if setup.rules == STUDY:
        return Outcome(public, {answer_name(public.turn): SOME if gems else NOTHING, **shown})
    return Outcome(msgspec.structs.replace(public, number=len(gems)), shown)


def _other_gems(
    setup: Setup, public: Question, secret: Mapping[str, str], gems: tuple[str, ...]
) -> Found:
    """One of the gems that were shown was another."""
    names = {location(gem): gem for gem in setup.edition.matching(public.elements)}
    titles = setup.edition.titles
    for old in gems:
        for name, gem in names.items():
            if name not in gems and old in names:
                shown = {name if other == old else other: at for other, at in secret.items()}
                words = f"{instead(titles[gem], titles[names[old]])} was shown"
                yield Alternative(Outcome(public, shown), words)


def _other_elements(setup: Setup, elements: Elements) -> Iterator[tuple[Elements, str]]:
    """Questions for one other element of the same kind."""
    titles = setup.edition.titles
    for place, old in enumerate(elements):
        kind = next((k for k in setup.edition.kinds if old in [e.id for e in k]), ())
        for element in kind:
            if element.id != old:
                changed = (*elements[:place], element.id, *elements[place + 1 :])
                yield changed, instead(element.title, titles[old])
