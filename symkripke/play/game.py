"""The interface of a game: a record of facts and functions.

A game is played by its rules alone (`State`: immutable, no logic in it). Its encoding
(`Game.structure` and `Game.event_in`) says what players learn from events. Players (`Player`)
make the decisions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pkgutil import resolve_name
from random import Random
from typing import TYPE_CHECKING, Any, Generic

from symkripke.argument_types import checked
from symkripke.errors import GameError, RuleError, Unsupported, check_name
from symkripke.language import Atom, Formula, Kw, conjunction
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play.acts import Act, Things, describe, names_of, turns_of
from symkripke.play.dealing import LOCATION, check_each_once, larger_hands, location
from symkripke.play.layout import Layout
from symkripke.play.measure import Measure
from symkripke.play.options import Option, chosen
from symkripke.play.player import Strategy, View
from symkripke.play.rules import Outcome, PublicT, SetupT, Standing, State
from symkripke.play.seats import check_players, seated
from symkripke.play.words import number_of

if TYPE_CHECKING:
    from symkripke.play.advisor import Advisor
    from symkripke.play.people import People


MUST_SAY = (
    "name",
    "title",
    "summary",
    "seats",
    "strategies",
    "question",
    "setup_type",
    "public_type",
)
"""The facts without which there is no game."""


class Game(ABC, Generic[SetupT, PublicT]):
    """A game: facts, and the functions that the program needs of it.

    It must say what `MUST_SAY` names, and define the abstract functions; all else has a default.

    Attributes:
        name: the NAME of `symkripke play NAME`.
        title: the name as people write it.
        summary: one line for the list of games.
        seats: how many can play under each rule set: (fewest, most).
        strategies: the kinds of player, by name; the first is the default.
            `symkripke.play.strategies` finds them, and those that are installed from elsewhere.
        levels: titles of strategies for people, the weakest first: "Beginner", "Sharp" and
            "Perfect", each with the name of its strategy.
        question: what `Assessment.open` counts ("solutions").
        setup_type: the setup's class, for reading logs.
        public_type: the class of events, or a union of classes, for reading logs.
        counted: which of these `Assessment.open` counts, in words.
        answer: the definition that names an answer which is no cell of the note sheet.
        considers: for strategies, what such a player takes into account: a plain sentence for
            people who do not know the terms of the field. Without one, its docstring is shown.
        loser: for games that all but one player win: the words for the loser ("left with the
            queen").
        usual: how many play under each rule set, if nothing else is said; by default the fewest.
        reserved: the names that no player can have: those of places for cards.
        make_setup: makes a setup of the rule set, the names of the players and the options that are
            given. Raises `RuleError` for options that cannot be.
            By default `setup_type`.
        check_setup: raises `RuleError` for a setup that nobody can play, though the number of
            players and their names can be.
        options: the further options of `setup`, by name.
        examples: formulas about the game, each with its meaning, for the default players.
        acts: each kind of event, with the sentence that tells it, for printing and for reading.
            Empty: events cannot be typed, and the game must have a `story` of its own.
        card_word: what a hand is made of: "card".
        hand_act: the sentence that tells a player's hand; it makes what `hand` takes.
        measures: what can be measured of each game of a run, in the words of this game
            (`symkripke.play.runs.measures` has those for all games).
        advised_by: the class of the `Advisor`, as "package.module:Class"; it is imported when it is
            first used. Empty: there is none.
        reviewed_by: the class of the `symkripke.play.review.Reviewer` in the same way.
        drawn_by: the class of the `symkripke.play.views.pictures.Pictures` in the same way.
        example_players: the players in the examples of `Act.typed`, in the order of their turns.
        people: what persons do; None: they cannot play this game with minds.
    """

    name: str
    title: str
    summary: str
    seats: Mapping[str, tuple[int, int]]
    strategies: Mapping[str, Strategy]
    question: str
    setup_type: type[SetupT]
    public_type: Any
    counted: str = "that each player still considers possible"
    answer: str = ""
    considers: Mapping[str, str] = {}
    levels: Mapping[str, str] = {}
    loser: str = ""
    usual: Mapping[str, int] = {}
    reserved: Sequence[str] = ()
    make_setup: Callable[..., SetupT] | None = None
    check_setup: Callable[[SetupT], None] | None = None
    options: Mapping[str, Option] = {}
    examples: Mapping[str, str] = {}
    acts: Sequence[Act[Any]] = ()
    card_word: str = "card"
    hand_act: Act[Any] | None = None
    measures: Sequence[Measure] = ()
    people: People[Any, Any] | None = None
    advised_by: str = ""
    reviewed_by: str = ""
    drawn_by: str = ""
    example_players: Sequence[str] = ("Ann", "Bob", "Cath")

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rule sets; the first is the default."""
        return tuple(self.seats)

    # ---- rules: every game has these -------------------------------------------------------

    def setup(
        self,
        *,
        rules: str | None = None,
        players: int | None = None,
        names: Sequence[str] | None = None,
        **options: Any,
    ) -> SetupT:
        """Return a setup; the rule set has defaults for missing values.

        Args:
            rules: the name of the rule set.
            players: how many play.
            names: the players' names, in seat order.
            options: values for the game's `options`; texts are read.

        Raises:
            RuleError: the setup is not playable.
            InputError: there is no such option, or it does not have that value.
        """
        more = chosen(self.title, self.options, options)
        rules = self.rules[0] if rules is None else rules
        sitting = self.seated(rules, players, names, more)
        made = (self.make_setup or self.setup_type)(rules=rules, players=sitting, **more)
        self.check(made)
        return made

    def seated(
        self,
        rules: str,
        players: int | None,
        names: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> tuple[str, ...]:
        """Return the players' names in seat order: the given ones, or else the usual ones."""
        check_name("rule set", checked(rules, str, "the name of a rule set"), self.seats)
        usual = self.usual.get(rules, self.seats[rules][0])
        return seated(self.title, self.seats, rules, usual, players, names)

    def check(self, setup: SetupT) -> None:
        """Raise `RuleError` for a setup, read from a log, that `setup` cannot make."""
        check_players(self.title, self.seats, setup.rules, setup.players, self.reserved)
        if self.check_setup is not None:
            self.check_setup(setup)

    @abstractmethod
    def deal(self, setup: SetupT, chance: Random) -> World:
        """Return a random deal: a value for every fluent of the first structure."""

    @abstractmethod
    def start(self, setup: SetupT, deal: World | None) -> State[PublicT]:
        """Return the first state; raise `RuleError` for a deal that the rules forbid."""

    # ---- encoding: every game has these ----------------------------------------------------

    @abstractmethod
    def structure(self, setup: SetupT) -> KnowledgeStructure:
        """Return the first structure: the law, and the observables of each player."""

    def hand(self, setup: SetupT, player: str, cards: Sequence[str]) -> World:
        """Return the values of the deal that a player with these cards sees; raise `RuleError`.

        By default, the locations of the cards, `Setup.sizes` of them.
        """
        check_each_once(self.card_word, cards, self.cards(setup))
        if len(cards) != (size := setup.sizes[player]):
            wanted = number_of(size, self.card_word)
            raise RuleError(f"expected {player} to be dealt {wanted}, got {len(cards)}")
        return {location(card): player for card in cards}

    @abstractmethod
    def event_in(self, setup: SetupT, state: State[PublicT], outcome: Outcome[PublicT]) -> Event:
        """Return the event of the model for an event of the game.

        Args:
            setup: the setup.
            state: the position before the event.
            outcome: what happens there, as `with_derived_parts` returns it.
        """

    def dealt_more(self, setup: SetupT) -> tuple[str, ...]:
        """Return the players that are dealt one card more; empty if the cards come out even.

        If the players choose who that is, the game has an option `dealt_more`.
        """
        return larger_hands(setup.sizes)

    def cards(self, setup: SetupT) -> Sequence[str]:
        """Return the possible cards of a hand, each kind once, as `hand` takes them.

        By default, the cards for which the deal has a fluent `location(card)`. A game whose deals
        have no such fluents must define this and `dealt`.
        """
        names = self.structure(setup).root.vocabulary.plain
        return [name.arguments[0] for name in names if name.functor == LOCATION]

    def dealt(self, setup: SetupT, deal: World, player: str) -> tuple[str, ...]:
        """Return the player's cards in the deal, as `hand` takes them.

        By default, the cards whose `location` in the deal is the player.

        Raises:
            GameError: the deal has no locations of cards, so that the game must define this.
        """
        if not any(location(card) in deal for card in self.cards(setup)):
            raise GameError(f"{self.title} does not say what a player was dealt (`Game.dealt`)")
        return tuple(card for card in self.cards(setup) if deal[location(card)] == player)

    # ---- words: every game has these -------------------------------------------------------

    def story(self, setup: SetupT, outcome: Outcome[PublicT], viewer: str | None = None) -> str:
        """Return an event in words: all of it, or the part that `viewer` sees.

        By default, as its act tells it; a game without acts must define this.

        Raises:
            GameError: the game has no act for an event of this kind.
        """
        return describe(self.act(outcome), setup, outcome, viewer)

    def act(self, outcome: Outcome[PublicT]) -> Act[Any]:
        """Return the act for events of this kind; raise `GameError` if there is none."""
        for act in self.acts:
            if isinstance(outcome.public, act.kind):
                return act
        kind = type(outcome.public).__name__
        raise GameError(f"{self.title} has no act for events of the kind {kind}")

    def example_names(
        self,
        setup: SetupT,
        state: State[PublicT],
        view: View[SetupT, PublicT] | None = None,
    ) -> Mapping[str, str]:
        """Return the players and things of this game for the names in examples of `Act.typed`.

        The players are seated in the order of their turns, from whose turn it is.

        Args:
            setup: the setup.
            state: the position in which they are shown.
            view: what the player has to whom they are shown; None: it is not said to whom.

        Returns:
            Titles of the examples, each with the title in its place; empty: there is none.
        """
        offered, order = set[str](), turns_of(state, setup.players)
        if view is not None and view.decision is not None and self.people is not None:
            actions = self.people.menu(view).actions
            parts = (part for action in actions for part in action.parts)
            offered = {choice.title for part in parts for choice in part.choices}
            order = (view.player, *setup.after(view.player))
        return names_of(self.example_players, self.example_things(setup), order, offered)

    def example_things(self, setup: SetupT) -> Things:
        """Return the names in the examples of `Act.typed`, with those of this game."""
        return ()

    def dealt_words(self, setup: SetupT, atom: Atom, truth: bool) -> str:
        """Return an atom of the player's own deal, in words that address the player.

        By default, of a card "you were dealt Rope"; of others the words of the vocabulary.

        Args:
            setup: the setup.
            atom: what the player observes of the deal.
            truth: whether it is true.
        """
        structure = self.structure(setup)
        title = self.layout(setup, structure).rows.get(atom.fluent)
        if title is None or atom.fluent.functor != LOCATION:
            return structure.words(atom, truth)
        return f"you were {'' if truth else 'not '}dealt {title}"

    def card_title(self, setup: SetupT, card: str) -> str:
        """Return the title of a card of a hand.

        By default, the title of the card's row on the note sheet.
        """
        rows = self.layout(setup, self.structure(setup)).rows
        return rows.get(location(card), card.replace("_", " "))

    @abstractmethod
    def layout(self, setup: SetupT, structure: KnowledgeStructure) -> Layout:
        """Return the note sheet at a moment, with the titles of cards, players and places.

        Most games have the same note sheet at every moment.
        """

    # ---- optional: the question ------------------------------------------------------------

    def answers(
        self, setup: SetupT, structure: KnowledgeStructure, player: str
    ) -> tuple[Formula, ...]:
        """Return the formulas of the game's question; the true ones are the answer.

        Empty if the game asks no question, or none at this moment.
        """
        return ()

    def knows_answer(
        self, setup: SetupT, structure: KnowledgeStructure, player: str
    ) -> Formula | None:
        """Return the formula that the player knows the answer; None if the game has no question.

        By default: of each formula of `answers` the player knows whether it is true.
        """
        asked = self.answers(setup, structure, player)
        return conjunction([Kw(player, formula) for formula in asked]) if asked else None

    # ---- optional: players -----------------------------------------------------------------

    def check_strategies(self, setup: SetupT, names: Sequence[str]) -> None:
        """Raise `RuleError` if these strategies, one for each seat, cannot play with this setup.

        For games in which it is common knowledge how some players decide. By default, all
        strategies can play.
        """

    def standing(self, setup: SetupT, state: State[PublicT], player: str) -> Standing:
        """Return the standing of a player, as everybody sees it."""
        return Standing(note="out" if player in state.out else "")

    @property
    def advisor(self) -> Advisor[SetupT, PublicT] | None:
        """The advisor of the game; None without one."""
        return resolve_name(self.advised_by)() if self.advised_by else None

    def reviewer(self, past: Any) -> Any:
        """Return the reviewer of a game: a `symkripke.play.review.Reviewer` of this `Past`.

        None for the default review, which has the first moment at which each player could know the
        answer, and who could know that another knows it. (The types are not named here: reviews
        import games, and not the other way round.)
        """
        return resolve_name(self.reviewed_by)(past) if self.reviewed_by else None

    # ---- optional: more chance than one deal -----------------------------------------------

    def chance(self, setup: SetupT, state: State[PublicT], chance: Random) -> Any:
        """Return a random move for a decision of `CHANCE`; by default, any of the options."""
        if state.decision is None or not state.decision.options:
            raise Unsupported(f"{self.title} has no chance events except the deal")
        return chance.choice(state.decision.options)

    def with_derived_parts(
        self, state: State[PublicT], outcome: Outcome[PublicT]
    ) -> Outcome[PublicT]:
        """Return an event with the parts that a log may omit because they follow from the state.

        Raises:
            RuleError: it cannot happen here.
        """
        return outcome

    def rebased(self, state: State[PublicT], outcome: Outcome[PublicT]) -> Outcome[PublicT]:
        """Return an event as a log would record it in this state.

        Parts that follow from the events before it, if they are written down, are made anew. By
        default, an event has no such parts.

        Raises:
            RuleError: it cannot happen here.
        """
        return outcome

    def legality_key(self, state: State[PublicT]) -> Any:
        """Return the part of a state that determines the legal events after it, for comparison.

        By default, the whole state. A game whose states have more than that, such as how far bids
        are trusted, saves work by leaving it out.
        """
        return state

    def redeal(
        self, setup: SetupT, outcome: Outcome[PublicT]
    ) -> tuple[KnowledgeStructure, World] | None:
        """Return a new deal: the structure that begins with this event, and the event's secrets.

        None for an ordinary event. For games that deal again once everybody has seen the whole
        deal before, so that nothing about it is left to find out.
        """
        return None
