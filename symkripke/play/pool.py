"""A pool of processes that leaves Ctrl-C to its parent, and a Ctrl-C that waits its turn."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
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
    pool = ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_ignore_interrupts,
    )
    try:
        with _held_back():
            # The first task starts all processes.
            pool.submit(_nothing)
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def polite_interrupts() -> Iterator[Callable[[], bool]]:
    """Within it, a first Ctrl-C is only noted: what it yields says whether there was one.

    A second Ctrl-C interrupts as usual. It changes nothing where Ctrl-C is ignored (background
    jobs), or outside the main thread, where Python hands out no signals.
    """
    noted = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before in (signal.SIG_IGN, None):
        yield noted.is_set
        return

    def note(number: int, frame: FrameType | None) -> None:
        if noted.is_set():
            raise KeyboardInterrupt
        noted.set()

    signal.signal(signal.SIGINT, note)
    try:
        yield noted.is_set
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _held_back() -> Iterator[None]:
    """Hold Ctrl-C back; processes that are started within it never see one.

    The pool's initializer alone would leave them open to it while they start.
    """
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


def _nothing() -> None:
    pass
