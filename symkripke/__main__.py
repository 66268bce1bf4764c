"""`python -m symkripke`, and the program `symkripke`.

The other imports come after Ctrl-C is handled, because they take a moment.
"""

from __future__ import annotations

import gc
import os
import sys

# The delay in seconds before a swallowed Ctrl-C is sent again.
_AGAIN = 0.01


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that is closed (`<&-`, `>&-`, `2>&-`).

    Python sets such a stream to None. Without this function, the next file to be opened would get
    the stream's file descriptor, and the output of other programs would go into that file.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode)  # noqa: SIM115 - it gets the lowest free number
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def _keep_interrupts() -> None:
    """Send Ctrl-C again if a finaliser or a callback swallowed it.

    z3, the decision diagrams and the solvers have many finalisers written in Python.
    """
    report = sys.unraisablehook

    def again(unraisable: sys.UnraisableHookArgs) -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            report(unraisable)
            return
        import _thread

        # The thread interrupts after the finaliser has ended, and again if it hits another
        # finaliser. This hook does not wait, because an exception raised in it would be reported
        # and lost.
        try:
            _thread.start_new_thread(_interrupt_again, ())
        except KeyboardInterrupt:
            _thread.start_new_thread(_interrupt_again, ())

    sys.unraisablehook = again


def _interrupt_again() -> None:
    import _thread
    import time

    time.sleep(_AGAIN)
    _thread.interrupt_main()


def main() -> None:
    """Run the command line. Ctrl-C ends it at once without a message, even during startup."""
    try:
        _open_closed_streams()
        _keep_interrupts()
        from symkripke.cli import main as run

        run()
    except (KeyboardInterrupt, RuntimeError) as error:
        # Python 3.11 wraps an exception that interrupts the creation of a class.
        if not isinstance(error.__cause__ or error, KeyboardInterrupt):
            raise
        sys.exit(130)
    finally:
        # At exit Python would search everything that was imported for unused cycles, several times.
        gc.freeze()


if __name__ == "__main__":
    main()
