"""Whom to ask for what, in words: the chance of a yes, and what the question tells the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symkripke.engines import Engine, counter
from symkripke.errors import InputError
from symkripke.explain.text import percent
from symkripke.play import Advice, View
from symkripke.play.advisor import Advisor
from symkripke.play.hands import holds
from symkripke.play.words import number_of, person
from symkripke_games.kwartet.notes import Hand, KwartetView, Reader, is_told
from symkripke_games.kwartet.rules import Ask, Happening, PassTo, Setup


@dataclass(frozen=True)
class Chance:
    """A question with what may come of it.

    Attributes:
        asked: whom.
        card: for which card.
        yes: how probable it is that the card is given.
        tells: whether it tells the others that the asker holds a card of the group.
        lacking: how many cards of the group the asker lacks.
    """

    asked: str
    card: str
    yes: Fraction
    tells: bool
    lacking: int

    @property
    def worth(self) -> tuple[bool, bool, Fraction, int]:
        """The value by which advice and reviews rank questions, as `second-order` prefers them.

        A card that the player is sure to get comes first; next a question about a group that all
        know the player to hold, which tells nothing; then the greater chance of a yes; then the
        group that lacks fewer cards. A question that is known to fail comes last.
        """
        return (
            self.yes == 1,
            self.yes > 0 and not self.tells,
            self.yes,
            -self.lacking,
        )


def chances(view: KwartetView, engine: Engine) -> list[Chance]:
    """Return all questions for cards that the player lacks, the best first."""
    hand = Hand(view, Reader())
    atoms = {(player, card): holds(player, card) for player in hand.others for card in hand.wanted}
    if not atoms:
        return []
    shares = counter(engine).marginals(view.perspective, list(atoms.values()))
    structure = view.perspective.structure
    told = {
        group: is_told(engine, structure, hand.board, hand.player, group) for group in hand.groups
    }
    group_of, cards_of = view.setup.group_of, view.setup.cards_of
    found = [
        Chance(
            player,
            card,
            shares[atom],
            not told[group_of[card]],
            sum(other not in hand.own for other in cards_of[group_of[card]]),
        )
        for (player, card), atom in atoms.items()
    ]
    found.sort(key=lambda chance: chance.worth, reverse=True)
    return found


def advise(view: KwartetView, engine: Engine, number: int) -> Sequence[Advice]:
    """Return at most `number` questions that may be answered by yes, ranked by `Chance.worth`.

    Raises:
        InputError: `number` is negative.
        Unsupported: the engine does not count.
    """
    if number < 0:
        raise InputError(f"expected a number of suggestions of 0 or more, got {number}")
    if view.decision is not None and view.decision.kind == "pass":
        return _passes(view)[:number]
    setup = view.setup
    titles = {card.id: card.title for card in setup.cards}
    groups = {group.id: group.title for group in setup.groups}
    found = []
    possible = [chance for chance in chances(view, engine) if chance.yes]
    for chance in possible[:number]:
        group = groups[setup.group_of[chance.card]]
        reason = f"the chance that {person(chance.asked)} has it is {percent(chance.yes)}"
        if chance.yes == 1:
            reason = f"{person(chance.asked)} has it for sure"
        reason += (
            f"; the question tells the others that you hold a card of {group}"
            if chance.tells
            else f"; all know already that you hold a card of {group}"
        )
        left = chance.lacking - 1
        reason += (
            f"; then {number_of(left, 'card')} would be lacking"
            if left
            else ("; it completes the group")
        )
        found.append(
            Advice(
                f"ask {person(chance.asked)} for {titles[chance.card]}",
                float(chance.yes),
                reason,
                {
                    "asked": chance.asked,
                    "card": chance.card,
                    "yes": str(chance.yes),
                    "tells": chance.tells,
                    "lacking": chance.lacking,
                },
                Ask(chance.asked, chance.card),
                unit="chance",
                aim="of a yes",
            )
        )
    return found


def _passes(view: KwartetView) -> list[Advice]:
    """Without cards: who goes on, those first that have laid down least."""
    assert view.decision is not None
    assert view.decision.options is not None
    board = Reader().read(view)
    players = [option.player for option in view.decision.options]
    players.sort(key=lambda player: board.points[player])
    return [
        Advice(
            f"let {person(player)} go on",
            0.0,
            f"{person(player)} has {number_of(board.points[player], 'group')}",
            {"player": player, "groups": board.points[player]},
            PassTo(player),
            unit="chance",
        )
        for player in players
    ]


class KwartetAdvisor(Advisor[Setup, Happening]):
    """Whom to ask for what."""

    def advise(
        self, view: View[Setup, Happening], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """See `advise`."""
        return advise(view, engine, number)
