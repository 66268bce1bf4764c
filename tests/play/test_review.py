"""Reviews of games, compared with brute force and the explicit engine; logs of all kinds."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import log2
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.errors import BudgetExceeded, InputError, LogError, UnknownName
from symkripke.explain.text import percent
from symkripke.language import K
from symkripke.limits import within
from symkripke.play import Record, Table, game
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


# ---- Cluedo, compared with the explicit model
# -----------------------------------------------------


Shares = dict[Any, Fraction]


def entropy(shares: Shares) -> float:
    whole = sum(shares.values())
    return -sum(float(share / whole) * log2(share / whole) for share in shares.values())


def envelopes(deals: Shares) -> Shares:
    """Return the probabilities of the solutions, from those of the deals."""
    found: Shares = defaultdict(Fraction)
    for deal, share in deals.items():
        found[frozenset(atom.fluent for atom in deal if atom.value == "envelope")] += share
    return found


def gain(deals: Shares, others: Sequence[str], cards: Sequence[str]) -> float:
    """Return the expected reduction of the solution's entropy in bits, over all answers."""
    answers: dict[Any, Shares] = defaultdict(dict)
    for deal, share in deals.items():
        for other in others:
            able = [card for card in cards if at(card, other) in deal]
            for card in able:
                answers[other, card][deal] = share / len(able)
            if able:
                break
        else:
            answers[None][deal] = share
    parts = ((sum(part.values()), envelopes(part)) for part in answers.values())
    return entropy(envelopes(deals)) - sum(float(share) * entropy(part) for share, part in parts)


@pytest.mark.parametrize(("seed", "minds"), [(1, ()), (6, ("random",))])
def test_questions_of_cluedo_against_the_explicit_model(seed: int, minds: tuple[str, ...]) -> None:
    table, told = played("cluedo", seed, minds, **SMALL), reviewed("cluedo", seed, minds, **SMALL)
    setup, explicit = table.setup, engine("explicit", "bayes")
    kinds = [[card.id for card in cards] for cards in setup.edition.categories]
    places = [at(card, place) for kind in kinds for card in kind
              for place in (*setup.players, "envelope")]  # fmt: skip
    appraised = 0
    for event in told.events:
        if event.appraisal is None:
            continue
        appraised += 1
        public = table.steps[event.number - 1].outcome.public
        assert isinstance(public, Suggestion)
        deals, after = (
            {
                frozenset(true): share
                for true, share in explicit.distribution(
                    table.moment.after(events).perspective(event.player), places
                ).items()
            }
            for events in (event.number - 1, event.number)
        )
        others = setup.after(event.player)
        gains = {cards: gain(deals, others, cards) for cards in product(*kinds)}
        value = gains[public.cards]
        assert event.before[event.player] == len(envelopes(deals))
        assert event.appraisal.value == pytest.approx(value, abs=1e-9)
        assert event.appraisal.best == pytest.approx(max(gains.values()), abs=1e-9)
        assert event.appraisal.better == sum(other > value + 1e-9 for other in gains.values())
        brought = entropy(envelopes(deals)) - entropy(envelopes(after))
        assert event.appraisal.brought == pytest.approx(brought, abs=1e-9)
    assert appraised > 2


def test_guesses_are_described_with_their_probability() -> None:
    minds = ("higher-order-guesser:0.2",)
    guesses = 0
    for seed in range(3):
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
    assert guesses


def test_missed_accusations_are_found() -> None:
    """First-order players do not draw all conclusions, so some could have accused."""
    missed = 0
    for seed in range(4):
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


# ---- other games, compared with the explicit model
# -------------------------------------------------


def test_questions_of_sleuth_against_the_explicit_model() -> None:
    """The expected information is the average over all deals."""
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
        assert event.appraisal.aim == "of losing no die in this round"
    assert calls > 1


def _round(table: Table[Any, Any], events: int) -> Any:
    state: Any = table.game.start(table.setup, table.deal)
    for step in table.steps[: events - 1]:
        state = state.follow(step.outcome)
    return state.now


# ---- logs of all kinds -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"), [("cluedo", SMALL), ("kwartet", {"players": 3, "groups": 4})]
)
def test_a_review_in_words_in_svg_and_in_html(name: str, options: dict[str, Any]) -> None:
    told = reviewed(name, 1, **options)
    text = str(told)
    for sentence in (told.ending, *told.story):
        assert f"  {sentence}." in text
        assert sentence[0].isupper()
        assert not sentence.endswith(".")
    assert json.loads(json.dumps(told.data()))["ending"] == told.ending
    assert len(told.data()["events"]) == len(played(name, 1, **options).steps)
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


def test_a_part_of_a_game() -> None:
    whole, log = reviewed("cluedo", 1, **SMALL), record("cluedo", 1, **SMALL)
    last = whole.events[-1].turn
    part = review(log, turns=(2, last - 1))
    kept = [event for event in whole.events if 2 <= event.turn <= last - 1]
    assert [(event.number, event.after, event.appraisal) for event in part.events] == [
        (event.number, event.after, event.appraisal) for event in kept
    ]
    mine = review(log, players=["bob"])
    assert mine.seen == ("bob",)
    assert mine.series("bob") == whole.series("bob")
    with pytest.raises(UnknownName):
        review(log, players=["nobody"])
    for turns in ((last + 1, last + 2), (3, 2)):
        with pytest.raises(InputError):
            review(log, turns=turns)


def test_unfinished_games() -> None:
    log = record("cluedo", 1, **SMALL)
    cut = replace(log, outcomes=log.outcomes[:3], result=None)
    told = review(cut)
    assert len(told.events) == 3
    given_up = review(replace(cut, result=Result(over=False, winners=(), words="given up")))
    assert "given up" in given_up.ending
    assert given_up.ending != told.ending
    nothing = review(replace(cut, outcomes=()))
    assert nothing.events == ()
    assert "review" in page(nothing)


def test_a_faulty_log_is_reviewed_up_to_the_fault() -> None:
    log = record("cluedo", 1, **SMALL)
    first = log.outcomes[0].public
    wrong = log.outcomes[2]
    twisted = replace(wrong, public=first)  # repeats an event of turn 1
    told = review(replace(log, outcomes=(*log.outcomes[:2], twisted), result=None), name="my.jsonl")
    assert len(told.events) == 2
    (note,) = told.notes
    assert note.startswith(
        "The log contains an error, and is reviewed up to that point: my.jsonl, "
    )
    with pytest.raises(LogError):
        review(replace(log, truth={**(log.truth or {}), location("rope"): "nowhere"}))


def test_a_seat_has_only_what_it_saw() -> None:
    log = record("cluedo", 1, **SMALL)
    told = review(log.seen_by("bob"))
    assert told.seen == ("bob",)
    assert any("only what Bob saw" in note for note in told.notes)
    with pytest.raises(InputError, match="only what Bob saw"):
        review(log.seen_by("bob"), players=["ann"])


def test_finished_parts_can_be_read_before_the_end() -> None:
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
