"""Strategies: rules in order, as conditions on knowledge. Each strategy sees only its view.

A rule suggests moves, and a player makes the first legal move of its first rule that suggests one.
The rules are those of published agents, which decided them from hints alone:

* internal, outer: H. Osawa, Solving Hanabi: estimating hands by opponent's actions in cooperative
  game with incomplete information, AAAI Workshops (2015).
* cautious, iggi, piers: J. Walton-Rivers, P. Williams, R. Bartle, D. Perez-Liebana, S. Lucas,
  Evaluating and modelling Hanabi-playing agents, CEC (2017), and their code, fossgalaxy/hanabi.
* van-den-bergh: M. van den Bergh, A. Hommelberg, W. Kosters, F. Spieksma, Aspects of the
  cooperative card game Hanabi, BNAIC (2016), as in fossgalaxy/hanabi.
* simple: SimpleBot of Quuxplusone/Hanabi, which uses hints alone.

Here, a card is playable or useless if the player knows that it is, and a probability is exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from math import fsum
from random import Random
from typing import Any, TypeAlias

from symkripke.engines import Engine, Mark
from symkripke.explain.text import listed, percent
from symkripke.language import TRUE, Atom, Formula, K, conjunction, negation
from symkripke.model import World
from symkripke.play import Advice, Assessment, EnginePlayer, GameState, Outcome
from symkripke.play.acts import describe
from symkripke.play.advisor import Advisor
from symkripke.play.depth import Foresight
from symkripke.play.player import counting
from symkripke_games.hanabi import rules
from symkripke_games.hanabi.acts import PEOPLE, HanabiView, position, seen
from symkripke_games.hanabi.knowledge import event, is_among, kind_title
from symkripke_games.hanabi.rules import Discard, Happening, Play, Setup, State, Tell, parts

PLAYABLE, USELESS = rules.PLAYABLE, rules.USELESS
RANK, COLOUR, EITHER = "rank", "colour", "either"
"""The orders of hints about a card: first the rank, first the colour, or at random."""

Move: TypeAlias = Tell | Play | Discard


class Notes:
    """The information of a player for a decision.

    Attributes:
        view: the player's view.
        engine: the engine for questions.
        chance: the player's source of randomness.
        state: the position, with the cards of the others.
        own: the places of the own cards, from the oldest.
        options: the legal moves, which the cards of the others determine; none out of turn.
    """

    def __init__(self, view: HanabiView, engine: Engine, chance: Random) -> None:
        """Collect the information of a view."""
        self.view, self.engine, self.chance = view, engine, chance
        self.me, self.setup, self.record = view.player, view.setup, tuple(view.record)
        self.state = seen(view)
        self.own = self.state.by_age(self.me)
        decision = self.state.decision if self.state.mover == self.me else None
        self.options: Sequence[Move] = () if decision is None else decision.options or ()

    @cached_property
    def hands(self) -> Mapping[str, Mapping[int, str]]:
        """The cards of the others, from the next player; in each hand, from the oldest card."""
        others, cards = self.setup.after(self.me), self.state.cards or {}
        return {who: {p: cards[who, p] for p in self.state.by_age(who)} for who in others}

    @cached_property
    def atoms(self) -> Mapping[tuple[int, str], Atom]:
        """The atoms stating that an own card is of a kind, if the hints about it allow the kind."""
        pairs = [(p, kind) for p in self.own for kind in sorted(self.state.allowed[self.me, p])]
        return {(p, kind): Atom(rules.card_name(self.me, p), kind) for p, kind in pairs}

    @cached_property
    def possible(self) -> Mapping[int, frozenset[str]]:
        """The kinds that each own card may have, from the oldest card."""
        marks = dict(self.engine.sheet(self.view.perspective, self.atoms.values()))
        able = [at for at, atom in self.atoms.items() if marks[atom] is not Mark.NO]
        return {here: frozenset(k for place, k in able if place == here) for here in self.own}

    @cached_property
    def shares(self) -> Mapping[tuple[int, str], Fraction]:
        """The probability that an own card is of a kind."""
        found = counting(self.engine).marginals(self.view.perspective, self.atoms.values())
        return defaultdict(Fraction, {at: found[atom] for at, atom in self.atoms.items()})

    def likely(self, kinds: Iterable[str]) -> tuple[Fraction, int]:
        """Return the greatest probability that an own card is of these kinds, and its place."""
        chances = [(sum((self.shares[p, k] for k in kinds), Fraction(0)), p) for p in self.own]
        return max(chances, key=lambda pair: pair[0])

    def surely(self, kinds: frozenset[str]) -> list[int]:
        """Return the places of the own cards that are known to be of one of these kinds."""
        return [place for place in self.own if self.possible[place] <= kinds]

    def features(self, other: str, place: int, order: str) -> list[Tell]:
        """Return hints about a card: in random order, or those that nobody has given yet."""
        kind = self.hands[other][place]
        suits = [f for f in self.setup.features if rules.touches(f, kind) and not f.isdigit()]
        pair = [str(parts(kind)[1]), self.chance.choice(suits)]
        if order == EITHER:
            self.chance.shuffle(pair)
        else:
            pair = [feature for feature in pair if self.is_new(feature, (other, place))]
        return [Tell(other, feature) for feature in (pair[::-1] if order == COLOUR else pair)]

    def is_new(self, feature: str, at: rules.At) -> bool:
        """Return whether no hint has told that a card is of this colour or rank."""
        return not all(rules.touches(feature, kind) for kind in self.state.allowed[at])

    def knows(self, other: str, place: int, hint: Formula = TRUE) -> bool:
        """Return whether the player knows that after a hint, another knows a card to be playable.

        The player sees that the hint is true. So after its announcement, the other knows what the
        hint implies now (J. Plaza, Logics of public communications, 1989).
        """
        aware = K(other, negation(hint) | is_among(other, place, self.state.uses[PLAYABLE]))
        return bool(self.engine.holds(self.view.perspective, K(self.me, aware)))

    @property
    def hints(self) -> dict[Tell, list[rules.At]]:
        """The cards that each possible hint names."""
        told = {m: self.state.hint(m.told, m.feature) for m in self.options if isinstance(m, Tell)}
        return {move: [(hint.told, place) for place in hint.places] for move, hint in told.items()}


class HintNotes(Notes):
    """The information of a player who concludes nothing but what the hints about a card say."""

    @cached_property
    def possible(self) -> Mapping[int, frozenset[str]]:
        """The kinds that the hints about each own card allow, from the oldest card."""
        return {place: self.state.allowed[self.me, place] for place in self.own}


Rule: TypeAlias = Callable[[Notes], Iterable[Move]]

# ---- rules ---------------------------------------------------------------------------------


def play_known(notes: Notes) -> Iterable[Move]:
    """Play a card that is known to be playable, of the lowest possible rank."""
    ranks = {p: min(parts(k)[1] for k in kinds) for p, kinds in notes.possible.items()}
    return map(Play, sorted(notes.surely(notes.state.uses[PLAYABLE]), key=ranks.__getitem__))


def discard_known(notes: Notes) -> Iterable[Move]:
    """Discard a card that is known to be useless."""
    return map(Discard, notes.surely(notes.state.uses[USELESS]))


def play_likely(notes: Notes, least: float = 0.6) -> Iterable[Move]:
    """Play the most likely card if there are lives to lose."""
    if notes.state.lives > 1:
        chance, place = notes.likely(notes.state.uses[PLAYABLE])
        if chance >= least:
            yield Play(place)


def play_at_the_end(notes: Notes) -> Iterable[Move]:
    """Play the most likely card when the deck is empty, if there are lives to lose."""
    return () if notes.state.deck else play_likely(notes, 0)


def discard_likely(notes: Notes) -> Iterable[Move]:
    """Discard the card that is most likely to be useless."""
    return [Discard(notes.likely(notes.state.uses[USELESS])[1])]


def discard_oldest(notes: Notes) -> Iterable[Move]:
    """Discard the oldest card."""
    return [Discard(notes.own[0])]


def discard_randomly(notes: Notes) -> Iterable[Move]:
    """Discard a random card."""
    return [Discard(notes.chance.choice(notes.own))]


def tell(
    notes: Notes, seats: int | None = None, order: str = RANK, *, useful: bool = True
) -> Iterable[Move]:
    """Tell the next players about their cards: by default, anybody about playable cards."""
    kinds = notes.state.uses[PLAYABLE] if useful else notes.setup.kinds
    for other in [*notes.hands][:seats]:
        places = [place for place, kind in notes.hands[other].items() if kind in kinds]
        if order == EITHER and not useful:
            notes.chance.shuffle(places)
        for place in places:
            yield from notes.features(other, place, order)


tell_next = partial(tell, seats=1)
tell_next_either = partial(tell, seats=1, order=EITHER)
tell_unknown = partial(tell, seats=1, order=COLOUR, useful=False)
tell_randomly = partial(tell, seats=1, order=EITHER, useful=False)


def tell_dispensable(notes: Notes) -> Iterable[Move]:
    """Tell anybody about a useless card if a hint makes it known, and fewer than four are left."""
    heights, ranks = notes.state.heights, notes.setup.ranks
    for other in notes.hands if notes.state.hints < 4 else ():
        for place, kind in notes.hands[other].items():
            (suit, rank), missing = parts(kind), notes.features(other, place, RANK)
            seen = {str(rank): rank <= min(heights.values()), suit: heights[suit] == ranks}
            is_last = len(missing) == 1 and rank <= heights[suit]
            yield from (move for move in missing if is_last or seen.get(move.feature))


def tell_most(notes: Notes) -> Iterable[Move]:
    """Give the hint that names the most cards whose colour or rank no hint has named."""
    new = {m: sum(notes.is_new(m.feature, at) for at in named) for m, named in notes.hints.items()}
    return sorted(filter(new.get, new), key=new.__getitem__, reverse=True)


# ---- SimpleBot -----------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def promises(setup: Setup, record: tuple[Any, ...]) -> Mapping[rules.At, tuple[str, int]]:
    """Return the cards that should be playable if hints name only playable cards.

    Each has its rank, and its colour if a hint has named it, or else an empty text.
    """
    if not record:
        return {}
    before, public = rules.position(setup, record[:-1]), record[-1]
    made = dict(promises(setup, record[:-1]))
    if isinstance(public, rules.Hint):
        for place in before.promised(public, rules.ALL):
            at, f = (public.told, place), public.feature
            suit, _ = made.get(at, ("", 0))
            made[at] = (suit, int(f)) if f.isdigit() else (f, before.heights[f] + 1)
        return made
    made.pop(public.at, None)
    if public.fits is not None:  # a promise may have been about a card of the same kind
        played = parts(public.kind)
        alike = {("", played[1]), played} if played[1] < setup.ranks else set()
        made = {at: promise for at, promise in made.items() if promise not in alike}
    return made


def play_promised(notes: Notes) -> Iterable[Move]:
    """Play the promised card with the lowest rank."""
    made = promises(notes.setup, notes.record)
    ranks = {p: made[notes.me, p][1] for p in notes.own if (notes.me, p) in made}
    return map(Play, sorted(ranks, key=ranks.__getitem__))


def tell_playable(notes: Notes, knows: Callable[[rules.At], bool]) -> Iterable[Move]:
    """Give the hint that names only playable cards, and the most about which `knows` is false."""
    cards, fit = notes.state.cards or {}, notes.state.uses[PLAYABLE]
    fitting = {m: at for m, at in notes.hints.items() if fit.issuperset(map(cards.get, at))}
    unknown = {at for at in sorted(set[rules.At]().union(*fitting.values())) if not knows(at)}
    new = {move: len(unknown.intersection(named)) for move, named in fitting.items()}
    return sorted(filter(new.get, new), key=new.__getitem__, reverse=True)


def tell_unpromised(notes: Notes) -> Iterable[Move]:
    """Give the hint that promises the most new cards."""
    return tell_playable(notes, promises(notes.setup, notes.record).__contains__)


def tell_unaware(notes: Notes) -> Iterable[Move]:
    """Give the hint about the most cards that their players do not know to be playable."""
    return tell_playable(notes, lambda at: notes.knows(*at))


def tell_to_wait(notes: Notes) -> Iterable[Move]:
    """Tell the previous player the rank of their oldest card."""
    *_, last = notes.hands
    return [Tell(last, str(parts(next(iter(notes.hands[last].values())))[1]))]


# ---- players -------------------------------------------------------------------------------


class RandomPlayer(EnginePlayer):
    """Makes any legal move.

    Attributes:
        rules: the rules, in order. If none suggests a legal move, the player makes a random one.
        notes: the class of its information.
    """

    notes: type[Notes] = Notes
    rules: tuple[Rule, ...] = ()

    def choose(self, view: HanabiView) -> Any:
        """Return the first legal move that a rule suggests, or else a random legal move."""
        notes = self.notes(view, self.engine, self.chance)
        moves = (move for rule in self.rules for move in rule(notes) if move in notes.options)
        return next(moves, None) or self.chance.choice(notes.options)

    def assess(self, view: HanabiView) -> Assessment:
        """Return the number of own hands that the player can consider possible."""
        number = counting(self.engine).worlds(view.perspective)
        return Assessment(number, {}, number == 1)


class Internal(RandomPlayer):
    """Plays and discards what it knows, and tells the next player something playable, at random."""

    rules = (play_known, discard_known, tell_next_either, tell_randomly, discard_randomly)


class Outer(RandomPlayer):
    """Like internal, but it tells the next player only what hints have not named yet."""

    rules = (play_known, discard_known, tell_next, tell_unknown, discard_randomly)


class Cautious(RandomPlayer):
    """Plays what it knows, and tells anybody about playable cards before it discards."""

    rules = (play_known, tell, discard_known, discard_randomly, tell_randomly)


class Iggi(RandomPlayer):
    """Like cautious, but it discards its oldest card."""

    rules = (play_known, tell, discard_known, discard_oldest, tell_randomly)


class HintedIggi(Iggi):
    """Like iggi, but it knows of its own cards only what hints say about them."""

    notes = HintNotes


class Piers(RandomPlayer):
    """Like iggi, but it plays likely cards, too, and tells others about useless cards."""

    rules = (play_at_the_end, play_known, play_likely, tell, tell_dispensable, *Iggi.rules[2:])


class VanDenBergh(RandomPlayer):
    """Plays what is likely, tells what it can, and discards what is most likely to be useless."""

    rules = (play_likely, play_known, discard_known, tell, tell_most, discard_likely)


class Simple(RandomPlayer):
    """Trusts each hint to name only playable cards, and gives such hints; draws no conclusions."""

    rules = (play_promised, tell_unpromised, discard_oldest, tell_to_wait)


class FirstOrderSimple(RandomPlayer):
    """Like simple, but it plays and discards what it knows of its own cards."""

    rules = (play_known, tell_unpromised, discard_known, discard_oldest, tell_to_wait)


class KnowingSimple(RandomPlayer):
    """Like simple-first-order, but it also gives hints by what it knows that others know."""

    rules = (play_known, tell_unaware, discard_known, discard_oldest, tell_to_wait)


# ---- search --------------------------------------------------------------------------------


def worth(state: Any) -> float:
    """Return the value of a position: its points, those that are still possible, and its means."""
    useful = len(state.setup.kinds) - len(state.uses[USELESS])
    return float(state.score + 0.3 * useful + 0.2 * state.hints + (state.lives or -4))


def values(notes: Notes) -> dict[Move, float]:
    """Return the expected value of each legal move, by exact chances.

    A playable card that its player knows to be playable is worth 0.6 more.
    """
    return {move: _value(notes, move) for move in notes.options}


def _value(notes: Notes, move: Move) -> float:
    state = replace(notes.state, cards=None)
    if isinstance(move, Tell):
        done: Outcome[Happening] = Outcome(notes.state.hint(move.told, move.feature), {})
        said = conjunction(stated.formula for stated in event(notes.setup, state, done).constraints)
        fit = [p for p, k in notes.hands[move.told].items() if k in state.uses[PLAYABLE]]
        new = sum(notes.knows(move.told, p, said) - notes.knows(move.told, p) for p in fit)
        return worth(state.follow(done)) + 0.6 * new
    shares = {kind: float(notes.shares[move.place, kind]) for kind in notes.possible[move.place]}
    after_kind = {kind: state.follow(Outcome(state.put(move, kind), {})) for kind in shares}
    return fsum(share * worth(after_kind[kind]) for kind, share in shares.items())


class Thinker(Foresight[Setup, Happening]):
    """Chooses by exact chances; from depth 1, it expects the next player to choose, too."""

    game_name = "hanabi"
    assess = RandomPlayer.assess

    def values(self, view: HanabiView) -> Mapping[Any, float]:
        """Return the expected value of each legal move."""
        return values(Notes(view, self.engine, self.chance))

    def position(self, view: HanabiView, world: World) -> State:
        """Return the position with the cards of a world."""
        return position(view, world, view.setup.players)

    def worth(self, state: GameState[Happening], player: str) -> float:
        """Return the value of a position."""
        return worth(state)


def reason(notes: Notes, move: Move) -> str:
    """Return what a hint names, or the chance that a card is playable or useless."""
    if isinstance(move, Tell):
        named = [kind_title(notes.hands[who][place]) for who, place in notes.hints[move]]
        return f"it names {listed(named)}"
    use = PLAYABLE if isinstance(move, Play) else USELESS
    chance = sum((notes.shares[move.place, kind] for kind in notes.state.uses[use]), Fraction(0))
    return f"the chance that this card is {use} is {percent(chance)}"


class HanabiAdvisor(Advisor[Setup, Happening]):
    """Advice by the expected value of each move, as for `depth-0` players.

    The value counts points, points that are still possible, hints, lives and new knowledge.
    """

    def advise(
        self, view: HanabiView, engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """Return the best moves; none if it is not the viewer's turn."""
        gains = values(notes := Notes(view, engine, Random(0)))
        best = sorted(gains, key=lambda move: -gains[move])[:number]
        said = {m: describe(PEOPLE.act(m), view.setup, m, view.player).rstrip(".") for m in best}
        return [Advice(said[m], gains[m], reason(notes, m), {}, m, "points of value") for m in best]
