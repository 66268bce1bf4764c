"""Golden playthroughs: whole games as text. `python -m tests.support.golden` writes them anew."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from symkripke.cli import group

FOLDER = Path(__file__).parent.parent / "golden"

# One file each: its name and the command that prints it.
PLAYTHROUGHS = {
    "cluedo-classic-6": "play cluedo --players 6 --seed 7",
    "kwartet-classic-4": "play kwartet --players 4 --seed 2 --edition ranks --set groups=8",
    "old-maid-classic-3": "play old_maid --players 3 --seed 4",
    "perudo-palifico-calza": (
        "play perudo --players 3 --seed 2 --set calza --set dice=2 --minds trust-keeper,odds,random"
    ),
    "sleuth-classic-3": "play sleuth --players 3 --seed 1 --minds gain,lead,study",
}


def printed(command: str) -> str:
    """What the program prints for this command, as if piped."""
    result = CliRunner().invoke(group, command.split(), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return f"$ symkripke {command}\n{result.stdout}"


def main() -> None:
    """Write all golden files."""
    FOLDER.mkdir(exist_ok=True)
    for name, command in PLAYTHROUGHS.items():
        (FOLDER / f"{name}.txt").write_text(printed(command), encoding="utf-8")


if __name__ == "__main__":
    main()
