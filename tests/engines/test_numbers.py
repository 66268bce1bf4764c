"""The smt engine on numbers without bounds: known answers, and twins with lists of values."""

from __future__ import annotations

import time
from importlib import resources
from itertools import product

import pytest

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.smt import SmtEngine
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.evidence import Known, Possible
from symkripke.language import Kv, negation
from symkripke.limits import Budget
from symkripke.model import Scene, announcement
from symkripke.problems.checker import check
from symkripke.problems.problem import Happening, Question
from symkripke.problems.reader import read
from tests.soak.numbers import growing, small

GALLERY = sorted(
    file.name
    for file in resources.files("symkripke_games.numbers").iterdir()
    if file.name.endswith(".skp")
)

CONSECUTIVE = """agents a, b
fluent x, y in naturals
law x = y + 1 | y = x + 1
a sees x
b sees y
"""

SUM = """agents a, b, c
fluent x, y, z in integers >= 1
law x = y + z | y = x + z | z = x + y
a sees y, z
b sees x, z
c sees x, y
"""


def answers(text: str) -> list[str]:
    """Return the verdicts of the questions of a file."""
    outcomes = check(read(text))
    return [one.verdict for one in outcomes if one.step is not None and "?" in one.step.text]


def test_an_engine_that_takes_no_numbers_refuses_the_questions_but_not_the_changes() -> None:
    text = "agents a\nfluent x in naturals\nactual x = 3\nchange x := x + 1\ntrue? K[a] x = 4\n"
    *_, last = check(read(text), ExplicitEngine())
    assert "the explicit engine does not take numbers without bounds" in str(last.refused)


@pytest.mark.parametrize("name", GALLERY)
def test_every_file_of_the_gallery_is_as_expected(name: str) -> None:
    """No expectation fails, every question has an answer, and every `valid?` is true."""
    text = resources.files("symkripke_games.numbers").joinpath(name).read_text("utf-8")
    for outcome in check(read(text, name)):
        assert outcome.refused is None
        assert outcome.answer is None or outcome.answer, outcome.step


@pytest.mark.parametrize("k", range(1, 11))
@pytest.mark.parametrize("a_is_smaller", [True, False])
def test_consecutive_numbers(k: int, a_is_smaller: bool) -> None:
    """In (2k, 2k + 1) a knows in round 2k + 1, and in (2k, 2k - 1) b knows in round 2k."""
    y = 2 * k + 1 if a_is_smaller else 2 * k - 1
    problem = read(f"{CONSECUTIVE}actual x = {2 * k}, y = {y}")
    assert problem.actual is not None
    scene, smt = Scene.of(problem.structure, problem.actual), SmtEngine()
    number = 1
    while not smt.holds(scene, knows := Kv(*(("a", "y") if number % 2 else ("b", "x")))):
        scene = scene.update(announcement(negation(knows)), judge=smt)
        number += 1
    assert number == (2 * k + 1 if a_is_smaller else 2 * k)


def test_a_is_50() -> None:
    """The answer of the puzzle is (50, 20, 30) (H. van Ditmarsch, J. Ruan, 2007)."""
    text = f"{SUM}announce ~Kv[a] x\nannounce ~Kv[b] y\nannounce ~Kv[c] z\n"
    *_, last = check(read(f"{text}announce Kv[a] x & x = 50\nwhere? true"))
    assert last.where is not None
    assert last.where.worlds == ({"x": "50", "y": "20", "z": "30"},)
    assert not last.where.is_infinite


def test_what_sum_agrees_with_a_bound_of_50_inside_the_bound() -> None:
    """In three rounds, numbers up to 10 and their sums and differences are at most 50."""
    bounded = SUM.replace("integers >= 1", "1..50")
    rounds = ("", "announce ~Kv[a] x\n", "announce ~Kv[a] x\nannounce ~Kv[b] y\n")
    inside = "x <= 10 & y <= 10 & z <= 10"
    for after, knows in zip(rounds, ("Kv[a] x", "Kv[b] y", "Kv[c] z"), strict=True):
        counts = [f"count? {knows} & {n} = {k} & {inside}\n" for n in "xyz" for k in range(1, 11)]
        asked = after + "".join(counts)
        assert answers(SUM + asked) == answers(bounded + asked)


def test_the_first_worlds_have_small_numbers() -> None:
    """Their order: the largest number without its sign, then x, y (0, 1, -1, 2, ...) and c."""
    text = "agents a\nfluent x, y in integers\nfluent c in {red, blue}\nlaw x + y = -1 | c = blue"
    (*_, last) = check(read(f"{text}\nwhere? x != 0 & y != 1"))
    assert last.where is not None
    order = (0, 1, -1, 2, -2)
    every = [
        (x, y, c)
        for x, y, c in product(order, order, ("red", "blue"))
        if x != 0 and y != 1 and (x + y == -1 or c == "blue")
    ]
    every.sort(key=lambda world: max(abs(world[0]), abs(world[1])))
    assert [tuple(world.values()) for world in last.where.worlds] == [
        (str(x), str(y), c) for x, y, c in every[: len(last.where.worlds)]
    ]
    assert len(last.where.worlds) == 5


def test_hundred_fowls() -> None:
    """100 fowls for 100 coins: 5 for a cock, 3 for a hen, 1 for 3 chicks (Zhang Qiujian, c. 470).

    Zhang gives three solutions; in the fourth there is no cock.
    """
    law = "fluent x, y, z in naturals\nlaw x + y + z = 100 & 15 * x + 9 * y + z = 300\nwhere? true"
    (*_, last) = check(read(f"agents a\n{law}"))
    assert last.where is not None
    fowls = [(0, 25, 75), (4, 18, 78), (8, 11, 81), (12, 4, 84)]
    assert [tuple(map(int, world.values())) for world in last.where.worlds] == fowls


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        # The sum and the difference of two numbers determine both.
        ("fluent x, y in integers\na sees x + y, x - y\nvalid? Kv[a] (x, y)", ["yes"]),
        # The sum alone gives the parity of the difference (see M. Presburger, 1929).
        (
            "fluent x, y in integers\na sees x + y\nvalid? Kw[a] (x - y) mod 2 = 0\n"
            "valid? Kw[a] x mod 2 = 0",
            ["yes", "no"],
        ),
        # The remainders 2, 3 and 2 by 3, 5 and 7 are those of 23 (Sunzi Suanjing, 4th century).
        (
            "fluent x in naturals\na sees x mod 3, x mod 5, x mod 7\nactual x = 23\n"
            "true? K[a] x mod 105 = 23\ntrue? K[a] x >= 23\ntrue? K[a] x mod 2 = 1",
            ["yes", "yes", "no"],
        ),
        # Five sailors and a monkey: 15,621 coconuts (B. Williams, 1926; M. Gardner, 1958).
        (
            "fluent n, b, c, d, e, f, g in naturals\n"
            "law n = 5 * b + 1 & 4 * b = 5 * c + 1 & 4 * c = 5 * d + 1 & 4 * d = 5 * e + 1\n"
            "law 4 * e = 5 * f + 1 & 4 * f = 5 * g + 1\n"
            "valid? n >= 15621\nvalid? n > 15621\nvalid? n mod 15625 = 15621",
            ["yes", "no", "yes"],
        ),
        # The e-mail game: n messages arrive, and it is never common knowledge that one does
        # (A. Rubinstein, 1989).
        (
            "agents b\nfluent n in naturals\na sees (n + 1) div 2\nb sees n div 2\nactual n = 7\n"
            "true? K[a] K[b] K[a] n >= 1\ntrue? C[a, b] n >= 1\ntrue? C[a, b] n >= 0",
            ["yes", "no", "yes"],
        ),
        # Coins of 3 and 5: 7 is the greatest impossible amount, and amounts below 15 have at most
        # one solution (J. Sylvester, 1882).
        (
            "fluent x, y in naturals\na sees 3 * x + 5 * y\n"
            "valid? for every n: 3 * x + 5 * y = n -> n != 7\n"
            "valid? 3 * x + 5 * y < 15 -> Kv[a] (x, y)\nvalid? 3 * x + 5 * y < 16 -> Kv[a] (x, y)",
            ["yes", "yes", "no"],
        ),
        # A product with a fluent that has a list of values is a case for each of them.
        (
            "fluent x in integers\nfluent k in 1..4\nlaw x * k = 12\na sees k\n"
            "valid? Kv[a] x\ncount? true\ncount? x > 3",
            ["yes", "4 worlds", "3 worlds"],
        ),
        # Between two reals there is a third, and not between two integers.
        ("fluent x in reals\nlaw 0 < x & x < 2\na sees x > 1\nvalid? K[a] x = 1", ["no"]),
        (
            "fluent x in reals\nlaw -1/2 <= x & x < 0.5\na sees 2 * x + 1/3\n"
            "valid? x + 1/2 >= 0 & Kv[a] x\nvalid? x < 1/4\nchange x := x * 1/2\nvalid? x < 1/4",
            ["yes", "no", "yes"],
        ),
        ("fluent x in integers\nlaw 0 < x & x < 2\na sees x > 1\nvalid? K[a] x = 1", ["yes"]),
        (
            "fluent x in integers\nlaw x >= 3 & x <= 5\ncount? x != 4\ncount? x > 7\ncount? true",
            ["2 worlds", "0 worlds", "3 worlds"],
        ),
        ("fluent x in integers\ncount? x > 7", ["infinitely many worlds"]),
        (
            "fluent x in reals\nlaw 0 <= x & x <= 1\ncount? 2 * x = 1\ncount? x < 1",
            ["1 world", "infinitely many worlds"],
        ),
    ],
)
def test_known_answers(text: str, verdicts: list[str]) -> None:
    assert answers(f"agents a\n{text}") == verdicts


def test_numbers_change_and_actions_go_unnoticed() -> None:
    text = """agents a, b
fluent x in naturals
fluent p
a sees x
actual x = 3, p
change x := 2 * x + 1
true? Kv[a] x & ~Kv[b] x & K[b] x mod 2 = 1
action bump "b adds one if p": event up when p: x := x + 1
  event stay when ~p
  b sees which
  a notices nothing
do bump
true? K[b] x mod 2 = 0
true? ~Kv[a] x & K[a] (x = 7 | x = 8) & B[a] x = 7
true? K[b] ~Kv[a] x
tell a: x > 7
true? K[a] x = 8 & ~K[b] K[a] x = 8
true? [bump] x = 9
"""
    assert answers(text) == ["yes"] * 6


def test_common_knowledge_is_refuted_proved_or_refused() -> None:
    text = f"{CONSECUTIVE}actual x = 4, y = 5\n"
    problem = read(text)
    assert answers(
        f"{text}true? C[a, b] x <= 9\ntrue? C[a, b] (x - y = 1 | y - x = 1)\ntrue? C[a, b] x >= 0"
    ) == ["no", "yes", "yes"]
    hard = read(f"{CONSECUTIVE}valid? K[a] ~C[a, b] x != 30").steps[0]
    assert isinstance(hard, Question)
    with pytest.raises(Unsupported, match="no answer"):
        # Under K, each step of the group reaches further worlds.
        SmtEngine().valid(problem.structure, hard.formula)


def test_evidence_has_small_worlds_and_minimal_sources() -> None:
    problem = read(f"{CONSECUTIVE}actual x = 0, y = 1")
    assert problem.actual is not None
    scene = Scene.of(problem.structure, problem.actual)
    known = engine("auto").holds(scene, "K[a] y = 1").why()
    assert isinstance(known, Known)
    assert [source.kind for source in known.sources].count("seen") == 1
    assert len(known.sources) == 3  # x = 0, the law, and that y is a natural number
    unknown = engine("auto").holds(scene, "K[b] x = 0").why()
    assert isinstance(unknown, Possible)
    assert unknown.worlds[0].world == {"x": "2", "y": "1"}
    reachable = engine("auto").holds(scene, "C[a, b] x <= 3").why()
    assert isinstance(reachable, Possible)
    assert [step.world["x"] for step in reachable.worlds] == ["2", "2", "4"]


def test_probabilities_need_finitely_many_worlds() -> None:
    text = f"{CONSECUTIVE}actual x = 4, y = 5\n"
    assert answers(f"{text}true? P[a](y = 5) = 1 / 2\nhow? P[a](y = 5)") == ["yes", "1/2 (50.0%)"]
    scene = "agents a\nfluent x in naturals\nactual x = 1\nhow? P[a](x = 1)"
    assert answers(scene) == ["no answer"]


@pytest.mark.parametrize("name", ["sat", "bdd", "explicit"])
def test_other_engines_refuse(name: str) -> None:
    with pytest.raises(Unsupported, match="the smt engine does"):
        engine(name).valid(read(CONSECUTIVE).structure, "Kv[a] x")


def test_time_limits_hold_inside_z3() -> None:
    text = """agents a, b, c
fluent x, y, z, w in integers
law 3*x + 5*y - 7*z = 2*w | 2*x - 3*y + 4*w = 5*z + 1 | x + y + z + w = 100
law x * 7 + w mod 5 > 3*y | z mod 4 = 1 | w - 2*x < y
a sees y, z
b sees x, w
c sees x + w, y mod 3
announce ~Kv[c] x | K[a] (Kv[b] y | x > y)
"""
    problem = read(text)
    (said,) = problem.steps
    assert isinstance(said, Happening)
    structure = problem.structure.update(said.event)
    begun = time.monotonic()
    with pytest.raises(BudgetExceeded):
        SmtEngine().valid(structure, "K[a] ~K[b] ~K[c] ~Kv[a] x", Budget(seconds=0.5))
    assert time.monotonic() - begun < 1.5


@pytest.mark.parametrize("seed", range(1, 4))
def test_answers_equal_those_of_listed_worlds(seed: int) -> None:
    assert small(seed).faults == []


@pytest.mark.parametrize("seed", [1, 2])
def test_answers_without_bounds_equal_those_of_quantifiers(seed: int) -> None:
    found = growing(seed)
    assert found.faults == found.notes == []
    assert found.done["growing ranges agree, quantifiers: agree"] > 9
