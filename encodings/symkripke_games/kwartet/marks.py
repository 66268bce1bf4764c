"""Conclusions as the program of the Kwartet project draws them.

The program is at https://github.com/RUKip/kwartet (`ComputerAgent.py`, commit 96b7a3f). Each player
keeps a table for each observer, including themselves. The table has a mark for each player and
card, and for each player and group: known, open or excluded.

The ways of thinking (`THINKING`):

* `basic`: a player enters questions, answers and laid-down groups in all tables, and crosses out
  their own cards for the others in their own table. They conclude nothing from these marks: a card
  that only one player can have stays open.
* `advanced`: a player also crosses out a card for the others if somebody has it, and locates a card
  that only one player can have. A `return` in the loop stops this at the first card with two
  possible places. The text of the project does not mention that.
* `meant`: the same for all cards, as the text describes it.
* `answers`: basic thinking that ignores which groups the others hold. The program does not have it;
  it shows what that information is worth.

After a player has given away a card, the group is open again for them, unless they are known to
have another card of it. The program thereby forgets that a player who asked for a card of the group
must hold another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symkripke.engines import Mark
from symkripke_games.kwartet.notes import Conclusions, Hand, KwartetView, Reader
from symkripke_games.kwartet.rules import Board, Happening, Opening, Setup

ANSWERS, BASIC, ADVANCED, MEANT = "answers", "basic", "advanced", "meant"

THINKING = (ANSWERS, BASIC, ADVANCED, MEANT)


class Marks(Conclusions):
    """The tables of a player."""

    def __init__(self, thinking: str) -> None:
        """Create tables for a way of thinking (`THINKING`)."""
        self._thinking = thinking
        self._games = 0
        self._heard = 0
        self._me = ""
        self._players: list[str] = []
        """The players with cards; the program drops all others from the tables."""
        self._cards: dict[str, dict[str, dict[str, Mark]]] = {}
        """The mark of each card, by observer and player."""
        self._groups: dict[str, dict[str, dict[str, Mark]]] = {}
        """The mark of each group, by observer and player."""

    # ---- reading the record ------------------------------------------------------------------

    def read(self, view: KwartetView, reader: Reader) -> None:
        """Enter the new events, and think after each of them."""
        if reader.games != self._games:
            self._games, self._heard = reader.games, 0
            self._begin(view, reader)
        for public in view.record[self._heard :]:
            self._hear(public)
        self._heard = len(view.record)

    def _begin(self, view: KwartetView, reader: Reader) -> None:
        """Create the tables at the beginning of a game, where the player sees only their hand."""
        self._setup: Setup = view.setup
        self._board = Board.of(view.setup)
        self._me, self._players = view.player, list(view.setup.players)
        everybody, group_of = self._players, view.setup.group_of
        self._cards = {
            observer: {player: dict.fromkeys(group_of, Mark.OPEN) for player in everybody}
            for observer in everybody
        }
        self._groups = {
            observer: {
                player: dict.fromkeys(view.setup.cards_of, Mark.OPEN) for player in everybody
            }
            for observer in everybody
        }
        cards, groups = self._cards[self._me], self._groups[self._me]
        cards[self._me] = dict.fromkeys(group_of, Mark.NO)
        groups[self._me] = dict.fromkeys(view.setup.cards_of, Mark.NO)
        for card in reader.dealt:
            cards[self._me][card] = groups[self._me][group_of[card]] = Mark.YES
        self._think_basically()

    def _hear(self, public: Happening) -> None:
        """Enter an event, and think."""
        self._board = self._board.after(public)
        if isinstance(public, Opening):
            for group, player in public.down.items():
                self._lay_down(group, player)
            self._drop_players()
            return  # the program thinks after questions only
        group = self._setup.group_of[public.card]
        if public.given:
            self._give(public.card, group, public.player, public.asked)
        else:
            self._refuse(public.card, group, public.player, public.asked)
        self._drop_players()
        if public.down:
            self._lay_down(group, public.player)
        self._think_basically()
        if self._thinking == ADVANCED:
            self._exclude([player for player in self._players if player != self._me])
            self._locate(gives_up=True)
        elif self._thinking == MEANT:
            self._exclude(self._players)
            self._locate(gives_up=False)

    def _give(self, card: str, group: str, asker: str, asked: str) -> None:
        """Enter a yes. The giver may have other cards of the group, unless one is known."""
        for observer in self._players:
            cards, groups = self._cards[observer], self._groups[observer]
            cards[asked][card] = Mark.NO
            if all(cards[asked][each] is not Mark.YES for each in self._setup.cards_of[group]):
                groups[asked][group] = Mark.OPEN
            cards[asker][card] = groups[asker][group] = Mark.YES

    def _refuse(self, card: str, group: str, asker: str, asked: str) -> None:
        """Enter a no. The asker holds a card of the group, but not this one."""
        for observer in self._players:
            self._cards[observer][asked][card] = Mark.NO
            self._groups[observer][asker][group] = Mark.YES
            if not self._setup.allow_bluff:
                self._cards[observer][asker][card] = Mark.NO

    def _lay_down(self, group: str, owner: str) -> None:
        """Remove a group; the program's owner of the group removes only their own cards."""
        as_coded = owner == self._me and self._thinking != MEANT
        for observer in self._players:
            for player in (owner,) if as_coded else self._players:
                self._groups[observer][player][group] = Mark.NO
                for card in self._setup.cards_of[group]:
                    self._cards[observer][player][card] = Mark.NO

    def _drop_players(self) -> None:
        """Remove the players without cards."""
        self._players = [player for player in self._players if self._board.sizes[player]]

    # ---- thinking ------------------------------------------------------------------------------

    def _think_basically(self) -> None:
        """Cross out the player's own cards for the others."""
        cards = self._cards[self._me]
        for card, mark in cards[self._me].items():
            if mark is Mark.YES:
                for player in self._players:
                    if player != self._me:
                        cards[player][card] = Mark.NO

    def _exclude(self, players: Sequence[str]) -> None:
        """Cross out each card that one of these players has for the others among them."""
        for observer in self._players:
            cards = self._cards[observer]
            for card in self._setup.group_of:
                for owner in players:
                    if cards[owner][card] is Mark.YES:
                        for player in players:
                            if player != owner:
                                cards[player][card] = Mark.NO

    def _locate(self, *, gives_up: bool) -> None:
        """Locate each card that only one player can have.

        Args:
            gives_up: whether to stop at the first card that two players can have, as the program
                does. Its loops run over groups, then observers, then cards.
        """
        for group, names in self._setup.cards_of.items():
            for observer in self._players:
                cards = self._cards[observer]
                for card in names:
                    able = [p for p in self._players if cards[p][card] is not Mark.NO]
                    if len(able) > 1 and gives_up:
                        return
                    if len(able) == 1:
                        cards[able[0]][card] = Mark.YES
                        self._groups[observer][able[0]][group] = Mark.YES

    # ---- questions about the tables ------------------------------------------------------------

    def public(self, card: str, hand: Hand) -> str | None:
        """Return the place of the card if it has moved."""
        return hand.board.places.get(card)

    def places(self, cards: Sequence[str], hand: Hand) -> Mapping[str, tuple[str, ...]]:
        """Return the players for whom each of these cards is not crossed out."""
        mine = self._cards[self._me]
        return {
            card: tuple(player for player in hand.others if mine[player][card] is not Mark.NO)
            for card in cards
        }

    def located(self, cards: Sequence[str], hand: Hand) -> Mapping[str, str]:
        """Return the players who are marked as having these cards."""
        mine = self._cards[self._me]
        return {
            card: player
            for card in cards
            for player in hand.others
            if mine[player][card] is Mark.YES
        }

    def is_told(self, group: str, hand: Hand) -> bool:
        """Return whether the first of the others is marked as knowing that the player has it."""
        return self._groups[hand.others[0]][self._me][group] is Mark.YES

    def knows_group(self, player: str, cards: Sequence[str], hand: Hand) -> bool:
        """Return whether the player is marked as having the group."""
        group = self._setup.group_of[cards[0]]
        return self._thinking != ANSWERS and self._groups[self._me][player][group] is Mark.YES
