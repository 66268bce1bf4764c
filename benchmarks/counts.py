"""`counts`: exact counts and probabilities at full size, checked by other methods."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from math import factorial, prod, sqrt
from random import Random
from typing import TypeVar

import click

from benchmarks.common import CluedoTable, check, duration, median, played, setup_of, show, timed
from benchmarks.dealing import Dealing
from benchmarks.draws import Deck, DrawsTable, moves
from benchmarks.gems import HIDDEN, SLEUTH, Deal
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.explicit import ExplicitEngine
from symkripke.language import Atom, exactly
from symkripke.model import Perspective, Scene
from symkripke.play import Table
from symkripke.play.hands import at
from symkripke.testing.random_models import seeded_case
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.rules import Setup
from symkripke_games.kwartet import GAME as KWARTET

T = TypeVar("T")

View = tuple[Perspective, list[str]]
"""What somebody knows, and the fluents to ask about."""

# Nothing goes unnoticed in these games: by plausibility, worlds count as equal.
_WEIGHTINGS = ("equal", "bayes")


def closed_form(setup: Setup) -> int:
    """The deals of a setup in which the cards outside the envelope are dealt round."""
    left = len(setup.edition.cards) - 3
    hands = [hand for hand in setup.hands if isinstance(hand, int)]
    solutions = prod(len(category) for category in setup.edition.categories)
    return solutions * factorial(left) // prod(factorial(hand) for hand in hands)


def deal_atoms(scene: Scene, setup: Setup) -> list[Atom]:
    """Every card at every place."""
    fluents = scene.structure.vocabulary.fluents
    return [
        atom for name in GAME.layout(setup, scene.structure).rows for atom in fluents[name].atoms
    ]


def first_counts() -> None:
    """The deals of new games, against their closed form."""
    BddEngine().worlds(GAME.structure(setup_of("study", 3)))  # so no time is that of imports
    rows = []
    for players in range(3, 7):
        setup = setup_of("classic", players)
        structure, engine = GAME.structure(setup), BddEngine()
        took, number = timed(partial(engine.worlds, structure))
        check(number == closed_form(setup), f"{players} players: {number:,} deals")
        rows.append([str(players), f"{number:,}", duration(took), f"{engine.nodes(structure):,}"])
    show(
        "The first count: all deals of classic Cluedo",
        ["players", "deals", "a new engine's first count", "states"],
        rows,
        ["checked: 324 * 18! / the product of the hand sizes' factorials"],
    )


def gems(questions: int) -> None:
    """The deals of Sleuth's 36 gems, and updates from every seat after each of many questions."""
    rows = []
    for players in SLEUTH:
        deal = Deal.of_sleuth(players)
        structure, engine = deal.structure(), BddEngine()
        took, number = timed(partial(engine.worlds, structure))
        check(number == deal.number, f"{players} players: {number:,} deals of gems")
        rows.append([str(players), f"{number:,}", duration(took), f"{engine.nodes(structure):,}"])
    show(
        "The first count: all deals of Sleuth's 36 gems",
        ["players", "deals", "a new engine's first count", "states"],
        rows,
        ["before gems that are left over are looked at; checked: 36! / the hand sizes' factorials"],
    )
    show(
        f"After each of {questions} questions (how many of one or two features), from each seat",
        ["players", "what", "median", "9 of 10", "worst", "states (median)", "most"],
        [row for players in SLEUTH for row in gem_updates(Deal.of_sleuth(players), questions)],
        ["time of this process; a chain every sixth question"],
    )


def gem_updates(deal: Deal, number_of_questions: int) -> list[list[str]]:
    """One series of questions: deals, then marginals, the hidden gem's entropy, and a chain."""
    chance = Random(deal.players)
    scene = deal.scene(chance)
    if deal.up:
        scene = scene.update(deal.table_seen(scene))
    questions, engine = deal.questions(scene, chance), BddEngine()
    hidden = [deal.at(card, HIDDEN) for card in deal.cards]
    fluents = tuple(scene.structure.vocabulary.fluents)
    seconds: dict[str, list[float]] = {}
    states = []
    for turn in range(1, number_of_questions + 1):
        scene = scene.update(next(questions))
        for player in deal.agents:
            view = scene.perspective(player)
            count, number = clocked(partial(engine.worlds, view))
            more, shares = clocked(partial(engine.marginals, view))
            last, _ = clocked(partial(engine.entropy, view, hidden))
            check(number > 0, f"{player} considers no deal possible")
            for name in fluents:
                places = [share for atom, share in shares.items() if atom.fluent == name]
                check(sum(places) == 1, f"{player}: the places of {name} add up to 1")
            for agent in deal.agents:
                held = sum(shares[deal.at(card, agent)] for card in deal.cards)
                check(held == deal.hand, f"{player}: {agent} holds {held} gems")
            states.append(engine.nodes(view))
            taken = {"deals": count, "deals and marginals": count + more}
            taken["then the hidden gem's entropy"] = last
            if turn % 6 == 0:
                taken["a chain over all gems"] = clocked(partial(engine.steps, view, fluents))[0]
            for kind, took in taken.items():
                seconds.setdefault(kind, []).append(took)
    return [
        [
            str(deal.players),
            kind,
            duration(median(taken)),
            duration(statistics.quantiles(taken, n=10)[-1]),
            duration(max(taken)),
            f"{median(states):,.0f}",
            f"{max(states):,}",
        ]
        for kind, taken in seconds.items()
    ]


def clocked(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds of this process's own time: others on the machine matter less."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def updates(table: CluedoTable, weighting: str) -> list[list[str]]:
    """One game after every event from every seat: deals, marginals, entropy, a sample."""
    engine = BddEngine(weighting=weighting)
    deal = tuple(table.moment.layout.rows)
    kinds = ("deals", "deals and marginals", "then the solution's entropy", "then ten deals drawn")
    seconds: dict[str, list[float]] = {kind: [] for kind in kinds}
    solution = envelope_atoms(table.setup)
    for scene in table.scenes:
        atoms = deal_atoms(scene, table.setup)
        for player in table.setup.players:
            view = scene.perspective(player)
            count, number = clocked(partial(engine.worlds, view, deal))
            more, shares = clocked(partial(engine.marginals, view, atoms))
            last, _ = clocked(partial(engine.entropy, view, solution))
            drawn, worlds = clocked(partial(engine.sample, view, 10, Random(1), deal))
            check(number > 0, f"{player} considers no deal possible")
            for card in table.setup.edition.cards:
                places = [shares[a] for a in atoms if a.fluent == f"location({card.id})"]
                check(sum(places) == 1, f"{player}: the places of {card.id} add up to 1")
            check(
                all(shares[Atom(*item)] > 0 for world in worlds for item in world.items()),
                f"{player}: a deal was drawn that is not possible",
            )
            for kind, took in zip(kinds, (count, count + more, last, drawn), strict=True):
                seconds[kind].append(took)
    return [
        [
            weighting,
            kind,
            duration(median(taken)),
            duration(statistics.quantiles(taken, n=10)[-1]),
            duration(max(taken)),
        ]
        for kind, taken in seconds.items()
    ]


def against_the_programme(
    table: CluedoTable, events: int, draws: int, seed: int
) -> list[list[str]]:
    """Counts and shares against the dynamic programme, exactly; and against deals it draws."""
    scene = table.scenes[events]
    record = [step.outcome.public for step in table.steps[:events]]
    deal = tuple(table.moment.layout.rows)
    player = table.setup.players[seed % len(table.setup.players)]
    view = scene.perspective(player)
    number = BddEngine().worlds(view, deal)
    exact = int(Dealing(table.setup, player, scene.world, record, "deals").total())
    check(number == exact, f"event {events}, {player}: {number:,} deals, not {exact:,}")
    rows = []
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
        rows.append(
            [str(events), player, weighting, f"{number:,}", f"{worst:.2f}", str(len(shares))]
        )
    return rows


def small_deal(chance: Random) -> View:
    """Gems, after some questions and hints."""
    deal = Deal(chance.choice(((2, 3), (2, 2, 2), (3, 3), (7,))), 2, chance.randint(1, 2))
    scene = deal.scene(chance)
    questions = deal.questions(scene, chance)
    for _ in range(chance.randint(0, 4)):
        event = next(questions) if chance.random() < 0.5 else deal.hint(scene, chance)
        scene = scene.update(event)
    return scene.perspective(chance.choice(deal.agents)), [*scene.structure.vocabulary.fluents]


def small_deck(chance: Random) -> View:
    """Draws from a deck of a few copies, and hints."""
    table = DrawsTable(Deck(2, chance.choice(((2, 1), (3, 1), (2, 2)))), 2, 2, chance)
    for move, _ in islice(moves(table, chance), chance.randint(1, 3)):
        event, values = table.event(move)
        table.scene = table.scene.update(event, values)
        table.make(move)
    view = table.scene.perspective(chance.choice(table.players))
    return view, [*table.scene.structure.vocabulary.fluents]


def small_game(chance: Random) -> View:
    """Kwartet with three groups of cards."""
    setup = KWARTET.setup(rules="study", players=3, groups=3)
    table = Table(KWARTET, setup, ("random",), chance.randrange(10**6))
    for _ in range(chance.randint(1, 6)):
        table.step()
    structure = table.scene.structure
    view = table.scene.perspective(chance.choice(structure.agents))
    return view, [*structure.root.vocabulary.fluents]


def small_story(chance: Random) -> View:
    """Random formulas as the law; events that announce, hide, change and show."""
    scene, _ = seeded_case(chance.randrange(10**9), most_events=6, likelihoods=True)
    names = [name for name in scene.structure.vocabulary.fluents if "#" not in name]
    return scene.perspective(chance.choice(scene.structure.agents)), names


def answers(one: BddEngine | ExplicitEngine, view: View, chance: Random) -> Iterator[object]:
    """Answers to all kinds of questions about one perspective."""
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


def against_lists(number: int) -> Iterator[list[str]]:
    """So many small laws of each kind: all that is counted, against lists of all worlds."""
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
        yield [make.__name__.replace("_", " "), f"{number:,}", f"{compared:,}", by_method]


@click.command(short_help="Exact counts and probabilities at full size.")
@click.option("--seeds", type=click.IntRange(1), default=2, help="How many games.")
@click.option("--players", type=click.IntRange(3, 6), default=6, help="How many play.")
@click.option("--draws", type=click.IntRange(100), default=100_000, help="Deals drawn to compare.")
@click.option("--questions", type=click.IntRange(1), default=24, help="Questions about gems.")
@click.option("--laws", type=click.IntRange(1), help="Only small laws, so many of each kind.")
def counts(seeds: int, players: int, draws: int, questions: int, laws: int | None) -> None:
    """Counts, marginals, entropy and samples after every event from every seat."""
    if laws is not None:
        show(
            "Small laws, all as listed: integers and fractions are equal",
            ["laws", "number", "questions", "probabilities, by the method that answered"],
            against_lists(laws),
        )
        return
    first_counts()
    gems(questions)
    setup = setup_of("classic", players)
    tables = [played(setup, seed) for seed in range(seeds)]
    show(
        f"After each event, from each seat: {players} higher-order players, "
        f"{sum(len(table.steps) for table in tables)} events",
        ["weighting", "what", "median", "9 of 10", "worst"],
        [row for w in _WEIGHTINGS for table in tables for row in updates(table, w)],
        ["time of this process; the first seat after an event pays for the new variables"],
    )
    show(
        f"Against a dynamic programme over cards, and {draws:,} deals that it draws",
        ["events", "player", "weighting", "deals", "worst of all marginals (st. errors)", "of"],
        [
            row
            for table in tables
            for events in (0, 2, 4)
            for row in against_the_programme(table, events, draws, table.seed + events)
        ],
        ["checked: deals and six probabilities each are equal, as integers and fractions"],
    )
