"""Ctrl-C at any time, even early, and the progress messages of slow commands."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from symkripke.cli.progress import patient
from tests.support.terminal import Terminal

# Simulate Ctrl-C during the import of a module, which interrupts the import itself.
_INTERRUPTED = """
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise {error}
sys.meta_path.insert(0, Interrupt())
sys.argv = ["symkripke", "games"]
from symkripke.__main__ import main
main()
"""


def python(program: str) -> tuple[int, str, str]:
    """Run a program in a separate process; return exit code, output and errors."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("name", "error", "code"),
    [
        ("symkripke.cli", "KeyboardInterrupt", 130),
        ("symkripke.play", "KeyboardInterrupt", 130),
        ("rich.table", "RuntimeError('a class') from KeyboardInterrupt()", 130),
        ("symkripke.cli", "RuntimeError('broken')", 1),
    ],
)
def test_ctrl_c_during_imports(name: str, error: str, code: int) -> None:
    """Other errors stay visible."""
    ended, _, errors = python(_INTERRUPTED.format(name=name, error=error))
    assert ended == code, errors
    assert ("RuntimeError: broken" if code == 1 else "") in errors
    assert ("Traceback" in errors) == (code == 1)


# The process that starts the tests may ignore Ctrl-C, as shells do for background jobs.
_LISTENING = """
import signal, threading, time
from symkripke.cli import progress
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
def wait_until_told():
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join()
"""

_SWALLOWED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Finalised:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "symkripke.cli":
            Finalised()
sys.meta_path.insert(0, Interrupt())
sys.argv = ["symkripke", "games"]
from symkripke.__main__ import main
main()
"""


def test_ctrl_c_in_a_finaliser_is_not_lost() -> None:
    assert python(_SWALLOWED) == (130, "", "")


# The first Ctrl-C hits a finaliser; the second hits the thread that sends the first again.
HOOK = """
import _thread, signal, time
from symkripke import __main__
signal.signal(signal.SIGINT, signal.default_int_handler)
start, starts = _thread.start_new_thread, []

def hit(*given):
    starts.append(given)
    if len(starts) == 1:
        raise KeyboardInterrupt
    return start(*given)

class Finalised:
    def __del__(self):
        raise KeyboardInterrupt

__main__._keep_interrupts()
_thread.start_new_thread = hit
try:
    Finalised()
    time.sleep(10)
except KeyboardInterrupt:
    print("interrupted", len(starts))
"""


def test_ctrl_c_while_another_is_sent_again_is_not_lost() -> None:
    assert python(HOOK) == (0, "interrupted 2\n", "")


def interrupted(program: str) -> tuple[str, str]:
    """Interrupt a program with Ctrl-C; return its stdout, and the terminal output of its stderr."""
    import pty

    outside, inside = pty.openpty()
    seen: list[bytes] = []

    def watch() -> None:
        # Read continuously, because writing to an unread terminal blocks.
        with contextlib.suppress(OSError):
            while text := os.read(outside, 10_000):
                seen.append(text)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    with subprocess.Popen(
        [sys.executable, "-c", f"{_LISTENING}{program}"],
        stdout=subprocess.PIPE,
        stderr=inside,
        env={**os.environ, "TERM": "xterm"},
        text=True,
    ) as process:
        os.close(inside)
        assert process.stdout is not None
        begun = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    watcher.join(timeout=10)
    os.close(outside)
    return begun + out, b"".join(seen).decode()


PSEUDO = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")


@PSEUDO
def test_progress_is_shown_and_an_interrupt_passes_through() -> None:
    out, seen = interrupted(
        "progress._SILENT = 0.0\n"
        "try:\n"
        "    with progress.patient('counting deals') as tell:\n"
        "        tell(1, 2)\n"
        "        wait_until_told()\n"
        "        print('begun', flush=True)\n"
        "        progress._SILENT = 1_000.0\n"
        "        with progress.patient('quick'):\n"
        "            time.sleep(30)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    assert out == "begun\ninterrupted\n"
    assert "counting deals" in seen
    assert "Traceback" not in seen
    assert "quick" not in seen


def test_progress_is_not_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with patient("counting") as tell:
        tell(1, 2)
    assert capsys.readouterr() == ("", "")


@PSEUDO
@pytest.mark.parametrize(("number", "kind"), [(signal.SIGTERM, "xterm"), (signal.SIGHUP, "dumb")])
def test_the_terminal_mode_is_restored(number: signal.Signals, kind: str) -> None:
    ready = {"xterm": "\x1b[?2004h", "dumb": "> "}[kind]
    # Child processes inherit an ignored signal, for example under nohup.
    inherited = signal.signal(number, signal.SIG_DFL)
    with Terminal("check", "-", environment={"TERM": kind}, ready=ready) as terminal:
        before = terminal.mode()
        terminal.shown()
        while terminal.mode() == before:  # the prompt is printed before the mode changes
            time.sleep(0.01)
        terminal.process.send_signal(number)
        assert terminal.process.wait(timeout=60) == 128 + number
        assert terminal.mode() == before
    signal.signal(number, inherited)


@PSEUDO
def test_ctrl_z_at_a_prompt_suspends_the_program() -> None:
    shell = ("bash", "-c", 'set -m; "$@"; echo "stopped: $?"; fg >/dev/null; exit $?', "bash")
    with Terminal("check", "-", through=shell) as terminal:
        terminal.shown()
        terminal.keys("agen\x1a")
        assert f"stopped: {128 + signal.SIGTSTP}" in terminal.shown()  # and then it continues
        assert terminal.end("\x15quit") == 0
