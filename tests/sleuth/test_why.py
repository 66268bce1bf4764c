"""What the study's rules miss, explained by `symkripke ask --why`: one position a kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner

from symkripke.cli import group
from symkripke.play import Outcome, Record, Table
from symkripke.play.dealing import location
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.gems import HIDDEN, TABLE
from symkripke_games.sleuth.rules import NOTHING, SOME, Opening, Question
from symkripke_games.sleuth.setup import answer_name
from tests.sleuth.study_rules import StudyRules


def ask(log: Path, *arguments: str) -> str:
    result = CliRunner().invoke(group, ["ask", str(log), *arguments, "--why"])
    assert result.exit_code == 0, result.output
    return result.stdout


def across(path: Path) -> tuple[Record[Any, Any], dict[str, str]]:
    """Twelve gems, four players. Ann finds that bob and cath have no yellow gem.

    So the four others that she cannot see are theirs, for they have four: in play, though she
    cannot say with whom one of them is.
    """
    setup = GAME.setup(rules="study", players=4, size="3/2/2")
    places = {"rds": "ann", "rdp": "bob", "ros": "cath", "rop": TABLE}
    places |= {"gds": "ann", "gdp": "cath", "gos": "bob", "gop": TABLE}
    places |= {"yds": "dan", "ydp": HIDDEN, "yos": TABLE, "yop": "dan"}
    turns = (
        ("ann", "bob", "yellow"),
        ("bob", "ann", "opal"),
        ("cath", "bob", "opal"),
        ("dan", "ann", "pair"),
        ("ann", "cath", "yellow"),
    )
    outcomes: list[Outcome[Any]] = [Outcome(Opening(turn=0, up=("rop", "gop", "yos")), {})]
    for turn, (player, asked, what) in enumerate(turns, 1):
        public = Question(turn=turn, player=player, asked=asked, elements=(what,))
        shown = [g for g in setup.edition.matching((what,)) if places[g] == asked]
        secret = {answer_name(turn): SOME if shown else NOTHING}
        outcomes.append(Outcome(public, secret | {location(gem): asked for gem in shown}))
    truth = {location(gem): place for gem, place in places.items()}
    record = Record(GAME, setup, tuple(outcomes), truth=truth)
    record.write(path)
    return record, places


def test_across_hands(tmp_path: Path) -> None:
    log = tmp_path / "across.jsonl"
    record, places = across(log)
    questions = [one.public for one in record.outcomes if isinstance(one.public, Question)]
    study = StudyRules(record.setup, places, questions, "ann")
    for gem in ("rdp", "ros", "gdp", "gos"):
        assert not any(gem in study.has[player] for player in study.has)
        assert ask(log, f"K[ann] {gem.upper()}").startswith("yes")
        assert ask(log, f"Kw[ann] holds(bob, {gem})").startswith("no")
    assert study.hidden is None
    told = ask(log, "K[ann] GOS")
    assert (
        "Ann knows that the Green Opal Solitaire is not the hidden gem. These 14 facts prove it"
        in told
    )
    # With the two answers; and with how many gems there are, whichever way that is counted.
    assert "turn 1: Ann asked Bob for Yellow gems" in told
    assert "turn 5: Ann asked Cath for Yellow gems" in told
    assert "holds 2 gems" in told


def classic_game(path: Path) -> Table[Any, Any]:
    """Bob asks Cath for yellow opals: one. Ann has the other two."""
    table = Table(GAME, GAME.setup(), ("random",), 2)
    while table.state.turn < 3:
        table.step()
    table.record.write(path)
    return table


def test_from_public_counts(tmp_path: Path) -> None:
    log = tmp_path / "counts.jsonl"
    table = classic_game(log)
    places = {name[len("location(") : -1]: place for name, place in table.deal.items()}
    record = [one.outcome.public for one in table.steps]
    questions = [public for public in record if isinstance(public, Question)]
    study = StudyRules(table.setup, places, questions, "ann")
    assert "yos" in study.may("cath") & study.may("dan")
    assert ask(log, "--at", "1", "K[ann] YOS").startswith("no")
    told = ask(log, "--at", "2", "K[ann] YOS")
    assert (
        "Ann knows that the Yellow Opal Solitaire is not the hidden gem. These 6 facts prove it"
        in told
    )
    assert "Ann holds the Yellow Opal Pair (own hand)" in told
    assert "turn 2: Bob asked Cath for Yellow Opal gems: 1" in told


def test_from_what_others_can_be_seen_to_know(tmp_path: Path) -> None:
    """Ann knows that Bob knows that the gem is in play; she does not take him to hold it."""
    log = tmp_path / "seen.jsonl"
    classic_game(log)
    told = ask(log, "--at", "2", "K[ann] K[bob] YOS")
    assert "Ann knows that Bob knows that the Yellow Opal Solitaire is not the hidden" in told
    assert "turn 2: Bob asked Cath for Yellow Opal gems: 1" in told
    assert ask(log, "--at", "2", "K[ann] ~holds(bob, yos)").startswith("yes")
    # Eve sees that Bob sees it, and cannot say what.
    assert ask(log, "--at", "2", "K[eve] Kw[bob] holds(cath, yos)").startswith("yes")
    assert ask(log, "--at", "2", "Kw[eve] holds(cath, yos)").startswith("no")
