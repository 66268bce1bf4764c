"""SMCDEL's format: parsed like SMCDEL, answered by its definitions, and converted to ours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symkripke.engines import engine
from symkripke.errors import Unsupported
from symkripke.language import formulas as f
from symkripke.language import parse
from symkripke.model import World
from symkripke.problems.checker import check
from symkripke.problems.problem import Problem, Question
from symkripke.problems.reader import read
from symkripke.problems.smcdel.convert import convert, shape
from symkripke.problems.smcdel.reader import read_smcdel
from symkripke.problems.smcdel.syntax import Written
from symkripke.testing.random_models import Seeded, some
from tests.support.smcdel_states import States, random_smcdel

AGENTS = ("Ann", "Bob", "c3")
VARIABLES = ("p0", "p1", "p2", "p14")


def meaning(text: str) -> f.Formula:
    """Return the formula that the text stands for."""
    return Written(text).whole()


def true_variables(world: World) -> list[int]:
    numbers = (re.fullmatch(r"p(\d+)", name) for name, value in world.items() if value == "true")
    return [int(number[1]) for number in numbers if number]


@pytest.mark.parametrize("seed", range(150))
def test_answers_match_the_definitions(seed: int) -> None:
    """Random files with updates are compared with lists of the states of each structure."""
    choices = Seeded(seed)
    variables = VARIABLES[: choices.integer(2, 3)]
    agents = AGENTS[: choices.integer(1, 3)]
    observed = {agent: frozenset(some(choices, variables, 0, 3)) for agent in agents}
    fact = random_smcdel(Seeded(seed), variables, agents, 0)
    law = f"(({fact} | 0) -> {variables[-1][1:]})" if seed % 3 else "Top"
    now = States.of(variables, meaning(law), observed)
    lines = [
        f"VARS {', '.join(name[1:] for name in variables)}",
        f"LAW {law} OBS",
        *(f"{a}: {', '.join(sorted(x[1:] for x in seen))}" for a, seen in observed.items()),
    ]
    expected: list[list[list[int]]] = []
    for place in range(3):
        formula = random_smcdel(choices, variables, agents, 3)
        if place and len(agents) > 1:  # private news, and others' knowledge of it
            heard = random_smcdel(choices, variables, agents, 2)
            known = random_smcdel(choices, variables, agents, 1 + place)
            hears, knows = agents[:2]
            then = f"{knows} knows that {hears} knows that {known}"
            formula = f"[{hears} ?! {heard}] ({then} | {formula})"
        lines.append(f"WHERE? {formula}")
        expected.append(_numbers(now, meaning(formula)))
        if place == 1:
            said = random_smcdel(choices, variables, agents, 2)
            if now.told(meaning(said)).law:
                lines.append(f"UPDATE! {said}")
                now = now.told(meaning(said))
    text = "\n".join(lines)
    try:
        problem = read_smcdel(text).problem
    except Unsupported as error:
        assert "under Forall or Exists" in str(error)  # noqa: PT017
        return
    found: list[list[list[int]]] = []
    for outcome in check(problem, engine("explicit"), count=False):
        if isinstance(outcome.step, Question):
            assert outcome.refused is None, text
            assert outcome.where is not None
            assert outcome.where.number == len(expected[len(found)]), text
            found.append(sorted(map(true_variables, outcome.where.worlds)))
    assert [len(one) for one in found] == [min(5, len(one)) for one in expected]
    for one, all_of_them in zip(found, expected, strict=True):
        assert all(state in all_of_them for state in one), text


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("knowing", [False, True], ids=["facts", "knowledge"])
def test_chains_of_announcements_whether(seed: int, knowing: bool) -> None:
    """Long chains, announced to all or to some agents, are compared with lists of states."""
    choices = Seeded(1000 + seed)
    variables, agents = VARIABLES[:3], AGENTS[:2]
    observed = {agent: frozenset(some(choices, variables, 0, 2)) for agent in agents}
    now = States.of(variables, f.TRUE, observed)
    formula = random_smcdel(choices, variables, agents, 2)
    one, other = agents
    formula = f"({one} knows whether 1 & ({one}, {other}) comknow that {formula} & {formula})"
    for number in range(7 if knowing else 5):
        left, right = (choices.one_of(variables)[1:] for _ in range(2))
        said = choices.one_of((f"({left} | {right})", f"({left} iff ~{right})", left))
        if knowing and number % 2:
            said = f"{choices.one_of(agents)} knows whether {said}"
        if number == 2:
            formula = f"({one} knows that {formula} | {other} knows that 0)"
        hears = one if seed % 4 == 3 and number == 1 else ""
        formula = f"[{hears} ?! {said}] {formula}"
    text = "\n".join(
        [
            f"VARS {', '.join(name[1:] for name in variables)}",
            "LAW Top OBS",
            *(f"{a}: {', '.join(sorted(x[1:] for x in seen))}" for a, seen in observed.items()),
            f"WHERE? {formula}",
        ]
    )
    expected = now.law & now.where(meaning(formula))
    varied = "Exists" in text or "Forall" in text
    convertible = not (knowing or varied or seed % 4 == 3)
    asked = engine("bdd") if seed % 2 else engine("explicit")
    for problem in (
        read_smcdel(text).problem,
        *((read(convert(text)),) if convertible else ()),
    ):
        found = [o for o in check(problem, asked, count=False) if o.where is not None]
        assert len(found) == 1
        assert found[0].where is not None
        assert found[0].where.number == len(expected), text


def test_a_long_chain_of_announcements_whether_is_linear() -> None:
    """Each announcement adds one fluent, and one step in our format."""
    sizes = []
    for length in (10, 20, 40):
        variables = range(1, length + 1)
        whether = " ".join(f"[?! ({n} | {n % length + 1})]" for n in variables)
        text = f"VARS {', '.join(map(str, variables))} LAW Top OBS a: 1 b: 2 VALID? {whether} "
        problem = read_smcdel(text + "b knows that a knows whether (2 | 3)").problem
        assert len(problem.steps) == length + 1
        readers = f"a_hears_1_to_{length}", f"b_hears_1_to_{length}"
        assert problem.structure.agents == ("a", "b", *readers)
        sizes.append(len(convert(text + "a knows whether 2")))
        for name in ("sat", "bdd", "smt") if length < 40 else ("auto",):
            *_, last = check(problem, engine(name), count=False)
            assert last.answer is not None
            assert bool(last.answer)
    assert sizes[2] < 5 * sizes[0]


def _numbers(now: States, formula: f.Formula) -> list[list[int]]:
    true = now.law & now.where(formula)
    return sorted(sorted(int(name[1:]) for name in state) for state in true)


# ---- files ------------------------------------------------------------------------------------

FILES = sorted((Path(__file__).parent.parent / "data" / "smcdel").glob("*.smcdel.txt"))


def answers(text: str) -> list[str]:
    """Return the answers that a file states, which were found by hand and by `States`."""
    return [words.strip() for words in re.findall(r"^-- answer:(.*)$", text, re.MULTILINE)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_files_get_their_stated_answers(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    problem = read_smcdel(text, str(file)).problem
    found: list[tuple[int | None, list[str]]] = []
    for outcome in check(problem, count=False):
        if outcome.where is not None:
            first = sorted(map(true_variables, outcome.where.worlds))
            found.append((outcome.where.number, [f"{{{', '.join(map(str, s))}}}" for s in first]))
        elif outcome.answer is not None:
            found.append((None, ["true" if outcome.answer else "false"]))
    expected = answers(text)
    assert len(found) == len(expected)
    for (number, shown), answer in zip(found, expected, strict=True):
        listed = re.findall(r"\{[^}]*\}", answer)
        if number is None:
            assert shown == [answer]
        else:
            assert number == len(listed)
            assert len(shown) == min(number, 5)
            assert set(shown) <= set(listed)


# ---- differences from our own syntax -------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("0 | 1 & 2", "(p0 | p1) & p2"),
        ("0 & 1 | 2", "(p0 & p1) | p2"),
        ("0 -> 1 -> 2", "(p0 -> p1) -> p2"),
        ("0 iff 1 -> 2", "(p0 <-> p1) -> p2"),
        ("0 -> 1 iff 2", "(p0 -> p1) <-> p2"),
        ("K a 0 & 1", "K[a] (p0 & p1)"),
        ("a knows that 0 & 1", "K[a] p0 & p1"),
        ("[! 0] 1 & 2", "([!p0] p1) & p2"),
        ("~ K a 0 -> 1", "~K[a] (p0 -> p1)"),
        ("0 & Kw a 1 | 2", "p0 & Kw[a] (p1 | p2)"),
        ("[! K a 0 & 1] 2", "[!K[a] (p0 & p1)] p2"),
        ("<! 0> 1", "<!p0> p1"),
        ("XOR(0, 1)", "~(p0 <-> p1)"),
        ("ONEOF(0, 1, 2)", "exactly(1; p0, p1, p2)"),
        ("a, b comknow whether 0", "C[a, b] p0 | C[a, b] ~p0"),
        ("(a) distknow that 007", "D[a] p7"),
        ("a knows whether (0, 1)", "Kw[a] p0 & Kw[a] p1"),
    ],
)
def test_texts_without_brackets_are_parsed_like_smcdel(text: str, ours: str) -> None:
    assert meaning(text) is parse(ours)


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("0 | 1 & 2", "line 1, column 44: & and | have the same precedence"),
        ("0 -> 1 -> 2", "-> groups to the left"),
        ("0 iff 1 -> 2", "iff groups to the left"),
        ("K a 0 & 1", "K reaches to the end"),
        ("~ Kw a 0 | 1", "Kw reaches to the end"),
        ("0 & 1 | 2", ""),
        ("(0 | 1) & 2", ""),
        ("0 -> 1 iff 2", ""),
        ("K a (0 & 1)", ""),
        ("a knows that 0 & 1", ""),
    ],
)
def test_a_warning_if_our_own_syntax_groups_differently(text: str, warned: str) -> None:
    warnings = read_smcdel(f"VARS 0, 1, 2 LAW Top OBS a: 0 VALID? {text}").warnings
    assert len(warnings) == bool(warned)
    assert all(warned in warning for warning in warnings)


# ---- conversion ---------------------------------------------------------------------------------


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_converted_files_are_equivalent(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    original = read_smcdel(text).problem
    if file.name.startswith("coin"):  # some agents hear about knowledge there
        with pytest.raises(Unsupported, match="hear something about knowledge"):
            convert(text)
        return
    again = read(convert(text))
    assert shape(again) == shape(original)
    for one, other in zip(_asked(original), _asked(again), strict=True):
        assert one == other


def _asked(problem: Problem) -> list[tuple[bool | None, int | None]]:
    return [
        (
            None if outcome.answer is None else bool(outcome.answer),
            None if outcome.where is None else outcome.where.number,
        )
        for outcome in check(problem, count=False)
        if isinstance(outcome.step, Question)
    ]


def test_names_that_are_keywords_of_our_format_are_refused() -> None:
    with pytest.raises(Unsupported, match="rename"):
        convert("VARS 1 LAW 1 OBS law: 1 if: VALID? if knows that 1")
