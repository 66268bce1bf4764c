"""Symbolic epistemic logic on SAT: who knows what, and why.

    language   formulas: parsing and printing
    model      knowledge structures, scenes, perspectives, events
    engines    the programs that answer questions
    drawing    models as pictures
    play       the common parts of all games: rules, players, tables, logs, simulation
    problems   puzzles and protocols from text files
    cli        the command line

The names below are imported on first use, so that the program starts quickly.
"""

from __future__ import annotations

from symkripke import pictures

# Not from typing: the fewer imports here, the sooner the program handles Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from symkripke.engines import Answer, Budget, Engine, Mark, Sheet, engine
    from symkripke.errors import BudgetExceeded, InputError, SymkripkeError, Unsupported
    from symkripke.language import (
        Atom,
        Formula,
        atleast,
        atmost,
        conjunction,
        disjunction,
        exactly,
        negation,
        parse,
    )
    from symkripke.model import (
        NOTHING,
        WHICH,
        ActionModel,
        Beliefs,
        Change,
        Constraint,
        Event,
        Fluent,
        KnowledgeStructure,
        MultiPointedStructure,
        Observable,
        Origin,
        Perspective,
        PossibleEvent,
        Postcondition,
        Scene,
        Soft,
        Vocabulary,
        that,
    )
    from symkripke.play import Moment, Record, Table
    from symkripke.play.registry import game, game_names
    from symkripke.problems import Problem, check, puzzle

# In this order, the search for a name imports little more than the name needs.
_HOMES = ("errors", "language", "problems", "model", "engines", "play")

__all__ = [
    "NOTHING",
    "WHICH",
    "ActionModel",
    "Answer",
    "Atom",
    "Beliefs",
    "Budget",
    "BudgetExceeded",
    "Change",
    "Constraint",
    "Engine",
    "Event",
    "Fluent",
    "Formula",
    "InputError",
    "KnowledgeStructure",
    "Mark",
    "Moment",
    "MultiPointedStructure",
    "Observable",
    "Origin",
    "Perspective",
    "PossibleEvent",
    "Postcondition",
    "Problem",
    "Record",
    "Scene",
    "Sheet",
    "Soft",
    "SymkripkeError",
    "Table",
    "Unsupported",
    "Vocabulary",
    "atleast",
    "atmost",
    "check",
    "conjunction",
    "disjunction",
    "engine",
    "exactly",
    "game",
    "game_names",
    "negation",
    "parse",
    "puzzle",
    "that",
]


def _drawing() -> Any:
    from symkripke import drawing

    return drawing


pictures.drawer = _drawing


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    homes = (import_module(f"{__name__}.{home}") for home in _HOMES)
    return next(getattr(home, name) for home in homes if hasattr(home, name))


def __dir__() -> list[str]:
    return [*globals(), *__all__]
