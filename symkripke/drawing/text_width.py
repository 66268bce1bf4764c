"""Estimates of the width of a text, without a browser.

The widths are taken from DejaVu Sans, in hundredths of the font size. It is a wide font, so text in
other fonts (Arial, Helvetica, Segoe) is not wider.
"""

from __future__ import annotations

_PLAIN = (
    "32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 "
    "84 84 84 53 100 68 69 70 77 63 58 77 75 29 29 66 56 86 75 79 60 79 69 63 61 73 68 "
    "99 69 61 69 39 34 39 84 50 50 61 63 55 63 62 35 63 63 28 28 58 28 97 63 61 63 63 41 "
    "52 39 63 59 82 59 59 52 64 34 64 84"
)
_WIDTHS = {chr(32 + place): int(width) for place, width in enumerate(_PLAIN.split())}

# The widths of accented and other letters, and of ideographs and other wide characters.
_OTHER = 70
_WIDE = 102

# The width of bold letters, relative to regular ones.
_BOLD = 1.13


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return an upper estimate of the width of a line of text in a sans-serif font."""
    hundredths = sum(
        _WIDTHS.get(letter, _OTHER if ord(letter) < 0x1100 else _WIDE) for letter in text
    )
    return hundredths * size / 100 * (_BOLD if bold else 1)


def wrapped(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Return the text in lines that are no wider than `width`, if its words allow it."""
    lines: list[str] = []
    line = ""
    # Split at plain spaces only, not at no-break spaces.
    for word in filter(None, text.split(" ")):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size, bold=bold) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines
