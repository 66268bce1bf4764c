"""The studies of the six games, one file each, which `symkripke experiment run NAME` runs."""

from __future__ import annotations

from symkripke.experiments import Study

_NAMES = (
    "cluedo_published",
    "cluedo_higher_order",
    "cluedo_solutions",
    "cluedo_mutual_knowledge",
    "cluedo_price",
    "cluedo_guessers",
    "cluedo_silence",
    "cluedo_informative",
    "cluedo_depth",
    "old_maid_knowledge",
    "old_maid_full_deck",
    "old_maid_seats",
    "hanabi_scores",
    "kwartet_published",
    "kwartet_secrecy",
    "kwartet_forgetting",
    "kwartet_depth",
    "perudo_round_robin",
    "perudo_trust",
    "perudo_depth",
    "sleuth_first_results",
    "sleuth_mutual_knowledge",
)

STUDIES = tuple(Study(name, __name__, f"{name}.toml") for name in _NAMES)
"""The studies, which the entry point of the group `symkripke.experiments` names."""
