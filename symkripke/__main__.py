"""`python -m symkripke`, and the program `symkripke`.

Ctrl-C is handled before anything else is imported, since the other imports take a moment.
"""

from __future__ import annotations

import gc
import os
import sys

# Seconds after which a Ctrl-C that was swallowed is sent again.
_AGAIN = 0.01


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that is closed (`<&-`, `>&-`, `2>&-`).

    Python has None in the place of such a stream. Its number would be taken by the next file that
    is opened, and what other programs print would get into that file.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode)  # noqa: SIM115 - it gets the lowest free number
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def _keep_interrupts() -> None:
    """Send Ctrl-C again if it came in the middle of a finaliser or a callback, which swallow it.

    z3, the diagrams and the solvers have finalisers in Python, and many of them.
    """
    report = sys.unraisablehook

    def again(unraisable: sys.UnraisableHookArgs) -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            report(unraisable)
            return
        import _thread

        # Later, when the finaliser is over; and as often as it hits another one. Nothing is waited
        # for here: what hits this hook is lost, and reported.
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
    """Run the command line; Ctrl-C ends it at once and without a message, even at its start."""
    try:
        _open_closed_streams()
        _keep_interrupts()
        from symkripke.cli import main as run

        run()
    except (KeyboardInterrupt, RuntimeError) as error:
        # Python 3.11 wraps what interrupts the making of a class.
        if not isinstance(error.__cause__ or error, KeyboardInterrupt):
            raise
        sys.exit(130)
    finally:
        # At its end Python would look for unused cycles in all that was imported, several times.
        gc.freeze()


if __name__ == "__main__":
    main()
