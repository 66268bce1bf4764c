"""The registry of engines: a table for this package, and an entry point group for others.

Another package adds an engine by an entry point in the group `symkripke.engines`, whose object is
an `Entry`, as in the table. Entry points are read only for a name that is not in the table, and for
the list of all names.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from symkripke.engines.count.weighting import WEIGHTINGS, checked
from symkripke.errors import SymkripkeError, UnknownName, Unsupported
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.protocol import Engine
    from symkripke.installed import EntryPoint

GROUP = "symkripke.engines"


@dataclass(frozen=True, slots=True)
class Entry:
    """The location of an engine's class.

    Attributes:
        module: the name of the module, imported when the engine is first created.
        class_name: the name of the class in the module.
        weighs: whether the engine weighs worlds; the class then takes the argument `weighting`.
    """

    module: str
    class_name: str
    weighs: bool = False

    def load(self) -> Callable[..., Engine]:
        """Import and return the class."""
        loaded: Callable[..., Engine] = getattr(import_module(self.module), self.class_name)
        return loaded


TABLE = {
    "auto": Entry("symkripke.engines.auto", "AutoEngine", weighs=True),
    "sat": Entry("symkripke.engines.sat", "SatEngine"),
    "bdd": Entry("symkripke.engines.bdd", "BddEngine", weighs=True),
    "smt": Entry("symkripke.engines.smt", "SmtEngine"),
    "explicit": Entry("symkripke.engines.explicit", "ExplicitEngine", weighs=True),
}
"""The engines of this package."""

ENGINES = tuple(TABLE)
"""The names of the engines of this package; the first is the default."""


def engine(name: str = "auto", weighting: str | None = None) -> Engine:
    """Return a new engine with this name and weighting of worlds, imported on demand.

    Without a weighting, the structure decides: "equal", or "plausible" once an action can have gone
    unnoticed (see `symkripke.engines.count.weighting`).

    Raises:
        UnknownName: there is no such engine, or no such weighting.
        Unsupported: the engine does not weigh worlds, and the weighting is not "equal".
    """
    checked(weighting)
    entry = TABLE[name] if name in TABLE else _from_outside(name)
    if entry.weighs:
        return entry.load()(weighting=weighting)
    if weighting not in (None, WEIGHTINGS[0]):
        raise Unsupported(f"the {name} engine does not weigh worlds; ask the bdd engine")
    return entry.load()()


def weighs(name: str) -> bool:
    """Return whether the engine with this name weighs worlds."""
    return (TABLE[name] if name in TABLE else _from_outside(name)).weighs


def weighing(engine: Engine) -> str:
    """Return the weighting of an engine; "equal" for an engine that does not count."""
    return str(getattr(engine, "weighting", None) or WEIGHTINGS[0])


def engine_names() -> tuple[str, ...]:
    """Return the names of this package's engines, then the sorted names of other engines."""
    return (*ENGINES, *sorted(_installed().keys() - TABLE.keys()))


def _installed() -> dict[str, EntryPoint]:
    from symkripke.installed import entry_points

    return {entry.name: entry for entry in entry_points(GROUP)}


def _from_outside(name: str) -> Entry:
    installed = _installed()
    if name not in installed:
        raise UnknownName("engine", name, engine_names())
    entry = installed[name].load()
    if not isinstance(entry, Entry):
        raise SymkripkeError(f"entry point {name!r} of {GROUP} is not an Entry but {entry!r}")
    return entry
