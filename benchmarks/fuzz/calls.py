"""Calls of the Python interface, as lines of a program; each line is run by itself."""

from __future__ import annotations

from random import Random

from benchmarks.fuzz.formulas import AGENTS, formula

PRELUDE = """import random
import symkripke as sk
from symkripke.errors import SymkripkeError
fluents = [sk.Fluent(n) for n in ("p", "q", "r")]
fluents += [sk.Fluent("x", ("1", "two", "3")), sk.Fluent("y", ("1", "2"))]
fluents += [sk.Fluent("at(rope)", ("ann", "envelope"))]
vocabulary = sk.Vocabulary.of(fluents, ("a", "b", "c"))
law = [sk.Constraint(sk.parse("p | q | x = 1"), "the law")]
sees = {"a": [sk.Observable(sk.Atom("p", "true"), "a sees p")],
        "b": [sk.Observable(sk.Atom("x", v), "b sees x") for v in ("1", "two", "3")]}
structure = sk.KnowledgeStructure.of(vocabulary, law, sees)
first = structure
world = {"p": "true", "q": "false", "r": "true", "x": "1", "y": "2", "at(rope)": "ann"}
scene = sk.Scene.of(structure, world)
view = scene.perspective("a")
engine = sk.engine("auto")
"""
"""What every program begins with: a small structure, a scene, a perspective, an engine."""

_ODD = (
    "None", "True", "3", "-1", "1.5", "float('nan')", "10**30", "''", "'nobody'", "'a'", "'p'",
    "'x'", "[]", "['a']", "['a', 'a']", "()", "{}", "{'p': 'true'}", "{'p': 3}", "object()",
    "b'p'", "'p &'", "'K[a] p'", "'\\x00'", "'p' * 3", "scene", "view", "structure", "engine",
    "world", "{**world, 'x': '2'}", "sk.Atom('p', 'true')", "sk.Atom('p', 'two')",
    "sk.Atom('nothing', 'true')", "sk.Atom('', '')", "sk.Budget(seconds=0)",
    "sk.Budget(conflicts=0)", "lambda: 1",
)  # fmt: skip

# {} any value, {f} a formula, {n} a number, {e} an engine, {b} a budget
_LINES = (
    "engine = sk.engine({})",
    "engine = sk.engine({e})",
    "engine = sk.engine({e})",
    "engine = sk.engine('auto', {})",
    "sk.parse({})",
    "sk.parse({f})",
    "sk.Fluent({}, {})",
    "sk.Fluent('z', {})",
    "sk.Vocabulary.of({}, {})",
    "sk.Vocabulary.of(fluents, {})",
    "sk.KnowledgeStructure.of(vocabulary, {}, {})",
    "sk.KnowledgeStructure.of(vocabulary, law, {})",
    "sk.KnowledgeStructure.of(vocabulary, [{}], sees)",
    "sk.Constraint({}, {})",
    "sk.atleast({}, {})",
    "sk.exactly({n}, [sk.parse({f}), {}])",
    "sk.conjunction({})",
    "sk.negation({})",
    "sk.Budget(seconds={})",
    "sk.Budget(conflicts={})",
    "scene = sk.Scene.of(structure, {})",
    "scene = sk.Scene.of(structure, world)",
    "scene = scene.after({n})",
    "scene.after({})",
    "view = scene.perspective({})",
    "view = scene.perspective('b')",
    "scene.perspective({})",
    "engine.holds(scene, {f}, {b})",
    "engine.holds(scene, {f}, {b}).why()",
    "engine.holds(view, {f}, {b})",
    "engine.holds({}, {}, {b})",
    "engine.valid(structure, {f}, {b})",
    "engine.valid({}, {f}, {b})",
    "engine.witness(structure, {f}, {b})",
    "engine.witness({}, {}, {b})",
    "engine.possible_to(scene, {f}, ('a', 'b'), {b})",
    "engine.possible_to(scene, {f}, {}, {b})",
    "engine.sheet(view, None, {b})",
    "engine.sheet(view, {}, {b})",
    "engine.possibilities(view, {}, {n})",
    "engine.believed(view, {b})",
    "engine.believed({}, {b})",
    "engine.worlds(structure, {}, {b})",
    "engine.worlds(view, None, {b})",
    "engine.probability(view, {f}, {b})",
    "engine.probability({}, {}, {b})",
    "engine.marginals(view, {})",
    "engine.marginals(view)",
    "engine.distribution(view, {})",
    "engine.entropy(view, {})",
    "engine.sample(view, {n}, random.Random(1), {})",
    "engine.sample(view, {}, random.Random(1))",
    "structure.parse({})",
    "structure.parse({f})",
    "structure = structure.update({})",
    "structure = structure.update(sk.Event({}))",
    "structure = structure.update(sk.Event('said', (sk.Constraint(sk.parse({f}), 'said'),)))",
    "scene = scene.update(sk.Event('said', (sk.Constraint(sk.parse({f}), 'said'),)))",
    "scene = scene.update(sk.Event('said', (sk.Constraint(sk.parse({f}), 'said'),)), None, "
    "lambda s, f: bool(engine.holds(s, f)))",
    "scene = scene.update(sk.Event('moved', changes=(sk.Change({}, {}),)))",
    "scene = scene.update(sk.Event('moved', changes=(sk.Change('x', {}),)))",
    "scene = scene.update(sk.Event('moved', changes=(sk.Change('y', '1'),)))",
    "scene = scene.update(sk.Event('moved', changes=(sk.Change('y', (('1', sk.parse({f})), "
    "('2', sk.negation(sk.parse({f}))))),)))",
    "scene = scene.update(sk.Event('new', fluents=(sk.Fluent({}, ('1', '2')),)), {})",
    "scene = scene.update(sk.Event('new', fluents=(sk.Fluent('w', ('1', '2')),)), {'w': '1'})",
    "scene = sk.Scene.of(first, world)",
    "sk.puzzle({})",
    "sk.game({})",
    "sk.game('cluedo').setup(players={})",
    "sk.game('cluedo').setup(rules={})",
    "sk.game('perudo').setup(players={n}, rules='study')",
    "sk.Table(sk.game('cluedo'), rules={}, players={})",
    "sk.Table(sk.game('sleuth'), rules='study', players=3, seed={})",
    "sk.Table(sk.game('kwartet'), sk.game('kwartet').setup(), {})",
    "sk.Record.parse({})",
    "sk.Record.read({})",
)  # fmt: skip


def _filled(line: str, chance: Random, seconds: float) -> str:
    parts = []
    while line:
        start, brace, line = line.partition("{")
        parts.append(start)
        if not brace:
            break
        hole, _, rest = line.partition("}")
        if hole == "":
            new = chance.choice(_ODD)
        elif hole == "f":
            new = repr(formula(chance, chance.choice((1, 2, 3)), AGENTS))
        elif hole == "n":
            new = chance.choice(("0", "1", "2", "5", "-1", "10**9"))
        elif hole == "e":
            new = repr(chance.choice(("auto", "sat", "bdd", "smt", "explicit")))
        elif hole == "b":
            new = f"sk.Budget(seconds={seconds})"
        else:  # a dictionary of the line's own
            new = "{" + hole + "}"
        parts.append(new)
        line = rest
    return "".join(parts)


def some_calls(chance: Random, seconds: float) -> tuple[tuple[str, ...], bool]:
    """A few calls; and whether all that may take long have the limit."""
    chosen = [chance.choice(_LINES) for _ in range(chance.choice((1, 3, 6, 10)))]
    limited = all("{b}" in line or line.startswith(("sk.parse", "sk.Fluent")) for line in chosen)
    return tuple(_filled(line, chance, seconds) for line in chosen), limited


def about_formula(text: str, chance: Random, seconds: float) -> tuple[str, ...]:
    """A formula read, printed, read again, and asked."""
    name = chance.choice(("auto", "auto", "sat", "sat", "bdd", "smt", "explicit"))
    asked = chance.choice(("holds(scene, ", "holds(view, ", "valid(structure, ", "witness(scene, "))
    why = ".why()" if asked.startswith(("holds(s", "valid")) and chance.random() < 0.2 else ""
    return (
        f"read = sk.parse({text!r})",
        "assert sk.parse(str(read)) == read, 'what is printed reads as another formula'",
        f"engine = sk.engine({name!r})",
        f"engine.{asked}{text!r}, sk.Budget(seconds={seconds})){why}",
    )
