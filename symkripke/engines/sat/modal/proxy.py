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

    It says that `agents`, with all that they see together (`observed`), know `operand`. If
    `common`, it says that they have common knowledge of it, and `observed` is what each of them
    sees. If it is a `belief`, it says that the agent believes the operand, or that all have common
    belief of it. If the operand is a fact, `operand_fluents` are its fluents and `operand_literal`
    is equivalent to it. `persistent`: whether the operand, if it is true, stays true as events
    happen. `observed_mask`: what is observed, as bits.
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
