"""The contract of games."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from symkripke.engines import Budget, Engine, Mark, engine
from symkripke.errors import InputError, RuleError, SymkripkeError
from symkripke.language import Atom, Chance, K, negation, parse_question
from symkripke.model import Perspective, Scene
from symkripke.play import (
    CHANCE,
    Game,
    GameState,
    Journal,
    Layout,
    Moment,
    Outcome,
    PersonView,
    Record,
    Table,
    View,
    game_names,
)
from symkripke.play import game as installed_game
from symkripke.play.acts import Pending, Situation, corrections, describe_briefly, read
from symkripke.play.diagnosis import diagnose
from symkripke.play.knowledge_matrix import insight, own_things
from symkripke.play.odds import odds
from symkripke.play.positions import advised
from symkripke.play.review import FAULT, Review, review
from symkripke.play.review.page import page
from symkripke.play.session.course import Seat
from symkripke.play.session.record import Result
from symkripke.play.strategies import HUMAN, character
from symkripke.play.views.pictures import table_picture
from symkripke.testing.described import Described
from symkripke.testing.histories import BrokenContract, Stage, accepted, walk
from symkripke.testing.worlds import (
    check_counts,
    check_facts,
    check_knowledge,
    check_worlds,
    key_of,
)


@lru_cache(maxsize=16)
def walked(described: Described, setup_name: str, seed: int) -> Sequence[Stage]:
    """Return the stages of a game, played once for all tests."""
    return walk(described, described.setup(setup_name), seed)


class GameContract:
    """The contract of every game. Subclass it in a test file: `class TestMyGame(GameContract)`.

    Attributes:
        described: the game, described by its rules.
    """

    described: Described

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Generate a test for each small setup, and for each game with it."""
        described = self.described
        if "seed" in metafunc.fixturenames:
            cases = [(name, seed) for name in described.setups for seed in range(described.games)]
            metafunc.parametrize(
                ("setup_name", "seed"), cases, ids=[f"{name}, {seed}" for name, seed in cases]
            )
        elif "setup_name" in metafunc.fixturenames:
            metafunc.parametrize("setup_name", list(described.setups))

    # ---- the encoding agrees with the rules --------------------------------------------------

    def test_worlds_are_the_histories_of_the_rules(self, setup_name: str, seed: int) -> None:
        """Check that the worlds of each player are the possible histories after every event."""
        for stage in walked(self.described, setup_name, seed):
            check_worlds(stage)
            check_facts(stage)

    def test_knowledge_is_what_the_histories_give(self, setup_name: str, seed: int) -> None:
        """Check first-order and second-order knowledge with each engine."""
        chance = Random(seed)
        for stage in walked(self.described, setup_name, seed)[1:]:
            check_knowledge(stage, chance, self.described.questions)

    def test_counts_are_those_of_the_histories(self, setup_name: str, seed: int) -> None:
        """Check the numbers of worlds and deals, and probabilities."""
        if self.described.counts:
            for stage in walked(self.described, setup_name, seed)[1:]:
                check_counts(stage, Random(seed))

    def test_deals(self, setup_name: str) -> None:
        """Check that the game makes only listed deals, each once, with the right observations."""
        described, game = self.described, self.described.game
        setup = described.setup(setup_name)
        deals = [key_of(deal) for deal in described.deals(setup)]
        if len(set(deals)) != len(deals):
            raise BrokenContract(
                f"{type(described).__name__}.deals lists a deal twice: {setup_name}"
            )
        for seed in range(20):
            deal = game.deal(setup, Random(seed))
            if key_of(deal) not in deals:
                raise BrokenContract(
                    f"{game.title}: Game.deal makes a deal that is not listed: {deal!r}"
                )
            if game.deal(setup, Random(seed)) != deal:
                raise BrokenContract(
                    f"{game.title}: Game.deal makes another deal with the same seed"
                )
            scene = Scene.of(game.structure(setup), deal)
            for player in setup.players:
                cards = described.sees_of_deal(setup, deal, player)
                values = game.hand(setup, player, cards)
                atoms = [Atom(name, value) for name, value in values.items()]
                view = Perspective.of(scene.structure, player, atoms)
                if view.seen != scene.perspective(player).seen:
                    raise BrokenContract(
                        f"{game.title}: by Game.hand, {player} with {cards!r} sees "
                        f"{sorted(map(str, view.seen))}; in the deal {player} sees "
                        f"{sorted(map(str, scene.perspective(player).seen))}"
                    )

    # ---- rules ---------------------------------------------------------------------------------

    def test_moves(self, setup_name: str, seed: int) -> None:
        """Check that only legal moves are accepted, and that onlookers can follow the game."""
        described, game = self.described, self.described.game
        setup = described.setup(setup_name)
        chance = Random(f"{seed}/moves")
        state = game.start(setup, game.deal(setup, chance))
        followed, public = state, game.start(setup, None)
        events = 0
        while (decision := state.decision) is not None and events < described.events:
            legal = []
            for move in described.moves(setup, state):
                if check_move(described, setup, state, move):
                    legal.append(move)
            if not legal:
                raise BrokenContract(f"{game.title}: no move is legal at the decision {decision!r}")
            for option in decision.options or ():
                if not accepted(described, state, option):
                    raise BrokenContract(
                        f"{game.title}: the option {option!r} is offered, but refused"
                    )
            state, outcome = state.play(described.picked(legal, chance))
            if outcome is None:
                continue
            events += 1
            followed = followed.follow(outcome)
            if followed != state:
                raise BrokenContract(
                    f"{game.title}: State.follow leads to another position than State.play:\n"
                    f"  {followed!r}\n  {state!r}"
                )
            public = public.follow(Outcome(outcome.public, {}))
            if in_public(public) != in_public(state):
                raise BrokenContract(
                    f"{game.title}: after the event {outcome.public!r} the public position is "
                    f"{in_public(public)} for onlookers, but {in_public(state)} with the deal"
                )

    def test_what_is_over_is_over(self, setup_name: str) -> None:
        """Check that a game with a result has no decision left, and that winners are players."""
        for seed in range(self.described.games):
            for stage in walked(self.described, setup_name, seed):
                state = stage.actual.state
                if (state.result is None) != (state.decision is not None):
                    raise BrokenContract(
                        f"{stage.where}: expected either a result or a decision, got the result "
                        f"{state.result!r} and the decision {state.decision!r}"
                    )
                for player in (*state.winners, *state.out):
                    assert player in stage.players, player

    # ---- logs --------------------------------------------------------------------------------

    def test_the_game_is_installed(self) -> None:
        """Check that logs and the command line can find the game by its name."""
        game = self.described.game
        if game.name not in game_names() or type(installed_game(game.name)) is not type(game):
            raise BrokenContract(
                f"the game {game.name!r} is not installed: expected an entry point "
                f'{game.name} = "...:GAME" in the group symkripke.games of your pyproject.toml'
            )

    def test_logs(self, setup_name: str, seed: int) -> None:
        """Check that replaying a log leads to the same scenes."""
        stages = walked(self.described, setup_name, seed)
        record = record_of(stages)
        lines = list(record.lines())
        again = Record.parse("\n".join(lines))
        assert list(again.lines()) == lines
        moment = again.replay()
        for stage, state in zip(stages, moment.states, strict=True):
            assert isinstance(state, Scene)
            if state.world != stage.scene.world or not _same_law(state, stage.scene):
                raise BrokenContract(f"{stage.where}: the scene replayed from the log is different")

    def test_logs_of_seats(self, setup_name: str, seed: int) -> None:
        """Check that a log of one player's observations gives that player's knowledge."""
        stages = walked(self.described, setup_name, seed)
        for player in stages[0].players:
            check_seat_log(stages, player, seat_record_of(stages, player), "the log")
            check_seat_log(stages, player, record_of(stages).seen_by(player), "Record.seen_by")

    def test_pictures(self, setup_name: str, seed: int) -> None:
        """Check that the picture of the table for a player shows nothing that is hidden from it."""
        stages = walked(self.described, setup_name, seed)
        players = stages[0].players
        check_pictures(stages, players[seed % len(players)])

    def test_journals(self, setup_name: str, seed: int, tmp_path: Path) -> None:
        """Check that a game can be typed in short forms, undone, corrected and opened again."""
        stages = walked(self.described, setup_name, seed)
        seats = (None, *stages[0].players)
        if self.described.game.acts:
            check_journal(stages, seats[seed % len(seats)], tmp_path / "log.jsonl")

    def test_games_with_persons(self, setup_name: str, seed: int, tmp_path: Path) -> None:
        """Check that people are offered their legal moves, and that a reopened game continues."""
        described = self.described
        setup, minds = described.setup(setup_name), list(described.game.strategies)
        seats = [HUMAN if seat % (seed + 1) == 0 else minds[seed % len(minds)]
                 for seat in range(len(setup.players))]  # fmt: skip
        if described.game.people is not None:
            check_persons(described, setup, seats, seed, tmp_path)

    def test_odds(self, setup_name: str, seed: int) -> None:
        """Check odds against listed worlds, and knowledge of the answer against histories."""
        stages = walked(self.described, setup_name, seed)
        for weighting in ("equal", "bayes"):
            check_odds(Random(f"{seed}/{weighting}").choice(stages), weighting)

    def test_reviews(self, setup_name: str, seed: int) -> None:
        """Check that a game can be reviewed, and that a seat's log agrees about its player."""
        stages = walked(self.described, setup_name, seed)
        record = record_of(stages)
        asked = engine("auto", "bayes")
        check_review(stages, review(record, answering=asked), record, asked)

    def test_advice(self, setup_name: str, seed: int) -> None:
        """Check that advice is sorted, legal and of finite value."""
        asked = engine("auto", "bayes")
        for stage in walked(self.described, setup_name, seed):
            if self.described.game.advisor is not None:
                check_advice(stage, asked)
        check_hint(Random(seed).choice(walked(self.described, setup_name, seed)), asked)

    # ---- slips -------------------------------------------------------------------------------

    def test_corrections(self, setup_name: str, seed: int) -> None:
        """Check that each correction of an entry is a different event, described in words."""
        game = self.described.game
        for stage in walked(self.described, setup_name, seed)[1:]:
            outcome = stage.outcome
            assert outcome is not None
            assert stage.before is not None
            if game.rebased(stage.before, outcome) != outcome:
                raise BrokenContract(
                    f"{stage.where}: Game.rebased changes an event at its own position"
                )
            for player in stage.players:
                seen = self.described.sees_of_event(stage.setup, stage.before, outcome, player)
                seen_outcome = Outcome(outcome.public, dict(seen))
                situation = Situation(stage.setup, stage.before, player)
                for other in corrections(game.acts, situation, seen_outcome):
                    if other.outcome == seen_outcome or not other.words:
                        raise BrokenContract(
                            f"{stage.where}: expected a correction by {player} to be another "
                            f"event, described in words, got {other!r}"
                        )

    def test_slips_are_suspected(self, setup_name: str, seed: int) -> None:
        """Check that a wrong entry is among the suspects if the log is impossible."""
        stages, chance = walked(self.described, setup_name, seed), Random(f"{seed}/slips")
        for player in stages[0].players:
            right = seat_record_of(stages, player)
            for _ in range(2):
                entry, wrong = slipped(right, chance)
                if wrong is None:
                    continue
                diagnosis = diagnose(wrong)
                if diagnosis is not None and entry not in [
                    each.entry for each in diagnosis.suspects
                ]:
                    raise BrokenContract(
                        f"{stages[0].where}: event {entry} of the log of {player} is wrong "
                        f"({wrong.outcomes[entry - 1]!r}), but not suspected: {diagnosis!r}"
                    )

    # ---- words -------------------------------------------------------------------------------

    def test_stories(self, setup_name: str, seed: int) -> None:
        """Check that every event can be told by titles, without secrets of other players."""
        for stage in walked(self.described, setup_name, seed)[1:]:
            check_story(stage)

    def test_sentences(self, setup_name: str, seed: int) -> None:
        """Check that the full and the short text of an event can be typed to enter it."""
        stages = walked(self.described, setup_name, seed)
        if self.described.game.acts:
            for seat in (None, *stages[0].players):
                check_sentences(stages, seat)

    def test_note_sheets(self, setup_name: str, seed: int) -> None:
        """Check that every cell of the note sheet is a formula of the structure."""
        game = self.described.game
        for stage in walked(self.described, setup_name, seed):
            structure = stage.scene.structure
            layout = game.layout(stage.setup, structure)
            assert layout.rows
            assert layout.columns
            for (row, column), cell in layout.cells.items():
                try:
                    structure.resolve(cell)
                except InputError as error:
                    raise BrokenContract(
                        f"{stage.where}: the cell {row}, {column}: {error}"
                    ) from error
            for player in stage.players:
                for formula in game.answers(stage.setup, structure, player):
                    structure.resolve(formula)
                knows = game.knows_answer(stage.setup, structure, player)
                if knows is not None:
                    structure.resolve(knows)

    def test_examples(self) -> None:
        """Check that the example formulas can be asked about a game with the default setup."""
        game = self.described.game
        setup = game.setup()
        scene = Scene.of(game.structure(setup), game.deal(setup, Random(0)))
        asked = engine("auto")
        for text in game.examples:
            question = parse_question(text, scene.structure.vocabulary)
            if isinstance(question, Chance):
                view = scene.perspective(question.agent)
                asked.probability(view, question.operand, Budget(seconds=60))
            else:
                asked.holds(scene, question, Budget(seconds=60))

    def test_facts_of_the_game(self) -> None:
        """Check that the game defines the facts that the program shows."""
        game = self.described.game
        for name in ("name", "title", "summary", "question"):
            assert isinstance(getattr(game, name), str), name
            assert getattr(game, name), name
        for rules, (fewest, most) in game.seats.items():
            assert 1 <= fewest <= most, rules
            assert isinstance(game.setup(rules=rules), game.setup_type)
        assert game.strategies, "a game needs at least one strategy"
        for mind in game.strategies:
            assert character(game, mind), f"the strategy {mind} has no description"

    # ---- setups --------------------------------------------------------------------------------

    @pytest.mark.parametrize("wrong", ["rules", "players", "names", "option"])
    def test_wrong_setups_are_refused(self, wrong: str) -> None:
        """Check that a wrong setup raises an `InputError`."""
        for options in wrong_setups(self.described.game)[wrong]:
            check_refused(self.described.game, options)


# ---- parts ---------------------------------------------------------------------------------------


def check_move(described: Described, setup: Any, state: GameState[Any], move: Any) -> bool:
    """Return whether the move is accepted; raise `BrokenContract` if the rules disagree."""
    is_accepted = accepted(described, state, move)
    expected = described.is_legal(setup, state, move)
    decision = state.decision
    assert decision is not None
    if expected is None and decision.options is not None:
        expected = move in decision.options
    if expected is not None and expected != is_accepted:
        does, should = ("accepts", "refuse") if is_accepted else ("refuses", "accept")
        raise BrokenContract(
            f"{described.game.title}: State.play {does} {move!r} of {decision.player!r} "
            f"({decision.kind}), but should {should} it.\n  The position: {state!r}"
        )
    return is_accepted


def in_public(state: GameState[Any]) -> tuple[Any, ...]:
    """Return the public part of a position."""
    decision = state.decision
    asked = None if decision is None else (decision.player, decision.kind)
    return state.turn, asked, state.result, tuple(state.winners), frozenset(state.out)


def record_of(stages: Sequence[Stage]) -> Record[Any, Any]:
    """Return the log of a game, including the deal."""
    first, last = stages[0], stages[-1].actual
    state, game = last.state, first.described.game
    result = None
    if state.result is not None:
        result = Result(over=True, winners=tuple(state.winners), words=state.result)
    return Record(game, first.setup, last.outcomes, (), 0, dict(last.deal), result=result)


def slipped(right: Record[Any, Any], chance: Random) -> tuple[int, Record[Any, Any] | None]:
    """Return the number of a random entry, and the log with a correction in its place.

    The log is None if no correction is possible there.
    """
    game, setup = right.game, right.setup
    assert right.seat is not None
    entry = chance.randint(1, len(right.outcomes)) if right.outcomes else 0
    if not entry:
        return 0, None
    position = game.start(setup, None)
    outcomes: list[Outcome[Any]] = []
    for number, outcome in enumerate(right.outcomes, 1):
        try:
            outcomes.append(game.rebased(position, outcome))
            if number == entry:
                situation = Situation(setup, position, right.seat.player)
                others = list(corrections(game.acts, situation, outcomes[-1]))
                if not others:
                    return entry, None
                outcomes[-1] = chance.choice(others).outcome
                outcomes[-1] = game.rebased(position, outcomes[-1])
            position = position.follow(outcomes[-1])
        except InputError:
            if number == entry:
                return entry, None
            break
    return entry, replace(right, outcomes=tuple(outcomes))


def check_seat_log(
    stages: Sequence[Stage], player: str, record: Record[Any, Any], how: str
) -> None:
    """Raise `BrokenContract` if a log gives the player other observations or laws than the game."""
    moment = Record.parse("\n".join(record.lines())).replay()
    for stage, state in zip(stages, moment.states, strict=True):
        expected = stage.scene.perspective(player)
        assert isinstance(state, Perspective)
        if state.seen != expected.seen or not _same_law(state, expected):
            raise BrokenContract(
                f"{stage.where}: {how} of {player} adds the observations "
                f"{sorted(map(str, state.seen - expected.seen))} and lacks "
                f"{sorted(map(str, expected.seen - state.seen))}, or has another law"
            )


def check_pictures(stages: Sequence[Stage], player: str) -> None:
    """Raise `BrokenContract` if a picture for a player differs from that of the player's log."""
    record, seat = record_of(stages), seat_record_of(stages, player)
    whole, own = record.replay(), seat.replay()
    for number in range(0, len(stages), 1 + len(stages) // 4):
        stage = stages[number]
        drawn = table_picture(record, whole.after(number), player)
        if drawn != table_picture(seat, own.after(number)):
            raise BrokenContract(
                f"{stage.where}: the picture of the table for {player} depends on facts that "
                f"{player} has not seen"
            )
        ElementTree.fromstring(drawn)  # raises ParseError if it is no XML


def check_journal(stages: Sequence[Stage], seat: str | None, path: Path) -> None:
    """Raise `BrokenContract` if a game typed into a journal is not the game in its log."""
    where = f"{stages[-1].where}, typed by {seat or 'somebody who knows the deal'}"
    record = record_of(stages) if seat is None else seat_record_of(stages, seat)
    journal = Journal.begin(path, record.game, record.setup, seat=record.seat, truth=record.truth)
    for number, outcome in enumerate(record.outcomes, 1):
        if len(journal.entries) < number:  # some events need no entry of their own
            journal.enter(describe_briefly(journal.game.act(outcome), journal.situation, outcome))
        if journal.pending is not None or journal.record.outcomes[number - 1] != outcome:
            raise BrokenContract(
                f"{where}: entry {number} is {journal.record.outcomes[number - 1 :]!r}, "
                f"{journal.pending!r}; expected {outcome!r}"
            )
        check_written(journal, where)
    for number, entry in enumerate(journal.entries, 1):
        if journal.edit(number, entry.story) != (entry,):
            raise BrokenContract(f"{where}: entry {number} changes if its text is entered again")
    while journal.entries:
        left = journal.record.outcomes[: len(journal.entries) - 1]
        journal.undo()
        if journal.record.outcomes != left[: len(journal.entries)]:
            raise BrokenContract(f"{where}: undoing an entry changes earlier entries")
        check_written(journal, where)


def check_written(journal: Journal[Any, Any], where: str) -> None:
    """Raise `BrokenContract` if the file of a journal does not reproduce the journal."""
    again, moment = Journal.open(journal.path), Record.read(journal.path).replay()
    if (again.record.outcomes, again.pending, again.position) != (
        journal.record.outcomes,
        journal.pending,
        journal.position,
    ) or not _same_law(moment.state, journal.moment.state):
        raise BrokenContract(f"{where}: the journal is different when it is opened again")


def check_persons(
    described: Described, setup: Any, minds: Sequence[str], seed: int, folder: Path
) -> None:
    """Raise `BrokenContract` if people cannot play, or a reopened game continues differently."""
    game, chance = described.game, Random(f"{seed}/persons")
    try:
        table = Table(game, setup, minds, seed)
    except RuleError:
        return  # people cannot play by a rule of this setup
    table.keep(folder / "whole.jsonl")
    Table(game, setup, minds, seed).keep(folder / "opened.jsonl")
    while table.ended is None and len(table.steps) < described.events:
        again = Table.open(folder / "opened.jsonl")
        if table.step() is None and (who := table.waiting_for) is not None:
            move = check_menu(described, table.seat(who), table.state, chance)
            table.choose(who, move)
            again.choose(who, move)
        else:
            again.step()
    whole, opened = (file.read_text() for file in (table.path, folder / "opened.jsonl"))
    if whole != opened:
        raise BrokenContract(
            f"{game.title}, seed {seed}: the game is different if it is reopened after each move:\n"
            f"{opened}\n  The same game without reopening:\n{whole}"
        )
    for player in table.persons:
        view, mine = table.seat(player), Record.read(table.path).seen_by(player)
        seen = view.moment.perspective(player).seen
        shown = view.record.outcomes, view.record.truth, seen
        if shown != (mine.outcomes, None, mine.replay().perspective(player).seen):
            raise BrokenContract(f"{game.title}, seed {seed}: {player} is shown another game")


def check_menu(
    described: Described, view: PersonView[Any, Any], state: GameState[Any], chance: Random
) -> Any:
    """Return a move of the menu; raise `BrokenContract` if a move is missing or superfluous."""
    people, where = described.game.people, f"{described.game.title}, {view.view.decision}"
    assert people is not None
    offered = list(view.menu.moves)
    for move in offered:
        if view.read(view.tell(move)) != move:
            raise BrokenContract(f"{where}: {view.tell(move)!r} is read as another move")
    legal = [
        move for move in described.moves(view.setup, state) if accepted(described, state, move)
    ]
    missing = [move for move in legal if move not in offered]
    if missing:
        raise BrokenContract(f"{where}: {missing[0]!r} is legal, but not on the menu")
    for move in offered:
        if not accepted(described, state, move):
            # The rules allow this move only to a player with certain knowledge.
            with pytest.raises(RuleError):
                people.check(view.view, move, engine("auto"))
    return described.picked([move for move in offered if accepted(described, state, move)], chance)


def check_odds(stage: Stage, weighting: str) -> None:
    """Raise `BrokenContract` if odds, or statements about who knows the answer, are wrong."""
    game, setup, structure = stage.described.game, stage.setup, stage.scene.structure
    moment = Record(game, setup, stage.actual.outcomes, truth=dict(stage.actual.deal)).replay()
    for player in stage.players:
        found, listed = (
            odds(moment, player, engine(name, weighting)) for name in ("auto", "explicit")
        )
        if replace(found, entropy=None) != replace(listed, entropy=None):
            raise BrokenContract(
                f"{stage.where}: the odds of {player} ({weighting}) are {found}; computed from a "
                f"list of worlds, they are {listed}"
            )
    if moment.layout.describes:
        _check_own_things(stage, moment)
    knows = {player: game.knows_answer(setup, structure, player) for player in stage.players}
    formulas = {player: formula for player, formula in knows.items() if formula is not None}
    if len(formulas) < len(knows):
        return
    for (knower, other), mark in insight(moment).items():
        expected = Mark.OPEN
        for said, formula in ((Mark.YES, formulas[other]), (Mark.NO, negation(formulas[other]))):
            if stage.true(K(knower, formula)):
                expected = said
        if mark is not expected:
            raise BrokenContract(
                f"{stage.where}: the mark of {knower} for whether {other} knows the answer is "
                f"{mark}; by the list of histories it is {expected}"
            )


def _check_own_things(stage: Stage, moment: Moment[Any, Any]) -> None:
    for knower, known in own_things(moment).items():
        for (row, column), mark in known.items():
            cell, expected = moment.layout.cells[row, column], Mark.OPEN
            for said, fact in ((Mark.YES, cell), (Mark.NO, negation(cell))):
                # A player knows their own knowledge.
                if stage.true(K(knower, K(column, fact))):
                    expected = said
            if mark is not expected:
                raise BrokenContract(
                    f"{stage.where}: the mark of {knower} for the knowledge of {column} about "
                    f"{row} is {mark}; by the list of histories it is {expected}"
                )


def check_review(
    stages: Sequence[Stage], whole: Review, record: Record[Any, Any], asked: Engine
) -> None:
    """Raise `BrokenContract` if a review lacks events, or differs from the review of a seat."""
    where = stages[-1].where
    if [event.number for event in whole.events] != list(range(1, len(stages))):
        raise BrokenContract(f"{where}: the review lacks events, or has them in another order")
    if not str(whole) or not page(whole):
        raise BrokenContract(f"{where}: the review has no text")
    json.dumps(whole.data(), allow_nan=False)
    check_who_knew(stages, whole)
    for player in stages[0].players:
        mine = review(record.seen_by(player), answering=asked)
        for name, values in (
            ("the chart", (whole.series(player), mine.series(player))),
            ("the turn of certainty", (whole.certain.get(player), mine.certain.get(player))),
            (
                "the awareness of who is certain",
                tuple(
                    {pair: turn for pair, turn in each.aware.items() if pair[0] == player}
                    for each in (whole, mine)
                ),
            ),
            (
                "the value of its moves",
                tuple(
                    [
                        event.appraisal and (event.appraisal.value, event.appraisal.best)
                        for event in each.events
                        if event.player == player
                    ]
                    for each in (whole, mine)
                ),
            ),
        ):
            if values[0] != values[1]:
                raise BrokenContract(
                    f"{where}: in the review of the log of {player}, {name} is {values[1]}; in the "
                    f"review of the log with the deal, it is {values[0]}"
                )


def check_who_knew(stages: Sequence[Stage], whole: Review) -> None:
    """Raise `BrokenContract` if a review is wrong about when players know the answer."""
    game, setup = stages[0].described.game, stages[0].setup
    certain: dict[str, int] = {}
    aware: dict[tuple[str, str], int] = {}
    last = whole.events[-1].turn if whole.events else 0  # the end may show the answer
    for stage in stages[:-1] if not game.answer else ():
        turn = 0 if stage.outcome is None else stage.outcome.public.turn
        for other in stage.players:
            knows = game.knows_answer(setup, stage.scene.structure, other)
            if knows is None or turn == last:
                return
            if stage.true(knows) and other not in stage.actual.state.out:
                certain.setdefault(other, turn)
            for knower in stage.players if other in certain else ():
                if knower != other and stage.true(K(knower, knows)):
                    aware.setdefault((knower, other), turn)
    for found, expected in ((whole.certain, certain), (whole.aware, aware)):
        early = {who: turn for who, turn in found.items() if turn < last}
        if early != expected:
            raise BrokenContract(
                f"{stages[-1].where}: the review says {early}, but the histories say {expected}"
            )


def check_advice(stage: Stage, asked: Engine) -> None:
    """Raise `BrokenContract` if the advice for one of the players is wrong."""
    game, state = stage.described.game, stage.actual.state
    record = tuple(outcome.public for outcome in stage.actual.outcomes)
    for player in stage.players if state.result is None else ():
        decision = state.decision
        mine = decision if decision is not None and decision.player == player else None
        view = View(stage.setup, stage.scene.perspective(player), record, mine)
        automatic = () if game.people is None else game.people.automatic_decisions
        chooses = mine is not None and mine.kind not in automatic
        moves = advised(game, view, asked, 1000, {})
        where = f"{stage.where}: advice for {player}"
        for advice in moves:
            if not isfinite(advice.gain):
                raise BrokenContract(f"{where}: {advice.title!r} has the value {advice.gain}")
            is_move = chooses and advice.move is not None
            if is_move and not accepted(stage.described, state, advice.move):
                raise BrokenContract(f"{where}: {advice.move!r} is not legal")
        for better, worse in combinations(moves, 2):
            if better.unit == worse.unit and worse.beats(better):
                raise BrokenContract(
                    f"{where}: {worse.title!r} is better than {better.title!r}, but comes after it"
                )


def check_hint(stage: Stage, asked: Engine) -> None:
    """Raise `BrokenContract` if a review criticises a player for following the advice."""
    described, setup, state = stage.described, stage.setup, stage.actual.state
    game, people, decision = described.game, described.game.people, stage.actual.state.decision
    if game.advisor is None or people is None or decision is None or decision.player == CHANCE:
        return
    outcomes, player = stage.actual.outcomes, decision.player
    record = tuple(outcome.public for outcome in outcomes)
    view = View(setup, stage.scene.perspective(player), record, decision)
    hints = [] if decision.kind in people.automatic_decisions else advised(game, view, asked, 1, {})
    move = hints[0].move if hints else None
    outcome: Outcome[Any] | None = None
    while move is not None and outcome is None:
        state, outcome = state.play(move)
        if outcome is None:
            listed = described.moves(setup, state)
            legal = [move for move in listed if accepted(described, state, move)]
            move = described.picked(legal, Random(stage.seed))
    if outcome is not None:
        log = Record(game, setup, (*outcomes, outcome), truth=dict(stage.actual.deal))
        *_, event = review(log, answering=asked).events
        worse = event.appraisal is not None and not event.appraisal.is_best
        worse |= any(note.sort == FAULT for note in event.annotations)
        if event.player == player and worse:
            raise BrokenContract(
                f"{stage.where}: the review criticises the advised move {hints[0].title!r}: {event}"
            )


def seat_record_of(stages: Sequence[Stage], player: str) -> Record[Any, Any]:
    """Return the log that a player could write from its observations."""
    first = stages[0]
    described, setup = first.described, first.setup
    outcomes = []
    for stage in stages[1:]:
        assert stage.outcome is not None
        seen = described.sees_of_event(setup, stage.before, stage.outcome, player)
        outcomes.append(Outcome(stage.outcome.public, dict(seen)))
    holds = tuple(described.sees_of_deal(setup, first.actual.deal, player))
    return Record(described.game, setup, tuple(outcomes), seat=Seat(player, holds))


def _same_law(one: Scene | Perspective, other: Scene | Perspective) -> bool:
    return [str(c.formula) for c in one.structure.law] == [
        str(c.formula) for c in other.structure.law
    ]


def check_story(stage: Stage) -> None:
    """Raise `BrokenContract` if a sentence for the last event is wrong."""
    described, setup = stage.described, stage.setup
    game, outcome = described.game, stage.outcome
    assert outcome is not None
    layout = game.layout(setup, stage.scene.structure)
    check_words(stage, layout, game.story(setup, outcome))
    for viewer in stage.players:
        check_words(stage, layout, game.story(setup, outcome, viewer))
        # The event in the viewer's own log lacks the secrets of others.
        seen = dict(described.sees_of_event(setup, stage.before, outcome, viewer))
        check_words(stage, layout, game.story(setup, Outcome(outcome.public, seen), viewer))
        stories: dict[Any, str] = {}
        for history in stage.histories:
            story = game.story(setup, history.outcomes[-1], viewer)
            known = stories.setdefault(history.seen[viewer], story)
            if known != story:
                raise BrokenContract(
                    f"{stage.where}: the story tells {viewer} a secret: {known!r} and {story!r} "
                    f"differ, but {viewer} cannot distinguish the events"
                )


def check_sentences(stages: Sequence[Stage], seat: str | None) -> None:
    """Check that each event of a game, as that seat tells it, is read as it was meant.

    Raises:
        BrokenContract: an event is read as another event.
    """
    first = stages[0]
    game, setup = first.described.game, first.setup
    state = game.start(setup, None if seat is not None else first.actual.deal)
    for before, stage in pairwise(stages):
        outcome = stage.outcome
        assert outcome is not None
        knowledge: Scene | Perspective = before.scene
        if seat is not None:
            seen = first.described.sees_of_event(setup, stage.before, outcome, seat)
            outcome = Outcome(outcome.public, dict(seen))
            knowledge = before.scene.perspective(seat)
        situation = Situation(setup, state, seat, knowledge)
        check_sentence(game, situation, outcome)
        state = state.follow(outcome)


def check_sentence(game: Game[Any, Any], situation: Situation[Any], outcome: Outcome[Any]) -> None:
    """Raise `BrokenContract` if the text of an event is not read as it was meant."""
    story = game.story(situation.setup, outcome, situation.seat)
    short = describe_briefly(game.act(outcome), situation, outcome)
    for text in (story, story.upper(), short):
        where = f"{game.title}, seat {situation.seat}: {text!r}"
        try:
            reading = read(game.acts, situation, text)
        except InputError as error:
            raise BrokenContract(f"{where}: {error}") from error
        if isinstance(reading, Pending):
            raise BrokenContract(f"{where} is incomplete: {reading.ask!r}, after {reading.said!r}")
        meant = game.with_derived_parts(situation.state, outcome)
        if game.with_derived_parts(situation.state, reading.outcome) != meant:
            raise BrokenContract(f"{where} is read as {reading.outcome!r}, but means {outcome!r}")
        if reading.end != len(text):
            raise BrokenContract(f"{where}: {text[reading.end :]!r} is not read")


def check_words(stage: Stage, layout: Layout, words: str) -> None:
    """Raise `BrokenContract` if a sentence does not name players and rows by their titles."""
    if not words.strip():
        raise BrokenContract(f"{stage.where}: Game.story returns no text")
    players = {name: layout.columns.get(name, name) for name in stage.players}
    for word in words_of(words):
        if players.get(word, word) != word:
            raise BrokenContract(f"{words!r} names {word!r}: expected its title {players[word]!r}")
        if layout.rows.get(word, word).casefold() != word.casefold() or "_" in word:
            raise BrokenContract(f"{words!r} names {word!r}: expected a title")


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text, without surrounding punctuation."""
    for word in text.split():
        yield word.strip(".,:;!?\"'")


def wrong_setups(game: Game[Any, Any]) -> Mapping[str, list[dict[str, Any]]]:
    """Return the options of invalid setups, by kind of error."""
    fewest, most = min(game.seats.values())
    few = ["ann"] * max(2, fewest)
    return {
        "rules": [{"rules": "no such rules"}],
        "players": [{"players": number} for number in (-1, 0, 1_000_000)],
        "names": [{"names": few}, {"names": [""] * most}, {"names": ["ann", "a(b)", "~"]}],
        "option": [
            {"no_such_option": "yes"},
            *({name: "no such value"} for name in game.options),
        ],
    }


def check_refused(game: Game[Any, Any], options: Mapping[str, Any]) -> None:
    """Raise `BrokenContract` if a wrong setup is accepted, or refused with another error."""
    try:
        made = game.setup(**options)
    except InputError:
        return
    except SymkripkeError as error:
        raise BrokenContract(
            f"{game.title}: {options!r}: expected an InputError, got {error!r}"
        ) from error
    except Exception as error:
        raise BrokenContract(
            f"{game.title}: Game.setup with {options!r} raised {type(error).__name__}: {error}; "
            "expected an InputError that says what is wrong"
        ) from error
    raise BrokenContract(f"{game.title}: Game.setup accepts {options!r}: {made!r}")
