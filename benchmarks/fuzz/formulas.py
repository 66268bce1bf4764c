"""Formulas, generated: most can be read, some cannot."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

AGENTS = ("a", "b", "c")
ATOMS = ("p", "q", "r", "x = 1", "x = two", "x != 3", "at(rope, envelope)", "y#0 = 1")
_ODD = ("K", "p q", "K[]", "()", "K[a", "C[*]", "atleast(1; )", "atleast(99999999999; p)", "x=", "")


def formula(
    chance: Random,
    depth: int = 4,
    agents: Sequence[str] = AGENTS,
    atoms: Sequence[str] = ATOMS,
    faults: float = 0.02,
) -> str:
    """A formula over these agents and atoms; a part of it is no formula with that probability."""
    if chance.random() < faults:
        return chance.choice(_ODD)
    if depth <= 0 or chance.random() < 0.15:
        return chance.choice((*atoms, *atoms, "true", "false"))

    def part() -> str:
        return formula(chance, depth - 1, agents, atoms, faults)

    who, group = chance.choice(agents), f"{chance.choice(agents)}, {chance.choice(agents)}"
    if chance.random() < 0.2:
        group = "*"
    shapes = (
        lambda: f"~{part()}",
        lambda: f"({part()} {chance.choice(('&', '|', '->', '<->'))} {part()})",
        lambda: f"{chance.choice(('K', 'M', 'Kw', 'B'))}[{who}] {part()}",
        lambda: f"{chance.choice(('K', 'M', 'Kw'))}[{who}] {part()}",
        lambda: f"{chance.choice(('E', 'C', 'D', 'EB', 'CB'))}[{group}] {part()}",
        lambda: f"B[{who} | {part()}] {part()}",
        lambda: f"Kv[{who}] {chance.choice(('x', '(x, y)', 'p', 'z'))}",
        lambda: (
            f"P[{who}]({part()}) {chance.choice(('>=', '<', '=', '>'))} "
            f"{chance.choice(('1/2', '0', '1', '0.25', '3/0', '7'))}"
        ),
        lambda: f"P[{who} | {part()}]({part()}) >= 1/3",
        lambda: f"[!{part()}] {part()}",
        lambda: f"<!{part()}> {part()}",
        lambda: (
            f"{chance.choice(('atleast', 'atmost', 'exactly'))}"
            f"({chance.choice((0, 1, 2, 5))}; {part()}, {part()}, {part()})"
        ),
    )
    return chance.choice(shapes)()


def deep(chance: Random) -> str:
    """A formula that is nested very deep, or very long."""
    number = chance.choice((30, 100, 500, 1_000, 5_000))
    start, end = chance.choice(
        (
            ("~", ""),
            ("(", ")"),
            ("K[a] ", ""),
            ("K[a] ~M[b] ", ""),
            ("[!p | q] ", ""),
            ("[!K[a] p] ", ""),
            ("<!p> ", ""),
            ("p & (", ")"),
            ("(p -> ", ")"),
            ("atleast(1; q, ", ")"),
            ("C[a, b] ", ""),
            ("B[a] ", ""),
        )
    )
    if chance.random() < 0.15:
        return " & ".join(chance.choice(ATOMS) for _ in range(number))
    return start * number + chance.choice(ATOMS[:3]) + end * number
