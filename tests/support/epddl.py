"""Tasks in EPDDL for tests: the files of `tests/data/epddl`, and muddy children of any number."""

from __future__ import annotations

from pathlib import Path

from symkripke.problems.epddl.ground import ground
from symkripke.problems.epddl.reader import read_task
from symkripke.problems.epddl.syntax import Text
from symkripke.problems.planning import Task

FOLDER = Path(__file__).parent.parent / "data" / "epddl"

_ALONE = "([(bob eve)] (heads)) ([bob] (not ([Kw. ann] (heads))))"

GOALS = {
    "([ann] (heads))": 2,
    "([bob] (heads))": 4,
    "([C. All] (heads))": 5,
    f"(and {_ALONE} (<ann> (not ([Kw. eve] (heads)))))": 6,
    f"(and {_ALONE} ([eve] ([ann] (heads))))": 5,
}
"""Goals of the domain `coin`, each with the length of its shortest plans."""


def text_of(name: str) -> str:
    """Return the text of a file."""
    return (FOLDER / f"{name}.epddl").read_text(encoding="utf-8")


def task_of_texts(*texts: str) -> Task:
    """Return the task in these texts."""
    return ground(read_task(Text(text, f"file{number}") for number, text in enumerate(texts)))


def coin(goal: str) -> Task:
    """Return the task of reaching a goal in the domain `coin`."""
    problem = text_of("coin-heads").replace("([ann] (heads))", goal)
    return task_of_texts(text_of("coin"), problem)


def muddy(children: int, dirty: int) -> tuple[str, str]:
    """Return a domain and a problem: each child may be asked whether it knows that it is muddy.

    The first child has to learn it.
    """
    domain = """(define (domain muddy)
  (:requirements :partial-observability :modal-preconditions :knowing-whether)
  (:action-type-libraries basic)
  (:predicates (muddy ?c - agent))
  (:event says-yes :parameters (?c - agent) :precondition ([Kw. ?c] (muddy ?c)))
  (:event says-no :parameters (?c - agent) :precondition (<Kw. ?c> (muddy ?c)))
  (:action ask :parameters (?c - agent)
    :action-type (public-sensing (says-yes ?c) (says-no ?c))
    :observability-conditions (default Fully)))
"""
    names = [f"c{number}" for number in range(1, children + 1)]
    facts = [f"(muddy {name})" for name in names[:dirty]]
    facts += [f"(not (muddy {name}))" for name in names[dirty:]]
    problem = f"""(define (problem muddy-{children}-{dirty})
  (:domain muddy)
  (:requirements :equality :list-comprehensions :finitary-S5-theories :modal-goals)
  (:agents {" ".join(names)})
  (:init (:and
    {" ".join(facts)}
    ([C. All] (exists (?c - agent) (muddy ?c)))
    (:forall (?c ?d - agent | (/= ?c ?d)) ([C. All] ([Kw. ?c] (muddy ?d))))))
  (:goal ([Kw. c1] (muddy c1))))
"""
    return domain, problem
