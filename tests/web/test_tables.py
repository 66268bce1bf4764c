"""The list of tables: the time of the last change, in words."""

from __future__ import annotations

from datetime import datetime

import pytest

from symkripke.web.tables import ago

NOW = datetime(2026, 3, 20, 12).timestamp()
MINUTE, HOUR, DAY = 60, 3_600, 86_400


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "just now"),  # from another machine's clock
        (59, "just now"),
        (MINUTE, "1 minute ago"),
        (59 * MINUTE + 59, "59 minutes ago"),
        (HOUR, "1 hour ago"),
        (23 * HOUR + 59 * MINUTE, "23 hours ago"),
        (DAY, "1 day ago"),
        (13 * DAY, "13 days ago"),
        (19 * DAY, "on 1 March 2026"),
    ],
)
def test_when_a_table_changed(seconds: float, words: str) -> None:
    assert ago(NOW - seconds, NOW) == words
