"""A pool of processes that end with their parent, and signals that can be delayed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType
from typing import Any

from symkripke.errors import InputError, NoAnswerWithin, SymkripkeError
from symkripke.play.strategies import load_classes, loaded_classes


def cpus() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def worker_count(workers: int | None) -> int:
    """Return the number of workers, by default one per processor. Raise `InputError` below 1."""
    number = cpus() if workers is None else workers
    if number < 1:
        raise InputError(f"expected at least 1 worker, got {number}")
    return number


@contextmanager
def process_pool(workers: int) -> Iterator[Executor | None]:
    """Provide a pool of `workers` new processes; None for one worker, which is this process.

    If the body raises an error, the processes are terminated without waiting for their tasks. They
    also end whenever this process ends.
    """
    if workers == 1:
        yield None
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        workers, mp_context=_Context(), initializer=_begin_playing, initargs=(loaded_classes(),)
    )
    try:
        yield pool
    except BaseException:
        # Tasks are not cancelled, because the pool's own thread fails on cancelled tasks.
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True)


class _Process(SpawnProcess):
    """A process that ignores Ctrl-C, even while it starts."""

    def start(self) -> None:
        with _held_back():
            super().start()


class _Context(SpawnContext):
    Process = _Process


@dataclass
class Interrupts:
    """Signals that asked the program to end.

    Attributes:
        noted: the number of the first signal; 0 if there was none.
        polled: whether the program checks `noted` often. A first signal of any kind is then only
            noted. Otherwise, a first Ctrl-C is only noted, and other signals interrupt at once.
        held: whether all interrupts are suppressed, for work that must be completed.
    """

    noted: int = 0
    polled: bool = False
    held: bool = False

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Suppress interrupts until the body is finished."""
        self.held = True
        try:
            yield
        finally:
            self.held = False


@contextmanager
def polite_interrupts() -> Iterator[Interrupts]:
    """Note a first Ctrl-C in the body, and raise KeyboardInterrupt for other ending signals.

    The other signals are SIGTERM and, where it exists, SIGHUP. A second signal always interrupts.
    Signals that are ignored (in background jobs) are left alone, and so are signals other than
    Ctrl-C that already have a handler. Outside the main thread, nothing changes, because Python
    delivers no signals there.
    """
    interrupts = Interrupts()

    def note(number: int, frame: FrameType | None) -> None:
        first = not interrupts.noted
        interrupts.noted = interrupts.noted or number
        patient = first and (number == signal.SIGINT or interrupts.polled)
        if not patient and not interrupts.held:
            raise KeyboardInterrupt

    before = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number in _ENDING:
                handler = signal.getsignal(number)
                ours = handler not in (signal.SIG_IGN, None)
                if ours and (number == signal.SIGINT or handler is signal.SIG_DFL):
                    before[number] = handler
                    signal.signal(number, note)
        yield interrupts
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# Signals that ask a program to end.
_ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


@contextmanager
def _held_back() -> Iterator[None]:
    """Block Ctrl-C in the body; processes started in the body block it for ever."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_work() -> None:
    """Prepare a worker: ignore Ctrl-C, and end with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _begin_playing(classes: Sequence[str]) -> None:
    """Prepare a worker that plays, with the classes named on the command line."""
    _begin_work()
    load_classes(classes)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    # Exit at once, because nobody will take the worker's results.
    os._exit(1)


class Worker:
    """A new process that executes one task after another, and can be killed during a task.

    It also ends whenever this process ends.
    """

    def __init__(self) -> None:
        """Create a worker. Its first task starts the process."""
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None
        self._changing = threading.Lock()

    def do(self, task: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Any:
        """Return the result of the task, or raise its error.

        Raises:
            NoAnswerWithin: the task did not end in time. The process is then killed.
            SymkripkeError: the process ended during the task.
        """
        process = self._process
        if process is None or not process.is_alive():
            self._start()
        line = self._line
        try:
            if line is None:  # another thread has ended it
                raise EOFError
            line.send((task, arguments))
            if not line.poll(seconds):
                self.end()
                raise NoAnswerWithin(seconds)
            is_done, result = line.recv()
        except (EOFError, OSError):
            self.end()
            raise SymkripkeError("the worker process ended during the task: try again") from None
        if is_done:
            return result
        raise result

    def end(self) -> None:
        """Kill the process, even during a task."""
        # A thread that waits for an answer also calls this when the connection breaks. Only one
        # thread may close the connection, because its descriptor may be reused by then.
        with self._changing:
            process, line = self._process, self._line
            self._process = self._line = None
        if process is not None:
            process.kill()
            process.join()
        if line is not None:
            line.close()

    def _start(self) -> None:
        self.end()
        line, other = multiprocessing.Pipe()
        process = _Process(target=_work, args=(other,), daemon=True)
        process.start()
        other.close()
        with self._changing:
            self._process, self._line = process, line


def _work(line: Connection) -> None:
    """Execute tasks as they arrive, and send their results."""
    _begin_work()
    while True:
        try:
            task, arguments = line.recv()
        except (EOFError, OSError):
            return
        try:
            answer: tuple[bool, Any] = True, task(*arguments)
        except Exception as error:
            answer = False, error
        try:
            line.send(answer)
        except (EOFError, OSError):
            return
        except Exception as error:  # the result cannot be pickled
            line.send((False, SymkripkeError(f"{type(error).__name__}: {error}")))
