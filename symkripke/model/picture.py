"""Pictures of models, for `.draw()` and for notebooks."""

from __future__ import annotations

from os import PathLike
from typing import Any, Protocol

from symkripke import pictures
from symkripke.language import Formula


class Picture(Protocol):
    """The interface of pictures, which `symkripke.drawing.Drawing` implements."""

    @property
    def svg(self) -> str:
        """The picture as an SVG file."""

    @property
    def html(self) -> str:
        """The picture as a self-contained page."""

    def data(self) -> dict[str, Any]:
        """Return the content of the picture as plain data for JSON."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file: SVG, or a page if the name ends with `.html`."""


def _drawer() -> Any:
    """Return the module that draws, `symkripke.drawing`."""
    assert pictures.drawer is not None
    return pictures.drawer()


class Drawable:
    """A model that can be drawn."""

    def draw(self, formula: Formula | str | None = None, **options: Any) -> Picture:
        """Draw the worlds, and show which agents cannot tell them apart.

        The actual world of a scene is marked, and so are the worlds that the agent of a
        perspective considers possible. Worlds with `formula` are grey. The options and errors are
        those of `symkripke.drawing.draw`: `near`, `why`, `agents`, `fluents`, `layout` and so on.
        """
        picture: Picture = _drawer().draw(self, formula, **options)
        return picture


def small_picture(place: object) -> str:
    """Return the SVG of a small model, to show next to its tables; empty for a large one."""
    return str(_drawer().small_picture(place))
