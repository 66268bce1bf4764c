"""Reading EPDDL: what files contain, and one error with a place for each fault."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from symkripke.errors import OutOfMemory, ProblemError, TooManyWorlds
from symkripke.language import FALSE, TRUE, Atom, Name
from symkripke.limits import within
from symkripke.problems.epddl.ground import ground
from symkripke.problems.epddl.reader import Specification, read_task
from symkripke.problems.epddl.requirements import REQUIREMENTS, entailed
from symkripke.problems.epddl.syntax import Text
from symkripke.problems.epddl.words import (
    action_words,
    specification_words,
    task_words,
    theory_words,
)
from symkripke.process_memory import resident
from tests.support.epddl import task_of_texts, text_of

COIN = text_of("coin")
HEADS = text_of("coin-heads")
NUMBERS = text_of("numbers"), text_of("numbers-3")
TOWER = text_of("tower"), text_of("tower-4")


def specification(*texts: str) -> Specification:
    """Read the texts of a task."""
    return read_task(Text(text, f"file{number}") for number, text in enumerate(texts))


def test_there_are_61_requirements() -> None:
    assert len(REQUIREMENTS) == 61
    assert ":lists" in entailed([":finitary-S5-theories"])
    assert ":modal-list-formulas" not in entailed([":general-formulas"])
    assert ":conditional-effects" in entailed([":quantified-postconditions"])


def test_a_theory_lists_the_worlds_of_its_law_and_no_others() -> None:
    """The law has 7 worlds over 16 free atoms; Bob's number leaves two of them."""
    task = task_of_texts(*NUMBERS)
    assert (task.start.number, task.start.designated.bit_count()) == (7, 2)
    assert len(task.start.arrows["ann"]) == 4
    assert task.facts[Atom(Name("next", ("n0", "n1")))] is True
    assert task.facts[Atom(Name("next", ("n1", "n0")))] is False


def test_atoms_without_a_law_double_the_worlds() -> None:
    domain = COIN.replace("(heads)", "(heads) (rain ?a - agent)", 1)
    assert task_of_texts(domain, HEADS).start.number == 2 * 2**3
    many = COIN.replace("(heads)", "(heads) (rain ?a ?b ?c - agent)", 1)
    with pytest.raises(TooManyWorlds, match="does not mention 28 atoms"):
        task_of_texts(many, HEADS)


def test_a_listed_state_has_the_relations_that_are_given_and_no_others() -> None:
    task = task_of_texts(*TOWER)
    assert task.start.number == 1
    assert task.start.successors("crane", 0) == 1
    blind = TOWER[1].replace(":relations (crane (w w))", ":relations ()")
    read = specification(TOWER[0], blind)
    assert ground(read).start.successors("crane", 0) == 0
    assert read.notes == (
        "file1, line 5: crane has no relation, so that crane considers no world possible",
    )
    twice = TOWER[1].replace("(crane (w w))", "(crane (w w) crane ())")
    read = specification(TOWER[0], twice)
    assert read.notes == (
        "file1, line 5: the relation of crane is given twice; the last one counts",
    )


def test_basic_actions_have_effects() -> None:
    """Plank ignores the effects of actions of the type `basic`."""
    action = task_of_texts(*TOWER).actions["lift_b2_b1_b3"]
    assert action.kind == "basic"
    (event,) = action.events
    assert event.effects[Atom(Name("on", ("b2", "b3")))] is TRUE
    assert event.effects[Atom(Name("on", ("b2", "b1")))] is FALSE


def test_else_if_excludes_the_cases_before_it() -> None:
    """Plank forgets the condition of `else-if` itself."""
    domain = COIN.replace(
        "(if (awake ?b) Partially else Oblivious)",
        "(if (awake ?b) Partially else-if (heads) Fully else Oblivious)",
    )
    cases = dict(task_of_texts(domain, HEADS).actions["peek_ann"].observability["bob"])
    assert str(cases["Partially"]) == "awake(bob)"
    assert str(cases["Fully"]) == "~awake(bob) & heads"
    assert str(cases["Oblivious"]) == "~awake(bob) & ~heads"


def test_modalities_of_groups_are_about_each_member() -> None:
    goal = "(and (<(ann bob)> (heads)) (<Kw. All> (heads)) ([C. (ann eve)] (heads)))"
    task = task_of_texts(COIN, HEADS.replace("([ann] (heads))", goal))
    assert str(task.goal) == (
        "M[ann] heads & M[bob] heads & ~Kw[ann] heads & ~Kw[bob] heads & ~Kw[eve] heads & "
        "C[ann, eve] heads"
    )


def test_groups_have_names() -> None:
    problem = HEADS.replace("(:init", "(:agent-groups (team (ann eve)))\n  (:init", 1)
    task = task_of_texts(COIN, problem.replace("([ann] (heads))", "([C. team] (heads))"))
    assert str(task.goal) == "C[ann, eve] heads"


def test_positive_effects_win_over_negative_ones() -> None:
    """An atom keeps its value if no effect applies; in plank, it needs a negative effect for it."""
    domain = COIN.replace(
        ":effects (uncovered))",
        (":effects (:and (when (heads) (uncovered)) (when (awake ?a) (not (uncovered)))))"),
        1,
    )
    (event, _) = task_of_texts(domain, HEADS).actions["uncover_ann"].events
    assert str(event.effects[Atom(Name("uncovered"))]) == "heads | uncovered & ~awake(ann)"
    only = COIN.replace(":effects (uncovered))", ":effects (when (heads) (uncovered)))", 1)
    (event, _) = task_of_texts(only, HEADS).actions["uncover_ann"].events
    assert str(event.effects[Atom(Name("uncovered"))]) == "heads | uncovered"
    both = domain.replace("(when (heads) (uncovered))", "(iff (heads) (uncovered))")
    (event, _) = task_of_texts(both, HEADS).actions["uncover_ann"].events
    assert str(event.effects[Atom(Name("uncovered"))]) == (
        "heads | uncovered & ~(~heads | awake(ann))"
    )


def test_missing_requirements_are_warnings() -> None:
    read = specification(COIN.replace(":group-modalities ", ""), HEADS)
    assert read.notes == (
        "file0, line 19: this needs :group-modalities, which the file does not declare",
    )


def test_libraries_may_come_from_a_file() -> None:
    library = """(define (action-type-library home) (:requirements :partial-observability)
      (:action-type seen :events (?e) :observability-types (All) :relations (All (?e ?e))
        :designated (?e)))"""
    domain = TOWER[0].replace("(basic (lifts", "(seen (lifts").replace("ies basic", "ies home")
    with_observers = domain.replace(
        "?x ?y))))", "?x ?y)) :observability-conditions (default All)))"
    )
    task = task_of_texts(with_observers, TOWER[1], library)
    assert task.actions["lift_b2_b1_b3"].kind == "seen"
    unnamed = with_observers.replace("  (:action-type-libraries home)\n", "")
    (note,) = [
        each for each in specification(unnamed, TOWER[1], library).notes if "library" in each
    ]
    assert "has the type seen of the library home, which the domain does not name" in note


def test_an_event_that_no_action_uses_is_a_remark() -> None:
    domain = COIN.replace("(:event nothing)", "(:event nothing) (:event rain)")
    assert specification(domain, HEADS).notes == ("file0, line 8: no action uses the event rain",)


def test_a_task_in_words() -> None:
    read = specification(COIN, HEADS)
    words = [*specification_words(read), *task_words(ground(read))]
    assert words[0] == "domain coin, problem coin-heads"
    assert "2 worlds, 1 of them designated" in words
    assert "goal K[ann] heads" in words
    wet = specification(COIN.replace("(heads)", "(heads) (rain)", 1), HEADS)
    (line,) = theory_words(wet, ground(wet))
    assert line.endswith(
        "mention 2 atoms, so that each of them doubles the number of worlds: heads, rain"
    )
    action = list(action_words(ground(read).actions["peek_bob"]))
    assert action[0] == "peek_bob (quasi-private-sensing)"
    assert action[3] == "  apparent event nothing: if true"
    assert action[5] == "  bob: Fully if true"


# ---- faults -----------------------------------------------------------------------------------

FAULTS = [
    ("else Oblivious))))))", "else Oblivious)))))", "this '(' has no closing ')'"),
    ("(awake ?b) Partially", "(awake ?b] Partially", "expected ')', got ']'"),
    ("(:event nothing)", "(:event nothing) }", "unexpected character '}'"),
    ("(:event nothing)", "(:evnt nothing)", "unknown section ':evnt'; did you mean ':event'?"),
    (":equality", ":equalty", "unknown requirement ':equalty'; did you mean ':equality'?"),
    (":precondition (and (heads)", ":preconditon (and (heads)", "did you mean ':precondition'?"),
    ("(awake ?a - agent)", "(awake ?a - agnt)", "unknown type 'agnt'; did you mean 'agent'?"),
    ("(heads) (uncovered)", "(heads) (heads)", "the predicate 'heads' is already declared"),
    ("(not (uncovered)))", "(not (uncoverd)))", "did you mean 'uncovered'?"),
    ("(holds-cup ?a) (awake", "(holds-cup) (awake", "expected 1 argument of 'holds-cup', got 0"),
    ("(holds-cup ?a) (awake", "(holds-cup ?c) (awake", "unknown variable '?c'"),
    ("(holds-cup ?a) (awake", "(holds-cup Ann) (awake", "did you mean 'ann'?"),
    ("(and (awake ?a) (not (awake ?b)))", "(and)", "expected one or more formulas after 'and'"),
    ("([(?a ?b)] (and", "([(?a ?b) ?a] (and", "expected one agent or group"),
    ("([?a] (heads))", "([Kv. ?a] (heads))", "expected 'Kw.' or 'C.', got 'Kv.'"),
    ("([?a] (heads))", "([C. ?a] (heads))", "to be of type agent-group, not agent"),
    ("([?a] (heads))", "([?a])", "expected one formula after '[?a]', got 0"),
    ("(/= ?a ?b)", "(awake ?a)", "a condition of a list has only facts, and 'awake' is none"),
    ("(/= ?a ?b)", "([?a] (true))", "a condition of a list cannot be about knowledge"),
    ("(private-ontic (uncovers", "(private-antic (uncovers", "did you mean 'private-ontic'"),
    ("(uncovers ?a) (nothing)", "(uncovers ?a)", "expected 2 events of the type 'private-ontic'"),
    ("(uncovers ?a) (nothing)", "(nothing) (nothing)", "demands ':non-trivial-postconditions'"),
    ("(uncovers ?a) (nothing)", "(uncover ?a) (nothing)", "did you mean 'uncovers'?"),
    ("(?a Fully)", "(?a Fuly)", "unknown observability type 'Fuly'; did you mean 'Fully'?"),
    ("(:and (?a Fully) (default Oblivious))", "(?a Fully)", "expected how bob observes it"),
    ("Partially else Oblivious", "Partially", "expected how bob observes it"),
    ("Partially else Oblivious", "else Oblivious", "unknown observability type 'else'"),
    ("(:action peek", "(:action lull", "the action 'lull' is already declared"),
    ("(:event sees-tails", "(:event sees-heads", "the event 'sees-heads' is already declared"),
    (":parameters (?a ?b - agent)", ":parameters (?a ?a - agent)", "'?a' is given twice"),
    ("(:action-type-libraries intermediate)", "(:action-type-libraries middle)", "unknown library"),
    ("(define (domain", "(define (dominion", "unknown kind of file 'dominion'"),
]
"""A part of the domain, what replaces it, and the error."""

FAULTS_OF_PROBLEMS = [
    ("(:domain coin)", "(:domain coins)", "the given domain is 'coin'"),
    ("(:agents ann bob eve)", "(:agents ann bob ann)", "'ann' is already declared"),
    ("(:agents ann bob eve)", "", "expected agents, as in (:agents ann bob)"),
    ("  (:goal ([ann] (heads)))", "", "expected (:goal ...)"),
    ("([C. All] (and", "([ann] (and", "expected a formula about facts, or ([C. All] ...)"),
    ("(awake ann)", "([ann] (awake ann))", "this part of a theory cannot be about knowledge"),
    ("    (heads)\n", "    (heads) (uncovered)\n", "no world of this theory satisfies"),
    ("(awake ann)", "(awake ann) (uncovered)", "no world satisfies the common knowledge"),
    ("(:init (:and", "(:init (:or", "expected ':and' or ':forall', got ':or'"),
    ("(:goal ([ann] (heads)))", "(:goal ([anne] (heads)))", "did you mean 'ann'?"),
    ("(:requirements", "(:facts-init (heads)) (:requirements", "is not declared with ':fact'"),
]
"""The same for the problem."""


@pytest.mark.parametrize(("part", "instead", "problem"), FAULTS)
def test_a_fault_of_a_domain_has_a_place(part: str, instead: str, problem: str) -> None:
    assert part in COIN
    with pytest.raises(ProblemError) as raised:
        task_of_texts(COIN.replace(part, instead, 1), HEADS)
    assert problem in str(raised.value)
    assert re.match(r"file0, line \d+, column \d+: .*\n.*\n *\^", str(raised.value))


@pytest.mark.parametrize(("part", "instead", "problem"), FAULTS_OF_PROBLEMS)
def test_a_fault_of_a_problem_has_a_place(part: str, instead: str, problem: str) -> None:
    assert part in HEADS
    with pytest.raises(ProblemError) as raised:
        task_of_texts(COIN, HEADS.replace(part, instead, 1))
    assert problem in str(raised.value)
    assert re.match(r"file1, line \d+, column \d+: .*\n.*\n *\^", str(raised.value))


def broken() -> Iterator[tuple[str, str]]:
    """Yield the domain and the problem with one word or bracket broken."""
    for number, text in enumerate((COIN, HEADS)):
        bare = re.sub(r";[^\n]*", "", text)
        words = list(re.finditer(r"[()\[\]]|[:?\w][-\w]*", bare))
        for word in words[number::5]:
            instead = "" if word[0] in "()[]" else f"{word[0]}zz"
            changed = f"{bare[: word.start()]}{instead}{bare[word.end() :]}"
            yield (changed, HEADS) if number == 0 else (COIN, changed)


def test_every_file_with_a_broken_word_has_one_error_or_means_something_else() -> None:
    """A few words, such as the name of a problem, may be anything."""
    errors: list[str] = []
    others = 0
    for texts in broken():
        try:
            task_of_texts(*texts)
            others += 1
        except ProblemError as error:
            errors.append(str(error))
    place = re.compile(r"file\d, line \d+, column \d+: .*\n.*\n *\^")
    assert [error for error in errors if not place.match(error)] == []
    assert len(errors) > 100
    assert others < 10


def test_cells_that_do_not_fit_in_memory_are_refused() -> None:
    """Ann observes each of 18 free atoms, so that there are 2^18 cells of 2^19 worlds."""
    domain = COIN.replace("(heads)", "(heads) (p ?a ?b - agent) (q ?a ?b - agent)", 1)
    seen = "(:forall (?a ?b - agent) ([C. All] ([Kw. ann] ({} ?a ?b))))"
    theory = f"(:init (:and {seen.format('p')} {seen.format('q')}"
    problem = HEADS.replace("(:init (:and", theory, 1)
    with pytest.raises(OutOfMemory), within(memory=resident() + 300_000_000):
        task_of_texts(domain, problem)
