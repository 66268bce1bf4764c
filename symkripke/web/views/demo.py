"""The recorded game on the first page, drawn in advance, so that the page needs no worker."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from symkripke.decoding import from_json

FILE = "demo.json"
"""The file with the recording, in the package `symkripke.web`."""


@dataclass(frozen=True)
class Frame:
    """A moment of the recorded game.

    Attributes:
        turn: the turn of its event; 0 after the deal.
        story: the event as a sentence.
        learned: the facts that the chosen player can conclude from it, in sentences.
        left: the number of answers that the player still considers possible.
        share: this number as the length of a bar, from 0 to 100, on a logarithmic scale.
    """

    turn: int
    story: str
    learned: tuple[str, ...]
    left: int
    share: float


@dataclass(frozen=True)
class TourStep:
    """A step of the tour through the recorded game.

    Attributes:
        event: the number of the event that is shown.
        title: the heading.
        text: the paragraphs.
        claim: something that a player knows, as a sentence; empty: nothing.
        reasons: the reason, line by line.
        more: the paragraph below the reasons; empty: none.
    """

    event: int
    title: str
    text: tuple[str, ...]
    claim: str = ""
    reasons: tuple[str, ...] = ()
    more: str = ""


@dataclass(frozen=True)
class Demo:
    """The recorded game.

    Attributes:
        game: the name of the game.
        title: its title.
        symbols: the art of its cards, as hidden SVG.
        film: the table at all moments, as SVG.
        who: the name of the player whose knowledge is shown, as people write it.
        seat: the player's seat, from 0.
        shown: the number of the frame that is shown at first, and without JavaScript.
        question: the word for the answers that are counted ("solutions").
        frames: the moments.
        tour: the steps of the tour.
    """

    game: str
    title: str
    symbols: str
    film: str
    who: str
    seat: int
    shown: int
    question: str
    frames: tuple[Frame, ...]
    tour: tuple[TourStep, ...]

    def still(self, number: int) -> str:
        """Return one moment of the film as SVG."""
        plain = self.film.removesuffix("</svg>").replace(' class="shown"', "")
        base, *frames = plain.split("<g data-frame=")
        shown = next(frame for frame in frames if frame.startswith(f'"{number}"'))
        frame = shown.replace(">", ' class="shown">', 1)
        return f"{base}<g data-frame={frame}</svg>"


@cache
def demo() -> Demo:
    """Return the recorded game."""
    text = resources.files("symkripke.web").joinpath(FILE).read_text("utf-8")
    stored: Demo = from_json(text, Demo, FILE)
    return stored
