"""`python -m symkripke` is the program `symkripke`."""

from symkripke.cli import main

if __name__ == "__main__":
    main()
