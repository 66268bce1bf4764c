"""`python -m symkripke`, and the program `symkripke`.

Nothing is imported before somebody listens for Ctrl-C: to import the rest takes a moment.
"""

import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it without a word more, however early it comes."""
    try:
        from symkripke.cli import main as run

        run()
    except (KeyboardInterrupt, RuntimeError) as error:
        # Python 3.11 wraps what interrupts the making of a class.
        if not isinstance(error.__cause__ or error, KeyboardInterrupt):
            raise
        sys.exit(130)


if __name__ == "__main__":
    main()
