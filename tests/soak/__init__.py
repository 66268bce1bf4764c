"""Checks that run for minutes, one command each: `python -m tests.soak NAME`. See the README."""
