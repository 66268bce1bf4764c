"""The studies of the five games, each in a file of its own: `symkripke experiment run NAME`."""

from __future__ import annotations

from symkripke.experiments import Study

_NAMES: tuple[str, ...] = ("old_maid_knowledge",)

STUDIES = tuple(Study(name, __name__, f"{name}.toml") for name in _NAMES)
"""The entry point of the group `symkripke.experiments`."""
