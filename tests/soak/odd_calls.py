"""Calls of the Python interface with odd arguments, as lines of a program.

The calls are made from the signatures of all exported names. Each argument is a hole in braces with
its declared type.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from symkripke.play import game, game_names
from tests.soak.formula_texts import formula

PRELUDE = """import random
import symkripke as sk
from symkripke import engines, language, model, problems
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
table = sk.Table(sk.game("cluedo"), sk.game("cluedo").setup(rules="study", players=2), seed=1)
"""
"""The beginning of every program: a small structure, a scene, a perspective and an engine."""

_ODD = (
    "None", "True", "3", "-1", "1.5", "float('nan')", "10**30", "''", "'nobody'", "'a'", "'p'",
    "'x'", "[]", "['a']", "['a', 'a']", "()", "{}", "{'p': 'true'}", "{'p': 3}", "object()",
    "b'p'", "'p &'", "'K[a] p'", "'\\x00'", "'p' * 3", "scene", "view", "structure", "engine",
    "world", "{**world, 'x': '2'}", "sk.Atom('p', 'true')", "sk.Atom('p', 'two')",
    "sk.Atom('nothing', 'true')", "sk.Atom('', '')", "sk.Budget(seconds=0)",
    "sk.Budget(conflicts=0)", "(lambda: 1)",
)  # fmt: skip

_OF_TYPE = {
    "Formula": (
        "sk.parse('p | x = two')",
        "sk.Atom('p', 'true')",
        "language.K('a', sk.parse('q'))",
    ),
    "Fluent": ("sk.Fluent('z', ('1', '2'))", "sk.Fluent('p')"),
    "Atom": ("sk.Atom('p', 'true')", "sk.Atom('x', 'nine')", "sk.Atom('nothing', 'true')"),
    "Constraint": ("sk.Constraint(sk.parse('p'), 'law')", "sk.Constraint(sk.parse('K[a] p'), 'k')"),
    "Observable": ("sk.Observable(sk.Atom('q', 'true'), 'seen')",),
    "PossibleEvent": ("sk.PossibleEvent('e', sk.parse('p'))", "sk.PossibleEvent('e')"),
    "ActionModel": ("sk.ActionModel('act', [sk.PossibleEvent('e')], {'a': sk.WHICH})",),
    "Event": (
        "sk.Event('said', (sk.Constraint(sk.parse('p'), 'said'),))",
        "sk.Event('moved', changes=(sk.Change('y', '1'),))",
        "sk.Event('new', fluents=(sk.Fluent('w', ('1', '2')),))",
    ),
    "Scene": ("scene", "sk.Scene.of(first, world)"),
    "Perspective": ("view", "scene.perspective('b')"),
    "EpistemicState": ("scene", "view"),
    "KnowledgeStructure": ("structure", "first"),
    "Vocabulary": ("vocabulary",),
    "World": ("world", "{}", "{**world, 'x': 'nine'}", "{'w': '1'}"),
    "Engine": ("sk.engine('sat')", "sk.engine('bdd')", "sk.engine('explicit')"),
    "Problem": ("sk.puzzle('muddy_children').problem(2)",),
    "Game": ("sk.game('kwartet')",),
    "Setup": ("sk.game('kwartet').setup()", "sk.game('kwartet').setup(players=3)"),
    "Budget": ("sk.Budget(seconds=0.1)",),
    "Random": ("random.Random(1)",),
    "int": ("0", "1", "2", "5", "-1"),
    "float": ("0.5", "1"),
    "bool": ("True",),
    "str": ("'a'", "'p'", "'x'", "''", "'nobody'", "'C[*] p'", "'p &'", "'\\x00'", "'a' * 300"),
}
"""Correct values for a declared type."""


_HOLE = re.compile(r"\{([^{}]*)\}")
_SEVERAL = r"(?:Sequence|Iterable|Collection)\[(.*)\]"


def _is_known(declared: str) -> bool:
    """Return whether the type has values that are certainly correct."""
    found = re.fullmatch(_SEVERAL, declared)
    names = (found[1] if found else declared).split(" | ")
    return names != ["None"] and {*names} <= {*_OF_TYPE, "None"}


def filled(line: str, chance: Random, seconds: float, odd: float = 0.5) -> str:
    """Fill the holes of a call: with probability `odd` by any value, otherwise by its type."""

    def value(declared: str) -> str:
        known = [name for name in re.findall(r"\w+", declared) if name in _OF_TYPE]
        if not known or chance.random() < odd:
            return chance.choice(_ODD)
        one = chance.choice(known)
        if one == "Formula":
            text = repr(formula(chance, chance.choice((1, 2, 3))))
            made = text if "str" in known else f"sk.parse({text})"
        elif one == "Budget":
            made = f"sk.Budget(seconds={seconds})"
        else:
            made = chance.choice(_OF_TYPE[one])
        if re.match(r"(Sequence|Iterable|Collection|tuple|list)\[", declared):
            return f"[{made}]"
        return f"{{'a': {made}}}" if re.match(r"(Mapping|dict)\[", declared) else made

    return _HOLE.sub(lambda hole: value(hole[1]), line)


_OBJECTS = (
    *("engine", "scene", "view", "structure", "vocabulary", "table", "table.moment"),
    *("table.record", "sk.puzzle('muddy_children')"),
)


def _calls() -> Iterator[str]:
    """Yield calls of all exported names, and of all methods of the objects in the prelude."""
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    for module in ("sk", "language", "model", "engines", "problems"):
        for name in names[module].__all__:
            made = getattr(names[module], name)
            is_error = isinstance(made, type) and issubclass(made, Exception)
            if callable(made) and not is_error and not getattr(made, "_is_protocol", False):
                yield from _with_holes(f"{module}.{name}", made)
                if hasattr(made, "of"):
                    yield from _with_holes(f"{module}.{name}.of", made.of)
    for said in _OBJECTS:
        of = eval(said, names)
        for name in dir(type(of)):
            if not name.startswith("_") and callable(getattr(type(of), name)):
                yield from _with_holes(f"{said}.{name}", getattr(of, name))


# The names to which a call's result is assigned, by its return type.
_KEPT = {"Scene": "scene", "Perspective": "view", "Engine": "engine"}
_KEPT["KnowledgeStructure"] = "structure"


def _with_holes(said: str, made: Callable[..., object]) -> Iterator[str]:
    """Yield a call with the required arguments, and one with all arguments."""
    try:
        signature = inspect.signature(made)
    except ValueError:
        return
    name = _KEPT.get(signature.return_annotation)
    kept = f"{name} = " if name else ""
    parameters = signature.parameters.values()
    plain = [one for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    needed = [one for one in plain if one.default is one.empty]
    for chosen in (needed, plain) if len(plain) > len(needed) else (plain,):
        holes = [
            (f"{one.name}=" if one.kind is one.KEYWORD_ONLY else "") + f"{{{one.annotation}}}"
            for one in chosen
        ]
        yield f"{kept}{said}({', '.join(holes)})"


ODD_ANYWHERE = (
    *dict.fromkeys(_calls()),
    *(
        f"sk.game('{name}').setup({option}={{}})"
        for name in game_names()
        for option in ("rules", "players", "names", *game(name).options)
    ),
    "sk.puzzle('muddy_children').problem({int})",
    "list(sk.check(sk.puzzle('muddy_children').problem(2), {Engine}, {Budget}))",
    "sk.parse('p') & {Formula}",
    "sk.parse('p') >> {Formula}",
    "sk.atleast({int}, [{Formula}, {}])",
    "sk.Event('said', observes=dict(a={}))",
    "sk.PossibleEvent('e', {Formula}, [sk.Postcondition({}, {Formula})])",
    "sk.ActionModel('act', [sk.PossibleEvent('e')], dict(a=sk.WHICH, b=sk.NOTHING))",
    "sk.ActionModel('act', [sk.PossibleEvent('e')], dict(a=sk.that({})))",
    "model.Likelihood((({Formula}, {}),))",
    "language.P('a', sk.parse('p'), '>=', {})",
    "engine.holds(scene, {Formula | str}, {Budget}).why()",
    "scene.update(sk.Event('moved', changes=(sk.Change({str}, {}),)))",
    "scene.update(sk.Event('new', fluents=(sk.Fluent({str}, ('1', '2')),)), {World})",
)
"""Calls that may have any values anywhere."""

RIGHT = tuple(call for call in ODD_ANYWHERE if all(map(_is_known, _HOLE.findall(call))))
"""Calls whose arguments can all have the declared types."""
