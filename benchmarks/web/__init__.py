"""The page in the browser: nothing leaks, nobody gets in, and it bears many tables at once."""
