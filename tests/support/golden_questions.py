"""Questions to a moment of a game, made at random; the answers file keeps those that were put."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from symkripke import Moment, Scene, Vocabulary
from symkripke.language import Atom

Question = list[Any]
"""Its kind and what it asks, as plain data."""


class Questions:
    """Makes questions to one moment."""

    def __init__(self, moment: Moment[Any, Any], chance: Random) -> None:
        self.moment = moment
        self.chance = chance
        self.players = moment.setup.players
        self.whole = isinstance(moment.state, Scene)
        self.knowers = self.players if self.whole else (moment.state.agent,)  # type: ignore[union-attr]
        self.vocabulary = moment.structure.vocabulary

    def fact(self) -> str:
        """Something about the deal: a cell of the note sheet, or a definition's name."""
        chance = self.chance
        if chance.random() < 0.5 or not self.vocabulary.definitions:
            cells = [str(cell) for cell in self.moment.layout.cells.values()]
            return f"({chance.choice(cells)})"
        definition = chance.choice(list(self.vocabulary.definitions.values()))
        arguments = [chance.choice(allowed) for _, allowed in definition.parameters]
        called = f"{definition.name}({', '.join(arguments)})" if arguments else definition.name
        return called if chance.random() < 0.8 else f"~{called}"

    def adapted(self, example: str) -> str:
        """An example for the default players and cards, with those of this game in their place."""
        game = self.moment.game
        there, here = _names(game.structure(game.setup()).vocabulary), _names(self.vocabulary)
        renamed = {
            name: here[kind][place % len(here[kind])]
            for kind, names in there.items()
            for place, name in enumerate(names)
            if here.get(kind)
        }
        return re.sub(r"\w+", lambda found: renamed.get(found[0], found[0]), example)

    def true_fact(self) -> str:
        """A cell of the note sheet that is so, or the negation of one that is not."""
        for _ in range(20):
            cell = str(self.chance.choice(list(self.moment.layout.cells.values())))
            if self.moment.ask(f"({cell})"):
                return f"({cell})"
        return f"~({cell})"

    def knower(self) -> str:
        return str(self.chance.choice(self.knowers))

    def player(self) -> str:
        return str(self.chance.choice(self.players))

    def group(self) -> str:
        if self.chance.random() < 0.5:
            return "*"
        return ", ".join(self.chance.sample(self.players, 2))

    def value(self) -> str:
        names = [*self.vocabulary.fluents, *self.vocabulary.derived]
        return self.chance.choice(names)

    def own(self) -> Iterator[str]:
        """Formulas about the mind of somebody whose mind can be asked about."""
        chance = self.chance
        for operator in ("K", "M", "Kw", "K", "Kw"):
            yield f"{operator}[{self.knower()}] {self.fact()}"
        yield f"Kv[{self.knower()}] {self.value()}"
        for first, second in (("K", "K"), ("K", "M"), ("M", "K"), ("K", "~K"), ("M", "Kw")):
            yield f"{first}[{self.knower()}] {second}[{self.player()}] {self.fact()}"
        yield f"K[{self.knower()}] ~Kv[{self.player()}] {self.value()}"
        yield f"M[{self.knower()}] K[{self.player()}] ~K[{self.player()}] {self.fact()}"
        yield f"K[{self.knower()}] M[{self.player()}] K[{self.player()}] {self.fact()}"
        yield f"K[{self.knower()}] ({self.fact()} -> {self.fact()} | {self.fact()})"
        yield f"B[{self.knower()}] {self.fact()}"
        yield f"B[{self.knower()}] B[{self.player()}] {self.fact()}"
        yield f"B[{self.knower()} | {self.fact()}] {self.fact()}"
        bound = chance.choice(("1/2", "1/3", "1/4", "1", "0"))
        relation = chance.choice((">=", ">", "<=", "<", "="))
        yield f"P[{self.knower()}]({self.fact()}) {relation} {bound}"
        yield f"P[{self.knower()} | {self.fact()}]({self.fact()}) {relation} {bound}"
        yield f"K[{self.knower()}] P[{self.player()}]({self.fact()}) >= 1/2"

    def of_all(self) -> Iterator[str]:
        """Formulas that have a truth value at a scene only."""
        for operator in ("E", "D", "C", "C", "EB", "CB"):
            yield f"{operator}[{self.group()}] {self.fact()}"
        yield f"C[{self.group()}] ~K[{self.player()}] {self.fact()}"
        yield f"C[{self.group()}] Kw[{self.player()}] {self.fact()}"
        yield f"[!{self.fact()}] K[{self.player()}] {self.fact()}"
        yield f"<!{self.true_fact()}> Kw[{self.player()}] {self.fact()}"
        yield f"<!{self.true_fact()}> K[{self.player()}] K[{self.player()}] {self.fact()}"
        said = f"Kw[{self.player()}] {self.fact()}"
        yield f"[!{said}] Kw[{self.player()}] {self.fact()}"
        yield f"[!~{said}] K[{self.player()}] ~K[{self.player()}] {self.fact()}"
        yield f"<!~K[{self.player()}] {self.fact()}> Kv[{self.player()}] {self.value()}"
        yield f"K[{self.player()}] {self.true_fact()}"
        yield f"C[*] ({self.fact()} | ~{self.true_fact()})"

    def all(self) -> Iterator[Question]:
        """All questions to this moment, the quickest kinds first."""
        chance, moment = self.chance, self.moment
        for example in moment.game.examples:
            if not example.startswith("P[") or "=" in example.rpartition(")")[2]:
                yield ["holds", self.adapted(example)]
        aims = [
            moment.game.knows_answer(moment.setup, moment.structure, player)
            for player in self.players
        ]
        asked = chance.sample(self.knowers, min(2, len(self.knowers)))
        for player in asked:
            yield ["marks", player]
            yield ["worlds", player, "all"]
            yield ["worlds", player, "deal"]
            if any(stage.soft for stage in moment.structure.history):
                yield ["believed", player]
                yield ["believed marks", player]
            yield ["possibilities", player]
            for _ in range(3):
                yield ["probability", player, self.fact()]
            yield ["bayes", player, self.fact()]
        yield ["worlds", "", "deal"]
        formulas = list(self.own()) + (list(self.of_all()) if self.whole else [])
        for aim in aims:
            if aim is not None and len(str(aim)) < 200:
                formulas.append(f"K[{self.knower()}] ({aim})")
                formulas.append(f"M[{self.knower()}] ({aim})")
        chance.shuffle(formulas)
        for formula in formulas:
            yield ["holds", formula]
            if formula[:2] in ("K[", "M[", "Kw") and formula.count("[") == 1:
                yield ["evidence", formula]
        if all(aim is not None for aim in aims):
            yield ["who"]
        if self.whole:
            yield ["possible to", self.fact()]


def _names(vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """The names that a formula may speak of, by kind."""
    found = {
        "": tuple(name for name, said in vocabulary.definitions.items() if not said.parameters)
    }
    for definition in vocabulary.definitions.values():
        # What can be a number is none of the names.
        found |= {
            kind: allowed for kind, allowed in definition.parameters if not allowed[0].isdigit()
        }
    return found | {"agent": tuple(vocabulary.agents)}


def atoms_of(formulas: tuple[Any, ...]) -> tuple[Atom, ...]:
    """Those that are atoms."""
    return tuple(formula for formula in formulas if isinstance(formula, Atom))
