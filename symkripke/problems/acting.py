"""Reading the action blocks of a problem file, and the statements that perform actions."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from symkripke.language.scanner import Token
from symkripke.problems.indices import Indices
from symkripke.problems.modelling import ModelReader
from symkripke.problems.problem import Doing, Plan
from symkripke.problems.syntax import Node


class ActionReader(ModelReader):
    """Reads action blocks, `do` statements and plans."""

    def _action(self, node: Node, indices: Indices) -> None:
        name = cast(Token, node.children[0])
        self._new_name(str(name), name)
        self.names.actions[str(name)] = self._expansion.block(node, self._statement.text)

    def _perform(self, node: Node, indices: Indices) -> None:
        self.freeze()
        done = self._done(cast(Node, node.children[0]), indices, self._text)
        self.steps.append(done)

    def _plan(self, node: Node, indices: Indices) -> None:
        self.freeze()
        self._needs_actual("plan:", one=False)
        done = tuple(self._done(cast(Node, child), indices, "") for child in node.children)
        self.steps.append(Plan(done, self._text, self._place))

    def _done(self, node: Node, indices: Indices, text: str) -> Doing:
        """An action that is performed. From here on, names mean the situation after the action."""
        assert self.now is not None
        expansion = self._expansion
        term = cast(Node, node.children[0])
        source = self._source(None) if text else self._source_of(term)
        action = expansion.action(term, indices, source)
        model, name = action.model, action.name
        happens = expansion.happening(node, indices, action)
        if happens is not None:
            # The named event is the only one that may be the actual one.
            model, name = replace(model, actual=(happens,)), f"{name}: {happens}"
        self.now = self.now.update(model)
        self._renew()
        return Doing(model, text or name, self._place, name, action.needs)
