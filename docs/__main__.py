"""`python -m docs [FOLDER]`: write the API reference."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from pathlib import Path

# What programs use. Other modules are details of these.
MODULES = (
    "symkripke",
    "symkripke.language",
    "symkripke.model",
    "symkripke.model.beliefs",
    "symkripke.engines",
    "symkripke.engines.protocol",
    "symkripke.engines.count.weighting",
    "symkripke.explain.evidence",
    "symkripke.play",
    "symkripke.play.player",
    "symkripke.play.rules",
    "symkripke.play.diagnosis",
    "symkripke.play.runs.tournament",
    "symkripke.play.review",
    "symkripke.play.review.chart",
    "symkripke.play.review.page",
    "symkripke.drawing.chart",
    "symkripke.problems",
    "symkripke.problems.problem",
    "symkripke.testing",
    "symkripke.limits",
    "symkripke.errors",
    "symkripke_games.cluedo",
    "symkripke_games.kwartet",
    "symkripke_games.old_maid",
    "symkripke_games.perudo",
    "symkripke_games.sleuth",
    "symkripke_games.puzzles",
    "symkripke_games.stories",
    # Rooms of the games are read in the code.
    r"!symkripke_games[.]\w+[.]",
)


def build(folder: Path) -> None:
    """Write the pages into that folder; a warning is an error."""
    import pdoc

    # Some names are imported when they are first used; pdoc looks for them in their module.
    for module in map(import_module, MODULES[:-1]):
        for name in getattr(module, "__all__", ()):
            setattr(module, name, getattr(module, name))
        for value in vars(module).values():
            # Methods may be compiled when they are looked up; pdoc looks at what is there.
            getattr(value, "__init__", None)
    pdoc.render.configure(docformat="google", show_source=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdoc.pdoc(*MODULES, output_directory=folder)


if __name__ == "__main__":
    chosen = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/html")
    build(chosen)
    print(f"The reference is in {chosen / 'index.html'}.")
