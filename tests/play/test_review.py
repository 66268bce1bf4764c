"""Games looked back over: against brute force and the explicit engine; logs of all kinds."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import log2
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.errors import BudgetExceeded, InputError, LogError, UnknownName
from symkripke.explain.text import percent
from symkripke.language import K
from symkripke.limits import within
from symkripke.model import World
from symkripke.play import Outcome, Record, Table, game
from symkripke.play.dealing import location
from symkripke.play.hands import at, holds
from symkripke.play.positions import suggest
from symkripke.play.review import Review, Reviewing, annotated, review
from symkripke.play.review.chart import svg_chart
from symkripke.play.review.page import STYLE, fragment, page
from symkripke.play.session.record import Result
from symkripke_games.cluedo.knowledge import solution
from symkripke_games.cluedo.rules import Accusation, Suggestion
from symkripke_games.kwartet.rules import Question
from symkripke_games.old_maid.knowledge import holds as holds_rank
from symkripke_games.old_maid.rules import Draw
from symkripke_games.perudo.knowledge import asked as is_met
from symkripke_games.perudo.rules import Bid, Call
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.rules import Question as GemQuestion
from tests.perudo.test_exactness import believing


@cache
def played(name: str, seed: int, minds: tuple[str, ...] = (), **options: Any) -> Table[Any, Any]:
    table = Table.of(game(name), minds=minds, seed=seed, **options)
    for _ in table:
        pass
    return table


def record(name: str, seed: int, minds: tuple[str, ...] = (), **options: Any) -> Record[Any, Any]:
    return played(name, seed, minds, **options).record


@cache
def reviewed(name: str, seed: int, minds: tuple[str, ...] = (), **options: Any) -> Review:
    return review(record(name, seed, minds, **options))


SMALL: dict[str, Any] = {"players": 3, "size": "2/3/3"}


# ---- Cluedo, against a list of all deals ------------------------------------------------------


class Deals:
    """All deals of a small game, with how probable each makes what a player has seen."""

    def __init__(self, table: Table[Any, Any]) -> None:
        self.setup = table.setup
        self.categories = [[card.id for card in cards] for cards in self.setup.edition.categories]
        self.deals = list(self._all())

    def _all(self) -> Iterator[World]:
        hands = [p for p, size in zip(self.setup.players, self.setup.hands, strict=True)
                 for _ in range(size)]  # fmt: skip
        for inside in product(*self.categories):
            rest = [card for cards in self.categories for card in cards if card not in inside]
            for order in set(permutations(hands)):
                deal = dict(zip(rest, order, strict=True))
                yield {**deal, **dict.fromkeys(inside, "envelope")}

    def weights(
        self, outcomes: Sequence[Outcome[Any]], player: str, truth: World
    ) -> dict[int, Fraction]:
        """The weight of each deal that the player considers possible after these events."""
        found = {}
        own = {card for card, place in truth.items() if place == player}
        for number, deal in enumerate(self.deals):
            if {card for card, place in deal.items() if place == player} != own:
                continue
            weight = Fraction(1)
            for outcome in outcomes:
                weight *= self._likelihood(deal, outcome, player)
            if weight:
                found[number] = weight
        return found

    def _likelihood(self, deal: World, outcome: Outcome[Any], player: str) -> Fraction:
        public = outcome.public
        if isinstance(public, Accusation):
            right = all(deal[card] == "envelope" for card in public.cards)
            return Fraction(right == public.right)
        if any(deal[card] == other for card in public.cards for other in public.passes):
            return Fraction(0)
        if public.shower is None:
            return Fraction(1)
        able = [card for card in public.cards if deal[card] == public.shower]
        if player not in (public.player, public.shower):
            return Fraction(bool(able))  # any of them was shown
        (card,) = outcome.secret.values()
        return Fraction(card in able, max(1, len(able)))

    def entropy(self, weights: dict[int, Fraction]) -> float:
        shares: dict[frozenset[str], Fraction] = defaultdict(Fraction)
        for number, weight in weights.items():
            inside = frozenset(c for c, at in self.deals[number].items() if at == "envelope")
            shares[inside] += weight
        whole = sum(shares.values())
        return -sum(float(s / whole) * log2(s / whole) for s in shares.values())

    def gain(self, weights: dict[int, Fraction], asker: str, cards: Sequence[str]) -> float:
        """By how many bits the entropy of the solution drops on average, over all answers."""
        answers: dict[Any, dict[int, Fraction]] = defaultdict(dict)
        for number, weight in weights.items():
            deal = self.deals[number]
            for other in self.setup.after(asker):
                able = [card for card in cards if deal[card] == other]
                for card in able:
                    answers[other, card][number] = weight / len(able)
                if able:
                    break
            else:
                answers[None][number] = weight
        whole = sum(weights.values())
        return self.entropy(weights) - sum(
            float(sum(part.values()) / whole) * self.entropy(part) for part in answers.values()
        )


@pytest.mark.parametrize(("seed", "minds"), [(1, ()), (4, ("first-order",)), (6, ("random",))])
def test_questions_of_cluedo_against_a_list_of_all_deals(seed: int, minds: tuple[str, ...]) -> None:
    table = played("cluedo", seed, minds, **SMALL)
    told, deals = reviewed("cluedo", seed, minds, **SMALL), Deals(table)
    truth = {fluent[len("location(") : -1]: place for fluent, place in table.deal.items()}
    outcomes = [step.outcome for step in table.steps]
    appraised = 0
    for event, outcome in zip(told.events, outcomes, strict=True):
        before = outcomes[: event.number - 1]
        for player in table.setup.players:
            weights = deals.weights(before, player, truth)
            inside = {
                frozenset(c for c, at in deals.deals[n].items() if at == "envelope")
                for n in weights
            }
            assert event.before[player] == len(inside)
        if event.appraisal is None:
            continue
        appraised += 1
        assert isinstance(outcome.public, Suggestion)
        weights = deals.weights(before, event.player, truth)
        gains = {
            cards: deals.gain(weights, event.player, cards) for cards in product(*deals.categories)
        }
        value = gains[outcome.public.cards]
        assert event.appraisal.value == pytest.approx(value, abs=1e-9)
        assert event.appraisal.best == pytest.approx(max(gains.values()), abs=1e-9)
        assert event.appraisal.better == sum(gain > value + 1e-9 for gain in gains.values())
        after = deals.weights(outcomes[: event.number], event.player, truth)
        brought = deals.entropy(weights) - deals.entropy(after)
        assert event.appraisal.brought == pytest.approx(brought, abs=1e-9)
    assert appraised > 2


def test_who_knew_when_is_what_the_explicit_model_says() -> None:
    for seed in (1, 3, 8):
        table, told = played("cluedo", seed, **SMALL), reviewed("cluedo", seed, **SMALL)
        moment, explicit = table.moment, engine("explicit")
        certain: dict[str, int] = {}
        aware: dict[tuple[str, str], int] = {}
        for events in range(moment.events):  # the last event shows the solution to all
            here = moment.after(events)
            for player in table.setup.players:
                knows = table.game.knows_answer(table.setup, here.structure, player)
                assert knows is not None
                if here.ask(knows, engine=explicit):
                    certain.setdefault(player, here.turn)
                for other in table.setup.players:
                    if other != player and here.ask(K(other, knows), engine=explicit):
                        aware.setdefault((other, player), here.turn)
        assert told.certain == certain
        assert told.aware == aware


def test_guesses_are_told_with_their_chance() -> None:
    minds = ("higher-order-guesser:0.2",)
    guesses = 0
    for seed in range(6):
        table, told = (
            played("cluedo", seed, minds, **SMALL),
            reviewed("cluedo", seed, minds, **SMALL),
        )
        explicit = engine("explicit", "bayes")
        for event in told.events:
            public = table.steps[event.number - 1].outcome.public
            if not isinstance(public, Accusation):
                continue
            here = table.moment.after(event.number - 1)
            chance = here.probability(public.player, solution(*public.cards), explicit)
            said = [note for note in event.annotations if note.kind == "guess"]
            assert bool(said) == (chance < 1)
            for note in said:
                assert Fraction(note.data["chance"]) == chance
                assert ("was lucky" if public.right else "was wrong") in note.words or not chance
                guesses += 1
    assert guesses > 2


def test_missed_accusations_are_those_of_who_knew_and_did_not_accuse() -> None:
    """First-order players do not draw all conclusions: some could have accused."""
    missed = 0
    for seed in range(8):
        told = reviewed("cluedo", seed, ("first-order",), **SMALL)
        table = played("cluedo", seed, ("first-order",), **SMALL)
        turns = {event.turn: event for event in told.events}  # the last event of each turn
        expected = {
            (turn, event.player)
            for turn, event in turns.items()
            if event.turn < told.events[-1].turn
            and not isinstance(table.steps[event.number - 1].outcome.public, Accusation)
            and told.certain.get(event.player, 1000) <= turn
        }
        out: set[str] = set()
        for event in told.events:
            public = table.steps[event.number - 1].outcome.public
            if isinstance(public, Accusation) and not public.right:
                out.add(public.player)
        found = {(turn, note.player) for turn, note in annotated(told.events, "missed")}
        assert found == {pair for pair in expected if pair[1] not in out}
        missed += len(found)
        for player, row in told.figures.rows.items():
            assert row["missed"] == sum(who == player for _, who in found)
    assert missed


# ---- the other games, against the explicit model -----------------------------------------------


def test_questions_of_sleuth_against_the_explicit_model() -> None:
    """What was expected is the average, over all deals, of what would have been brought."""
    options = {"players": 3, "size": "2/2/2"}
    table, told = played("sleuth", 2, **options), reviewed("sleuth", 2, **options)
    explicit = engine("explicit", "bayes")
    moment = table.moment
    checked = 0
    for event in told.events:
        public = table.steps[event.number - 1].outcome.public
        if not isinstance(public, GemQuestion) or event.appraisal is None:
            continue
        here, after = moment.after(event.number - 1), moment.after(event.number)
        asked = [at(gem.id, HIDDEN) for gem in table.setup.edition.gems]
        then, now = (
            explicit.entropy(moment.perspective(public.player), asked) for moment in (here, after)
        )
        assert event.appraisal.brought == pytest.approx(then - now, abs=1e-9)
        gems = [holds(public.asked, gem) for gem in table.setup.edition.matching(public.elements)]
        shows = len(public.elements) == 2
        view = here.perspective(public.player)
        answers: dict[Any, Fraction] = defaultdict(Fraction)
        joint: dict[Any, Fraction] = defaultdict(Fraction)
        for true, share in explicit.distribution(view, [*gems, *asked]).items():
            mine = frozenset(true) & frozenset(gems)
            answer: Any = mine if shows else len(mine)
            answers[answer] += share
            joint[answer, frozenset(true) - mine] += share
        both = -sum(float(s) * log2(s) for s in joint.values())
        alone = -sum(float(s) * log2(s) for s in answers.values())
        assert event.appraisal.value == pytest.approx(then + alone - both, abs=1e-9)
        checked += 1
    assert checked > 1


def test_chances_of_kwartet_against_the_explicit_model() -> None:
    options = {"players": 3, "groups": 2}
    table = played("kwartet", 3, ("random",), **options)
    told = reviewed("kwartet", 3, ("random",), **options)
    explicit = engine("explicit")
    for event in told.events[:12]:
        public = table.steps[event.number - 1].outcome.public
        if not isinstance(public, Question):
            continue
        here = table.moment.after(event.number - 1)
        assert event.appraisal is not None
        chance = here.probability(public.player, holds(public.asked, public.card), explicit)
        assert event.appraisal.value == float(chance)
        best = max(
            here.probability(public.player, holds(other, card.id), explicit)
            for other in table.setup.players
            if other != public.player
            for card in table.setup.cards
            if here.ask(f"holds_group({public.player}, {table.setup.group_of[card.id]})")
            and not here.ask(f"holds({public.player}, {card.id})")
        )
        assert event.appraisal.best == float(best)
        impossible = any(note.kind == "impossible" for note in event.annotations)
        assert impossible == (not chance)
        secret = any(note.kind == "secret" for note in event.annotations)
        group = table.setup.group_of[public.card]
        told_before = f"C[*] holds_group({public.player}, {group})"
        assert secret == (not here.ask(told_before, engine=explicit))
    row = told.figures.rows
    asked = [s.outcome.public for s in table.steps if isinstance(s.outcome.public, Question)]
    for player in table.setup.players:
        mine = [public for public in asked if public.player == player]
        assert row[player]["questions"] == len(mine)
        assert row[player]["yes"] == sum(public.given for public in mine)


def test_draws_of_old_maid_against_the_explicit_model() -> None:
    options = {"rules": "study"}
    explicit = engine("explicit", "bayes")
    chosen = 0
    for seed in (4, 11):
        table = played("old_maid", seed, ("random",), **options)
        told = reviewed("old_maid", seed, ("random",), **options)
        state: Any = table.game.start(table.setup, table.deal)
        for step, event in zip(table.steps, told.events, strict=True):
            public = step.outcome.public
            if isinstance(public, Draw):
                here = table.moment.after(event.number - 1)
                ranks = [
                    rank
                    for rank in table.setup.deck
                    if here.ask(K(public.player, holds_rank(public.player, rank)))
                ]
                chances = {
                    giver: sum(
                        here.probability(public.player, holds_rank(giver, rank), explicit)
                        for rank in ranks
                    )
                    / state.sizes[giver]
                    for giver in state.givers
                }
                assert event.appraisal is not None
                assert event.appraisal.value == float(chances[public.giver])
                assert event.appraisal.best == float(max(chances.values()))
                assert event.appraisal.brought == (public.discard is not None)
                chosen += len(chances) > 1
            state = state.follow(step.outcome)
    assert chosen


def test_bids_and_calls_of_perudo_against_the_explicit_model() -> None:
    options = {"players": 2, "dice": 2, "faces": 4}
    table = played("perudo", 5, ("odds", "bluffer"), **options)
    told = reviewed("perudo", 5, ("odds", "bluffer"), **options)
    explicit = engine("explicit")
    calls = 0
    for event in told.events:
        public = table.steps[event.number - 1].outcome.public
        if not isinstance(public, Bid | Call):
            assert event.appraisal is None
            continue
        here = table.moment.after(event.number - 1)
        view = here.perspective(public.player)
        assert event.appraisal is not None
        if isinstance(public, Bid):
            now = _round(table, event.number)
            chance = explicit.probability(
                believing(view, explicit), is_met(public, now, table.setup.faces)
            )
            alone = explicit.probability(view, is_met(public, now, table.setup.faces))
            also = f"that it is met: {percent(alone)}"
        else:
            calls += 1
            (met,) = table.game.answers(table.setup, here.structure, public.player)
            chance = 1 - explicit.probability(believing(view, explicit), met)
            alone = 1 - explicit.probability(view, met)
            also = f"that it is right: {percent(alone)}"
            assert public.verdict is not None
            assert event.appraisal.brought == public.verdict.right
        if chance != alone:
            also += f", or {percent(chance)} if the bids are believed"
        assert event.appraisal.also == also
        advised = suggest(table.record, here, public.player, 1)[0]
        assert event.appraisal.best == pytest.approx(max(advised.gain, event.appraisal.value))
        assert event.appraisal.aim == "to lose no die in this round"
    assert calls > 1


def _round(table: Table[Any, Any], events: int) -> Any:
    state: Any = table.game.start(table.setup, table.deal)
    for step in table.steps[: events - 1]:
        state = state.follow(step.outcome)
    return state.now


# ---- logs of all kinds -------------------------------------------------------------------------

ALL = ("cluedo", "sleuth", "kwartet", "old_maid", "perudo")
SIZES: dict[str, dict[str, Any]] = {
    "cluedo": SMALL,
    "sleuth": {"players": 3, "size": "3/2/2"},
    "kwartet": {"players": 3, "groups": 4},
    "old_maid": {"players": 3, "ranks": 5},
    "perudo": {"players": 3, "dice": 2},
}


@pytest.mark.parametrize("name", ALL)
def test_a_review_in_words_in_svg_and_in_html(name: str) -> None:
    told = reviewed(name, 1, **SIZES[name])
    text = str(told)
    assert text.startswith(f"{told.title}, classic rules: ")
    for sentence in (told.ending, *told.story):
        assert f"  {sentence}." in text
        assert sentence[0].isupper()
        assert not sentence.endswith(".")
    assert json.loads(json.dumps(told.data()))["ending"] == told.ending
    assert len(told.data()["events"]) == len(played(name, 1, **SIZES[name]).steps)
    for width in (340, 720):
        picture = ElementTree.fromstring(svg_chart(told, width))
        assert picture.get("viewBox", "").startswith(f"0 0 {width} ")
        written = " ".join(part.text or "" for part in picture.iter() if part.tag.endswith("text"))
        for player in told.charted:
            assert told.titles[player] in written
    whole = page(told)
    assert fragment(told) in whole
    assert STYLE in whole
    assert "<script" not in whole
    assert not re.search(r"(src|href)=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)", whole)
    body = ElementTree.fromstring(fragment(told))
    assert {part.get("style") for part in body.iter()} == {None}
    shown = "".join(body.itertext())
    for sentence in told.story:
        assert sentence in shown


@pytest.mark.parametrize("name", ALL)
def test_a_part_of_a_game(name: str) -> None:
    whole, log = reviewed(name, 1, **SIZES[name]), record(name, 1, **SIZES[name])
    last = whole.events[-1].turn
    part = review(log, turns=(2, last - 1))
    kept = [event for event in whole.events if 2 <= event.turn <= last - 1]
    assert [event.number for event in part.events] == [event.number for event in kept]
    assert [event.after for event in part.events] == [event.after for event in kept]
    assert [event.appraisal for event in part.events] == [event.appraisal for event in kept]
    player = log.setup.players[1]
    mine = review(log, players=[player])
    assert mine.seen == (player,)
    assert mine.series(player) == whole.series(player)
    with pytest.raises(UnknownName):
        review(log, players=["nobody"])
    with pytest.raises(InputError, match=f"expected turns up to {last}"):
        review(log, turns=(last + 1, last + 2))
    with pytest.raises(InputError, match="A not after B"):
        review(log, turns=(3, 2))


@pytest.mark.parametrize("name", ALL)
def test_games_that_are_not_over(name: str) -> None:
    log = record(name, 1, **SIZES[name])
    cut = replace(log, outcomes=log.outcomes[:3], result=None)
    told = review(cut)
    turn = log.outcomes[2].public.turn
    assert told.ending == f"The game is not finished: turn {turn} is the last one here"
    assert len(told.events) == 3
    given_up = review(replace(cut, result=Result(over=False, winners=(), words="given up")))
    assert given_up.ending == f"The game was given up after turn {turn}"
    nothing = review(replace(cut, outcomes=()))
    assert nothing.events == ()
    assert str(nothing)
    assert "review" in page(nothing)


def test_a_log_that_goes_wrong_is_reviewed_up_to_there() -> None:
    log = record("cluedo", 1, **SMALL)
    first = log.outcomes[0].public
    wrong = log.outcomes[2]
    twisted = replace(wrong, public=first)  # an event of turn 1 once more
    told = review(replace(log, outcomes=(*log.outcomes[:2], twisted), result=None), name="my.jsonl")
    assert len(told.events) == 2
    (note,) = told.notes
    assert note.startswith("The log goes wrong, and is reviewed up to there: my.jsonl, ")
    with pytest.raises(LogError):
        review(replace(log, truth={**(log.truth or {}), location("rope"): "nowhere"}))


def test_a_seat_has_only_what_it_saw() -> None:
    log = record("cluedo", 1, **SMALL)
    told = review(log.seen_by("bob"))
    assert told.seen == ("bob",)
    assert any("only what Bob saw" in note for note in told.notes)
    with pytest.raises(InputError, match="only what Bob saw"):
        review(log.seen_by("bob"), players=["ann"])


def test_what_is_done_can_be_read_before_the_end() -> None:
    work = Reviewing(record("cluedo", 1, **SMALL))
    assert work.review().events == ()
    steps = iter(work)
    next(steps)
    next(steps)
    part = work.review()
    assert len(part.events) == 2
    assert any("stopped after turn" in note for note in part.notes)
    assert [event.after for event in part.events] == [
        event.after for event in reviewed("cluedo", 1, **SMALL).events[:2]
    ]


def test_progress_and_limits() -> None:
    told: list[tuple[int, int]] = []
    log = record("cluedo", 1, **SMALL)
    review(log, tell=lambda done, of: told.append((done, of)))
    assert told == [(done, len(log.outcomes)) for done in range(1, len(log.outcomes) + 1)]
    with pytest.raises(BudgetExceeded), within(0.0):
        review(log)
