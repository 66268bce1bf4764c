"""Messages for an entry that contradicts the log, and what to do then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from symkripke.errors import BudgetExceeded

if TYPE_CHECKING:
    from symkripke.cli.options import Limits
    from symkripke.play import Contradiction, Journal

# Seconds for the search for the slip, if --seconds is not given.
_PATIENCE = 10.0

# The maximal number of suspects to name.
_SUSPECTS = 3


def refused(error: Contradiction) -> Iterator[str]:
    """Yield the message for a rejected entry: the entry, and why it is impossible."""
    yield f"This cannot be so: {error.story}"
    yield f"  {error.forbids}"


def reasons(contradiction: Contradiction | Journal[Any, Any], limits: Limits) -> Iterator[str]:
    """Yield the clash and the suspects; finding them may take seconds."""
    try:
        with limits.step("looking for the slip", _PATIENCE) as tell:
            diagnosis = contradiction.diagnose(tell=tell)
    except BudgetExceeded as error:
        yield f"The search for the mistake found no result: {error}."
        return
    if diagnosis is not None:
        yield from diagnosis.clash_lines()
        yield from diagnosis.suspect_lines(_SUSPECTS)


def what_to_do(error: Contradiction) -> Iterator[str]:
    """Return advice for the table."""
    yield "Nothing was written. If this entry is wrong, type it again (Up brings it back)."
    if error.forbidden_by == "cards" and error.number > 1:
        yield "If an earlier entry is wrong: `list` shows all, `edit N` changes one, `undo` takes"
        yield "back the last one."


def faulty(journal: Journal[Any, Any]) -> Iterator[str]:
    """Yield the message for a log with an impossible entry."""
    fault = journal.fault
    if fault is None:
        return
    entry = journal.entries[fault.number]
    yield f"Entry {entry.number} cannot be so: {entry.story}"
    yield f"  {fault}"
    yield f"All before it can be asked about. To go on, mend it: `edit {entry.number}` (or an"
    yield "earlier one, see `list`), or `undo`, which takes back the last entry."
