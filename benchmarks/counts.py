"""`counts`: exact counts and probabilities at full size, checked by other methods.

| part | what is counted | what it is checked against |
|---|---|---|
| deals | all deals of Cluedo, and of 36 gems | closed forms |
| gems | after questions as in Sleuth, from each seat | each card at one place, hand sizes |
| cluedo | after each event, from each seat | the same, and the next part |
| programme | deals, marginals | dynamic programming over cards, and deals drawn by it |
| draws | own cards after each event of Hanabi | a count from the 50 cards of the deck |
| dice | bids of Perudo, knowledge and beliefs about them | own dice, binomial probabilities |
| laws | all kinds of questions about small laws | lists of all worlds |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from math import comb, sqrt
from random import Random

import click

from benchmarks.cluedo import CluedoTable, played, setup_of
from benchmarks.cluedo_deals import Dealing
from benchmarks.common import (
    Seconds,
    Table,
    Tables,
    check,
    clocked,
    measurement,
    quiet,
    spread,
)
from benchmarks.draws import Deck, DrawsTable, moves
from benchmarks.gems import HIDDEN, SLEUTH, Deal
from benchmarks.reference import worlds_at_start
from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.explicit import ExplicitEngine
from symkripke.language import Atom, B, Formula, K, M, exactly
from symkripke.model import Perspective, Scene
from symkripke.play import Table as PlayTable
from symkripke.play.hands import at
from symkripke.testing.random_models import seeded_case
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.rules import Setup
from symkripke_games.kwartet import GAME as KWARTET
from symkripke_games.perudo import GAME as PERUDO
from symkripke_games.perudo.bidding import Manner
from symkripke_games.perudo.knowledge import shows
from symkripke_games.perudo.players import Situation
from symkripke_games.perudo.rules import State as PerudoState

View = tuple[Perspective, list[str]]
"""A perspective, and the names of the fluents to ask about."""

# Nothing goes unnoticed in these games, so plausibility would weigh worlds equally.
_WEIGHTINGS = ("equal", "bayes")


def deal_atoms(scene: Scene, setup: Setup) -> list[Atom]:
    """Return an atom for every pair of a card and a place."""
    fluents = scene.structure.vocabulary.fluents
    return [
        atom for name in GAME.layout(setup, scene.structure).rows for atom in fluents[name].atoms
    ]


Times = dict[str, list[Seconds]]

_SPREAD = ("asked", "median", "9 of 10", "worst")


def _rows(times: Times, *before: object) -> list[list[object]]:
    return [[*before, kind, len(taken), *spread(taken)] for kind, taken in times.items()]


def first_counts() -> Tables:
    """Count the deals of new games."""
    BddEngine().worlds(GAME.structure(setup_of("study", 3)))  # so that no time includes imports
    rows: list[list[object]] = []
    setups = [setup_of("classic", players) for players in range(3, 7)]
    laws = [(f"Cluedo, {len(s.players)}", GAME.structure(s), worlds_at_start(s)) for s in setups]
    for players in SLEUTH:
        deal = Deal.of_sleuth(players)
        laws.append((f"Sleuth, {players}", deal.structure(), deal.number))
    for name, structure, expected in laws:
        counting = BddEngine()
        took, number = clocked(partial(counting.worlds, structure))
        check(number == expected, f"{name} players: {number:,} deals, not {expected:,}")
        rows.append([name, number, took])
    yield Table(
        "The first count: all deals",
        ["game, players", "deals", "a new engine's first count"],
        rows,
        "closed forms: 324 * 18! / the product of the hand sizes' factorials; 36! / the same",
    )


def gem_updates(deal: Deal, number_of_questions: int) -> list[list[object]]:
    """Time counts after each question: deals, marginals, the hidden gem's entropy, a chain."""
    chance = Random(deal.players)
    scene = deal.scene(chance)
    if deal.up:
        scene = scene.update(deal.table_seen(scene))
    questions, counting = deal.questions(scene, chance), BddEngine()
    hidden = [deal.at(card, HIDDEN) for card in deal.cards]
    fluents = tuple(scene.structure.vocabulary.fluents)
    seconds: Times = {}
    for turn in range(1, number_of_questions + 1):
        scene = scene.update(next(questions))
        for player in deal.agents:
            view = scene.perspective(player)
            count, number = clocked(partial(counting.worlds, view))
            more, shares = clocked(partial(counting.marginals, view))
            last, _ = clocked(partial(counting.entropy, view, hidden))
            check(number > 0, f"{player} considers no deal possible")
            for name in fluents:
                places = [share for atom, share in shares.items() if atom.fluent == name]
                check(sum(places) == 1, f"{player}: the places of {name} add up to 1")
            for agent in deal.agents:
                held = sum(shares[deal.at(card, agent)] for card in deal.cards)
                check(held == deal.hand, f"{player}: {agent} holds {held} gems")
            taken = {"deals": count, "deals and marginals": Seconds(count + more)}
            taken["then the hidden gem's entropy"] = last
            if turn % 6 == 0:
                taken["a chain over all gems"] = clocked(partial(counting.steps, view, fluents))[0]
            for kind, took in taken.items():
                seconds.setdefault(kind, []).append(took)
    return _rows(seconds, f"{deal.players} players")


def updates(table: CluedoTable, weighting: str) -> list[list[object]]:
    """Time counts after every event from every seat: deals, marginals, entropy, a sample."""
    counting = BddEngine(weighting=weighting)
    deal = tuple(table.moment.layout.rows)
    kinds = ("deals", "deals and marginals", "then the solution's entropy", "then ten deals drawn")
    seconds: Times = {kind: [] for kind in kinds}
    solution = envelope_atoms(table.setup)
    for scene in table.scenes:
        atoms = deal_atoms(scene, table.setup)
        for player in table.setup.players:
            view = scene.perspective(player)
            count, number = clocked(partial(counting.worlds, view, deal))
            more, shares = clocked(partial(counting.marginals, view, atoms))
            last, _ = clocked(partial(counting.entropy, view, solution))
            drawn, worlds = clocked(partial(counting.sample, view, 10, Random(1), deal))
            check(number > 0, f"{player} considers no deal possible")
            for card in table.setup.edition.cards:
                places = [shares[a] for a in atoms if a.fluent == f"location({card.id})"]
                check(sum(places) == 1, f"{player}: the places of {card.id} add up to 1")
            check(
                all(shares[Atom(*item)] > 0 for world in worlds for item in world.items()),
                f"{player}: a deal was drawn that is not possible",
            )
            for kind, took in zip(kinds, (count, Seconds(count + more), last, drawn), strict=True):
                seconds[kind].append(took)
    return _rows(seconds, weighting)


def against_the_programme(
    table: CluedoTable, events: int, draws: int, seed: int
) -> list[list[object]]:
    """Compare counts and probabilities exactly with dynamic programming, and with its draws."""
    scene = table.scenes[events]
    record = [step.outcome.public for step in table.steps[:events]]
    deal = tuple(table.moment.layout.rows)
    player = table.setup.players[seed % len(table.setup.players)]
    view = scene.perspective(player)
    number = BddEngine().worlds(view, deal)
    exact = int(Dealing(table.setup, player, scene.world, record, "deals").total())
    check(number == exact, f"event {events}, {player}: {number:,} deals, not {exact:,}")
    rows: list[list[object]] = []
    for weighting in _WEIGHTINGS:
        shares = BddEngine(weighting=weighting).marginals(view, deal_atoms(scene, table.setup))
        dealing = Dealing(table.setup, player, scene.world, record, weighting)
        chance = Random(f"{seed}/{events}")
        asked = chance.sample(table.setup.edition.cards, 3)
        for card in asked:
            for place in ("envelope", chance.choice(table.setup.players)):
                expected = dealing.share(card.id, place)
                check(shares[at(card.id, place)] == expected, f"P({card.id} at {place}) is wrong")
        seen = Counter[tuple[str, str]]()
        for _ in range(draws):
            seen.update(dealing.draw(chance).items())
        worst = 0.0
        for atom, share in shares.items():
            found = seen[atom.fluent[len("location(") : -1], atom.value] / draws
            error = sqrt(share * (1 - share) / draws)
            check(error > 0 or found == share, f"{atom} was drawn {found}, is {share}")
            worst = max(worst, abs(found - float(share)) / error if error else 0)
        check(worst < 4, f"{weighting}: {worst:.2f} standard errors off")
        rows.append([f"{events} events, {player}", weighting, number, f"{worst:.2f}", len(shares)])
    return rows


def small_deal(chance: Random) -> View:
    """Return a view of gems after some questions and hints."""
    deal = Deal(chance.choice(((2, 3), (2, 2, 2), (3, 3), (7,))), 2, chance.randint(1, 2))
    scene = deal.scene(chance)
    questions = deal.questions(scene, chance)
    for _ in range(chance.randint(0, 4)):
        event = next(questions) if chance.random() < 0.5 else deal.hint(scene, chance)
        scene = scene.update(event)
    return scene.perspective(chance.choice(deal.agents)), [*scene.structure.vocabulary.fluents]


def small_deck(chance: Random) -> View:
    """Return a view of draws from a deck with few copies, and hints."""
    table = DrawsTable(Deck(2, chance.choice(((2, 1), (3, 1), (2, 2)))), 2, 2, chance)
    for move, _ in islice(moves(table, chance), chance.randint(1, 3)):
        event, values = table.event(move)
        table.scene = table.scene.update(event, values)
        table.make(move)
    view = table.scene.perspective(chance.choice(table.players))
    return view, [*table.scene.structure.vocabulary.fluents]


def small_game(chance: Random) -> View:
    """Return a view of Kwartet with three groups of cards."""
    setup = KWARTET.setup(rules="study", players=3, groups=3)
    table = PlayTable(KWARTET, setup, ("random",), chance.randrange(10**6))
    for _ in range(chance.randint(1, 6)):
        table.step()
    structure = table.scene.structure
    view = table.scene.perspective(chance.choice(structure.agents))
    return view, [*structure.root.vocabulary.fluents]


def small_story(chance: Random) -> View:
    """Return a view of a random story: a law, and events that announce, hide, change and show."""
    scene, _ = seeded_case(chance.randrange(10**9), most_events=6, likelihoods=True)
    names = [name for name in scene.structure.vocabulary.fluents if "#" not in name]
    return scene.perspective(chance.choice(scene.structure.agents)), names


def answers(one: BddEngine | ExplicitEngine, view: View, chance: Random) -> Iterator[object]:
    """Yield answers to all kinds of questions about one perspective."""
    perspective, names = view
    some = chance.sample(names, min(3, len(names)))
    atoms = [a for name in some for a in perspective.structure.vocabulary.fluents[name].atoms]
    few = chance.sample(atoms, min(4, len(atoms)))
    yield one.worlds(perspective)
    yield one.worlds(perspective, some)
    yield one.marginals(perspective, atoms)
    yield one.distribution(perspective, few)
    yield one.probability(perspective, few[0])
    yield one.probability(perspective, exactly(1, few))


def against_lists(number: int) -> Iterator[list[object]]:
    """Compare all counts of small laws of each kind with lists of all worlds."""
    for make in (small_deal, small_deck, small_game, small_story):
        methods, compared = Counter[str](), 0
        for seed in range(number):
            name, weighting = f"{make.__name__} {seed}", _WEIGHTINGS[seed % 2]
            view = make(Random(name))
            ours = BddEngine(weighting=weighting, tuning=BddTuning(small_atoms=0))
            listed = answers(ExplicitEngine(weighting=weighting), view, Random(name))
            for found, expected in zip(answers(ours, view, Random(name)), listed, strict=True):
                check(found == expected, f"{name}, {weighting}: {found}, not {expected}")
                compared += 1
                if not isinstance(found, int):
                    methods[ours.method.partition(":")[0]] += 1
        by_method = ", ".join(f"{name} {many:,}" for name, many in methods.most_common())
        yield [make.__name__.replace("_", " "), number, compared, by_method]


def own_cards(number: int) -> Times:
    """Time the distribution of all own cards of the player to move, in a game like Hanabi."""
    chance, players = Random(f"1 {number}"), 2 + number % 4
    table = DrawsTable(Deck(), players, 5 if players < 4 else 4, chance)
    counter = engine("bdd", weighting="bayes")
    times: Times = {"the update": [], "all own cards": []}
    for move, player in moves(table, chance):
        mover = table.players[player]
        with quiet():
            event, values = table.event(move)
            took, table.scene = clocked(partial(table.scene.update, event, values))
            times["the update"].append(took)
            table.make(move)
            view = table.scene.perspective(mover)
            asked = [atom for card in table.hands[player] for atom in table.atoms(card)]
            took, found = clocked(partial(counter.marginals, view, asked))
            times["all own cards"].append(took)
        if len(times["the update"]) % 5:
            continue  # counting from the cards of the deck takes far longer
        for card, shares in zip(table.hands[player], table.direct(player), strict=True):
            right = all(found[atom] == shares[atom.value] for atom in table.atoms(card))
            check(right, f"draws, game {number}, card {card} of {mover}")
    return times


# ---- dice ------------------------------------------------------------------------------


def binomial(number: int, share: Fraction, least: int) -> Fraction:
    """Return the probability of at least `least` hits in `number` independent trials."""
    terms = (
        comb(number, k) * share**k * (1 - share) ** (number - k)
        for k in range(max(0, least), number + 1)
    )
    return sum(terms, Fraction(0))


def of_dice(players: int, events: int) -> Times:
    """Time K, M and B of every eT and eA atom, and the probabilities of bids.

    Raises:
        WrongAnswer: K or M does not follow from one's own dice, B differs from the other engine, or
            a probability is not binomial.
    """
    table = PlayTable(PERUDO, PERUDO.setup(players=players), ("study",), 1)
    for _ in islice(table, events):
        pass
    assert isinstance(table.state, PerudoState)
    sat, bdd = engine("sat"), engine("bdd")
    left, me = table.state.now.dice, table.setup.players[0]
    view, own = table.scene.perspective(me), Situation.of(table.view(me)).own
    total = sum(left.values())
    times: Times = {kind: [] for kind in ("K, sat", "M, sat", "B, sat", "P of a bid, bdd")}

    def holds(kind: str, formula: Formula) -> bool:
        took, answer = clocked(partial(sat.holds, view, formula))
        times[kind].append(took)
        return bool(answer)

    for face in range(1, table.setup.faces + 1):
        shown = own.count(face)
        facts = [
            (shows(left, least, (face,)), shown - least, shown + total - len(own) - least)
            for least in range(1, total + 1)
        ]
        for player, number in left.items():
            low, high = (shown, shown) if player == me else (0, number)
            facts += [
                (shows({player: number}, least, (face,)), low - least, high - least)
                for least in range(1, number + 1)
            ]
        for fact, low, high in facts:
            check(holds("K, sat", K(me, fact)) is (low >= 0), f"K[{me}] {fact}")
            check(holds("M, sat", M(me, fact)) is (high >= 0), f"M[{me}] {fact}")
            believes = bool(bdd.holds(view, B(me, fact)))
            check(holds("B, sat", B(me, fact)) is believes, f"B[{me}] {fact}")
        manner = Manner(table.setup.faces, table.state.now.wild)
        share, mine = manner.share(face), manner.counted(own, face)
        for least in range(1, total + 1, 3):
            met = shows(left, least, manner.counts_as(face))
            took, counted = clocked(partial(bdd.probability, view, met))
            times["P of a bid, bdd"].append(took)
            expected = binomial(total - left[me], share, least - mine)
            check(counted == expected, f"P[{me}]({met})")
    return times


# ---- the command -----------------------------------------------------------------------

PARTS = ("deals", "gems", "cluedo", "programme", "draws", "dice", "laws")


@measurement("counts")
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), help="[default: all]")
@click.option("--seeds", type=click.IntRange(1), default=2, help="The number of games.")
@click.option("--players", type=click.IntRange(3, 6), default=6, help="The number of players.")
@click.option("--draws", type=click.IntRange(100), default=100_000, help="Deals drawn to compare.")
@click.option("--questions", type=click.IntRange(1), default=24, help="Questions about gems.")
@click.option("--events", type=click.IntRange(0), default=12, help="Events before the dice.")
@click.option("--laws", type=click.IntRange(1), default=50, help="Small laws of each kind.")
def counts(
    parts: Sequence[str],
    seeds: int,
    players: int,
    draws: int,
    questions: int,
    events: int,
    laws: int,
) -> Tables:
    """How long do exact counts, probabilities and samples take at full size?"""
    tables = [played(setup_of("classic", players), seed) for seed in range(seeds)]
    all_in_one = "the places of each card add up to 1"
    made: dict[str, Callable[[], Tables]] = {
        "deals": first_counts,
        "gems": lambda: _table(
            f"After each of {questions} questions about 36 gems, from each seat (CPU)",
            ["players", "what", *_SPREAD],
            (gem_updates(Deal.of_sleuth(number), questions) for number in SLEUTH),
            f"{all_in_one}, and the cards of each hand to its size",
        ),
        "cluedo": lambda: _table(
            f"After each event, from each seat: {players} higher-order players of Cluedo (CPU)",
            ["weighting", "what", *_SPREAD],
            (updates(table, w) for w in _WEIGHTINGS for table in tables),
            f"{all_in_one}, and each deal drawn is possible",
        ),
        "programme": lambda: _table(
            f"Against a dynamic programme over cards, and {draws:,} deals that it draws",
            ["when, who", "weighting", "deals", "worst of all marginals (st. errors)", "of"],
            (
                against_the_programme(table, after, draws, table.seed + after)
                for table in tables
                for after in (0, 2, 4)
            ),
            "deals and six probabilities each are equal, as integers and fractions",
        ),
        "draws": lambda: _table(
            "All own cards after each event of Hanabi (CPU)",
            ["players", "what", *_SPREAD],
            (_rows(own_cards(number), str(2 + number % 4)) for number in range(seeds)),
            "each fifth distribution is that of the cards of the deck, as fractions",
        ),
        "dice": lambda: _table(
            f"Perudo, classic rules, {players} x 5 dice, after {events} events (CPU)",
            ["question", *_SPREAD],
            [_rows(of_dice(players, events))],
            "K and M are what one's own dice say; B is what bdd says; probabilities are binomial",
        ),
        "laws": lambda: _table(
            "Small laws",
            ["laws", "number", "questions", "probabilities, by the method that answered"],
            [against_lists(laws)],
            "all as listed: integers and fractions are equal",
        ),
    }
    for part in parts or PARTS:
        yield from made[part]()


def _table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Iterable[Sequence[object]]],
    checked: str,
) -> Tables:
    yield Table(title, columns, [row for group in rows for row in group], checked)
