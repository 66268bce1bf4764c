"""`slips`: wrong entries in the logs of one seat of full-size games, and whether they are found.

A game is played by minds, and told as one seat saw it. One entry (or one card of the seat's own
hand) is replaced by a wrong one, and the rest goes on as it was. When the log cannot be so any
more, it is diagnosed. Checked: that the clash is minimal (by z3, which shares no code with the
solver that finds it), and that the entry with the slip is among the suspects. The slips are made
here by hand, not by what the games offer as alternatives.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import click
import msgspec
import z3

from benchmarks.common import check, duration, median, show
from symkripke.engines.smt.propositional import propositional
from symkripke.errors import InputError
from symkripke.language import Atom, Formula
from symkripke.play import Outcome, Record, Table, game
from symkripke.play.dealing import location
from symkripke.play.diagnosis import clash_of, diagnose
from symkripke_games.cluedo import rules as cluedo
from symkripke_games.kwartet import rules as kwartet
from symkripke_games.old_maid import rules as old_maid
from symkripke_games.perudo import rules as perudo
from symkripke_games.perudo.throws import dice_name
from symkripke_games.sleuth import rules as sleuth

Anything = Outcome[Any]
Slip = Callable[[Record[Any, Any], Anything, Random], Anything | None]
"""Makes a wrong entry of a right one; None if that slip cannot be made of it."""


def changed(outcome: Anything, **parts: Any) -> Anything:
    """The same with other public parts."""
    return Outcome(msgspec.structs.replace(outcome.public, **parts), outcome.secret)


def another(chance: Random, known: Sequence[Any], *but: Any) -> Any:
    """One of these, but none of those."""
    return chance.choice([thing for thing in known if thing not in but])


def wrong_player(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Somebody else did it."""
    if not hasattr(outcome.public, "player"):
        return None
    return changed(outcome, player=another(chance, record.setup.players, outcome.public.player))


# ---- Cluedo ----------------------------------------------------------------------------------


def wrong_shower(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Another player showed, or nobody did."""
    public = outcome.public
    if not isinstance(public, cluedo.Suggestion) or record.seat is None:
        return None
    order = record.setup.after(public.player)
    number = chance.choice([n for n in range(len(order) + 1) if n != len(public.passes)])
    shower = (*order, None)[number]
    wrong = changed(outcome, passes=order[:number], shower=shower).public
    mine = shower is not None and record.seat.player in (public.player, shower)
    card = chance.choice(public.cards)
    return Outcome(wrong, {cluedo.shown(public.turn): card} if mine else {})


def wrong_card_shown(
    record: Record[Any, Any], outcome: Anything, chance: Random
) -> Anything | None:
    """Another of the three cards was shown."""
    if not isinstance(outcome.public, cluedo.Suggestion) or not outcome.secret:
        return None
    ((name, card),) = outcome.secret.items()
    return Outcome(outcome.public, {name: another(chance, outcome.public.cards, card)})


def wrong_card_named(
    record: Record[Any, Any], outcome: Anything, chance: Random
) -> Anything | None:
    """Another card was asked for, or accused."""
    public = outcome.public
    if not isinstance(public, cluedo.Suggestion | cluedo.Accusation):
        return None
    place = chance.randrange(3)
    category = [card.id for card in record.setup.edition.categories[place]]
    new, cards = another(chance, category, public.cards[place]), list(public.cards)
    old, cards[place] = cards[place], new
    secret = {name: new if card == old else card for name, card in outcome.secret.items()}
    return Outcome(changed(outcome, cards=tuple(cards)).public, secret)


# ---- Sleuth ----------------------------------------------------------------------------------


def wrong_number(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Another number was said."""
    public = outcome.public
    if not isinstance(public, sleuth.Question) or outcome.secret or public.number is None:
        return None
    near = [number for number in (public.number - 1, public.number + 1) if number >= 0]
    return changed(outcome, number=chance.choice(near))


def wrong_gem(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Another gem was shown."""
    public = outcome.public
    if not isinstance(public, sleuth.Question) or not outcome.secret:
        return None
    matching = [location(gem) for gem in record.setup.edition.matching(public.elements)]
    others = [name for name in matching if name not in outcome.secret]
    if not others:
        return None
    old = chance.choice(sorted(outcome.secret))
    secret = {name: at for name, at in outcome.secret.items() if name != old}
    return Outcome(public, {**secret, chance.choice(others): public.asked})


def wrong_asked(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Somebody else was asked."""
    public = outcome.public
    if not isinstance(public, sleuth.Question | kwartet.Question):
        return None
    asked = another(chance, record.setup.players, public.player, public.asked)
    secret = dict.fromkeys(outcome.secret, asked)
    return Outcome(changed(outcome, asked=asked).public, secret)


def wrong_element(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Other gems were asked for."""
    public = outcome.public
    if not isinstance(public, sleuth.Question):
        return None
    elements = list(public.elements)
    place = chance.randrange(len(elements))
    kinds = ([element.id for element in kind] for kind in record.setup.edition.kinds)
    kind = next(kind for kind in kinds if elements[place] in kind)
    elements[place] = another(chance, kind, elements[place])
    return changed(outcome, elements=tuple(elements))


def wrong_gem_up(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Another gem lies face up."""
    public = outcome.public
    if not isinstance(public, sleuth.Opening) or not public.up:
        return None
    gems = [gem.id for gem in record.setup.edition.gems]
    return changed(outcome, up=(*public.up[1:], another(chance, gems, *public.up)))


# ---- Kwartet ---------------------------------------------------------------------------------


def wrong_answer(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Yes for no, or no for yes."""
    public = outcome.public
    if not isinstance(public, kwartet.Question):
        return None
    return changed(outcome, given=not public.given, down=False)


def wrong_card(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Another card was asked for: half of the time of the same group."""
    public = outcome.public
    if not isinstance(public, kwartet.Question):
        return None
    cards = [card.id for card in record.setup.cards]
    if chance.random() < 0.5:
        cards = list(record.setup.cards_of[record.setup.group_of[public.card]])
    return changed(outcome, card=another(chance, cards, public.card))


def wrong_group_down(
    record: Record[Any, Any], outcome: Anything, chance: Random
) -> Anything | None:
    """A group was laid down, or not."""
    public = outcome.public
    if not isinstance(public, kwartet.Question) or not public.given:
        return None
    return changed(outcome, down=not public.down)


# ---- Old Maid --------------------------------------------------------------------------------


def wrong_discard(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Another pair was discarded."""
    public = outcome.public
    if not isinstance(public, old_maid.Draw) or public.discard is None:
        return None
    return changed(outcome, discard=another(chance, list(record.setup.deck), public.discard))


def kept_or_not(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """A pair was discarded where the card was kept, or the other way round."""
    public = outcome.public
    if not isinstance(public, old_maid.Draw) or record.seat is None:
        return None
    if public.discard is None:
        discard = chance.choice(list(record.setup.deck))
        return Outcome(changed(outcome, discard=discard).public, {})
    mine = record.seat.player in (public.player, public.giver)
    secret = {old_maid.drawn_name(public.turn): public.discard} if mine else {}
    return Outcome(changed(outcome, discard=None).public, secret)


def wrong_rank_drawn(
    record: Record[Any, Any], outcome: Anything, chance: Random
) -> Anything | None:
    """The card that was drawn is another."""
    if not isinstance(outcome.public, old_maid.Draw) or not outcome.secret:
        return None
    ((name, rank),) = outcome.secret.items()
    return Outcome(outcome.public, {name: another(chance, list(record.setup.deck), rank)})


def wrong_pairs(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Of the deal, a player discarded another pair, or one less."""
    public = outcome.public
    if not isinstance(public, old_maid.Discards):
        return None
    player = chance.choice([name for name, pairs in public.pairs.items() if pairs])
    pairs = list(public.pairs[player])
    place = chance.randrange(len(pairs))
    if chance.random() < 0.3:
        del pairs[place]
    else:
        pairs[place] = another(chance, list(record.setup.deck), pairs[place])
    return changed(outcome, pairs={**public.pairs, player: tuple(pairs)})


# ---- Perudo ----------------------------------------------------------------------------------


def wrong_quantity(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """One die more or less was bid."""
    public = outcome.public
    if not isinstance(public, perudo.Bid):
        return None
    near = [number for number in (public.quantity - 1, public.quantity + 1) if number]
    return changed(outcome, quantity=chance.choice(near))


def wrong_face(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Another face was bid."""
    public = outcome.public
    if not isinstance(public, perudo.Bid):
        return None
    faces = range(1, record.setup.faces + 1)
    return changed(outcome, face=another(chance, list(faces), public.face))


def wrong_die(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """Somebody showed another die."""
    public = outcome.public
    if not isinstance(public, perudo.Call):
        return None
    player = chance.choice(list(public.dice))
    dice = list(public.dice[player])
    place = chance.randrange(len(dice))
    dice[place] = another(chance, list(range(1, record.setup.faces + 1)), dice[place])
    return changed(outcome, dice={**public.dice, player: tuple(sorted(dice))})


def wrong_throw(record: Record[Any, Any], outcome: Anything, chance: Random) -> Anything | None:
    """One's own throw was another."""
    if not isinstance(outcome.public, perudo.Rolled) or record.seat is None:
        return None
    name = dice_name(record.seat.player)
    if name not in outcome.secret:
        return None
    dice = outcome.secret[name].split()
    faces = [str(face) for face in range(1, record.setup.faces + 1)]
    dice[-1] = another(chance, faces, dice[-1])
    return Outcome(outcome.public, {name: " ".join(sorted(dice))})


@dataclass(frozen=True)
class Kinds:
    """The slips of a game, and how it is played.

    Attributes:
        slips: the slips in events, by name.
        minds: who plays.
        options: of the setup.
    """

    slips: dict[str, Slip]
    minds: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


GAMES = {
    "cluedo": Kinds(
        {
            "another showed": wrong_shower,
            "another card shown": wrong_card_shown,
            "another card named": wrong_card_named,
            "another player": wrong_player,
        }
    ),
    "sleuth": Kinds(
        {
            "another number": wrong_number,
            "another gem shown": wrong_gem,
            "another asked": wrong_asked,
            "other gems asked for": wrong_element,
            "another gem face up": wrong_gem_up,
            "another player": wrong_player,
        },
        ("study",),
        {"players": 4},
    ),
    "kwartet": Kinds(
        {
            "yes or no": wrong_answer,
            "another card": wrong_card,
            "another asked": wrong_asked,
            "laid down or not": wrong_group_down,
            "another player": wrong_player,
        }
    ),
    "old_maid": Kinds(
        {
            "another discard": wrong_discard,
            "kept or discarded": kept_or_not,
            "another rank drawn": wrong_rank_drawn,
            "another pair of the deal": wrong_pairs,
            "another player": wrong_player,
        }
    ),
    "perudo": Kinds(
        {
            "another quantity": wrong_quantity,
            "another face": wrong_face,
            "another die shown": wrong_die,
            "another throw": wrong_throw,
            "another player": wrong_player,
        }
    ),
}
OWN_CARD = "a card of one's own"


# ---- a slip, and what follows ------------------------------------------------------------------


@dataclass(frozen=True)
class Made:
    """A log with a slip.

    Attributes:
        kind: which kind of slip.
        entry: where it is: the number of the event, from 1; 0: the hand.
        record: the log up to the end, or to the entry that the rules refuse.
    """

    kind: str
    entry: int
    record: Record[Any, Any]


def slipped(right: Record[Any, Any], kinds: Kinds, kind: str, chance: Random) -> Made | None:
    """The log with a slip of that kind; None if it cannot be made."""
    assert right.seat is not None
    outcomes = list(right.outcomes)
    if kind == OWN_CARD:
        hand = list(right.seat.holds)
        place = chance.randrange(len(hand))
        hand[place] = another(chance, list(right.game.cards(right.setup)), hand[place])
        try:
            right.game.hand(right.setup, right.seat.player, hand)
        except InputError:
            return None
        seat = msgspec.structs.replace(right.seat, holds=tuple(hand))
        return Made(kind, 0, replace(right, seat=seat, outcomes=tuple(outcomes), result=None))
    places = list(range(len(outcomes)))
    chance.shuffle(places)
    for place in places:
        wrong = kinds.slips[kind](right, outcomes[place], chance)
        if wrong is not None and wrong != outcomes[place]:
            told = followed(right, [*outcomes[:place], wrong, *outcomes[place + 1 :]])
            return Made(kind, place + 1, replace(right, outcomes=told, result=None))
    return None


def followed(record: Record[Any, Any], outcomes: Sequence[Anything]) -> tuple[Anything, ...]:
    """The events as a program would write them down, up to one that the rules refuse."""
    position = record.game.start(record.setup, None)
    told = []
    for outcome in outcomes:
        try:
            entry = record.game.rebased(position, outcome)
            position = position.follow(entry)
        except InputError:
            told.append(outcome)
            break
        told.append(entry)
    return tuple(told)


def unsatisfiable(formulas: Sequence[Formula]) -> bool:
    """Whether they cannot all be true, by z3."""
    solver = z3.Solver()

    def atom(asked: Atom) -> Any:
        return z3.Bool(f"{asked.fluent}={asked.value}")

    solver.add(*(propositional(formula, atom) for formula in formulas))
    return bool(solver.check() == z3.unsat)


def check_clash(record: Record[Any, Any], number: int, what: str) -> int:
    """Raises `WrongAnswer` unless the clash of a log is minimal; its size, 0 if there is none."""
    found = clash_of(record, number)
    if found is None:
        return 0
    clash = found[0]
    said = [statement.formula for statement in clash.clash]
    check(unsatisfiable([*clash.given, *said]), f"{what}: the clash is none")
    for left_out in said:
        rest = [formula for formula in said if formula is not left_out]
        check(not unsatisfiable([*clash.given, *rest]), f"{what}: the clash is not minimal")
    return len(said)


_MANY = 4
"""With fewer suspects the first three are all of them."""


@dataclass
class Tally:
    """What came of the slips of one kind."""

    made: int = 0
    never: int = 0
    at_once: int = 0
    by_rules: int = 0
    missed: int = 0
    first: int = 0
    among_three: int = 0
    first_by_chance: float = 0.0
    by_chance: float = 0.0
    crowded: int = 0
    among_three_of_many: int = 0
    by_chance_of_many: float = 0.0
    suspects: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def noticed(self) -> int:
        """How many were noticed."""
        return self.made - self.never

    def add(self, other: Tally) -> None:
        """Count what came of others, too."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def count(self, made: Made, what: str) -> None:
        """Diagnose a log with a slip."""
        self.made += 1
        start = time.process_time()
        found = diagnose(made.record)
        spent = time.process_time() - start
        if found is None:
            self.never += 1
            return
        self.seconds.append(spent)
        self.at_once += found.entry == max(1, made.entry)
        self.by_rules += found.kind == "rules"
        size = check_clash(made.record, found.entry - 1, what)
        check(size == len(found.clash), f"{what}: another clash the second time")
        if size:
            self.sizes.append(size)
        order = [suspect.entry for suspect in found.suspects]
        self.suspects.append(len(order))
        self.crowded += len(order) >= _MANY
        if made.entry not in order:
            self.missed += 1
            click.echo(f"{what}: the slip is not among the suspects", err=True)
            return
        rank = order.index(made.entry)
        self.first += rank == 0
        self.among_three += rank < 3
        self.first_by_chance += 1 / len(order)
        self.by_chance += min(1.0, 3 / len(order))
        if len(order) >= _MANY:
            self.among_three_of_many += rank < 3
            self.by_chance_of_many += 3 / len(order)

    def row(self, *titles: str) -> list[str]:
        """A row of the table."""
        noticed = self.noticed
        found = noticed - self.missed

        def percent(number: float, of: int = noticed) -> str:
            return f"{100 * number / of:.0f}%" if of else "-"

        return [
            *titles,
            str(self.made),
            str(self.never),
            str(noticed),
            str(self.at_once),
            str(self.by_rules),
            f"{median(self.sizes):.0f}" if self.sizes else "-",
            percent(found),
            f"{median(self.suspects):.0f}" if self.suspects else "-",
            percent(self.first),
            percent(self.first_by_chance),
            percent(self.among_three),
            percent(self.by_chance),
            str(self.crowded),
            percent(self.among_three_of_many, self.crowded),
            percent(self.by_chance_of_many, self.crowded),
            duration(median(self.seconds)),
            duration(max(self.seconds, default=None)),
        ]


COLUMNS = [
    "game",
    "slip",
    "made",
    "never noticed",
    "noticed",
    "at once",
    "by rules",
    "clash",
    "a suspect",
    "suspects",
    "first",
    "by chance",
    "first three",
    "by chance",
    f"of {_MANY} or more",
    "first three",
    "by chance",
    "median",
    "worst",
]


@click.command(short_help="Wrong entries in logs of full-size games: are they found?")
@click.option("--games", type=click.IntRange(1), default=2, help="How many games of each.")
@click.option("--seed", type=int, default=0, help="Where chance comes from.")
@click.option("--slips", type=click.IntRange(1), default=20, help="Slips in each game.")
@click.option("--only", default="", help="Only this game.")
def slips(games: int, seed: int, slips: int, only: str) -> None:
    """Make slips in logs of one seat, and look for them."""
    rows = []
    for name, kinds in GAMES.items():
        if only in ("", name):
            tallies = _of_game(name, kinds, games, seed, slips)
            whole = Tally()
            for kind, tally in tallies.items():
                rows.append(tally.row(name, kind))
                whole.add(tally)
            rows.append(whole.row(name, "all"))
    show(
        "Slips in the logs of one seat (classic rules, full size)",
        COLUMNS,
        rows,
        [
            "every clash was checked by z3: it cannot be so, and without any one part it can",
            "'by chance': how often a random order of the suspects has the slip there",
            f"'of {_MANY} or more': how many clashes had so many suspects, and the same for these",
            "median and worst are times of the processor",
        ],
    )


def _of_game(name: str, kinds: Kinds, games: int, seed: int, number: int) -> dict[str, Tally]:
    tallies = {kind: Tally() for kind in (*kinds.slips, OWN_CARD)}
    played = game(name)
    for at in range(seed, seed + games):
        chance = Random(f"{name}/{at}/slips")
        table = Table(played, played.setup(**kinds.options), kinds.minds, at)
        for _ in table:
            pass
        whole = table.record
        made = tried = 0
        while made < number and tried < 20 * number:
            kind = list(tallies)[tried % len(tallies)]
            tried += 1
            right = whole.seen_by(chance.choice(table.setup.players))
            slip = slipped(right, kinds, kind, chance)
            if slip is not None:
                made += 1
                tallies[kind].count(slip, f"{name}, game {at}, {kind}, entry {slip.entry}")
    return tallies
