"""Odds, samples, insight and suggestions, compared with the explicit model and computed by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import log2, sqrt
from typing import Any

import pytest

from symkripke.engines import Engine, engine
from symkripke.errors import InputError, UnknownName, Unsupported
from symkripke.explain.text import percent
from symkripke.language import Atom, Formula
from symkripke.play import Advice, Table, View
from symkripke.play.advisor import Advisor
from symkripke.play.game_words import answer_in_words, deal_in_words
from symkripke.play.knowledge_matrix import insight
from symkripke.play.odds import odds, sample
from symkripke.play.positions import suggest, view_at
from symkripke_games.cluedo import GAME, Cluedo


def small(seed: int, size: str = "2/2/3", players: int = 3, game: Cluedo = GAME) -> Table[Any, Any]:
    """Return a small game that has just been dealt."""
    names = ("ann", "bob", "cath")[:players]
    return Table.of(game, size=size, names=names, seed=seed)


def played(seed: int, size: str = "2/2/3", players: int = 3) -> Table[Any, Any]:
    """Return a small game, played to the end."""
    table = small(seed, size, players)
    for _ in table:
        pass
    return table


# ---- odds -----------------------------------------------------------------------------------


def test_odds_by_hand() -> None:
    """At the start, Ann has two cards, the others have one each, and the envelope has three."""
    moment = small(1).moment
    found = odds(moment, "ann", engine("bdd"))
    own = {row for (row, place), share in found.cells.items() if place == "ann" and share}
    assert {found.cells[row, "ann"] for row in own} == {1}
    for row in moment.layout.rows:
        assert sum(found.cells[row, place] for place in moment.layout.columns) == 1
    assert sum(share for _, share in found.answers) == 1
    number = len(found.answers)
    assert {share for _, share in found.answers} == {Fraction(1, number)}
    assert found.entropy == pytest.approx(log2(number))
    # The cards that are neither in her hand nor in the envelope go to the two others, one each.
    assert found.deals == number * 2
    asked = moment.game.answers(moment.setup, moment.structure, "ann")
    ranks: dict[Formula, int] = {atom: place for place, atom in enumerate(asked)}
    assert all(len(true) == 3 for true, _ in found.answers)
    order = [[ranks[atom] for atom in true] for true, _ in found.answers]
    assert order == sorted(order)


def test_a_game_without_a_question_has_no_answers() -> None:
    class Silent(Cluedo):
        def answers(self, setup: Any, structure: Any, player: str) -> tuple[Atom, ...]:
            return ()

        def knows_answer(  # type: ignore[override]
            self, setup: Any, structure: Any, player: str
        ) -> None:
            return None

    moment = small(1, game=Silent()).moment
    found = odds(moment, "ann", engine("bdd"))
    assert (found.answers, found.entropy) == ((), None)
    with pytest.raises(Unsupported, match="Cluedo has no hidden answer"):
        insight(moment)


def test_odds_of_unknown_and_other_players() -> None:
    table = played(1)
    moment = table.moment
    with pytest.raises(UnknownName, match="unknown player 'plumb'"):
        odds(moment, "plumb", engine("bdd"))
    record = table.record.seen_by("ann")
    with pytest.raises(InputError, match="only what Ann saw"):
        odds(record.replay(), "bob")
    assert odds(record.replay(), "ann") == odds(moment, "ann", engine("bdd"))


def test_percent_never_claims_what_is_not_certain() -> None:
    shown = {
        Fraction(0): "0%",
        Fraction(1, 10**9): "<0.1%",
        Fraction(5, 12): "41.7%",
        1 - Fraction(1, 10**9): ">99.9%",
        Fraction(1): "100%",
    }
    assert {share: percent(share) for share in shown} == shown


# ---- samples --------------------------------------------------------------------------------


def test_samples_are_possible_deals_by_weight() -> None:
    moment = played(2, "3/3/3").moment.at(2)
    drawn = sample(moment, "bob", 4_000, 5, engine("bdd", "bayes"))
    assert drawn == sample(moment, "bob", 4_000, 5, engine("bdd", "bayes"))
    assert drawn[:20] != sample(moment, "bob", 20, 6, engine("bdd", "bayes"))
    found = odds(moment, "bob", engine("bdd", "bayes"))
    assert len({tuple(sorted(deal.items())) for deal in drawn}) <= found.deals
    for (row, place), share in found.cells.items():
        p = float(share)
        count = Counter(deal[row] for deal in drawn)[place]
        assert abs(count - 4_000 * p) <= 4 * sqrt(4_000 * p * (1 - p))


def test_a_deal_in_words() -> None:
    table = played(2, "3/3/3")
    told = deal_in_words(table.moment, table.deal)
    assert told.count(";") == 3
    for row, title in table.moment.layout.rows.items():
        place = table.moment.layout.columns[table.deal[row]]
        (part,) = (part for part in told.split("; ") if part.startswith(f"{place}: "))
        assert title in part


# ---- insight --------------------------------------------------------------------------------


def test_insight_at_a_seat_is_one_row() -> None:
    table = played(4)
    whole = insight(table.moment)
    row = insight(table.record.seen_by("bob").replay())
    assert row == {pair: mark for pair, mark in whole.items() if pair[0] == "bob"}


# ---- suggestions ----------------------------------------------------------------------------


class FirstCards(Advisor[Any, Any]):
    """An adviser that always recommends asking for the first cards, and records the views."""

    def __init__(self) -> None:
        self.seen: list[View[Any, Any]] = []

    def advise(
        self, view: View[Any, Any], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        self.seen.append(view)
        cards = view.setup.edition.cards
        return [Advice(card.title, 1.5, "it is the first", {"card": card.id}) for card in cards]


class Advised(Cluedo):
    """Cluedo with an adviser that recommends the first cards."""

    advisor = FirstCards()


def test_suggestions_see_what_the_player_has_seen() -> None:
    game = Advised()
    table = small(1, game=game)
    for _ in table:
        pass
    record, moment = table.record, table.moment
    moves = suggest(record, moment.at(1), "ann", 2)
    assert [one.data["card"] for one in moves] == ["scarlett", "mustard"]
    view = game.advisor.seen[-1]
    assert view.player == "ann"
    assert all(public.turn <= 1 for public in view.record)
    assert len(view.record) == moment.at(1).events
    assert view.perspective.seen == moment.at(1).perspective("ann").seen
    # Ann has asked and may accuse; players who are not to move have no decision.
    assert view.decision is not None
    assert view.decision.kind == "accuse"
    assert view_at(record, moment.at(1), "bob").decision is None
    after_deal = view_at(record, moment.at(0), "ann")
    assert after_deal.decision is not None
    assert after_deal.decision.player == "ann"
    with pytest.raises(InputError, match="expected a number of moves from 1, got 0"):
        suggest(record, moment.at(1), "ann", 0)


def test_games_without_advice_give_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cluedo, "advisor", None)
    table = small(1)
    with pytest.raises(Unsupported, match="Cluedo has no advice"):
        suggest(table.record, table.moment, "ann", 1)


def test_answers_with_several_places_and_without_one() -> None:
    class Elsewhere(Cluedo):
        asked: tuple[Atom, ...] = ()

        def answers(self, setup: Any, structure: Any, player: str) -> tuple[Atom, ...]:
            return self.asked

    game = Elsewhere()
    moment = small(1, game=game).moment
    rope, hall = Atom("location(candlestick)", "ann"), Atom("location(ballroom)", "envelope")
    game.asked = (rope, hall)
    assert answer_in_words(moment, "ann", (rope, hall)) == "Candlestick (Ann), Ballroom (Envelope)"
    game.asked = (hall,)
    assert answer_in_words(moment, "ann", (hall,)) == "Ballroom"
    assert answer_in_words(moment, "ann", ()) == "nothing"
