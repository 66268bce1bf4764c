"""Proxies and targets: modal subformulas as variables, and formulas over them to be made true."""

from __future__ import annotations

from dataclasses import field

from symkripke.engines.sat.bits import Literals
from symkripke.engines.sat.swaps.lemma import Lemma, applying
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.records import dataclass


@dataclass(eq=False)
class Proxy:
    """The variable of a modal subformula.

    It is true if `agents`, with their pooled observations (`observed`), know `operand`. If
    `common`, it is true if they have common knowledge of it, and `observed` has the observations of
    each of them. For a `belief`, the agent believes the operand, or all have common belief of it.
    If the operand is a fact, `operand_fluents` are its fluents and `operand_literal` is equivalent
    to it. `persistent`: whether a true operand stays true as events happen. `observed_mask`: the
    observed variables, as bits.
    """

    formula: Formula
    name: Atom
    literal: int
    agents: tuple[str, ...]
    operand: Formula
    observed: Literals
    common: bool
    operand_fluents: tuple[str, ...]
    operand_literal: int | None
    persistent: bool
    observed_mask: int
    refuted: Target | None = None
    lemmas: dict[bool, list[Lemma]] = field(default_factory=lambda: {True: [], False: []})

    @property
    def belief(self) -> bool:
        """True if it is about belief, not knowledge."""
        return isinstance(self.formula, f.B | f.CB)

    def confirmed(self, truth: bool, world: int) -> Lemma | None:
        """Return a lemma that says that this is its truth at `world`."""
        return applying(self.lemmas[truth], world)


@dataclass(eq=False, slots=True)
class Target:
    """A formula to be made true at a world, as a literal, and the guesses on which it rests.

    Attributes:
        formula: normalised; in it the modal subformulas are K, D, C, B or CB.
        literal: equivalent to it, if every proxy has the truth of its formula.
        proxies: its proxies, each with whether a guess "true" must be checked, and a guess "false".
        witnesses: some worlds at which it is true, with all guesses checked.
    """

    formula: Formula
    literal: int
    proxies: tuple[tuple[Proxy, bool, bool], ...]
    witnesses: list[int] = field(default_factory=list)
