"""Proxies and targets: modal subformulas as variables, and formulas over them to be made true."""

from __future__ import annotations

from dataclasses import dataclass, field

from symkripke.engines.sat.bits import Literals, mask_of
from symkripke.engines.sat.swaps.lemma import Lemma, applying
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f


@dataclass(eq=False)
class Proxy:
    """The variable of a modal subformula.

    It says that `agents`, pooling what they see (`observed`), know `operand`; or, if `common`, that
    they have common knowledge of it (`observed` is then what all of them see). If it is a `belief`,
    that the one agent believes it, or all of them have common belief of it. `about` are the
    fluents that the operand speaks of, if it does not speak about knowledge itself; `plain` is then
    a literal that says the same. `lasting`: whether the operand, if it is true, stays so as events
    happen. `fixed`: what is observed, as bits.
    """

    formula: Formula
    name: Atom
    literal: int
    agents: tuple[str, ...]
    operand: Formula
    observed: Literals
    common: bool
    about: tuple[str, ...]
    plain: int | None
    lasting: bool
    fixed: int
    refuted: Target | None = None
    lemmas: dict[bool, list[Lemma]] = field(default_factory=lambda: {True: [], False: []})

    def see(self, observed: Literals) -> None:
        """Let the agents observe these variables."""
        self.observed = observed
        self.fixed = mask_of(observed)

    @property
    def belief(self) -> bool:
        """Whether it is about belief, not knowledge."""
        return isinstance(self.formula, f.B | f.CB)

    def confirmed(self, truth: bool, world: int) -> Lemma | None:
        """A lemma that says that this is its truth at `world`."""
        return applying(self.lemmas[truth], world)


@dataclass(eq=False, slots=True)
class Target:
    """A formula to be made true at a world, as a literal, and the guesses on which it rests.

    Attributes:
        formula: normalised; in it the modal subformulas are K, D, C, B or CB.
        literal: equivalent to it, if every proxy is what it stands for.
        proxies: with the guesses (true, false) that have to be checked where they are made.
        witnesses: some worlds at which it is true, checked.
    """

    formula: Formula
    literal: int
    proxies: tuple[tuple[Proxy, bool, bool], ...]
    witnesses: list[int] = field(default_factory=list)
