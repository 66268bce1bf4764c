"""Pictures of models, for `.draw()` and for notebooks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from symkripke import pictures


class Picture(Protocol):
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


class Drawer(Protocol):
    """What draws: `symkripke.drawing`."""

    @property
    def draw(self) -> Callable[..., Picture]:
        """See `symkripke.drawing.draw`."""

    @property
    def small_picture(self) -> Callable[[Any], str]:
        """See `symkripke.drawing.small_picture`."""


def _drawer() -> Drawer:
    assert pictures.drawer is not None
    drawer: Drawer = pictures.drawer()
    return drawer


def draw(place: object, formula: object, options: dict[str, Any]) -> Picture:
    """Draw a structure, scene or perspective; see `symkripke.drawing.draw`."""
    return _drawer().draw(place, formula, **options)


def small_picture(place: object) -> str:
    """Return the SVG of a small model, to be shown beside its tables; empty for a large one."""
    return _drawer().small_picture(place)
