"""Reading the action blocks of a problem file, and the statements that perform actions."""

from __future__ import annotations

from dataclasses import replace

from symkripke.problems.indices import Indices
from symkripke.problems.modelling import ModelReader
from symkripke.problems.problem import Doing, Plan
from symkripke.problems.syntax import Tree


class ActionReader(ModelReader):
    """Reads action blocks, `do` statements and plans."""

    def _action(self, node: Tree, indices: Indices) -> None:
        name = node.children[0]
        self._new_name(name)
        self.names.actions[str(name)] = self._expansion.block(node, self._statement.text)

    def _perform(self, node: Tree, indices: Indices) -> None:
        self.freeze()
        self.steps.append(self._done(node.children[0], indices, self._text))

    def _plan(self, node: Tree, indices: Indices) -> None:
        self.freeze()
        self._needs_actual("plan:", one=False)
        done = tuple(self._done(child, indices, "") for child in node.children)
        self.steps.append(Plan(done, self._text, self._place))

    def _done(self, node: Tree, indices: Indices, text: str) -> Doing:
        """An action that is performed. From here on, names mean the situation after the action."""
        assert self.now is not None
        term = node.children[0]
        action = self._expansion.action(term, indices, self._source(None if text else term))
        model, name = action.model, action.name
        happens = self._expansion.happening(node, indices, action)
        if happens is not None:
            # The named event is the only one that may be the actual one.
            model, name = replace(model, actual=(happens,)), f"{name}: {happens}"
        self.now = self.now.update(model)
        self._renew()
        return Doing(model, text or name, self._place, name, action.needs)
