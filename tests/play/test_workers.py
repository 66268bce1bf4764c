"""Worker processes, which do one task after another."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from symkripke.errors import NoAnswerWithin, SymkripkeError
from symkripke.play.runs.workers import Worker


class Line:
    """A connection to a process; while it is being closed, another thread also ends the worker."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.closed = 0

    def close(self) -> None:
        self.closed += 1
        if self.closed == 1:
            other = threading.Thread(target=self.worker.end)
            other.start()
            other.join()


def test_a_connection_is_closed_once_although_two_threads_end_the_worker() -> None:
    worker = Worker()
    line: Any = Line(worker)
    worker._line = line
    worker.end()
    assert line.closed == 1


def test_a_worker_is_stopped_during_a_task_and_does_the_next_one() -> None:
    worker = Worker()
    assert worker.do(abs, (-3,), 60) == 3
    said: list[BaseException] = []
    with pytest.raises(NoAnswerWithin):
        worker.do(_sleep, (60.0,), 0.05)
    assert worker.do(abs, (-4,), 60) == 4
    asked = threading.Thread(target=lambda: said.extend(_refused(worker)))
    asked.start()
    while asked.is_alive():
        worker.end()
        asked.join(0.05)
    assert len(said) == 1
    assert worker.do(abs, (-5,), 60) == 5
    worker.end()


def _sleep(seconds: float) -> None:
    threading.Event().wait(seconds)


def _refused(worker: Worker) -> list[BaseException]:
    try:
        worker.do(_sleep, (60.0,), 120)
    except SymkripkeError as error:
        return [error]
    return []
