"""An action that happened, with what the fluents that it brought stand for."""

from __future__ import annotations

from collections.abc import Mapping

from symkripke.language import TRUE, Atom, Formula
from symkripke.model.actions import SKIP, ActionModel, Signal
from symkripke.model.evaluate import World
from symkripke.model.resolver import Resolver
from symkripke.records import dataclass

NOTHING_NOTICED = "nothing"
"""The value of the signal of an agent that notices nothing."""


@dataclass(frozen=True, eq=False)
class Occurrence:
    """An action that happened: what its fluents stand for. Names mean the world before.

    Attributes:
        action: the action.
        names: the names before it, with the action's own fluents.
        events: the names of the events that can have happened: with `skip`, if it can be missed.
        which: the fluent that says which; empty if there is one event only.
        versions: for each fluent that changes the name of its new version.
        signals: for agents whose signal is a fluent, this fluent.
        labels: for these agents the values of that fluent, by what they stand for.
        findings: for each fluent that is a finding, the formula that was true or false before.
    """

    action: ActionModel
    names: Resolver
    events: tuple[str, ...]
    which: str
    versions: Mapping[str, str]
    signals: Mapping[str, str]
    labels: Mapping[str, Mapping[Signal, str]]
    findings: Mapping[str, Formula]

    def happened(self, event: str) -> Formula:
        """The formula "this event happened"."""
        return Atom(self.which, self.action.event(event).value) if self.which else TRUE

    def event_at(self, world: World) -> str:
        """The name of the event that happened at a world after the action."""
        if not self.which:
            return self.events[0]
        return next(e for e in self.events if self.action.event(e).value == world[self.which])

    def say(self, name: str, value: str) -> str | None:
        """The value of a fluent that the action added, in words; None for any other fluent."""
        what = self.action.source
        if name == self.which:
            happened = "nothing happened" if value == SKIP else f"the event is {value}"
            return f"{happened} ({what})"
        if name in self.findings:
            return f"before ({what}), {self.findings[name]}"
        for agent, signal in self.signals.items():
            if name == signal:
                seen = "nothing" if value == NOTHING_NOTICED else value
                return f"{agent} notices {seen} ({what})"
        return None
