"""How it is told that an entry cannot be so, and what to do then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from symkripke.errors import BudgetExceeded

if TYPE_CHECKING:
    from symkripke.cli.options import Limits
    from symkripke.play import Contradiction, Journal

# Seconds that the search for the slip may take if --seconds does not say.
_PATIENCE = 10.0

# So many entries are named in which the slip may be.
_SUSPECTS = 3

_FORBIDS = {
    "rules": "The rules of the game forbid it",
    "cards": "The cards cannot be dealt like that",
}


def refused(error: Contradiction) -> Iterator[str]:
    """What is said of an entry that was refused: the entry, and why it cannot be so."""
    yield f"This cannot be so: {error.story}"
    forbids = _FORBIDS[error.forbidden_by]
    yield (
        f"  {forbids}: {error.problem.strip()}"
        if error.forbidden_by == "rules"
        else f"  {forbids}."
    )


def reasons(found: Contradiction | Journal[Any, Any], limits: Limits) -> Iterator[str]:
    """What clashes with an entry, and where the slip may be. It may take seconds to find."""
    try:
        with limits.step("looking for the slip", _PATIENCE) as tell:
            diagnosis = found.diagnose(tell=tell)
    except BudgetExceeded as error:
        yield f"Where the slip may be was not found: {error}."
        return
    if diagnosis is not None:
        yield from diagnosis.clash_lines()
        yield from diagnosis.suspect_lines(_SUSPECTS)


def what_to_do(error: Contradiction) -> Iterator[str]:
    """What helps, at the table."""
    yield "Nothing was written. If this entry has the slip, type it anew (Up brings it back)."
    if error.forbidden_by == "cards" and error.number > 1:
        yield "If an earlier entry has it: `list` shows them, `edit N` changes one, `undo` takes"
        yield "back the last one."


def faulty(journal: Journal[Any, Any]) -> Iterator[str]:
    """What is said of a log that was opened, and has an entry that cannot be so."""
    fault = journal.fault
    if fault is None:
        return
    entry = journal.entries[fault.number]
    yield f"Entry {entry.number} cannot be so: {entry.story}"
    yield f"  {fault}"
    yield f"All before it can be asked about. To go on, mend it: `edit {entry.number}` (or an"
    yield "earlier one, see `list`), or `undo`, which takes back the last entry."
