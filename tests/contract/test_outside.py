"""A game in a separate package: it is installed, played and queried; mistakes are caught."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symkripke.language import Atom, negation
from symkripke.model import Constraint, Event, KnowledgeStructure
from symkripke.play import Outcome
from symkripke.testing import BrokenContract, Described, GameContract
from tests.support.outside import SOURCE, installed, with_package


def run(folder: Path, *arguments: str) -> str:
    """Run Python with the package that is installed in the folder, and return the output."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**with_package(folder / "site"), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the installed package and its tests."""
    made = tmp_path_factory.mktemp("outside")
    (made / "site").symlink_to(installed(tmp_path_factory))
    tests = made / "test_fireworks.py"
    tests.write_text((SOURCE / "test_fireworks.py").read_text())
    return made


def test_its_own_tests_pass(folder: Path) -> None:
    told = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_fireworks.py")
    assert " passed" in told
    assert "failed" not in told


def test_it_is_played_and_queried_like_any_other(folder: Path) -> None:
    def symkripke(*arguments: str) -> str:
        return run(folder, "-m", "symkripke", *arguments)

    listed = symkripke("games")
    assert "Everybody sees the cards of the other" in listed
    assert "classic: 2 " in listed  # a single number is not shown as a range
    story = symkripke("play", "fireworks", "--seed", "3", "--log", "game.jsonl")
    assert "Ann tells Bob which cards have rank 1: 5." in story
    # Ann does not know her own card, and Bob, who sees it, knows that she does not.
    assert symkripke("ask", "game.jsonl", "Kv[ann] card(1)", "--at", "2").startswith("no")
    assert symkripke("ask", "game.jsonl", "Kv[bob] card(1)", "--at", "2").startswith("yes")
    assert symkripke("ask", "game.jsonl", "K[bob] ~Kv[ann] card(1)", "--at", "2").startswith("yes")
    # The question is about the player's own hand.
    assert "Card 1 (1), Card 2 (1), Card 3 (2)" in symkripke(
        "odds", "game.jsonl", "--player", "ann", "--at", "2"
    )
    assert "What Bob can know" in symkripke("sheet", "game.jsonl", "--player", "bob")
    assert "own hands" in symkripke("simulate", "fireworks", "--games", "3", "--workers", "1")


# ---- typical mistakes of authors -----------------------------------------------------------------


@pytest.fixture
def fireworks(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the package's description of the game, imported from its source."""
    monkeypatch.syspath_prepend(str(SOURCE))
    import test_fireworks

    return test_fireworks.Fireworks()


def forgotten_constraint(event: Event) -> Event:
    """Drop from a clue the information about the cards that it does not name."""
    (law, *rest) = event.constraints
    positive = [
        part for part in getattr(law.formula, "operands", (law.formula,)) if isinstance(part, Atom)
    ]
    if not positive:
        return event
    return replace(event, constraints=(Constraint(positive[0], law.source), *rest))


def one_too_many(event: Event) -> Event:
    """Add the constraint that card 1 is not a 1, although nobody knows that."""
    law = Constraint(negation(Atom("card(1)", "1")), "card 1 is no 1")
    return replace(event, constraints=(*event.constraints, law))


def forgotten_observable(event: Event) -> Event:
    """Let nobody see drawn cards."""
    return replace(event, observes={})


def seen_too_much(event: Event) -> Event:
    """Let everybody see drawn cards."""
    seen = [observable for mine in event.observes.values() for observable in mine]
    return replace(event, observes={player: tuple(seen) for player in ("ann", "bob")})


def forgotten_change(event: Event) -> Event:
    """Leave the cards where they are."""
    return replace(event, changes=())


MISTAKES: Mapping[str, tuple[Any, str]] = {
    "a forgotten constraint": (
        forgotten_constraint,
        r"(?s)allows a world that the rules exclude .* consider.* it possible: card",
    ),
    "one constraint too many": (
        one_too_many,
        r"encoding excludes what the rules allow: card 1 is no 1",
    ),
    "a forgotten observable": (
        forgotten_observable,
        r"the encoding lacks an observation of \w+",
    ),
    "one observable too many": (
        seen_too_much,
        r"encoding lets \w+ see more than the rules do \(card\(\d\) = \d",
    ),
    "a forgotten change": (forgotten_change, r"by the rules holder\(\d\) is table now"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_caught(mistake: str, fireworks: Described) -> None:
    (change, says), right = MISTAKES[mistake], fireworks.game

    def event_in(_: Any, setup: Any, state: Any, outcome: Outcome[Any]) -> Event:
        event: Event = change(right.event_in(setup, state, outcome))
        return event

    with pytest.raises(BrokenContract, match=says):
        keep(fireworks, changed(right, event_in=event_in))


def test_a_law_that_is_too_weak_or_too_strong_is_caught(fireworks: Described) -> None:
    right = fireworks.game

    def weak(_: Any, setup: Any) -> KnowledgeStructure:
        whole = right.structure(setup)
        return KnowledgeStructure.of(whole.vocabulary, whole.law.added[2:], whole.observables)

    def strong(_: Any, setup: Any) -> KnowledgeStructure:
        first = Constraint(Atom("card(1)", "1"), "the first card is a 1")
        whole = right.structure(setup)
        law = (*whole.law.added, first)
        return KnowledgeStructure.of(whole.vocabulary, law, whole.observables)

    with pytest.raises(BrokenContract, match="allows a world that the rules exclude"):
        keep(fireworks, changed(right, structure=weak))
    with pytest.raises(BrokenContract, match=r"excludes a deal that the rules allow: .* is a 1"):
        keep(fireworks, changed(right, structure=strong))


def test_a_story_that_tells_too_much_is_caught(fireworks: Described) -> None:
    right = fireworks.game

    def story(_: Any, setup: Any, outcome: Any, viewer: str | None = None) -> str:
        return right.story(setup, outcome, None)

    with pytest.raises(BrokenContract, match="the story tells ann a secret"):
        keep(fireworks, changed(right, story=story), "test_stories")


def changed(right: Any, **methods: Any) -> Any:
    """Return a game like `right`, with other methods."""
    return type("Changed", (type(right),), methods)()


def keep(
    described: Described, wrong: Any, check: str = "test_worlds_are_the_histories_of_the_rules"
) -> None:
    """Check the contract with a wrong game, in all setups and games of its tests."""
    contract = GameContract()
    contract.described = type(described)()
    contract.described.game = wrong
    for setup_name in described.setups:
        for seed in range(described.games):
            getattr(contract, check)(setup_name, seed)
