"""New games: a package that can be played at once, and is then changed step by step."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from symkripke.errors import InputError
from symkripke.play.registry import game_names

_SOURCE = "symkripke_games.skeleton"
_NAME = re.compile(r"[a-z][a-z0-9_]*")

_PROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "symkripke-{name}"
version = "0.1.0"
description = "{title}, a game for symkripke."
requires-python = ">=3.11"
dependencies = ["symkripke"]

[project.optional-dependencies]
dev = ["symkripke[testing]"]

[project.entry-points."symkripke.games"]
{name} = "{name}:GAME"

[tool.hatch.build.targets.wheel]
packages = ["{name}"]
"""

_TESTS = """

class TestSkeleton(GameContract):
    described = DescribedSkeleton()


class TestPlayers(PlayerContract):
    described = DescribedSkeleton()
"""


def new_game(name: str, folder: Path | None = None) -> Path:
    """Write the package of a new game: rules, knowledge, acts, players, cards, and contract tests.

    Args:
        name: the name of the game on the command line, and of the package.
        folder: the parent of the new folder; None for the current directory.

    Returns:
        The new folder.

    Raises:
        InputError: the name is invalid or already used by a game, a module or a folder, or the
            folder cannot be written.
    """
    _check_name(name)
    home = folder or Path()
    if not home.is_dir():
        raise InputError(f"expected a folder for {name}, got {home}")
    into = home / name
    if into.exists():
        raise InputError(f"{into} already exists: expected the name of a new folder")
    title = name.replace("_", " ").capitalize()
    written: dict[str, str] = {"pyproject.toml": _PROJECT.format(name=name, title=title)}
    for entry in files(_SOURCE).iterdir():
        if entry.is_file():
            text = entry.read_text(encoding="utf-8").replace(_SOURCE, name)
            written[f"{name}/{entry.name}"] = _renamed(text, name, title)
    written["README.md"] = written.pop(f"{name}/README.md")
    described = written.pop(f"{name}/described.py").replace(
        "from symkripke.testing.described import Described",
        "from symkripke.testing import Described, GameContract, PlayerContract",
    )
    written[f"tests/test_{name}.py"] = described + _renamed(_TESTS, name, title)
    _write(into, written)
    return into


def _check_name(name: str) -> None:
    """Raise `InputError` if no new package or game can have this name."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise InputError(
            "expected a name of lower-case letters, digits and _ (a letter first, "
            f"not a Python keyword), got {name!r}"
        )
    if name in game_names():
        raise InputError(f"there is already a game {name!r}: choose another name")
    if find_spec(name) is not None:
        raise InputError(f"there is already a Python module {name!r}: choose another name")


def _write(into: Path, written: Mapping[str, str]) -> None:
    """Write either all of these files into a new folder, or none."""
    try:
        with TemporaryDirectory(dir=into.parent, prefix=f".{into.name}-") as aside:
            made = Path(aside) / into.name
            for path, text in written.items():
                target = made / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
            made.rename(into)
    except OSError as error:
        raise InputError(f"{into} cannot be written: {error.strerror}") from None


def _renamed(text: str, name: str, title: str) -> str:
    """Return the text of the skeleton with the class names, title and name of another game."""
    in_class = "".join(part.capitalize() for part in name.split("_"))
    text = re.sub(r"\b(Described|Test)?Skeleton(?=[(])", rf"\g<1>{in_class}", text)
    return text.replace("Skeleton", title).replace("skeleton", name)
