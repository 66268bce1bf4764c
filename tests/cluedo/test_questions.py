"""What questions tell: against the definition, over listed worlds and real updates."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest

from symkripke.engines import Engine, engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.count.weighting import bits
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import InputError, Unsupported
from symkripke.language import Atom
from symkripke.model import Perspective
from symkripke.play import Table, View
from symkripke.play.hands import at
from symkripke.play.positions import advised
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.asking import asked_by
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.knowledge import envelope_atoms, event
from symkripke_games.cluedo.players import CluedoView
from symkripke_games.cluedo.questions import Survey, best_questions
from symkripke_games.cluedo.rules import Setup, Suggestion, Triple, shown

SMALL = (
    {"players": 3, "size": "2/2/3"},
    {"players": 3, "size": "3/2/2", "silence_speaks": True},
    {"players": 4, "size": "2/3/2"},
    {"rules": "study", "players": 3, "size": "2/3/2"},
)

Reply = tuple[tuple[str, ...], str | None, str | None]


def small_views(options: Mapping[str, Any], seed: int) -> Iterator[CluedoView]:
    """Every player's view after the first events of a game, guesses among them."""
    minds = ["higher-order-guesser:0.3"] * options["players"]
    if not options.get("silence_speaks"):
        minds[0] = "first-order-guesser:0.2"
    table = Table(GAME, GAME.setup(**options), minds, seed)
    for player in table.setup.players:
        yield table.view(player)
    for step in table:
        for player in table.setup.players:
            yield table.view(player)
        if step.number == 7:  # the explicit model has every card that may have been shown
            break


def by_definition(
    listed: Mapping[frozenset[Atom], Fraction], asked: tuple[str, ...], cards: Triple
) -> tuple[float, dict[Reply, Fraction]]:
    """The gain and the answers of a question, deal by deal."""
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
def test_gains_are_those_of_the_definition(options: dict[str, Any], weighting: str) -> None:
    """All questions, of all players, again and again: gains and probabilities of answers."""
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


def after_reply(view: CluedoView, cards: Triple, reply: Any) -> Perspective:
    """The viewer's perspective after it has asked and was answered so."""
    turn = max((public.turn for public in view.record), default=0) + 1
    public = Suggestion(
        turn=turn, player=view.player, cards=cards, passes=reply.passes, shower=reply.shower
    )
    seen = [] if reply.card is None else [Atom(shown(turn), reply.card)]
    return view.perspective.update(event(view.setup, public), seen)


def test_the_gain_is_what_updates_bring_on_average() -> None:
    """At a table of four and full size: entropy now, less that after each answer, by its weight."""
    table = Table(GAME, GAME.setup(players=4), seed=6)
    bdd = BddEngine(weighting="bayes")
    atoms = envelope_atoms(table.setup)
    for step in table:
        if step.number not in (3, 8):
            continue
        view = table.view(table.setup.players[step.number % 4])
        questions = best_questions(bdd, view)
        now = bdd.entropy(view.perspective, atoms)
        for question in (questions[0], questions[len(questions) // 2], questions[-1]):
            after = sum(
                reply.probability * bdd.entropy(after_reply(view, question.cards, reply), atoms)
                for reply in question.replies
            )
            assert question.gain == pytest.approx(now - after, abs=1e-9)
            assert sum(reply.probability for reply in question.replies) == pytest.approx(1)


def test_all_questions_of_a_full_game_are_ranked() -> None:
    table = Table(GAME, GAME.setup(players=6), seed=2)
    bdd = BddEngine(weighting="bayes")
    for step in table:
        if step.number == 5:
            break
    view = table.view("plum")
    questions = best_questions(bdd, view)
    assert len(questions) == 324
    assert len({question.cards for question in questions}) == 324
    gains = [question.gain for question in questions]
    assert all(more > less - 2e-9 for more, less in pairwise(gains))
    assert gains[0] > 0.5
    own = {f[9:-1] for f, place in table.deal.items() if place == "plum"}
    for question in questions:
        if own.issuperset(question.cards):
            assert question.gain == pytest.approx(0, abs=1e-9)
    assert best_questions(bdd, view, 7) == questions[:7]


def test_a_player_that_knows_the_solution_learns_nothing_of_it() -> None:
    table = Table(GAME, GAME.setup(players=3, size="3/3/3"), seed=4)
    for _ in table:
        pass
    (winner,) = table.state.winners
    survey = Survey(BddEngine(weighting="bayes"), table.view(winner))
    assert survey.uncertainty == pytest.approx(0, abs=1e-12)
    assert survey.best() == []


def test_nobody_left_to_ask() -> None:
    """Study: who has accused wrongly is not asked; here all others have."""
    setup = GAME.setup(rules="study", players=2, size="2/2/2")
    table = Table(GAME, setup, ("first-order-guesser:0.01", "higher-order"), 0)
    for step in table:
        if getattr(step.outcome.public, "right", None) is False:
            break
    view = table.view(setup.players[1])
    assert asked_by(view) == ()
    for question in best_questions(BddEngine(weighting="bayes"), view):
        (reply,) = question.replies
        assert (question.gain, reply.shower, reply.probability) == (0, None, 1)


def test_advice_in_words_and_as_data() -> None:
    table = Table(GAME, GAME.setup(players=4), seed=9)
    for step in table:
        if step.number == 4:
            break
    asking: Engine = engine("auto", "bayes")
    view: View[Setup, Any] = table.view("white")
    told = advised(GAME, view, asking, 3, {})
    best = best_questions(asking, view, 3)
    assert [one.gain for one in told] == [one.gain for one in best]
    assert [one.data["cards"] for one in told] == [list(one.cards) for one in best]
    for one, question in zip(told, best, strict=True):
        assert one.title.startswith("ask for ")
        assert f"{len(question.replies)} answers possible" in one.reason
        assert json.loads(json.dumps(one.data))["gain"] == question.gain
    with pytest.raises(InputError, match="moves from 1"):
        advised(GAME, view, asking, -1, {})
    with pytest.raises(Unsupported, match="does not count"):
        advised(GAME, view, engine("sat"), 3, {})


def test_cards_that_tell_the_same_are_worked_out_once() -> None:
    """On the first turn: own cards, and all others, are two kinds of each category."""
    table = Table(GAME, GAME.setup(players=3), seed=1)
    view = table.view("scarlett")
    survey = Survey(BddEngine(weighting="bayes"), view)
    own = [at(card.id, "scarlett") in view.perspective.seen for card in view.setup.edition.cards]
    kinds = Counter(round(gain, 9) for gain in survey.gains.values())
    assert any(own)
    # How many of the three are own decides, and of which categories: eight kinds at most.
    assert len(kinds) <= 8
