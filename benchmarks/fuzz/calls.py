"""Calls of the Python interface, as lines of a program; each line is run by itself."""

from __future__ import annotations

import re
from random import Random

from benchmarks.fuzz.formulas import AGENTS, formula

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
"""What every program begins with: a small structure, a scene, a perspective, an engine."""

_ODD = (
    "None", "True", "3", "-1", "1.5", "float('nan')", "10**30", "''", "'nobody'", "'a'", "'p'",
    "'x'", "[]", "['a']", "['a', 'a']", "()", "{}", "{'p': 'true'}", "{'p': 3}", "object()",
    "b'p'", "'p &'", "'K[a] p'", "'\\x00'", "'p' * 3", "scene", "view", "structure", "engine",
    "world", "{**world, 'x': '2'}", "sk.Atom('p', 'true')", "sk.Atom('p', 'two')",
    "sk.Atom('nothing', 'true')", "sk.Atom('', '')", "sk.Budget(seconds=0)",
    "sk.Budget(conflicts=0)", "(lambda: 1)",
)  # fmt: skip

_HOLES = {
    "n": ("0", "1", "2", "5", "-1", "10**9"),
    "e": ("'auto'", "'sat'", "'bdd'", "'smt'", "'explicit'"),
    "s": (
        "''",
        "'nobody'",
        "'a'",
        "'p'",
        "'x'",
        "'x#0'",
        "'C[*] p'",
        "'p &'",
        "'\\x00'",
        "'a' * 300",
    ),
    "l": ("[]", "['a']", "['a', 'a']", "['a', 'nobody']", "('p', 'x')", "('p', 'nothing')"),
    "w": ("{}", "world", "{'p': 'true'}", "{**world, 'x': 'nine'}", "{**world, 'z': '1'}"),
    "t": (
        "[]",
        "[sk.Atom('p', 'true')]",
        "[sk.Atom('p', 'true'), sk.Atom('p', 'false')]",
        "[sk.Atom('p', 'two')]",
        "[sk.Atom('nothing', 'true')]",
        "[sk.Atom('x', v) for v in ('1', 'two', '3')]",
    ),
    "c": (
        "None",
        "'1'",
        "'nine'",
        "(('1', sk.parse('p')),)",
        "(('1', sk.parse('p')), ('two', sk.parse('p')))",
        "(('1', sk.parse('K[a] p')), ('two', sk.parse('~K[a] p')))",
        "()",
    ),
}
"""What a hole of that letter is filled with; {f} is a formula, {b} a budget, {} anything."""

# Right types, but wrong names, sizes, values, and in an odd order.
_RIGHT = (
    "engine = sk.engine({s})",
    "engine = sk.engine({e})",
    "engine = sk.engine({e})",
    "engine = sk.engine({e}, 'bayes')",
    "engine = sk.engine('auto', {s})",
    "sk.parse({s})",
    "sk.parse({f})",
    "sk.Fluent({s}, {l})",
    "sk.Vocabulary.of(fluents, {l})",
    "sk.Vocabulary.of([*fluents, sk.Fluent({s}, ('1', '2'))], ('a',))",
    "sk.KnowledgeStructure.of(vocabulary, [sk.Constraint(sk.parse({f}), 'law')], sees)",
    "sk.KnowledgeStructure.of(vocabulary, law, {{s}: [sk.Observable(o, 'o') for o in {t}]})",
    "sk.exactly({n}, [sk.parse({f}), sk.parse({f})])",
    "sk.atleast({n}, {t})",
    "sk.Budget(seconds={n})",
    "scene = sk.Scene.of(structure, {w})",
    "scene = sk.Scene.of(first, world)",
    "scene = scene.after({n})",
    "view = scene.perspective({s})",
    "view = scene.perspective('b')",
    "view = view.after({n})",
    "sk.Perspective.of(structure, {s}, {t})",
    "engine.holds(scene, {f}, {b})",
    "engine.holds(scene, {f}, {b}).why()",
    "engine.holds(view, {f}, {b})",
    "engine.valid(structure, {f}, {b})",
    "engine.witness(structure, {f}, {b})",
    "engine.witness(view, {f}, {b})",
    "engine.possible_to(scene, {f}, {l}, {b})",
    "engine.possible_to(scene, {f}, ('a', 'b', 'c'), {b})",
    "engine.sheet(view, {t}, {b})",
    "engine.possibilities(view, {t}, {n})",
    "engine.believed(view, {b})",
    "engine.worlds(structure, {l}, {b})",
    "engine.worlds(view, None, {b})",
    "engine.probability(view, {f}, {b})",
    "engine.marginals(view, {t})",
    "engine.distribution(view, {t}, {n})",
    "engine.entropy(view, {t})",
    "engine.sample(view, min(100, {n}), random.Random(1), {l})",
    "engine.steps(view, {l})",
    "structure.parse({s})",
    "structure = structure.update(sk.Event('said', (sk.Constraint(sk.parse({f}), 'said'),)))",
    "structure = structure.announce({f})",
    "scene = scene.update(sk.Event('said', (sk.Constraint(sk.parse({f}), 'said'),)))",
    "scene = scene.update(sk.Event('said', (sk.Constraint(sk.parse({f}), 'said'),)), None, "
    "lambda s, f: bool(engine.holds(s, f)))",
    "scene = scene.update(sk.Event('moved', changes=(sk.Change('x', {c}),)), {w})",
    "structure = structure.update(sk.Event('moved', changes=(sk.Change({s}, {c}),)))",
    "scene = scene.update(sk.Event('moved', changes=(sk.Change('y', (('1', sk.parse({f})), "
    "('2', sk.negation(sk.parse({f}))))),)))",
    "scene = scene.update(sk.Event('new', fluents=(sk.Fluent({s}, ('1', '2')),)), {w})",
    "scene = scene.update(sk.Event('new', fluents=(sk.Fluent('w', ('1', '2')),)), {'w': '1'})",
    "sk.puzzle({s})",
    "sk.game({s})",
    "sk.game('cluedo').setup(players={n}, rules={s})",
    "sk.game('perudo').setup(players={n}, rules='study')",
    "sk.Table(sk.game('cluedo'), sk.game('cluedo').setup(players=3), {l}, {n})",
    "sk.Record.parse({s})",
    "sk.Record.read({s})",
)

ODD_ANYWHERE = (
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
    "sk.PossibleEvent({}, {f})",
    "sk.PossibleEvent('e', {f}, [sk.Postcondition({}, {f})])",
    "sk.ActionModel({}, [sk.PossibleEvent('e', {f})])",
    "sk.ActionModel('act', {})",
    "sk.ActionModel('act', [sk.PossibleEvent('e')], {'a': sk.WHICH, 'b': sk.NOTHING})",
    "sk.ActionModel('act', [sk.PossibleEvent('e')], {'a': sk.that({})})",
    "sk.MultiPointedStructure.of({}, {f})",
    "sk.MultiPointedStructure.of(structure, {})",
    "scene.update({})",
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
    "sk.Constraint(sk.parse('p'), {})",
    "sk.Observable({}, {})",
    "sk.Atom({}, {})",
    "sk.Soft({}, {}, {})",
    "sk.Origin.of({})",
    "sk.disjunction([{}, {}])",
    "sk.atmost({n}, {})",
    "language.K({}, {})",
    "language.C({}, {})",
    "language.B('a', {}, {})",
    "language.Kv('a', {})",
    "language.P('a', {}, {}, {})",
    "language.P('a', sk.parse('p'), '>=', {})",
    "language.And({})",
    "language.Not({})",
    "language.Announced({}, {})",
    "language.Constant({})",
    "language.Cardinality({}, {}, {})",
    "language.parse_question({})",
    "sk.parse('p') & {}",
    "sk.parse('p') >> {}",
    "model.announcement({}, {})",
    "model.private({}, {}, {}, {})",
    "model.private(sk.Fluent('s'), {}, sk.parse('p'), 'why')",
    "model.forgetting({}, {})",
    "model.forgetting(view, {})",
    "model.forgotten({})",
    "model.evaluate({}, {})",
    "model.Likelihood({}, {})",
    "model.Likelihood((({}, {}),))",
    "model.DerivedFluent({}, {})",
    "sk.Event('said', {})",
    "sk.Event('said', observes={})",
    "sk.Event('said', observes={'a': {}})",
    "sk.Event('said', fluents={}, changes={})",
    "sk.Event('said', likelihoods={}, soft={}, asks={})",
    "sk.Perspective.of(structure, {}, {})",
    "sk.Perspective.of({}, 'a', {})",
    "view.update({}, {})",
    "view.believing({})",
    "structure.announce({}, {})",
    "structure.resolve({})",
    "structure.plausibility({})",
    "structure.fluents({})",
    "vocabulary.extended({})",
    "vocabulary.agent({})",
    "vocabulary.signature_of({})",
    "engines.counter({})",
    "engine.steps(view, {})",
    "engine.steps({}, ['x'])",
    "engine.worlds({})",
    "engine.sheet({})",
    "engine.entropy({}, {})",
    "engine.marginals({})",
    "sk.puzzle({})",
    "sk.puzzle('muddy_children').problem({})",
    "list(sk.check({}, {}))",
    "list(sk.check(sk.puzzle('muddy_children').problem(2), {}, {}))",
    "sk.Problem({}, {})",
    "problems.read({})",
    "problems.read('props p', {}, {})",
    "problems.read_file({})",
    "problems.Question({}, {})",
    "sk.game({})",
    "sk.game('cluedo').setup(players={})",
    "sk.game('cluedo').setup(rules={})",
    "sk.game('cluedo').setup(names={})",
    "sk.game('cluedo').setup(edition={}, silence_speaks={})",
    "sk.game('cluedo').setup(size={})",
    "sk.game('perudo').setup(dice={}, faces={})",
    "sk.game('perudo').setup(palifico={}, calza={}, first={})",
    "sk.game('old_maid').setup(ranks={}, choose={})",
    "sk.game('kwartet').setup(groups={}, allow_bluff={})",
    "sk.game('sleuth').setup(size={})",
    "sk.Table(sk.game('kwartet'), sk.game('kwartet').setup(), {})",
    "sk.Table(sk.game('kwartet'), sk.game('kwartet').setup(), seed={}, turns={})",
    "sk.Table(sk.game('kwartet'), sk.game('kwartet').setup(), answering={})",
    "sk.Table(sk.game('kwartet'), sk.game('kwartet').setup(), engine_name={})",
    "sk.Table(sk.game('kwartet'), sk.game('kwartet').setup(), deal={})",
    "sk.Table({}, {})",
    "sk.Table.of({}, minds={})",
    "table.view({})",
    "table.assess_before_last({})",
    "table.moment.at({})",
    "table.moment.after({})",
    "table.moment.ask({}, {}, {})",
    "table.moment.perspective({})",
    "table.moment.question({})",
    "table.moment.probability({}, {})",
    "table.moment.probability('ann', {}, given={})",
    "table.moment.sheet({})",
    "table.moment.marks({}, {})",
    "{}.record",
    "sk.Record.parse({})",
    "sk.Record.read({})",
    "table.record.write({})",
    "table.record.replay({}, {})",
)  # fmt: skip
"""Calls with anything anywhere."""


_HOLE = re.compile(r"\{([a-z]?)\}")


def filled(line: str, chance: Random, seconds: float) -> str:
    """A call with something in its holes."""

    def new(hole: re.Match[str]) -> str:
        if hole[1] == "f":
            return repr(formula(chance, chance.choice((1, 2, 3)), AGENTS))
        if hole[1] == "b":
            return f"sk.Budget(seconds={seconds})"
        return chance.choice(_HOLES[hole[1]] if hole[1] else _ODD)

    return _HOLE.sub(new, line)


def some_calls(chance: Random, seconds: float, *, any_types: bool) -> tuple[str, ...]:
    """A few calls.

    With `any_types` anything may stand anywhere; else values have the types that are declared, and
    are wrong otherwise: names, sizes, order.
    """
    lines = ODD_ANYWHERE if any_types else _RIGHT
    chosen = [chance.choice(lines) for _ in range(chance.choice((1, 3, 6, 10)))]
    return tuple(filled(line, chance, seconds) for line in chosen)


def about_formula(text: str, chance: Random, seconds: float) -> tuple[str, ...]:
    """A formula read, printed, read again, and asked."""
    name = chance.choice(("auto", "auto", "sat", "sat", "bdd", "smt", "explicit"))
    asked = chance.choice(("holds(scene, ", "holds(view, ", "valid(structure, ", "witness(scene, "))
    why = ".why()" if asked.startswith(("holds(s", "valid")) and chance.random() < 0.2 else ""
    return (
        f"read = sk.parse({text!r}); assert sk.parse(str(read)) == read, 'reads as another'",
        f"engine = sk.engine({name!r})",
        f"engine.{asked}{text!r}, sk.Budget(seconds={seconds})){why}",
    )
