"""Shapes of nested questions that a reader tries first, at full size: what is told of each."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Any

import pytest

from symkripke.engines.reasons import whole_evidence
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.engines.sat.explain.explainer import SatExplainer
from symkripke.errors import BudgetExceeded
from symkripke.explain import Combined, Known, Possible
from symkripke.explain.data import as_data
from symkripke.limits import within
from symkripke.play import Moment, Table
from symkripke.play.game_words import tell
from symkripke_games.cluedo import GAME


@pytest.fixture(scope="module")
def game() -> Moment[Any, Any]:
    table = Table(GAME, GAME.setup(players=6), seed=7)
    for _ in table:
        pass
    return table.moment


SHAPES = {
    # K[a] ~K[b] p
    "K[white] ~K[plum] at(ballroom, green)": (
        3,
        True,
        """White knows that Plum does not know that Green holds Ballroom, because of these 2 facts:
  1. White holds Candlestick (own hand)
  2. Candlestick is in one place only
  given these, what Plum has seen and heard so far does not settle it; *
  as things really are:
    Plum does not know that Green holds Ballroom, because Plum considers this possible:
      *""",
    ),
    "K[plum] ~K[green] at(library, scarlett)": (
        20,
        False,
        """Plum does not know that Green does not know that Scarlett holds Library, because \
Plum considers this possible:
  everything as it really is
  in that case:
    Green knows that Scarlett holds Library. These 4 facts prove it:
*""",
    ),
    "K[green] ~K[plum] at(library, scarlett)": (
        20,
        True,
        """Green knows that Plum does not know that Scarlett holds Library. \
This is so in every possible case:
  what Plum has seen and heard so far does not settle it*
  as things really are:
    Plum does not know that Scarlett holds Library, because Plum considers this possible:
      *""",
    ),
    # M[a] K[b] M[c] p
    "M[plum] K[scarlett] M[white] at(rope, envelope)": (
        12,
        True,
        """Plum considers it possible that Scarlett knows that White considers it possible \
that Rope is in the envelope:
  *""",
    ),
    "M[plum] K[scarlett] M[white] at(dagger, mustard)": (
        12,
        False,
        """Plum does not consider it possible that Scarlett knows that White considers it possible \
that Mustard holds Dagger:
  it is common knowledge that Mustard does not hold Dagger. One fact proves it:
    1. turn 6: Mustard has none of Reverend Green, Dagger, Ballroom""",
    ),
    # C[a, b] p
    "C[plum, peacock] at(dagger, plum)": (
        5,
        True,
        """it is common knowledge between Plum and Peacock that Plum holds Dagger. \
These 2 facts prove it:
  1. both see that the card shown in turn 5 was Dagger
  2. turn 5: Plum showed Peacock one of Mrs White, Dagger, Ballroom""",
    ),
    "C[*] ~holds(white, lounge)": (
        20,
        True,
        """it is common knowledge that White does not hold Lounge. One fact proves it:
  1. turn 2: White has none of Miss Scarlett, Spanner, Lounge""",
    ),
    "C[plum, scarlett] at(dagger, plum)": (
        5,
        False,
        """it is not common knowledge between Plum and Scarlett that Plum holds Dagger, because:
  Scarlett considers it possible that Plum does not hold Dagger:
    *""",
    ),
    "K[green] C[green, plum] at(study, plum)": (
        20,
        True,
        """Green knows that it is common knowledge between Green and Plum that Plum holds Study. \
These 2 facts prove it:
  1. both see that the card shown in turn 10 was Study
  2. turn 10: Plum showed Green one of Professor Plum, Rope, Study""",
    ),
    # [! ~K[a] p] K[b] q
    "[! ~K[plum] at(rope, envelope)] K[green] at(library, scarlett)": (
        20,
        True,
        """after the announcement that Plum does not know that Rope is in the envelope:
  Green knows that Scarlett holds Library. These 4 facts prove it:
    1. Green holds Lead Pipe (own hand)
    2. Lead Pipe is in one place only
    3. turn 11: Scarlett has none of Miss Scarlett, Revolver, Ballroom
    4. turn 17: Scarlett showed Peacock one of Miss Scarlett, Lead Pipe, Library""",
    ),
    "[! ~K[plum] at(rope, envelope)] K[white] at(library, scarlett)": (
        20,
        False,
        """after the announcement that Plum does not know that Rope is in the envelope:
  White does not know that Scarlett holds Library, because White considers this possible:
    *""",
    ),
    "[! K[plum] at(rope, envelope)] K[white] at(library, scarlett)": (
        20,
        True,
        """it cannot be announced that Plum knows that Rope is in the envelope, because that is \
false; [[]!a] f counts as true if a is false:
  Plum does not know that Rope is in the envelope, because Plum considers this possible:
    *""",
    ),
    "<! ~K[plum] at(rope, envelope)> ~K[plum] at(library, scarlett)": (
        20,
        True,
        """after the announcement that Plum does not know that Rope is in the envelope:
  Plum does not know that Scarlett holds Library, because Plum considers this possible:
    *""",
    ),
}


@pytest.mark.parametrize("asked", SHAPES)
def test_what_is_told(game: Moment[Any, Any], asked: str) -> None:
    """Where worlds are shown, or exchanges counted, any will do: * in what is expected."""
    turn, truth, told = SHAPES[asked]
    moment = game.at(turn)
    answer = moment.ask(asked)
    evidence = whole_evidence(answer, moment.structure, moment.engine)
    lines = ["  " * line.indent + line.text for line in tell(moment, evidence)]
    assert bool(answer) is truth
    assert evidence.truth is truth
    assert fnmatchcase("\n".join(lines), told), "\n".join(lines)
    assert json.loads(json.dumps(as_data(evidence)))["truth"] is truth


def test_what_white_goes_by(game: Moment[Any, Any]) -> None:
    """Green showed White the ballroom: to know that, Plum would have to hold the other two."""
    reason = game.at(3).ask("K[white] ~K[plum] at(ballroom, green)").why()
    assert isinstance(reason, Known)
    assert {source.kind for source in reason.sources} == {"seen", "domain"}
    assert reason.others is not None
    assert reason.others.agents == ("plum",)
    assert reason.others.exchanges
    assert all("location(ballroom)" in one for one in reason.others.exchanges)
    assert isinstance(reason.others.example, Combined)
    (example,) = reason.others.example.parts
    assert isinstance(example, Possible)


def test_reasons_keep_to_a_budget(game: Moment[Any, Any]) -> None:
    """What was to be a short search has no more than there is in all."""
    state = game.at(20).state
    asked = game.structure.resolve(game.structure.parse("K[plum] ~knows_solution(green)"))
    with within(seconds=0), pytest.raises(BudgetExceeded):
        SatExplainer.at(Evaluator(), state).evidence(state, asked)
