"""Names in a question that are always true, or always false, at a moment."""

from __future__ import annotations

from typing import Any

from symkripke.errors import InputError
from symkripke.language import Chance, Constant, parse_question
from symkripke.language.signature import Syntax
from symkripke.language.walk import atoms
from symkripke.play.moment import Moment


class _Written(Syntax):
    """A signature that keeps names as they are written and applies no definitions."""

    def __init__(self, agents: tuple[str, ...]) -> None:
        self._agents = agents

    @property
    def agents(self) -> tuple[str, ...]:
        return self._agents


def constant_names(moment: Moment[Any, Any], question: str) -> tuple[str, ...]:
    """Return sentences about constant names: "has(bob, 4, 6) is false in all cases: Bob has 1 die".

    Raise `FormulaError` if the text is not a question.
    """
    vocabulary = moment.structure.vocabulary
    asked = parse_question(question, _Written(vocabulary.agents))
    formula = asked.operand & asked.given if isinstance(asked, Chance) else asked
    meanings: dict[str, None] = {}
    for atom in atoms(formula):
        arguments = atom.fluent.arguments
        definition = vocabulary.definitions.get(atom.fluent.functor)
        if definition is None:
            continue
        try:
            meant = definition(*arguments)
        except InputError:
            continue  # for example, a name in another case
        if isinstance(meant, Constant):
            why = f": {definition.settled(*arguments)}" if definition.settled else ""
            meanings[f"{atom.fluent} is {'true' if meant.value else 'false'} in all cases{why}"] = (
                None
            )
    return tuple(meanings)
