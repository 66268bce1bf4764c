"""The contents of a picture as data: worlds, cells, steps and marks. Layouts set its look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from symkripke.drawing.labels import in_one_line


@dataclass(frozen=True)
class DrawnWorld:
    """A world of a picture; worlds that no formula about `values` separates are drawn as one.

    Attributes:
        name: its name in the data of the picture, such as "w1".
        values: the value of each shown fluent.
        label: the values in words, line by line. A word after a `*` is a difference.
        beyond: the agents that consider other worlds possible there, none of which is drawn.
        number: the number of worlds drawn as this one.
        actual: whether it stands for the actual world.
        seen: whether the agent whose perspective is drawn considers it possible.
        true: whether the formula of the picture is true there.
        vanishes: whether the next event makes it impossible.
        shows: the facts that the steps to it show, line by line.
    """

    name: str
    values: Mapping[str, str]
    label: tuple[str, ...]
    beyond: str = ""
    number: int = 1
    actual: bool = False
    seen: bool = False
    true: bool = False
    vanishes: bool = False
    shows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cell:
    """Worlds that agents cannot tell apart.

    Attributes:
        agents: the agents that cannot tell them apart; agents with the same cell are drawn
            together.
        worlds: the names of all drawn worlds in the cell.
        ranks: for each drawn world, the rank of the most plausible world that it stands for. The
            agents believe what is true at all worlds of rank 1. Empty if they believe only what
            they know.
        more: whether the cell contains worlds that are not drawn.
    """

    agents: tuple[str, ...]
    worlds: tuple[str, ...]
    ranks: tuple[int, ...] = ()
    more: bool = False


@dataclass(frozen=True)
class PathStep:
    """A step on the path of a counterexample: the agents cannot tell its two worlds apart.

    Attributes:
        agents: the agents that take the step; several for the distributed knowledge of a group.
        start: the name of the world from which the step leads.
        end: the name of the world to which it leads.
        shows: a fact of the end world that refutes the claim.
        plausible: whether the end is a most plausible world, for a step of belief.
    """

    agents: tuple[str, ...]
    start: str
    end: str
    shows: str
    plausible: bool = False


@dataclass(frozen=True)
class Picture:
    """A picture of a model, or of a part of a model.

    Attributes:
        agents: the agents whose cells are drawn, in order.
        worlds: the worlds, in order.
        cells: the cells of all agents; each world is in one cell of each agent. Empty if only steps
            are drawn.
        steps: the steps on the path of a question.
        shown: the fluents whose values are shown.
        total: the number of worlds; None if unknown.
        formula: the formula whose worlds are grey; empty if there is none.
        caption: a sentence about the content of the picture.
        notes: further remarks, in sentences.
        titles: the words for agents; by default, an agent's name.
    """

    agents: tuple[str, ...]
    worlds: tuple[DrawnWorld, ...]
    cells: tuple[Cell, ...] = ()
    steps: tuple[PathStep, ...] = ()
    shown: tuple[str, ...] = ()
    total: int | None = None
    formula: str = ""
    caption: str = ""
    notes: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    def title(self, agent: str) -> str:
        """Return the word for an agent."""
        return self.titles.get(agent, agent)

    def cells_of(self, agent: str) -> tuple[Cell, ...]:
        """Return the cells of one agent."""
        return tuple(cell for cell in self.cells if agent in cell.agents)

    def describe(self) -> str:
        """Return the picture in sentences, for readers who cannot see it."""
        merged = sum(world.number for world in self.worlds)
        drawn = _counted(len(self.worlds), "world")
        if merged > len(self.worlds):
            drawn += f", which stand for {merged:,}"
        said = [f"{drawn} drawn, and {_counted(len(self.agents), 'agent')}."]
        labels = {world.name: in_one_line(world.label) or world.name for world in self.worlds}
        said += [f"The actual world: {labels[w.name]}." for w in self.worlds if w.actual]
        if gone := sum(world.vanishes for world in self.worlds):
            said.append(f"Crossed out: {_counted(gone, 'world')}.")
        if self.cells:
            said += [self._told(agent, labels) for agent in self.agents]
        for step in self.steps:
            who = " and ".join(map(self.title, step.agents))
            said.append(f"{who} cannot tell {labels[step.end]} from {labels[step.start]}.")
        return " ".join((*said, *self.notes))

    def _told(self, agent: str, labels: Mapping[str, str]) -> str:
        who = self.title(agent)
        large = [cell for cell in self.cells_of(agent) if len(cell.worlds) > 1]
        if not large:
            return f"{who} tells all drawn worlds apart."
        names = "; ".join(" or ".join(labels[name] for name in cell.worlds) for cell in large)
        if len(names) > _LONGEST:
            return f"{who} cannot tell apart the worlds of {_counted(len(large), 'cell')}."
        return f"{who} cannot tell apart: {names}."

    def data(self) -> dict[str, Any]:
        """Return the picture as plain data for JSON."""
        return {
            "caption": self.caption,
            "total": self.total,
            "formula": self.formula,
            "agents": list(self.agents),
            "fluents": list(self.shown),
            "worlds": [
                _data(world, "name", "values", "label", "number")
                | {mark: True for mark in MARKS if getattr(world, mark)}
                for world in self.worlds
            ],
            "cells": [_data(cell, "agents", "worlds", "ranks", "more") for cell in self.cells],
            "steps": [
                {"agents": list(step.agents), "from": step.start, "to": step.end}
                | _data(step, "shows", "plausible")
                for step in self.steps
            ],
            "notes": list(self.notes),
        }


def _data(thing: DrawnWorld | Cell | PathStep, *names: str) -> dict[str, Any]:
    values = {name: getattr(thing, name) for name in names}
    lists = {name: list(value) for name, value in values.items() if isinstance(value, tuple)}
    return values | lists


MARKS = ("actual", "seen", "true", "vanishes")
"""The marks that a world can have."""

# The maximum length of the description of one agent's indistinguishable worlds, in letters.
_LONGEST = 320


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
