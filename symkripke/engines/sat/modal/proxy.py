"""Proxies, the variables of modal subformulas, and targets, the formulas to be made true."""

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

    It is true if `agents`, with their pooled observations, know `operand`. If `common`, it is true
    if the agents have common knowledge of the operand. For a `belief`, the agent believes the
    operand, or the agents have common belief of it.

    Attributes:
        formula: the modal subformula.
        name: the atom that stands for it in other formulas.
        literal: the variable.
        agents: the agents, sorted.
        operand: the formula that is known or believed.
        observed: the variables that some agent observes, or if `common`, that all agents observe.
        common: whether the formula is about common knowledge or common belief.
        operand_fluents: the fluents of the operand, if it is a fact and knowledge of it is not
            common; otherwise empty.
        operand_literal: for knowledge of a fact, a literal equivalent to the fact; otherwise None.
        persistent: whether the formula stays true as events happen.
        observed_mask: the variables of `observed`, as bits.
        refuted: the target of a counter-world, created on first use.
        lemmas: the lemmas that imply the formula, and the lemmas that imply its negation.
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
        """True if the formula is about belief, not knowledge."""
        return isinstance(self.formula, f.B | f.CB)

    def confirmed(self, truth: bool, world: int) -> Lemma | None:
        """Return a lemma that implies this truth of the formula at `world`, or None."""
        return applying(self.lemmas[truth], world)


@dataclass(eq=False, slots=True)
class Target:
    """A formula to be made true at a world, as a literal, with the guesses on which it depends.

    Attributes:
        formula: the formula in normal form, whose modal operators are K, D, C, B or CB.
        literal: a literal equivalent to it, provided that every proxy has the truth of its formula.
        proxies: each proxy in it, whether a guess "true" must be checked, and whether a guess
            "false" must be.
        witnesses: some worlds at which it is true, with all guesses checked.
    """

    formula: Formula
    literal: int
    proxies: tuple[tuple[Proxy, bool, bool], ...]
    witnesses: list[int] = field(default_factory=list)
