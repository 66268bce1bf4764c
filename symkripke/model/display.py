"""Pictures of a model, for `.draw()` and for notebooks.

`symkripke.drawing` asks engines, so it is a layer above the model. It is imported by name when a
picture is wanted, so that the model does not depend on it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

_HOME = "symkripke.drawing"


class Drawn(Protocol):
    """A picture: `symkripke.drawing.Drawing`."""

    @property
    def svg(self) -> str:
        """The picture as an SVG file."""

    @property
    def html(self) -> str:
        """The picture as a page, complete in itself."""

    def data(self) -> dict[str, Any]:
        """The content of the picture as plain data for JSON."""

    def save(self, path: str | Path) -> None:
        """Write a file: SVG, or a page if the name ends with `.html`."""


def drawn(place: object, formula: object, options: dict[str, Any]) -> Drawn:
    """The picture of a structure, scene or perspective; see `symkripke.drawing.draw`."""
    found: Drawn = import_module(_HOME).draw(place, formula, **options)
    return found


def small_picture(place: object) -> str:
    """The SVG of a small model, to be shown beside its tables; empty for a large one."""
    found: str = import_module(_HOME).small_picture(place)
    return found
