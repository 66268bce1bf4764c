"""Ctrl-C inside a native solver: it ends the question, and the next question works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no signals to send")

# Asks the same hard question twice, then an easy question of the same solver.
_TWICE = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {{signal.SIGINT}})
{prepared}
for _ in range(2):
    print("begun", flush=True)
    try:
        {hard}
        print("answered", flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
print("blocked" if signal.pthread_sigmask(signal.SIG_BLOCK, []) else "open")
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
{easy}
"""

# Eleven pigeons do not fit into ten holes: a short formula that is hard to refute.
_PIGEONS = """
from itertools import combinations
from symkripke.engines.sat.solver import Solver, implied_by, solve
def in_hole(pigeon, hole):
    return pigeon * 12 + hole + 1
solver = Solver()
for pigeon in range(13):
    solver.add_clause([1000, *(in_hole(pigeon, hole) for hole in range(12))])
for hole in range(12):
    for pair in combinations(range(13), 2):
        solver.add_clause([1000, *(-in_hole(pigeon, hole) for pigeon in pair)])
"""

_PIGEONS_OF_Z3 = """
import z3
from symkripke.engines.smt.solving import Asking
context = z3.Context()
spot = [[z3.Bool(f"p{p}_{h}", context) for h in range(12)] for p in range(13)]
said = [z3.Or(*row) for row in spot]
said += [z3.AtMost(*(row[hole] for row in spot), 1) for hole in range(12)]
asking = Asking(context)
hard = z3.And(*said)
"""


@pytest.mark.parametrize(
    ("prepared", "hard", "easy"),
    [
        pytest.param(
            _PIGEONS,
            "solve(solver, [-1000])",
            "print(solve(solver, [1000]), 1 in implied_by(solver, [1]))",
            id="sat",
        ),
        pytest.param(
            _PIGEONS_OF_Z3,
            "asking.satisfiable(hard)",
            "print(asking.satisfiable(said[0]), True)",
            id="smt",
        ),
    ],
)
def test_ctrl_c_ends_a_question_and_not_the_solver(prepared: str, hard: str, easy: str) -> None:
    program = _TWICE.format(prepared=prepared, hard=hard, easy=easy)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        # Without this timer, the test would wait for the solver if a Ctrl-C were lost.
        ended = threading.Timer(60, process.kill)
        ended.start()
        assert process.stdout is not None
        seen = []
        for _ in range(2):
            seen.append(process.stdout.readline())
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            seen.append(process.stdout.readline())
        seen += process.stdout.read().split("\n")
        ended.cancel()
    asked = ["begun\n", "interrupted\n"]
    assert seen == [*asked, *asked, "open", "True", "True True", ""]


@pytest.fixture(autouse=True)
def _unblocked() -> None:
    """Check that Ctrl-C is not blocked, because child processes would inherit that."""
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
