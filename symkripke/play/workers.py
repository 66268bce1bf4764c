"""A pool of processes that leaves Ctrl-C to its parent, and a Ctrl-C that waits its turn."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType


def cpus() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def process_pool(workers: int) -> Iterator[Executor | None]:
    """A pool of so many new processes; None for one worker, who needs no other process.

    If the body raises, tasks under way are not waited for: the processes are ended.
    """
    if workers == 1:
        yield None
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, mp_context=_Context(), initializer=_ignore_interrupts)
    try:
        yield pool
    except BaseException:
        # Nothing is cancelled: the pool's own thread would trip over tasks that are.
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True)


class _Process(SpawnProcess):
    """A process that never sees Ctrl-C, not even while it starts."""

    def start(self) -> None:
        with _held_back():
            super().start()


class _Context(SpawnContext):
    Process = _Process


@dataclass
class Interrupts:
    """What became of Ctrl-C.

    Attributes:
        noted: whether there was one.
        held: whether further ones change nothing; set it where nothing may be left half done.
    """

    noted: bool = False
    held: bool = False


@contextmanager
def polite_interrupts() -> Iterator[Interrupts]:
    """Within it, a first Ctrl-C is only noted.

    A second Ctrl-C interrupts as usual. It changes nothing where Ctrl-C is ignored (background
    jobs), or outside the main thread, where Python hands out no signals.
    """
    interrupts = Interrupts()
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before in (signal.SIG_IGN, None):
        yield interrupts
        return

    def note(number: int, frame: FrameType | None) -> None:
        if interrupts.noted and not interrupts.held:
            raise KeyboardInterrupt
        interrupts.noted = True

    signal.signal(signal.SIGINT, note)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _held_back() -> Iterator[None]:
    """Hold Ctrl-C back for the body; processes that are started in it inherit that for good."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
