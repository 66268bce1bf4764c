"""The choices for a slot of a sentence, with their typed and printed forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from symkripke.play.editions import Piece
from symkripke.play.words import person

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Choice(Generic[T_co]):
    """A possible value of a slot in a sentence.

    Attributes:
        value: the value that the choice stands for.
        title: the printed form, which can also be typed.
        also: other forms that can be typed; the first is the short form.
        article: a word printed before the title that need not be typed, such as "the".
        loosely: further forms that can be typed, unless another choice begins with the same words
            and makes them ambiguous.
    """

    value: T_co
    title: str
    also: tuple[str, ...] = ()
    article: str = ""
    loosely: tuple[str, ...] = ()

    @property
    def printed(self) -> str:
        """The form that is printed in a sentence."""
        return f"{self.article} {self.title}" if self.article else self.title

    @property
    def word(self) -> str:
        """The title without its final punctuation."""
        return self.title.rstrip(".!:;, ") or self.title

    @property
    def short(self) -> str:
        """The form that is printed in short sentences."""
        return self.also[0] if self.also else self.title


def pieces_to_choose(pieces: Iterable[Piece]) -> tuple[Choice[str], ...]:
    """Return choices of pieces, such as cards or gems, by their titles or their short names."""
    return _pieces_to_choose(tuple(pieces))


@lru_cache(maxsize=256)
def _pieces_to_choose(pieces: tuple[Piece, ...]) -> tuple[Choice[str], ...]:
    return tuple(Choice(piece.id, piece.title, _spellings(piece.id)) for piece in pieces)


_MYSELF = ("me", "i", "my", "mine", "myself")
"""The words that players use for themselves in their own records."""


def players_to_choose(players: Iterable[str], seat: str | None = None) -> tuple[Choice[str], ...]:
    """Return choices of players by name; `seat`, the player of the record, can be typed as "me"."""
    return tuple(
        Choice(
            player,
            person(player),
            _spellings(player),
            loosely=_MYSELF if player == seat else (),
        )
        for player in players
    )


def _spellings(name: str) -> tuple[str, ...]:
    words = person(name)
    return (name,) if words.casefold() == name.casefold() else (name, words)


_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def number_word(number: int) -> str:
    """Return a number as written in a sentence: "two", but "20"."""
    return _WORDS[number] if 0 < number < len(_WORDS) else str(number)


@lru_cache(maxsize=256)
def numbers_to_choose(least: int, most: int) -> tuple[Choice[int], ...]:
    """Return choices of whole numbers in digits; small numbers can be typed in words."""
    return tuple(
        Choice(number, str(number), (str(number), *_WORDS[number : number + 1]))
        for number in range(least, most + 1)
    )


YES = Choice(True, "Yes!", ("yes", "y", "true"))
NO = Choice(False, "No.", ("no", "n", "false", "-"))
YES_OR_NO: Sequence[Choice[bool]] = (YES, NO)
RIGHT_OR_WRONG: Sequence[Choice[bool]] = (
    Choice(True, "right!", ("right", "yes", "correct", "true")),
    Choice(False, "wrong.", ("wrong", "no", "false")),
)


def choice_of(choices: Iterable[Choice[T]], value: Any) -> Choice[T] | None:
    """Return the choice with this value; None if there is none."""
    return next((choice for choice in choices if choice.value == value), None)
