"""The setup and the deal, without logic or knowledge."""

from __future__ import annotations

from functools import cached_property
from random import Random

from symkripke.errors import RuleError
from symkripke.model import World
from symkripke.play import Setup as BaseSetup
from symkripke.play.dealing import check_sizes, check_values, location
from symkripke_games.sleuth.gems import HIDDEN, TABLE, Edition, edition_named, sized

CLASSIC, STUDY = "classic", "study"
SEATS = {CLASSIC: (3, 7), STUDY: (2, 7)}

ROW = 4
"""The number of question cards that lie face up in front of each player."""


class Setup(BaseSetup, frozen=True, kw_only=True, dict=True, cache_hash=True):
    """The setup of a game.

    Attributes:
        edition: the gems and the question cards.
    """

    edition: Edition

    @cached_property
    def hand(self) -> int:
        """The number of gems dealt to each player."""
        return (len(self.edition.gems) - 1) // len(self.players)

    @property
    def sizes(self) -> dict[str, int]:
        """The number of gems dealt to each player."""
        return dict.fromkeys(self.players, self.hand)

    @cached_property
    def left(self) -> int:
        """The number of gems left over, which lie face up."""
        return (len(self.edition.gems) - 1) % len(self.players)

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The possible places of a gem."""
        return (*self.players, HIDDEN, *([TABLE] if self.left else []))


def answer_name(turn: int) -> str:
    """Return the name of the fluent that states whether any gem was shown in a turn (study)."""
    return f"answer({turn})"


def make_setup(
    *,
    rules: str,
    players: tuple[str, ...],
    edition: str | None = None,
    size: str | None = None,
) -> Setup:
    """Return a setup; see `Game.make_setup`. The default has 36 gems."""
    made = edition_named("classic" if edition is None else edition)
    made = made if size is None else sized(made, size)
    return Setup(rules=rules, players=players, edition=made)


def check_setup(setup: Setup) -> None:
    """Raise `RuleError` or `UnknownName` if nobody can play with this setup."""
    setup.edition.check()
    gems, seats = len(setup.edition.gems), len(setup.players)
    if not setup.hand:
        raise RuleError(f"{gems} gems, one of them hidden, are too few for {seats} players")
    cards = len(setup.edition.cards)
    if cards < ROW * seats:
        raise RuleError(f"{cards} question cards are too few to lay {ROW} before {seats} players")


def make_deal(setup: Setup, chance: Random) -> dict[str, str]:
    """Return a random deal: the place of each gem, by fluent."""
    order = [gem.id for gem in setup.edition.gems]
    chance.shuffle(order)
    seats = len(setup.players)
    places = {order[0]: HIDDEN}
    for number, gem in enumerate(order[1:]):
        dealt = number < seats * setup.hand
        places[gem] = setup.players[number % seats] if dealt else TABLE
    return {location(gem.id): places[gem.id] for gem in setup.edition.gems}


def check_deal(setup: Setup, deal: World) -> None:
    """Raise `RuleError` if a gem is missing, a place is wrong or a hand has the wrong size."""
    places = {location(gem.id): setup.places for gem in setup.edition.gems}
    check_values(deal, places, "gem", "place of {}")
    if (hidden := list(deal.values()).count(HIDDEN)) != 1:
        raise RuleError(f"expected one hidden gem, got {hidden}")
    check_sizes(deal, setup.sizes, "gem")
