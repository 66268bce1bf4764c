"""Installed experiments, which packages declare in the group `symkripke.experiments`.

The object of an entry point is a sequence of `Study`, so one package can provide many.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from symkripke.errors import InputError, SymkripkeError, check_name, clipped
from symkripke.experiments.experiment import Experiment
from symkripke.experiments.reader import parse, read
from symkripke.installed import entry_points, packaged_text

GROUP = "symkripke.experiments"


@dataclass(frozen=True)
class Study:
    """An experiment that comes with a package.

    Attributes:
        name: the name, as in `symkripke experiment run NAME`.
        package: the package that contains the file.
        file: the name of the file in the package.
    """

    name: str
    package: str
    file: str

    @property
    def text(self) -> str:
        """The text of the file."""
        return packaged_text(self.package, self.file)

    def experiment(self, *, games: int | None = None) -> Experiment:
        """Return the experiment itself; raise `ExperimentError` if its file has an error."""
        return parse(self.text, self.name, self.file, games=games)


def studies() -> dict[str, Study]:
    """Return the installed experiments by name, in the order of their declarations."""
    by_name: dict[str, Study] = {}
    for entry in entry_points(GROUP):
        for loaded in entry.load():
            if not isinstance(loaded, Study):
                raise SymkripkeError(
                    f"entry point {entry.name!r} of {GROUP} has no Study: {loaded!r}"
                )
            by_name.setdefault(loaded.name, loaded)
    return by_name


def experiment(name: str, *, games: int | None = None) -> Experiment:
    """Return the experiment in a TOML file, or the installed experiment with this name.

    Args:
        name: the path or the name.
        games: the number of games of each condition; None for the numbers in the file.

    Raises:
        UnknownName: there is no experiment with this name.
        ExperimentError: an entry of the file is wrong.
        InputError: the file cannot be read.
    """
    if name.endswith(".toml"):
        return read(Path(name), games=games)
    known = studies()
    if name not in known and (Path(name).exists() or Path(name).suffix):
        raise InputError(
            f"expected an experiment in a file that ends in .toml, got {clipped(name)!r}"
        )
    check_name("experiment", name, (*known, "a path that ends in .toml"))
    return known[name].experiment(games=games)
