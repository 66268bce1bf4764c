"""Where models get their pictures from.

`symkripke.drawing` asks engines, so it stands above the model, which therefore does not import it.
The package states here, once, who draws.
"""

from __future__ import annotations

# Not from typing: this is imported before the program listens for Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, Protocol

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


drawer: Callable[[], Drawer] | None = None
"""Gives what draws; set by the package, which imports it when it is wanted."""


def draw(place: object, formula: object, options: dict[str, Any]) -> Picture:
    """Draw a structure, scene or perspective; see `symkripke.drawing.draw`."""
    assert drawer is not None
    return drawer().draw(place, formula, **options)


def small(place: object) -> str:
    """Return the SVG of a small model, to be shown beside its tables; empty for a large one."""
    assert drawer is not None
    return drawer().small_picture(place)
