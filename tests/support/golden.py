"""Golden logs with answers, and transcripts: see `tests/data/golden/README.md`.

`python -m tests.support.golden` updates the transcripts and the answers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from symkripke import Moment, Record, Scene, engine
from symkripke.cli import group
from symkripke.errors import SymkripkeError
from symkripke.language import Atom
from symkripke.play.knowledge_matrix import insight
from symkripke.play.odds import deal_fluents

FOLDER = Path(__file__).parent.parent / "data" / "golden"
MOST_POSSIBILITIES = 40
"""Longer lists of possibilities are stored only as their length."""

LOGS = sorted(file.stem for file in (FOLDER / "logs").iterdir())

TRANSCRIPTS = {
    "cluedo-classic-3-mixed": (
        "play cluedo --players 3 --seed 5 --edition us --minds higher-order,first-order,random"
    ),
    "kwartet-study": (
        "play kwartet --rules study --seed 3 --minds first-order,second-order,forgetful"
    ),
    "sleuth-study": "play sleuth --rules study --seed 3 --players 4 --size 3/3/3",
    "perudo-palifico-calza": (
        "play perudo --players 3 --seed 2 --set calza --set dice=2 --minds trust-keeper,odds,random"
    ),
    "old-maid-study": "play old_maid --rules study --seed 9 --minds epistemic,logic,random",
}
"""The command that prints each transcript, by file name."""


def log_file(name: str) -> Path:
    """Return the path of a golden log."""
    return FOLDER / "logs" / f"{name}.jsonl"


def answers_file(name: str) -> Path:
    """Return the path of the answers to the questions about a golden log."""
    return FOLDER / "answers" / f"{name}.json"


def transcript_file(name: str) -> Path:
    """Return the path of a transcript."""
    return FOLDER / "transcripts" / f"{name}.txt"


def printed(name: str) -> str:
    """Return the transcript that the program prints now."""
    command = TRANSCRIPTS[name]
    result = CliRunner().invoke(group, command.split(), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return f"$ symkripke {command}\n{result.stdout}"


def answered(name: str) -> list[dict[str, Any]]:
    """Return the parts of an answers file with the current answers."""
    last = Record.read(log_file(name)).replay(answering=engine())
    parts = json.loads(answers_file(name).read_text(encoding="utf-8"))
    for part in parts:
        moment = last.after(part["events"])
        part["answers"] = [[*asked, _answer(moment, asked)] for *asked, _ in part["answers"]]
    return list(parts)


def _answer(moment: Moment[Any, Any], question: list[Any]) -> Any:
    """Return the answer as plain data, or the name of the error's type."""
    try:
        return _found(moment, question)
    except SymkripkeError as error:
        return type(error).__name__


def _found(moment: Moment[Any, Any], question: list[Any]) -> Any:
    match question:
        case ["holds", formula]:
            return bool(moment.ask(formula))
        case ["evidence", formula]:
            return moment.ask(formula).why() is not None
        case [("marks" | "believed marks") as kind, player]:
            marks = moment.marks(player, believing=kind != "marks")
            rows: dict[str, str] = {}
            for (row, _), cell in moment.layout.cells.items():
                rows[row] = rows.get(row, "") + marks[cell].value[0]
            return rows
        case ["worlds", player, over]:
            state = moment.perspective(player) if player else moment.structure
            return moment.engine.worlds(state, deal_fluents(state) if over == "deal" else None)
        case ["probability", player, formula]:
            return str(moment.probability(player, formula))
        case ["bayes", player, formula]:
            return str(moment.probability(player, formula, engine(weighting="bayes")))
        case ["possibilities", player]:
            answers = moment.game.answers(moment.setup, moment.structure, player)
            atoms = [answer for answer in answers if isinstance(answer, Atom)]
            found = moment.engine.possibilities(moment.perspective(player), atoms)
            if len(found) > MOST_POSSIBILITIES:
                return len(found)
            return sorted(sorted(map(str, together)) for together in found)
        case ["believed", player]:
            held = moment.engine.believed(moment.perspective(player))
            return {
                "kept": [str(soft.formula) for soft in held.kept],
                "given up": [str(soft.formula) for soft in held.given_up],
            }
        case ["who"]:
            return {f"{i} of {j}": mark.value for (i, j), mark in insight(moment).items()}
        case ["possible to", formula]:
            assert isinstance(moment.state, Scene)
            return sorted(moment.engine.possible_to(moment.state, formula, moment.setup.players))
    raise AssertionError(f"no such question: {question}")


def _as_text(parts: list[dict[str, Any]]) -> str:
    """Return the content of an answers file, with one question per line."""
    blocks = []
    for part in parts:
        rows = [json.dumps(row, separators=(",", ":")) for row in part["answers"]]
        blocks.append(f'{{"events": {part["events"]}, "answers": [\n' + ",\n".join(rows) + "\n]}")
    return "[\n" + ",\n".join(blocks) + "\n]\n"


def main() -> None:
    """Write all transcripts and answers."""
    for name in TRANSCRIPTS:
        transcript_file(name).write_text(printed(name), encoding="utf-8")
    for name in LOGS:
        answers_file(name).write_text(_as_text(answered(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
