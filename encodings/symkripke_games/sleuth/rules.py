"""The rules of the game: moves and outcomes, without logic or knowledge.

One gem is hidden, the others are dealt evenly, and the remaining gems lie face up. On their turn, a
player uses one of the four question cards in front of them to ask any other player. The card goes
to the bottom of the pile, and a new card is drawn.

Classic rules (S. Sackson: Sleuth, 3M, later Face 2 Face Games): a player who is asked for one
element announces how many such gems they hold. A player who is asked for two elements shows those
gems to the asker, and announces their number. A free choice card asks for one or two elements of
the asker's choice. Any player may declare the hidden gem at any time. In this encoding, all may do
so after every question, in seat order from the asker. On their turn, a player may also ask any
question without a card, and must then declare at once (the *last question*, from the booklet as
dealers describe it). A player who declares looks at the hidden gem secretly. A right declaration
wins. A player who declares wrongly is out but keeps answering, and everybody learns that the
declared gem is not hidden. If all players are out, nobody wins.

Study rules: the asked player shows all matching gems to the asker only. The others learn neither
which gems are shown nor how many. A player declares only when certain. There are no wrong
declarations, and there is no last question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from symkripke.errors import RuleError, check_name
from symkripke.model import World
from symkripke.play import Decision, Outcome, Public
from symkripke.play.checks import check_event, check_move, known_deal
from symkripke.play.dealing import check_each_once, location
from symkripke_games.sleuth.deck import Deck
from symkripke_games.sleuth.gems import FREE, HIDDEN, TABLE, Elements
from symkripke_games.sleuth.setup import CLASSIC, STUDY, Setup, answer_name

SOME, NOTHING = "gems", "nothing"
"""The values of `answer(turn)`: whether any gem was shown."""

_GEMS = "where the gems are"


class Opening(Public, frozen=True, kw_only=True, tag="opening"):
    """The gems and question cards that are laid face up at the beginning of the game, in turn 0.

    Attributes:
        up: the gems that are left over.
        rows: the question cards in front of each player. If it is empty, question cards are not
            recorded: no event names the card used or drawn, and any question may be asked.
    """

    up: tuple[str, ...] = ()
    rows: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Question(Public, frozen=True, kw_only=True, tag="question", omit_defaults=True):
    """A question and its answer.

    Attributes:
        player: the player who asks.
        asked: the player who is asked.
        elements: the one or two elements of the requested gems.
        number: the number of such gems; None if others do not learn it (study rules).
        card: the used question card; None for a last question, or if cards are not recorded.
        drawn: the question card drawn to replace it.
        last: whether the player must declare now.
    """

    player: str
    asked: str
    elements: Elements
    number: int | None = None
    card: str | None = None
    drawn: str | None = None
    last: bool = False


class Declaration(Public, frozen=True, kw_only=True, tag="declaration", omit_defaults=True):
    """A declaration: the player wins if it is right, and is out if it is wrong.

    Attributes:
        player: the player who declares.
        gem: the declared gem.
        right: whether this gem is hidden.
        instead: whether the player declares on their own turn instead of asking a question. A log
            may omit this, because it follows from the state.
    """

    player: str
    gem: str
    right: bool
    instead: bool = False


Happening = Opening | Question | Declaration


@dataclass(frozen=True, slots=True)
class Lay:
    """The first move, which lays random question cards in front of the players."""

    rows: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Ask:
    """The move that asks a player for gems with a question card; `reason` explains it in words."""

    asked: str
    elements: Elements
    card: str
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class AskLast:
    """The move that asks a last question, without a card, after which the player must declare."""

    asked: str
    elements: Elements
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Draw:
    """The move that draws a question card at random."""

    card: str


@dataclass(frozen=True, slots=True)
class Declare:
    """The move that declares that a gem is hidden."""

    gem: str
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Silent:
    """The move of a player who does not declare."""


@dataclass(frozen=True)
class State:
    """A position; see `symkripke.play.GameState`.

    Attributes:
        setup: the setup.
        deal: the place of each gem, by fluent; None for an onlooker.
        mover: the player to move.
        turn: the number of the turn; 0 before the question cards are laid.
        phase: "open" (lay the cards), "ask", "draw", "declare" (or stay silent), "last" (declare
            after a last question) or "over".
        up: the gems that lie face up.
        deck: the question cards; None if they are not recorded.
        pending: the question after which a card is being drawn.
        waiting: the players who may declare now, in this order.
        out: the players who have declared wrongly.
        result: the result in words; None while the game continues.
        winners: the players who have won.
    """

    setup: Setup
    deal: World | None
    mover: str
    turn: int = 0
    phase: str = "open"
    up: tuple[str, ...] = ()
    deck: Deck | None = None
    pending: Question | None = None
    waiting: tuple[str, ...] = ()
    out: frozenset[str] = frozenset()
    result: str | None = None
    winners: tuple[str, ...] = ()

    # ---- decisions -------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The current decision; None after the end."""
        if self.result is not None:
            return None
        if self.phase == "declare":
            return Decision(self.waiting[0], "declare")
        if self.phase == "draw":
            assert self.deck is not None
            return Decision(self.mover, "draw", tuple(map(Draw, self.deck.next)), self.pending)
        return Decision(self.mover, self.phase)

    def shown(self, player: str, elements: Elements) -> tuple[str, ...]:
        """Return the player's gems with these elements; raise `RuleError` for an onlooker."""
        deal = known_deal(self.deal, _GEMS)
        matching = self.setup.edition.matching(elements)
        return tuple(gem for gem in matching if deal[location(gem)] == player)

    # ---- moves ----------------------------------------------------------------------------

    def play(self, move: Any) -> tuple[State, Outcome[Happening] | None]:
        """Return the state after a move, and the event; None if the move completes no event."""
        check_move(self.result)
        match self.phase, move:
            case "open", Lay(rows):
                return self._happened(Opening(turn=0, up=self._left(), rows=dict(rows)))
            case "ask", Ask(asked, elements, card):
                question = self._question(asked, elements, card)
                assert self.deck is not None
                deck = self.deck.use(self.mover, card)
                return replace(self, phase="draw", deck=deck, pending=question), None
            case "ask", AskLast(asked, elements):
                return self._happened(self._question(asked, elements, None))
            case "draw", Draw(card):
                assert self.pending is not None
                return self._drawn(self.pending, card)
            case (("ask" | "last" | "declare"), Declare(gem)):
                return self._happened(self._declaration(gem))
            case "declare", Silent():
                waiting = self.waiting[1:]
                if waiting:
                    return replace(self, waiting=waiting), None
                return self._next_turn(), None
        who = self.mover if self.decision is None else self.decision.player
        raise RuleError(f"{who} cannot {type(move).__name__.lower()} now ({self.phase})")

    def _left(self) -> tuple[str, ...]:
        deal = known_deal(self.deal, _GEMS)
        gems = self.setup.edition.gems
        return tuple(gem.id for gem in gems if deal[location(gem.id)] == TABLE)

    def _question(self, asked: str, elements: Elements, card: str | None) -> Question:
        question = Question(
            turn=self.turn,
            player=self.mover,
            asked=asked,
            elements=elements,
            card=card,
            last=card is None,
        )
        self._check_asked(question)
        if self.setup.rules == STUDY:
            return question
        return msgspec.structs.replace(question, number=len(self.shown(asked, elements)))

    def _drawn(self, asked: Question, card: str) -> tuple[State, Outcome[Happening]]:
        assert self.deck is not None
        deck = self.deck.draw(self.mover, card)
        public = msgspec.structs.replace(asked, drawn=card)
        return replace(self, deck=deck, pending=None)._happened(public)

    def _declaration(self, gem: str) -> Declaration:
        self._check_gem(gem)
        right = known_deal(self.deal, _GEMS)[location(gem)] == HIDDEN
        player = self.mover if self.phase != "declare" else self.waiting[0]
        self._check_right(right)
        instead = self.phase == "ask"
        return Declaration(turn=self.turn, player=player, gem=gem, right=right, instead=instead)

    def _happened(self, public: Happening) -> tuple[State, Outcome[Happening]]:
        outcome = Outcome(public, self._secret(public))
        if isinstance(public, Opening):
            deck = Deck.of(self.setup, public.rows) if public.rows else None
            return replace(self, deck=deck)._after(public), outcome
        return self._after(public), outcome

    def _secret(self, public: Happening) -> dict[str, str]:
        """Return the secret of an event: the shown gems, which only the asker sees."""
        if not isinstance(public, Question) or not self.shows(public.elements):
            return {}
        gems = self.shown(public.asked, public.elements)
        secret = {location(gem): public.asked for gem in gems}
        if public.number is None:
            secret = {answer_name(public.turn): SOME if gems else NOTHING, **secret}
        return secret

    def shows(self, elements: Elements) -> bool:
        """Return whether the gems themselves are shown to a player who asks for these elements."""
        return self.setup.rules == STUDY or len(elements) == 2

    def _after(self, public: Happening) -> State:
        """Return the state after an event; the deck has been updated already."""
        if isinstance(public, Opening):
            return replace(self, turn=1, phase="ask", up=public.up)
        if isinstance(public, Question):
            if public.last:
                return replace(self, phase="last")
            order = (public.player, *self.setup.after(public.player))
            waiting = tuple(player for player in order if player not in self.out)
            return replace(self, phase="declare", waiting=waiting)
        who = public.player
        if public.right:
            ended = f"{who} wins in turn {public.turn}"
            return replace(self, phase="over", result=ended, winners=(who,), waiting=())
        lost = replace(self, out=self.out | {who})
        if len(lost.out) == len(self.setup.players):
            ended = "all have declared wrongly: nobody wins"
            return replace(lost, phase="over", result=ended, waiting=())
        # The others may declare now, because they have learned that this gem is not hidden.
        waiting = tuple(player for player in self.setup.after(who) if player not in lost.out)
        if self.phase == "ask" and who != self.mover:
            return lost
        return replace(lost, phase="declare", waiting=waiting)

    def _next_turn(self) -> State:
        following = self.setup.following(self.mover, self.out)
        return replace(self, mover=following, turn=self.turn + 1, phase="ask", waiting=())

    # ---- checks ---------------------------------------------------------------------------

    def _check_gem(self, gem: str) -> None:
        check_name("gem", gem, [known.id for known in self.setup.edition.gems])

    def _check_right(self, right: bool) -> None:
        if not right and self.setup.rules == STUDY:
            raise RuleError("the study's rules have no wrong declarations: expected the hidden gem")

    def _check_asked(self, question: Question) -> None:
        """Raise an error if the player, the gems or the card of a question is invalid."""
        check_name("player", question.asked, self.setup.players)
        if question.asked == question.player:
            raise RuleError(f"{question.player} cannot ask themselves")
        self.setup.edition.matching(question.elements)
        card = question.card
        if question.last:
            if self.setup.rules == STUDY:
                raise RuleError("the study's rules have no last question: expected a question card")
            if card is not None or question.drawn is not None:
                raise RuleError("a last question needs no question card, and none is drawn")
            return
        if card not in (None, FREE, " ".join(question.elements)):
            raise RuleError(
                f"the question card {card!r} does not ask for {' '.join(question.elements)}"
            )

    # ---- events of a record --------------------------------------------------------------

    def follow(self, outcome: Outcome[Happening]) -> State:
        """Return the state after a recorded event.

        Raises:
            RuleError: the event contradicts the rules or the deal.
        """
        public = outcome.public
        check_event(self.result)
        state = self.in_turn(public.turn)
        if public.turn != state.turn:
            wanted = f"{self.turn}"
            if self.phase == "declare":
                wanted = f"{self.turn} (a declaration) or {self.turn + 1}"
            raise RuleError(f"expected an event of turn {wanted}, got one of turn {public.turn}")
        if isinstance(public, Opening):
            state = state._opened(public)
        elif isinstance(public, Question):
            state = state._told(public, outcome.secret)
        else:
            state._check_declaration(public, outcome.secret)
        if outcome.secret and isinstance(public, Opening):
            raise RuleError("the opening has no secrets")
        return state._after(public)

    def in_turn(self, turn: int) -> State:
        """Return the state in which an event of this turn happens."""
        if self.phase == "declare" and turn == self.turn + 1:
            # Nobody declared; a log contains no event for silence.
            return self._next_turn()
        return self

    def with_derived_parts(self, public: Declaration) -> Declaration:
        """Return the declaration with the correct value of `instead`."""
        state = self.in_turn(public.turn)
        instead = state.phase == "ask" and public.player == state.mover
        return msgspec.structs.replace(public, instead=instead)

    def _opened(self, public: Opening) -> State:
        if self.phase != "open":
            raise RuleError("the question cards have been laid already")
        check_each_once("gem", public.up, [gem.id for gem in self.setup.edition.gems])
        if len(public.up) != self.setup.left:
            raise RuleError(f"expected {self.setup.left} gems face up, got {len(public.up)}")
        if self.deal is not None and set(public.up) != set(self._left()):
            raise RuleError(f"expected {', '.join(self._left())} face up, as in the deal")
        return replace(self, deck=Deck.of(self.setup, public.rows) if public.rows else None)

    def _told(self, public: Question, secret: Mapping[str, str]) -> State:
        """Return the state with moved question cards; raise `RuleError` for an illegal question."""
        if self.phase != "ask":
            raise RuleError(f"nobody can ask now ({self.phase})")
        check_name("player", public.player, self.setup.players)
        if public.player != self.mover:
            raise RuleError(
                f"expected {self.mover} to ask in turn {self.turn}, got {public.player}"
            )
        self._check_asked(public)
        self._check_number(public)
        self._check_shown(public, secret)
        if public.last:
            return self
        if self.deck is None:
            if public.card is not None or public.drawn is not None:
                raise RuleError(
                    "the question cards are not written down: none can be used or drawn"
                )
            return self
        if public.card is None or public.drawn is None:
            raise RuleError("expected the question card that was used, and the one that was drawn")
        deck = self.deck.use(public.player, public.card).draw(public.player, public.drawn)
        return replace(self, deck=deck)

    def _check_number(self, public: Question) -> None:
        if self.setup.rules == STUDY:
            if public.number is not None:
                raise RuleError("by the study's rules no number is announced")
            return
        matching = self.setup.edition.matching(public.elements)
        most = min(self.setup.hand, sum(gem not in self.up for gem in matching))
        what = " ".join(public.elements)
        if public.number is None or not 0 <= public.number <= most:
            raise RuleError(
                f"expected how many {what} gems {public.asked} has (0 to {most}), "
                f"got {public.number}"
            )
        if self.deal is None:
            return
        right = len(self.shown(public.asked, public.elements))
        if public.number != right:
            raise RuleError(
                f"expected {public.asked} to have {right} {what} gems, as in the deal, "
                f"got {public.number}"
            )

    def _check_shown(self, public: Question, secret: Mapping[str, str]) -> None:
        """Raise `RuleError` if the secret does not contain exactly the gems that were shown."""
        if self.deal is not None:
            right = self._secret(public)
            if dict(secret) != right:
                held = self.shown(public.asked, public.elements)
                shown = (", ".join(held) if self.shows(public.elements) else "") or "no gem"
                raise RuleError(f"expected {public.asked} to show {shown}, as in the deal")
            return
        if not secret:
            return
        if not self.shows(public.elements):
            raise RuleError("asked for one element, a player says a number only and shows no gem")
        answer = answer_name(public.turn)
        matching = {location(gem) for gem in self.setup.edition.matching(public.elements)}
        gems = [name for name in secret if name != answer]
        for name in gems:
            if name not in matching or secret[name] != public.asked:
                raise RuleError(
                    f"{public.asked} was asked for {' '.join(public.elements)} and cannot have "
                    f"shown {name} = {secret[name]}"
                )
        if public.number is None:
            if secret.get(answer) != (SOME if gems else NOTHING):
                raise RuleError(
                    f'expected "{answer}":"{SOME}" with the gems that were shown, or '
                    f'"{answer}":"{NOTHING}"'
                )
        elif answer in secret or len(gems) != public.number:
            raise RuleError(
                f"expected the {public.number} gems that were shown to {public.player}, "
                f"got {len(secret)}"
            )

    def _check_declaration(self, public: Declaration, secret: Mapping[str, str]) -> None:
        check_name("player", public.player, self.setup.players)
        self._check_gem(public.gem)
        self._check_right(public.right)
        if self.phase not in ("ask", "declare", "last"):
            raise RuleError(f"nobody can declare now ({self.phase})")
        if self.phase == "last" and public.player != self.mover:
            raise RuleError(
                f"expected {self.mover} to declare: they have asked their last question"
            )
        if public.player in self.out:
            raise RuleError(f"{public.player} has declared wrongly, and is out")
        if public.instead and (self.phase, self.mover) != ("ask", public.player):
            raise RuleError(f"{public.player} is not the asking player, and cannot declare instead")
        if secret:
            self._check_looked(public, secret)
        if self.deal is None:
            return
        right = self.deal[location(public.gem)] == HIDDEN
        if right != public.right:
            said = "right" if right else "wrong"
            raise RuleError(f"according to the deal, this declaration is {said}")

    def _check_looked(self, public: Declaration, secret: Mapping[str, str]) -> None:
        """Raise `RuleError` if the secret is not a hidden gem that a wrong declarer looked at."""
        gems = {location(gem.id) for gem in self.setup.edition.gems}
        fits = len(secret) == 1 and all(n in gems and secret[n] == HIDDEN for n in secret)
        if public.right or self.setup.rules != CLASSIC or self.deal is not None or not fits:
            raise RuleError(
                f'expected no secret, or "secret": {{"location(GEM)": "{HIDDEN}"}} of who '
                "declared wrongly (in its own record) and looked at the hidden gem"
            )
