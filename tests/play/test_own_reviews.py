"""Reviews of games that register little of their own: an adviser only, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from symkripke.engines import Engine
from symkripke.errors import UnknownName
from symkripke.language import Formula
from symkripke.play import Advice, Table, View
from symkripke.play.advisor import Advisor
from symkripke.play.dealing import location
from symkripke.play.hands import at
from symkripke.play.review import NEWS, Annotation, Appraisal, Review, review
from symkripke.play.review.page import page
from symkripke.play.review.telling import worth
from symkripke_games.skeleton import Skeleton
from symkripke_games.skeleton.rules import HIDDEN, Ask, Name


class Points(Advisor[Any, Any]):
    """An adviser with its own unit: one point for each card that the viewer does not have."""

    def advise(
        self, view: View[Any, Any], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        own = {atom.fluent for atom in view.perspective.seen if atom.value == view.player}
        found = [
            Advice(
                f"ask {other} for {card.id}",
                -1.5 if location(card.id) in own else 1.0,
                move=Ask(other, card.id),
                unit="points",
            )
            for card in view.setup.cards
            for other in view.setup.after(view.player)
        ]
        return sorted(found, key=lambda advice: -advice.gain)[:number]


class Formulas(Advisor[Any, Any]):
    """An adviser defined by formulas: for questions and, if a guess is sure, for guesses."""

    aim = "to be right"

    def answers(self, view: View[Any, Any]) -> Mapping[Any, tuple[str, Sequence[Formula]]]:
        return {
            Ask(other, card.id): (f"ask {other} for {card.id}", (at(card.id, other),))
            for card in view.setup.cards
            for other in view.setup.after(view.player)
        }

    def about(self, view: View[Any, Any]) -> Sequence[Formula]:
        return [at(card.id, HIDDEN) for card in view.setup.cards]

    def successes(self, view: View[Any, Any]) -> Mapping[Any, tuple[str, Formula]]:
        return {
            Name(card.id): (f"name {card.id}", at(card.id, HIDDEN)) for card in view.setup.cards
        }


class Advised(Skeleton):
    def __init__(self, advisor: Advisor[Any, Any]) -> None:
        self._own = advisor

    @property
    def advisor(self) -> Advisor[Any, Any]:
        return self._own


class EachItsOwn(Skeleton):
    """A game in which each player asks for the place of one card."""

    def answers(self, setup: Any, structure: Any, player: str) -> tuple[Any, ...]:
        card = setup.cards[setup.players.index(player)].id
        return tuple(at(card, place) for place in (*setup.players, HIDDEN))


def reviewed(game: Skeleton, mind: str = "knower", seed: int = 2) -> tuple[Review, Table[Any, Any]]:
    table = Table(game, game.setup(), (mind,) * 3, seed)
    for _ in table:
        pass
    return review(table.record), table


def appraisals(told: Review) -> Iterator[Appraisal]:
    return (event.appraisal for event in told.events if event.appraisal is not None)


def test_an_adviser_is_enough_for_appraisals_in_a_unit_of_the_game() -> None:
    values = set()
    for seed in range(8):
        told, _ = reviewed(Advised(Points()), "random", seed)
        assert 'width="-' not in page(told)
        for move in appraisals(told):
            values.add(move.value)
            assert move.unit == "points"
            assert move.best == 1.0
            assert move.is_best == (move.value == 1.0)
            assert f"expected {move.value:.2f} points" in worth(move)
            assert "chance" not in worth(move)
            assert any(row["better"] is not None for row in told.figures.rows.values())
    assert values == {1.0, -1.5}


def test_advice_from_formulas_gives_the_information_of_questions() -> None:
    """The expected information is an average of the information, at most the uncertainty."""
    told, _ = reviewed(Advised(Formulas()))
    worths = list(appraisals(told))
    assert {move.unit for move in worths} == {"bits", "chance"}
    for move in worths:
        assert 0 <= move.value <= move.best + 1e-9
        assert move.unit == "chance" or move.brought is not None
    assert "value" not in told.figures.columns, "a mean of bits and chances means nothing"


def test_each_player_has_its_own_answer() -> None:
    told, table = reviewed(EachItsOwn())
    answers = [sentence for sentence in told.story if "answer was" in sentence]
    assert len(answers) == 3
    for number, (player, sentence) in enumerate(zip(table.setup.players, answers, strict=True)):
        place = table.deal[location(table.setup.cards[number].id)]
        assert sentence.startswith(f"{player.title()}: ")
        assert place.title() in sentence


def test_an_unknown_sort_of_annotation_is_refused() -> None:
    with pytest.raises(UnknownName, match="sort of annotation 'wonderful'"):
        Annotation("kind", "ann", "words", "wonderful")
    assert Annotation("kind", "ann", "words", NEWS).sort == "news"
