"""What is wrong with what came of an input."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchmarks.fuzz.watch import MOST_MEMORY, Seen
from benchmarks.fuzz.worker import Ran

FAULTS = ("traceback", "overrun", "memory", "exit code", "files")

# What `--seconds` may be overrun by.
_SPARE = 1.0

# What a process takes to start, and to read what it is asked about: not limited.
_START = 2.0


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: its kind, one of `FAULTS`, and what was seen."""

    kind: str
    seen: str


def found_in(seen: Seen) -> list[Fault]:
    """All that is wrong."""
    given, ran = seen.given, seen.ran
    found = [Fault("traceback", text) for text in ran.foreign]
    late = _overrun(seen)
    if late:
        found.append(Fault("overrun", late))
    if ran.stopped == "memory" or ran.peak > MOST_MEMORY:
        found.append(Fault("memory", f"{ran.peak / 1024**2:,.0f} MB"))
    wrong = "" if ran.stopped or given.program or ran.foreign else _wrong_code(seen)
    if wrong:
        found.append(Fault("exit code", wrong))
    touched = [name for name in seen.changed if name not in given.writes]
    if touched and "*" not in given.writes and not ran.stopped:
        found.append(Fault("files", f"changed, gone or left: {', '.join(touched)}"))
    return found


def _overrun(seen: Seen) -> str:
    given, ran = seen.given, seen.ran
    if given.seconds is None:
        return ""
    # A call is timed by itself; a command has steps of which each has its limit.
    limit = given.seconds + _SPARE
    if given.command:
        limit = _START + given.steps * limit
    if ran.seconds > limit or ran.stopped == "late":
        return f"{ran.seconds:.1f} s where {limit:.1f} were allowed"
    return ""


def _wrong_code(seen: Seen) -> str:
    given, ran = seen.given, seen.ran
    code = ran.code
    if given.codes and code not in given.codes:
        return f"{code} instead of one of {given.codes}: {ran.stderr[:300]}"
    if code not in (0, 1, 2, 3):
        return f"{code}"
    says = "Error:" in ran.stderr
    if code == 0 and any(line.startswith("Error: ") for line in ran.stderr.splitlines()):
        # At a prompt an error is told, and the next line is read.
        return "" if given.stdin else f"0, and an error is told: {ran.stderr[:300]}"
    told = says or "interrupted" in ran.stderr or (given.stdin and (ran.stderr or _refused(ran)))
    told = told or (code == 1 and _expects_wrongly(ran))
    if code in (1, 2) and not told:
        return f"{code}, and nobody is told why"
    if code == 3 and not says and not any(w in ran.stdout for w in ("no answer", "refused")):
        return "3, and nothing is left without an answer"
    return ""


def _refused(ran: Ran) -> bool:
    """Whether a dialogue tells, among what it prints, that it did not do what was typed."""
    refusals = ("Error: ", "Not understood: ", "Not possible now: ")
    return any(line.startswith(refusals) for line in ran.stdout.splitlines())


_WRONG = re.compile(
    r'^not as expected |"kind": "expect", "text": "(\\.|[^"])*", "holds": false', re.M
)


def _expects_wrongly(ran: Ran) -> bool:
    """Whether it says of something that the file expects that it is not so."""
    return _WRONG.search(ran.stdout) is not None
