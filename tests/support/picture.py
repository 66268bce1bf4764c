"""The picture of the front page; `python -m tests.support.picture` redraws it."""

from __future__ import annotations

import html
import re
import tempfile
from pathlib import Path

from click.testing import CliRunner
from rich.console import Console
from rich.text import Text

from symkripke.cli import group

FILE = Path(__file__).parent.parent.parent / "docs" / "sheet.svg"
PLAY = "play cluedo --players 6 --seed 7 --log {}"
SHEET = "sheet {} --player green --at 20"
WIDTH = 82


def sheet() -> Text:
    """Return the note sheet in the middle of the game on the front page, in colour."""
    with tempfile.TemporaryDirectory() as folder:
        log = str(Path(folder) / "game.jsonl")
        _printed(PLAY.format(log))
        return Text.from_ansi(_printed(SHEET.format(log)))


def _printed(command: str) -> str:
    runner = CliRunner(env={"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"})
    result = runner.invoke(group, command.split(), catch_exceptions=False, color=True)
    assert result.exit_code == 0, result.output
    return result.stdout


def drawn(shown: Text) -> str:
    """Return the sheet as a picture that loads no external resources."""
    with open(Path("/dev/null"), "w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True)
        console.print(shown)
    picture = console.export_svg(title="symkripke sheet game.jsonl", unique_id="sheet")
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)


def words_of(picture: str) -> list[str]:
    """Return the words of a picture, in the order of the lines."""
    texts = re.findall(r"<text[^>]*>(.*?)</text>", picture, flags=re.DOTALL)
    return " ".join(html.unescape(text) for text in texts).split()


if __name__ == "__main__":
    FILE.write_text(drawn(sheet()), encoding="utf-8")
