"""The words for dice and faces."""

from __future__ import annotations

_FACES = ("ace", "two", "three", "four", "five", "six")


def dice_in_words(number: int) -> str:
    """Return a number of dice in words: "2 dice"."""
    return f"{number} {'die' if number == 1 else 'dice'}"


def faces_in_words(number: int, face: int) -> str:
    """Return a number of dice with a face in words: "3 sixes"."""
    word = _FACES[face - 1] if face <= len(_FACES) else f"{face}s"
    if number != 1 and face <= len(_FACES):
        word += "es" if word.endswith("x") else "s"
    return f"{number} {word}"
