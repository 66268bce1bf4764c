"""`python -m symkripke`, and the program `symkripke`.

Nothing is imported before somebody listens for Ctrl-C: to import the rest takes a moment.
"""

import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it without a word more, however early it comes."""
    try:
        from symkripke.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
