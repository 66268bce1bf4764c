"""Gains from questions, compared with the definition over listed worlds and real updates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.count.weighting import bits
from symkripke.engines.explicit import ExplicitEngine
from symkripke.language import Atom
from symkripke.play import Table
from symkripke.play.hands import at
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.asking import asked_by
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.players import CluedoView
from symkripke_games.cluedo.questions import Survey
from symkripke_games.cluedo.rules import Triple

SMALL = (
    {"players": 3, "size": "2/2/3"},
    {"players": 3, "size": "3/2/2", "silence_speaks": True},
    {"players": 4, "size": "2/3/2"},
    {"rules": "study", "players": 3, "size": "2/3/2"},
)

Reply = tuple[tuple[str, ...], str | None, str | None]


def small_views(options: Mapping[str, Any], seed: int) -> Iterator[CluedoView]:
    """Yield every player's view after the first events of a game with guesses."""
    minds = ["higher-order-guesser:0.3"] * options["players"]
    if not options.get("silence_speaks"):
        minds[0] = "first-order-guesser:0.2"
    table = Table(GAME, GAME.setup(**options), minds, seed)
    for player in table.setup.players:
        yield table.view(player)
    for step in table:
        for player in table.setup.players:
            yield table.view(player)
        if step.number == 7:  # the explicit model has a fluent for each shown card
            break


def by_definition(
    listed: Mapping[frozenset[Atom], Fraction], asked: tuple[str, ...], cards: Triple
) -> tuple[float, dict[Reply, Fraction]]:
    """Return the gain and the answer probabilities of a question, computed deal by deal."""
    joint: dict[Reply, dict[frozenset[Atom], Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    prior: dict[frozenset[Atom], Fraction] = defaultdict(Fraction)
    for deal, share in listed.items():
        inside = frozenset(atom for atom in deal if atom.value == ENVELOPE)
        prior[inside] += share
        for number, player in enumerate(asked):
            has = [card for card in cards if at(card, player) in deal]
            if has:
                for card in has:
                    joint[asked[:number], player, card][inside] += share / len(has)
                break
        else:
            joint[asked, None, None][inside] += share
    answers = {reply: sum(part.values(), Fraction(0)) for reply, part in joint.items()}
    after = sum(
        float(answers[reply]) * bits(share / answers[reply] for share in part.values())
        for reply, part in joint.items()
    )
    return bits(prior.values()) - after, answers


@pytest.mark.parametrize("options", SMALL, ids=str)
@pytest.mark.parametrize("weighting", ["bayes", "equal"])
def test_gains_match_the_definition(options: dict[str, Any], weighting: str) -> None:
    """Gains and probabilities of answers are compared for all questions of all players."""
    bdd, explicit = BddEngine(weighting=weighting), ExplicitEngine(weighting=weighting)
    told = 0
    for view in small_views(options, 3):
        places = (*view.setup.players, ENVELOPE)
        atoms = [at(card.id, place) for card in view.setup.edition.cards for place in places]
        listed = explicit.distribution(view.perspective, atoms)
        surveys = [Survey(bdd, view), Survey(explicit, view)]
        inside = explicit.entropy(view.perspective, envelope_atoms(view.setup))
        for survey in surveys:
            assert survey.uncertainty == pytest.approx(inside, abs=1e-12)
        categories = [[card.id for card in cards] for cards in view.setup.edition.categories]
        for suspect, weapon, room in product(*categories):
            cards = suspect, weapon, room
            gain, answers = by_definition(listed, asked_by(view), cards)
            told += gain > 1e-9
            for survey in surveys:
                assert survey.gains[cards] == pytest.approx(gain, abs=1e-12), cards
                found = survey.replies(cards)
                assert len(found) == len(answers)
                for reply in found:
                    expected = answers[reply.passes, reply.shower, reply.card]
                    assert reply.probability == pytest.approx(float(expected), abs=1e-12)
    assert told > 50


def test_nobody_left_to_ask() -> None:
    """In the study's rules, players who accused wrongly are not asked; here all others have."""
    setup = GAME.setup(rules="study", players=2, size="2/2/2")
    table = Table(GAME, setup, ("first-order-guesser:0.01", "higher-order"), 0)
    for step in table:
        if getattr(step.outcome.public, "right", None) is False:
            break
    view = table.view(setup.players[1])
    assert asked_by(view) == ()
    survey = Survey(BddEngine(weighting="bayes"), view)
    for cards, gain in survey.best_first:
        (reply,) = survey.replies(cards)
        assert (gain, reply.shower, reply.probability) == (0, None, 1)
