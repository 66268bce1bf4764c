"""Messages for an entry that contradicts the log, with advice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from symkripke.errors import BudgetExceeded
from symkripke.play.sentences import no_mistake_found

if TYPE_CHECKING:
    from symkripke.cli.options import Limits
    from symkripke.play import Contradiction, Journal

# The default time limit of the search for the slip, in seconds.
_PATIENCE = 10.0

# The maximum number of suspects to name.
_SUSPECTS = 3


def refused(error: Contradiction) -> Iterator[str]:
    """Yield the message for a rejected entry: the entry, and the reason."""
    yield f"This is impossible: {error.story}"
    yield f"  {error.forbids}"


def reasons(contradiction: Contradiction | Journal[Any, Any], limits: Limits) -> Iterator[str]:
    """Yield the clash and the suspects; finding them may take seconds."""
    try:
        with limits.step("looking for the mistake", _PATIENCE) as tell:
            diagnosis = contradiction.diagnose(tell=tell)
    except BudgetExceeded as error:
        yield no_mistake_found(error)
        return
    if diagnosis is not None:
        yield from diagnosis.clash_lines()
        yield from diagnosis.suspect_lines(_SUSPECTS)


def what_to_do(error: Contradiction) -> Iterator[str]:
    """Yield advice for the user at the table."""
    yield "Nothing was written. If this entry is wrong, type it again (press Up)."
    if error.forbidden_by == "cards" and error.number > 1:
        yield "If an earlier entry is wrong: `list` shows all, `edit N` changes one, and `undo`"
        yield "removes the last one."


def faulty(journal: Journal[Any, Any]) -> Iterator[str]:
    """Yield the message for a log with an impossible entry."""
    fault = journal.fault
    if fault is None:
        return
    entry = journal.entries[fault.number]
    yield f"Entry {entry.number} is impossible: {entry.story}"
    yield f"  {fault}"
    yield f"You can ask about everything before it. To continue, use `edit {entry.number}` (or"
    yield "change an earlier entry, see `list`), or `undo`, which removes the last entry."
