"""The sentences for the answer to a question of Sleuth: a number, or the gems that are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.play.acts import END, Choice, Speech, always
from symkripke.play.dealing import location
from symkripke.play.words import person
from symkripke_games.sleuth.gems import Elements
from symkripke_games.sleuth.naming import gems_to_choose, how_many
from symkripke_games.sleuth.rules import NOTHING, SOME, State
from symkripke_games.sleuth.setup import STUDY, Setup, answer_name

Talk = Speech[Setup, State]

UNTOLD = "what it has"
"""What is shown, where the record does not tell it."""

_FEW = 3
"""How many gems a reader accepts from a player who does not see them."""

NO_MORE: Choice[Any] = Choice(END, "")
"""The end of a list: nothing is typed for it."""


def answer(
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
            how_many(talk.setup.edition, len(gems), "0"),
            what="how many",
            ask=f"How many {what} gems does {person(asked)} have?",
            implied=lambda state: _number(_Known(talk, state, asked, gems)),
        )
        return number, {}
    me = talk.people([asked])[0].loosely
    shows = ("shows", "show", "showed", "sees", "saw")
    talk.words(
        f". {person(asked)} shows", *shows, *(f"{who} {verb}" for who in me for verb in shows)
    )
    told = talk.sees(asker, asked) and talk.fact("told", always(True))
    if told:
        shown = _shown(talk, asked, elements)
        if not isinstance(shown, tuple):
            return shown, {}
        if study and talk.seat == asked:
            # The record of the asked player does not name its shown gems: it knows them.
            if talk.by_rules(lambda state: set(_Known(talk, state, asked, gems).sure)) != set(
                shown
            ):
                talk.refuse(f"that is not what {person(asked)} has", "shown 1")
            return None, {}
        secret = {location(gem): asked for gem in gems if gem in shown}
        if study:
            secret = {answer_name(turn): SOME if shown else NOTHING, **secret}
        return None if study else len(shown), secret
    named = gems_to_choose([gem for gem in talk.setup.edition.gems if gem.id in gems], elements)
    who = listed([person(asker), person(asked)])
    if study:
        for place in range(_FEW):
            talk.unseen(f"shown {place + 1}", "" if place else UNTOLD, named, who)
        return None, {}
    for place in range(_FEW):
        talk.unseen(f"seen {place + 1}", "", named, who)
    number = talk.pick(
        "number",
        how_many(talk.setup.edition, len(gems), "no gem"),
        what="how many",
        ask=f"How many {what} gems does {person(asked)} show?",
        implied=lambda state: _number(_Known(talk, state, asked, gems)),
    )
    for place in range(number):
        talk.unseen(f"shown {place + 1}", "", named, who)
    talk.words("", "gems", "gem")
    return number, {}


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

    The asked player knows its gems, and need not name them. Then the result is their number, or
    None if the number is not given, either.
    """
    setup = talk.setup
    gems = setup.edition.matching(elements)
    named = gems_to_choose([gem for gem in setup.edition.gems if gem.id in gems], elements)
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
        [*named, *how_many(setup.edition, len(gems), "no gem"), *untold],
        what="a gem that is shown, or how many",
        ask=f"Which {what} gems {who} show?",
        implied=implied,
    )
    if first == UNTOLD:
        return None
    if isinstance(first, int):
        talk.words("", "gems", "gem")
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
    """The gems that are shown, where their number is typed first."""
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
