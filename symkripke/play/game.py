"""The interface of a game: a record of facts and functions.

The course of a game depends on its rules alone (`GameState`, which is immutable and contains no
epistemic logic). The encoding (`Game.structure` and `Game.event_in`) describes what players learn
from events. Players (`Player`) make the decisions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pkgutil import resolve_name
from random import Random
from typing import TYPE_CHECKING, Any, Generic

from symkripke.argument_types import checked
from symkripke.engines import Engine, engine, weighs
from symkripke.errors import GameError, RuleError, Unsupported, check_name
from symkripke.explain.text import listed
from symkripke.language import Atom, Formula, Kw, conjunction
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play.acts import Act, Things, describe, names_of, turns_of
from symkripke.play.dealing import LOCATION, check_each_once, larger_hands, location
from symkripke.play.layout import Layout
from symkripke.play.measure import Measure
from symkripke.play.options import Option, chosen
from symkripke.play.player import Strategy, View
from symkripke.play.rules import GameState, Outcome, PublicT, SetupT, Standing
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
"""The required attributes of a game."""


class Game(ABC, Generic[SetupT, PublicT]):
    """A game: its facts, and the functions that the program needs.

    A game must define the attributes in `MUST_SAY` and the abstract methods. Everything else has a
    default.

    Attributes:
        name: the NAME of `symkripke play NAME`.
        title: the name as people write it.
        summary: one line for the list of games.
        seats: the minimum and maximum numbers of players under each rule set.
        strategies: the kinds of player, by name; the first is the default.
            `symkripke.play.strategies` looks up these and the strategies of installed plugins.
        levels: titles of strategies for people, each with the name of its strategy, from the
            weakest to the strongest: "Beginner", "Sharp" and "Perfect".
        question: the word for the things that `Assessment.open` counts ("solutions").
        setup_type: the class of the setup, for reading logs.
        public_type: the class of events, or a union of classes, for reading logs.
        counted: a relative clause that specifies the things counted by `Assessment.open`.
        answer: the definition that names an answer outside the cells of the note sheet.
        considers: for each strategy, a plain sentence on the factors that it takes into account,
            for people who do not know the terms of the field. Without a sentence, the docstring of
            the strategy is shown.
        loser: the words for the loser ("left with the queen") in games that all other players win.
        usual: the default number of players under each rule set; if missing, the minimum.
        weighting: the weighting of worlds for questions about probabilities; None: the default of
            `symkripke.engines.engine`.
        reserved: the names that players cannot have, because places of cards have them.
        make_setup: returns a setup with a rule set, names of players and options. Raises
            `RuleError` for invalid options. By default, `setup_type`.
        check_setup: raises `RuleError` for a setup that is not playable, although the number and
            the names of the players are valid.
        options: the additional options of `setup`, by name.
        examples: formulas about the game, each with its meaning, for the default players.
        acts: the kinds of events, with the sentences that describe them. Empty: events cannot be
            typed, and the game must define `story`.
        card_word: the word for an item of a hand: "card".
        dealt_as: the verb for the cards that a player sees of the deal, after "you": "were dealt".
        hand_act: the act that describes a player's hand, and makes the cards that `hand` takes.
        measures: the measures of a run that are specific to this game
            (`symkripke.play.runs.measures` has the measures for all games).
        advised_by: the class of the `Advisor`, as "package.module:Class"; it is imported on first
            use. Empty: there is none.
        reviewed_by: the class of the `symkripke.play.review.Reviewer`, in the same form.
        drawn_by: the class of the `symkripke.play.views.pictures.Pictures`, in the same form.
        example_players: the players in the examples of `Act.typed`, in turn order.
        people: the interface for people who play; None: people cannot play this game.
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
    weighting: str | None = None
    reserved: Sequence[str] = ()
    make_setup: Callable[..., SetupT] | None = None
    check_setup: Callable[[SetupT], None] | None = None
    options: Mapping[str, Option] = {}
    examples: Mapping[str, str] = {}
    acts: Sequence[Act[Any]] = ()
    card_word: str = "card"
    dealt_as: str = "were dealt"
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

    def engine(self, name: str = "auto", weighting: str | None = None) -> Engine:
        """Return a new engine; without a weighting, it has that of the game if it weighs worlds.

        Raises the errors of `symkripke.engines.engine`.
        """
        return engine(name, weighting or (self.weighting if weighs(name) else None))

    # ---- rules: every game has these -------------------------------------------------------

    def setup(
        self,
        *,
        rules: str | None = None,
        players: int | None = None,
        names: Sequence[str] | None = None,
        **options: Any,
    ) -> SetupT:
        """Return a setup, with the defaults of the rule set for missing values.

        Args:
            rules: the name of the rule set.
            players: the number of players.
            names: the players' names, in seat order.
            options: values for the game's `options`; strings are parsed.

        Raises:
            RuleError: the setup is not playable.
            InputError: an option is unknown or has an invalid value.
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
        """Return the players' names in seat order: the given names, or else the default names."""
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
    def start(self, setup: SetupT, deal: World | None) -> GameState[PublicT]:
        """Return the first state. Raise `RuleError` for a deal that the rules forbid."""

    # ---- encoding: every game has these ----------------------------------------------------

    @abstractmethod
    def structure(self, setup: SetupT) -> KnowledgeStructure:
        """Return the first structure: the law, and the observables of each player."""

    def hand(self, setup: SetupT, player: str, cards: Sequence[str]) -> World:
        """Return the values of the deal that a player with these cards sees.

        By default, return the values of `hand_fluents`, or else the locations of the cards. Raise
        `RuleError` for a wrong number of cards or, if they have locations, for a repeated card.
        """
        names, known = self.hand_fluents(setup, player), self.cards(setup)
        if not names:
            check_each_once(self.card_word, cards, known)
        if len(cards) != (size := setup.sizes[player]):
            wanted = number_of(size, self.card_word)
            did = self.dealt_as if names else "be dealt"
            raise RuleError(f"expected {player} to {did} {wanted}, got {len(cards)}")
        if names:
            for card in cards:
                check_name(self.card_word, card, known)
            return dict(zip(names, cards, strict=True))
        return {location(card): player for card in cards}

    def hand_fluents(self, setup: SetupT, player: str) -> Sequence[str]:
        """Return the fluents whose values a hand lists, in order.

        The default is none: a hand lists cards, and the player sees their locations.
        """
        return ()

    @abstractmethod
    def event_in(
        self, setup: SetupT, state: GameState[PublicT], outcome: Outcome[PublicT]
    ) -> Event:
        """Return the event of the model for an event of the game.

        Args:
            setup: the setup.
            state: the position before the event.
            outcome: the event of the game, as returned by `with_derived_parts`.
        """

    def dealt_more(self, setup: SetupT) -> tuple[str, ...]:
        """Return the players who are dealt an extra card; empty if the cards are dealt evenly.

        If people can choose these players, the game has an option `dealt_more`.
        """
        return larger_hands(setup.sizes)

    def cards(self, setup: SetupT) -> Sequence[str]:
        """Return the possible cards of a hand, each kind once, in the form that `hand` takes.

        By default, return the cards for which the deal has a fluent `location(card)`. A game whose
        deals lack these fluents must define this method and `dealt`.
        """
        names = self.structure(setup).root.vocabulary.plain
        return [name.arguments[0] for name in names if name.functor == LOCATION]

    def dealt(self, setup: SetupT, deal: World, player: str) -> tuple[str, ...]:
        """Return the player's cards in the deal, in the form that `hand` takes.

        By default, return the values of `hand_fluents`, or else the cards whose `location` in the
        deal is the player.

        Raises:
            GameError: the deal has neither, so the game must define this method.
        """
        if names := self.hand_fluents(setup, player):
            return tuple(deal[name] for name in names)
        if not any(location(card) in deal for card in self.cards(setup)):
            raise GameError(f"{self.title} does not say what a player was dealt (`Game.dealt`)")
        return tuple(card for card in self.cards(setup) if deal[location(card)] == player)

    # ---- words: every game has these -------------------------------------------------------

    def story(self, setup: SetupT, outcome: Outcome[PublicT], viewer: str | None = None) -> str:
        """Return the sentence for an event: in full, or as `viewer` sees the event.

        By default, the act of the event provides it. A game without acts must define this method.

        Raises:
            GameError: the game has no act for an event of this kind.
        """
        return describe(self.act(outcome), setup, outcome, viewer)

    def act(self, outcome: Outcome[PublicT]) -> Act[Any]:
        """Return the act for events of this kind. Raise `GameError` if there is none."""
        for act in self.acts:
            if isinstance(outcome.public, act.kind):
                return act
        kind = type(outcome.public).__name__
        raise GameError(f"{self.title} has no act for events of the kind {kind}")

    def example_names(
        self,
        setup: SetupT,
        state: GameState[PublicT],
        view: View[SetupT, PublicT] | None = None,
    ) -> Mapping[str, str]:
        """Return the titles in this game for the names in the examples of `Act.typed`.

        The players are taken in turn order, from the current player.

        Args:
            setup: the setup.
            state: the position in which the examples are shown.
            view: the view of the player who sees them; None: no particular player.

        Returns:
            The title in this game for each name in the examples; empty if there is none.
        """
        offered, order = set[str](), turns_of(state, setup.players)
        if view is not None and view.decision is not None and self.people is not None:
            actions = self.people.menu(view).actions
            parts = (part for action in actions for part in action.parts)
            offered = {choice.title for part in parts for choice in part.choices}
            order = (view.player, *setup.after(view.player))
        return names_of(self.example_players, self.example_things(setup), order, offered)

    def example_things(self, setup: SetupT) -> Things:
        """Return the things in the examples of `Act.typed`, with the titles in this game."""
        return ()

    def dealt_words(self, setup: SetupT, atom: Atom, truth: bool) -> str:
        """Return the words for an atom of a player's own deal, addressed to the player.

        By default, the words for a card are "you were dealt Rope". Other atoms have the words of
        the vocabulary.

        Args:
            setup: the setup.
            atom: an atom that the player observes in the deal.
            truth: whether it is true.
        """
        structure = self.structure(setup)
        title = self.layout(setup, structure).rows.get(atom.fluent)
        if title is None or atom.fluent.functor != LOCATION:
            return structure.words(atom, truth)
        return f"you were {'' if truth else 'not '}dealt {title}"

    def card_title(self, setup: SetupT, card: str) -> str:
        """Return the title of a card of a hand.

        By default, return the title of the card's row on the note sheet.
        """
        rows = self.layout(setup, self.structure(setup)).rows
        return rows.get(location(card), card.replace("_", " "))

    def hand_words(self, setup: SetupT, player: str, cards: Sequence[str]) -> str:
        """Return the cards that a player sees of the deal, in words."""
        return listed([self.card_title(setup, card) for card in cards])

    @abstractmethod
    def layout(self, setup: SetupT, structure: KnowledgeStructure) -> Layout:
        """Return the note sheet at a moment, with the titles of cards, players and places.

        All moments since a deal share it: only the first structure of the history may matter.
        """

    # ---- optional: the question ------------------------------------------------------------

    def answers(
        self, setup: SetupT, structure: KnowledgeStructure, player: str
    ) -> tuple[Formula, ...]:
        """Return the formulas of the game's question; the true formulas are the answer.

        Return an empty tuple if the game has no question, or none at this moment.
        """
        return ()

    def knows_answer(
        self, setup: SetupT, structure: KnowledgeStructure, player: str
    ) -> Formula | None:
        """Return the formula stating that the player knows the answer; None without a question.

        By default, it states that the player knows whether each formula of `answers` is true.
        """
        asked = self.answers(setup, structure, player)
        return conjunction([Kw(player, formula) for formula in asked]) if asked else None

    # ---- optional: players -----------------------------------------------------------------

    def check_strategies(self, setup: SetupT, names: Sequence[str]) -> None:
        """Raise `RuleError` if these strategies, one for each seat, cannot play with this setup.

        Games override this method if the strategies of some players are common knowledge. By
        default, all strategies can play.
        """

    def standing(self, setup: SetupT, state: GameState[PublicT], player: str) -> Standing:
        """Return the standing of a player, as everybody sees it."""
        return Standing(note="out" if player in state.out else "")

    @property
    def advisor(self) -> Advisor[SetupT, PublicT] | None:
        """The advisor of the game; None if it has no advisor."""
        return resolve_name(self.advised_by)() if self.advised_by else None

    def reviewer(self, past: Any) -> Any:
        """Return the reviewer of a game: a `symkripke.play.review.Reviewer` for this `Past`.

        Return None for the default review. It shows the first moment at which each player could
        know the answer, and the players who could know that another player knows it. (The types are
        not named here, because reviews import games.)
        """
        return resolve_name(self.reviewed_by)(past) if self.reviewed_by else None

    # ---- optional: chance events after the deal --------------------------------------------

    def chance(self, setup: SetupT, state: GameState[PublicT], chance: Random) -> Any:
        """Return a random move for a decision of `CHANCE`; by default, any of the options."""
        if state.decision is None or not state.decision.options:
            raise Unsupported(f"{self.title} has no chance events except the deal")
        return chance.choice(state.decision.options)

    def with_derived_parts(
        self, state: GameState[PublicT], outcome: Outcome[PublicT]
    ) -> Outcome[PublicT]:
        """Return an event with the parts that a log may omit because they follow from the state.

        Raises:
            RuleError: the event is impossible in this state.
        """
        return outcome

    def rebased(self, state: GameState[PublicT], outcome: Outcome[PublicT]) -> Outcome[PublicT]:
        """Return an event as a log would record it in this state.

        Recorded parts that follow from earlier events are computed again. By default, an event has
        no such parts.

        Raises:
            RuleError: the event is impossible in this state.
        """
        return outcome

    def legality_key(self, state: GameState[PublicT]) -> Any:
        """Return the part of a state that determines the legal events after it, for comparison.

        By default, return the whole state. A game whose states contain other data, such as the
        trust in bids, saves work by omitting it.
        """
        return state

    def redeal(
        self, setup: SetupT, outcome: Outcome[PublicT]
    ) -> tuple[KnowledgeStructure, World] | None:
        """Return a new deal: the structure that begins with this event, and the event's secrets.

        Return None for an ordinary event. Games override this method if they deal again after
        everybody has seen the whole previous deal, about which nothing remains unknown.
        """
        return None
