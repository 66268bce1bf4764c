"""An action that happened, with the meaning of the fluents that it added."""

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
    """An action that happened, with the meaning of its fluents. Names refer to the world before.

    Attributes:
        action: the action.
        names: the resolver of names before it, with the action's own fluents.
        events: the names of the events that can have happened, with `skip` if it can be missed.
        which: the fluent that states which event happened; empty if there is only one event.
        versions: the name of the new version of each fluent that changes.
        signals: the fluents that represent signals, by agent.
        labels: for each agent in `signals`, the value of its fluent for each signal.
        prior_truths: for each fluent that records a truth value before the action, its formula.
    """

    action: ActionModel
    names: Resolver
    events: tuple[str, ...]
    which: str
    versions: Mapping[str, str]
    signals: Mapping[str, str]
    labels: Mapping[str, Mapping[Signal, str]]
    prior_truths: Mapping[str, Formula]

    def happened(self, event: str) -> Formula:
        """Return the formula "this event happened"."""
        return Atom(self.which, self.action.event(event).value) if self.which else TRUE

    def event_at(self, world: World) -> str:
        """Return the name of the event that happened at a world after the action."""
        if not self.which:
            return self.events[0]
        return next(e for e in self.events if self.action.event(e).value == world[self.which])

    def say(self, name: str, value: str) -> str | None:
        """Return the value of a fluent of the action in words; None for any other fluent."""
        what = self.action.source
        if name == self.which:
            happened = "nothing happened" if value == SKIP else f"the event is {value}"
            return f"{happened} ({what})"
        if name in self.prior_truths:
            return f"before ({what}), {self.prior_truths[name]}"
        for agent, signal in self.signals.items():
            if name == signal:
                seen = "nothing" if value == NOTHING_NOTICED else value
                return f"{agent} notices {seen} ({what})"
        return None
