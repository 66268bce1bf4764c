"""One engine shared by threads: every answer is right."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from symkripke.engines import Possible, engine
from symkripke.engines.base import BaseEngine
from symkripke.language import Formula, K, Kw, M
from symkripke.play import Table
from symkripke.play.hands import holds
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.knowledge import knows_solution

THREADS = 8


@pytest.mark.parametrize(("name", "each"), [("sat", 1_250), ("auto", 150), ("bdd", 40)])
def test_eight_threads(name: str, each: int) -> None:
    """10,000 questions of sat: about facts and about knowledge, at several moments."""
    setup = GAME.setup(rules="study", players=3)
    table = Table(GAME, setup, ("random",), 3, turns=12)
    for _ in table:
        pass
    scenes = table.scenes[::4]
    names, cards = setup.players, [card.id for card in setup.edition.cards]
    chance = Random("threads")

    def one_question() -> tuple[int, Formula]:
        who, other = chance.sample(names, 2)
        fact = holds(other, chance.choice(cards))
        question = chance.choice(
            (K(who, fact), Kw(who, fact), M(who, K(other, fact)), K(who, knows_solution(other)))
        )
        return chance.randrange(len(scenes)), question

    questions = [one_question() for _ in range(120)]
    alone = engine(name)
    right = [bool(alone.holds(scenes[at], asked)) for at, asked in questions]
    shared = engine(name)

    def ask(thread: int) -> int:
        """How many answers are wrong."""
        order, wrong = Random(thread), 0
        for count in range(each):
            number = order.randrange(len(questions))
            at, asked = questions[number]
            answer = shared.holds(scenes[at], asked)
            wrong += bool(answer) != right[number]
            if count % 50 == 0 and name != "bdd":
                assert answer.why() is not None
        return wrong

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(ask, range(THREADS))) == [0] * THREADS


def test_an_explanation_waits_for_its_turn() -> None:
    """The evidence of the answer is made in the thread that asks why, after all other questions."""
    table = Table(GAME, GAME.setup(rules="study", players=3), ("random",), 3)
    table.step()
    shared = engine("bdd")
    assert isinstance(shared, BaseEngine)
    answer = shared.holds(table.scene, "M[ann] holds(bob, dagger)")
    with ThreadPoolExecutor(1) as pool:
        with shared._lock:
            why = pool.submit(answer.why)
            with pytest.raises(TimeoutError):
                why.result(timeout=0.2)
        assert isinstance(why.result(timeout=60), Possible) or not answer
